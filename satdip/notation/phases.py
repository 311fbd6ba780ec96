"""Phases as sheets name them: ``S1901M``, or in the words of a language: ``printemps 1901, retraites``."""

from __future__ import annotations

import re

from satdip.notation.words.lexicon import Lexicon, squash
from satdip.phase.kinds import TRAITS
from satdip.phase.position import Phase

__all__ = ["read_phase"]

_WORDS = re.compile(r"(?P<season>[^\W\d]+)[\s.]*(?P<year>[0-9]+)[\s,:(-]*(?P<kind>[^\W\d]*)\)?")


def read_phase(text: str, lex: Lexicon) -> Phase:
    """Read a phase.

    Args:
        text: season, year and kind; the kind may be left out where words are used, and is movement then, in winter
            adjustments.
        lex: the language.

    Raises:
        InputError: it is none.
    """
    found = _WORDS.fullmatch(text.strip())
    if found is not None and (season := lex.seasons.get(squash(found["season"]))):
        possible = [kind for kind, traits in TRAITS.items() if season in traits.seasons]
        kind = lex.kinds.get(squash(found["kind"])) if found["kind"] else possible[0]
        if kind in possible:
            return Phase.parse(f"{season}{found['year']}{kind}")
    return Phase.parse(text.upper())
