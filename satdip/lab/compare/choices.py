"""Which choices make two rulebooks differ on a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.lab.compare.effects import Difference, differences
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Choice, Issue, Rulebook, issues

__all__ = ["Cause", "Change", "PairDifference", "Trials", "changes", "compare_pair", "differ_so", "tell_causes"]

MOST_TRIALS = 400
"""How many sets of changed choices are tried, smallest first, before one is accepted that may not be the smallest."""
ALL_ISSUES = issues()


@dataclass(frozen=True, slots=True)
class Change:
    """An issue that two rulebooks answer differently.

    Args:
        issue: the issue.
        first: the answer of the first rulebook.
        second: the answer of the second.
    """

    issue: Issue
    first: Choice
    second: Choice

    def __str__(self) -> str:
        return f"{self.issue.section} {self.issue.title} ({self.first.slug} / {self.second.slug})"

    def to_json(self) -> dict[str, object]:
        """Return it as plain values; the keys are documented in ``docs/json.md``."""
        return {
            "section": self.issue.section,
            "field": self.issue.field,
            "title": self.issue.title,
            "first": self.first.slug,
            "second": self.second.slug,
        }


Cause = tuple[Change, ...]
"""Changes that together turn what the first rulebook says of a phase into what the second says."""


@dataclass(frozen=True)
class PairDifference:
    """How two rulebooks differ on one phase.

    Args:
        first: name of the first rulebook.
        second: name of the second.
        kinds: what differs.
        causes: the smallest sets of choices that make the difference, each enough by itself.
    """

    first: str
    second: str
    kinds: tuple[Difference, ...]
    causes: tuple[Cause, ...]

    def to_json(self) -> dict[str, object]:
        """Return it as plain values; the keys are documented in ``docs/json.md``."""
        return {
            "first": self.first,
            "second": self.second,
            "kinds": list(map(str, self.kinds)),
            "choices": [[change.to_json() for change in cause] for cause in self.causes],
        }


class Trials:
    """The resolutions of one phase under many rulebooks, each adjudicated once.

    Args:
        turn: the phase.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self._known: dict[tuple[Choice, ...], Resolution] = {}

    def under(self, rules: Rulebook) -> Resolution:
        """Return the resolution under a rulebook; of rulebooks that answer everything alike, under the first one."""
        key = tuple(rules.choice(issue) for issue in ALL_ISSUES)
        if key not in self._known:
            self._known[key] = adjudicate_turn(self.turn, rules)
        return self._known[key]


def changes(first: Rulebook, second: Rulebook) -> Cause:
    """Return the issues that two rulebooks answer differently, in the order of the DATC."""
    pairs = ((issue, first.choice(issue), second.choice(issue)) for issue in ALL_ISSUES)
    return tuple(Change(issue, one, other) for issue, one, other in pairs if one != other)


def compare_pair(trials: Trials, first: Rulebook, second: Rulebook) -> PairDifference | None:
    """Say how two rulebooks differ on a phase, and by which choices; None when they do not differ."""
    kinds = differences(trials.under(first), trials.under(second))
    if not kinds:
        return None
    return PairDifference(first.name, second.name, kinds, tuple(_causes(trials, first, second)))


def differ_so(trials: Trials, first: Rulebook, second: Rulebook, wanted: PairDifference) -> bool:
    """Return whether two rulebooks differ on a phase in the same kinds, and by the same choices, as on another one."""
    same_kinds = differences(trials.under(first), trials.under(second)) == wanted.kinds
    return same_kinds and tuple(_causes(trials, first, second)) == wanted.causes


def _causes(trials: Trials, first: Rulebook, second: Rulebook) -> Iterator[Cause]:
    """Yield the smallest sets of changes that turn the first rulebook's result into the second's, all of that size.

    Where there are too many sets to try, only one is found: no single change can be left out of it.
    """
    wanted, all_changes = trials.under(second), changes(first, second)

    def enough(some: Cause) -> bool:
        changed: dict[str, Any] = {change.issue.field: change.second for change in some}
        return not differences(trials.under(replace(first, **changed)), wanted)

    left = MOST_TRIALS
    for number in range(1, len(all_changes) + 1):
        sets = list(islice(combinations(all_changes, number), left + 1))
        if len(sets) > left:
            yield _without_needless(all_changes, enough)
            return
        left -= len(sets)
        found = list(filter(enough, sets))
        if found:
            yield from found
            return


def _without_needless(cause: Cause, enough: Callable[[Cause], bool]) -> Cause:
    """Leave changes out one by one while the others are enough."""
    for change in cause:
        fewer = tuple(other for other in cause if other != change)
        if enough(fewer):
            cause = fewer
    return cause


def tell_causes(causes: Sequence[Cause]) -> str:
    """Return the causes as words: ``4.A.1 several convoy routes (all / any) and ...; or ...``."""
    return "; or ".join(" and ".join(map(str, cause)) for cause in causes)
