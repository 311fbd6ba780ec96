"""Other adjudicators behind one small interface: a phase record in, what the engine says out (docs/engines.md)."""

from __future__ import annotations

from satdip.crosscheck.engines.answer import Answer, Failure, FailureKind, answer_of
from satdip.crosscheck.engines.base import Engine, LocalEngine
from satdip.crosscheck.engines.command import CommandEngine, Limits
from satdip.crosscheck.engines.differences import Difference, compare, differences
from satdip.crosscheck.engines.naming import engine_named
from satdip.crosscheck.engines.own import SatdipEngine
from satdip.crosscheck.engines.question import Question, phase_key, question
from satdip.crosscheck.engines.reading import read_answer
from satdip.crosscheck.engines.recorded import RecordedAnswers

__all__ = [
    "Answer",
    "CommandEngine",
    "Difference",
    "Engine",
    "Failure",
    "FailureKind",
    "Limits",
    "LocalEngine",
    "Question",
    "RecordedAnswers",
    "SatdipEngine",
    "answer_of",
    "compare",
    "differences",
    "engine_named",
    "phase_key",
    "question",
    "read_answer",
]
