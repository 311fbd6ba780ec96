"""Games in the forms that other programs save them in, told by what they contain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from satdip.base.errors import InputError, Where
from satdip.base.intake import reading, unpacked
from satdip.crosschecking.records.daide import is_daide, read_daide
from satdip.crosschecking.records.saved_games import is_saved_game, saved_phases
from satdip.crosschecking.records.webdiplomacy import is_webdiplomacy, webdiplomacy_phases
from satdip.notation import decode_record, decode_text

__all__ = ["LARGEST", "game_phases", "game_records", "is_game", "read_games"]

LARGEST = 1 << 26
"""Bytes of the largest file of games."""
KNOWN = "games saved by the diplomacy package, games of webDiplomacy (JSON), and logs of DAIDE messages"


def is_game(value: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a game of the ``diplomacy`` package or of webDiplomacy."""
    return is_saved_game(value) or is_webdiplomacy(value)


def game_phases(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the phases of a game (see `is_game`) as phase records with what is recorded about their outcome.

    Raises:
        InputError: the game is not sound; the error has the path of the field.
    """
    return webdiplomacy_phases(value) if is_webdiplomacy(value) else saved_phases(value)


def read_games(text: str, source: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the phases of games as phase records.

    Args:
        text: a game as JSON, several of them with one to a line, or a log of DAIDE messages.
        source: its name, for errors.

    Raises:
        InputError: it is none of these, or not sound; the error has the line, and the path of the field or the column.
    """
    if is_daide(text):
        yield from read_daide(text, source)
        return
    for line, part in _objects(text):
        value = decode_record(part, source, line)
        if not is_game(value):
            raise InputError(f"this is no game; what can be read are {KNOWN}", Where(source, line))
        try:
            yield from game_phases(value)
        except InputError as error:
            raise error.at(source=source, line=line) from None


def game_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the phases of a file of games, packed by gzip or not (see `read_games`).

    Raises:
        InputError: the file cannot be read, is larger than `LARGEST`, or is not sound.
    """
    source = str(path)
    with reading(path), unpacked(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputError(f"the file has more than {LARGEST} bytes; split it", Where(source))
    yield from read_games(decode_text(data, source), source)


def _objects(text: str) -> Iterator[tuple[int, str]]:
    """Yield the JSON objects of a text with the lines that they begin on: one to a line, or one that is all of it."""
    lines = text.splitlines()
    alone = [line for line in lines if line.strip()]
    if len(alone) < 2 or not all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in alone[:2]):
        yield 1, text
        return
    yield from ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
