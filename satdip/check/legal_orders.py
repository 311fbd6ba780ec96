"""Every legal order of a unit, found by trying."""

from __future__ import annotations

from satdip.board import UnitKind
from satdip.check.possible import MovementOrder, Possible
from satdip.check.result import Illegal, reference
from satdip.phase.orders import Convoy, Hold, Move, Order, Support
from satdip.phase.position import Unit

__all__ = ["legal_orders"]


def legal_orders(check: Possible, unit: Unit) -> list[Order]:
    """List every legal order of a unit in a position, each once, with exact references.

    "Via convoy" is listed beside the plain order where an army could go either way.
    """
    ref, board = reference(unit), check.board
    provinces = [p for p in board.provinces if p != unit.province]
    wanted: list[MovementOrder] = [Hold(ref)]
    goals = board.reach(UnitKind.FLEET, unit.location) if unit.kind == UnitKind.FLEET else provinces
    wanted += [Move(ref, goal) for goal in sorted(goals)]
    if unit.kind == UnitKind.ARMY:
        wanted += [Move(ref, goal, via=True) for goal in provinces]
    for other in check.units.values():
        target = reference(other)
        places = [place for p in provinces for place in (p, *board.locations(UnitKind.FLEET, p))]
        wanted += [Support(ref, target), *(Support(ref, target, goal) for goal in dict.fromkeys(places))]
        wanted += [Convoy(ref, target, goal) for goal in provinces]
    found: dict[Order, None] = {}
    for order in wanted:
        try:
            found[check.exact(unit, order)] = None
        except Illegal:
            continue
    return list(found)
