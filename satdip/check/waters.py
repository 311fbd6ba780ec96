"""The seas of a position: which convoys its fleets could make, whatever they are ordered (DATC 4.E.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from satdip.board import Board

__all__ = ["Waters"]


class Waters:
    """The fleets at sea as a graph of possible convoy routes.

    Args:
        board: the map.
        fleets: the sea provinces that hold a fleet.
    """

    def __init__(self, board: Board, fleets: Iterable[str]) -> None:
        self._touches = {sea: board.sea_neighbours[sea] for sea in fleets}
        self._spreads: dict[tuple[str, str | None], _Spread] = {}

    @cached_property
    def _fleets_at(self) -> Mapping[str, Sequence[str]]:
        """Coastal province or sea -> the fleets next to it."""
        found: dict[str, list[str]] = {}
        for sea, near in self._touches.items():
            for place in near:
                found.setdefault(place, []).append(sea)
        return found

    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Tell whether some chain of fleets joins two coastal provinces.

        Args:
            start: province of the army.
            end: province that it is to reach.
            without: a sea whose fleet may not take part (DATC 6.D.31).
        """
        return bool(self._touches) and self._shortest(start, end, without) is not None

    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Tell whether the fleet in `sea` is on a route from which no fleet can be left out (DATC 6.F.12, 6.G.19)."""
        shortest = self._shortest(start, end)
        if shortest is None:
            return False
        steps = [self._spread(shore).up_to(shortest).get(sea) for shore in (start, end)]
        if None not in steps and sum(filter(None, steps)) == shortest + 1:
            return True  # no fleet can be left out of a shortest route
        return any(sea in route for route in self.routes(start, end))

    def _shortest(self, start: str, end: str, without: str | None = None) -> int | None:
        """Return how many fleets the shortest chain from shore to shore has, None where there is none."""
        goals = frozenset(self._fleets_at.get(end, ())) - {without}
        return self._spread(start, without).distance(goals) if goals else None

    def _spread(self, shore: str, without: str | None = None) -> _Spread:
        key = (shore, without)
        if key not in self._spreads:
            first = [sea for sea in self._fleets_at.get(shore, ()) if sea != without]
            self._spreads[key] = _Spread(self._touches, first, without)
        return self._spreads[key]

    def routes(self, start: str, end: str) -> Iterator[tuple[str, ...]]:
        """Every route from which no fleet can be left out: chains without a shortcut."""
        goal = self._spread(end).everything()

        def extend(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            last = chain[-1]
            if end in self._touches[last]:
                yield chain
                return
            for sea in self._touches[last]:
                if sea in goal and start not in self._touches[sea]:
                    shortcut = any(sea == other or sea in self._touches[other] for other in chain[:-1])
                    if not shortcut:
                        yield from extend((*chain, sea))

        for sea, near in self._touches.items():
            if start in near and sea in goal:
                yield from extend((sea,))


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

    def everything(self) -> Mapping[str, int]:
        """Return the same of all seas that can be reached."""
        while self._layer:
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
