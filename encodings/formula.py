"""Clauses: literals with constant folding, gates, unary strengths, tagged equations.

Variables are the integers from 2; variable 1 is the constant TRUE (a unit clause says so), so that a constant is
an ordinary literal and everything works with folding switched off too. A strength is a *unary vector*: a tuple
whose k-th literal (from 0) says "the strength is at least k + 1".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest

from satdip.encodings.reading import FALSE, TRUE

__all__ = ["BrokenClauses", "Clause", "DualRail", "Formula", "Strength", "Tag"]

Clause = tuple[int, ...]
Strength = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """Where a clause comes from.

    Args:
        rule: the name of the equation or rule, ``MOVE``.
        subject: what it is about, ``A PAR - BUR``.
        source: where the rule stands, ``DATC 5.B.4``.
    """

    rule: str
    subject: str = ""
    source: str = ""

    def __str__(self) -> str:
        return f"{self.rule}({self.subject})" + (f" [{self.source}]" if self.source else "")


GATE = Tag("gate")


class Formula:
    """A growing CNF.

    Args:
        fold: simplify gates whose inputs are constants or repeat; without it every gate gets its own variable.
    """

    def __init__(self, *, fold: bool = True) -> None:
        self.fold = fold
        self.clauses: list[Clause] = []
        self.tags: list[Tag] = []
        self.names: dict[int, str] = {TRUE: "true"}
        self.variables = 1
        self._tag = GATE
        self._gates: dict[Clause, int] = {}
        self._assert_constant()

    def _assert_constant(self) -> None:
        self.add((TRUE,), Tag("constant"))

    # ------------------------------------------------------------------ clauses and variables

    def variable(self, name: str = "") -> int:
        """Return a new variable as a positive literal."""
        self.variables += 1
        if name:
            self.names[self.variables] = name
        return self.variables

    def add(self, clause: Iterable[int], tag: Tag | None = None) -> None:
        """Add a clause under the given tag, or under that of the equation being written."""
        self.clauses.append(tuple(clause))
        self.tags.append(tag or self._tag)

    @contextmanager
    def tagged(self, tag: Tag) -> Iterator[None]:
        """Tag what is asserted inside the block. Gates are definitions and stay untagged."""
        before, self._tag = self._tag, tag
        try:
            yield
        finally:
            self._tag = before

    def define(self, variable: int, literal: int, tag: Tag | None = None) -> None:
        """Assert the equation ``variable <=> literal`` (tag as of `add`)."""
        self.add((-variable, literal), tag)
        self.add((variable, -literal), tag)

    # ------------------------------------------------------------------ gates

    def all_of(self, literals: Iterable[int]) -> int:
        """Return a literal for the conjunction."""
        if self.fold:
            kept: set[int] = set()
            for literal in literals:
                if literal == FALSE or -literal in kept:
                    return FALSE
                if literal != TRUE:
                    kept.add(literal)
            if len(kept) < 2:
                return kept.pop() if kept else TRUE
            literals = sorted(kept)
        inputs = tuple(literals)
        gate = self._gates.get(inputs)
        if gate is None:
            gate = self._gates[inputs] = self.variable()
            self._define_gate(gate, inputs)
        return gate

    def _define_gate(self, gate: int, inputs: Clause) -> None:
        for literal in inputs:
            self.add((-gate, literal), GATE)
        self.add((gate, *(-literal for literal in inputs)), GATE)

    def any_of(self, literals: Iterable[int]) -> int:
        """Return a literal for the disjunction."""
        return -self.all_of(-literal for literal in literals)

    # ------------------------------------------------------------------ strengths

    def count(self, base: int, literals: Iterable[int]) -> Strength:
        """Return the unary vector of `base` plus the number of true literals."""
        return self._trim(((TRUE,) * base) + self._sorted(tuple(literals)))

    def _sorted(self, literals: Strength) -> Strength:
        """Return the literals with the true ones first: Batcher's odd-even merge sort, n log^2 n comparisons."""
        if len(literals) < 2:
            return literals
        half = len(literals) // 2
        return self._merged(self._sorted(literals[:half]), self._sorted(literals[half:]))

    def _merged(self, one: Strength, other: Strength) -> Strength:
        """Merge two sorted tuples (Knuth, TAOCP 3, 5.3.4)."""
        if not one or not other:
            return one or other
        if len(one) == len(other) == 1:
            return self._compared(one[0], other[0])
        odd, even = self._merged(one[::2], other[::2]), self._merged(one[1::2], other[1::2])
        pairs = [self._compared(low, high) for low, high in zip(odd[1:], even, strict=False)]
        rest = odd[1 + len(pairs) :] + even[len(pairs) :]
        return (odd[0], *(literal for pair in pairs for literal in pair), *rest)

    def _compared(self, one: int, other: int) -> Strength:
        return self.any_of((one, other)), self.all_of((one, other))

    def one_more(self, strength: Strength, literal: int, most: int) -> Strength:
        """Return the unary vector of a strength and 1 where the literal is true, up to the level `most`."""
        below = (TRUE, *strength)
        levels = zip_longest(strength[:most], below[:most], fillvalue=FALSE)
        return self._trim(tuple(self.any_of((here, self.all_of((under, literal)))) for here, under in levels))

    def choose(self, condition: int, then: Strength, otherwise: Strength) -> Strength:
        """Return an if-then-else per level (the third case lets equal levels pass whatever the condition is)."""
        if self.fold and condition in (TRUE, FALSE):
            return then if condition == TRUE else otherwise
        levels = zip_longest(then, otherwise, fillvalue=FALSE)
        return self._trim(
            tuple(
                self.any_of((self.all_of((condition, a)), self.all_of((-condition, b)), self.all_of((a, b))))
                for a, b in levels
            )
        )

    def greater(self, left: Strength, right: Strength) -> int:
        """Return a literal for "some level is reached on the left and not on the right"."""
        levels = zip_longest(left, right, fillvalue=FALSE)
        return self.any_of(self.all_of((a, -b)) for a, b in levels)

    def _trim(self, strength: Strength) -> Strength:
        while self.fold and strength and strength[-1] == FALSE:
            strength = strength[:-1]
        return strength


class DualRail(Formula):
    """The same equations for a solver's unit propagation: Kleene's closure in clauses.

    Every variable of the equations becomes two of the solver, "is true" and "is false", and every gate is
    written forwards only: from inputs to output. Unit propagation on these clauses then decides exactly what
    the three-valued reading decides, and nothing by reasoning backwards.
    """

    def _assert_constant(self) -> None:
        self.add((self.rail(TRUE),), Tag("constant"))

    @staticmethod
    def rail(literal: int) -> int:
        """Return the solver's variable for "this literal is known to be true"."""
        return 2 * abs(literal) - (literal > 0)

    def define(self, variable: int, literal: int, tag: Tag | None = None) -> None:
        """Assert that the variable is known as soon as the literal is (tag as of `add`)."""
        self.add((-self.rail(literal), self.rail(variable)), tag)
        self.add((-self.rail(-literal), self.rail(-variable)), tag)

    def _define_gate(self, gate: int, inputs: Clause) -> None:
        for literal in inputs:
            self.add((-self.rail(-literal), self.rail(-gate)), GATE)
        self.add((*(-self.rail(literal) for literal in inputs), self.rail(gate)), GATE)


class BrokenClauses(Formula):
    """Clauses over known values: nothing is kept of them but whether one is false."""

    def __init__(self) -> None:
        self.yes = False
        super().__init__()

    def add(self, clause: Iterable[int], tag: Tag | None = None) -> None:  # noqa: ARG002 -- as the one it stands for
        """Look at a clause whose literals are constants (arguments as of `Formula.add`)."""
        self.yes = self.yes or all(literal == FALSE for literal in clause)
