"""A phase in which some units may be given any legal order.

One formula holds for all these order sets at once: a variable says whether a unit got an order, and the equations are
written over these variables. It allows a little more than can happen: rings of moves may stand still, and a convoy that
could be part of a paradox may be disrupted as if by the rule. So whatever the formula excludes is excluded, and what it
proposes is adjudicated before it counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar

from satdip.base.budget import UNLIMITED, Budget
from satdip.check.legal_orders import legal_orders
from satdip.check.remembered import MovementCheck
from satdip.encodings.clauses import ClauseReading
from satdip.encodings.formula import Clause, Formula
from satdip.encodings.movement import equation
from satdip.encodings.paradoxes import BACKUPS
from satdip.encodings.reading import FALSE, TRUE, Reading, Ruling
from satdip.encodings.rotations import cycles, turns
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node, Situation
from satdip.lab.explain.freeing import Claim, matches, only_convoys_make_knots
from satdip.lab.narrowing import enough_orders
from satdip.lab.phase import Movement
from satdip.phase.orders import Order
from satdip.phase.position import Unit
from satdip.rulebook import Allowance, Fallback, Paradox
from satdip.solving.decide import decide
from satdip.solving.formula_of_phase import nothing_known
from satdip.solving.verdict import Verdict

__all__ = ["OpenPhase", "Outcome"]

S = TypeVar("S")


@dataclass(frozen=True)
class Outcome:
    """What is asked about a unit that keeps its order.

    Args:
        at: the province of the unit.
        works: the order matches those of the others and works, or matches and does not; None to ask about the unit.
        driven: the unit is dislodged; None to ask about the order.
        void: the order matches none of the others.
        is_turned: the opposite of all that.
    """

    at: str
    works: bool | None = None
    driven: bool | None = None
    void: bool = False
    is_turned: bool = False

    @classmethod
    def of(cls, verdict: Verdict, node: Node) -> Self:
        """Return what became of an order."""
        if isinstance(node, HoldNode):
            return cls(node.at, driven=node.at in verdict.dislodged)
        if matches(verdict.reading, node) == FALSE:
            return cls(node.at, void=True)
        return cls(node.at, works=verdict.values[node.index] == TRUE)

    def turned(self) -> Outcome:
        """Return the opposite."""
        return replace(self, is_turned=not self.is_turned)

    def literal(self, x: Reading[S], node: Node) -> int:
        """Return the outcome as a literal of a reading.

        Args:
            x: the reading.
            node: the order of the unit in it.
        """
        said = Claim(node, self.works, self.driven, self.void).literal(x)
        return -said if self.is_turned else said

    def holds(self, verdict: Verdict) -> bool:
        """Return whether it is so in a resolution; not where the rules give no answer."""
        node = next(node for node in verdict.situation.nodes if node.at == self.at)
        return not verdict.is_open and self.literal(verdict.reading, node) == TRUE


class OpenPhase:
    """A position in which some units keep their orders and the others may get any.

    Args:
        movement: the phase with its orders.
        opened: provinces of the units that may get any legal order; the others keep theirs.
    """

    def __init__(self, movement: Movement, opened: Collection[str]) -> None:
        self.movement, self.rules = movement, movement.rules
        self.board = movement.turn.position.board
        actions = movement.checked.actions
        check = MovementCheck(movement.turn.position, self.rules)
        self.actual: dict[str, Order] = {unit.province: order for unit, order in actions}
        candidates = [
            (unit, option)
            for unit, order in actions
            for option in (dict.fromkeys((order, *legal_orders(check, unit))) if unit.province in opened else (order,))
        ]
        units = movement.turn.position.units
        unsupportable = movement.checked.unsupportable.difference(opened)
        self.situation = Situation(self.board, units, candidates, self.rules, unsupportable)
        self.opened = [at for at in self.situation.pieces if at in opened]
        self.options: dict[str, list[Node]] = {}
        for node in self.situation.nodes:
            self.options.setdefault(node.at, []).append(node)
        self._formula = Formula()
        self._ordered = {n.index: self._formula.variable() for at in self.opened for n in self.options[at]}
        convoys = self.situation.convoys if self.excludes_truly else ()
        self._vetoes = {c.index: self._formula.variable() for c in convoys}
        self.x = ClauseReading.of(
            self._formula,
            nothing_known(self.situation),
            ordered=self._ordered,
            rules=self.rules,
            ruling=Ruling(possible=self._vetoes),
        )
        self._rings: set[frozenset[int]] = set()
        self._write()

    def _write(self) -> None:
        formula, x = self._formula, self.x
        for at in self.opened:
            literals = [self._ordered[node.index] for node in self.options[at]]
            formula.add(literals)
            counted = formula.count(0, literals)
            formula.add((-counted[1],) if len(counted) > 1 else ())
        for node in self.situation.decisions():
            decision, right = x.decision(node), equation(x, node)
            formula.add((-decision, right))
            formula.add((-decision, x.ordered(node)))
            formula.add((decision, -right))
        threats: dict[str, int] = {}
        for convoy in self.situation.convoys if self.excludes_truly else ():
            formula.add((-self._vetoes[convoy.index], self._endangered(convoy, threats)))

    def _endangered(self, convoy: ConvoyNode, threats: dict[str, int]) -> int:
        """Return whether a convoy could be in a paradox: such a convoy attacks a unit that supports into its sea.

        The rule disrupts a convoy only where it depends on itself: whether its fleet is dislodged must depend on a
        support, and that on an army whose convoy the rule disrupts as well.

        Args:
            convoy: the convoy.
            threats: what was found of supporters before: province -> literal.
        """
        x = self.x
        aimed: dict[str, list[int]] = {}
        for support in self.situation.supports:
            if support.zone == convoy.at:
                aimed.setdefault(support.at, []).append(x.ordered(support))
        for at in aimed.keys() - threats.keys():
            armies = [m for m in self.situation.pieces[at].attackers if m.fleets and m.sea != FALSE]
            threats[at] = x.any_of([x.all_of((x.ordered(m), x.any_of(self._disrupted(m)))) for m in armies])
        return x.any_of([x.all_of((x.any_of(ordered), threats[at])) for at, ordered in aimed.items()])

    def _disrupted(self, m: MoveNode) -> list[int]:
        return [self.x.all_of((self.x.ordered(fleet), self._vetoes[fleet.index])) for fleet in m.fleets]

    @property
    def excludes_truly(self) -> bool:
        """Whether what the formula excludes cannot happen: every paradox is settled, and by disrupting convoys only."""
        rules = self.rules
        falls_back = rules.paradox not in BACKUPS and rules.fallback == Fallback.SZYKMAN
        return only_convoys_make_knots(rules) and (rules.paradox == Paradox.SZYKMAN or falls_back)

    # ------------------------------------------------------------------ literals

    def clauses(self, outcome: Outcome) -> list[Clause]:
        """Return the formula of the order sets with some outcome."""
        literal = self.literal(outcome)  # it may write gates
        return [*self._formula.clauses, (literal,)]

    def keeps(self, at: str) -> int:
        """Return the literal "the unit there got the order that it has"."""
        return self.x.ordered(self._kept(at))

    def _kept(self, at: str) -> Node:
        """Return the order that the unit there has."""
        return next(node for node in self.options[at] if node.order == self.actual[at])

    def count_changes(self) -> Sequence[int]:
        """Return literals: the k-th (from 0) says that at least k + 1 units got other orders than they have."""
        return self._formula.count(0, (-self.keeps(at) for at in self.opened))

    def literal(self, outcome: Outcome) -> int:
        """Return the literal of an outcome, for a unit that keeps its order."""
        return outcome.literal(self.x, self._kept(outcome.at))

    # ------------------------------------------------------------------ models

    def chosen(self, model: Collection[int]) -> list[Node]:
        """Return the orders of a model, one per unit."""
        return [
            next(node for node in options if self.x.ordered(node) in model or len(options) == 1)
            for options in self.options.values()
        ]

    def adjudicated(self, chosen: Sequence[Node]) -> Verdict:
        """Adjudicate some orders."""
        orders = [(node.piece.unit, node.order) for node in chosen]
        unsupportable = [at for at, piece in self.situation.pieces.items() if not piece.supportable]
        units = self.movement.turn.position.units
        return decide(Situation(self.board, units, orders, self.rules, unsupportable))

    def missing(self, model: Collection[int], chosen: Sequence[Node]) -> Iterator[Clause]:
        """Yield clauses of the rotation law that a model breaks: rings among its moves that should have turned."""
        moves = [node for node in chosen if isinstance(node, MoveNode)]
        for ring in cycles(self.situation, moves):
            known = frozenset(m.index for m in ring)
            forbidden = len(ring) > 2 and self.rules.rotation == Allowance.FORBIDDEN
            if forbidden or known in self._rings or all(self.x.decision(m) in model for m in ring):
                continue
            self._rings.add(known)
            before = len(self._formula.clauses)
            condition = turns(self.x, ring)
            if condition == FALSE:
                continue
            yield from self._formula.clauses[before:]
            for m in ring:
                yield (-condition, self.x.decision(m))

    def other_orders(self, chosen: Sequence[Node]) -> Clause:
        """Return the clause "not exactly these orders"."""
        return tuple(-self.x.ordered(node) for node in chosen if node.at in self.opened)

    def orders_that_exclude(
        self, outcome: Outcome, chosen: Sequence[Node], verdict: Verdict, budget: Budget = UNLIMITED
    ) -> Clause:
        """Return a clause that excludes these orders, and as many others with which an outcome does not come about.

        Args:
            outcome: what did not come about.
            chosen: the orders, one per unit.
            verdict: what was decided about them.
            budget: how long it may take.
        """
        order_of = {node.at: node for node in chosen}
        kept = self._kept(outcome.at)
        enough = enough_orders(
            self.situation, order_of, self.opened, verdict, lambda x: outcome.literal(x, kept), budget
        )
        if enough is None:
            return self.other_orders(chosen)
        clause: list[int] = []
        for at, allowed in enough.items():
            if len(allowed) == 1:
                clause.append(-self.x.ordered(order_of[at]))
            else:
                clause += [self.x.ordered(node) for node in self.options[at] if node.index not in allowed]
        return tuple(clause)

    def changes(self, chosen: Sequence[Node]) -> Mapping[Unit, Order]:
        """Return the orders that differ from those of the phase."""
        return {n.piece.unit: n.order for n in chosen if n.order != self.actual[n.at]}
