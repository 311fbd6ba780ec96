"""The hand-placed data of a map, from its TOML files."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from shapely import LineString, Point, box, union_all

from tools.geometry.fetch import Atlas
from tools.geometry.lines import curve
from tools.geometry.project import Frame, Points
from tools.geometry.stretch import Control, Stretch

__all__ = ["Channel", "Tables"]

TURN = 1.6  # units: smaller turns of the borders of today are left out


@dataclass(frozen=True)
class Channel:
    """Water that stays open: a line on the picture and its least width in units."""

    along: LineString
    width: float


class Tables:
    """What is placed by hand, on the picture.

    Args:
        folder: holds ``frame.toml``, ``borders.toml``, ``seas.toml``, ``regions.toml`` and ``places.toml``.
        atlas: of today's countries, for borders that are still where they were.
    """

    def __init__(self, folder: Path, atlas: Atlas) -> None:
        self._atlas = atlas
        tables = {name: _read(folder / f"{name}.toml") for name in ("frame", "borders", "seas", "regions", "places")}
        self.frame = Frame.of(tables["frame"]["frame"])
        self.window: list[float] = tables["frame"]["frame"]["window"]
        self.omitted = union_all([box(*sides) for sides in tables["frame"]["frame"]["omit"]])
        scale = self.frame.width / (self.frame.east - self.frame.west)
        self._stretch = Stretch(
            self.frame.width,
            self.frame.height,
            [
                Control(self._before_stretch(control["at"]), control["radius"] * scale, control["area"])
                for control in tables["frame"]["stretch"].values()
            ],
        )
        self.land_lines = self._lines(tables["borders"])
        self.sea_lines = self._lines(tables["seas"])
        self.channels = [
            Channel(self._curve(channel["along"], {}), channel["width"])
            for channel in tables["seas"]["channels"].values()
        ]
        regions = tables["regions"]
        self.seeds = {name: [self.point(at) for at in seeds] for name, seeds in regions["provinces"].items()}
        self.straits: dict[str, list[list[float]]] = regions["straits"]
        for name, seeds in self.straits.items():
            self.seeds[name] += [self.point(at) for at in seeds]
        self.inactive = {name: [self.point(at) for at in seeds] for name, seeds in regions["inactive"].items()}
        self.all_seeds = [seed for seeds in (self.seeds | self.inactive).values() for seed in seeds]
        self.places = {
            sign: {location: self.point(at) for location, at in wishes.items()}
            for sign, wishes in tables["places"].items()
        }

    def on_picture(self, degrees: Points) -> Points:
        """Return where longitudes and latitudes come to lie."""
        return self._stretch(self.frame.project(degrees))

    def point(self, degrees: list[float]) -> Point:
        """Return where a longitude and a latitude come to lie."""
        return Point(self.on_picture(np.array([degrees], float))[0])

    def _before_stretch(self, degrees: list[float]) -> tuple[float, float]:
        x, y = self.frame.project(np.array([degrees], float))[0]
        return float(x), float(y)

    def _lines(self, table: dict[str, Any]) -> dict[str, list[LineString]]:
        junctions = {name: self._junction(value) for name, value in table["junctions"].items()}
        return {name: self._border(value, junctions) for name, value in table["borders"].items()}

    def _junction(self, value: Any) -> list[float]:
        if isinstance(value, list):
            return value
        one, *others = value["countries"]
        ends = [{end for arc in self._atlas.border(one, other) for end in _ends(arc)} for other in others]
        (meeting,) = set.intersection(*ends)
        return list(meeting)

    def _border(self, value: Any, junctions: dict[str, list[float]]) -> list[LineString]:
        if isinstance(value, list):
            return [self._curve(value, junctions)]
        arcs = self._atlas.border(*value["countries"])
        ends = [end for arc in arcs for end in _ends(arc)]
        runs_on = [[list(min(ends, key=lambda end: math.dist(end, at))), at] for at in value.get("beyond", [])]
        lines = [self._calm(arc) for arc in arcs if not arc.is_closed]
        return lines + [self._curve(points, {}) for points in runs_on]

    def _calm(self, arc: LineString) -> LineString:
        """Return a border of today drawn as the others are: its small turns would look restless beside them."""
        simple = LineString(self.on_picture(np.array(arc.coords))).simplify(TURN)
        return LineString(curve(np.array(simple.coords)))

    def _curve(self, points: list[Any], junctions: dict[str, list[float]]) -> LineString:
        degrees = np.array([junctions[at] if isinstance(at, str) else at for at in points], float)
        return LineString(self._stretch(curve(self.frame.project(degrees))))


def _ends(line: LineString) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return line.coords[0], line.coords[-1]


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
