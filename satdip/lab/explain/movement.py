"""Why the orders of a movement phase came out as they did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from satdip.base.budget import UNLIMITED, Budget
from satdip.check.result import Checked, Reason, Status
from satdip.encodings.reading import TRUE, UNKNOWN
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node
from satdip.lab.explain.derivation import Derived, How, derive, ruling_of
from satdip.lab.explain.explanation import Explanation, Statement, Step, StepKind
from satdip.lab.explain.facts import facts_of_decision, facts_of_unit
from satdip.lab.explain.freeing import Claim, Freed, FreedReading
from satdip.lab.explain.relevance import outcome_claim
from satdip.lab.explain.unfollowed import deciding
from satdip.lab.phase import Movement
from satdip.solving.verdict import Core, Verdict

__all__ = ["MovementReasons"]


class MovementReasons:
    """A movement phase whose outcomes are to be explained.

    Args:
        movement: the phase.
    """

    def __init__(self, movement: Movement) -> None:
        self.movement, self.situation = movement, movement.situation
        self._node_of = {node.at: node for node in self.situation.nodes}

    @cached_property
    def verdict(self) -> Verdict:
        """What was decided."""
        return self.movement.decide()

    def explain(self, entry: Checked, budget: Budget = UNLIMITED) -> Explanation:
        """Explain what became of one order, or of a unit without one.

        Args:
            entry: the order after the check.
            budget: how long the search for the fewest orders may take; then a minimal set does.

        Raises:
            OutOfTime: not even a minimal set was found in time.
        """
        unit = entry.unit
        if unit is None or not entry.is_of_unit:
            return self._unfollowed(entry)
        node = self._node_of[unit.province]
        driven = unit.province in self.verdict.dislodged
        if entry.status == Status.ILLEGAL:
            if driven:
                return self._reason(entry, Claim(node, dislodged=True), budget)
            return self._unfollowed(entry)
        if entry.status == Status.VOID and not isinstance(node, MoveNode):
            return self._reason(entry, Claim(node, dislodged=True if driven else None, void=True), budget)
        if self.verdict.leaves_open(node):
            return self._open(entry, node)
        return self._reason(entry, outcome_claim(self.verdict, node), budget)

    # ------------------------------------------------------------------ what needs no search

    def _unfollowed(self, entry: Checked) -> Explanation:
        """Explain an order that is not followed and whose unit stays."""
        step = self._checked(entry)
        orders, minimal = deciding(entry, self.movement.checked.entries)
        return self._explanation(entry, step.statements, orders, (step,), minimal=minimal, smallest=minimal)

    def _checked(self, entry: Checked) -> Step:
        """Return the step "the order is not followed", or "it matches no order"."""
        reasons = (*([entry.reason] if entry.reason else []), *entry.basis)
        return Step(StepKind.CHECK, (Statement.of_entry(entry),), reasons=reasons)

    def _followed(self) -> Iterator[Checked]:
        return (entry for entry in self.movement.checked.entries if entry.is_of_unit and entry.action is not None)

    def _open(self, entry: Checked, node: Node) -> Explanation:
        """Explain that the rules give no answer: by the paradoxes that they leave open."""
        left = [core for core in self.verdict.cores if core.left_open]
        steps = tuple(self._paradox(core, ()) for core in left)
        orders = self._entries({n.index for core in left for n in core.nodes} | {node.index})
        return self._explanation(entry, (Statement.of_open(entry),), orders, steps, minimal=False, smallest=False)

    # ------------------------------------------------------------------ the search

    def _reason(self, entry: Checked, claim: Claim, budget: Budget) -> Explanation:
        freed = Freed(self.situation, [claim])
        found = freed.smallest(budget)
        if found is None:
            raise RuntimeError("the orders do not force their own resolution")
        kept, smallest = found
        followed = entry.status == Status.LEGAL or isinstance(claim.node, MoveNode)
        checked = [] if followed else [self._checked(entry)]
        steps = (*checked, *self._told(freed, derive(freed, kept, self.verdict), first=len(checked) + 1))
        orders, minimal = self._entries(kept), True
        if entry.action is None and entry.given is not None:
            first, minimal = deciding(entry, self.movement.checked.entries)
            orders = (*first, *(one for one in orders if one not in first))
            smallest &= minimal
        statements = (*(s for step in checked for s in step.statements), *_stated(claim))
        return self._explanation(entry, statements, orders, steps, minimal=minimal, smallest=smallest, formal=claim)

    def _explanation(
        self,
        entry: Checked,
        claims: tuple[Statement, ...],
        orders: tuple[Checked, ...],
        steps: tuple[Step, ...],
        *,
        minimal: bool,
        smallest: bool,
        formal: Claim | None = None,
    ) -> Explanation:
        followed = [one for one in self._followed() if one.given is not None]
        number = len(followed) + sum(1 for one in orders if not any(one is other for other in followed))
        turn, rules = self.movement.turn, self.movement.rules.name
        asked = (entry.unit, entry.given)
        return Explanation(turn, rules, *asked, claims, formal, orders, number, minimal, smallest, steps)

    def _entries(self, indices: frozenset[int] | set[int]) -> tuple[Checked, ...]:
        """Return the orders as they were handed in; one that was handed in twice, once."""
        wanted = {self.situation.nodes[index].piece.unit for index in indices}
        found = {entry.unit: entry for entry in reversed(list(self._followed())) if entry.unit in wanted}
        return tuple(reversed(found.values()))

    # ------------------------------------------------------------------ telling

    def _told(self, freed: Freed, derived: Sequence[Derived], first: int) -> Iterator[Step]:
        number: dict[int, int] = {}  # order index -> the step that settles it
        ruled: dict[int, int] = {}  # first order of a paradox -> the step that settles it
        looked_at = {index for step in derived for index in (*step.needs, *step.presence)}
        looked_at |= {node.index for step in derived for node in step.nodes}
        armies = [m for m in self.situation.moves if m.index in self.verdict.ruling.routes and m.index in looked_at]
        if armies:
            yield self._routes(armies)
            first += 1
        for count, step in enumerate(derived, start=first):
            needed = {number[i] for i in step.needs if i in number}
            needed |= {ruled[core.nodes[0].index] for core in step.rulings}
            because = tuple(sorted(needed))
            if step.core is not None:
                ruled[step.core.nodes[0].index] = count
                yield self._paradox(step.core, because, step.presence)
            elif step.how == How.CLAIM and all(claim.dislodged is None for claim in freed.claims):
                return  # the decision of the order says it all
            else:
                yield self._step(freed, step, because)
            number |= dict.fromkeys((node.index for node in step.nodes), count)

    def _step(self, freed: Freed, step: Derived, because: tuple[int, ...]) -> Step:
        x = self._reading(step)
        presence = self._entries(set(step.presence))
        match step.how:
            case How.CLAIM:
                (claim,) = freed.claims
                piece, driven = claim.node.piece, claim.dislodged is True
                statements = (Statement.of_unit(piece.unit, driven),)
                facts = facts_of_unit(x, piece, self.verdict.reading, driven=driven)
                return Step(StepKind.UNIT, statements, because, presence, facts)
            case How.ROTATION:
                reason = Reason("rotates", {"unit": step.nodes[0].piece.unit})
                return Step(StepKind.ROTATION, self._statements(step.nodes), because, presence, (reason,))
            case How.CASES:
                return Step(StepKind.CASES, self._statements(step.nodes), because, presence, self._cases(step))
            case _:
                (node,) = step.nodes
                facts = facts_of_decision(x, node, self.verdict.values[node.index] == TRUE, self.verdict.reading)
                return Step(StepKind.ORDER, self._statements(step.nodes), because, presence, facts)

    def _cases(self, step: Derived) -> tuple[Reason, ...]:
        """Tell what no single evaluation shows: of one order by what happened, of several that they hang together."""
        if any(core.vetoed for core in self.verdict.cores):
            return (Reason("cases-ruled"),)
        if len(step.nodes) > 1:
            return (Reason("cases"),)
        (node,), values, ruling = step.nodes, self.verdict.values, self.verdict.ruling
        everything = FreedReading(values, range(len(values)), self.situation.rules, ruling)
        return facts_of_decision(everything, node, values[node.index] == TRUE, self.verdict.reading)

    def _reading(self, step: Derived) -> FreedReading:
        """Return the reading in which only what the step needs is known."""
        known = [TRUE if isinstance(node, HoldNode) else UNKNOWN for node in self.situation.nodes]
        for index, value in step.needs.items():
            known[index] = value
        given = step.presence.union(node.index for node in step.nodes).union(step.needs)
        return FreedReading(known, given, self.situation.rules, ruling_of(step.rulings, self.verdict.ruling.routes))

    def _statements(self, nodes: Sequence[Node]) -> tuple[Statement, ...]:
        return tuple(Statement.of_order(n.piece.unit, n.order, self.verdict.values[n.index] == TRUE) for n in nodes)

    def _routes(self, armies: Sequence[MoveNode]) -> Step:
        """Tell what Bille's rule settles first."""
        units = tuple(m.piece.unit for m in armies)
        orders = self._entries({m.index for m in armies})
        return Step(StepKind.PARADOX, (), (), orders, (Reason("routes-settled", {"units": units}, "4.A.2"),))

    def _paradox(self, core: Core, because: tuple[int, ...], presence: frozenset[int] = frozenset()) -> Step:
        units = tuple(node.piece.unit for node in core.nodes)
        reasons = [Reason("paradox-several" if core.models else "paradox-none", {"units": units})]
        for code, kind in (("rule-disrupts", ConvoyNode), ("rule-fails", MoveNode)):
            hit = tuple(node.piece.unit for node in core.vetoed if isinstance(node, kind))
            if hit:
                reasons.append(Reason(code, {"units": hit}, "4.A.2"))
        if core.left_open:
            reasons.append(Reason("rule-silent", {}, "4.A.2"))
        statements = tuple(Statement.of_order(node.piece.unit, node.order, works=False) for node in core.vetoed)
        orders = self._entries(presence.union(n.index for n in core.nodes))
        return Step(StepKind.PARADOX, statements, because, orders, tuple(reasons))


def _stated(claim: Claim) -> tuple[Statement, ...]:
    """Return a claim as statements; that an order matches no other is said by the check."""
    node, said = claim.node, list[Statement]()
    if claim.works is not None:
        said.append(Statement.of_order(node.piece.unit, node.order, claim.works))
    if claim.dislodged is not None:
        said.append(Statement.of_unit(node.piece.unit, claim.dislodged))
    return tuple(said)
