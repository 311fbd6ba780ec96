"""From what was read to a position: the part that order sheets and phase records have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message, joined
from satdip.board import Board, Terrain, UnitKind
from satdip.board.names import Name
from satdip.notation.prose import either
from satdip.phase.orders import Build, Move, Order, Retreat, Unclear, UnitRef, Waive
from satdip.phase.position import Phase, PhaseKind, Position, Season, Unit
from satdip.phase.turn import Given, Proxied

__all__ = [
    "FIRST_PHASE",
    "Named",
    "as_retreat",
    "check_proxies",
    "in_phase",
    "named_by_orders",
    "named_by_proxies",
    "stand",
    "stand_as_stated",
    "units_named",
]

FIRST_PHASE = Phase(Season.SPRING, 1901, PhaseKind.MOVEMENT)
"""The phase of a sheet or record that names none."""


@dataclass(frozen=True, slots=True)
class Named:
    """A unit as somebody named it, the power that it belongs to, and where it was named."""

    power: str
    unit: UnitRef
    where: Where


def in_phase(order: Order, phase: Phase) -> Order:
    """Return an order as its phase makes it: what is written as a move is a retreat in a retreat phase.

    A move "via convoy" stays one, to be refused by the rules: retreats cannot be convoyed (DATC 6.H.10).
    """
    return as_retreat(order) if phase.traits.dislodged_act else order


def as_retreat(order: Order) -> Order:
    """Return an order as a retreat phase makes it."""
    if isinstance(order, Move) and not (order.via or order.route):
        return Retreat(order.unit, order.destination)
    return order


def stand(power: str, ref: UnitRef, board: Board) -> Unit:
    """Return the unit that is named, as it stands on the board.

    A missing kind is the only possible one (a fleet at sea, an army inland); coasts that mean nothing are left out.

    Raises:
        InputError: the kind is missing and both are possible, or no such unit can stand there.
    """
    province = board.provinces[ref.province]
    kind = ref.kind
    if kind is None:
        if province.terrain == Terrain.COAST:
            raise InputError(
                Message(
                    "it is not said whether an army or a fleet is in {place}; write A or F before it",
                    place=Name(province.id, board),
                )
            )
        kind = UnitKind.FLEET if province.terrain == Terrain.SEA else UnitKind.ARMY
    places = board.locations(kind, province.id)
    if not places:
        place = Name(province.id, board)
        if kind == UnitKind.ARMY:
            raise InputError(Message("an army cannot be at sea, in {place}", place=place))
        raise InputError(Message("a fleet cannot be inland, in {place}", place=place))
    location = ref.location if ref.location in places else places[0]
    if len(places) > 1 and ref.location not in places:
        what = Message(
            "a fleet in {place} is on one of its coasts; write {coasts}",
            place=Name(province.id, board),
            coasts=either(Name(at, board) for at in places),
        )
        raise InputError(what)
    return Unit(power, kind, location)


def stand_as_stated(power: str, ref: UnitRef, board: Board) -> Unit:
    """Return the unit that a position states: nothing of that is left out, not even a coast that means nothing.

    Raises:
        InputError: see `stand`; or another power is named with the unit, or a coast that no such unit stands on.
    """
    unit = stand(power, ref, board)
    if ref.power not in (None, power):
        told = {"power": Name(power, board, coded=True), "other": Name(ref.power or "", board, coded=True)}
        raise InputError(Message("this unit is listed under {power}, but named as one of {other}", **told))
    if ref.location not in (ref.province, unit.location):
        what = Message(
            "no such unit stands on a coast of {place}; write {unit}", place=Name(unit.province, board), unit=unit.text
        )
        raise InputError(what)
    return unit


def named_by_orders(orders: Iterable[Given]) -> list[Named]:
    """Return the units that orders are given to: those on the board when nothing else tells.

    Raises:
        InputError: an order is unclear about its unit.
    """
    named: list[Named] = []
    for given in orders:
        order = given.order
        if isinstance(order, Unclear) and order.unit is None and order.meanings:
            what = Message("{why}, and only the orders tell which units there are", why=order.why)
            raise InputError(what, given.where)
        if not isinstance(order, Build | Waive) and order.unit is not None:
            named.append(Named(order.unit.power or given.power, order.unit, given.where))
    return named


def named_by_proxies(proxies: Iterable[Proxied], named: Iterable[Named]) -> list[Named]:
    """Return the units that only a proxy names.

    Args:
        proxies: the units that other powers may order.
        named: the units that are named elsewhere.
    """
    known = {item.unit.province for item in named}
    return [Named(proxy.power, proxy.unit, proxy.where) for proxy in proxies if proxy.unit.province not in known]


def check_proxies(proxies: Sequence[Proxied], position: Position) -> None:
    """Refuse proxies for units that are not there, or are another power's.

    Raises:
        InputError: there is one.
    """
    units = [*position.units, *(item.unit for item in position.dislodged)] if proxies else []
    for proxy in proxies:
        if not any(unit.power == proxy.power and unit.province == proxy.unit.province for unit in units):
            power, place = (Name(key, position.board) for key in (proxy.power, proxy.unit.province))
            what = Message("{power} has no unit in {place}, so it can give no proxy for one", power=power, place=place)
            raise InputError(what, proxy.where)


def units_named(named: Iterable[Named], board: Board) -> tuple[Unit, ...]:
    """Return the units that are named, in that order; a unit may be named more than once.

    Raises:
        InputError: a unit cannot stand where it is, or two units are in one province.
    """
    by_province: dict[str, list[Named]] = {}
    for item in named:
        by_province.setdefault(item.unit.province, []).append(item)
    return tuple(_one_unit(items, board) for items in by_province.values())


def _one_unit(items: list[Named], board: Board) -> Unit:
    """Return the unit of a province that was named once or more."""
    fullest = max(items, key=lambda item: (item.unit.kind is not None, "/" in item.unit.location))
    try:
        unit = stand(fullest.power, fullest.unit, board)
    except InputError as error:
        raise _at(error, fullest.where) from None
    for item in items:
        ref = item.unit
        same_coast = ref.location in (ref.province, unit.location) or unit.kind == UnitKind.ARMY
        if item.power != unit.power or ref.kind not in (None, unit.kind) or not same_coast:
            first, second = sorted((fullest, item), key=items.index)
            first_told, second_told = _tell(first, board), _tell(second, board)
            what = Message("two units in one province, {first} and {second}", first=first_told, second=second_told)
            raise InputError(what, second.where)
    return unit


def _tell(item: Named, board: Board) -> str:
    words = (Name(item.power, board, coded=True), item.unit.kind, Name(item.unit.location, board))
    return joined((word for word in words if word), separator=" ")


def _at(error: InputError, where: Where) -> InputError:
    return error.at(source=where.source, line=where.line, column=where.column, path=where.path)
