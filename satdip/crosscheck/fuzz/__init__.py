"""Fuzzing satdip with its own checks: random phases, each adjudicated in ways that must agree (docs/fuzz.md)."""

from __future__ import annotations

from satdip.crosscheck.fuzz.case import Case
from satdip.crosscheck.fuzz.checks import CHECKS, Check, checks_named, disagreements
from satdip.crosscheck.fuzz.draws import KINDS, drawn, kinds_named
from satdip.crosscheck.fuzz.report import Counts, Finding, Report, Smallest
from satdip.crosscheck.fuzz.run import Checking, Phases, chosen_rules

__all__ = [
    "CHECKS",
    "KINDS",
    "Case",
    "Check",
    "Checking",
    "Counts",
    "Finding",
    "Phases",
    "Report",
    "Smallest",
    "checks_named",
    "chosen_rules",
    "disagreements",
    "drawn",
    "kinds_named",
]
