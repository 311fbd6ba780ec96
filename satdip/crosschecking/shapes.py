"""What JSON values have to look like: each shape refuses what does not, and says where."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from satdip.base.errors import InputError, Where
from satdip.base.printable import short, shown
from satdip.notation.prose import either

__all__ = ["DIFFERENCES", "Shape", "each", "every", "fields", "mapping", "one_of", "text", "whole"]

Shape = Callable[[object, str], None]
"""Takes a value and where it stands (``$.engines``), and raises an `InputError` where it is another."""


def text(value: object, path: str) -> None:
    """Refuse what is no text."""
    if not isinstance(value, str):
        raise _expected("a text", path)


def whole(value: object, path: str) -> None:
    """Refuse what is no whole number from 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _expected("a whole number", path)


def mapping(value: object, path: str) -> None:
    """Refuse what is no object."""
    if not isinstance(value, Mapping):
        raise _expected("an object", path)


def one_of(words: Collection[str]) -> Shape:
    """Return the shape of one of some words."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, str) or value not in words:
            raise _expected(either(words) if len(words) < 10 else "a known name", path)

    return check


def each(shape: Shape, least: int = 0) -> Shape:
    """Return the shape of a list of values of a shape."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, list) or len(value) < least:
            raise _expected("a list" if not least else "a list with something in it", path)
        for number, item in enumerate(value):
            shape(item, f"{path}[{number}]")

    return check


def every(shape: Shape) -> Shape:
    """Return the shape of an object whose values have a shape, whatever its keys are."""

    def check(value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise _expected("an object", path)
        for key, item in value.items():
            shape(item, f"{path}.{short(shown(key))}")

    return check


def fields(needed: Mapping[str, Shape], more: Mapping[str, Shape] | None = None) -> Shape:
    """Return the shape of an object with some keys, with others if need be, and with none beside them."""
    known = {**needed, **(more or {})}

    def check(value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise _expected("an object", path)
        for key in needed:
            if key not in value:
                raise InputError(f"the key {key!r} is missing", Where(path=path))
        for key, item in value.items():
            if key not in known:
                raise InputError("this key is not known", Where(path=f"{path}.{short(shown(key))}"))
            known[key](item, f"{path}.{key}")

    return check


def _expected(what: str, path: str) -> InputError:
    return InputError(f"{what} is expected here", Where(path=path))


DIFFERENCES = each(fields({"what": text, "at": text, "satdip": each(text), "engine": each(text)}), least=1)
"""Where two answers differ (see `satdip.crosschecking.engines.Difference`)."""
