"""Reading a JSON value strictly: every key known, every value of its kind, nothing too large."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from satdip.base.printable import short, shown

__all__ = [
    "LONGEST",
    "Checked",
    "Wrong",
    "fields",
    "integers",
    "items",
    "quoted",
    "same",
    "tables",
    "text",
    "texts",
    "texts_by_power",
]

LONGEST = 20_000
"""Items of a list, or keys of an object."""
LONGEST_TEXT = 500
LONGEST_QUOTE = 40
"""Characters of a text that a sentence repeats."""

T = TypeVar("T")


class Checked(NamedTuple):
    """What a part of a valid certificate shows, and what had to be assumed for it, a sentence each."""

    claims: Sequence[str]
    assumed: Sequence[str] = ()


class Wrong(Exception):  # noqa: N818 -- it tells what is wrong with a certificate
    """A certificate is not valid; the text is one sentence that says why."""


def quoted(text: str) -> str:
    """Return a text of the certificate as a sentence may repeat it: in quotes, on one line, cut off if it is long."""
    return repr(short(text, LONGEST_QUOTE))


def fields(value: object, where: str, names: Iterable[str]) -> Mapping[str, Any]:
    """Return an object that has exactly these keys.

    Raises:
        Wrong: it is something else.
    """
    wanted = tuple(names)
    if not isinstance(value, dict) or len(value) > LONGEST:
        raise Wrong(f"{where} must be an object with the keys {', '.join(wanted)}")
    for name in wanted:
        if name not in value:
            raise Wrong(f"{where} lacks the key {name!r}")
    for name in value:
        if name not in wanted:
            raise Wrong(f"{where} has the key {quoted(name)}, which is none of {', '.join(wanted)}")
    return value


def items(value: object, where: str) -> list[Any]:
    """Return a list that is not too long.

    Raises:
        Wrong: it is something else.
    """
    if not isinstance(value, list):
        raise Wrong(f"{where} must be a list")
    if len(value) > LONGEST:
        raise Wrong(f"{where} has more than {LONGEST} items")
    return value


def tables(value: object, where: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
    """Return the items of a list, each read by a function."""
    return tuple(read(item, f"{where}[{number}]") for number, item in enumerate(items(value, where)))


def integers(value: object, where: str, most: int) -> tuple[int, ...]:
    """Return a list of integers from -`most` to `most`, zero excluded.

    Raises:
        Wrong: it is something else.
    """
    found = items(value, where)
    for number in found:
        if type(number) is not int or not 0 < abs(number) <= most:  # True is an int, too
            raise Wrong(f"{where} must hold numbers from 1 to {most}, or their negations")
    return tuple(found)


def text(value: object, where: str) -> str:
    """Return a short text.

    Raises:
        Wrong: it is something else.
    """
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise Wrong(f"{where} must be a text of at most {LONGEST_TEXT} characters")
    return value


def texts(value: object, where: str) -> tuple[str, ...]:
    """Return a list of short texts."""
    return tables(value, where, text)


def texts_by_power(value: object, where: str) -> dict[str, tuple[str, ...]]:
    """Return an object of lists of texts whose keys are sorted.

    Raises:
        Wrong: it is something else.
    """
    if not isinstance(value, dict) or len(value) > LONGEST:
        raise Wrong(f"{where} must be an object of lists")
    if list(value) != sorted(value):
        raise Wrong(f"the keys of {where} must be in alphabetical order")
    return {power: texts(listed, f"{where}.{shown(short(power, LONGEST_QUOTE))}") for power, listed in value.items()}


def same(stated: object, derived: object, where: str) -> None:
    """Compare what a certificate states with what was derived from its orders.

    Raises:
        Wrong: they differ.
    """
    if _plain(stated) != _plain(derived):
        right, found = _short(derived), _short(stated)
        raise Wrong(f"{where} is not what follows from the rest: it must be {right}, not {found}")


def _plain(value: object) -> str:
    return json.dumps(value, sort_keys=True)  # tells 1 from true, as Python does not


def _short(value: object) -> str:
    return short(re.sub(" {2,}", " ", json.dumps(value)), 200)
