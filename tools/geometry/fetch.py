"""The land of Natural Earth, as the npm package ``world-atlas`` ships it (public domain)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import shapely
from shapely import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

__all__ = ["PACKAGE", "fetch", "land"]

PACKAGE = "world-atlas@2.0.2"

_Line = list[tuple[float, float]]


def fetch(folder: Path) -> dict[str, Any]:
    """Return the TopoJSON of the land at 1 : 10 million; npm puts the package into a folder, unless it is there.

    Raises:
        OSError: npm is not there.
        subprocess.CalledProcessError: npm could not fetch it.
    """
    file = folder / "node_modules/world-atlas/land-10m.json"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-save", "--no-audit", "--prefix", str(folder), PACKAGE]
        subprocess.run(command, check=True)
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def land(topology: dict[str, Any], west: float, south: float, east: float, north: float) -> BaseGeometry:
    """Return the land within a box of longitudes and latitudes."""
    window = box(west, south, east, north)
    arcs = [_decoded(steps, topology["transform"]) for steps in topology["arcs"]]
    shapes = (shape for geometry in topology["objects"]["land"]["geometries"] for shape in _polygons(geometry, arcs))
    cut = [shapely.make_valid(shape) & window for shape in shapes if shape.intersects(window)]
    return MultiPolygon([part for part in _parts(cut) if isinstance(part, Polygon)])


def _parts(geometries: Iterable[BaseGeometry]) -> Iterator[BaseGeometry]:
    """Yield the single geometries of which others are made, at any depth."""
    for geometry in geometries:
        inner = shapely.get_parts(geometry)
        yield from inner if len(inner) == 1 and inner[0].geom_type == geometry.geom_type else _parts(inner)


def _decoded(steps: Sequence[Sequence[int]], transform: dict[str, Any]) -> _Line:
    (kx, ky), (x0, y0) = transform["scale"], transform["translate"]
    longitudes = accumulate(step[0] for step in steps)
    latitudes = accumulate(step[1] for step in steps)
    return [(x0 + kx * x, y0 + ky * y) for x, y in zip(longitudes, latitudes, strict=True)]


def _polygons(geometry: dict[str, Any], arcs: Sequence[_Line]) -> list[Polygon]:
    polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
    shapes = ([_ring(ring, arcs) for ring in rings] for rings in polygons)
    return [Polygon(outer, [hole for hole in holes if len(hole) > 3]) for outer, *holes in shapes if len(outer) > 3]


def _ring(ring: Sequence[int], arcs: Sequence[_Line]) -> _Line:
    points: _Line = []
    for arc in ring:
        line = arcs[arc] if arc >= 0 else arcs[~arc][::-1]
        points += line[1:] if points else line
    return _unwrapped(points)


def _unwrapped(points: _Line) -> _Line:
    """Return a ring that runs on where it crosses the date line, and has its middle between -180 and 180 degrees."""
    turn, before, ring = 0, points[0][0], []
    for longitude, latitude in points:
        turn += round((before - longitude) / 360)
        before = longitude
        ring.append((longitude + 360 * turn, latitude))
    middle = (min(ring)[0] + max(ring)[0]) / 2
    whole = 360 * round(middle / 360)
    return [(longitude - whole, latitude) for longitude, latitude in ring]
