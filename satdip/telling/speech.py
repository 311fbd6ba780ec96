"""Telling things in a language: sentences from the catalogues, names from the maps.

A language is a value that is handed down to whatever tells something. English is the language of the sources, so its
sentences need no catalogue; the others have one in ``locale/LANGUAGE/LC_MESSAGES/satdip.po``, with the English
sentence as the key. It is loaded when the first sentence is told in that language.

A template may ask for a form of a name: ``{place:in}`` is "en Espagne" in French, and "Spain" in English, which has no
such form (`satdip.board.names`). Words that go with a number are chosen by the template, too (`satdip.base.messages`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Self

from satdip.base.errors import InputError
from satdip.base.messages import Message, Plural, english_plural, filled
from satdip.base.printable import Raw, as_word
from satdip.base.shipped import read
from satdip.board import Board
from satdip.board.names import Name, local_names
from satdip.phase.position import Phase, Unit

__all__ = ["ENGLISH", "LISTS", "PHASE_TERMS", "UNIT_FORMS", "Speech", "Spoken", "speech_languages"]

LISTS = {"and": "{most} and {last}", "or": "{most} or {last}"}
"""How the last word of a list is joined to the others."""

UNIT_FORMS = {"A": "{power}'s A {place}", "F": "{power}'s F {place}"}
"""How a unit and its power are told, ``{unit:owned}``."""

PHASE_TERMS = ("S{year}M", "S{year}R", "F{year}M", "F{year}R", "W{year}A", "movement", "retreats", "adjustments")
"""The phases, and their kinds as in "the movement phase"."""


class Spoken(str):
    """A name or a list of names as a sentence has it, with the forms that a template may ask for.

    Args:
        form: form -> how the name is told; the plain one is the empty form.
        number: how many are named.
    """

    form: Callable[[str], str]
    number: int

    def __new__(cls, form: Callable[[str], str], number: int = 1) -> Self:
        """Return the plain form."""
        self = super().__new__(cls, form(""))
        self.form, self.number = form, number
        return self

    def __format__(self, spec: str) -> str:
        return self.form(spec)


@dataclass(frozen=True, slots=True)
class Speech:
    """A language to tell things in.

    Args:
        language: its code, one of `speech_languages`.

    Raises:
        InputError: nothing can be told in that language.
    """

    language: str = "en"

    def __post_init__(self) -> None:
        if self.language != "en" and self.language not in speech_languages():
            known = ", ".join(speech_languages())
            raise InputError(f"nothing can be told in {self.language!r}; the languages are {known}")

    # ------------------------------------------------------------------ sentences

    def say(self, sentence: str, /, **words: object) -> str:
        """Return a sentence in this language.

        Args:
            sentence: the English template.
            words: what is put in.
        """
        if not sentence:
            return ""
        catalogue = _catalogue(self.language)
        return filled(catalogue.gettext(sentence), words, catalogue.plural)

    def term(self, context: str, word: str) -> str:
        """Return a word by itself.

        Args:
            context: the kind of word: ``outcome``, or ``phase`` for `PHASE_TERMS`.
            word: in English.
        """
        return _catalogue(self.language).pgettext(context, word)

    def tell(self, text: str) -> str:
        """Return a sentence that was made elsewhere in this language, as far as it remembers how it was made."""
        match text:
            case Name():
                return text if text.coded and self.language == "en" else self.name(text.location, text.board)
            case Message():
                words = {key: self.tell(word) if isinstance(word, str) else word for key, word in text.words.items()}
                return self.say(text.template, **words)
            case _:
                return Spoken(lambda _: text) if text.isprintable() else Raw(text)  # no name: it has one form

    # ------------------------------------------------------------------ names

    def name(self, location: str, board: Board) -> Spoken:
        """Return the name of a location or power; it has the forms of `satdip.board.names`."""
        names = local_names(board, self.language)
        return Spoken(lambda form: names.name(location, form))

    def unit(self, unit: Unit, board: Board) -> Spoken:
        """Return ``A Munich``, ``F St Petersburg(nc)``; in the form ``owned``, ``Germany's A Munich``."""
        place, power = self.name(unit.location, board), self.name(unit.power, board)

        def form(spec: str) -> str:
            if spec == "owned":
                return self.say(UNIT_FORMS[unit.kind], power=power, place=place)
            return f"{unit.kind} {place}"

        return Spoken(form)

    def phase(self, phase: Phase) -> str:
        """Return a phase: ``S1901M``, ``printemps 1901``."""
        return self.term("phase", f"{phase.season}{{year}}{phase.kind}").format(year=phase.year)

    def listed(self, words: Iterable[str], last: str = "") -> Spoken:
        """Return ``a, b, c``, or with `last` ``a, b and c`` or ``a, b or c``.

        Args:
            words: what is listed; a form of the list is that of its words.
            last: ``and`` or ``or`` before the last word; a form asks for it after its own name: ``{places:in or}``.
        """
        words = tuple(words)

        def form(spec: str) -> str:
            own, _, wanted = spec.partition(" ")
            told = [format(as_word(word), own) for word in words]
            template = LISTS.get(wanted or last)
            if template is None or len(told) < 2:
                return ", ".join(told)
            return self.say(template, most=", ".join(told[:-1]), last=told[-1])

        return Spoken(form, len(words))


ENGLISH = Speech()


@cache
def speech_languages() -> tuple[str, ...]:
    """Return the codes of the languages in which results can be told."""
    from importlib.resources import files  # loaded late: it is slow to import

    return tuple(sorted({"en", *(entry.name for entry in (files("satdip") / "locale").iterdir() if entry.is_dir())}))


@dataclass(frozen=True)
class _Catalogue:
    """The sentences of a language.

    Args:
        gettext: English template -> template.
        pgettext: context, English word -> word.
        plural: chooses between the forms of a word.
    """

    gettext: Callable[[str], str]
    pgettext: Callable[[str, str], str]
    plural: Plural


@cache
def _catalogue(language: str) -> _Catalogue:
    import gettext
    from io import BytesIO

    if language == "en":
        own = gettext.NullTranslations()
        return _Catalogue(own.gettext, own.pgettext, english_plural)
    other = gettext.GNUTranslations(BytesIO(read(f"locale/{language}/LC_MESSAGES/satdip.mo")))
    return _Catalogue(other.gettext, other.pgettext, other.plural)  # type: ignore[attr-defined]  # read from the file
