"""What must hold of a picture of a map, found from the shipped file alone: no geometry library is asked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from satdip.board import Board, UnitKind
from satdip.drawing.geometry import Geometry, Places, Region, Spot

__all__ = ["CONTACT", "contacts", "problems"]

CONTACT = 10.0
"""Regions whose border is longer than that, in units, touch; shorter ones meet at a corner."""

ID_ROOM = (28.0, 12.0)
"""The least room for a label: three letters of a type of the size 11."""

TOLERANCE = 0.1  # places are rounded


def problems(geometry: Geometry, board: Board, exceptions: Mapping[frozenset[str], str]) -> Iterator[str]:
    """Yield what is wrong with a picture.

    Args:
        geometry: the picture.
        board: its map.
        exceptions: pairs of provinces of which the picture says something else than the board -> the reason.
    """
    yield from _cover(geometry)
    yield from _neighbours(geometry, board, exceptions)
    yield from _completeness(geometry, board)
    for province, places in geometry.places.items():
        yield from _room(geometry, province, places)
    yield from _overlaps(geometry)


def contacts(geometry: Geometry) -> dict[frozenset[str], float]:
    """Return pairs of provinces whose regions touch -> the length of their border, in units."""
    lengths: dict[frozenset[str], float] = {}
    for border in geometry.borders:
        names = frozenset(side.name for side in border.sides if side.kind != "inactive")
        if len(names) == 2:
            length = sum(math.dist(one, other) for one, other in pairwise(geometry.arcs[border.arc]))
            lengths[names] = lengths.get(names, 0.0) + length
    return lengths


def _cover(geometry: Geometry) -> Iterator[str]:
    """Check that each arc has a region on both sides, or one and the frame, and that the regions fill the frame."""
    for border in geometry.borders:
        if len(border.sides) == 1 and not all(_on_frame(geometry, spot) for spot in geometry.arcs[border.arc]):
            yield f"arc {border.arc} has {border.sides[0].name} on one side and nothing on the other"
        elif not 1 <= len(border.sides) <= 2:
            yield f"arc {border.arc} has {len(border.sides)} sides"
    whole = sum(_area(geometry, region) for region in geometry.regions)
    if not math.isclose(whole, geometry.width * geometry.height, rel_tol=1e-6):
        yield f"the regions cover {whole:.0f} of {geometry.width * geometry.height:.0f} square units"


def _neighbours(geometry: Geometry, board: Board, exceptions: Mapping[frozenset[str], str]) -> Iterator[str]:
    lengths = contacts(geometry)
    for one, other in combinations(sorted(board.provinces), 2):
        pair = frozenset({one, other})
        length, adjacent = lengths.get(pair, 0.0), other in board.neighbours[one]
        if (length > CONTACT) != adjacent and pair not in exceptions:
            yield f"{one} and {other} {'are' if adjacent else 'are not'} neighbours; their border is {length:.1f} long"
        elif (length > CONTACT) == adjacent and pair in exceptions:
            yield f"{one} and {other} are no exception"


def _completeness(geometry: Geometry, board: Board) -> Iterator[str]:
    for name in board.provinces.keys() ^ geometry.places.keys():
        yield f"{name} is only on the {'board' if name in board.provinces else 'picture'}"
    for name in board.provinces.keys() & geometry.places.keys():
        places, province = geometry.places[name], board.provinces[name]
        located = {name, *board.locations(UnitKind.ARMY, name), *board.locations(UnitKind.FLEET, name)}
        if located != places.units.keys():
            yield f"{name} has places for units at {sorted(places.units)}, not at {sorted(located)}"
        if province.centre != (places.centre is not None):
            yield f"{name} {'lacks' if province.centre else 'has'} a place for a supply centre"
        if board.is_sea(name) != (_region(geometry, name).kind == "sea"):
            yield f"{name} is drawn as {_region(geometry, name).kind}"


def _room(geometry: Geometry, province: str, places: Places) -> Iterator[str]:
    """Check that the signs of a province lie in its region, with room around them."""
    edge = [geometry.outline(ring) for ring in _region(geometry, province).rings]
    for sign in _signs(geometry, province, places):
        outside = [spot for spot in sign.spots if not _within(spot, edge)]
        if outside or _touches(sign, edge):
            yield f"{sign.name} does not fit into {province}"
    if places.label.width < ID_ROOM[0] or places.label.height < ID_ROOM[1]:
        yield f"the label of {province} has no room for an id"


def _overlaps(geometry: Geometry) -> Iterator[str]:
    signs = [sign for name, places in geometry.places.items() for sign in _signs(geometry, name, places)]
    for one, other in combinations(signs, 2):
        if one.reach + other.reach < math.dist(one.middle, other.middle):
            continue
        if _distance(one, other) < one.radius + other.radius - TOLERANCE:
            yield f"{one.name} and {other.name} overlap"


# ------------------------------------------------------------------ signs


@dataclass(frozen=True)
class _Sign:
    """What takes room: a point with a radius, or a rectangle."""

    name: str
    spots: tuple[Spot, ...]
    radius: float = 0.0

    @property
    def middle(self) -> Spot:
        return sum(x for x, _ in self.spots) / len(self.spots), sum(y for _, y in self.spots) / len(self.spots)

    @property
    def reach(self) -> float:
        return self.radius + math.dist(self.middle, self.spots[0])

    @property
    def edges(self) -> tuple[tuple[Spot, Spot], ...]:
        return tuple(zip(self.spots, self.spots[1:] + self.spots[:1], strict=True))


def _signs(geometry: Geometry, province: str, places: Places) -> list[_Sign]:
    signs = [_Sign(f"the unit at {at}", (spot,), geometry.unit_radius) for at, spot in places.units.items()]
    signs.append(_Sign(f"the dislodged unit of {province}", (places.dislodged,), geometry.unit_radius))
    signs.append(_Sign(f"the label of {province}", places.label.corners))
    if places.centre:
        signs.append(_Sign(f"the supply centre of {province}", (places.centre,), geometry.centre_radius))
    return signs


def _region(geometry: Geometry, province: str) -> Region:
    return next(region for region in geometry.regions if region.name == province and region.kind in {"land", "sea"})


# ------------------------------------------------------------------ plane geometry


def _area(geometry: Geometry, region: Region) -> float:
    """Return the area of a region; holes run the other way round, and count as negative."""
    total = 0.0
    for ring in region.rings:
        spots = geometry.outline(ring)
        total += sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(spots, spots[1:] + spots[:1], strict=True)) / 2
    return total


def _on_frame(geometry: Geometry, spot: Spot) -> bool:
    return spot[0] in {0, geometry.width} or spot[1] in {0, geometry.height}


def _within(spot: Spot, rings: list[tuple[Spot, ...]]) -> bool:
    """Return whether a point is inside, by the even-odd rule."""
    x, y = spot
    crossings = sum(
        (a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
        for ring in rings
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
    )
    return crossings % 2 == 1


def _touches(sign: _Sign, rings: list[tuple[Spot, ...]]) -> bool:
    """Return whether a border comes into the room of a sign."""
    (x, y), reach = sign.middle, sign.reach
    return any(
        _between(mine, (a, b)) < sign.radius - TOLERANCE
        for ring in rings
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
        if min(a[0], b[0]) - reach < x < max(a[0], b[0]) + reach
        and min(a[1], b[1]) - reach < y < max(a[1], b[1]) + reach
        for mine in sign.edges
    )


def _distance(one: _Sign, other: _Sign) -> float:
    """Return the distance between two signs without their radii; 0 where one lies in the other."""
    if _holds(one, other) or _holds(other, one):
        return 0.0
    return min(_between(mine, yours) for mine in one.edges for yours in other.edges)


def _holds(one: _Sign, other: _Sign) -> bool:
    return len(one.spots) > 2 and _within(other.spots[0], [one.spots])


def _between(one: tuple[Spot, Spot], other: tuple[Spot, Spot]) -> float:
    """Return the distance between two segments; either may be a point."""
    if _cross(one, other):
        return 0.0
    ends = ((one[0], other), (one[1], other), (other[0], one), (other[1], one))
    return min(_to_segment(spot, segment) for spot, segment in ends)


def _to_segment(spot: Spot, segment: tuple[Spot, Spot]) -> float:
    (ax, ay), (bx, by) = segment
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((spot[0] - ax) * dx + (spot[1] - ay) * dy) / square)) if square else 0.0
    return math.dist(spot, (ax + t * dx, ay + t * dy))


def _cross(one: tuple[Spot, Spot], other: tuple[Spot, Spot]) -> bool:
    """Return whether two segments cross."""

    def side(segment: tuple[Spot, Spot], spot: Spot) -> float:
        (ax, ay), (bx, by) = segment
        return (bx - ax) * (spot[1] - ay) - (by - ay) * (spot[0] - ax)

    return side(one, other[0]) * side(one, other[1]) < 0 and side(other, one[0]) * side(other, one[1]) < 0
