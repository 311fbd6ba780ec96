"""What is done with each phase of a cross-check: ask the engines, compare, explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from satdip.base.errors import InputError
from satdip.board.mapfile import map_names
from satdip.crosschecking.classify import causes, first_kind
from satdip.crosschecking.engines import Engine, FailureKind, Limits, SatdipEngine, differences, engine_named, question
from satdip.crosschecking.habits import Reader
from satdip.crosschecking.runs import Phase
from satdip.crosschecking.sources import whole_record
from satdip.notation import read_record, write_record
from satdip.phase.minimise import size
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook, RulebookLike, rulebook_of, spelled

__all__ = ["CrossCheck", "Verdict", "as_told", "distinct_engines", "rules_of"]


class Verdict:
    """The verdicts on an engine's answer, as they are written down."""

    AGREE = "agree"
    DISAGREE = "disagree"
    FAILURE = "failure"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class CrossCheck:
    """The work of a run, as it is sent to the workers.

    Args:
        engines: the texts that name the engines.
        rules: the rulebook, or its name; None for the one that each record names, else the preferences of the DATC.
        limits: what an engine may take.
    """

    engines: tuple[str, ...]
    rules: RulebookLike | None = None
    limits: Limits = field(default_factory=Limits)

    def open(self) -> Checker:
        """Name the engines; they start with their first phase."""
        rules = None if self.rules is None else rulebook_of(self.rules)
        return Checker(distinct_engines(self.engines, self.limits), rules)


def distinct_engines(texts: Sequence[str], limits: Limits) -> tuple[Engine, ...]:
    """Return the engines that some texts name.

    Raises:
        InputError: a text names none, or two have one name.
    """
    engines = tuple(engine_named(text, limits) for text in texts)
    names = [engine.name for engine in engines]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"two of the engines are called {name!r}; write another name before one, as in mine={name}"
            )
    return engines


def rules_of(turn: Turn, rules: Rulebook | None) -> Rulebook:
    """Return the rulebook for a phase."""
    return rulebook_of(rules, turn.rules)


def as_told(engine: Engine | None, turn: Turn) -> Turn | None:
    """Return a phase as an engine is told of it; None for satdip itself, which makes any choice that it is asked to.

    Args:
        engine: the engine; None for one that is not known.
        turn: the phase.
    """
    return None if isinstance(engine, SatdipEngine) else read_record(question(write_record(turn)).record)


class Checker:
    """Asks engines about phases.

    Args:
        engines: the engines.
        rules: see `CrossCheck`.
    """

    def __init__(self, engines: Sequence[Engine], rules: Rulebook | None) -> None:
        self.engines, self.rules = tuple(engines), rules

    def __call__(self, phase: Phase) -> dict[str, Any]:
        """Return what came out, as plain values: the keys of a result (docs/crosscheck.md)."""
        try:
            record = whole_record(phase.record)
            if isinstance(name := record.get("map"), str) and name not in map_names():
                return {"skipped": f"the map {name!r} is not known"}
            turn = read_record(record)
            rules = rules_of(turn, self.rules)
            asked = question(record).record
        except InputError as error:
            return {"skipped": str(error)}
        if any(d.retreats is None for d in turn.position.dislodged):
            return {"skipped": "nothing says where the dislodged units may go"}
        reader = Reader(turn, rules)
        try:
            _ = reader.resolution
        except InputError as error:  # such a phase can be read, but nothing can follow it
            return {"skipped": str(error)}
        verdicts = {engine.name: self._verdict(engine, record, reader) for engine in self.engines}
        result: dict[str, Any] = {"phase": str(turn.position.phase), "rules": spelled(rules), "engines": verdicts}
        if any(verdict["verdict"] == Verdict.DISAGREE for verdict in verdicts.values()):
            result |= {"size": size(turn), "record": asked}
        return result

    def close(self) -> None:
        """End the engines."""
        for engine in self.engines:
            engine.close()

    def _verdict(self, engine: Engine, record: Mapping[str, Any], reader: Reader) -> dict[str, Any]:
        answer = engine.adjudicate(record)
        if answer.failure is not None:
            kind = answer.failure.kind
            verdict = Verdict.UNSUPPORTED if kind == FailureKind.UNSUPPORTED else Verdict.FAILURE
            said = {"printed": answer.failure.printed, "stderr": answer.failure.stderr}
            heard = {key: text for key, text in said.items() if text}
            return {"verdict": verdict, "failure": {"kind": str(kind), "text": answer.failure.text, **heard}}
        found = differences(reader.resolution, answer)
        if not found:
            return {"verdict": Verdict.AGREE}
        return {
            "verdict": Verdict.DISAGREE,
            "kind": first_kind(found),
            "differences": [difference.to_json() for difference in found],
            "causes": [list(cause) for cause in causes(reader, answer, as_told(engine, reader.turn))],
            "answer": answer.to_json(),
        }
