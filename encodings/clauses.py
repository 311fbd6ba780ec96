"""The equations as clauses: a reading whose literals are variables of a formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from satdip.encodings.formula import Formula, Strength, Tag
from satdip.encodings.reading import NO_RULING, TRUE, UNKNOWN, Indexed, Reading, Ruling
from satdip.rulebook import DATC, Rulebook

__all__ = ["ClauseReading", "assert_equations"]

N = TypeVar("N", bound=Indexed)


class _Overlay(dict[int, int]):
    """Decision index -> literal, for a few decisions; the others are constants.

    Args:
        values: decision index -> value.
    """

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__()
        self._values = values

    def __missing__(self, index: int) -> int:
        return self._values[index]


class ClauseReading(Reading[Strength]):
    """The reading of the equations over the literals of a formula.

    Args:
        formula: where gates and equations are written.
        literals: decision index -> its literal.
        ordered: for open orders: order index -> the literal that says that the order was given.
        rules: the rulebook.
        ruling: what a paradox rule has laid down.
    """

    def __init__(
        self,
        formula: Formula,
        literals: Sequence[int] | Mapping[int, int],
        ordered: Mapping[int, int] | None = None,
        rules: Rulebook = DATC,
        ruling: Ruling = NO_RULING,
    ) -> None:
        super().__init__(rules, ruling)
        self.formula = formula
        self.literals = literals
        self._ordered = ordered or {}

    @classmethod
    def of(
        cls,
        formula: Formula,
        values: Sequence[int],
        names: Sequence[str] = (),
        ordered: Mapping[int, int] | None = None,
        rules: Rulebook = DATC,
        ruling: Ruling = NO_RULING,
    ) -> ClauseReading:
        """Give every decision that is UNKNOWN in `values` a new variable, with its name where names are given."""
        named = names or [""] * len(values)
        literals = [
            value if value != UNKNOWN else formula.variable(name) for name, value in zip(named, values, strict=True)
        ]
        return cls(formula, literals, ordered, rules, ruling)

    @classmethod
    def of_some(
        cls, formula: Formula, nodes: Iterable[Indexed], values: Sequence[int], rules: Rulebook, ruling: Ruling
    ) -> ClauseReading:
        """Give some decisions new variables; the others are constants, and not even looked at before they are asked."""
        literals = _Overlay(values)
        for node in nodes:
            literals[node.index] = formula.variable()
        return cls(formula, literals, None, rules, ruling)

    def ordered(self, node: Indexed) -> int:
        """Return the literal of an open order, TRUE for a given one."""
        return self._ordered.get(node.index, TRUE)

    def decision(self, node: Indexed) -> int:
        """Return the decision's literal."""
        return self.literals[node.index]

    def all_of(self, literals: Iterable[int]) -> int:
        """Write a gate."""
        return self.formula.all_of(literals)

    def any_of(self, literals: Iterable[int]) -> int:
        """Write a gate."""
        return self.formula.any_of(literals)

    def count(self, base: int, literals: Iterable[int]) -> Strength:
        """Count in unary."""
        return self.formula.count(base, literals)

    def one_more(self, strength: Strength, literal: int, most: int) -> Strength:
        """Count one literal more in unary."""
        return self.formula.one_more(strength, literal, most)

    def choose(self, condition: int, then: Strength, otherwise: Strength) -> Strength:
        """Choose level by level."""
        return self.formula.choose(condition, then, otherwise)

    def greater(self, left: Strength, right: Strength) -> int:
        """Compare level by level."""
        return self.formula.greater(left, right)


def assert_equations(
    x: ClauseReading, nodes: Iterable[N], equation: Callable[[ClauseReading, N], int], tag: Callable[[N], Tag]
) -> None:
    """Assert ``decision <=> right-hand side`` for each node, under its tag."""
    for node in nodes:
        x.formula.define(x.decision(node), equation(x, node), tag(node))
