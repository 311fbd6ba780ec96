"""From longitudes and latitudes to the picture: a conformal conic projection, cut off by the frame.

Distances on the picture are in units: the frame is 1200 units wide, so that a unit is a pixel of a picture that wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pyproj import Proj

__all__ = ["Frame", "Points"]

Points = npt.NDArray[np.float64]
"""Points as rows: x to the east, y to the south (or longitude and latitude)."""


@dataclass(frozen=True)
class Frame:
    """A projection and the rectangle of it that is drawn.

    Args:
        projection: a definition of PROJ; its unit is the metre.
        west, north, east, south: the sides, in kilometres from the origin of the projection, y to the south.
        width, height: of the picture, in units.
    """

    projection: str
    west: float
    north: float
    east: float
    south: float
    width: int
    height: int

    @classmethod
    def of(cls, table: dict[str, Any]) -> Frame:
        """Return the frame that a table of the data describes."""
        return cls(table["projection"], *table["sides"], *table["size"])

    def project(self, degrees: Points) -> Points:
        """Return where longitudes and latitudes lie before the stretch."""
        x, y = Proj(self.projection)(degrees[:, 0], degrees[:, 1])
        return np.column_stack(
            [
                (np.asarray(x) / 1000 - self.west) * self.width / (self.east - self.west),
                (-np.asarray(y) / 1000 - self.north) * self.height / (self.south - self.north),
            ]
        )
