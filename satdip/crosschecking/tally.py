"""What the results of a run add up to: counts, failures, and groups of disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from satdip.base.errors import InputError
from satdip.crosschecking.classify import Cause, Reason, reason_of
from satdip.crosschecking.engines import FailureKind
from satdip.crosschecking.grouping import Possible, chosen_causes
from satdip.crosschecking.runs import OwnError, own_errors
from satdip.crosschecking.work import Verdict
from satdip.rulebook import DATC, Rulebook, rulebook_named

__all__ = ["Counts", "Failed", "Group", "Tally", "rules_called", "tally"]

Results = Callable[[], Iterable[Mapping[str, Any]]]
"""Reads the results of a run, as often as it is called."""

MOST_SOURCES = 5
MOST_CANDIDATES = 3


@dataclass
class Counts:
    """The phases of one engine."""

    agree: int = 0
    disagree: int = 0
    failures: int = 0
    unsupported: int = 0
    given_up: int = 0
    """Of the failures those of phases about which the engine was not asked any more."""


@dataclass(frozen=True)
class Failed:
    """How an engine fails.

    Args:
        engine: its name.
        kind: ``crash``, ``timeout``, ``nonsense``, ``no-answer`` or ``given-up``.
        text: the same in words.
        count: on how many phases.
        sources: the first of them.
        printed: what the engine printed there where an answer was expected, the first time that it printed anything.
        stderr: what it wrote on standard error, likewise.
    """

    engine: str
    kind: str
    text: str
    count: int
    sources: tuple[str, ...]
    printed: str = ""
    stderr: str = ""

    def to_json(self) -> dict[str, object]:
        """Return it as plain values (keys: docs/json.md)."""
        return {
            "engine": self.engine,
            "kind": self.kind,
            "text": self.text,
            "count": self.count,
            "sources": list(self.sources),
            "printed": self.printed,
            "stderr": self.stderr,
        }


@dataclass
class Group:
    """Disagreements of one engine with one cause, that differ in the same kind of thing first.

    Args:
        engine: its name.
        cause: what explains them; () for nothing.
        kind: ``moves``, ``dislodged``, ``retreats`` and so on.
        rules: name of the rulebook.
        count: how many phases.
        together: how many of these have another cause beside this one.
        sources: the first phases that have this cause alone.
        smallest: the results of these with the fewest units.
    """

    engine: str
    cause: Cause
    kind: str
    rules: str
    count: int = 0
    together: int = 0
    sources: list[str] = field(default_factory=list)
    smallest: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, result: Mapping[str, Any]) -> None:
        """Count a phase."""
        self.count += 1
        if len(self.sources) < MOST_SOURCES:
            self.sources.append(result["id"])
        self.smallest = sorted([*self.smallest, result], key=lambda result: result["size"])[:MOST_CANDIDATES]

    @property
    def reason(self) -> Reason:
        """The cause in words."""
        return reason_of(self.cause, self.kind)


@dataclass(frozen=True)
class Tally:
    """What the results of a run add up to.

    Args:
        phases: phases that were compared.
        skipped: why phases were not compared -> how many.
        agree: phases on which every engine that answered agrees.
        disagree: phases on which at least one disagrees.
        engines: name -> its phases.
        failures: how engines failed.
        groups: the disagreements, engine by engine, the most frequent first.
        errors: how satdip itself failed; the phases were not compared.
    """

    phases: int
    skipped: Mapping[str, int]
    agree: int
    disagree: int
    engines: Mapping[str, Counts]
    failures: tuple[Failed, ...]
    groups: tuple[Group, ...]
    errors: tuple[OwnError, ...] = ()

    @property
    def own_errors(self) -> int:
        """On how many phases satdip itself failed."""
        return sum(error.count for error in self.errors)

    @property
    def grouped(self) -> int:
        """The sum of the groups: a phase counts for each engine that disagrees, and under each of several causes."""
        return sum(group.count for group in self.groups)

    @property
    def engine_failures(self) -> int:
        """How often engines failed."""
        return sum(counts.failures for counts in self.engines.values())


# ---------------------------------------------------------------------- adding up


def tally(results: Results, engines: Iterable[str]) -> Tally:
    """Add up the results of a run, and group its disagreements.

    Args:
        results: reads the results.
        engines: the names of the engines.
    """
    counts = {name: Counts() for name in engines}
    skipped: Counter[str] = Counter()
    possible: dict[tuple[str, str], Counter[Possible]] = {}
    failures: dict[tuple[str, str, str], _Failures] = {}
    phases = disagree = agree = 0
    for result in results():
        if "error" in result:
            continue
        if "skipped" in result:
            skipped[result["skipped"]] += 1
            continue
        phases += 1
        verdicts = result["engines"]
        told = {verdict["verdict"] for verdict in verdicts.values()}
        disagree += Verdict.DISAGREE in told
        agree += Verdict.AGREE in told and Verdict.DISAGREE not in told
        for name, verdict in verdicts.items():
            _count(counts[name], verdict["verdict"])
            if verdict["verdict"] == Verdict.DISAGREE:
                possible.setdefault((name, result["rules"]), Counter())[_possible(verdict)] += 1
            elif verdict["verdict"] == Verdict.FAILURE:
                failure = verdict["failure"]
                counts[name].given_up += failure["kind"] == FailureKind.GIVEN_UP
                failures.setdefault((name, failure["kind"], failure["text"]), _Failures()).add(result["id"], failure)
    chosen = {key: chosen_causes(table, rules_called(key[1])) for key, table in possible.items()}
    groups = _groups(results, chosen) if disagree else ()
    listed = sorted((found.told(*key) for key, found in failures.items()), key=lambda failed: -failed.count)
    return Tally(phases, skipped, agree, disagree, counts, tuple(listed), groups, own_errors(results()))


@dataclass
class _Failures:
    """One way in which an engine fails, while it is counted."""

    count: int = 0
    sources: list[str] = field(default_factory=list)
    printed: str = ""
    stderr: str = ""

    def add(self, source: str, failure: Mapping[str, Any]) -> None:
        self.count += 1
        if len(self.sources) < MOST_SOURCES:
            self.sources.append(source)
        self.printed = self.printed or failure.get("printed", "")
        self.stderr = self.stderr or failure.get("stderr", "")

    def told(self, engine: str, kind: str, text: str) -> Failed:
        return Failed(engine, kind, text, self.count, tuple(self.sources), self.printed, self.stderr)


def _count(counts: Counts, verdict: str) -> None:
    match verdict:
        case Verdict.AGREE:
            counts.agree += 1
        case Verdict.DISAGREE:
            counts.disagree += 1
        case Verdict.FAILURE:
            counts.failures += 1
        case _:
            counts.unsupported += 1


def _possible(verdict: Mapping[str, Any]) -> Possible:
    return tuple(tuple(cause) for cause in verdict["causes"])


def _groups(results: Results, chosen: Mapping[tuple[str, str], Mapping[Possible, Cause]]) -> tuple[Group, ...]:
    groups: dict[tuple[str, Cause, str, str], Group] = {}
    for result in results():
        for name, verdict in result.get("engines", {}).items():
            if verdict["verdict"] == Verdict.DISAGREE:
                cause = chosen[name, result["rules"]][_possible(verdict)]
                key = name, cause, verdict["kind"], result["rules"]
                groups.setdefault(key, Group(*key)).add(result)
    names = list(dict.fromkeys(name for name, _ in chosen))
    kept = _with_parts(list(groups.values()))
    return tuple(sorted(kept, key=lambda group: (names.index(group.engine), -group.count)))


def _with_parts(groups: Sequence[Group]) -> Iterator[Group]:
    """Count phases with several causes under each of them, where each is also found alone."""
    alone: dict[tuple[str, str, Cause], Group] = {}
    for group in sorted(groups, key=lambda group: group.count):  # the most frequent kind stands for a cause
        if len(group.cause) == 1:
            alone[group.engine, group.rules, group.cause] = group
    for group in groups:
        parts = [alone.get((group.engine, group.rules, (part,))) for part in group.cause]
        if len(parts) < 2 or None in parts:
            yield group
            continue
        for part in parts:
            if part is not None:
                part.count += group.count
                part.together += group.count


def rules_called(name: str) -> Rulebook:
    """Return the rulebook of that name; one that was made in Python is not known by it."""
    try:
        return rulebook_named(name)
    except InputError:
        return DATC
