"""From bytes and text to phase records: UTF-8, JSON, files of one record a line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from satdip.base.errors import InputError, Where
from satdip.base.intake import decode_json, decode_text, reading, unpacked

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["decode_record", "decode_text", "has_json_lines", "read_lines"]

LONGEST_LINE = 1 << 20  # bytes of the longest line of a file that is read as a record


def decode_record(text: str, source: str | None = None, line: int | None = None) -> dict[str, object]:
    """Return a phase record as plain values.

    Args:
        text: a JSON object.
        source: where it comes from, for errors.
        line: the number of its first line; None for 1.

    Raises:
        InputError: it is not JSON, not an object, or has a key twice.
    """
    value = decode_json(text, source, line)
    if not isinstance(value, dict):
        raise InputError("a phase record is an object: {...}", Where(source, 1 if line is None else line, 1))
    return cast(dict[str, object], value)


def read_lines(path: str | Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the records of a file of JSON lines, each with the number of its line; empty lines are passed over.

    Args:
        path: the file; gzip when it begins like gzip, whatever its name.

    Raises:
        InputError: the file cannot be read, or a line is no record.
    """
    source, number = str(path), 0
    with reading(path), unpacked(path) as file:
        while data := file.readline(LONGEST_LINE):
            number += 1
            if len(data) == LONGEST_LINE:
                raise InputError(f"a line of more than {LONGEST_LINE} bytes is no record", Where(source, number))
            if data.isspace():  # not worth decoding
                continue
            text = decode_text(data.rstrip(b"\r\n"), source, number)
            if text.strip():
                yield number, decode_record(text, source, number)


def has_json_lines(path: Path, longest: int) -> bool:
    """Tell JSON lines, by the name or by their first line: an object that others follow.

    Args:
        path: the file; what is none, as a pipe that can be read only once, is not looked into.
        longest: bytes of a line that are read at most.
    """
    if ".jsonl" in path.suffixes or path.suffix == ".gz":
        return True
    if not os.path.isfile(path):  # noqa: PTH113 -- no error of a name that cannot be one
        return False
    try:
        with path.open("rb") as file:
            first, second = file.readline(longest), file.readline(longest)
        return bool(second.strip()) and isinstance(decode_json(first.decode("utf-8")), dict)
    except (OSError, ValueError):  # whatever is wrong with it is told by whoever reads it
        return False
