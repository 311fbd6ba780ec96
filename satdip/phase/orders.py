"""Orders as values: one frozen dataclass per kind of order.

An order here is what somebody wrote, not yet compared with a position: the kind of a unit may be missing or
wrong, a coast may be missing, a nationality may be named. `satdip.check` compares it with a position.
Locations are upper-case ids of the map (``STP/NC``); a place that was written without a coast has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from satdip.base.values import Value
from satdip.board import UnitKind, province_of

__all__ = [
    "Build",
    "Convoy",
    "Disband",
    "Hold",
    "Move",
    "Order",
    "Retreat",
    "Support",
    "Unclear",
    "UnitRef",
    "Waive",
    "ordered_unit",
]


@dataclass(frozen=True, slots=True)
class UnitRef(Value):
    """A unit as an order names it.

    Args:
        location: province or coast, as written.
        kind: army or fleet; None where the writer left it out.
        power: the nationality, where the writer named one (a power's id).
    """

    location: str
    kind: UnitKind | None = None
    power: str | None = None
    province: str = field(init=False, repr=False, compare=False)
    """The province of the unit."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))


@dataclass(frozen=True, slots=True)
class Hold(Value):
    """The unit stays where it is."""

    unit: UnitRef


@dataclass(frozen=True, slots=True)
class Move(Value):
    """The unit attacks `destination`.

    Args:
        unit: the unit that moves.
        destination: location, with a coast where one was written.
        via: whether "via convoy" was written.
        route: the seas of a convoy route, where the writer named one (DATC 4.A.6).
    """

    unit: UnitRef
    destination: str
    via: bool = False
    route: tuple[str, ...] = ()
    dst: str = field(init=False, repr=False, compare=False)
    """The province of the destination."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dst", province_of(self.destination))


@dataclass(frozen=True, slots=True)
class Support(Value):
    """The unit supports `target`: to `destination`, or in place when `destination` is None."""

    unit: UnitRef
    target: UnitRef
    destination: str | None = None
    zone: str = field(init=False, repr=False, compare=False)
    """The province that the support is directed to."""

    def __post_init__(self) -> None:
        zone = self.target.province if self.destination is None else province_of(self.destination)
        object.__setattr__(self, "zone", zone)


@dataclass(frozen=True, slots=True)
class Convoy(Value):
    """The fleet convoys `army` to `destination`."""

    unit: UnitRef
    army: UnitRef
    destination: str
    dst: str = field(init=False, repr=False, compare=False)
    """The province of the destination."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dst", province_of(self.destination))


@dataclass(frozen=True, slots=True)
class Retreat(Value):
    """The dislodged unit retreats to `destination`."""

    unit: UnitRef
    destination: str


@dataclass(frozen=True, slots=True)
class Disband(Value):
    """The unit leaves the board: a retreat declined, or a removal in winter."""

    unit: UnitRef


@dataclass(frozen=True, slots=True)
class Build(Value):
    """A new unit; its kind is None where the writer left it out (DATC 4.C.3)."""

    unit: UnitRef


@dataclass(frozen=True, slots=True)
class Waive(Value):
    """A build that is declined."""


@dataclass(frozen=True, slots=True)
class Unclear(Value):
    """A line that is no order: it has several meanings, or none. It is not followed.

    Args:
        text: the line as written.
        why: one sentence that says what is unclear.
        meanings: what it could have meant; empty when it means nothing.
        unit: the ordered unit, where that much is clear.
    """

    text: str
    why: str
    meanings: tuple[str, ...] = ()
    unit: UnitRef | None = None


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive | Unclear


def ordered_unit(order: Order) -> UnitRef | None:
    """Return the unit that an order is given to, or None (a waived build, an unclear line)."""
    return None if isinstance(order, Waive) else order.unit
