"""Map files: reading the shipped maps and the maps that people write.

A map file is TOML; `maps/standard.toml` explains its entries. A file is read whole and checked whole: `problems`
lists everything that is wrong with it, each with its line, and `load_board` raises the first of them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from satdip.board import Board
from satdip.errors import InputError, Where
from satdip.mapcheck import MapReading, nearest
from satdip.mapsource import MapSource
from satdip.seamaps import is_name, named

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["load_board", "map_names", "problems"]

LARGEST_MAP = 1 << 20  # bytes; the standard map has some thirteen thousand


def load_board(name_or_path: str | Path = "standard") -> Board:
    """Return the board of a shipped map or of a map file.

    Args:
        name_or_path: the name of a shipped map (`map_names`) or of a generated one (`satdip.seamaps`), or the path of
            a ``.toml`` file.

    Returns:
        The board; for a shipped map the same object each time.

    Raises:
        InputError: no such map or file, or the first problem of the file.
    """
    if isinstance(name_or_path, str) and is_name(name_or_path):
        return named(name_or_path).board
    return _shipped(name_or_path) if name_or_path in map_names() else _board(name_or_path)


def problems(name_or_path: str | Path) -> list[InputError]:
    """Return everything that is wrong with a map, in the order of its lines; an empty list for a sound one.

    Args:
        name_or_path: as for `load_board`.
    """
    try:
        source = _source(name_or_path)
    except InputError as error:
        return [error]
    return _read(source)[1]


@cache
def map_names() -> tuple[str, ...]:
    """Return the names of the shipped maps; ``standard.fr.toml`` is no map, but the French names of one."""
    names = (entry.name.split(".") for entry in _folder().iterdir())
    return tuple(sorted(name[0] for name in names if name[1:] == ["toml"]))


def _folder() -> Traversable:
    from importlib.resources import files  # loaded late: it is slow to import

    return files("satdip") / "maps"


def _source(name_or_path: str | Path) -> MapSource:
    """Return the text of a shipped map, or of a file."""
    if name_or_path in map_names():
        file = f"{name_or_path}.toml"
        return MapSource(file, (_folder() / file).read_text(encoding="utf-8"))
    if isinstance(name_or_path, str) and name_or_path == Path(name_or_path).stem:
        known, hint = ", ".join(map_names()), nearest(name_or_path, map_names())
        raise InputError(f"no map is called {name_or_path!r}{hint}; the maps are {known}, or name a .toml file")
    where = Where(str(name_or_path))
    try:
        with Path(name_or_path).open("rb") as opened:
            data = opened.read(LARGEST_MAP + 1)
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError("a map file is UTF-8 text; this is not", replace(where, line=line)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the map file cannot be read: {reason}", where) from None
    if len(data) > LARGEST_MAP:
        raise InputError(f"this is too large for a map file, which has at most {LARGEST_MAP} bytes", where)
    return MapSource(where.source or "", text)


@cache
def _shipped(name: str | Path) -> Board:
    return _board(name)


def _board(name_or_path: str | Path) -> Board:
    board, found = _read(_source(name_or_path))
    if board is None:
        raise found[0]
    return board


def _read(source: MapSource) -> tuple[Board | None, list[InputError]]:
    """Return the board, or None and what is wrong."""
    import tomllib

    try:
        whole = tomllib.loads(source.text)
    except (ValueError, RecursionError) as error:
        at = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        what = str(error)[: at.start()] if at else str(error)
        line, column = (int(at[1]), int(at[2])) if at else (source.text.count("\n") + 1, None)
        return None, [InputError(f"this is not TOML: {what}", Where(source.name, line=line, column=column))]
    reading = MapReading(source)
    board = reading.board(whole)
    return board, sorted(reading.problems, key=lambda problem: problem.where.line or 0)
