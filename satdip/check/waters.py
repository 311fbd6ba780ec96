"""The seas of a position: which convoys its fleets could make, whatever they are ordered (DATC 4.E.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
        self._distances: dict[tuple[str, str | None], dict[str, int]] = {}

    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Tell whether some chain of fleets joins two coastal provinces.

        Args:
            start: province of the army.
            end: province that it is to reach.
            without: a sea whose fleet may not take part (DATC 6.D.31).
        """
        if not self._touches:
            return False
        reached = self._steps_from(start, without)
        return any(end in self._touches[sea] for sea in reached)

    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Tell whether the fleet in `sea` is on a route from which no fleet can be left out (DATC 6.F.12, 6.G.19)."""
        ahead, behind = self._steps_from(start, None), self._steps_from(end, None)
        if sea not in ahead or sea not in behind:
            return False
        shortest = min(ahead[other] + behind[other] for other in ahead.keys() & behind.keys())
        if ahead[sea] + behind[sea] == shortest:
            return True  # no fleet can be left out of a shortest route
        return any(sea in route for route in self.routes(start, end))

    def _steps_from(self, shore: str, without: str | None) -> dict[str, int]:
        """Sea -> length of the shortest chain of fleets from a shore to it, itself counted."""
        key = (shore, without)
        if key not in self._distances:
            frontier = [sea for sea, near in self._touches.items() if shore in near and sea != without]
            steps = dict.fromkeys(frontier, 1)
            for sea in frontier:  # grows while it is walked: breadth first
                for other in self._touches[sea]:
                    if other in self._touches and other not in steps and other != without:
                        steps[other] = steps[sea] + 1
                        frontier.append(other)
            self._distances[key] = steps
        return self._distances[key]

    def routes(self, start: str, end: str) -> Iterator[tuple[str, ...]]:
        """Every route from which no fleet can be left out: chains without a shortcut."""
        goal = self._steps_from(end, None)

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
