"""What follows from some orders alone: the others are left free.

An order that is left out is *freed*: it may have been given or not (then its unit holds), and if it was, it may have
worked or not, as far as such orders ever can (a move without a path does not, nor one that would dislodge a unit of its
own power), or as its equation has it. So the more orders are kept, the more follows, and the smallest set of orders
that forces a claim is a smallest unsatisfiable core: one literal per order (it was given, and its equation holds), hard
clauses for what is no order (the gates, the law of rotations), and the claim's negation.

Where the orders can make a paradox the formula allows more than can happen: whatever the rule could forbid, and, where
it may have no answer, whatever the knot could do. There each of its models is adjudicated (`World`), and one that the
adjudicator refutes becomes a clause: the fates that the refutation needs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from satdip.base.budget import UNLIMITED, Budget
from satdip.encodings.clauses import ClauseReading
from satdip.encodings.convoys import path
from satdip.encodings.formula import Clause, Formula
from satdip.encodings.movement import dislodged, equation
from satdip.encodings.paradoxes import BACKUPS, FALLBACKS, convoyed_by
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Indexed, Reading, Ruling, ThreeValued
from satdip.encodings.rotations import Cycle, add_rotations, cycles, turns
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node, Situation, SupportNode
from satdip.lab.explain.worlds import Fate, Fates, World, threat
from satdip.phase.orders import Support
from satdip.rulebook import DATC, Allowance, ConvoyedAttack, DislodgedEffect, Fallback, Paradox, Rulebook
from satdip.solving.components import components
from satdip.solving.formula_of_phase import nothing_known
from satdip.solving.solver import satisfying, smallest_core

__all__ = ["Claim", "Freed", "FreedReading", "bounds", "matches", "only_convoys_make_knots"]

S = TypeVar("S")


def matches(x: Reading[S], node: Node) -> int:
    """Return whether a support or convoy is for what the other unit was ordered; every other order matches itself."""
    if isinstance(node, ConvoyNode):
        return x.any_of([x.ordered(m) for m in node.carried])
    if not isinstance(node, SupportNode):
        return TRUE
    order, target = node.order, node.target
    if target is None:
        return FALSE
    if isinstance(order, Support) and order.destination is None:
        stays = x.all_of([-x.ordered(m) for m in target.moves])
        return stays if target.supportable else FALSE
    return x.any_of([x.ordered(m) for m in target.moves if node in m.supports])


def only_convoys_make_knots(rules: Rulebook) -> bool:
    """Return whether orders that depend on one another so that no closure decides them are rings or convoys.

    That is so of the DATC's choices about the dislodged (4.A.7), convoyed attacks (4.A.4) and exchanges; others are
    outside the theory.
    """
    usual = (DislodgedEffect.UNLESS_HEAD_TO_HEAD, ConvoyedAttack.START, Allowance.ALLOWED)
    return (rules.dislodged_effect, rules.convoyed_attack, rules.exchange) == usual


@dataclass(frozen=True)
class Claim:
    """What is said about the order of a unit.

    Args:
        node: the order.
        works: MOVE, SUPPORT or CONVOY is true or false, of an order that matches those of the others; None where
            nothing is said (a unit that holds).
        dislodged: the unit is dislodged or not; None where nothing is said.
        void: the order was given and matches no order.
        matched: whether `works` also says that the order was given and matches another.
    """

    node: Node
    works: bool | None = None
    dislodged: bool | None = None
    void: bool = False
    matched: bool = True

    def literal(self, x: Reading[S]) -> int:
        """Return the claim as a literal of a reading."""
        node, parts = self.node, []
        if self.void:
            parts += [x.ordered(node), -matches(x, node)]
        if self.works is not None:
            parts += [x.ordered(node), matches(x, node)] if self.matched else []
            parts.append(x.decision(node) if self.works else -x.decision(node))
        if self.dislodged is not None:
            driven = dislodged(x, node.piece)
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

    __slots__ = ("asked", "asked_decisions", "given")

    def __init__(
        self, values: list[int], given: Collection[int], rules: Rulebook = DATC, ruling: Ruling = NO_RULING
    ) -> None:
        super().__init__(values, rules, ruling)
        self.given = given
        self.asked: set[int] = set()
        self.asked_decisions: set[int] = set()

    def ordered(self, node: Indexed) -> int:
        """Return TRUE for an order that is kept, else UNKNOWN."""
        self.asked.add(node.index)
        return TRUE if node.index in self.given else UNKNOWN

    def decision(self, node: Indexed) -> int:
        """Return the value; of an order that is not kept nothing is known."""
        self.asked.add(node.index)
        self.asked_decisions.add(node.index)
        return self.values[node.index]


class Freed:
    """The orders of a movement phase that could bear on some claims, each of which can be left out.

    Args:
        situation: the orders.
        claims: what is claimed, all of it.
    """

    def __init__(self, situation: Situation, claims: Sequence[Claim]) -> None:
        self.situation, self.claims = situation, claims
        self.nodes, self.rings = self._cone()
        self._formula = Formula()
        self.kept: dict[int, int] = {}
        """Order -> the literal that says that it is kept."""
        self._ordered: dict[int, int] = {}
        for node in self.nodes:
            self.kept[node.index] = self._formula.variable()
            self._ordered[node.index] = self._formula.variable()
        self._knots = self._find_knots()
        self.x = ClauseReading.of(
            self._formula,
            nothing_known(situation),
            ordered=self._ordered,
            rules=situation.rules,
            ruling=self._possible_ruling(),
        )
        self._write()

    @property
    def adjudicates(self) -> bool:
        """Whether the formula allows more than can happen, so that its models are adjudicated."""
        return bool(self._knots or self.x.ruling.routes)

    # ------------------------------------------------------------------ which orders

    def _cone(self) -> tuple[list[Node], list[Cycle]]:
        """Return the orders whose equations can matter to the claims, and the rings among them."""
        situation = self.situation
        rings = list(cycles(situation))
        ring_of = {m.index: ring for ring in rings for m in ring}
        found: set[int] = set()
        used: list[Cycle] = []
        reading = FreedReading(nothing_known(situation), (), situation.rules)
        for claim in self.claims:
            claim.literal(reading)
        while new := reading.asked - found:
            found |= new
            for index in sorted(new):
                node = situation.nodes[index]
                equation(reading, node)
                if situation.rules.paradox == Paradox.BILLE and isinstance(node, MoveNode):
                    reading.asked.update(threat(node))
                ring = ring_of.get(index)
                if ring is not None and ring not in used:
                    used.append(ring)
                    turns(reading, ring)
                    reading.asked.update(m.index for m in ring)
        nodes = [situation.nodes[index] for index in sorted(found)]
        return [node for node in nodes if not isinstance(node, HoldNode)], used

    def _find_knots(self) -> list[list[Node]]:
        """Return the orders that could depend on one another so that a paradox rule, or nothing, decides them."""
        rules = self.situation.rules
        usual = only_convoys_make_knots(rules)
        if usual and not any(isinstance(node, ConvoyNode) for node in self.nodes):
            return []
        asks: dict[int, set[int]] = {}
        inside = {node.index for node in self.nodes}
        for node in self.nodes:
            reading = FreedReading(nothing_known(self.situation), (), rules)
            equation(reading, node)
            asks[node.index] = reading.asked & inside
        knots = [[self.situation.nodes[index] for index in sorted(one)] for one in components(asks) if len(one) > 1]
        return [knot for knot in knots if not usual or any(isinstance(node, ConvoyNode) for node in knot)]

    # ------------------------------------------------------------------ what a paradox rule may do

    def _possible_ruling(self) -> Ruling:
        """Return everything that the paradox rule might lay down, each with a literal that says that it does."""
        rules, variable = self.situation.rules, self._formula.variable
        if rules.paradox == Paradox.BILLE:
            armies = [m for m in self.nodes if isinstance(m, MoveNode) and m.sea != FALSE and self._threatened(m)]
            return Ruling(routes={m.index: variable() for m in armies})
        knotted = [node for knot in self._knots for node in knot]
        convoys = [node for node in knotted if isinstance(node, ConvoyNode)]
        forbidden: list[Node] = []
        if self._falls_back:
            forbidden += convoys
        if self._falls_back and not self._only_disrupts:
            forbidden += [*convoyed_by(self.situation, convoys), *(m for m in knotted if isinstance(m, MoveNode))]
        inside = {node.index for node in self.nodes}
        return Ruling(possible={index: variable() for index in {n.index for n in forbidden} & inside})

    @staticmethod
    def _threatened(m: MoveNode) -> bool:
        return any(attacker.power != fleet.power for fleet in m.fleets for attacker in fleet.piece.attackers)

    @property
    def _falls_back(self) -> bool:
        """Whether the rulebook has a rule for what the equations leave undecided."""
        rules = self.situation.rules
        return rules.paradox in BACKUPS or rules.fallback in FALLBACKS

    @property
    def _only_disrupts(self) -> bool:
        """Whether that rule forbids convoys only."""
        rules = self.situation.rules
        if rules.paradox in BACKUPS:
            return rules.paradox == Paradox.SZYKMAN
        return rules.fallback == Fallback.SZYKMAN

    # ------------------------------------------------------------------ the formula

    def _write(self) -> None:
        x, formula = self.x, self._formula
        undecided: dict[int, list[int]] = {}  # order -> the literal "its knot has no answer"
        self._unanswered: list[int] = []
        for knot in self._knots:
            if not (self._only_disrupts and any(isinstance(node, ConvoyNode) for node in knot)):
                self._unanswered.append(formula.variable())
                undecided |= {node.index: self._unanswered[-1:] for node in knot}
        for node in self.nodes:
            kept, decision, right = self.kept[node.index], x.decision(node), equation(x, node)
            free = undecided.get(node.index, ())
            formula.add((-kept, x.ordered(node)))
            formula.add((-kept, -decision, right, *free))
            formula.add((-kept, decision, -right, *free))
        for ring in self.rings:  # the law of rotations is about orders that are kept
            laws = Formula()
            add_rotations(x, laws, iter((ring,)))
            loose = [-self.kept[m.index] for m in ring]
            loose += [literal for m in ring for literal in undecided.get(m.index, ())]
            for law in laws.clauses:
                formula.add((*law, *loose))
        self._possible = [(-x.decision(n), literal) for n in self.nodes for literal in self._bounds(n)]

    def _bounds(self, node: Node) -> Iterator[int]:
        """Yield what is true of every order that works, freed or not."""
        yield self.x.ordered(node)
        if isinstance(node, MoveNode) and not self._is_claimed(node):
            yield from bounds(self.x, node)

    def _is_claimed(self, node: Node) -> bool:
        return any(claim.node.index == node.index for claim in self.claims)  # its own equation has to say so

    # ------------------------------------------------------------------ questions

    @property
    def groups(self) -> dict[int, list[Clause]]:
        """The orders, each with the clause that keeps it."""
        return {index: [(literal,)] for index, literal in self.kept.items()}

    def _hard(self) -> list[Clause]:
        """Return the gates, the laws, and "not all claims are so"; where a knot is open there is no outcome at all."""
        claimed = self._claimed(self.x)  # it may write gates
        return [*self._formula.clauses, *self._possible, (-claimed, *self._unanswered)]

    def smallest(self, budget: Budget = UNLIMITED) -> tuple[frozenset[int], bool] | None:
        """Return the fewest orders that force the claims, and whether there are certainly no fewer.

        None when not even all orders together force them.
        """
        return smallest_core(self.groups, self._hard(), budget, self._refine)

    def forced_by(self, kept: Iterable[int], budget: Budget = UNLIMITED) -> bool:
        """Return whether some orders force the claims."""
        return self.counterexample(kept, budget) is None

    def counterexample(self, kept: Iterable[int], budget: Budget = UNLIMITED) -> Fates | None:
        """Show how the claims can fail when some orders are kept: the fate of each order; None when they cannot."""
        assumed = [self.kept[index] for index in kept if index in self.kept]
        true = satisfying(self._hard(), assumed, budget, self._refine)
        return None if true is None else self._fates(true)

    # ------------------------------------------------------------------ the adjudicator

    def _fates(self, model: Collection[int]) -> Fates:
        """Return the fates of the orders in a model."""
        fates = {}
        for index, kept in self.kept.items():
            if kept in model:
                fates[index] = Fate.KEPT
            elif self._ordered[index] not in model:
                fates[index] = Fate.ABSENT
            else:
                works = self.x.decision(self.situation.nodes[index]) in model
                fates[index] = Fate.WORKS if works else Fate.FAILS
        return fates

    def _refine(self, model: Collection[int]) -> Iterable[Clause]:
        """Return nothing when the claims fail in the world of a model, else a clause that excludes it."""
        if not self.adjudicates:
            return ()
        world = World(self.situation, self._fates(model))
        impossible = self._impossible(world)
        if impossible is not None:
            return (self._excluded(impossible),)
        if world.answer(self._claimed) != TRUE:
            return ()
        return (self._excluded(world.needed(self._claimed)),)

    def _impossible(self, world: World) -> Fates | None:
        """Return fates that cannot be: a move works that cannot work."""
        for m in self.situation.moves:
            if world.fates.get(m.index) == Fate.WORKS and not self._is_claimed(m):
                for number, literal in enumerate(bounds(world.reading, m)):
                    if literal == FALSE:
                        needed = world.needed(lambda x, m=m, k=number: list(bounds(x, m))[k])  # type: ignore[misc]
                        return {**needed, m.index: Fate.WORKS}
        return None

    def _claimed(self, x: Reading[S]) -> int:
        return x.all_of([claim.literal(x) for claim in self.claims])

    def _excluded(self, fates: Fates) -> Clause:
        """Return the clause "not all of these fates"."""
        clause: list[int] = []
        for index, fate in fates.items():
            kept, ordered = self.kept[index], self._ordered[index]
            works = self.x.decision(self.situation.nodes[index])
            match fate:
                case Fate.KEPT:
                    clause.append(-kept)
                case Fate.GIVEN:
                    clause.append(-ordered)
                case Fate.ABSENT:
                    clause.append(ordered)
                case Fate.WORKS:
                    clause += [kept, -works]
                case Fate.FAILS:
                    clause += [kept, -ordered, works]
        return tuple(clause)


def bounds(x: Reading[S], m: MoveNode) -> Iterator[int]:
    """Yield what is true of every move that works, whatever its equation: it gets there, and drives out no own unit."""
    yield path(x, m)
    if m.target is not None and m.target.unit.power == m.power:
        yield x.any_of([x.decision(o) for o in m.target.moves])
