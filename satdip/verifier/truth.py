"""Three truth values and intervals of strength, each knowing on which undecided orders it hinges.

What is known hinges on nothing. What is open hinges on those undecided orders that can still change it, as far as the
definitions tell: the folded formula mentions them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = [
    "FALSE",
    "NO",
    "OPEN",
    "TRUE",
    "YES",
    "Strength",
    "Truth",
    "both",
    "denied",
    "either",
    "exceeds",
    "pick",
    "total",
]

YES, NO, OPEN = 1, -1, 0
NOTHING: frozenset[str] = frozenset()


class Truth(NamedTuple):
    """A statement about the orders.

    Args:
        value: YES, NO or OPEN.
        hinges: the provinces of the undecided orders that decide it; empty when it is known.
    """

    value: int
    hinges: frozenset[str] = NOTHING


TRUE, FALSE = Truth(YES), Truth(NO)


class Strength(NamedTuple):
    """A strength: the least and the greatest value that it can still have, and the orders that decide it."""

    least: int
    most: int
    hinges: frozenset[str] = NOTHING


def denied(truth: Truth) -> Truth:
    """Return the negation."""
    return Truth(-truth.value, truth.hinges)


def both(truths: Iterable[Truth]) -> Truth:
    """Return the conjunction; TRUE of nothing."""
    hinges = NOTHING
    for truth in truths:
        if truth.value == NO:
            return FALSE
        hinges |= truth.hinges
    return Truth(OPEN, hinges) if hinges else TRUE


def either(truths: Iterable[Truth]) -> Truth:
    """Return the disjunction; FALSE of nothing."""
    return denied(both(denied(truth) for truth in truths))


def total(base: int, truths: Iterable[Truth]) -> Strength:
    """Return `base` and one more for each true statement."""
    least = most = base
    hinges = NOTHING
    for truth in truths:
        least += truth.value == YES
        most += truth.value != NO
        hinges |= truth.hinges
    return Strength(least, most, hinges)


def pick(condition: Truth, then: Strength, otherwise: Strength) -> Strength:
    """Return one strength or the other; while the condition is open, everything from the least to the greatest."""
    if condition.value != OPEN:
        return then if condition.value == YES else otherwise
    least, most = min(then.least, otherwise.least), max(then.most, otherwise.most)
    hinges = condition.hinges | then.hinges | otherwise.hinges
    return Strength(least, most, hinges if least < most else NOTHING)


def exceeds(one: Strength, other: Strength) -> Truth:
    """Return whether one strength is greater than the other."""
    if one.least > other.most:
        return TRUE
    if one.most <= other.least:
        return FALSE
    return Truth(OPEN, one.hinges | other.hinges)
