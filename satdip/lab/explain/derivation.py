"""How a claim follows from some orders, step by step.

The equations of the orders that are kept are evaluated over three truth values; each decision that this settles is a
step, and so is each ring that turns. Where evaluating comes to a halt, because an equation looks at decisions that
depend on it, the paradox rule is applied as it was in the phase; and where it was not, whatever is forced all the same
is settled in one step "by cases". At the end every step is asked which earlier ones it needs, and those that the claim
does not need are dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from satdip.encodings.movement import equation
from satdip.encodings.reading import TRUE, UNKNOWN, Ruling
from satdip.encodings.rotations import Cycle, turns
from satdip.encodings.situation import HoldNode, Node
from satdip.lab.explain.freeing import Claim, Freed, FreedReading
from satdip.solving.formula_of_phase import nothing_known
from satdip.solving.verdict import Core, Verdict

__all__ = ["Derived", "How", "derive", "ruling_of"]


class How(StrEnum):
    """Why a decision follows."""

    EQUATION = "equation"
    """By its own equation."""
    ROTATION = "rotation"
    """Its ring turns."""
    PARADOX = "paradox"
    """A paradox rule forbids it."""
    CASES = "cases"
    """No single evaluation shows it, and it is forced all the same."""
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
        rulings: the paradoxes whose ruling it needs.
        core: the paradox that is settled here.
    """

    how: How
    nodes: tuple[Node, ...]
    needs: Mapping[int, int] = field(default_factory=dict)
    presence: frozenset[int] = frozenset()
    rulings: tuple[Core, ...] = ()
    core: Core | None = None


def ruling_of(cores: Iterable[Core], routes: Mapping[int, int]) -> Ruling:
    """Return what the paradox rule lays down about some paradoxes, beside the routes that it settles at first."""
    return Ruling(frozenset(node.index for core in cores for node in core.vetoed), routes)


def derive(freed: Freed, kept: Collection[int], verdict: Verdict) -> tuple[Derived, ...]:
    """Return the steps from some orders to the claims that they force.

    Args:
        freed: the orders and the claims.
        kept: orders that force them.
        verdict: the resolution.
    """
    steps = _Steps(freed, frozenset(kept), verdict)
    steps.run()
    return steps.needed()


class _Steps:
    """The steps while they are being found."""

    def __init__(self, freed: Freed, kept: frozenset[int], verdict: Verdict) -> None:
        self.freed, self.kept, self.verdict, self.actual = freed, kept, verdict, verdict.values
        self.known = nothing_known(freed.situation)
        self.open = [node for node in freed.nodes if node.index in kept]
        self.found: list[Derived] = []
        self.ruled: tuple[Core, ...] = ()

    def reading(self, known: list[int], kept: Collection[int], ruled: Iterable[Core] | None = None) -> FreedReading:
        ruling = ruling_of(self.ruled if ruled is None else ruled, self.verdict.ruling.routes)
        return FreedReading(known, kept, self.freed.situation.rules, ruling)

    def run(self) -> None:
        while not self.claimed(self.reading(self.known, self.kept)):
            if not (self.evaluate() or self.turn() or self.rule(whole=True) or self.rule(whole=False) or self.cases()):
                return  # what is left is what no order can do: a move that dislodges a unit of its own power

    def claimed(self, reading: FreedReading) -> bool:
        return all(claim.literal(reading) == TRUE for claim in self.freed.claims)

    # ------------------------------------------------------------------ forwards

    def evaluate(self) -> bool:
        """Settle the next decision that an equation settles."""
        reading = self.reading(self.known, self.kept)
        for node in self.open:
            value = equation(reading, node)
            if value != UNKNOWN:
                self.settle(Derived(How.EQUATION, (node,), rulings=self.ruled))
                return True
        return False

    def turn(self) -> bool:
        """Settle the moves of a ring that turns."""
        reading = self.reading(self.known, self.kept)
        for ring in self.freed.rings:
            if any(self.known[m.index] == UNKNOWN for m in ring) and turns(reading, ring) == TRUE:
                self.settle(Derived(How.ROTATION, ring, rulings=self.ruled))
                return True
        return False

    def rule(self, *, whole: bool) -> bool:
        """Apply the paradox rule to a knot.

        Args:
            whole: only where everything that made the knot is kept. Where it is not, the orders that are kept force the
                claims whether there is a knot or not, and the steps tell what happened.
        """
        for core in self.verdict.cores:
            if core.vetoed and core not in self.ruled and self.is_open(core) and (self.is_closed(core) or not whole):
                self.settle(Derived(How.PARADOX, core.vetoed, rulings=self.ruled, core=core))
                self.ruled = (*self.ruled, core)
                return True
        return False

    def is_open(self, core: Core) -> bool:
        """Return whether nothing in a core is decided."""
        return all(self.known[node.index] == UNKNOWN for node in core.nodes)

    def is_closed(self, core: Core) -> bool:
        """Return whether all that makes a core is kept: it asks for nothing else that is unknown."""
        kept = all(node.index in self.kept for node in core.nodes)
        return kept and self.asks_nothing_else(core, self.reading(self.known, self.kept))

    def cases(self) -> bool:
        """Settle what is forced without being evaluable."""
        forced = [node for node in self.open if self.is_forced(node)]
        if forced:
            self.settle(Derived(How.CASES, tuple(forced), rulings=self.ruled))
        return bool(forced)

    def is_forced(self, node: Node) -> bool:
        if self.actual[node.index] == UNKNOWN:
            return False
        claim = Claim(node, works=self.actual[node.index] == TRUE, matched=False)
        return Freed(self.freed.situation, [claim]).forced_by(self.kept)

    def settle(self, step: Derived) -> None:
        self.found.append(step)
        for node in step.nodes:
            self.known[node.index] = self.actual[node.index]
        self.open = [node for node in self.open if self.known[node.index] == UNKNOWN]

    # ------------------------------------------------------------------ backwards

    def needed(self) -> tuple[Derived, ...]:
        """Return the steps that the claims need, each with what it needs itself, and the claims' own step."""
        claimed = Derived(How.CLAIM, tuple(claim.node for claim in self.freed.claims), rulings=self.ruled)
        last = self.with_needs(claimed, self.known)
        result, wanted, rulings = [last], set(last.needs), list(last.rulings)
        known = list(self.known)
        for step in reversed(self.found):
            for node in step.nodes:
                known[node.index] = UNKNOWN
            if wanted.intersection(node.index for node in step.nodes) or step.core in rulings:
                step = self.with_needs(step, known)
                wanted.update(step.needs)
                rulings += step.rulings
                result.append(step)
        return tuple(reversed(result))

    def with_needs(self, step: Derived, known: list[int]) -> Derived:
        """Return the step with as few rulings, known decisions, and given orders, as still settle it."""
        if step.core is not None and not self.follows(step, known, self.kept):
            return replace(step, rulings=())
        if step.how == How.CASES or not self.follows(step, known, self.kept):
            return replace(step, needs={node.index: known[node.index] for node in self.decided(known)})
        rulings = list(step.rulings)
        for core in step.rulings:
            fewer = [other for other in rulings if other is not core]
            if self.follows(replace(step, rulings=tuple(fewer)), known, self.kept):
                rulings = fewer
        step = replace(step, rulings=tuple(rulings))
        left, kept = list(known), set(self.kept)
        own = {node.index for node in (step.core.nodes if step.core else step.nodes)}
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
        """Return whether a step still follows."""
        reading = self.reading(known, kept, step.rulings)
        match step.how:
            case How.CLAIM:
                return self.claimed(reading)
            case How.ROTATION:
                ring: Cycle = tuple(node for node in step.nodes)  # type: ignore[misc]
                return turns(reading, ring) == TRUE
            case How.PARADOX:
                return step.core is not None and self.asks_nothing_else(step.core, reading)
            case _:
                return all(equation(reading, node) == self.actual[node.index] for node in step.nodes)

    def asks_nothing_else(self, core: Core, reading: FreedReading) -> bool:
        """Return whether the equations of a core ask for nothing outside that is unknown in a reading."""
        inside = {node.index for node in core.nodes}
        for node in core.nodes:
            equation(reading, node)
        situation = self.freed.situation
        return all(
            index in inside
            or isinstance(situation.nodes[index], HoldNode)
            or (index in reading.given and (index not in reading.asked_decisions or reading.values[index] != UNKNOWN))
            for index in reading.asked
        )
