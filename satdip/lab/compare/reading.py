"""The phases of a corpus: records of JSON-lines files, order sheets, turns made in Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from satdip.base import intake
from satdip.base.errors import InputError, Where
from satdip.board.mapfile import map_names
from satdip.notation import LARGEST_TURN, read_lines, read_record, read_turn
from satdip.notation.record.decoding import has_json_lines
from satdip.phase.turn import Turn

__all__ = ["Item", "items", "read_file", "read_item"]


@dataclass(frozen=True, slots=True)
class Item:
    """A phase of a corpus that is not read yet.

    Args:
        source: the file that it stands in, or its number where it is no file's.
        line: the line in the file; None where it has the file for itself.
        what: the phase record, or the turn.
    """

    source: str
    line: int | None
    what: Mapping[str, object] | Turn

    @property
    def place(self) -> str:
        """``FILE:LINE``."""
        return self.source if self.line is None else f"{self.source}:{self.line}"


def items(phases: Iterable[str | Path | Turn]) -> Iterator[Item]:
    """Yield the phases of files and turns, one after the other.

    Args:
        phases: turns, and files as `read_file` reads them.

    Raises:
        InputError: a file cannot be read, or holds no phase.
    """
    for number, phase in enumerate(phases, start=1):
        if isinstance(phase, Turn):
            yield Item(f"phase {number}", None, phase)
        else:
            found = read_file(phase)
            if isinstance(found, Turn):
                yield Item(str(phase), None, found)
            else:
                yield from found


def read_file(path: str | Path) -> Turn | Iterator[Item]:
    """Read a file: JSON lines, gzip or not, as items; an order sheet or a single phase record as a turn.

    JSON lines are told by the name, ``.jsonl`` or ``.gz``, or by their first line, an object that others follow.

    Raises:
        InputError: the file cannot be read, or holds no phase.
    """
    if has_json_lines(Path(path), LARGEST_TURN):
        return _records(path)
    return read_turn(intake.read_file(path, LARGEST_TURN), source=str(path))


def read_item(item: Item) -> Turn | None:
    """Return the turn of an item; None when it is on a map that satdip does not know.

    Raises:
        InputError: its record is not sound.
    """
    if isinstance(item.what, Turn):
        return item.what
    if isinstance(name := item.what.get("map"), str) and name not in map_names():
        return None
    return read_record(item.what, source=item.source, line=item.line)


def _records(path: str | Path) -> Iterator[Item]:
    source, line = str(path), None
    for line, record in read_lines(path):
        yield Item(source, line, record)
    if line is None:
        raise InputError("there is no phase record in this file; write one JSON object a line", Where(source))
