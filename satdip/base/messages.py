"""Sentences that remember how they were made, so that they can be told in another language.

The catalogues of other languages have the templates of these sentences; `satdip.telling.speech` looks them up.

A template is one of `str.format` in which a field may choose between words by how many its value is:
``{number} {number:unit moves|units move}``, ``{units} {units:retreats|retreat} there too``. A number is as many as it
says, a list as many as it has words. The words stand in the sequence of the language's plural forms. A word for nothing
is asked for by ``or``: ``{number:or no} {number:unit moves|units move}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from string import Formatter
from typing import Any, Self

from satdip.base.printable import as_word

__all__ = ["Message", "Plural", "english", "english_plural", "filled", "joined"]

Plural = Callable[[int], int]
"""Number -> which of a language's forms goes with it, from 0; catalogues state it as ``Plural-Forms``."""


def english_plural(number: int) -> int:
    """Return the form that goes with a number in English: 0 for one, 1 for all others."""
    return int(number != 1)


def filled(template: str, words: Mapping[str, object], plural: Plural = english_plural) -> str:
    """Return a template with its words put in.

    Args:
        template: the template.
        words: what is put in, plain texts as they are shown (`satdip.base.printable`); a word that is many has a
            length, or tells by ``number`` how many it is.
        plural: chooses between the forms.
    """
    words = {name: as_word(word) for name, word in words.items()}
    if "|" not in template:
        return template.format_map(words)
    return _ByNumber(plural).vformat(template, (), words)


def english(template: str, /, **words: object) -> str:
    """Return a sentence that is told in English only."""
    return filled(template, words)


class _ByNumber(Formatter):
    """Formatting in which ``{number:one|several}`` stands for a word."""

    def __init__(self, plural: Plural) -> None:
        self._plural = plural

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[self._plural(_many(value))]
        if format_spec.startswith("or "):
            return str(value) if value else format_spec.removeprefix("or ")
        return format(value, format_spec)


def _many(value: object) -> int:
    """Return how many a word is."""
    match value:
        case int():
            return value
        case str():
            return int(getattr(value, "number", 1))
        case Sized():
            return len(value)
        case _:
            return 1


class Message(str):
    """An English sentence, together with its template and the words that were put into it.

    It is a string, and all that handles strings handles it; the words may be such sentences themselves.

    Args:
        template: as for `filled`.
        words: what is put in.
    """

    template: str
    words: Mapping[str, object]

    def __new__(cls, template: str, /, **words: object) -> Self:
        """Return the sentence."""
        self = super().__new__(cls, filled(template, words))
        self.template, self.words = template, words
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:  # a copy is made as the first was
        return (self.template,), dict(self.words)


def joined(parts: Iterable[str], separator: str = ", ") -> str:
    """Return texts one after the other; those that are messages stay messages."""
    words = {f"part{number}": part for number, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in words), **words)
