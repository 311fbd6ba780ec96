"""Running the checks over random phases, and making what they disagree about small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.base.errors import InputError, Where
from satdip.crosschecking.engines import Difference
from satdip.crosschecking.fuzz.case import Case
from satdip.crosschecking.fuzz.checks import Check, disagreements
from satdip.crosschecking.fuzz.draws import drawn
from satdip.crosschecking.fuzz.report import Finding, Report, Smallest
from satdip.crosschecking.runs import Phase
from satdip.crosschecking.shapes import DIFFERENCES, each, fields, one_of, text, whole
from satdip.phase.minimise import minimise, size
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, PROFILES, Rulebook, issues, rulebook_of

__all__ = ["Checking", "Phases", "chosen_rules"]


def chosen_rules(names: Sequence[str]) -> tuple[Rulebook, ...]:
    """Return rulebooks by name; ``all`` is every edition, ``choices`` the DATC with each other answer to one issue.

    Raises:
        InputError: there is no such rulebook.
    """
    books = [book for name in names for book in _rulebooks(name)]
    return tuple({book.name: book for book in books}.values())


def _rulebooks(name: str) -> Iterable[Rulebook]:
    match name:
        case "all":
            return PROFILES.values()
        case "choices":
            others = ((i.field, c.slug) for i in issues() for c in i.choices if c != DATC.choice(i))
            return (DATC.override({field: slug}) for field, slug in others)
        case _:
            return [rulebook_of(name)]


# ---------------------------------------------------------------------- the run


@dataclass
class Phases:
    """The phases of a run, drawn where they are worked on; `cut_short` tells whether time was up before the last.

    Args:
        kinds: kinds of phase, which take turns.
        seed: of the first phase.
        count: how many phases.
        budget: how long phases are handed out.
    """

    kinds: Sequence[str]
    seed: int
    count: int
    budget: Budget = UNLIMITED
    cut_short: bool = field(default=False, init=False)

    def __iter__(self) -> Iterator[Phase]:
        for number in range(self.count):
            try:
                self.budget.check()
            except OutOfTime:
                self.cut_short = True
                return
            kind, seed = self.kinds[number % len(self.kinds)], self.seed + number
            yield Phase(f"{kind}-{seed}", {"kind": kind, "seed": seed})


@dataclass(frozen=True)
class Checking:
    """The work on a phase: every check under every rulebook.

    Args:
        checks: the checks.
        rules: the rulebooks.
    """

    checks: tuple[Check, ...]
    rules: tuple[Rulebook, ...]

    def __call__(self, phase: Phase) -> Mapping[str, Any]:
        """Return ``checks``, how many rulebooks agree, disagree and were skipped by each; and ``findings``."""
        counts: dict[str, list[int]] = {check.name: [0, 0, 0] for check in self.checks}
        try:
            turn = drawn(phase.record["kind"], phase.record["seed"])
        except InputError:  # this seed leads nowhere
            return {"checks": {check.name: [0, 0, len(self.rules)] for check in self.checks}}
        findings: list[dict[str, Any]] = []
        for rules in self.rules:
            case = Case(turn, rules)
            for check in self.checks:
                found = disagreements(check, case)
                counts[check.name][2 if found is None else 1 if found else 0] += 1
                if found:
                    differences = [difference.to_json() for difference in found]
                    findings.append({"check": check.name, "rules": rules.name, "differences": differences})
        extra = {"size": size(turn), "findings": findings} if findings else {}
        return {"checks": counts, **extra}

    def check_result(self, value: Mapping[str, Any]) -> None:
        """Refuse what is no result of this work.

        Raises:
            InputError: it is none; the sentence says what is expected where.
        """
        if "error" in value:  # the store looks at these
            return
        names = [check.name for check in self.checks]
        found = {
            "check": one_of(names),
            "rules": one_of([book.name for book in self.rules]),
            "differences": DIFFERENCES,
        }
        shape = fields(
            {"id": text, "checks": fields({name: each(whole, least=3) for name in names})},
            {"size": whole, "findings": each(fields(found))},
        )
        shape(value, "$")
        if any(len(counts) != 3 for counts in value["checks"].values()):
            raise InputError("three numbers for each check are expected here", Where(path="$.checks"))
        if "findings" in value and "size" not in value:
            raise InputError("the key 'size' is missing", Where(path="$"))

    def smallest(self, finding: Finding, budget: Budget = UNLIMITED) -> Smallest:
        """Make the smallest phase of a finding smaller, as far as the check still disagrees about the same.

        Raises:
            ValueError: the finding has no phase, or is one of other work.
        """
        if finding.fewest is None:
            raise ValueError("the finding has no phase")
        _, source, name = finding.fewest
        rules = next(book for book in self.rules if book.name == name)
        check = next(check for check in self.checks if check.name == finding.check)

        def differs(turn: Turn) -> tuple[Difference, ...]:
            found = disagreements(check, Case(turn, rules)) or ()
            return tuple(found) if any(difference.what == finding.what for difference in found) else ()

        kind, _, seed = source.rpartition("-")
        turn = drawn(kind, int(seed))
        try:
            found = minimise(turn, lambda turn: bool(differs(turn)), budget)
        except ValueError:  # now it does not disagree
            return Smallest(turn, rules, source, minimal=False, differences=())
        return Smallest(found.turn, rules, source, found.finished, differs(found.turn))

    def minimise(self, report: Report, budget: Budget = UNLIMITED) -> None:
        """Find the smallest phase for each finding; none for some when interrupted, larger ones when time is up."""
        for finding in report.findings.values():
            try:
                small = finding.smallest = self.smallest(finding, budget)
            except KeyboardInterrupt:
                report.complete = False
                return
            report.complete &= small.minimal or not small.differences
