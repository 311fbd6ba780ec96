"""What a run found: how often each check agreed, and what it disagrees about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from satdip.crosschecking.engines import Difference
from satdip.crosschecking.fuzz.checks import Check
from satdip.crosschecking.runs import OwnError, own_errors
from satdip.notation import write_record
from satdip.phase.minimise import size
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook

__all__ = ["Counts", "Finding", "Report", "Smallest"]

MOST_SOURCES = 5
"""Phases that are named for each finding."""


@dataclass
class Counts:
    """On how many phases, under how many rulebooks each, a check agreed, disagreed and had nothing to say."""

    agree: int = 0
    disagree: int = 0
    skipped: int = 0


@dataclass(frozen=True)
class Smallest:
    """The smallest phase found on which a check disagrees.

    Args:
        turn: the phase.
        rules: the rulebook.
        source: the phase of the run of which it is a part.
        minimal: whether nothing can be left out or made simpler; false when there was no time to know.
        differences: what satdip says there, and what the check says; empty when the disagreement did not show again.
    """

    turn: Turn
    rules: Rulebook
    source: str
    minimal: bool
    differences: tuple[Difference, ...]

    @property
    def record(self) -> dict[str, object]:
        """The phase as a record, which names the rulebook."""
        return write_record(replace(self.turn, rules=self.rules.name, extra={}))


@dataclass
class Finding:
    """A check that disagrees about something.

    Args:
        check: name of the check.
        what: what it disagrees about first (see `Difference.what`; ``raised`` for an exception).
    """

    check: str
    what: str
    phases: int = 0
    rules: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    """The first phases."""
    fewest: tuple[int, str, str] | None = None
    """Size, phase and rulebook of the smallest phase."""
    smallest: Smallest | None = None
    _last: str = ""

    def add(self, source: str, rules: str, units: int) -> None:
        """Count a phase under a rulebook."""
        if rules not in self.rules:
            self.rules.append(rules)
        if source != self._last:
            self.phases += 1
            self._last = source
            if len(self.sources) < MOST_SOURCES:
                self.sources.append(source)
        if self.fewest is None or units < self.fewest[0]:
            self.fewest = units, source, rules

    def to_json(self) -> dict[str, object]:
        """Return it as plain values (keys: docs/json.md)."""
        small = self.smallest
        return {
            "check": self.check,
            "what": self.what,
            "phases": self.phases,
            "rules": self.rules,
            "sources": self.sources,
            "smallest": None
            if small is None
            else {
                "size": size(small.turn),
                "minimal": small.minimal,
                "source": small.source,
                "differences": [difference.to_json() for difference in small.differences],
                "record": small.record,
            },
        }


@dataclass
class Report:
    """What a run found.

    Args:
        counts: check -> how often it agreed.
        phases: how many phases were checked.
        findings: check, what it disagrees about -> the finding.
        complete: whether all was checked and made as small as can be.
        errors: how satdip failed outside of the checks; they have nothing to say about these phases.
    """

    counts: dict[str, Counts]
    phases: int = 0
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)
    complete: bool = True
    errors: tuple[OwnError, ...] = ()

    @classmethod
    def of(cls, results: Iterable[Mapping[str, Any]], checks: Iterable[Check]) -> Report:
        """Count the results of a run."""
        report = cls({check.name: Counts() for check in checks})
        failed: list[Mapping[str, Any]] = []
        for result in results:
            report.phases += 1
            if "error" in result:
                failed.append(result)
                continue
            for name, (agree, disagree, skipped) in result["checks"].items():
                counts = report.counts[name]
                counts.agree += agree
                counts.disagree += disagree
                counts.skipped += skipped
            for item in result.get("findings", ()):
                key = item["check"], item["differences"][0]["what"]
                report.findings.setdefault(key, Finding(*key)).add(result["id"], item["rules"], result["size"])
        report.errors = own_errors(failed)
        return report

    def to_json(self) -> dict[str, object]:
        """Return it as plain values (keys: docs/json.md)."""
        return {
            "phases": self.phases,
            "checks": {name: asdict(counts) for name, counts in self.counts.items()},
            "findings": [finding.to_json() for finding in self.findings.values()],
            "errors": [error.to_json() for error in self.errors],
            "complete": self.complete,
        }
