"""From what was read to a position: the part that order sheets and phase records have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from satdip.board import Board, Terrain, UnitKind
from satdip.errors import InputError, Where
from satdip.orders import Build, Move, Order, Retreat, Unclear, UnitRef, Waive
from satdip.position import Phase, PhaseKind, Position, Season, Unit
from satdip.turn import Given, Proxied

__all__ = [
    "FIRST_PHASE",
    "Named",
    "check_proxies",
    "in_phase",
    "named_by_orders",
    "named_by_proxies",
    "stand",
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
    if phase.kind == PhaseKind.RETREATS and isinstance(order, Move) and not (order.via or order.route):
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
            raise InputError(f"it is not said whether an army or a fleet is in {province.name}; write A or F before it")
        kind = UnitKind.FLEET if province.terrain == Terrain.SEA else UnitKind.ARMY
    places = board.locations(kind, province.id)
    if not places:
        noun, where = ("an army", "at sea") if kind == UnitKind.ARMY else ("a fleet", "inland")
        raise InputError(f"{noun} cannot be {where}, in {province.name}")
    location = ref.location if ref.location in places else places[0]
    if len(places) > 1 and ref.location not in places:
        coasts = " or ".join(f"{province.name}({coast.lower()})" for coast in province.coasts)
        raise InputError(f"a fleet in {province.name} is on one of its coasts; write {coasts}")
    return Unit(power, kind, location)


def named_by_orders(orders: Iterable[Given]) -> list[Named]:
    """Return the units that orders are given to: those on the board when nothing else tells.

    Raises:
        InputError: an order is unclear about its unit.
    """
    named: list[Named] = []
    for given in orders:
        order = given.order
        if isinstance(order, Unclear) and order.unit is None and order.meanings:
            raise InputError(f"{order.why}, and only the orders tell which units there are", given.where)
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


def check_proxies(proxies: Iterable[Proxied], position: Position) -> None:
    """Refuse proxies for units that are not there, or are another power's.

    Raises:
        InputError: there is one.
    """
    units = [*position.units, *(item.unit for item in position.dislodged)]
    for proxy in proxies:
        if not any(unit.power == proxy.power and unit.province == proxy.unit.province for unit in units):
            power, place = position.board.powers[proxy.power].name, position.board.provinces[proxy.unit.province].name
            raise InputError(f"{power} has no unit in {place}, so it can give no proxy for one", proxy.where)


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
            both = f"{_tell(first, board)} and {_tell(second, board)}"
            raise InputError(f"two units in one province, {both}", second.where)
    return unit


def _tell(item: Named, board: Board) -> str:
    place = board.provinces[item.unit.province].name
    coast = item.unit.location[len(item.unit.province) + 1 :]
    return f"{item.power} {item.unit.kind or ''} {place}".replace("  ", " ") + (f"({coast.lower()})" if coast else "")


def _at(error: InputError, where: Where) -> InputError:
    return error.at(source=where.source, line=where.line, column=where.column, path=where.path)
