"""A place for each sign in a region: its name, units, the dislodged unit, the supply centre.

The wishes of ``places.toml`` and common sense are costs (in units of distance); among the places that have room, a
small search takes the cheapest. All signs of a region lie in it and keep apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from tools.geometry.lettering import LEADING, splits, width
from tools.geometry.project import Points

__all__ = ["CENTRE", "ID_TYPE", "UNIT", "Box", "NoRoomError", "Places", "Spot", "Wishes", "place"]

UNIT = 11.0  # radius of the room for a unit, in units of the picture
CENTRE = 4.5  # radius of the room for a supply centre
GAP = 1.0  # between two signs, and between a sign and a border
ID_TYPE = 11.0  # size of the type of an id; names are written smaller where they must
SIZES = (16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0)  # of the type of a name
TILTS = (0.0, -15.0, 15.0, -30.0, 30.0, -45.0, 45.0, -60.0, 60.0, -75.0, 75.0)
BESIDE = (17.0, -17.0)  # from a unit to the one that was dislodged, where there is a choice
TRIES = 300  # pairs of a name and a unit for which the other signs are looked for

Spot = tuple[float, float]


class NoRoomError(ValueError):
    """A region is too small for its signs."""


@dataclass(frozen=True)
class Box:
    """Room for a name: a rectangle turned about its middle, clockwise, in degrees."""

    at: Spot
    width: float
    height: float
    angle: float


@dataclass(frozen=True)
class Wishes:
    """What a region has to hold, and where.

    Args:
        names: of the region, in several languages: the room for the name fits each.
        largest: the size of the type of the name at most.
        unit: where the unit would best stand; by default in the middle.
        label: where the middle of the name would best be.
        centre: the city, if the province is a supply centre.
        coasts: location -> where a fleet would best stand, for a province of several coasts.
    """

    names: Sequence[str]
    largest: float
    unit: Point | None = None
    label: Point | None = None
    centre: Point | None = None
    coasts: Mapping[str, Point] = field(default_factory=dict)


@dataclass(frozen=True)
class Places:
    """Where the signs of a region stand: points on the picture."""

    unit: Spot
    dislodged: Spot
    label: Box
    type_size: float
    centre: Spot | None
    coasts: dict[str, Spot]


@dataclass(frozen=True)
class _Sign:
    shape: BaseGeometry
    room: float  # around the shape


def place(area: BaseGeometry, wishes: Wishes) -> Places:
    """Return the places in a region.

    Raises:
        NoRoomError: they do not fit.
    """
    search = _Search(area, wishes)
    best: tuple[float, Places] | None = None
    for cost, size, tilt in sorted(_types(wishes.largest)):
        if best and cost - search.bonus > best[0]:
            break
        found = search.with_type(size, tilt)
        if found and (best is None or cost + found[0] < best[0]):
            best = cost + found[0], found[1]
    if best is None:
        raise NoRoomError
    return best[1]


def _types(largest: float) -> list[tuple[float, float, float]]:
    """Return sizes and tilts of the type, each with its cost."""
    tilts = [(12 + abs(tilt) / 4 if tilt else 0.0, tilt) for tilt in TILTS]
    return [(6 * (largest - size) + extra, size, tilt) for size in SIZES if size <= largest for extra, tilt in tilts]


class _Search:
    """The search in one region."""

    def __init__(self, area: BaseGeometry, wishes: Wishes) -> None:
        self._wishes = wishes
        main: Polygon = max(shapely.get_parts(area), key=lambda part: part.area)
        self._middle = shapely.centroid(main)
        self._step = max(2.0, math.sqrt(main.area) / 35)
        self._inner = area.buffer(-GAP)
        shapely.prepare(self._inner)
        self._grid = _grid(main, 1.5 * self._step)
        self._units = _clear(_grid(main, self._step), area, UNIT)
        self._centres = _clear(_grid(area, self._step), area, CENTRE) if wishes.centre else self._units
        at = shapely.points(self._units)
        roomy = np.minimum(shapely.distance(at, area.boundary), 25)
        self._unit_cost = shapely.distance(at, wishes.unit or self._middle) - 0.5 * roomy
        self.bonus = 12.5  # what a roomy place may take from the cost

    def with_type(self, size: float, tilt: float) -> tuple[float, Places] | None:
        """Return the cheapest places with a name of a size and a tilt, and their cost."""
        boxes, shapes = self._boxes(*_room(self._wishes.names, size), tilt)
        if not boxes or not len(self._units):
            return None
        units = np.array([Point(unit) for unit in self._units])
        apart = shapely.distance(np.array(shapes)[:, None], units[None, :])
        wish = self._wishes.label
        label_at = shapely.points([box.at for box in boxes])
        label_cost = shapely.distance(label_at, wish or self._middle) * (1.5 if wish else 0.3)
        cost = self._unit_cost[None, :] + label_cost[:, None] + 0.3 * apart
        cost[apart < UNIT + GAP] = np.inf
        for index in np.argsort(cost, axis=None)[:TRIES]:
            i, j = divmod(int(index), cost.shape[1])
            if not math.isfinite(cost[i, j]):
                return None
            unit = (float(self._units[j, 0]), float(self._units[j, 1]))
            if rest := self._rest(shapes[i], unit):
                extra, dislodged, centre, coasts = rest
                return float(cost[i, j]) + extra, Places(unit, dislodged, boxes[i], size, centre, coasts)
        return None

    def _boxes(self, wide: float, high: float, tilt: float) -> tuple[list[Box], list[Polygon]]:
        """Return boxes that lie in the region, and their areas."""
        turn = math.radians(tilt)
        corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
        corners = corners @ np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])
        centres = self._grid[shapely.contains_xy(self._inner, self._grid)]
        shapes = shapely.polygons(centres[:, None, :] + corners[None, :, :])
        inside = shapely.contains(self._inner, shapes)
        boxes = [Box((float(x), float(y)), wide, high, tilt) for x, y in centres[inside]]
        return boxes, list(shapes[inside])

    def _rest(self, label: Polygon, unit: Spot) -> tuple[float, Spot, Spot | None, dict[str, Spot]] | None:
        """Return the other places when name and unit have theirs, after their cost."""
        signs = [_Sign(label, 0), _Sign(Point(unit), UNIT)]
        cost, coasts = 0.0, {}
        for location, wish in self._wishes.coasts.items():
            at = _nearest(self._units, wish, signs, UNIT)
            if at is None:
                return None
            cost += math.dist(at, (wish.x, wish.y))
            coasts[location] = at
            signs.append(_Sign(Point(at), UNIT))
        beside = Point(unit[0] + BESIDE[0], unit[1] + BESIDE[1])
        dislodged = _nearest(self._units, beside, signs, UNIT)
        if dislodged is None:
            return None
        cost += 0.5 * math.dist(dislodged, (beside.x, beside.y))
        signs.append(_Sign(Point(dislodged), UNIT))
        if not (city := self._wishes.centre):
            return cost, dislodged, None, coasts
        centre = _nearest(self._centres, city, signs, CENTRE)
        if centre is None:
            return None
        return cost + 0.5 * math.dist(centre, (city.x, city.y)), dislodged, centre, coasts


def _nearest(points: Points, wish: Point, signs: Sequence[_Sign], radius: float) -> Spot | None:
    """Return the point nearest to a wish that keeps clear of the signs."""
    order = np.argsort(np.hypot(points[:, 0] - wish.x, points[:, 1] - wish.y))
    for index in order:
        at = Point(points[index])
        if all(at.distance(sign.shape) >= radius + sign.room + GAP for sign in signs):
            return at.x, at.y
    return None


def _room(names: Sequence[str], size: float) -> tuple[float, float]:
    """Return width and height of the smallest room that holds each name, on one line or two, and the id."""
    rooms = []
    for lines in (1, 2):
        widths = [min(max(map(width, split)) for split in splits(name) if len(split) <= lines) for name in names]
        rooms.append((max(size * max(widths), 2.6 * ID_TYPE), max(lines * LEADING * size, 1.1 * ID_TYPE)))
    return min(rooms, key=lambda room: room[0] + 2 * room[1])


def _grid(area: BaseGeometry, step: float) -> Points:
    west, north, east, south = area.bounds
    x, y = np.meshgrid(np.arange(west, east, step), np.arange(north, south, step))
    return np.column_stack([x.ravel(), y.ravel()])


def _clear(points: Points, area: BaseGeometry, radius: float) -> Points:
    """Return the points around which there is room in the area."""
    inner = area.buffer(-radius - GAP)
    shapely.prepare(inner)
    return points[shapely.contains_xy(inner, points)]
