"""Map files: reading the shipped maps and the maps that people write.

A map file is TOML; `maps/standard.toml` explains its entries. A file is read whole and checked whole: `problems`
lists everything that is wrong with it, each with its line, and `load_board` raises the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from satdip.base.errors import InputError, Where
from satdip.base.intake import decode_toml, read_file
from satdip.base.memory import kept
from satdip.base.messages import Message
from satdip.base.printable import short
from satdip.base.shipped import prepared, read
from satdip.board import Board, Power, Province, Terrain, UnitKind

if TYPE_CHECKING:
    from pathlib import Path

    from satdip.base.toml_text import TomlText

# What only other maps than the shipped ones need is loaded late: a short command should start at once.

__all__ = ["load_board", "map_names", "plain_board", "problems", "stated_board", "stated_name"]

LARGEST_MAP = 1 << 18  # bytes; the standard map has some thirteen thousand


def load_board(name_or_path: str | Path = "standard") -> Board:
    """Return the board of a shipped map or of a map file.

    Args:
        name_or_path: the name of a shipped map (`map_names`) or of a generated one (`satdip.board.seamaps`), or the
            path of a ``.toml`` file.

    Returns:
        The board; for a shipped map the same object each time.

    Raises:
        InputError: no such map or file, or the first problem of the file.
    """
    if isinstance(name_or_path, str) and (board := _by_name(name_or_path)):
        return board
    return _board(name_or_path)


def stated_board(name: str) -> Board:
    """Return the board that a record, a sheet or a save states: by name only, since others may have written it.

    Args:
        name: the name of a shipped map or of a generated one; never a path.

    Raises:
        InputError: no map has that name.
    """
    if board := _prepared(name):
        return board
    _check_size(name)
    if board := _by_name(name):
        return board
    from satdip.board.mapcheck import nearest

    known, hint = ", ".join(map_names()), nearest(short(name), map_names())
    if name.endswith(".toml"):
        raise InputError(f"{short(name)!r} is a file; a record or sheet names a map that comes with satdip: {known}")
    raise InputError(f"no map is called {short(name)!r}{hint}; the maps are {known}")


@kept(64)
def stated_name(board: Board) -> str:
    """Return the name by which what is written states a board, so that `stated_board` finds it again.

    All that writes records, sheets and saves asks here.

    Raises:
        InputError: it is a map of one's own: no name leads back to it.
    """
    _check_size(board.name)
    try:
        known = _by_name(board.name)
    except InputError:  # a name that is almost that of a generated map
        known = None
    if known is not board and (known is None or not _are_alike(known, board)):
        what = Message(
            "the map {name!r} is one of your own; records, sheets and saves can only name a map that comes with satdip",
            name=short(board.name),
        )
        raise InputError(what)
    return board.name


def _check_size(name: str) -> None:
    """Refuse generated maps that are too large to be stated: a few letters would cost seconds."""
    from satdip.board.seamaps import LARGEST_STATED, is_name, size_of

    if is_name(name) and size_of(name) > LARGEST_STATED:
        raise InputError(f"the map {name} is too large to be stated: it has more than {LARGEST_STATED} provinces")


def _are_alike(one: Board, other: Board) -> bool:
    """Return whether two boards are made of the same, as one and its copy in another process are."""
    tables = ("provinces", "powers", "army", "fleet", "victory")
    return all(getattr(one, table) == getattr(other, table) for table in tables)


def _by_name(name: str) -> Board | None:
    """Return the board of a shipped or generated map, or None where there is none of that name."""
    if board := _prepared(name):
        return board
    from satdip.board.seamaps import is_name, named

    if is_name(name):
        return named(name).board
    return _shipped(name) if name in map_names() else None


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
    from importlib.resources import files

    names = (entry.name.split(".") for entry in (files("satdip") / "maps").iterdir())
    return tuple(sorted(name[0] for name in names if name[1:] == ["toml"]))


# ---------------------------------------------------------------------- prepared maps


def plain_board(text: bytes) -> dict[str, Any]:
    """Return the board of a sound map file as plain values, as of JSON, for the prepared form of the file.

    Args:
        text: the file.

    Raises:
        InputError: the first problem of the file.
    """
    from satdip.base.toml_text import TomlText

    board, found = _read(TomlText("", text.decode("utf-8")))
    if board is None:
        raise found[0]
    return {
        "name": board.name,
        "victory": board.victory,
        "provinces": [[p.id, p.name, p.terrain, p.coasts, p.centre, p.aliases] for p in board.provinces.values()],
        "powers": [[p.id, p.name, p.adjective, p.home, p.country, p.start, p.aliases] for p in board.powers.values()],
        "army": {at: sorted(there) for at, there in board.army.items()},
        "fleet": {at: sorted(there) for at, there in board.fleet.items()},
    }


def _prepared(name: str) -> Board | None:
    """Return the board of a shipped map from its prepared form, or None where there is none, or none that fits."""
    try:
        return _ready(name)
    except OSError:
        return None


@cache  # of what is found: an error is not kept
def _ready(name: str) -> Board:
    plain = prepared(f"maps/{name}.toml", lambda _: None) if re.fullmatch(r"\w+", name) else None
    if plain is None or plain["name"] != name:  # a file system may take "Standard" for "standard"
        raise FileNotFoundError(name)
    return _board_of(plain)


def _board_of(plain: Mapping[str, Any]) -> Board:
    """Return the board that `plain_board` told."""
    provinces = {
        key: Province(key, title, Terrain(terrain), tuple(coasts), centre, tuple(aliases))
        for key, title, terrain, coasts, centre, aliases in plain["provinces"]
    }
    powers = {
        key: Power(
            key,
            title,
            adjective,
            tuple(home),
            tuple(country),
            tuple((UnitKind(kind), at) for kind, at in start),
            tuple(aliases),
        )
        for key, title, adjective, home, country, start, aliases in plain["powers"]
    }
    return Board(
        name=plain["name"],
        provinces=provinces,
        powers=powers,
        army={at: frozenset(there) for at, there in plain["army"].items()},
        fleet={at: frozenset(there) for at, there in plain["fleet"].items()},
        victory=plain["victory"],
    )


# ---------------------------------------------------------------------- files


def _source(name_or_path: str | Path) -> TomlText:
    """Return the text of a shipped map, or of a file."""
    from pathlib import Path

    from satdip.base.toml_text import TomlText
    from satdip.board.mapcheck import nearest

    if name_or_path in map_names():
        file = f"{name_or_path}.toml"
        return TomlText(file, read(f"maps/{file}").decode("utf-8").replace("\r\n", "\n"))
    if isinstance(name_or_path, str) and name_or_path == Path(name_or_path).stem:
        known, hint = ", ".join(map_names()), nearest(name_or_path, map_names())
        raise InputError(f"no map is called {short(name_or_path)!r}{hint}; the maps are {known}, or name a .toml file")
    where = Where(str(name_or_path))
    data = read_file(name_or_path, LARGEST_MAP, "map file")
    if len(data) > LARGEST_MAP:
        raise InputError(f"this is too large for a map file, which has at most {LARGEST_MAP} bytes", where)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError("a map file is UTF-8 text; this is not", replace(where, line=line)) from None
    return TomlText(where.source or "", text)


@cache
def _shipped(name: str) -> Board:
    return _board(name)


def _board(name_or_path: str | Path) -> Board:
    board, found = _read(_source(name_or_path))
    if board is None:
        raise found[0]
    return board


def _read(source: TomlText) -> tuple[Board | None, list[InputError]]:
    """Return the board, or None and what is wrong."""
    from satdip.board.mapcheck import MapReading

    try:
        whole = decode_toml(source.text, source.name)
    except InputError as error:
        return None, [error]
    reading = MapReading(source)
    board = reading.board(whole)
    return board, sorted(reading.problems, key=lambda problem: problem.where.line or 0)
