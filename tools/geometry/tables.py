"""The hand-placed data of a map, from its TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from shapely import LineString, Point, box, union_all

from tools.geometry.lines import curve
from tools.geometry.project import Frame, Points
from tools.geometry.stretch import Control, Stretch

__all__ = ["Channel", "Tables"]


@dataclass(frozen=True)
class Channel:
    """Water that stays open: a line on the picture and its least width in units."""

    along: LineString
    width: float


class Tables:
    """What is placed by hand, on the picture.

    Args:
        folder: holds ``frame.toml``, ``borders.toml``, ``seas.toml``, ``regions.toml`` and ``places.toml``.

    Raises:
        ValueError: a line goes to a junction that is not there.
    """

    def __init__(self, folder: Path) -> None:
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

    def _lines(self, table: dict[str, Any]) -> dict[str, LineString]:
        junctions = table["junctions"]
        for name, points in table["borders"].items():
            if unknown := [at for at in points if isinstance(at, str) and at not in junctions]:
                raise ValueError(f"{name}: there is no junction {unknown[0]!r}")
        return {name: self._curve(points, junctions) for name, points in table["borders"].items()}

    def _curve(self, points: list[Any], junctions: dict[str, list[float]]) -> LineString:
        degrees = np.array([junctions[at] if isinstance(at, str) else at for at in points], float)
        return LineString(self._stretch(curve(self.frame.project(degrees))))


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
