"""The fields of a phase record: values of the right type, or an error with the path of the field."""

from __future__ import annotations

import re
from collections.abc import Mapping

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message
from satdip.board import Board
from satdip.notation.prose import quoted, short
from satdip.notation.words.vocabulary import vocabulary

__all__ = ["by_power", "in_field", "power_of", "table_of", "text_lists", "text_of", "texts_of", "wrong_type"]


def by_power(record: Mapping[str, object], key: str, board: Board) -> list[tuple[str, str, object]]:
    """Return what a field has for each power: the power, the path and the value.

    Args:
        record: the record.
        key: the field, an object by power; nothing where the record has no such field.
        board: the map whose powers these are.

    Raises:
        InputError: the field is no object, a key is no power, or a power is there twice.
    """
    values: list[tuple[str, str, object]] = []
    seen: dict[str, str] = {}
    for name, value in table_of(record, key).items():
        path = f"$.{key}.{name}"
        power = power_of(name, board, path)
        if seen.setdefault(power, name) != name:
            raise InputError(f"{power} is there twice, also as {quoted(seen[power])}", Where(path=path))
        values.append((power, path, value))
    return values


def text_lists(record: Mapping[str, object], key: str, board: Board) -> list[tuple[str, str, list[str]]]:
    """Return the lists of a field that has a list of texts for each power (arguments as `by_power`)."""
    return [(power, path, texts_of(value, path)) for power, path, value in by_power(record, key, board)]


def texts_of(value: object, path: str) -> list[str]:
    """Return a value that is a list of texts; else it is an error."""
    if not isinstance(value, list):
        raise wrong_type("a list", value, path)
    for text in value:
        if not isinstance(text, str):
            raise wrong_type("a text", text, f"{path}[{value.index(text)}]")
        if not text.isprintable():
            _check_line(text, f"{path}[{value.index(text)}]")
    return value


def text_of(record: Mapping[str, object], key: str, path: str = "$") -> str | None:
    """Return a field that is a text, or None where it is missing; else it is an error."""
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise wrong_type("a text", value, f"{path}.{key}")
    if value is not None:
        _check_line(value, f"{path}.{key}")
    return value


def _check_line(text: str, path: str) -> None:
    """Refuse a text that is not one line: what stands in a record is printed on one, and written into sheets.

    Raises:
        InputError: it has a line end or another control character.
    """
    if control := re.search("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]", text):
        character = f"U+{ord(control[0]):04X}"
        what = Message("there is a control character, {character}, so this is no text", character=character)
        raise InputError(what, Where(path=path))


def table_of(record: Mapping[str, object], key: str, path: str = "$") -> Mapping[str, object]:
    """Return a field that is an object, an empty one where it is missing; else it is an error."""
    value = record.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong_type("an object", value, f"{path}.{key}")
    return value


def power_of(name: str, board: Board, path: str | None = None) -> str:
    """Return the id of the power that is named; else it is an error."""
    if name in board.powers:
        return name
    if power := vocabulary(board, "en").powers.get(str(name).casefold()):
        return power.value
    raise InputError(
        f"{quoted(str(name))} is no power of this map; its powers are {', '.join(board.powers)}",
        Where(path=path and short(path)),
    )


def wrong_type(wanted: str, value: object, path: str) -> InputError:
    """Return the error about a value of the wrong type."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    what = names.get(type(value)) or f"the number {short(str(value))}"
    return InputError(f"{wanted} is expected here, not {what}", Where(path=path))


def in_field(error: InputError, path: str) -> InputError:
    """Return an error about a text as one about the field that holds it; a column within the text is told in words."""
    column = error.where.column
    return InputError(error.message if column is None else f"{error.message} (character {column})", Where(path=path))
