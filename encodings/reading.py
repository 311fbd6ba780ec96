"""What an equation may ask, and the three-valued reading of it.

The equations of this package are written once and *read* in several ways: over the three truth values (what do
the orders decide by themselves?), over the two (check a finished resolution) or over literals (write clauses,
`satdip.encodings.formula`). In every reading a literal is an integer, `TRUE` is 1, and negation is the minus sign.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from satdip.rulebook import DATC, Rulebook

__all__ = ["FALSE", "NO_RULING", "TRUE", "UNKNOWN", "Indexed", "Interval", "Reading", "Ruling", "ThreeValued", "vetoed"]

TRUE: Final = 1
FALSE: Final = -1
UNKNOWN: Final = 0
"""The third truth value; it is its own negation."""

S = TypeVar("S")


class Indexed:
    """Whatever has a decision.

    Args:
        index: its number among the decisions of a phase; values and literals are stored under it.
    """

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index: Final = index


@dataclass(frozen=True)
class Ruling:
    """What a paradox rule has laid down, beyond the equations.

    Args:
        vetoes: orders that the rule forbids: F(c) of a convoy (it is disrupted), or of a move (it fails, and an army
            that a convoy could carry has no path).
        routes: moves by sea whose route is settled: index -> TRUE (intact) or FALSE.
        possible: orders that the rule may forbid: index -> the literal that says that it does.
    """

    vetoes: frozenset[int] = frozenset()
    routes: Mapping[int, int] = field(default_factory=dict)
    possible: Mapping[int, int] = field(default_factory=dict)


NO_RULING: Final = Ruling()


class Reading(ABC, Generic[S]):
    """A way to read the equations; `S` is what a strength is in it.

    Args:
        rules: the rulebook: which of the equations' variants hold.
        ruling: what a paradox rule has laid down.
    """

    __slots__ = ("rules", "ruling")

    def __init__(self, rules: Rulebook = DATC, ruling: Ruling = NO_RULING) -> None:
        self.rules = rules
        self.ruling = ruling

    @abstractmethod
    def ordered(self, node: Indexed) -> int:
        """Return whether the unit got this order (constant when the orders are given)."""

    @abstractmethod
    def decision(self, node: Indexed) -> int:
        """MOVE, SUPPORT or CONVOY of an order."""

    @abstractmethod
    def all_of(self, literals: Iterable[int]) -> int:
        """Conjunction; TRUE for no literals. A reading that needs no more of them asks for no more."""

    @abstractmethod
    def any_of(self, literals: Iterable[int]) -> int:
        """Disjunction; FALSE for no literals. A reading that needs no more of them asks for no more."""

    @abstractmethod
    def count(self, base: int, literals: Iterable[int]) -> S:
        """Return the strength `base` plus the number of true literals."""

    @abstractmethod
    def one_more(self, strength: S, literal: int, most: int) -> S:
        """Return a strength and 1 where the literal is true; above `most` its number does not matter."""

    @abstractmethod
    def choose(self, condition: int, then: S, otherwise: S) -> S:
        """Return one strength or the other."""

    @abstractmethod
    def greater(self, left: S, right: S) -> int:
        """Return whether the left strength is greater than the right one."""

    def strength(self, number: int) -> S:
        """Return a strength that is a number."""
        return self.count(number, ())


def vetoed(x: Reading[S], node: Indexed) -> int:
    """F(node): a paradox rule forbids this order."""
    if node.index in x.ruling.vetoes:
        return TRUE
    return x.ruling.possible.get(node.index, FALSE)


Interval = tuple[int, int]
"""The least and the greatest value that a strength can still have."""


class ThreeValued(Reading[Interval]):
    """Kleene's reading: a decision is TRUE, FALSE or UNKNOWN; a strength is an interval.

    With no decision UNKNOWN it is the ordinary two-valued reading, and every interval is a single number.

    Args:
        values: the decisions by order index; the reading looks at this list, so changes show at once.
        rules: the rulebook.
        ruling: what a paradox rule has laid down.
    """

    __slots__ = ("values",)

    def __init__(self, values: list[int], rules: Rulebook = DATC, ruling: Ruling = NO_RULING) -> None:
        super().__init__(rules, ruling)
        self.values = values

    def ordered(self, node: Indexed) -> int:  # noqa: ARG002 -- given orders are all given
        """Given orders: TRUE."""
        return TRUE

    def decision(self, node: Indexed) -> int:
        """Return the value decided so far."""
        return self.values[node.index]

    def all_of(self, literals: Iterable[int]) -> int:
        """Return the minimum; stops at the first FALSE."""
        result = TRUE
        for literal in literals:
            if literal < 0:
                return FALSE
            if literal == 0:
                result = UNKNOWN
        return result

    def any_of(self, literals: Iterable[int]) -> int:
        """Return the maximum; stops at the first TRUE."""
        result = FALSE
        for literal in literals:
            if literal > 0:
                return TRUE
            if literal == 0:
                result = UNKNOWN
        return result

    def strength(self, number: int) -> Interval:
        """Return an interval of one number."""
        return number, number

    def count(self, base: int, literals: Iterable[int]) -> Interval:
        """Return the least and greatest possible sum."""
        least = most = base
        for literal in literals:
            if literal >= 0:
                most += 1
                least += literal
        return least, most

    def one_more(self, strength: Interval, literal: int, most: int) -> Interval:  # noqa: ARG002 -- numbers cost nothing
        """Return the interval with the least and greatest value of a literal added."""
        return strength[0] + (literal > 0), strength[1] + (literal >= 0)

    def choose(self, condition: int, then: Interval, otherwise: Interval) -> Interval:
        """Return the chosen interval, or the hull of both when the condition is UNKNOWN."""
        if condition > 0:
            return then
        if condition < 0:
            return otherwise
        return min(then[0], otherwise[0]), max(then[1], otherwise[1])

    def greater(self, left: Interval, right: Interval) -> int:
        """Compare intervals."""
        if left[0] > right[1]:
            return TRUE
        return UNKNOWN if left[1] > right[0] else FALSE
