"""Telling things in a language: sentences from the catalogues, names from the maps.

A language is a value that is handed down to whatever tells something. English is the language of the sources, so its
sentences need no catalogue; the others have one in ``locale/LANGUAGE/LC_MESSAGES/satdip.po``, with the English
sentence as the key. It is loaded when the first sentence is told in that language.

A template may ask for a form of a name: ``{place:in}`` is "en Espagne" in French, and "Spain" in English, which has no
such form (`satdip.localnames`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from satdip.board import Board
from satdip.errors import InputError
from satdip.localnames import Name, local_names
from satdip.messages import Message
from satdip.position import Phase, Unit

if TYPE_CHECKING:
    from gettext import NullTranslations

__all__ = ["ENGLISH", "UNIT_FORMS", "Speech", "Spoken", "speech_languages"]

UNIT_FORMS = {"A": "the {power:feminine} army {place:from}", "F": "the {power:feminine} fleet {place:from}"}
"""How a unit is told in full, ``{unit:full}``, for languages whose grammar needs it."""


class Spoken(str):
    """A name or a list of names as a sentence has it, with the forms that a template may ask for.

    Args:
        form: form -> how the name is told; the plain one is the empty form.
    """

    form: Callable[[str], str]

    def __new__(cls, form: Callable[[str], str]) -> Spoken:
        """Return the plain form."""
        self = super().__new__(cls, form(""))
        self.form = form
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
        template = _catalogue(self.language).gettext(sentence) if sentence else ""
        return template.format_map(words)

    def count(self, one: str, several: str, number: int, /) -> str:
        """Return how many there are; the templates, in the singular and in the plural, have ``{number}``."""
        return _catalogue(self.language).ngettext(one, several, number).format(number=number)

    def term(self, context: str, word: str) -> str:
        """Return a word by itself.

        Args:
            context: the kind of word: ``outcome``, ``phase``.
            word: in English.
        """
        return _catalogue(self.language).pgettext(context, word)

    def tell(self, text: str) -> str:
        """Return a sentence that was made elsewhere in this language, as far as it remembers how it was made."""
        match text:
            case Name():
                return self.name(text.location, text.board)
            case Message():
                words = {key: self.tell(word) if isinstance(word, str) else word for key, word in text.words.items()}
                return self.say(text.template, **words)
            case _:
                return text

    # ------------------------------------------------------------------ names

    def name(self, location: str, board: Board) -> Spoken:
        """Return the name of a location or power; it has the forms of `satdip.localnames`."""
        names = local_names(board, self.language)
        return Spoken(lambda form: names.name(location, form))

    def unit(self, unit: Unit, board: Board) -> Spoken:
        """Return ``A Munich``, ``F St Petersburg(nc)``; in the form ``full``, ``the German army from Munich``."""
        place, power = self.name(unit.location, board), self.name(unit.power, board)

        def form(spec: str) -> str:
            if spec == "full":
                return self.say(UNIT_FORMS[unit.kind], power=power, place=place)
            return f"{unit.kind} {place}"

        return Spoken(form)

    def phase(self, phase: Phase) -> str:
        """Return a phase: ``S1901M``, ``printemps 1901``."""
        return self.term("phase", f"{phase.season}{{year}}{phase.kind}").format(year=phase.year)

    def listed(self, words: Iterable[str], *, last_by_and: bool = False) -> Spoken:
        """Return ``a, b, c``, or ``a, b and c``; a form of the list is that of its words."""
        words = tuple(words)

        def form(spec: str) -> str:
            told = [format(word, spec) for word in words]
            if not last_by_and or len(told) < 2:  # noqa: PLR2004 -- nothing to join
                return ", ".join(told)
            return self.say("{most} and {last}", most=", ".join(told[:-1]), last=told[-1])

        return Spoken(form)


ENGLISH = Speech()


@cache
def speech_languages() -> tuple[str, ...]:
    """Return the codes of the languages in which results can be told."""
    from importlib.resources import files  # loaded late: it is slow to import

    return tuple(sorted({"en", *(entry.name for entry in (files("satdip") / "locale").iterdir() if entry.is_dir())}))


@cache
def _catalogue(language: str) -> NullTranslations:
    import gettext
    from importlib.resources import files

    if language == "en":
        return gettext.NullTranslations()
    file = files("satdip") / "locale" / language / "LC_MESSAGES" / "satdip.mo"
    with file.open("rb") as catalogue:
        return gettext.GNUTranslations(catalogue)
