"""The seas of a position: which convoys its fleets could make, whatever they are ordered (DATC 4.E.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from satdip.board import Board
from satdip.board.chordless import chain_through, narrowed, on_chains
from satdip.board.seas import Seas

__all__ = ["Waters"]


class Waters(Seas):
    """The fleets at sea as a graph of possible convoy routes.

    Args:
        board: the map.
        fleets: the sea provinces that hold a fleet.
    """

    def __init__(self, board: Board, fleets: Iterable[str]) -> None:
        touching = board.sea_neighbours
        self._touches: dict[str, frozenset[str]] = {sea: touching[sea] for sea in fleets}
        self._seas_beside: Mapping[str, frozenset[str]] = board.seas_beside
        # What has been found out when somebody asked.
        self._beside: dict[str, set[str]] = {}
        self._routes: dict[tuple[str, str, str | None], bool] = {}
        self._spreads: dict[tuple[str, str | None], _Spread] = {}
        self._passages: dict[tuple[str, str], _Passage] = {}

    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Return whether some chain of fleets joins two coastal provinces (arguments as of `Seas`)."""
        key = (start, end, without)
        known = self._routes.get(key)
        if known is None:
            known = self._routes[key] = self._joined(start, end, without)
        return known

    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Return whether the fleet in `sea` is on a route that needs each of its fleets (arguments as of `Seas`)."""
        near = self._touches.get(sea)
        if near is None:
            return False
        if start in near and end in near:
            return True
        passage = self._passages.get((start, end))
        if passage is None:
            passage = self._passages[start, end] = _Passage(self._touches, start, end, self._on_shortest(start, end))
        return sea in passage.useful or passage.finds_use(sea)

    def routes(self, start: str, end: str) -> Iterator[tuple[str, ...]]:
        """Every route from which no fleet can be left out: chains without a shortcut."""
        touches, allowed = self._touches, on_chains(self._touches, start, end)
        walk = [[sea] for sea, near in touches.items() if start in near and sea in allowed]
        walk.reverse()
        while walk:
            chain = walk.pop()
            if end in touches[chain[-1]]:
                yield tuple(chain)
                continue
            ahead = [sea for sea in touches[chain[-1]] if sea in allowed and start not in touches[sea]]
            walk += [[*chain, sea] for sea in reversed(ahead) if not self._is_shortcut(sea, chain)]

    def _is_shortcut(self, sea: str, chain: Sequence[str]) -> bool:
        """Return whether a fleet is part of a chain already, or next to another than the last."""
        near = self._touches[sea]
        return any(sea == other or other in near for other in chain[:-1])

    def _joined(self, start: str, end: str, without: str | None) -> bool:
        """Find out whether there is a route: one fleet beside both shores, or a chain."""
        first, last = self._fleets_beside(start), self._fleets_beside(end)
        goals = last if without is None else last - {without}
        if not goals or not goals.isdisjoint(first):
            return bool(goals)
        return self._spread(start, without).distance(goals) is not None

    def _fleets_beside(self, place: str) -> set[str]:
        """Return the seas with a fleet that touch a place."""
        fleets = self._beside.get(place)
        if fleets is None:
            fleets = self._beside[place] = {sea for sea in self._seas_beside.get(place, ()) if sea in self._touches}
        return fleets

    def _on_shortest(self, start: str, end: str) -> set[str]:
        """Return the fleets on the shortest chains from shore to shore."""
        goals = self._fleets_beside(end)
        shortest = self._spread(start).distance(goals)
        if shortest is None:
            return set()
        steps = self._spread(start).up_to(shortest)
        layer = {sea for sea in goals if steps.get(sea) == shortest}
        found = set(layer)
        for depth in range(shortest - 1, 0, -1):
            layer = {other for sea in layer for other in self._touches[sea] if steps.get(other) == depth}
            found |= layer
        return found

    def _spread(self, shore: str, without: str | None = None) -> _Spread:
        key = (shore, without)
        if key not in self._spreads:
            first = [sea for sea in self._fleets_beside(shore) if sea != without]
            self._spreads[key] = _Spread(self._touches, first, without)
        return self._spreads[key]


class _Passage:
    """The fleets that are of use to an army on its way from shore to shore, found when somebody asks.

    Args:
        touches: sea with a fleet -> the seas and coasts next to it.
        start: province of the army.
        end: province that it is to reach.
        shortest: the fleets on the shortest chains; none can be left out of these.
    """

    def __init__(self, touches: Mapping[str, frozenset[str]], start: str, end: str, shortest: set[str]) -> None:
        self._touches, self._start, self._end = touches, start, end
        self.useful = shortest
        self._useless: set[str] = set()
        self._narrow: tuple[Mapping[str, frozenset[str]], str, str] | None = None

    def _narrowed(self) -> tuple[Mapping[str, frozenset[str]], str, str]:
        if self._narrow is None:
            found, touches, start, end = narrowed(self._touches, self._start, self._end)
            self.useful |= found
            self._narrow = touches, start, end
        return self._narrow

    def finds_use(self, sea: str) -> bool:
        """Look for a chain over a fleet; every fleet of a chain that was found is of use."""
        if not self.useful or sea in self._useless:
            return False
        touches, start, end = self._narrowed()
        if sea in self.useful:
            return True
        chain = chain_through(touches, sea, start, end) if sea in touches else None
        if chain is None:
            self._useless.add(sea)
            return False
        self.useful.update(chain)
        return True


class _Spread:
    """What chains of fleets reach from a shore, found layer by layer and no further than anybody asks.

    Args:
        touches: sea with a fleet -> the seas and coasts next to it.
        first: the fleets next to the shore.
        without: a sea whose fleet may not take part.
    """

    def __init__(self, touches: Mapping[str, frozenset[str]], first: Sequence[str], without: str | None) -> None:
        self._touches, self._without = touches, without
        self._steps = dict.fromkeys(first, 1)
        self._layer: Sequence[str] = first
        self._depth = 1

    def up_to(self, depth: int) -> Mapping[str, int]:
        """Return sea -> length of the shortest chain of fleets to it, itself counted, at least of those this near."""
        while self._layer and self._depth < depth:
            self._go_on()
        return self._steps

    def distance(self, goals: Collection[str]) -> int | None:
        """Return the length of the shortest chain to one of some seas, None where there is none."""
        known = [self._steps[sea] for sea in goals if sea in self._steps]
        while not known and self._layer:
            self._go_on()
            known = [self._depth for sea in goals if sea in self._steps]
        return min(known, default=None)

    def _go_on(self) -> None:
        self._depth += 1
        further = []
        for sea in self._layer:
            for other in self._touches[sea]:
                if other in self._touches and other not in self._steps and other != self._without:
                    self._steps[other] = self._depth
                    further.append(other)
        self._layer = further
