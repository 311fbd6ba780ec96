"""Why the orders of a movement phase came out as they did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from satdip.budget import UNLIMITED, Budget
from satdip.check.result import Checked, Reason, Status
from satdip.encodings.reading import TRUE, UNKNOWN
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node
from satdip.lab.explain.derivation import Derived, How, derive
from satdip.lab.explain.explanation import Explanation, Statement, Step, StepKind
from satdip.lab.explain.facts import facts_of_decision, facts_of_unit
from satdip.lab.explain.freeing import Claim, Freed, FreedReading
from satdip.lab.explain.relevance import outcome_claim
from satdip.lab.phase import Movement
from satdip.movement import Core, Verdict
from satdip.orders import Convoy, Support

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
            return self._unfollowed(entry, ())
        node = self._node_of[unit.province]
        driven = unit.province in self.verdict.dislodged
        if entry.status != Status.LEGAL:
            beside = self._reason(entry, Claim(node, dislodged=True), budget).steps if driven else ()
            return self._unfollowed(entry, beside)
        if self.verdict.leaves_open(node):
            return self._open(entry, node)
        return self._reason(entry, outcome_claim(self.verdict, node), budget)

    # ------------------------------------------------------------------ what needs no search

    def _unfollowed(self, entry: Checked, beside: tuple[Step, ...]) -> Explanation:
        """Explain an order that failed the check; `beside` tells why its unit was dislodged all the same."""
        orders = (entry,) if entry.status != Status.VOID else (entry, *self._mismatched(entry))
        reasons = (*([entry.reason] if entry.reason else []), *entry.basis)
        step = Step(StepKind.CHECK, (Statement.of_entry(entry),), reasons=reasons)
        statements = (*step.statements, *(s for one in beside[-1:] for s in one.statements))
        return self._explanation(entry, statements, orders, (step, *beside), smallest=True)

    def _mismatched(self, entry: Checked) -> Iterator[Checked]:
        """Yield the order that a void support or convoy does not match."""
        action = entry.action
        about = {Support: "target", Convoy: "army"}.get(type(action))
        place = getattr(action, about).province if about else None
        yield from (other for other in self._followed() if other.unit is not None and other.unit.province == place)

    def _followed(self) -> Iterator[Checked]:
        return (entry for entry in self.movement.checked.entries if entry.is_of_unit and entry.action is not None)

    def _open(self, entry: Checked, node: Node) -> Explanation:
        """Explain that the rules give no answer: by the paradoxes that they leave open."""
        left = [core for core in self.verdict.cores if core.left_open]
        steps = tuple(self._paradox(core) for core in left)
        orders = self._entries({n.index for core in left for n in core.nodes} | {node.index})
        return self._explanation(entry, (Statement.of_open(entry),), orders, steps, smallest=False)

    # ------------------------------------------------------------------ the search

    def _reason(self, entry: Checked, claim: Claim, budget: Budget) -> Explanation:
        freed = Freed(self.situation, self.verdict.ruling, [claim])
        found = freed.smallest(budget)
        if found is None:
            raise RuntimeError("the orders do not force their own resolution")
        kept, smallest = found
        steps = tuple(self._told(freed, derive(freed, kept, self.verdict.values)))
        return self._explanation(entry, _stated(claim), self._entries(kept), steps, smallest=smallest, formal=claim)

    def _explanation(
        self,
        entry: Checked,
        claims: tuple[Statement, ...],
        orders: tuple[Checked, ...],
        steps: tuple[Step, ...],
        *,
        smallest: bool,
        formal: Claim | None = None,
    ) -> Explanation:
        followed = sum(1 for one in self._followed() if one.given is not None)
        turn, rules = self.movement.turn, self.movement.rules.name
        return Explanation(turn, rules, entry.unit, claims, formal, orders, followed, smallest, steps)

    def _entries(self, indices: frozenset[int] | set[int]) -> tuple[Checked, ...]:
        """Return the orders as they were handed in."""
        wanted = {self.situation.nodes[index].piece.unit for index in indices}
        return tuple(entry for entry in self._followed() if entry.unit in wanted)

    # ------------------------------------------------------------------ telling

    def _told(self, freed: Freed, derived: Sequence[Derived]) -> Iterator[Step]:
        number: dict[int, int] = {}  # order index -> the step that settles it
        count = 0
        for step in derived:
            if step.how == How.CLAIM and all(claim.dislodged is None for claim in freed.claims):
                continue  # the decision of the order says it all
            settled = step.nodes
            if step.how == How.EQUATION and step.nodes[0].index in self.verdict.ruling.vetoes:
                if step.nodes[0].index in number:
                    continue
                core = next(core for core in self.verdict.cores if step.nodes[0] in core.vetoed)
                settled = core.vetoed
                yield self._paradox(core)
            else:
                yield self._step(freed, step, tuple(sorted({number[i] for i in step.needs if i in number})))
            count += 1
            number |= dict.fromkeys((node.index for node in settled), count)

    def _step(self, freed: Freed, step: Derived, because: tuple[int, ...]) -> Step:
        x = self._reading(step)
        presence = self._entries(set(step.presence))
        match step.how:
            case How.CLAIM:
                (claim,) = freed.claims
                piece, driven = claim.node.piece, claim.dislodged is True
                statements = (Statement.of_unit(piece.unit, driven),)
                return Step(StepKind.UNIT, statements, because, presence, facts_of_unit(x, piece, driven=driven))
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
        return FreedReading(known, given, self.situation.rules, self.verdict.ruling)

    def _statements(self, nodes: Sequence[Node]) -> tuple[Statement, ...]:
        return tuple(Statement.of_order(n.piece.unit, n.order, self.verdict.values[n.index] == TRUE) for n in nodes)

    def _paradox(self, core: Core) -> Step:
        units = tuple(node.piece.unit for node in core.nodes)
        reasons = [Reason("paradox-several" if core.models else "paradox-none", {"units": units})]
        for code, kind in (("rule-disrupts", ConvoyNode), ("rule-fails", MoveNode)):
            hit = tuple(node.piece.unit for node in core.vetoed if isinstance(node, kind))
            if hit:
                reasons.append(Reason(code, {"units": hit}, "4.A.2"))
        if core.left_open:
            reasons.append(Reason("rule-silent", {}, "4.A.2"))
        statements = tuple(Statement.of_order(node.piece.unit, node.order, works=False) for node in core.vetoed)
        return Step(StepKind.PARADOX, statements, (), self._entries({n.index for n in core.nodes}), tuple(reasons))


def _stated(claim: Claim) -> tuple[Statement, ...]:
    """Return a claim as statements."""
    node, said = claim.node, []
    if claim.works is not None:
        said.append(Statement.of_order(node.piece.unit, node.order, claim.works))
    if claim.dislodged is not None:
        said.append(Statement.of_unit(node.piece.unit, claim.dislodged))
    return tuple(said)
