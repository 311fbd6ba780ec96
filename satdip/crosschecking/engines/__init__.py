"""Other adjudicators behind one small interface: a phase record in, what the engine says out (docs/engines.md)."""

from __future__ import annotations

from satdip.crosschecking.engines.answer import Answer, Failure, FailureKind, answer_of
from satdip.crosschecking.engines.base import Engine, LocalEngine
from satdip.crosschecking.engines.command import CommandEngine, Limits
from satdip.crosschecking.engines.differences import Difference, compare, differences
from satdip.crosschecking.engines.naming import engine_named
from satdip.crosschecking.engines.own import SatdipEngine
from satdip.crosschecking.engines.question import Question, phase_key, question
from satdip.crosschecking.engines.reading import read_answer
from satdip.crosschecking.engines.recorded import RecordedAnswers

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
