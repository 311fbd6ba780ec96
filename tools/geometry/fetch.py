"""Natural Earth's land and countries, as the npm package ``world-atlas`` ships them (public domain)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shapely import LineString, MultiPolygon, Polygon, box, make_valid
from shapely.geometry.base import BaseGeometry

__all__ = ["PACKAGE", "Atlas", "fetch"]

PACKAGE = "world-atlas@2.0.2"


def fetch(folder: Path) -> Atlas:
    """Return the atlas; npm puts the package into a folder, unless it is there.

    Raises:
        OSError: npm is not there.
        subprocess.CalledProcessError: npm could not fetch it.
    """
    file = folder / "node_modules/world-atlas/countries-10m.json"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-save", "--no-audit", "--prefix", str(folder), PACKAGE]
        subprocess.run(command, check=True)
    return Atlas(json.loads(file.read_text(encoding="utf-8")))


class Atlas:
    """A TopoJSON file of countries, longitudes and latitudes in degrees."""

    def __init__(self, topology: dict[str, Any]) -> None:
        (kx, ky), (x0, y0) = topology["transform"]["scale"], topology["transform"]["translate"]
        self._arcs: list[list[tuple[float, float]]] = []
        for arc in topology["arcs"]:
            x = y = 0
            points = []
            for dx, dy in arc:
                x, y = x + dx, y + dy
                points.append((x0 + kx * x, y0 + ky * y))
            self._arcs.append(points)
        self._countries = {g["properties"]["name"]: g for g in topology["objects"]["countries"]["geometries"]}
        self._land = topology["objects"]["land"]["geometries"]

    def land(self, west: float, south: float, east: float, north: float) -> BaseGeometry:
        """Return the land within a box of longitudes and latitudes."""
        window = box(west, south, east, north)
        parts = [p for geometry in self._land for p in self._polygons(geometry) if p.intersects(window)]
        return MultiPolygon([p for part in parts for p in _polygons_of(make_valid(part).intersection(window))])

    def border(self, one: str, other: str) -> list[LineString]:
        """Return the arcs that two countries share.

        Raises:
            KeyError: there is no such country.
        """
        arcs = [{a if a >= 0 else ~a for a in _flat(self._countries[name]["arcs"])} for name in (one, other)]
        return [LineString(self._arcs[a]) for a in sorted(arcs[0] & arcs[1])]

    def country(self, name: str) -> BaseGeometry:
        """Return the area of a country.

        Raises:
            KeyError: there is no such country.
        """
        return MultiPolygon(self._polygons(self._countries[name]))

    def _polygons(self, geometry: dict[str, Any]) -> list[Polygon]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        shapes = ([self._ring(ring) for ring in rings] for rings in polygons)
        return [Polygon(outer, [hole for hole in holes if len(hole) > 3]) for outer, *holes in shapes if len(outer) > 3]

    def _ring(self, arcs: Sequence[int]) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for arc in arcs:
            line = self._arcs[arc] if arc >= 0 else self._arcs[~arc][::-1]
            points += line[1:] if points else line
        return _unwrapped(points)


def _unwrapped(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a ring that runs on beyond 180 degrees where it crosses the date line."""
    turn, before, ring = 0, points[0][0], []
    for longitude, latitude in points:
        turn += round((before - longitude) / 360)
        before = longitude
        ring.append((longitude + 360 * turn, latitude))
    return ring


def _flat(nested: Any) -> list[int]:
    return [nested] if isinstance(nested, int) else [arc for part in nested for arc in _flat(part)]


def _polygons_of(geometry: BaseGeometry) -> list[Polygon]:
    parts = getattr(geometry, "geoms", [geometry])
    return [part for part in parts if isinstance(part, Polygon) and not part.is_empty]
