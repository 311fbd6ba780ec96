"""The orders of a movement phase by province, in a form that can be rewritten as another engine reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, Province, Terrain, UnitKind, province_of
from satdip.board.waters import Waters
from satdip.phase.orders import Convoy, Hold, Move, Order, Support, UnitRef, ordered_unit
from satdip.phase.position import Unit
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, Rulebook

__all__ = ["Moved", "Sheet", "moved_of", "named_places", "standing"]


@dataclass(frozen=True)
class Moved:
    """What an engine made of a movement phase, in provinces.

    Args:
        moves: from -> to of the moves that succeed.
        dislodged: where units are dislodged.
    """

    moves: Mapping[str, str] = field(default_factory=dict)
    dislodged: frozenset[str] = frozenset()


def moved_of(resolution: Resolution) -> Moved:
    """Return what satdip makes of a movement phase."""
    moves = {
        result.unit.province: province_of(action.destination)
        for result in resolution.orders
        if result.success and result.unit is not None and isinstance(action := result.checked.action, Move)
    }
    return Moved(moves, frozenset(item.unit.province for item in resolution.dislodged))


def standing(unit: Unit) -> UnitRef:
    """Return the exact reference to a unit."""
    return UnitRef(unit.location, unit.kind, unit.power)


def named_places(order: Order) -> Iterator[str]:
    """Yield the provinces that an order names beside that of its own unit."""
    if isinstance(order, Support):
        yield order.target.province
    elif isinstance(order, Convoy):
        yield order.army.province
    if isinstance(order, Move | Support | Convoy) and order.destination is not None:
        yield province_of(order.destination)


@dataclass(frozen=True)
class Sheet:
    """The orders of a movement phase, one per unit.

    Args:
        turn: the phase; of several orders to one unit the first is taken.
        rules: the rulebook by which it is resolved.
    """

    turn: Turn
    rules: Rulebook = DATC

    @cached_property
    def board(self) -> Board:
        """The map."""
        return self.turn.position.board

    @cached_property
    def units(self) -> dict[str, Unit]:
        """Province -> the unit that stands there."""
        return {unit.province: unit for unit in self.turn.position.units}

    @cached_property
    def orders(self) -> dict[str, Order]:
        """Province -> the order of its unit; a unit without one holds."""
        found: dict[str, Order] = {}
        for given in self.turn.orders:
            ref = ordered_unit(given.order)
            unit = self.units.get(ref.province) if ref is not None else None
            if unit is not None and unit.power == given.power:
                found.setdefault(unit.province, given.order)
        return {at: found.get(at, Hold(standing(unit))) for at, unit in self.units.items()}

    @cached_property
    def moves(self) -> dict[str, Move]:
        """Province -> the move of its unit."""
        return {at: order for at, order in self.orders.items() if isinstance(order, Move)}

    def goal(self, at: str) -> str:
        """Return the province to which the unit in a province is ordered to move; else the province itself."""
        return province_of(self.moves[at].destination) if at in self.moves else at

    def attackers(self, province: str) -> list[str]:
        """Return the provinces whose units are ordered to move to a province."""
        return [at for at in self.moves if self.goal(at) == province]

    def near(self, at: str) -> bool:
        """Return whether the army in a province is ordered to a neighbour, which it could reach by land."""
        return self.is_army(at) and self.goal(at) in self.board.army[at]

    def is_army(self, at: str) -> bool:
        """Return whether an army stands in a province."""
        return self.units[at].kind == UnitKind.ARMY

    def convoys(self, at: str) -> list[str]:
        """Return the seas whose fleets are ordered to convoy the army in a province to where it is ordered to go."""
        orders = ((sea, order) for sea, order in self.orders.items() if isinstance(order, Convoy))
        wanted = (at, self.goal(at))
        able = (UnitKind.FLEET, True)
        return [
            sea
            for sea, order in orders
            if (order.army.province, province_of(order.destination)) == wanted
            and (self.units[sea].kind, self.board.is_sea(sea)) == able
        ]

    def carried(self, at: str, lost: Collection[str] = ()) -> bool:
        """Return whether the fleets ordered to convoy an army make a whole route, without those that are lost."""
        waters = Waters(self.board, (sea for sea in self.convoys(at) if sea not in lost))
        return waters.has_route(at, self.goal(at))

    def own_fleets(self, at: str) -> bool:
        """Return whether a fleet of the army's own power is ordered to convoy it."""
        return any(self.units[sea].power == self.units[at].power for sea in self.convoys(at))

    def by_sea(self, at: str) -> bool:
        """Return whether an army goes by sea, by DATC 4.A.3 d."""
        return self.is_army(at) and (not self.near(at) or self.moves[at].via or self.own_fleets(at))

    def supporters(self, at: str) -> list[str]:
        """Return the provinces whose units are ordered to support the move of the unit in a province."""
        return [
            place
            for place, order in self.orders.items()
            if isinstance(order, Support)
            and order.destination is not None
            and (order.target.province, province_of(order.destination)) == (at, self.goal(at))
        ]

    def followed(self, at: str) -> list[str]:
        """Return the provinces at which one comes, from one move to the next, ending before any comes twice."""
        chain: list[str] = []
        while at in self.moves and (at := self.goal(at)) not in chain:
            chain.append(at)
        return chain

    # ------------------------------------------------------------------ rewriting

    @cached_property
    def resolution(self) -> Resolution:
        """What the rules make of the orders."""
        return adjudicate_turn(self.turn, self.rules)

    @cached_property
    def resolved(self) -> Moved:
        """The same in provinces."""
        return moved_of(self.resolution)

    def rings(self) -> list[list[str]]:
        """Return the rings of units that move round, each as provinces."""
        return [[unit.province for unit in ring] for ring in self.resolution.rotations]

    def _of(self, units: Iterable[Unit], orders: Mapping[str, Order], board: Board | None = None) -> Sheet:
        units = tuple(units)
        position = replace(self.turn.position, units=units, board=board or self.board)
        given = tuple(Given(unit.power, orders[unit.province]) for unit in units)
        return Sheet(replace(self.turn, position=position, orders=given), self.rules)

    def ordered(self, changed: Mapping[str, Order]) -> Sheet | None:
        """Return the sheet with other orders in some provinces; None when there are none."""
        return self._of(self.units.values(), {**self.orders, **changed}) if changed else None

    def holding(self, provinces: Iterable[str]) -> Sheet | None:
        """Return the sheet with the units in these provinces holding; None when there are none."""
        return self.ordered({at: Hold(standing(self.units[at])) for at in provinces})

    def without(self, provinces: Collection[str]) -> Sheet | None:
        """Return the sheet without the units in these provinces; None when there are none."""
        left = [unit for at, unit in self.units.items() if at not in provinces]
        return self._of(left, self.orders) if provinces else None

    def recoloured(self, powers: Mapping[str, str]) -> Sheet | None:
        """Return the sheet with other owners of the units in some provinces; None when there are none."""
        units = [replace(unit, power=powers.get(at, unit.power)) for at, unit in self.units.items()]
        return self._of(units, self.orders) if powers else None

    def on(self, board: Board) -> Sheet:
        """Return the sheet on another map."""
        return self._of(self.units.values(), self.orders, board)

    def joined(self, sea: str, at: str) -> Sheet:
        """Return the sheet with a further sea between start and goal of an army, and a fleet there that convoys it."""
        goal, board = self.goal(at), self.board
        shores = [place for p in (at, goal) for place in board.locations(UnitKind.FLEET, p)]
        provinces = {**board.provinces, sea: Province(sea, sea, Terrain.SEA)}
        fleet = {**board.fleet, sea: frozenset(shores), **{to: board.fleet[to] | {sea} for to in shores}}
        power = next(p for p in board.powers if p != self.units[at].power)
        new = Unit(power, UnitKind.FLEET, sea)
        order = Convoy(standing(new), standing(self.units[at]), goal)
        larger = replace(board, provinces=provinces, fleet=fleet)
        return self._of((*self.units.values(), new), {**self.orders, sea: order}, larger)

    def aside(self, place: str, at: str, order: Support) -> Sheet:
        """Return the sheet with the unit in a province holding, and its support given by an army in a further place."""
        board = self.board
        provinces = {**board.provinces, place: Province(place, place, Terrain.INLAND)}
        larger = replace(board, provinces=provinces, army={**board.army, place: frozenset({order.zone})})
        new = Unit(self.units[at].power, UnitKind.ARMY, place)
        orders: dict[str, Order] = {at: Hold(standing(self.units[at])), place: replace(order, unit=standing(new))}
        return self._of((*self.units.values(), new), {**self.orders, **orders}, larger)
