"""From Natural Earth and the hand-placed data to the text of the geometry file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from satdip.board import Board, province_of
from tools.geometry.cut import CutError, Region, coastline, cut
from tools.geometry.fetch import fetch, land
from tools.geometry.places import NoRoomError, Places, Wishes, place
from tools.geometry.simplify import simplify
from tools.geometry.tables import Tables
from tools.geometry.write import topology, written

__all__ = ["make"]

HERE = Path(__file__).resolve().parent
LAND_TYPE, SEA_TYPE = 11.0, 14.0  # largest sizes of the type of names


def make(name: str, atlas_folder: Path, board: Board, tell: Callable[[str], None]) -> str:
    """Return the text of the geometry file of a map.

    Args:
        name: of the map; its hand-placed data are in the folder of that name beside this file.
        atlas_folder: where npm puts Natural Earth.
        board: the map.
        tell: takes a line on each step.

    Raises:
        CutError: the lines do not cut the picture into the regions.
        NoRoomError: a region is too small.
    """
    tell("Natural Earth and the hand-placed lines ...")
    tables = Tables(HERE / name)
    world = land(fetch(atlas_folder), *tables.window)
    tell("Coasts and regions ...")
    regions = simplify(cut(coastline(world, tables), tables))
    if missing := board.provinces.keys() - {region.name for region in regions}:
        raise CutError(f"no region for {', '.join(sorted(missing))}")
    tell("Places ...")
    places = dict(_places(regions, board, tables, _names(name)))
    return written(topology(name, tables.frame, regions, places))


def _names(name: str) -> dict[str, list[str]]:
    """Return the names of the provinces in the other languages."""
    names: dict[str, list[str]] = {}
    for file in sorted((HERE.parents[1] / "maps").glob(f"{name}.*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        for province, local in table.get("names", {}).items():
            names.setdefault(province, []).append(local)
    return names


def _places(
    regions: list[Region], board: Board, tables: Tables, names: dict[str, list[str]]
) -> Iterator[tuple[str, Places]]:
    wish = tables.places
    for region in regions:
        if region.kind not in {"land", "sea"}:
            continue
        province = board.provinces[region.name]
        wishes = Wishes(
            [province.name, *names.get(region.name, [])],
            LAND_TYPE if region.kind == "land" else SEA_TYPE,
            wish["units"].get(region.name),
            wish["labels"].get(region.name),
            wish["centres"].get(region.name),
            {at: spot for at, spot in wish["coasts"].items() if province_of(at) == region.name},
        )
        try:
            yield region.name, place(region.area, wishes)
        except NoRoomError:
            raise NoRoomError(f"{region.name} is too small for its signs") from None
