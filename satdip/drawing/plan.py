"""Where everything in a picture of a phase goes: provinces, and lines that keep out of each other's way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from satdip.board import province_of
from satdip.drawing import lines
from satdip.drawing.layout import gathered, scaled, spread
from satdip.drawing.lines import Line
from satdip.drawing.places import places_of
from satdip.drawing.scene import Scene
from satdip.phase.orders import Move, Retreat

__all__ = ["DISC", "Plan"]

DISC = 35
"""Radius of a province."""
GAP = 132
"""Distance between neighbouring provinces."""
COAST = 11
"""How far from the middle of its province a coast is."""
BULGES = (0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34, 0.46, -0.46)
OPPOSITE = (0.14, 0.22, 0.32, 0.44)
"""Arrows that meet an opposite one bow to their left, both of them."""


class Plan:
    """The places and lines of a scene.

    Args:
        scene: what is drawn.
        places: province -> (x, y); None for those of the map.
    """

    def __init__(self, scene: Scene, places: Mapping[str, tuple[float, float]] | None) -> None:
        self.scene = scene
        given = places_of(scene.board, scene.provinces, places)
        self.centres = spread(gathered(scaled({p: given[p] for p in scene.provinces}, GAP), GAP), GAP)
        self._coasts = {at: lines.direction(given[province_of(at)], point) for at, point in given.items() if "/" in at}
        self.arrows: dict[str, tuple[Line, ...]] = {}
        """Province -> the line of its unit's move, in legs when it goes over sea."""
        self.supports: list[Line] = []
        """The lines of supports, as they are drawn."""
        self._lay_moves()

    def point(self, location: str) -> complex:
        """Return where a unit stands, or where an arrow points to."""
        return self.centres[province_of(location)] + COAST * self._coasts.get(location, 0)

    def _lay_moves(self) -> None:
        """Find the lines of the moves; convoys first, since they have the least choice."""
        scene = self.scene
        moves = {at: told.order for at, told in scene.followed.items() if isinstance(told.order, Move | Retreat)}
        moves = {at: order for at, order in moves.items() if scene.shows(at, order.destination)}
        self.routes = {at: routes for at, o in moves.items() if isinstance(o, Move) and (routes := scene.routes(o))}
        for at, routes in self.routes.items():
            self.arrows[at] = self.over_sea(at, routes[0], moves[at].destination)
        for at, order in moves.items():
            if at not in self.routes:
                back = moves.get(province_of(order.destination))
                meets = back is not None and province_of(back.destination) == at
                self.arrows[at] = (self.line_to(order.unit.location, order.destination, OPPOSITE if meets else BULGES),)

    def over_sea(self, start: str, chain: Iterable[str], end: str) -> tuple[Line, ...]:
        """Return the legs of a voyage, from one fleet to the next."""
        return tuple(self.line_to(one, other) for one, other in pairwise((start, *chain, end)))

    def other_legs(self, at: str, end: str) -> list[Line]:
        """Return the legs of a voyage that are on other routes than the first."""
        first, *others = [list(pairwise((at, *chain, end))) for chain in self.routes[at]]
        legs = dict.fromkeys(leg for route in others for leg in route if leg not in first)
        return [self.line_to(one, other) for one, other in legs]

    def line_to(self, start: str, end: str, bulges: Iterable[float] = BULGES) -> Line:
        """Return a line between two places that keeps clear of the others."""
        ends = {province_of(start), province_of(end)}
        return self.best(self.point(start), self.point(end), ends, DISC + 2, bulges)

    def best(
        self, start: complex, end: complex, ends: Iterable[str], after: float, bulges: Iterable[float] = BULGES
    ) -> Line:
        """Return the curve that is least in the way: of provinces, and of the arrows that are there.

        Args:
            start: the middle of a province.
            end: where it goes.
            ends: the provinces that it may touch.
            after: how far from `end` it stops.
            bulges: how far it may bow.
        """
        middle, near = (start + end) / 2, 0.75 * abs(end - start) + 2 * DISC
        others = [c for p, c in self.centres.items() if p not in set(ends) and abs(c - middle) < near]
        placed = [*self.supports, *(leg for arrow in self.arrows.values() for leg in arrow)]

        def cost(line: Line, bulge: float) -> float:
            covered = sum(max(0, DISC + 5 - lines.distance(line, centre)) for centre in others)
            top = lines.along(line, 0.5)
            crowded = sum(20 for leg in placed if lines.distance(leg, top) < 12)
            return covered + crowded + 30 * abs(bulge)

        curves = [(lines.clipped(lines.bow(start, end, bulge), DISC, after), bulge) for bulge in bulges]
        return min(curves, key=lambda curve: cost(*curve))[0]
