"""Where the provinces of a map lie: from ``maps/MAP.places.toml`` where the map has one, else from its borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from satdip.board import Board, province_of
from satdip.board.mapfile import map_names
from satdip.drawing.layout import by_distances

__all__ = ["known_places", "places_of"]


def places_of(
    board: Board, provinces: Sequence[str], known: Mapping[str, tuple[float, float]] | None = None
) -> dict[str, complex]:
    """Return where some provinces, and the coasts of them that are known, lie: x to the east, y to the south.

    Args:
        board: the map.
        provinces: ids.
        known: province -> its place; by default the places of a shipped map. A map for which it lacks a province
            is laid out by its borders.
    """
    table = known_places(board.name) if known is None else known
    if all(province in table for province in provinces):
        wanted = frozenset(provinces)
        return {at: complex(*point) for at, point in table.items() if province_of(at) in wanted}
    return dict(by_distances(provinces, board.neighbours))


@cache
def known_places(name: str) -> Mapping[str, tuple[float, float]]:
    """Return the places of a shipped map: province or coast -> (x, y); nothing for other maps."""
    import tomllib
    from importlib.resources import files  # loaded late: it is slow to import

    if name not in map_names():
        return {}
    file = files("satdip") / "maps" / f"{name}.places.toml"
    if not file.is_file():
        return {}
    tables: dict[str, dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return {at: (x, y) for table in tables.values() for at, (x, y) in table.items()}
