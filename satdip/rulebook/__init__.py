"""Rulebooks: every choice of interpretation is a field, every edition a value."""

from satdip.rulebook.choices import *  # noqa: F403
from satdip.rulebook.choices import __all__ as _choices
from satdip.rulebook.naming import RulebookLike, differing, rulebook_named, rulebook_of, spelled
from satdip.rulebook.profiles import PROFILES
from satdip.rulebook.rulebook import DATC, Issue, Rulebook, issues

__all__ = [
    "DATC",
    "PROFILES",
    "Issue",
    "Rulebook",
    "RulebookLike",
    "differing",
    "issues",
    "rulebook_named",
    "rulebook_of",
    "spelled",
    *_choices,
]
