"""Lines on the plane: points are complex numbers (y grows downwards), a line is a sequence of points."""

from __future__ import annotations

from cmath import exp, phase, pi
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from math import sin

__all__ = [
    "Line",
    "along",
    "bow",
    "clipped",
    "clipped_to_box",
    "direction",
    "distance",
    "length",
    "reversed_way",
    "through",
    "wavy",
]

Line = tuple[complex, ...]

STEPS = 16
"""Pieces of a curve between two points."""


def direction(start: complex, end: complex) -> complex:
    """Return the unit vector from one point to another; eastwards when they coincide."""
    gap = end - start
    return gap / abs(gap) if gap else 1


def bow(start: complex, end: complex, bulge: float = 0) -> Line:
    """Return a curve between two points.

    Args:
        start: where it begins.
        end: where it ends.
        bulge: how far it bows to the left of its direction, as a part of its length; 0 is a straight line.
    """
    if not bulge:
        return start, end
    control = (start + end) / 2 - 2j * bulge * (end - start)
    times = (step / STEPS for step in range(STEPS + 1))
    return tuple((1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end for t in times)


def through(points: Sequence[complex]) -> Line:
    """Return a smooth curve through points (Catmull-Rom)."""
    if len(points) < 3:
        return tuple(points)
    padded = [2 * points[0] - points[1], *points, 2 * points[-1] - points[-2]]
    curve = [points[0]]
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(1, STEPS + 1):
            t = step / STEPS
            curve.append(
                0.5
                * (
                    2 * start
                    + (end - before) * t
                    + (2 * before - 5 * start + 4 * end - after) * t**2
                    + (3 * start - before - 3 * end + after) * t**3
                )
            )
    return tuple(curve)


def length(line: Line) -> float:
    """Return how long a line is."""
    return sum(abs(end - start) for start, end in pairwise(line))


def along(line: Line, fraction: float) -> complex:
    """Return the point at a fraction (0 to 1) of the way along a line."""
    return _at(line, fraction * length(line))


def _at(line: Line, way: float) -> complex:
    for start, end in pairwise(line):
        piece = abs(end - start)
        if way <= piece and piece:
            return start + (end - start) * way / piece
        way -= piece
    return line[-1]


def clipped(line: Line, before: float, after: float) -> Line:
    """Return a line without its ends.

    Args:
        line: the line.
        before: radius round its first point that is cut off.
        after: radius round its last point that is cut off.
    """
    return reversed_way(_without_start(reversed_way(_without_start(line, before)), after))


def _without_start(line: Line, radius: float) -> Line:
    """Cut off what lies within a circle round the first point; a line that never leaves it shrinks to its end."""
    centre = line[0]
    for index, (start, end) in enumerate(pairwise(line)):
        if abs(end - centre) > radius:
            inside, outside = start, end
            for _ in range(20):  # halving is exact enough for a picture
                middle = (inside + outside) / 2
                inside, outside = (middle, outside) if abs(middle - centre) <= radius else (inside, middle)
            return (outside, *line[index + 1 :])
    return line[-1], line[-1]


def clipped_to_box(line: Line, half: complex) -> Line:
    """Return a line without the part inside a box of the given half width and half height round its last point."""
    centre = line[-1]
    back = list(reversed_way(line))
    dense = [start + (end - start) * step / 8 for start, end in pairwise(back) for step in range(8)] + back[-1:]
    for index, point in enumerate(dense):
        if abs((point - centre).real) > half.real or abs((point - centre).imag) > half.imag:
            return reversed_way(tuple(dense[index:]))
    return line[0], line[0]


def reversed_way(line: Line) -> Line:
    """Return a line in the other direction."""
    return tuple(reversed(line))


def distance(line: Line, point: complex) -> float:
    """Return how far a point is from a line."""
    return min((_from_piece(start, end, point) for start, end in pairwise(line)), default=abs(line[0] - point))


def _from_piece(start: complex, end: complex, point: complex) -> float:
    gap = end - start
    if not gap:
        return abs(point - start)
    share = ((point - start) * gap.conjugate()).real / abs(gap) ** 2
    return abs(point - (start + gap * min(1, max(0, share))))


def wavy(line: Line, height: float = 4.5, wave: float = 20, straight: float = 16) -> Line:
    """Return a wave along a line; its last part stays straight, for an arrow's head."""
    points, ways = _even(line, 1.5)
    whole = ways[-1] if ways else 0
    waving = max(0.0, whole - straight)
    waving -= waving % wave  # whole waves only, so that it joins the straight part
    result = []
    for (start, end), way in zip(pairwise(points), ways, strict=False):
        lift = height * sin(2 * pi * way / wave) if way < waving else 0
        result.append(start + lift * exp(1j * (phase(end - start) + pi / 2)) if lift else start)
    return (*result, points[-1])


def _even(line: Line, step: float) -> tuple[list[complex], list[float]]:
    """Return points at even steps along a line, and how far along they are."""
    pieces: Iterable[float] = (abs(end - start) for start, end in pairwise(line))
    reached = list(accumulate(pieces, initial=0.0))
    number = max(1, round(reached[-1] / step))
    ways = [reached[-1] * index / number for index in range(number + 1)]
    points, piece = [], 0
    for way in ways:
        while piece < len(line) - 2 and reached[piece + 1] < way:
            piece += 1
        gap = reached[piece + 1] - reached[piece]
        points.append(line[piece] + (line[piece + 1] - line[piece]) * ((way - reached[piece]) / gap if gap else 0))
    return points, ways
