"""Which of several possible causes stands for a disagreement: the one that explains most of an engine's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from satdip.crosschecking.classify import Cause
from satdip.crosschecking.habits import choices, part_named
from satdip.rulebook import DATC, Rulebook

__all__ = ["Possible", "chosen_causes"]

Possible = tuple[Cause, ...]
"""The causes that would explain a disagreement."""


def chosen_causes(disagreements: Mapping[Possible, int], rules: Rulebook = DATC) -> dict[Possible, Cause]:
    """Choose a cause for each disagreement of an engine.

    The cause that explains most of what is left is taken, and again, until everything is explained. Between causes
    that explain equally many: single parts before several, parts that are needed anyway, the less doubtful, choices
    before habits, choices next to the rulebook's own.

    Args:
        disagreements: possible causes -> how many disagreements have these.
        rules: the rulebook.

    Returns:
        Possible causes -> the one that stands for them; for none it is ().
    """
    left = {possible: count for possible, count in disagreements.items() if possible}
    chosen: dict[Possible, Cause] = {possible: () for possible in disagreements if not possible}
    parts: set[str] = set()
    while left:
        counts: Counter[Cause] = Counter()
        for possible, count in left.items():
            for cause in possible:
                counts[cause] += count
        best = min(counts, key=lambda cause: (-counts[cause], _rank(cause, parts, rules)))
        parts.update(best)
        for possible in [possible for possible in left if best in possible]:
            chosen[possible] = best
            del left[possible]
    return chosen


def _rank(cause: Cause, known: Iterable[str], rules: Rulebook) -> tuple[object, ...]:
    new = set(cause).difference(known)
    return (
        len(cause),
        len(new),
        sum(part_named(slug).doubt for slug in cause),
        [_distance(slug, rules) for slug in cause],
        cause,
    )


def _distance(slug: str, rules: Rulebook) -> int:
    """Return how far a choice is from that of the rulebook in the list of choices; farther without a DATC letter."""
    part = choices().get(slug)
    if part is None:
        return len(choices())
    order = part.issue.choices
    lettered = 0 if part.choice.letter is not None else len(order)
    return lettered + abs(order.index(part.choice) - order.index(rules.choice(part.issue)))
