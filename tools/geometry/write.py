"""The geometry file: TopoJSON on a plane, a line of text for each arc and each region (docs/geometry.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import shapely
from topojson.core.topology import Topology

from tools.geometry.cut import Region
from tools.geometry.places import CENTRE, UNIT, Places
from tools.geometry.project import Frame

__all__ = ["topology", "written"]

GRID = 10  # steps to a unit
COLLECTION = {"land": "provinces", "sea": "provinces", "strait": "straits", "inactive": "inactive"}


def topology(name: str, frame: Frame, regions: Sequence[Region], places: Mapping[str, Places]) -> dict[str, Any]:
    """Return the content of the geometry file of a map.

    Raises:
        ValueError: rounded to the grid, the regions overlap or leave gaps.
    """
    areas = [shapely.remove_repeated_points(shapely.transform(region.area, _on_grid)) for region in regions]
    if not shapely.coverage_is_valid(areas) or not all(area.is_valid for area in areas):
        raise ValueError("rounded to the grid, the regions overlap or leave gaps")
    found = Topology(areas, prequantize=False, topology=True).to_dict()
    for shape in found["objects"]["data"]["geometries"]:
        polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        for rings in polygons:
            rings[:] = [_wound(ring, found["arcs"], clockwise=i == 0) for i, ring in enumerate(rings)]
    collections: dict[str, list[dict[str, Any]]] = {"provinces": [], "straits": [], "inactive": []}
    for region, shape in zip(regions, found["objects"]["data"]["geometries"], strict=True):
        properties: dict[str, Any] = {"kind": region.kind}
        if COLLECTION[region.kind] == "provinces":
            properties |= _properties(region.name, places[region.name])
        collections[COLLECTION[region.kind]].append(
            {"type": shape["type"], "id": region.name, "properties": properties, "arcs": shape["arcs"]}
        )
    return {
        "type": "Topology",
        "map": name,
        "source": "coasts: Natural Earth, public domain; all else placed by hand",
        "bbox": [0, 0, frame.width, frame.height],
        "room": {"unit": UNIT, "centre": CENTRE},
        "transform": {"scale": [1 / GRID, 1 / GRID], "translate": [0, 0]},
        "objects": {key: {"type": "GeometryCollection", "geometries": shapes} for key, shapes in collections.items()},
        "arcs": [_steps(arc) for arc in found["arcs"]],
    }


def written(content: Mapping[str, Any]) -> str:
    """Return the text of a geometry file."""
    head = {key: value for key, value in content.items() if key not in {"objects", "arcs"}}
    lines = [json.dumps(head, ensure_ascii=False)[:-1] + ', "objects": {']
    collections = [
        f'"{key}": {{"type": "{value["type"]}", "geometries": [\n{_lines(value["geometries"])}\n]}}'
        for key, value in content["objects"].items()
    ]
    lines += [",\n".join(collections), '}, "arcs": [', _lines(content["arcs"]), "]}"]
    return "\n".join(lines) + "\n"


def _lines(values: Iterable[Any]) -> str:
    return ",\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)


def _on_grid(points: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.round(points * GRID)


def _steps(arc: Sequence[Sequence[float]]) -> list[list[int]]:
    points = np.array(arc, int)
    steps: list[list[int]] = np.diff(points, axis=0, prepend=[[0, 0]]).tolist()
    return steps


def _wound(ring: Sequence[int], arcs: Sequence[Sequence[Sequence[float]]], *, clockwise: bool) -> list[int]:
    """Return a ring that runs the way it should: outlines clockwise as one sees them, holes the other way."""
    lines = [np.array(arcs[arc]) if arc >= 0 else np.array(arcs[~arc])[::-1] for arc in ring]
    points = np.vstack(lines)
    turned = float(np.sum(points[:, 0] * np.roll(points[:, 1], -1) - np.roll(points[:, 0], -1) * points[:, 1]))
    return list(ring) if (turned > 0) == clockwise else [~arc for arc in reversed(ring)]


def _properties(province: str, places: Places) -> dict[str, Any]:
    label = places.label
    centre = {"centre": _spot(places.centre)} if places.centre else {}
    return {
        "units": {at: _spot(spot) for at, spot in {province: places.unit, **places.coasts}.items()},
        "dislodged": _spot(places.dislodged),
        **centre,
        "label": {
            "at": _spot(label.at),
            "width": round(label.width, 1),
            "height": round(label.height, 1),
            "angle": round(label.angle),
            "type": places.type_size,
        },
    }


def _spot(spot: tuple[float, float]) -> list[float]:
    return [round(spot[0], 1), round(spot[1], 1)]
