"""What the units of a position could be ordered: every legal order, found fast enough to draw from it.

The same orders as `satdip.check.legal_orders.legal_orders` finds by trying everything; the tests compare the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from satdip.board import Board, UnitKind, province_of
from satdip.board.waters import Waters
from satdip.phase.orders import Convoy, Hold, Move, Order, Support, UnitRef
from satdip.phase.position import Unit

__all__ = ["Options"]


class Options:
    """The legal orders of a position under the rules that the DATC prefers.

    Args:
        board: the map.
        units: province -> the unit there.
    """

    def __init__(self, board: Board, units: Mapping[str, Unit]) -> None:
        self.board, self.units = board, units
        self._fleets = sorted(at for at, u in units.items() if u.kind == UnitKind.FLEET and board.is_sea(at))
        self._waters = Waters(board, self._fleets)

    @cached_property
    def _parts(self) -> Mapping[str, frozenset[str]]:
        """Sea with a fleet -> the shores to which that fleet and those joined to it come."""
        shores: dict[str, frozenset[str]] = {}
        touches, at_sea = self.board.sea_neighbours, frozenset(self._fleets)
        for sea in self._fleets:
            if sea in shores:
                continue
            part, frontier = {sea}, [sea]
            while frontier:
                further = (touches[frontier.pop()] & at_sea) - part
                part |= further
                frontier += sorted(further)
            reached = {at for fleet in part for at in touches[fleet] if self.board.is_coast(at)}
            shores.update(dict.fromkeys(part, frozenset(reached)))
        return shores

    def landings(self, province: str) -> list[str]:
        """Return the provinces to which the fleets on the board could carry an army."""
        if not self.board.is_coast(province):
            return []
        found = {at for shores in set(self._parts.values()) if province in shores for at in shores}
        return sorted(at for at in found if at != province and at in self.board.army)

    def orders(self, unit: Unit) -> list[Order]:
        """Return every legal order of a unit, each once."""
        ref = UnitRef(unit.location, unit.kind)
        return [Hold(ref), *self.moves(unit, ref), *self.supports(unit, ref), *self.convoys(unit, ref)]

    def moves(self, unit: Unit, ref: UnitRef) -> Iterator[Move]:
        """Yield the moves of a unit; those by sea with "via convoy"."""
        for goal in sorted(self.board.reach(unit.kind, unit.location)):
            yield Move(ref, goal)
        if unit.kind == UnitKind.ARMY:
            for goal in self.landings(unit.province):
                yield Move(ref, goal, via=True)

    def supports(self, unit: Unit, ref: UnitRef) -> Iterator[Support]:
        """Yield the supports of a unit: in place, and of every move, with and without a coast."""
        zones = self.board.reach_provinces(unit.kind, unit.location)
        for other, (target, by_land, by_sea) in self._ways.items():
            if other == unit.province:
                continue
            if other in zones:
                yield Support(ref, target)
            for goal, zone in by_land:
                if zone in zones:
                    yield Support(ref, target, goal)
            for goal in by_sea:
                if goal in zones and self._sails_without(unit, other, goal):
                    yield Support(ref, target, goal)

    def _sails_without(self, unit: Unit, army: str, goal: str) -> bool:
        """Return whether an army has a route on which a fleet, which supports it, is not needed (DATC 6.D.31)."""
        return unit.province not in self._parts or self._waters.has_route(army, goal, unit.province)

    @cached_property
    def _ways(self) -> Mapping[str, tuple[UnitRef, list[tuple[str, str]], list[str]]]:
        """Province of a unit -> its reference; (goal, province of it) of its moves by land; its goals by sea alone."""
        ways = {}
        for at, unit in self.units.items():
            reach = self.board.reach(unit.kind, unit.location)
            goals, by_sea = set(reach), set[str]()
            if unit.kind == UnitKind.ARMY:
                by_sea = set(self.landings(at)) - reach
            else:  # where it can reach several coasts a support need not name one
                coasts = Counter(map(province_of, reach))
                goals |= {province for province, number in coasts.items() if number > 1}
            by_land = [(goal, province_of(goal)) for goal in sorted(goals)]
            ways[at] = UnitRef(unit.location, unit.kind), by_land, sorted(by_sea)
        return ways

    def convoys(self, unit: Unit, ref: UnitRef) -> Iterator[Convoy]:
        """Yield the convoys of a fleet at sea."""
        shores = self._parts.get(unit.province, frozenset())
        for start in sorted(shores):
            army = self.units.get(start)
            if army is None or army.kind != UnitKind.ARMY:
                continue
            for goal in sorted(shores - {start}):
                if goal in self.board.army and self._waters.is_useful(unit.province, start, goal):
                    yield Convoy(ref, UnitRef(army.location, army.kind), goal)
