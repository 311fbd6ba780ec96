"""From bytes and text to phase records: UTF-8, JSON, files of one record a line."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, NoReturn, cast

from satdip.errors import InputError, Where
from satdip.messages import Message
from satdip.notation.prose import quoted

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["decode_record", "decode_text", "has_json_lines", "read_lines"]

LONGEST_LINE = 1 << 20  # bytes of the longest line of a file that is read as a record

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"


def decode_text(data: bytes, source: str | None = None, line: int = 1) -> str:
    """Return bytes as text.

    Args:
        data: UTF-8, with or without a byte order mark.
        source: where they come from, for errors.
        line: the number of their first line.

    Raises:
        InputError: they are no text; the error says which byte is none, and where.
    """
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start + (len(_BOM) if data.startswith(_BOM) else 0)
        byte = f"0x{data[at]:02x}"
        what = Message("byte {byte} at offset {at} is not UTF-8 text", byte=byte, at=at)
        raise InputError(what, _where(data[:at].decode("utf-8"), source, line)) from None
    if not text.isprintable() and (control := re.search(r"[\x00-\x08\x0e-\x1f]", text)):
        character = f"0x{ord(control[0]):02x}"
        what = Message("there is a control character, {character}, so this is no text", character=character)
        raise InputError(what, _where(text[: control.start()], source, line))
    return text


def decode_record(text: str, source: str | None = None, line: int | None = None) -> dict[str, object]:
    """Return a phase record as plain values.

    Args:
        text: a JSON object.
        source: where it comes from, for errors.
        line: the number of its first line; None for 1.

    Raises:
        InputError: it is not JSON, not an object, or has a key twice.
    """
    first = 1 if line is None else line
    text = text.removeprefix("\ufeff")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        what = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        if error.msg == "Extra data":
            what = "something follows the record; a file of several records has one a line"
        raise InputError(what, _where(text[: error.pos], source, first)) from None
    except InputError as error:
        raise InputError(error.message, _where(text[: _offence(text)], source, first)) from None
    except RecursionError:
        raise InputError("the record is nested too deeply", Where(source, first)) from None
    except ValueError:  # Python refuses to make a number of them
        raise InputError("a number in the record has thousands of digits", Where(source, first)) from None
    if not isinstance(value, dict):
        raise InputError("a phase record is an object: {...}", Where(source, first, 1))
    return cast(dict[str, object], value)


def read_lines(path: str | Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the records of a file of JSON lines, each with the number of its line; empty lines are passed over.

    Args:
        path: the file; gzip when it begins like gzip, whatever its name.

    Raises:
        InputError: the file cannot be read, or a line is no record.
    """
    from pathlib import Path  # loaded late: a single turn has no use for it

    source, number = str(path), 0
    try:
        with _open(Path(path)) as file:
            while data := file.readline(LONGEST_LINE):
                number += 1
                if len(data) == LONGEST_LINE:
                    raise InputError(f"a line of more than {LONGEST_LINE} bytes is no record", Where(source, number))
                if data.isspace():  # not worth decoding
                    continue
                text = decode_text(data.rstrip(b"\r\n"), source, number)
                if text.strip():
                    yield number, decode_record(text, source, number)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the file cannot be read: {reason}", Where(source)) from None


def has_json_lines(path: Path, longest: int) -> bool:
    """Tell JSON lines, by the name or by their first line: an object that others follow.

    Args:
        path: the file; what is none, as a pipe that can be read only once, is not looked into.
        longest: bytes of a line that are read at most.
    """
    if ".jsonl" in path.suffixes or path.suffix == ".gz":
        return True
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            first, second = file.readline(longest), file.readline(longest)
        return bool(second.strip()) and isinstance(json.loads(first), dict)
    except (OSError, ValueError, RecursionError):  # whatever is wrong with it is told by whoever reads it
        return False


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    """Open a file once, so that it may be a pipe, and unpack it when it is packed."""
    with path.open("rb") as file:
        if file.peek(len(_GZIP))[: len(_GZIP)] != _GZIP:
            yield file
            return
        import gzip  # loaded late: most files are not packed

        with gzip.open(file) as unpacked:
            yield cast(IO[bytes], unpacked)


def _where(before: str, source: str | None, line: int) -> Where:
    """Return the place after some text."""
    return Where(source, line + before.count("\n"), len(before) - (before.rfind("\n") + 1) + 1)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"the key {quoted(twice)} is there twice in one object")
    return table


def _constant(name: str) -> NoReturn:
    raise InputError(f"{name} is no JSON value")


def _offence(text: str) -> int:
    """Return where in a JSON text the first key stands that its object has already, or the first false constant."""
    seen: list[set[str]] = []
    for found in re.finditer(r'("(?:[^"\\]|\\.)*")(\s*:)?|[{}]|-?Infinity|NaN', text, re.DOTALL):
        if found[0] == "{":
            seen.append(set())
        elif found[0] == "}":
            seen.pop()
        elif not found[1]:
            return found.start()
        elif found[2]:
            key = json.loads(found[1])
            if key in seen[-1]:
                return found.start()
            seen[-1].add(key)
    return 0
