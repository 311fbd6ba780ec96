"""The stretch: places that are crowded grow, empty ones shrink, and nothing folds.

Control points say how many times larger the surroundings of a place shall be drawn. They make a density, and the
picture flows until the density is even, as in a cartogram (after Gastner, Seguy and More, "Fast flow-based algorithm
for creating density-equalizing map projections", PNAS 2018). The frame keeps its sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.fft import dctn, idctn
from scipy.ndimage import map_coordinates, spline_filter

from tools.geometry.project import Points

__all__ = ["Control", "Stretch"]

CELL = 4  # units
STEPS = 24


@dataclass(frozen=True)
class Control:
    """How many times larger the surroundings of a place shall be.

    Args:
        at: the place, in units of the picture before the stretch.
        radius: where the wish has fallen to 60 percent, in units.
        area: factor of the area at the place.
    """

    at: tuple[float, float]
    radius: float
    area: float


class Stretch:
    """The flow that makes a density even."""

    def __init__(self, width: int, height: int, controls: Sequence[Control]) -> None:
        self._size = np.array([width, height], float)
        columns, rows = width // CELL, height // CELL
        self._cell = self._size / [columns, rows]
        x = (np.arange(columns) + 0.5) * self._cell[0]
        y = (np.arange(rows)[:, None] + 0.5) * self._cell[1]
        wish = np.zeros((rows, columns))
        for control in controls:
            square = (x - control.at[0]) ** 2 + (y - control.at[1]) ** 2
            wish += np.log(control.area) * np.exp(-square / (2 * control.radius**2))
        self._density = np.exp(wish)
        self._mean = float(self._density.mean())
        self._flux = self._potential_flow()
        knots = np.stack(np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)), -1) * self._cell
        shift = self._flow(knots.reshape(-1, 2)).reshape(knots.shape) - knots
        self._shift = [spline_filter(shift[..., axis], order=3, mode="mirror") for axis in (0, 1)]

    def _potential_flow(self) -> tuple[Points, Points]:
        """Return the flux whose divergence is what a cell has too much, with a rim: none crosses the frame."""
        rows, columns = self._density.shape
        kx = np.pi * np.arange(columns) / self._size[0]
        ky = np.pi * np.arange(rows)[:, None] / self._size[1]
        waves = dctn(self._density - self._mean, type=2)
        square = kx**2 + ky**2
        square[0, 0] = 1
        waves[0, 0] = 0
        potential = idctn(waves / square, type=2)  # -laplacian(potential) = density - mean
        down, right = np.gradient(np.pad(potential, 2, mode="symmetric"), self._cell[1], self._cell[0])
        return -right[1:-1, 1:-1], -down[1:-1, 1:-1]

    def _velocity(self, points: Points, time: float) -> Points:
        density = (1 - time) * np.pad(self._density, 1, mode="symmetric") + time * self._mean
        cells = (points / self._cell + 0.5).T[::-1]
        return np.column_stack([map_coordinates(flux / density, cells, order=1, mode="nearest") for flux in self._flux])

    def _flow(self, points: Points) -> Points:
        """Return where the flow carries points: Runge and Kutta, of second order."""
        dt = 1 / STEPS
        for step in range(STEPS):
            half = points + dt / 2 * self._velocity(points, step * dt)
            points = np.clip(points + dt * self._velocity(half, (step + 0.5) * dt), 0, self._size)
        return points

    def __call__(self, points: Points) -> Points:
        """Return where points come to lie; what lies outside the frame moves with its nearest side."""
        inside = np.clip(points, 0, self._size)
        knots = (inside / self._cell).T[::-1]
        shift = [map_coordinates(way, knots, order=3, prefilter=False, mode="mirror") for way in self._shift]
        return points + np.column_stack(shift)
