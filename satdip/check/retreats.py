"""Retreat orders: legal or illegal (rulebook "Retreats"; DATC 6.H, 4.A.5)."""

from __future__ import annotations

from collections.abc import Mapping

from satdip.board import Board, UnitKind, province_of
from satdip.check.result import Checked, CheckedOrders, Illegal, Status, one_order_a_unit, reference
from satdip.check.sets import check_counted, counted_orders
from satdip.check.units import find_ordered, place_without_coast
from satdip.phase.orders import Disband, Move, Order, Retreat, Unclear, ordered_unit
from satdip.phase.position import Dislodged, Position, Unit
from satdip.phase.turn import Given, Turn
from satdip.rulebook import ImpossibleCoast, MissingCoast, Rulebook

__all__ = ["check_retreats", "open_retreats"]


def check_retreats(turn: Turn, rules: Rulebook) -> CheckedOrders:
    """Compare retreat orders with the position.

    Returns:
        Each order with its status, and what every dislodged unit does: without a legal order it disbands.
    """
    position = turn.position
    driven = {item.unit.province: item for item in position.dislodged}

    def examine(given: Given) -> Checked:
        return _examine(given, position, driven, rules)

    entries = one_order_a_unit(check_counted(counted_orders(turn, rules), position, examine), rules)
    ordered = {entry.unit: entry.action for entry in entries if entry.unit is not None and entry.action is not None}
    own = {entry.unit for entry in entries if entry.is_of_unit}
    units = [item.unit for item in position.dislodged]
    idle = [Checked(None, unit, None) for unit in units if unit not in own]
    actions = tuple((unit, ordered.get(unit) or Disband(reference(unit))) for unit in units)
    return CheckedOrders((*entries, *idle), actions)


def open_retreats(item: Dislodged, position: Position) -> frozenset[str]:
    """Return where a dislodged unit may go: as stated, or (where that is not known) as far as the position tells.

    A position alone tells which neighbours are empty and where the attacker came from, but not which provinces a
    stand-off left empty.
    """
    if item.retreats is not None:
        return item.retreats
    taken = {unit.province for unit in position.units}
    near = position.board.reach(item.unit.kind, item.unit.location)
    return frozenset(at for at in near if province_of(at) not in taken and province_of(at) != item.attacker_from)


def _examine(given: Given, position: Position, driven: Mapping[str, Dislodged], rules: Rulebook) -> Checked:
    order, unit = given.order, None
    try:
        if isinstance(order, Unclear):
            raise Illegal("unclear", why=order.why, meanings=order.meanings)
        named = ordered_unit(order)
        unit = driven[named.province].unit if named is not None and named.province in driven else None
        if not isinstance(order, Retreat | Move | Disband):
            raise Illegal("wrong-phase", phase="retreats")
        if unit is None:
            raise Illegal("not-dislodged", place=order.unit.province)
        unit = find_ordered(order.unit, given.power, {unit.province: unit}, rules)
        return Checked(given, unit, _exact(unit, order, position, driven[unit.province], rules))
    except Illegal as found:
        return Checked(given, unit, None, Status.ILLEGAL, found.reason)


def _exact(unit: Unit, order: Retreat | Move | Disband, position: Position, item: Dislodged, rules: Rulebook) -> Order:
    if isinstance(order, Disband):
        return Disband(reference(unit))
    if isinstance(order, Move) and order.via:
        raise Illegal("retreat-by-convoy", unit=unit)
    goal = place_without_coast(order.destination, position.board, unit.kind, rules)
    if goal not in position.board.reach(unit.kind, unit.location):
        goal = _coast(unit, goal, position.board, rules)
    if goal not in open_retreats(item, position):
        raise _closed(unit, goal, position, item)
    return Retreat(reference(unit), goal)


def _coast(unit: Unit, goal: str, board: Board, rules: Rulebook) -> str:
    """Return the coast that a fleet retreats to when the order leaves it open (DATC 4.B.1 to 4.B.3)."""
    province = province_of(goal)
    coasts = board.coasts_reached(unit.location, province) if unit.kind == UnitKind.FLEET else ()
    if not coasts:
        raise Illegal("out-of-reach", unit=unit, place=goal)
    if goal != province and rules.impossible_coast == ImpossibleCoast.ILLEGAL:
        raise Illegal("impossible-coast", issue="4.B.3", unit=unit, place=goal)
    if goal == province and (len(coasts) > 1 or rules.missing_coast == MissingCoast.FAILS):
        issue = "4.B.1" if len(coasts) > 1 else "4.B.2"
        raise Illegal("coast-missing", issue=issue, unit=unit, place=goal)
    return coasts[0]


def _closed(unit: Unit, goal: str, position: Position, item: Dislodged) -> Illegal:
    """Say why a neighbour is closed to a retreat."""
    occupant = position.unit_at(province_of(goal))
    if occupant is not None:
        return Illegal("retreat-occupied", unit=unit, place=goal, occupant=occupant)
    if province_of(goal) == item.attacker_from:
        return Illegal("retreat-to-attacker", unit=unit, place=goal)
    return Illegal("retreat-contested", unit=unit, place=goal)
