"""How a claim follows from some orders, step by step.

The equations of the orders that are kept are evaluated over three truth values; each decision that this settles is a
step, and so is each ring that turns. Where evaluating comes to a halt, because an equation looks at decisions that
depend on it, whatever is forced all the same is settled in one step "by cases". At the end every step is asked which
earlier ones it needs, and those that the claim does not need are dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from satdip.encodings.movement import equation
from satdip.encodings.reading import TRUE, UNKNOWN
from satdip.encodings.rotations import Cycle, turns
from satdip.encodings.situation import Node
from satdip.formulas import nothing_known
from satdip.lab.explain.freeing import Claim, Freed, FreedReading

__all__ = ["Derived", "How", "derive"]


class How(StrEnum):
    """Why a decision follows."""

    EQUATION = "equation"
    """By its own equation."""
    ROTATION = "rotation"
    """Its ring turns."""
    CASES = "cases"
    """It depends on itself, and only one value is consistent."""
    CLAIM = "claim"
    """By definition: what the claim says beyond the decision of its order."""


@dataclass(frozen=True)
class Derived:
    """One step.

    Args:
        how: why it follows.
        nodes: the orders that are decided here; those of the claim for its own step.
        needs: the decisions that it needs: order index -> value.
        presence: the orders of others that matter here only by having been given.
    """

    how: How
    nodes: tuple[Node, ...]
    needs: Mapping[int, int] = field(default_factory=dict)
    presence: frozenset[int] = frozenset()


def derive(freed: Freed, kept: Collection[int], values: list[int]) -> tuple[Derived, ...]:
    """Return the steps from some orders to the claims that they force.

    Args:
        freed: the orders and the claims.
        kept: orders that force them.
        values: the resolution: order index -> value.
    """
    steps = _Steps(freed, frozenset(kept), values)
    steps.run()
    return steps.needed()


class _Steps:
    """The steps while they are being found."""

    def __init__(self, freed: Freed, kept: frozenset[int], values: list[int]) -> None:
        self.freed, self.kept, self.actual = freed, kept, values
        self.known = nothing_known(freed.situation)
        self.open = [node for node in freed.nodes if node.index in kept]
        self.found: list[Derived] = []

    def reading(self, known: list[int], kept: Collection[int]) -> FreedReading:
        return FreedReading(known, kept, self.freed.situation.rules, self.freed.ruling)

    def run(self) -> None:
        while not self.claimed(self.known, self.kept):
            if not (self.evaluate() or self.turn() or self.cases()):
                return  # what is left is what no order can do: a move that dislodges a unit of its own power

    def claimed(self, known: list[int], kept: Collection[int]) -> bool:
        reading = self.reading(known, kept)
        return all(claim.literal(reading) == TRUE for claim in self.freed.claims)

    # ------------------------------------------------------------------ forwards

    def evaluate(self) -> bool:
        """Settle the next decision that an equation settles."""
        reading = self.reading(self.known, self.kept)
        for node in self.open:
            value = equation(reading, node)
            if value != UNKNOWN:
                self.settle(How.EQUATION, (node,))
                return True
        return False

    def turn(self) -> bool:
        """Settle the moves of a ring that turns."""
        reading = self.reading(self.known, self.kept)
        for ring in self.freed.rings:
            if any(self.known[m.index] == UNKNOWN for m in ring) and turns(reading, ring) == TRUE:
                self.settle(How.ROTATION, ring)
                return True
        return False

    def cases(self) -> bool:
        """Settle what is forced without being evaluable."""
        forced = [node for node in self.open if self.is_forced(node)]
        if forced:
            self.settle(How.CASES, tuple(forced))
        return bool(forced)

    def is_forced(self, node: Node) -> bool:
        claim = Claim(node, works=self.actual[node.index] == TRUE)
        return Freed(self.freed.situation, self.freed.ruling, [claim]).forced_by(self.kept)

    def settle(self, how: How, nodes: tuple[Node, ...]) -> None:
        self.found.append(Derived(how, nodes))
        for node in nodes:
            self.known[node.index] = self.actual[node.index]
        self.open = [node for node in self.open if self.known[node.index] == UNKNOWN]

    # ------------------------------------------------------------------ backwards

    def needed(self) -> tuple[Derived, ...]:
        """Return the steps that the claims need, each with what it needs itself, and the claims' own step."""
        last = self.with_needs(Derived(How.CLAIM, tuple(claim.node for claim in self.freed.claims)), self.known)
        result, wanted = [last], set(last.needs)
        known = list(self.known)
        for step in reversed(self.found):
            for node in step.nodes:
                known[node.index] = UNKNOWN
            if wanted.intersection(node.index for node in step.nodes):
                step = self.with_needs(step, known)
                wanted.update(step.needs)
                result.append(step)
        return tuple(reversed(result))

    def with_needs(self, step: Derived, known: list[int]) -> Derived:
        """Return the step with as few known decisions, and as few given orders, as still settle it."""
        if step.how == How.CASES or not self.follows(step, known, self.kept):
            return replace(step, needs={node.index: known[node.index] for node in self.decided(known)})
        left, kept = list(known), set(self.kept)
        own = {node.index for node in step.nodes}
        for node in self.decided(known):
            left[node.index] = UNKNOWN
            if not self.follows(step, left, kept):
                left[node.index] = known[node.index]
        for index in sorted(self.kept - own):
            kept.discard(index)
            if not self.follows(step, left, kept):
                kept.add(index)
        needs = {node.index: left[node.index] for node in self.decided(left)}
        return replace(step, needs=needs, presence=frozenset(kept - own))

    def decided(self, known: list[int]) -> Iterator[Node]:
        return (node for node in self.freed.nodes if known[node.index] != UNKNOWN)

    def follows(self, step: Derived, known: list[int], kept: Collection[int]) -> bool:
        """Tell whether a step still follows."""
        reading = self.reading(known, kept)
        match step.how:
            case How.CLAIM:
                return self.claimed(known, kept)
            case How.ROTATION:
                ring: Cycle = tuple(node for node in step.nodes)  # type: ignore[misc]
                return turns(reading, ring) == TRUE
            case _:
                return all(equation(reading, node) == self.actual[node.index] for node in step.nodes)
