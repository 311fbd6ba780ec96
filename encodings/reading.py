"""What an equation may ask, and the three-valued reading of it.

The equations of this package are written once and *read* in several ways: over the three truth values (what do
the orders decide by themselves?), over the two (check a finished resolution) or over literals (write clauses,
`satdip.encodings.formula`). In every reading a literal is an integer, `TRUE` is 1, and negation is the minus sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

__all__ = ["FALSE", "TRUE", "UNKNOWN", "Indexed", "Interval", "Reading", "ThreeValued"]

TRUE = 1
FALSE = -1
UNKNOWN = 0
"""The third truth value; it is its own negation."""

S = TypeVar("S")


class Indexed(Protocol):
    """Whatever has a decision: its values are stored under its index."""

    @property
    def index(self) -> int:
        """Its number among the decisions of a phase."""
        ...


class Reading(Protocol[S]):
    """A way to read the equations; `S` is what a strength is in it."""

    def ordered(self, node: Indexed) -> int:
        """Say whether the unit got this order (constant when the orders are given)."""
        ...

    def decision(self, node: Indexed) -> int:
        """MOVE, SUPPORT or CONVOY of an order."""
        ...

    def vetoed(self, node: Indexed) -> int:
        """F(c): a paradox rule forbids this convoy."""
        ...

    def all_of(self, literals: Iterable[int]) -> int:
        """Conjunction; TRUE for no literals."""
        ...

    def any_of(self, literals: Iterable[int]) -> int:
        """Disjunction; FALSE for no literals."""
        ...

    def count(self, base: int, literals: Iterable[int]) -> S:
        """Return the strength `base` plus the number of true literals."""
        ...

    def choose(self, condition: int, then: S, otherwise: S) -> S:
        """Return one strength or the other."""
        ...

    def greater(self, left: S, right: S) -> int:
        """Say whether the left strength is greater than the right one."""
        ...


Interval = tuple[int, int]
"""The least and the greatest value that a strength can still have."""


class ThreeValued:
    """Kleene's reading: a decision is TRUE, FALSE or UNKNOWN; a strength is an interval.

    With no decision UNKNOWN it is the ordinary two-valued reading, and every interval is a single number.

    Args:
        values: the decisions by order index; the reading looks at this list, so changes show at once.
        vetoes: indices of the convoys that a paradox rule forbids.
    """

    __slots__ = ("values", "vetoes")

    def __init__(self, values: Sequence[int], vetoes: frozenset[int] = frozenset()) -> None:
        self.values = values
        self.vetoes = vetoes

    def ordered(self, node: Indexed) -> int:  # noqa: ARG002 -- given orders are all given
        """Given orders: TRUE."""
        return TRUE

    def decision(self, node: Indexed) -> int:
        """Return the value decided so far."""
        return self.values[node.index]

    def vetoed(self, node: Indexed) -> int:
        """Return TRUE for the convoys of `vetoes`."""
        return TRUE if node.index in self.vetoes else FALSE

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

    def count(self, base: int, literals: Iterable[int]) -> Interval:
        """Return the least and greatest possible sum."""
        least = most = base
        for literal in literals:
            if literal >= 0:
                most += 1
                least += literal
        return least, most

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
