"""The picture of a map: regions with shared borders, and places for what stands in them.

A shipped map may have a file ``maps/MAP.geometry.json`` beside it: TopoJSON on a plane, x to the east and y to the
south (docs/geometry.md). Here it becomes plain values; nothing is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate
from typing import Any

from satdip.base.shipped import read

__all__ = ["Border", "Geometry", "Label", "Places", "Region", "Ring", "Spot", "geometry_of", "read_geometry"]

Spot = tuple[float, float]
"""A point of the picture, in units."""

Ring = tuple[int, ...]
"""A closed line as arcs, one after the other; ``~arc`` is the arc from its end to its start."""


@dataclass(frozen=True)
class Region:
    """An area of the picture.

    Args:
        name: the id of a province; of a place that cannot be entered, its name.
        kind: "land", "sea", "strait" (water that belongs to a province on land) or "inactive" (cannot be entered).
        rings: the outlines of its pieces, clockwise as one sees them, and of the holes in them, the other way round.
    """

    name: str
    kind: str
    rings: tuple[Ring, ...]

    @property
    def arcs(self) -> Iterator[int]:
        """The arcs of its outlines, whichever way they run."""
        return (arc if arc >= 0 else ~arc for ring in self.rings for arc in ring)


@dataclass(frozen=True)
class Label:
    """Room for the name of a region: a rectangle about a point, turned clockwise.

    Args:
        at: its middle.
        width, height: in units.
        angle: in degrees.
        type_size: the size of the type with which the name of each shipped language fits in, on one line or two.
    """

    at: Spot
    width: float
    height: float
    angle: float
    type_size: float

    @property
    def corners(self) -> tuple[Spot, Spot, Spot, Spot]:
        """Its corners, clockwise from the one where the name begins."""
        turn = complex(0, 1) ** (self.angle / 90)
        half = complex(self.width, self.height) / 2
        spots = [complex(*self.at) + turn * corner for corner in (-half, half.conjugate(), half, -half.conjugate())]
        one, two, three, four = ((spot.real, spot.imag) for spot in spots)
        return one, two, three, four


@dataclass(frozen=True)
class Places:
    """Where things stand in a province.

    Args:
        units: location -> where a unit there stands: the province, and each of its coasts.
        dislodged: where a dislodged unit stands, beside the one that takes its place.
        label: room for the name or the id.
        centre: where the supply centre is marked, if it is one.
    """

    units: Mapping[str, Spot]
    dislodged: Spot
    label: Label
    centre: Spot | None


@dataclass(frozen=True)
class Border:
    """An arc and what lies on its sides: two regions, or one and the frame."""

    arc: int
    sides: tuple[Region, ...]

    @property
    def kind(self) -> str:
        """What is divided: "coast" (land and water), "land", "sea", or "frame"."""
        if len(self.sides) == 1:
            return "frame"
        wet = [side.kind in {"sea", "strait"} for side in self.sides]
        if wet[0] != wet[1]:
            return "coast"
        return "sea" if all(wet) else "land"


@dataclass(frozen=True)
class Geometry:
    """The picture of a map.

    Args:
        name: of the map.
        width, height: of the frame, in units; its upper left corner is (0, 0).
        unit_radius: around the place of a unit there is that much room.
        centre_radius: the same for supply centres.
        arcs: pieces of the borders, each from one corner, where regions meet, to the next.
        regions: they cover the frame, and share arcs where they touch.
        places: province -> where things stand in it.
    """

    name: str
    width: float
    height: float
    unit_radius: float
    centre_radius: float
    arcs: tuple[tuple[Spot, ...], ...]
    regions: tuple[Region, ...]
    places: Mapping[str, Places]

    @cached_property
    def borders(self) -> tuple[Border, ...]:
        """Every arc with its sides, in the order of the arcs."""
        sides: list[list[Region]] = [[] for _ in self.arcs]
        for region in self.regions:
            for arc in region.arcs:
                sides[arc].append(region)
        return tuple(Border(arc, tuple(regions)) for arc, regions in enumerate(sides))

    def outline(self, ring: Ring) -> tuple[Spot, ...]:
        """Return the points of a ring; the first is not repeated."""
        points: list[Spot] = []
        for arc in ring:
            points += self.arcs[arc][:-1] if arc >= 0 else self.arcs[~arc][:0:-1]
        return tuple(points)


@cache
def geometry_of(name: str) -> Geometry | None:
    """Return the picture of a shipped map, or None if it has none.

    Args:
        name: of the map, as `satdip.board.mapfile.map_names` lists it.
    """
    try:
        text = read(f"maps/{name}.geometry.json")
    except OSError:
        return None
    return read_geometry(json.loads(text))


def read_geometry(topology: Mapping[str, Any]) -> Geometry:
    """Return the picture that a geometry file describes.

    Args:
        topology: the decoded file. Geometry files are shipped, not received: they are not checked here.
    """
    objects, (scale_x, scale_y) = topology["objects"], topology["transform"]["scale"]
    arcs = tuple(
        tuple(zip(_line(steps, 0, scale_x), _line(steps, 1, scale_y), strict=True)) for steps in topology["arcs"]
    )
    shapes = [shape for kind in ("provinces", "straits", "inactive") for shape in objects[kind]["geometries"]]
    _, _, width, height = topology["bbox"]
    return Geometry(
        topology["map"],
        width,
        height,
        topology["room"]["unit"],
        topology["room"]["centre"],
        arcs,
        tuple(Region(shape["id"], shape["properties"]["kind"], _rings(shape)) for shape in shapes),
        {shape["id"]: _places(shape["properties"]) for shape in objects["provinces"]["geometries"]},
    )


def _line(steps: Sequence[Sequence[int]], axis: int, scale: float) -> Iterator[float]:
    """Yield one coordinate of the points of an arc, which are written as steps from point to point."""
    return (scale * at for at in accumulate(step[axis] for step in steps))


def _rings(shape: Mapping[str, Any]) -> tuple[Ring, ...]:
    polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
    return tuple(tuple(ring) for polygon in polygons for ring in polygon)


def _places(properties: Mapping[str, Any]) -> Places:
    label = properties["label"]
    return Places(
        {location: (x, y) for location, (x, y) in properties["units"].items()},
        tuple(properties["dislodged"]),
        Label(tuple(label["at"]), label["width"], label["height"], label["angle"], label["type"]),
        tuple(properties["centre"]) if "centre" in properties else None,
    )
