"""Sea maps of any size: grids, hexagons, rings and hubs of seas with islands between them, as ordinary boards.

A map has a name that says all about it, ``grid-20x20``: `named` makes it again. Every island is a coastal province on
its own, so that armies leave it only by convoy; fleets sail between seas and the islands that touch them.
"""

from __future__ import annotations

import re
from cmath import exp, pi
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from satdip.base.errors import InputError
from satdip.base.memory import forget, kept
from satdip.board import Board, Power, Province, Terrain

__all__ = ["LARGEST", "LARGEST_STATED", "POWERS", "SHAPES", "SeaMap", "is_name", "named", "size_of"]

LARGEST = 40_000
"""Seas in one map."""

LARGEST_STATED = 100_000
"""Provinces of a map that a record or sheet may state."""

MOST_KEPT = 200_000
"""Provinces of all maps that are kept to be found again."""

POWERS = ("RED", "BLUE", "GREEN", "WHITE", "BLACK", "AMBER", "VIOLET")
"""The powers of a generated map."""


@dataclass(frozen=True, eq=False)
class SeaMap:
    """A generated map.

    Args:
        board: the board.
        places: province -> (x, y), y growing to the south, for pictures.
    """

    board: Board
    places: Mapping[str, tuple[float, float]]


@dataclass
class _Chart:
    """A map that is being drawn."""

    name: str
    terrain: dict[str, Terrain] = field(default_factory=dict)
    fleet: dict[str, set[str]] = field(default_factory=dict)
    places: dict[str, tuple[float, float]] = field(default_factory=dict)

    def sea(self, at: str, x: float, y: float) -> None:
        self._add(at, Terrain.SEA, x, y)

    def island(self, at: str, x: float, y: float, *seas: str) -> None:
        self._add(at, Terrain.COAST, x, y)
        for sea in seas:
            self.join(at, sea)

    def _add(self, at: str, terrain: Terrain, x: float, y: float) -> None:
        self.terrain[at], self.places[at], self.fleet[at] = terrain, (round(x, 2), round(y, 2)), set()

    def join(self, one: str, other: str) -> None:
        if one != other:
            self.fleet[one].add(other)
            self.fleet[other].add(one)

    def done(self) -> SeaMap:
        """Return the map. Each power has one home among the islands; every island is a supply centre."""
        islands = [at for at, terrain in self.terrain.items() if terrain == Terrain.COAST]
        homes = dict(zip(POWERS, islands, strict=False))
        powers = {
            power: Power(power, power.capitalize(), power.capitalize(), home=home, country=home)
            for power in POWERS
            for home in [(homes[power],) if power in homes else ()]
        }
        board = Board(
            name=self.name,
            provinces={at: Province(at, at, t, centre=t == Terrain.COAST) for at, t in self.terrain.items()},
            powers=powers,
            army={at: frozenset() for at in islands},
            fleet={at: frozenset(there) for at, there in self.fleet.items()},
            victory=len(islands) // 2 + 1,
        )
        return SeaMap(board, self.places)


def _grid(chart: _Chart, width: int, height: int) -> None:
    """Square seas ``S_x_y``; at each corner an island ``I_x_y`` that touches the seas round it, four within the map."""
    for y in range(height):
        for x in range(width):
            chart.sea(f"S_{x}_{y}", x + 0.5, y + 0.5)
            if x:
                chart.join(f"S_{x - 1}_{y}", f"S_{x}_{y}")
            if y:
                chart.join(f"S_{x}_{y - 1}", f"S_{x}_{y}")
    for y in range(height + 1):
        for x in range(width + 1):
            seas = ((a, b) for a in (x - 1, x) for b in (y - 1, y) if 0 <= a < width and 0 <= b < height)
            chart.island(f"I_{x}_{y}", x, y, *(f"S_{a}_{b}" for a, b in seas))


def _hex(chart: _Chart, width: int, height: int) -> None:
    """Six-sided seas ``S_x_y`` in rows, odd rows shifted; four islands ``I_x_y_k`` at corners of each.

    Islands 0 and 1 lie north-west and north of their sea, where it meets two others; 2 and 3 lie in it and touch no
    other sea.
    """
    for y in range(height):
        for x in range(width):
            shift = y % 2 / 2
            at, (px, py) = f"S_{x}_{y}", (x + shift, y * 0.87)
            chart.sea(at, px, py)
            west = f"S_{x - 1}_{y}"
            above = [x - 1 + y % 2, x + y % 2]
            north = [f"S_{a}_{y - 1}" for a in above if y and 0 <= a < width]
            for other in (*north, *([west] if x else [])):
                chart.join(at, other)
            near = {0: [west, f"S_{above[0]}_{y - 1}"], 1: [f"S_{a}_{y - 1}" for a in above], 2: [], 3: []}
            spots = ((-0.5, -0.3), (0, -0.55), (-0.2, 0.3), (0.2, 0.3))
            for number, (dx, dy) in enumerate(spots):
                touched = [sea for sea in near[number] if sea in chart.terrain]
                chart.island(f"I_{x}_{y}_{number}", px + dx, py + dy, at, *touched)


def _ring(chart: _Chart, length: int, stride: int = 1) -> None:
    """Seas ``S_i`` in a ring, each joined to the next; with islands.

    In each sea lie three islands ``A_i``, ``C_i`` and ``D_i`` that touch no other; island ``B_i`` touches sea i and the
    one `stride` farther on.
    """
    for i in range(length):
        turn = exp(2j * pi * i / length)
        radius = max(2.0, length / 2)
        spot = radius * turn
        chart.sea(f"S_{i}", spot.real, spot.imag)
        for letter, (out, aside) in {"A": (1.5, 0.35), "C": (1.5, -0.35), "D": (0.9, -0.6)}.items():
            off = (radius + out) * turn * exp(1j * aside / radius)
            chart.island(f"{letter}_{i}", off.real, off.imag, f"S_{i}")
        bridge = (radius - 1) * turn * exp(1j * 0.5 / radius)
        chart.island(f"B_{i}", bridge.real, bridge.imag, f"S_{i}")
    for i in range(length):
        chart.join(f"S_{i}", f"S_{(i + 1) % length}")
        chart.join(f"B_{i}", f"S_{(i + stride) % length}")


def _hub(chart: _Chart, islands: int) -> None:
    """One sea ``HUB`` with islands ``I_i`` round it; off the coast of each another sea ``O_i``."""
    chart.sea("HUB", 0, 0)
    radius = max(2.0, islands / 6)
    for i in range(islands):
        spot = radius * exp(2j * pi * i / islands)
        far = (radius + 1.2) * exp(2j * pi * i / islands)
        chart.sea(f"O_{i}", far.real, far.imag)
        chart.island(f"I_{i}", spot.real, spot.imag, "HUB", f"O_{i}")


@dataclass(frozen=True)
class _Shape:
    """A kind of map: how many numbers its name has, at least and at most, and how it is drawn."""

    draw: Callable[..., None]
    least: int
    most: int
    example: str


SHAPES: Mapping[str, _Shape] = {
    "grid": _Shape(_grid, 2, 2, "grid-20x20"),
    "hex": _Shape(_hex, 2, 2, "hex-20x20"),
    "ring": _Shape(_ring, 1, 2, "ring-12 or ring-12x3"),
    "hub": _Shape(_hub, 1, 1, "hub-8"),
}
"""The kinds of map."""

_NAME = re.compile(r"(?P<shape>[a-z]+)-(?P<numbers>[1-9][0-9]{0,5}(?:x[1-9][0-9]{0,5})?)")


def is_name(name: str) -> bool:
    """Return whether a name is that of a generated map."""
    return (found := _NAME.fullmatch(name)) is not None and found["shape"] in SHAPES


@kept(32)
def named(name: str) -> SeaMap:
    """Make a map of its name.

    Args:
        name: ``grid-20x20``, ``hex-5x5``, ``ring-12``, ``ring-12x3`` (bridges to the third sea ahead) or ``hub-8``.

    Raises:
        InputError: there is no such map, or it is too large.
    """
    found = _NAME.fullmatch(name)
    shape = SHAPES.get(found["shape"]) if found else None
    numbers = [int(number) for number in found["numbers"].split("x")] if found else []
    if shape is None or not shape.least <= len(numbers) <= shape.most:
        known = ", ".join(kind.example for kind in SHAPES.values())
        raise InputError(f"{name!r} names no generated map; write it like {known}")
    size = numbers[0] * (numbers[1] if found and found["shape"] in ("grid", "hex") else 1)
    if size > LARGEST:
        raise InputError(f"the map {name} would have {size} seas; {LARGEST} are the most")
    _make_room(name)
    chart = _Chart(name)
    shape.draw(chart, *numbers)
    return chart.done()


def _make_room(name: str) -> None:
    """Let go of the maps drawn before where together with this one they would have too many provinces."""
    if sum(_drawn.values()) + size_of(name) > MOST_KEPT:
        forget()
        _drawn.clear()
    _drawn[name] = size_of(name)


_drawn: dict[str, int] = {}
"""The maps that may be kept: name -> how many provinces."""


def size_of(name: str) -> int:
    """Return about how many provinces a generated map has.

    Args:
        name: as for `named`; it `is_name`.
    """
    shape, _, text = name.partition("-")
    first, *second = map(int, text.split("x"))
    per_sea = {"grid": 2, "hex": 5, "ring": 5, "hub": 2}[shape]
    return per_sea * first * (second[0] if second and shape in ("grid", "hex") else 1)
