"""What follows from some orders alone: the others are left free.

An order that is left out is *freed*: it may have been given or not, and if it was, it may have worked or not, as far as
such orders ever can (a move without a path does not, nor one that would dislodge a unit of its own power). So the
more orders are kept, the more follows, and the smallest set of orders that forces a claim is a smallest unsatisfiable
core: one group of clauses per order (it was given, and its equation holds), hard clauses for what is no order (the
gates, the law of rotations, what a paradox rule laid down), and the claim's negation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from satdip.budget import UNLIMITED, Budget
from satdip.encodings.clauses import ClauseReading
from satdip.encodings.convoys import path
from satdip.encodings.formula import Clause, Formula
from satdip.encodings.movement import dislodged, equation
from satdip.encodings.reading import NO_RULING, TRUE, UNKNOWN, Indexed, Reading, Ruling, ThreeValued
from satdip.encodings.rotations import Cycle, add_rotations, cycles, turns
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation
from satdip.formulas import nothing_known
from satdip.rulebook import DATC, Rulebook
from satdip.solver import Solver, minimal_core, smallest_core

__all__ = ["Claim", "Freed", "FreedReading"]

S = TypeVar("S")


@dataclass(frozen=True)
class Claim:
    """What is said about the order of a unit.

    Args:
        node: the order.
        works: MOVE, SUPPORT or CONVOY is true or false; None where nothing is said (a unit that holds).
        dislodged: the unit is dislodged or not; None where nothing is said.
    """

    node: Node
    works: bool | None = None
    dislodged: bool | None = None

    def literal(self, x: Reading[S]) -> int:
        """Return the claim as a literal of a reading."""
        parts = []
        if self.works is not None:
            parts.append(x.decision(self.node) if self.works else -x.decision(self.node))
        if self.dislodged is not None:
            driven = dislodged(x, self.node.piece)
            parts.append(driven if self.dislodged else -driven)
        return x.all_of(parts)


class FreedReading(ThreeValued):
    """The three-valued reading in which only some orders are known to have been given.

    Args:
        values: order index -> value.
        given: the indices of the orders that are kept.
        rules: the rulebook.
        ruling: what a paradox rule has laid down.
    """

    __slots__ = ("asked", "given")

    def __init__(
        self, values: list[int], given: Collection[int], rules: Rulebook = DATC, ruling: Ruling = NO_RULING
    ) -> None:
        super().__init__(values, rules, ruling)
        self.given = given
        self.asked: set[int] = set()

    def ordered(self, node: Indexed) -> int:
        """Return TRUE for an order that is kept, else UNKNOWN."""
        self.asked.add(node.index)
        return TRUE if node.index in self.given else UNKNOWN

    def decision(self, node: Indexed) -> int:
        """Return the value; of an order that is not kept nothing is known."""
        self.asked.add(node.index)
        return self.values[node.index]


class Freed:
    """The orders of a movement phase that could bear on some claim, each of which can be left out.

    Args:
        situation: the orders.
        ruling: what the paradox rule laid down.
        claims: what is claimed, all of it.
    """

    def __init__(self, situation: Situation, ruling: Ruling, claims: Sequence[Claim]) -> None:
        self.situation, self.ruling, self.claims = situation, ruling, claims
        self.nodes, self.rings = self._cone()
        self._formula = Formula()
        ordered = {node.index: self._formula.variable() for node in self.nodes}
        self.x = ClauseReading.of(
            self._formula, nothing_known(situation), ordered=ordered, rules=situation.rules, ruling=ruling
        )
        self.groups: dict[int, list[Clause]] = {}
        for node in self.nodes:
            decision, right = self.x.decision(node), equation(self.x, node)
            self.groups[node.index] = [(ordered[node.index],), (-decision, right), (decision, -right)]
        add_rotations(self.x, self._formula, iter(self.rings))
        self._possible = [(-self.x.decision(n), literal) for n in self.nodes for literal in self._bounds(n)]

    def _bounds(self, node: Node) -> Iterator[int]:
        """Yield what is true of every order that works, freed or not."""
        yield self.x.ordered(node)
        own = any(claim.node.index == node.index for claim in self.claims)  # its own equation has to say so
        if isinstance(node, MoveNode) and not own:
            yield path(self.x, node)
            if node.target is not None and node.target.unit.power == node.power:
                yield self.x.any_of(self.x.decision(o) for o in node.target.moves)

    def _cone(self) -> tuple[list[Node], list[Cycle]]:
        """Return the orders whose equations can matter to the claims, and the rings among them."""
        situation = self.situation
        rings = list(cycles(situation))
        ring_of = {m.index: ring for ring in rings for m in ring}
        found: set[int] = set()
        used: list[Cycle] = []
        reading = FreedReading(nothing_known(situation), (), situation.rules, self.ruling)
        for claim in self.claims:
            claim.literal(reading)
        while new := reading.asked - found:
            found |= new
            for index in sorted(new):
                node = situation.nodes[index]
                equation(reading, node)
                ring = ring_of.get(index)
                if ring is not None and ring not in used:
                    used.append(ring)
                    turns(reading, ring)
                    reading.asked.update(m.index for m in ring)
        nodes = [situation.nodes[index] for index in sorted(found)]
        return [node for node in nodes if not isinstance(node, HoldNode)], used

    # ------------------------------------------------------------------ questions

    def _hard(self, claims: Sequence[Claim]) -> list[Clause]:
        """Return the gates, the laws, and the negation of some claims."""
        claimed = self.x.all_of([claim.literal(self.x) for claim in claims])  # it may write gates
        return [*self._formula.clauses, *self._possible, (-claimed,)]

    def clauses(self, kept: Iterable[int], claims: Sequence[Claim]) -> list[Clause]:
        """Return the formula "some orders are kept, and some claims do not hold all the same"."""
        return [*self._hard(claims), *(clause for index in kept for clause in self.groups.get(index, ()))]

    def smallest(self, budget: Budget = UNLIMITED) -> tuple[frozenset[int], bool] | None:
        """Return the fewest orders that force the claims, and whether there are certainly no fewer.

        None when not even all orders together force them.
        """
        return smallest_core(self.groups, self._hard(self.claims), budget)

    def minimal(self, budget: Budget = UNLIMITED) -> frozenset[int] | None:
        """Return orders that force the claims, none of which can be left out."""
        return minimal_core(self.groups, self._hard(self.claims), budget)

    def forced_by(self, kept: Iterable[int]) -> bool:
        """Tell whether some orders force the claims."""
        return self.counterexample(kept) is None

    def counterexample(self, kept: Iterable[int]) -> dict[int, bool | None] | None:
        """Show how the claims can fail when only some orders are kept.

        Returns:
            Index of each order of `nodes` -> whether it works, None where it was not given; None when they cannot.
        """
        with Solver(self.clauses(kept, self.claims)) as solver:
            if not solver.solve():
                return None
            true = solver.model()
        works = {node.index: self.x.decision(node) in true for node in self.nodes}
        return {node.index: works[node.index] if self.x.ordered(node) in true else None for node in self.nodes}
