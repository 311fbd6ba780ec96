"""The words people write: the lexicon of a language.

Words are compared without capitals, accents, dots and spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from satdip.base.errors import InputError
from satdip.base.messages import Message, joined
from satdip.base.shipped import toml
from satdip.notation.prose import quoted

__all__ = ["AUTO", "Lexicon", "Meaning", "languages", "lexicon", "parts_of", "squash"]

AUTO = "auto"
"""Stands for the language that a sheet states, or that its words tell."""

_LANGUAGES = ("en", "fr")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word stands for.

    Args:
        terminal: its terminal in the grammar: PLACE, POWER, SUPPORT, ...
        value: the id of the place, power, coast or kind of unit; empty for other words.
        name: how it is properly written.
    """

    terminal: str
    value: str
    name: str


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words of one language.

    Args:
        language: its code, ``en``.
        words: every written form with its meaning; places and powers are not among them.
        sides: squashed word for a side -> the coast that it means behind the name of a place.
        headers: squashed header of an order sheet -> its key.
        header_names: key of a header -> how it is properly written.
        writing: the words of the long form that satdip writes.
        seasons: squashed word for a season -> its letter; empty where phases are written in letters only.
        kinds: squashed word for a kind of phase -> its letter.
        called: squashed names of the language itself.
        collisions: word or sign -> terminals that it may also have; it is not followed where its own makes no order.
        elisions: what may stand before a name without a space, as in "l'Espagne".
        particles: what may be left out within a name, as in "Mer du Nord".
        also: the language whose words are understood as well, None for none.
        own: how many of the words are this language's own; those of the other one follow them.
    """

    language: str
    words: tuple[tuple[str, Meaning], ...]
    sides: Mapping[str, str]
    headers: Mapping[str, str]
    header_names: Mapping[str, str]
    writing: Mapping[str, str]
    seasons: Mapping[str, str]
    kinds: Mapping[str, str]
    called: frozenset[str]
    collisions: Mapping[str, tuple[str, ...]]
    elisions: tuple[str, ...]
    particles: tuple[str, ...]
    also: str | None
    own: int

    def call(self, terminal: str) -> str:
        """Return the word by which an error calls a terminal of the grammar."""
        return next((form for form, meaning in self.words if meaning.terminal == terminal), terminal)


@lru_cache(maxsize=1 << 14)
def squash(text: str) -> str:
    """Return the letters and digits of a text, without capitals and accents: what comparison sees of it."""
    if text.isascii():
        if text.isalnum():
            return text.lower()
    else:
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return "".join(c for c in text.casefold() if c.isalnum())


def parts_of(form: str) -> tuple[str, ...]:
    """Return the words of a form, squashed; they are divided as the lexer divides a text."""
    words = [form] if form.isalnum() else re.split(r"[\s._-]+", form)
    return tuple(filter(None, map(squash, words)))


def languages() -> tuple[str, ...]:
    """Return the codes of the languages in which orders are understood; each has a ``lexicon_CODE.toml``."""
    return _LANGUAGES


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of a language.

    Raises:
        InputError: there is none for it.
    """
    if language not in languages():
        known = joined(languages())
        what = Message(
            "orders are not understood in {language}; the languages are {known}", language=quoted(language), known=known
        )
        raise InputError(what)
    table = toml(f"notation/words/lexicon_{language}.toml")

    def words() -> Iterator[tuple[str, Meaning]]:
        for terminal, section in (("KIND", table["kinds"]), ("COAST", table["coasts"])):
            for value, forms in section.items():
                yield from ((form, Meaning(terminal, value, forms[:2][-1])) for form in forms)  # "army", not "A"
        for terminal, forms in table["words"].items():
            yield from ((form, Meaning(terminal, "", form)) for form in forms)

    own_words = tuple(words())
    own = Lexicon(
        language=language,
        words=own_words,
        sides={squash(form): coast for coast, forms in table["sides"].items() for form in forms},
        headers={squash(form): key for key, forms in table["headers"].items() for form in forms},
        header_names={key: forms[0] for key, forms in table["headers"].items()},
        writing=table["write"],
        seasons={squash(form): key for key, forms in table.get("seasons", {}).items() for form in forms},
        kinds={squash(form): key for key, forms in table.get("phases", {}).items() for form in forms},
        called=frozenset(map(squash, (language, *table["called"]))),
        collisions={form: tuple(terminals) for form, terminals in table.get("collisions", {}).items()},
        elisions=tuple(table.get("elisions", ())),
        particles=tuple(table.get("particles", ())),
        also=table.get("also"),
        own=len(own_words),
    )
    if own.also is None:
        return own
    other = lexicon(own.also)
    return replace(
        own,
        words=own.words + other.words,
        sides={**other.sides, **own.sides},
        headers={**other.headers, **own.headers},
        header_names={**other.header_names, **own.header_names},
        writing={**other.writing, **own.writing},
    )
