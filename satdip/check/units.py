"""Finding the unit that an order means (DATC 4.B.5, 4.B.6, 4.C), and counting units."""

from __future__ import annotations

from collections.abc import Mapping

from satdip.board import Board, UnitKind, province_of
from satdip.check.result import Illegal
from satdip.phase.orders import UnitRef
from satdip.phase.position import Position, Unit
from satdip.rulebook import IrrelevantCoast, LeftOut, Rulebook, Wrong, WrongCoast

__all__ = ["allowance", "find_ordered", "find_target", "place_without_coast"]


def allowance(position: Position, power: str) -> int:
    """Return centres minus units: how many units a power may build, or (negative) must remove."""
    owned = len(position.centres.get(power, ()))
    return owned - sum(unit.power == power for unit in position.units)


def find_ordered(ref: UnitRef, power: str, units: Mapping[str, Unit], rules: Rulebook) -> Unit:
    """Return the unit that an order is given to.

    Args:
        ref: the unit as the order names it.
        power: who gives the order.
        units: province -> unit.
        rules: decides what a missing or wrong kind or coast means.

    Raises:
        Illegal: there is no such unit, it is another power's, or the order names it wrongly.
    """
    unit = _find(ref, units, rules)
    if unit.power != power:
        raise Illegal("foreign-unit", unit=unit, power=unit.power)
    return unit


def find_target(ref: UnitRef, power: str, units: Mapping[str, Unit], rules: Rulebook) -> Unit:
    """Return the unit that a support or convoy order is about (arguments as `find_ordered`).

    Raises:
        Illegal: there is no such unit, or the order names it wrongly (DATC 4.C.5, 4.C.6).
    """
    unit = _find(ref, units, rules)
    if ref.power is None:
        if unit.power != power and rules.missing_nationality == LeftOut.ILLEGAL:
            raise Illegal("nationality-missing", issue="4.C.5", unit=unit)
    elif ref.power != unit.power and rules.wrong_nationality == Wrong.ILLEGAL:
        raise Illegal("wrong-nationality", issue="4.C.6", unit=unit, power=unit.power)
    return unit


def _find(ref: UnitRef, units: Mapping[str, Unit], rules: Rulebook) -> Unit:
    unit = units.get(ref.province)
    if unit is None:
        raise Illegal("no-such-unit", place=ref.province)
    if ref.kind is None:
        if rules.missing_kind == LeftOut.ILLEGAL:
            raise Illegal("kind-missing", issue="4.C.1", unit=unit)
    elif ref.kind != unit.kind and rules.wrong_kind == Wrong.ILLEGAL:
        raise Illegal("wrong-kind", issue="4.C.2", unit=unit)
    if ref.location not in (unit.location, ref.province):
        _check_coast(unit, rules)
    return unit


def _check_coast(unit: Unit, rules: Rulebook) -> None:
    """Judge a coast that is not the unit's: the wrong one of two (4.B.5), or one that means nothing (4.B.6)."""
    if unit.kind == UnitKind.FLEET and "/" in unit.location:
        if rules.wrong_coast == WrongCoast.ILLEGAL:
            raise Illegal("wrong-coast", issue="4.B.5", unit=unit)
    elif rules.irrelevant_coast == IrrelevantCoast.ILLEGAL:
        raise Illegal("irrelevant-coast", issue="4.B.6", place=unit.province)


def place_without_coast(location: str, board: Board, kind: UnitKind, rules: Rulebook) -> str:
    """Return a destination without a coast that does not exist or cannot matter (DATC 4.B.6).

    Raises:
        Illegal: the rulebook does not ignore such a coast.
    """
    province = province_of(location)
    known = board.provinces.get(province)
    matters = known is not None and known.coasts and kind == UnitKind.FLEET and location in board.fleet
    if location == province or matters:
        return location
    if rules.irrelevant_coast == IrrelevantCoast.ILLEGAL:
        raise Illegal("irrelevant-coast", issue="4.B.6", place=province)
    return province
