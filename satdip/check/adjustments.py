"""Builds and removals: legal or illegal, each by itself (DATC 6.I, 6.J, 4.B.7, 4.C.3, 4.C.4).

How many of the legal ones are carried out is the business of `satdip.encodings.adjustments`.
"""

from __future__ import annotations

from functools import cache, partial

from satdip.board import UnitKind
from satdip.check.result import Checked, CheckedOrders, Illegal, Status, one_order_a_unit, reference
from satdip.check.sets import check_counted, counted_orders
from satdip.check.units import allowance, find_ordered, place_without_coast
from satdip.phase.orders import Build, Disband, Order, Unclear, UnitRef, Waive
from satdip.phase.position import Position
from satdip.phase.turn import Given, Turn
from satdip.rulebook import Allowance, InlandFleet, Rulebook

__all__ = ["allowance", "check_adjustments"]


def check_adjustments(turn: Turn, rules: Rulebook) -> CheckedOrders:
    """Compare builds and removals with the position; units without an order are not listed."""
    spare = cache(partial(allowance, turn.position))

    def examine(given: Given) -> Checked:
        return _examine(given, turn.position, rules, spare(given.power))

    entries = check_counted(counted_orders(turn, rules), turn.position, examine)
    return CheckedOrders(tuple(one_order_a_unit(entries, rules)))


def _examine(given: Given, position: Position, rules: Rulebook, spare: int) -> Checked:
    order = given.order
    units = position.by_province
    try:
        if isinstance(order, Unclear):
            raise Illegal("unclear", why=order.why, meanings=order.meanings)
        match order:
            case Build() | Waive() if spare <= 0:
                raise Illegal("no-builds", power=given.power)
            case Waive() if rules.declined_builds == Allowance.FORBIDDEN:
                raise Illegal("no-waives", issue="4.D.7")
            case Waive():
                return Checked(given, None, order)
            case Build():
                return Checked(given, None, _build(order, given.power, position, rules))
            case Disband():
                unit = find_ordered(order.unit, given.power, units, rules)
                if spare >= 0:
                    raise Illegal("no-removals", power=given.power)
                return Checked(given, unit, Disband(reference(unit)))
            case _:
                raise Illegal("wrong-phase", phase="adjustments")
    except Illegal as found:
        return Checked(given, None, None, Status.ILLEGAL, found.reason)


def _build(order: Build, power: str, position: Position, rules: Rulebook) -> Order:
    board, province = position.board, order.unit.province
    if province not in board.powers[power].home:
        raise Illegal("build-not-home", place=province, power=power)
    if province not in position.centres.get(power, ()):
        raise Illegal("build-not-owned", place=province, power=power)
    occupant = position.unit_at(province)
    if occupant is not None:
        raise Illegal("build-occupied", place=province, occupant=occupant)
    kind = order.unit.kind
    if kind is None:
        if board.is_coast(province):
            raise Illegal("build-kind-missing", issue="4.C.3", place=province)
        kind = UnitKind.ARMY
    if not board.locations(kind, province) and rules.inland_fleet == InlandFleet.ARMY:
        kind = UnitKind.ARMY
    places = board.locations(kind, province)
    if not places:
        raise Illegal("build-impossible", issue="4.C.4", place=province)
    location = place_without_coast(order.unit.location, board, kind, rules)
    if location not in places:
        raise Illegal("build-coast-missing", issue="4.B.7", place=province)
    return Build(UnitRef(location, kind, power))
