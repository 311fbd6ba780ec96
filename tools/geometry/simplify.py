"""Lines as simple as the picture allows: points that hardly show go, and neighbours keep sharing their borders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import shapely

from tools.geometry.cut import Region

__all__ = ["simplify"]

DETAIL = 1.0  # units: the square root of the area of the smallest triangle that still shows


def simplify(regions: Sequence[Region]) -> list[Region]:
    """Return regions with fewer points; together they still cover the frame (after Visvalingam and Whyatt)."""
    areas = shapely.coverage_simplify([region.area for region in regions], DETAIL, simplify_boundary=False)
    return [replace(region, area=area) for region, area in zip(regions, areas, strict=True)]
