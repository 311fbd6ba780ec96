"""What a picture shows: the orders of a phase as places, units and lines between them, before anything is painted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from satdip.board import Board, province_of
from satdip.notation import Notation, write_order
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, ordered_unit
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Turn
from satdip.resolve.resolution import OrderResult, Outcome, Resolution

__all__ = ["Fate", "Scene", "Told", "scene_of"]


class Fate(StrEnum):
    """What became of an order, as far as a picture shows it."""

    UNKNOWN = "unknown"
    SUCCESS = "success"
    FAILURE = "failure"
    IGNORED = "ignored"
    """Illegal, or it matches nothing."""


@dataclass(frozen=True)
class Told:
    """An order with what became of it.

    Args:
        power: who gave it.
        order: what it says; None for a unit without an order.
        unit: the unit on the board.
        words: the order and its outcome, as text.
        fate: what became of it.
        dislodged: the unit was driven from its place.
        destroyed: it was, and has nowhere to go.
        removed: it was, and its power is in civil disorder: it may not retreat.
    """

    power: str
    order: Order | None
    unit: Unit | None
    words: str
    fate: Fate = Fate.UNKNOWN
    dislodged: bool = False
    destroyed: bool = False
    removed: bool = False


@dataclass(frozen=True)
class Scene:
    """A phase to paint.

    Args:
        position: where everything stands.
        orders: the orders.
        provinces: the provinces to show.
        title: one line about it.
    """

    position: Position
    orders: tuple[Told, ...]
    provinces: tuple[str, ...]
    title: str

    @property
    def board(self) -> Board:
        """The map."""
        return self.position.board

    @cached_property
    def _shown(self) -> frozenset[str]:
        return frozenset(self.provinces)

    def shows(self, *locations: str) -> bool:
        """Return whether all these places are in the picture."""
        return all(province_of(at) in self._shown for at in locations)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units in the picture, dislodged ones last."""
        every = (*self.position.units, *(item.unit for item in self.position.dislodged))
        return tuple(unit for unit in every if self.shows(unit.province))

    def orders_of(self, unit: Unit) -> list[Told]:
        """Return what a unit was ordered."""
        return [told for told in self.orders if told.unit == unit]

    @cached_property
    def followed(self) -> Mapping[str, Told]:
        """Province -> the order of its unit that counts, the first one where that is not known."""
        counting = [told for told in self.orders if told.unit is not None and told.fate != Fate.IGNORED]
        return {told.unit.province: told for told in reversed(counting) if told.unit is not None}

    def borders(self) -> Iterator[tuple[str, str]]:
        """Return the pairs of neighbours in the picture."""
        for province in self.provinces:
            for other in sorted(self.board.neighbours[province]):
                if province < other and self.shows(other):
                    yield province, other

    def routes(self, move: Move) -> list[tuple[str, ...]]:
        """Return chains of fleets that are ordered to carry an army, so that each fleet of use is on one of them.

        The first is a shortest one. None when the army goes by land, or when there is no whole chain.
        """
        fleets = self._carriers(move)
        start, end = move.unit.province, province_of(move.destination)
        by_land = move.destination in self.board.army.get(start, ())
        if by_land and not move.via and not any(self._power(at) == self._power(start) for at in fleets):
            return []
        touches = self.board.sea_neighbours
        there = _chains({at for at in fleets if start in touches[at]}, fleets, touches)
        back = _chains({at for at in fleets if end in touches[at]}, fleets, touches)
        whole = ((*there[at], *reversed(back[at][:-1])) for at in sorted(there.keys() & back.keys()))
        simple = sorted((r for r in whole if len(set(r)) == len(r)), key=lambda r: (len(r), r))
        kept: list[tuple[str, ...]] = []
        for chain in simple:
            if not kept or not set(chain) <= {at for other in kept for at in other}:
                kept.append(chain)
        return kept

    def _carriers(self, move: Move) -> frozenset[str]:
        """The seas whose fleets are ordered to carry an army where it goes."""
        goal = province_of(move.destination)
        return frozenset(
            at
            for at, told in self.followed.items()
            if isinstance(told.order, Convoy)
            and told.order.army.province == move.unit.province
            and province_of(told.order.destination) == goal
            and self.board.is_sea(at)
            and self.shows(at)
        )

    def _power(self, province: str) -> str | None:
        unit = self.position.unit_at(province)
        return unit.power if unit else None


def _chains(
    first: Collection[str], among: Collection[str], touches: Mapping[str, frozenset[str]]
) -> dict[str, tuple[str, ...]]:
    """Sea -> a shortest chain of seas to it, breadth first."""
    chains: dict[str, tuple[str, ...]] = {at: (at,) for at in sorted(first)}
    frontier = list(chains)
    for at in frontier:  # grows while it is walked
        for other in sorted(touches[at] & frozenset(among)):
            if other not in chains:
                chains[other] = (*chains[at], other)
                frontier.append(other)
    return chains


# ---------------------------------------------------------------------- from a phase


def scene_of(what: Turn | Resolution, provinces: Iterable[str] | None = None) -> Scene:
    """Return what a picture of a phase shows.

    Args:
        what: a phase, or its outcome.
        provinces: ids of the provinces to show; by default those of the units and of their orders.
    """
    turn = what if isinstance(what, Turn) else what.turn
    position = turn.position
    orders = tuple(_told(turn) if isinstance(what, Turn) else map(_Results(what).told, what.orders))
    shown = set(provinces) if provinces is not None else set(_involved(position, orders))
    title = f"{position.phase}, map {position.board.name}"
    if isinstance(what, Resolution):
        title += f", rules {what.rules}"
    return Scene(position, orders, tuple(p for p in position.board.provinces if p in shown), title)


def _involved(position: Position, orders: Sequence[Told]) -> Iterator[str]:
    """Return the provinces of units and orders."""
    yield from (unit.province for unit in position.units)
    yield from (item.unit.province for item in position.dislodged)
    for told in orders:
        yield from map(province_of, _places(told.order))


def _places(order: Order | None) -> Iterator[str]:
    """Return the places that an order names."""
    if order is None:
        return
    unit = ordered_unit(order)
    if unit is not None:
        yield unit.location
    match order:
        case Move() | Retreat():
            yield order.destination
        case Support():
            yield order.target.location
            if order.destination is not None:
                yield order.destination
        case Convoy():
            yield order.army.location
            yield order.destination


def _told(turn: Turn) -> Iterator[Told]:
    """Return the orders of a phase that is not adjudicated."""
    position = turn.position
    driven = {item.unit.province: item.unit for item in position.dislodged}
    silent: dict[Unit | None, None] = dict.fromkeys(driven.values() if driven else position.units)
    for given in turn.orders:
        ref = ordered_unit(given.order)
        unit = None if ref is None else driven.get(ref.province) or position.unit_at(ref.province)
        silent.pop(unit, None)
        yield Told(given.power, given.order, unit, _words(given.power, given.text, given.order, position))
    for unit in filter(None, silent):
        yield Told(unit.power, None, unit, _words(unit.power, f"{unit} (no order)", None, position))


def _words(power: str, text: str, order: Order | None, position: Position) -> str:
    board = position.board
    name = board.powers[power].name if power in board.powers else power
    written = text or ("" if order is None else write_order(order, Notation.PACKAGE, board))
    return f"{name}: {written}"


class _Results:
    """The orders of a phase that is adjudicated."""

    def __init__(self, resolution: Resolution) -> None:
        self.position = resolution.position

    def told(self, result: OrderResult) -> Told:
        given, action = result.checked.given, result.checked.action
        order = action or (given.order if given else None)
        text = given.text if given else f"{result.unit} (no order)" if result.unit else ""
        words = _words(result.power, text, order, self.position)
        what = [str(result.outcome)]
        if result.dislodged and result.outcome != Outcome.DISLODGED:
            what.append("dislodged")
        removed = result.dislodged and result.disbanded
        if result.destroyed or removed:
            what.append("removed" if removed else "destroyed")
        outcome = f"{words}: {', '.join(what)}"
        driven = (result.dislodged, result.destroyed, removed)
        return Told(result.power, order, result.unit, outcome, _fate(result), *driven)


def _fate(result: OrderResult) -> Fate:
    match result.outcome:
        case Outcome.ILLEGAL | Outcome.INVALID:
            return Fate.IGNORED
        case Outcome.OPEN:
            return Fate.UNKNOWN
        case outcome:
            return Fate.SUCCESS if outcome.success else Fate.FAILURE


def is_drawn(order: Order | None) -> bool:
    """Return whether an order is a line or mark in the picture; the others are told beneath it."""
    return order is None or isinstance(order, Hold | Move | Support | Convoy | Retreat | Disband | Build)
