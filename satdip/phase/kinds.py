"""The kinds of phase, each with what is so of all its phases: the rest of satdip asks for these traits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from satdip.base.values import Value
from satdip.phase.orders import Disband, Hold

__all__ = ["TRAITS", "PhaseKind", "Season", "Traits"]


class Season(StrEnum):
    """The seasons of a game year."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"


class PhaseKind(StrEnum):
    """The three kinds of phase."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"


@dataclass(frozen=True, slots=True)
class Traits(Value):
    """What is so of all phases of a kind.

    Args:
        seasons: when there are such phases.
        dislodged_act: whether the dislodged units get the orders, and must be stated; else the units on the board do.
        idle: what a unit without an order does; None where only those do anything that are ordered to.
        by_count: whether powers, not single units, have decisions to take: how many is the difference between a power's
            supply centres and its units, so that the centres must be stated.
        may_dislodge: whether units can be dislodged, so that retreats may follow.
        orders_tell_units: whether the units are those that get orders, where nothing else states them.
        in_order: whether each decision depends on earlier ones only (see `satdip.solving.in_order`); else decisions may
            depend on each other in a circle, and a phase may have several consistent resolutions, or none.
    """

    seasons: frozenset[Season]
    dislodged_act: bool
    idle: type[Hold | Disband] | None
    by_count: bool
    may_dislodge: bool
    orders_tell_units: bool
    in_order: bool


TRAITS: Final[Mapping[PhaseKind, Traits]] = {
    PhaseKind.MOVEMENT: Traits(
        seasons=frozenset({Season.SPRING, Season.FALL}),
        dislodged_act=False,
        idle=Hold,
        by_count=False,
        may_dislodge=True,
        orders_tell_units=True,
        in_order=False,
    ),
    PhaseKind.RETREATS: Traits(
        seasons=frozenset({Season.SPRING, Season.FALL}),
        dislodged_act=True,
        idle=Disband,
        by_count=False,
        may_dislodge=False,
        orders_tell_units=False,
        in_order=True,
    ),
    PhaseKind.ADJUSTMENTS: Traits(
        seasons=frozenset({Season.WINTER}),
        dislodged_act=False,
        idle=None,
        by_count=True,
        may_dislodge=False,
        orders_tell_units=False,
        in_order=True,
    ),
}
