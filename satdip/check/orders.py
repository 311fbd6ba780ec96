"""The check of each kind of phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from satdip.check.adjustments import check_adjustments
from satdip.check.movement import check_movement
from satdip.check.result import CheckedOrders
from satdip.check.retreats import check_retreats
from satdip.phase.position import PhaseKind
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook

__all__ = ["CHECKS", "check_orders"]

CHECKS: Final[Mapping[PhaseKind, Callable[[Turn, Rulebook], CheckedOrders]]] = {
    PhaseKind.MOVEMENT: check_movement,
    PhaseKind.RETREATS: check_retreats,
    PhaseKind.ADJUSTMENTS: check_adjustments,
}
"""Kind of phase -> what compares its orders with the position."""


def check_orders(turn: Turn, rules: Rulebook) -> CheckedOrders:
    """Compare the orders of a phase, whatever its kind, with the position."""
    return CHECKS[turn.position.phase.kind](turn, rules)
