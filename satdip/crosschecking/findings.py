"""What a run found: groups of disagreements, each with a small example, an explanation, and who is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.base.budget import Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.crosschecking.classify import single_choices
from satdip.crosschecking.consistency import is_consistent
from satdip.crosschecking.engines import Difference, Engine, RecordedAnswers, answer_of, differences, read_answer
from satdip.crosschecking.habits import Reader
from satdip.crosschecking.smallest import By, Small, smallest
from satdip.crosschecking.tally import Group, rules_called
from satdip.crosschecking.work import as_told
from satdip.lab.compare.smallest import on_one_line
from satdip.lab.explain import Explanation, explain
from satdip.notation import read_record, write_record
from satdip.phase.minimise import size
from satdip.phase.position import Unit
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Rulebook

__all__ = ["Finding", "bare_finding", "found_in"]

MOST_EXPLAINED = 4
SECONDS_TO_EXPLAIN = 5.0
OF_RESOLUTIONS = ("answer", "moves", "dislodged")
"""The differences in which another resolution could be chosen: all others follow from the moves."""


@dataclass(frozen=True)
class Finding:
    """A group with an example.

    Args:
        group: the disagreements.
        example: a phase on which the engine disagrees, the smallest that was found.
        source: the phase of which it is a part.
        rules: the rulebook.
        consistent: whether the engine's answer is at least a consistent resolution of the example; None where that is
            no question, as where both sides make the same moves.
        choices: the single choices under which the engine is right about the example, and about the other phases of
            the group that were kept.
        explanations: why satdip's answer is as it is, for the orders that come out otherwise.
    """

    group: Group
    example: Small
    source: str
    rules: Rulebook
    consistent: bool | None
    choices: tuple[str, ...]
    explanations: tuple[Explanation, ...]

    @cached_property
    def resolution(self) -> Resolution:
        """What satdip makes of the example."""
        return adjudicate_turn(self.example.turn, self.rules)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Where the answers to the example differ."""
        return differences(self.resolution, self.example.answer)

    @property
    def size(self) -> int:
        """How many units the example has, and orders that are about none of them."""
        return size(self.example.turn)

    def to_json(self) -> dict[str, object]:
        """Return it as plain values (keys: docs/json.md)."""
        group, reason = self.group, self.group.reason
        return {
            "engine": group.engine,
            "class": reason.slug,
            "parts": list(reason.cause),
            "title": reason.title,
            "datc": list(reason.datc),
            "why": reason.why,
            "kind": group.kind,
            "rules": group.rules,
            "count": group.count,
            "together": group.together,
            "sources": list(group.sources),
            "example": {
                "record": write_record(self.example.turn),
                "line": on_one_line(self.example.turn),
                "size": self.size,
                "source": self.source,
                "minimised": str(self.example.by),
                "minimal": self.example.minimal,
                "satdip": answer_of(self.resolution).to_json(),
                "engine": self.example.answer.to_json(),
                "differences": [difference.to_json() for difference in self.differences],
                "consistent": self.consistent,
                "right_under": list(self.choices),
                "explanation": [explanation.tell() for explanation in self.explanations],
            },
        }


def found_in(group: Group, engines: Mapping[str, Engine], rules: Rulebook | None, seconds: float | None) -> Finding:
    """Return a group with an example of it.

    Args:
        group: the group.
        engines: name -> the engine, to be asked about smaller phases.
        rules: the rulebook of the run, None for that of each record.
        seconds: how long the example may be minimised; 0 for not at all, None for as long as it takes.
    """
    engine = engines.get(group.engine)
    live = None if isinstance(engine, RecordedAnswers) else engine
    budget = Budget.of(seconds)
    best: tuple[Small, Mapping[str, Any], Rulebook] | None = None
    for result in group.smallest:
        turn = read_record(result["record"])
        book = rules or rules_called(result["rules"])
        answer = read_answer(result["engines"][group.engine]["answer"], turn.position)
        small = Small(turn, answer)
        if seconds != 0 and (best is None or not _is_over(budget)):
            small = smallest(turn, book, answer, group.cause, live, budget)
        if best is None or _rank(small) < _rank(best[0]):
            best = small, result, book
        if seconds == 0:
            break
    if best is None:
        raise ValueError("a group has at least one phase")
    small, result, book = best
    found = differences(adjudicate_turn(small.turn, book), small.answer)
    return Finding(
        group,
        small,
        result["id"],
        book,
        is_consistent(small.turn, book, small.answer) if any(d.what in OF_RESOLUTIONS for d in found) else None,
        tuple(_choices(group, engine, small, book)),
        tuple(_explanations(small, book)),
    )


def bare_finding(group: Group, rules: Rulebook | None) -> Finding:
    """Return a group with its smallest phase as it was found, and nothing said about it."""
    result = group.smallest[0]
    turn = read_record(result["record"])
    answer = read_answer(result["engines"][group.engine]["answer"], turn.position)
    return Finding(group, Small(turn, answer), result["id"], rules or rules_called(result["rules"]), None, (), ())


def _choices(group: Group, engine: Engine | None, small: Small, rules: Rulebook) -> Sequence[str]:
    """Return the single choices under which an engine is right about an example and the phases kept beside it."""
    phases = [(small.turn, small.answer)]
    for result in group.smallest:
        turn = read_record(result["record"])
        answer = read_answer(result["engines"][group.engine]["answer"], turn.position)
        phases.append((turn, answer))
    right = [single_choices(Reader(turn, rules), answer, as_told(engine, turn)) for turn, answer in phases]
    return [slug for slug in right[0] if all(slug in others for others in right)]


def _is_over(budget: Budget) -> bool:
    try:
        budget.check()
    except OutOfTime:
        return True
    return False


def _rank(small: Small) -> tuple[bool, int, int]:
    return small.by == By.NOBODY, size(small.turn), len(on_one_line(small.turn))


def _explanations(small: Small, rules: Rulebook) -> Iterator[Explanation]:
    """Explain satdip's answer for the units to which something else happens."""
    resolution = adjudicate_turn(small.turn, rules)
    if resolution.is_open:
        return
    budget = Budget.of(SECONDS_TO_EXPLAIN)
    for unit in list(_concerned(small, differences(resolution, small.answer)))[:MOST_EXPLAINED]:
        try:
            yield explain(small.turn, rules, unit, budget)
        except (InputError, OutOfTime):
            continue


def _concerned(small: Small, found: Iterable[Difference]) -> Iterator[Unit]:
    """Yield the units that differences are about, each once; of a power's units, those that only one side has."""
    position = small.turn.position
    told: set[str] = set()
    for difference in found:
        texts = {*difference.satdip, *difference.engine}
        for unit in position.acting.values():
            about = unit.province == difference.at or (unit.power == difference.at and str(unit) in texts)
            if about and unit.province not in told:
                told.add(unit.province)
                yield unit
