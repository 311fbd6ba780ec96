"""Cut land and sea along the lines, and gather the pieces into regions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import shapely
from shapely import LineString, MultiLineString, MultiPolygon, Point, Polygon, STRtree, box
from shapely.geometry.base import BaseGeometry

from tools.geometry.tables import Tables

__all__ = ["CutError", "Kind", "Region", "coastline", "cut"]

BAY = 1.5  # units: narrower bays and straits are closed
CAPE = 0.6  # units: thinner capes are taken off (half their width)
ISLAND = 150  # square units: smaller islands are drawn only where a seed asks for them
LAGOON = 300  # square units: smaller lakes, most of them bays that were closed, are filled
SCRAP = 30  # square units: smaller pieces without a seed go to the neighbour with the longest border

GRID = 0.01  # units: points closer than that are one


Kind = Literal["land", "sea", "strait", "inactive"]


@dataclass(frozen=True)
class Region:
    """An area of one kind.

    Args:
        name: id of the province; of what cannot be entered, its name.
        kind: "strait" is water that belongs to a province on land.
        area: on the picture.
    """

    name: str
    kind: Kind
    area: BaseGeometry


class CutError(ValueError):
    """The lines do not cut the picture as they should."""


def coastline(world: BaseGeometry, tables: Tables) -> BaseGeometry:
    """Return the land of the picture, with coasts as simple as the picture needs them.

    Args:
        world: the land, in longitudes and latitudes.
        tables: what is placed by hand.
    """
    frame = box(0, 0, tables.frame.width, tables.frame.height)
    shown = shapely.segmentize(world.difference(tables.omitted), 0.4)
    land = shapely.make_valid(shapely.transform(shown, tables.on_picture).simplify(0.1, preserve_topology=False))
    land = land.intersection(frame.buffer(20))
    land = land.buffer(BAY, quad_segs=4).buffer(-BAY - CAPE, quad_segs=4).buffer(CAPE, quad_segs=4)
    water = shapely.union_all([channel.along.buffer(channel.width / 2) for channel in tables.channels])
    shaped = shapely.get_parts(land.difference(water).intersection(frame))
    islands = [part for part in shaped if isinstance(part, Polygon)]
    asked_for = set(STRtree(islands).query(tables.all_seeds, predicate="within")[1].tolist())
    kept = [island for i, island in enumerate(islands) if i in asked_for or island.area >= ISLAND]
    return MultiPolygon([_without_lagoons(island) for island in kept])


def _without_lagoons(island: Polygon) -> Polygon:
    return Polygon(island.exterior, [lake for lake in island.interiors if Polygon(lake).area >= LAGOON])


def cut(land: BaseGeometry, tables: Tables) -> list[Region]:
    """Return the regions; together they cover the frame.

    Raises:
        CutError: a piece holds seeds of two regions, or is large and holds none.
    """
    frame = box(0, 0, tables.frame.width, tables.frame.height)
    sea = frame.difference(land)
    drawn = [
        frame.exterior,
        land.boundary,
        *(line.intersection(land) for line in tables.land_lines.values()),
        *(line.intersection(sea) for line in tables.sea_lines.values()),
    ]
    network = shapely.union_all(_strings(drawn), grid_size=GRID)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(network)))
    pieces = [face for face in faces if isinstance(face, Polygon)]
    owners = _owners(pieces, tables.seeds | tables.inactive)
    dry = [land.contains(piece.representative_point()) for piece in pieces]
    _give_scraps(pieces, owners, dry)
    kinds = [_kind(owner, is_dry, tables) for owner, is_dry in zip(owners, dry, strict=True)]
    parts: dict[tuple[str, Kind], list[Polygon]] = {}
    for piece, owner, kind in zip(pieces, owners, kinds, strict=True):
        parts.setdefault((owner, kind), []).append(piece)
    return [Region(name, kind, shapely.union_all(areas)) for (name, kind), areas in sorted(parts.items())]


def _kind(owner: str, dry: bool, tables: Tables) -> Kind:
    if owner in tables.inactive:
        return "inactive"
    if dry:
        return "land"
    return "strait" if owner in tables.straits else "sea"


def _strings(geometries: Iterable[BaseGeometry]) -> list[LineString]:
    parts = shapely.get_parts([g for g in geometries if not g.is_empty])
    while any(isinstance(part, MultiLineString) for part in parts):
        parts = shapely.get_parts(parts)
    return [part for part in parts if isinstance(part, LineString)]


def _owners(pieces: list[Polygon], seeds: Mapping[str, list[Point]]) -> list[str]:
    tree = STRtree(pieces)
    owners = [""] * len(pieces)
    for name, points in seeds.items():
        for point in points:
            hits = tree.query(point, predicate="within")
            if not len(hits):
                raise CutError(f"{name}: its seed at {_at(point)} is outside the picture")
            piece = int(hits[0])
            if owners[piece] not in {"", name}:
                raise CutError(f"nothing divides {owners[piece]} and {name} around {_at(point)}")
            owners[piece] = name
    return owners


def _give_scraps(pieces: list[Polygon], owners: list[str], dry: list[bool]) -> None:
    """Give pieces without a seed to the neighbour, on the same side of the coast, that has the longest border."""
    tree = STRtree(pieces)
    waiting = sorted((i for i, owner in enumerate(owners) if not owner), key=lambda i: pieces[i].area)
    large = [pieces[i] for i in waiting if pieces[i].area > SCRAP]
    if large:
        listed = ", ".join(f"{piece.area:.0f} around {_at(piece.representative_point())}" for piece in large)
        raise CutError(f"pieces without a seed: {listed}")
    for i in waiting:
        around = [int(j) for j in tree.query(pieces[i], predicate="intersects") if owners[j]]
        alike = [j for j in around if dry[j] == dry[i]] or around
        taker = max(alike, key=lambda j: pieces[i].intersection(pieces[j]).length)
        owners[i], dry[i] = owners[taker], dry[taker]


def _at(point: Point) -> str:
    return f"({point.x:.0f}, {point.y:.0f})"
