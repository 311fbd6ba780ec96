"""Rulebooks: every choice of interpretation is a field, every edition a value."""

from satdip.rulebook.choices import *  # noqa: F403
from satdip.rulebook.choices import __all__ as _choices
from satdip.rulebook.profiles import PROFILES, rulebook_named
from satdip.rulebook.rulebook import DATC, Issue, Rulebook, issues

__all__ = ["DATC", "PROFILES", "Issue", "Rulebook", "issues", "rulebook_named", *_choices]
