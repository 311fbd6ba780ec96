"""The names of a map's provinces in other languages than its own."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from satdip.board import Board

__all__ = ["collation_key", "province_names"]


@lru_cache(maxsize=16)
def province_names(board: Board, language: str) -> Mapping[str, str]:
    """Return province id -> name in a language; where the map has none, its own name.

    The names are in ``maps/MAP.LANGUAGE.toml``; a map without that file has only its own.

    Args:
        board: the map.
        language: ``en``, ``fr``.
    """
    own = {province.id: province.name for province in board.provinces.values()}
    table = files("satdip") / "maps" / f"{board.name}.{language}.toml"
    if not table.is_file():
        return own
    names: dict[str, str] = tomllib.loads(table.read_text(encoding="utf-8"))["names"]
    return own | names


def collation_key(name: str) -> str:
    """Return what a dictionary sorts a name by: without accents and capitals."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
