"""What comes from outside: files, and the JSON and TOML in them, read within bounds.

Every reader of records, sheets, rulebooks, maps, certificates and results goes through here. What is too large, too
deep or too long is refused before anything is made of it, so that no input costs more than its size, and nothing that
is read later can be deeper than the code that walks it.
"""

from __future__ import annotations

import json
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import IO, TYPE_CHECKING, NoReturn, cast

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message
from satdip.base.printable import short

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

__all__ = [
    "DEEPEST",
    "LARGEST",
    "decode_json",
    "decode_text",
    "decode_toml",
    "open_file",
    "read_file",
    "reading",
    "unpacked",
]

LARGEST = 1 << 24  # bytes or characters of a JSON text; readers of smaller things have smaller bounds
DEEPEST = 64  # values within values; a certificate, the deepest thing that satdip writes, has eight
LONGEST_KEY = 200  # characters of a key
LONGEST_NUMBER = 40  # characters; the largest number of 128 bits has as many
MOST_PARTS = 8  # of a dotted key in TOML; a rulebook needs four
PATIENCE = 3.0  # seconds until a pipe into which nobody writes is given up

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"


# ---------------------------------------------------------------------- files


def open_file(name: str | Path) -> BufferedReader:
    """Open a file that the user has named.

    A pipe is opened as soon as somebody writes into it. Devices are refused, but for the null device and those that
    the process was started with (``/dev/stdin``, ``/dev/fd/3``): they have no end.

    Args:
        name: the path of a file.

    Raises:
        OSError: there is no such file, or it cannot be read.
    """
    try:
        mode = os.stat(name).st_mode  # noqa: PTH116
    except ValueError as error:  # the name cannot be that of a file
        raise OSError(str(error)) from None
    if stat.S_ISFIFO(mode):
        return os.fdopen(_pipe(name), "rb")
    if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and not _is_handed_down(str(name)):
        raise OSError("it is a device; name a file, or write - for standard input")
    return open(name, "rb")  # noqa: PTH123 -- as pathlib, which is slow to import; who asks closes it


def read_file(name: str | Path, most: int, noun: str = "file") -> bytes:
    """Return what a file holds, as far as it is wanted.

    Args:
        name: the path of a file.
        most: how many bytes it may have; one more is read, to see that it is too large.
        noun: what it is, for errors.

    Raises:
        InputError: the file cannot be read.
    """
    with reading(name, noun), open_file(name) as file:
        return file.read(most + 1)


@contextmanager
def unpacked(name: str | Path) -> Iterator[IO[bytes]]:
    """Open a file once, so that it may be a pipe, and unpack it when it is packed.

    Args:
        name: the path; the file is gzip when it begins like gzip, whatever its name.

    Raises:
        OSError: as `open_file`, also while it is read; or it unpacks to far more than records do.
        EOFError: a packed file ends too early, while it is read.
        zlib.error: a packed file is damaged, while it is read.
    """
    with open_file(name) as file:
        if file.peek(len(_GZIP))[: len(_GZIP)] != _GZIP:
            yield file
            return
        from satdip.base.unpacking import unpack  # loaded late: most files are not packed

        with unpack(file) as contents:
            yield contents


@contextmanager
def reading(name: str | Path, noun: str = "file") -> Iterator[None]:
    """Turn what goes wrong with a file into one sentence.

    Args:
        name: its path.
        noun: what it is.
    """
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        what: str = Message("the file cannot be read: {reason}", reason=reason)
        if noun != "file":
            what = f"the {noun} cannot be read: {reason}"
        raise InputError(what, Where(str(name))) from None


def _is_handed_down(name: str) -> bool:
    return name in (os.devnull, "/dev/stdin") or name.startswith(("/dev/fd/", "/proc/self/fd/"))


def _pipe(name: str | Path) -> int:
    """Open a pipe into which somebody writes; the descriptor of the end to read from.

    Raises:
        OSError: nobody does.
    """
    from concurrent.futures import Future  # loaded late: files are seldom pipes
    from threading import Thread

    opened: Future[int] = Future()

    def wait_for_writer() -> None:
        try:
            opened.set_result(os.open(name, os.O_RDONLY))
        except OSError as error:
            opened.set_exception(error)

    Thread(target=wait_for_writer, daemon=True).start()
    try:
        return opened.result(PATIENCE)
    except TimeoutError:
        with suppress(OSError):  # let the thread go
            os.close(os.open(name, os.O_WRONLY | os.O_NONBLOCK))
            os.close(opened.result(PATIENCE))
        raise OSError("it is a pipe into which nobody writes") from None


# ---------------------------------------------------------------------- text


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


def _where(before: str, source: str | None, line: int) -> Where:
    """Return the place after some text."""
    return Where(source, line + before.count("\n"), len(before) - (before.rfind("\n") + 1) + 1)


# ---------------------------------------------------------------------- JSON


def decode_json(text: str, source: str | None = None, line: int | None = None, noun: str = "record") -> object:
    """Return a JSON text as plain values.

    Args:
        text: the text.
        source: where it comes from, for errors.
        line: the number of its first line; None for 1.
        noun: what it should be, for errors.

    Raises:
        InputError: it is no JSON or beyond a bound, has a key twice, or holds half a character.
    """
    first = 1 if line is None else line
    if len(text) > LARGEST:
        raise InputError(f"this is too large for a {noun}, which has at most {LARGEST} characters", Where(source, line))
    text = text.removeprefix("\ufeff")
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        what = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        if error.msg == "Extra data":
            what = "something follows the record; a file of several records has one a line"
            if noun != "record":
                what = f"something follows the {noun}"
        raise InputError(what, _where(text[: error.pos], source, first)) from None
    except InputError as error:
        raise InputError(error.message, _where(text[: _offence(text)], source, first)) from None
    except RecursionError:
        raise InputError(f"the {noun} is nested too deeply", Where(source, first)) from None
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        raise InputError(f"the {noun} is nested too deeply", Where(source, first))
    if "\\ud" in text or "\\uD" in text or not (text.isascii() or _is_whole(text)):
        _refuse_halves(value, noun, Where(source, line))
    return value


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise InputError(f"the key {short(twice)!r} is there twice in one object")
    for key in table:
        if len(key) > LONGEST_KEY:
            raise InputError(f"the key {short(key)!r} is longer than {LONGEST_KEY} characters")
    return table


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise InputError(f"the number {short(digits)} has more than {LONGEST_NUMBER} digits")
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits) if len(digits) <= LONGEST_NUMBER else inf
    if number in (inf, -inf):  # beyond what 64 bits can hold
        raise InputError(f"the number {short(digits)} is too large, or has too many digits")
    return number


def _constant(name: str) -> NoReturn:
    raise InputError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_fraction, parse_constant=_constant
)


def _is_deep(value: object) -> bool:
    """Return whether values lie within values more than `DEEPEST` times."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else cast(list[object], holder))
            if isinstance(item, (dict, list))
        ]
        if not level:
            return False
    return True


def _is_whole(text: str) -> bool:
    return re.search("[\ud800-\udfff]", text) is None


def _refuse_halves(value: object, noun: str, where: Where) -> None:
    """Refuse texts with half of a character that JSON writes as two: no file, pipe or page takes them.

    Raises:
        InputError: there is one; the error has its path.
    """
    waiting: list[tuple[str, object]] = [("$", value)]
    while waiting:
        path, item = waiting.pop()
        match item:
            case str() if not _is_whole(item):
                what = f"a text in the {noun} has half of a character that is written as two, {short(item)!r}"
                raise InputError(what, Where(where.source, where.line, None, short(path)))
            case list():
                waiting += ((f"{path}[{number}]", part) for number, part in enumerate(item))
            case dict():
                for key, part in item.items():
                    waiting += (path, key), (f"{path}.{short(key)}", part)


def _offence(text: str) -> int:
    """Return where in a JSON text the first thing stands that JSON allows and we do not.

    Such are a key that its object has already, a key or a number that is too long, and a false constant.
    """
    seen: list[set[str]] = []
    tokens = r'("(?:[^"\\]|\\.)*+")(\s*+:)?|[{}]|-?(?:Infinity|\d[-+.\deE]*+)|NaN'
    for found in re.finditer(tokens, text, re.DOTALL):
        if found[0] == "{":
            seen.append(set())
        elif found[0] == "}":
            seen.pop()
        elif not found[1]:
            if not _is_number(found[0]):
                return found.start()
        elif found[2]:
            key = json.loads(found[1])
            if key in seen[-1] or len(key) > LONGEST_KEY:
                return found.start()
            seen[-1].add(key)
    return 0


def _is_number(text: str) -> bool:
    """Return whether a number is within the bounds."""
    if text.lstrip("-")[:1] in "NI":  # NaN, Infinity
        return False
    try:
        (_integer if re.fullmatch(r"-?\d+", text) else _fraction)(text)
    except ValueError:  # an InputError is one
        return False
    return True


# ---------------------------------------------------------------------- TOML

_TOML_TOKEN = re.compile(
    r'''(?P<text>"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\\?\Z)|\'\'\'(?:[^']|'(?!''))*+(?:\'\'\'|\Z)'''
    r"""|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)|\#[^\n]*+|(?P<word>[\w+-]++)|(?P<sign>[\[\]{}])|(?P<dot>\.)|(?P<end>[\n=,])""",
    re.DOTALL,
)


def decode_toml(text: str, source: str | None = None) -> dict[str, object]:
    """Return a TOML text as plain values.

    Args:
        text: the text; whoever reads it from a file has bounded its size.
        source: where it comes from, for errors.

    Raises:
        InputError: it is no TOML, or beyond a bound; the error says where.
    """
    import tomllib  # loaded late: it is slow to import

    _check_toml(text, source)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        at = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        what = str(error)[: at.start()] if at else str(error)
        line, column = (int(at[1]), int(at[2])) if at else (text.count("\n") + 1, None)
        raise InputError(f"this is not TOML: {what}", Where(source, line, column)) from None


def _check_toml(text: str, source: str | None) -> None:
    """Refuse nested values, long keys and long numbers, without reading the text as TOML.

    A dotted key costs the reader of TOML the square of its parts, and a nested value one frame each.

    Raises:
        InputError: there is one.
    """
    depth = dots = 0

    def refuse(what: str, at: int) -> NoReturn:
        raise InputError(what, _where(text[:at], source, 1))

    for token in _TOML_TOKEN.finditer(text):
        word = token["word"]
        if word is not None and len(word) > LONGEST_NUMBER and (word[0].isdigit() or word[0] in "+-"):
            refuse(f"the number {short(word)} has more than {LONGEST_NUMBER} digits", token.start())
        elif word is not None and len(word) > LONGEST_KEY:
            refuse(f"the word {short(word)!r} is longer than {LONGEST_KEY} characters", token.start())
        elif token["dot"]:
            dots += 1
            if dots >= MOST_PARTS:
                refuse(f"a key has at most {MOST_PARTS} parts", token.start())
        elif token["end"]:
            dots = 0
        elif token["sign"]:
            dots = 0
            depth = max(0, depth + (1 if token["sign"] in "[{" else -1))
            if depth > DEEPEST:
                refuse("the values are nested too deeply", token.start())
