"""Fuzzing satdip with its own checks: random phases, each adjudicated in ways that must agree (docs/fuzz.md)."""

from __future__ import annotations

from satdip.crosschecking.fuzz.case import Case
from satdip.crosschecking.fuzz.checks import CHECKS, Check, checks_named, disagreements
from satdip.crosschecking.fuzz.draws import KINDS, drawn, kinds_named
from satdip.crosschecking.fuzz.report import Counts, Finding, Report, Smallest
from satdip.crosschecking.fuzz.run import Checking, Phases, chosen_rules

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
