"""Curves through hand-placed points."""

from __future__ import annotations

import numpy as np

from tools.geometry.project import Points

__all__ = ["curve"]

STEP = 1.5  # units between two points of a curve


def curve(points: Points) -> Points:
    """Return a smooth line through points: a centripetal Catmull-Rom spline, which neither loops nor overshoots."""
    points = np.asarray(points, float)
    if len(points) < 3:
        return _straight(points)
    ends = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    knots = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ends, axis=0), axis=1) ** 0.5)])
    pieces = [points[:1]]
    for i in range(1, len(ends) - 2):
        count = max(2, int(np.linalg.norm(ends[i + 1] - ends[i]) / STEP))
        t = np.linspace(knots[i], knots[i + 1], count + 1)[1:, None]
        k, p = knots[i - 1 : i + 3], ends[i - 1 : i + 3]
        once = [_between(t, k[j], k[j + 1], p[j], p[j + 1]) for j in range(3)]
        twice = [_between(t, k[j], k[j + 2], once[j], once[j + 1]) for j in range(2)]
        pieces.append(_between(t, k[1], k[2], twice[0], twice[1]))
    line = np.vstack(pieces)
    line[-1] = points[-1]  # exactly, for other lines end there as well
    return line


def _between(t: Points, start: float, end: float, one: Points, other: Points) -> Points:
    weight = (t - start) / (end - start)
    mixed: Points = (1 - weight) * one + weight * other
    return mixed


def _straight(points: Points) -> Points:
    count = max(1, int(np.linalg.norm(points[1] - points[0]) / STEP))
    line: Points = points[0] + np.linspace(0, 1, count + 1)[:, None] * (points[1] - points[0])
    line[-1] = points[-1]
    return line
