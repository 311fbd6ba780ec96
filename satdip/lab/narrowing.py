"""Which orders of some units are enough for an outcome, whatever legal orders the others get.

The orders that a search proposes are adjudicated; where the outcome is not the one that is looked for, this finds out
how few of them that takes, so that the search leaves out all order sets with these at once. The decisions are made as
the adjudicator made them, over three truth values, with the orders of some units unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from satdip.base.budget import Budget
from satdip.encodings.movement import equation
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Indexed, ThreeValued
from satdip.encodings.rotations import cycles, turns
from satdip.encodings.situation import MoveNode, Node, Situation
from satdip.solving.formula_of_phase import nothing_known
from satdip.solving.verdict import Core, Verdict

__all__ = ["enough_orders"]

Question = Callable[[ThreeValued], int]

QUESTION = -1
"""Stands for the question among the indices of orders."""


def enough_orders(
    situation: Situation,
    chosen: Mapping[str, Node],
    opened: Collection[str],
    verdict: Verdict,
    question: Question,
    budget: Budget,
) -> dict[str, frozenset[int]] | None:
    """Return orders of some units with which the answer to a question is no, whatever the other units get.

    Args:
        situation: every order that a unit could get.
        chosen: province -> the order that the unit there got.
        opened: the provinces of the units whose orders could be others.
        verdict: what was decided about these orders.
        question: a literal.
        budget: how long it may take.

    Returns:
        Province -> the indices of the orders of which the unit there must have one, the chosen one among them; None
        where it cannot be shown.

    Raises:
        OutOfTime: the time is used up.
    """
    part = _Part(situation, chosen, opened, verdict, question)
    if part.answer() != FALSE:
        return None
    asked_units = {part.at[index] for index in part.asked}
    for at in opened:
        if at not in asked_units:
            del part.allowed[at]
    for at in tuple(part.allowed):  # one at a time: the fewer orders are known, the longer it takes to see what follows
        budget.check()
        only = part.allowed.pop(at)
        if part.answer() != FALSE:
            part.allowed[at] = only
    for at in tuple(part.allowed):
        budget.check()
        part.widen(at)
    return part.allowed


class _PartReading(ThreeValued):
    """The reading in which the orders of some units are known; it notes what is asked."""

    __slots__ = ("asked", "part", "unsure")

    def __init__(self, values: list[int], part: _Part) -> None:
        super().__init__(values, part.situation.rules, NO_RULING)
        self.part = part
        self.asked: set[int] = set()
        self.unsure = False

    def ordered(self, node: Indexed) -> int:
        """Return whether an order was given, where that is known."""
        value = self.part.given(node.index)
        self.unsure |= value == UNKNOWN
        return value

    def decision(self, node: Indexed) -> int:
        """Return the value decided so far; an order that was not given does not work."""
        index = node.index
        value = self.values[index]
        if value != UNKNOWN:
            return value
        if self.part.given(index) == FALSE:
            self.values[index] = FALSE
            return FALSE
        self.asked.add(index)
        return UNKNOWN


class _Part:
    """A question about a phase of which only some orders are known."""

    def __init__(
        self,
        situation: Situation,
        chosen: Mapping[str, Node],
        opened: Collection[str],
        verdict: Verdict,
        question: Question,
    ) -> None:
        self.situation, self.chosen, self.opened = situation, chosen, frozenset(opened)
        self.verdict, self.question = verdict, question
        self.at = [node.at for node in situation.nodes]
        self.asked: set[int] = set()
        self.allowed = {at: frozenset({chosen[at].index}) for at in opened}
        """Province of an opened unit -> the orders of which it has one; of the others nothing is known."""

    def given(self, index: int) -> int:
        """Return whether an order was given; UNKNOWN where several are possible."""
        self.asked.add(index)
        at = self.at[index]
        if at not in self.opened:
            return TRUE if self.chosen[at].index == index else FALSE
        allowed = self.allowed.get(at)
        if allowed is None:
            return UNKNOWN
        if index not in allowed:
            return FALSE
        return TRUE if len(allowed) == 1 else UNKNOWN

    def widen(self, at: str) -> None:
        """Allow a unit every order that nothing asks for, where the answer is the same."""
        only = self.allowed[at]
        self.answer()
        allowed = frozenset(node.index for node in self.situation.nodes if node.at == at) - self.asked | only
        while allowed != only:
            self.allowed[at] = allowed
            if self.answer() == FALSE:
                return
            allowed = allowed - self.asked | only if (allowed - only) & self.asked else only
        self.allowed[at] = only

    def answer(self) -> int:
        """Return the answer as far as the orders are known."""
        self.asked.clear()
        reading = _PartReading(nothing_known(self.situation), self)
        cores = [core for core in self.verdict.cores if not core.left_open]
        while (found := self._close(reading)) == UNKNOWN:
            core = next((core for core in cores if self._is_closed(core, reading)), None)
            if core is None:
                break
            cores.remove(core)
            self._settle(core, reading)
        return found

    def _close(self, x: _PartReading) -> int:
        """Decide what the question asks for, as far as the equations do, and answer it."""
        waiting: dict[int, set[int]] = {}
        seen: set[int] = set()
        work = [QUESTION]
        while work:
            current = work.pop()
            if current != QUESTION and x.values[current] != UNKNOWN:
                continue
            x.asked.clear()
            value = self.question(x) if current == QUESTION else equation(x, self.situation.nodes[current])
            if value != UNKNOWN and current == QUESTION:
                return value
            if value != UNKNOWN:
                x.values[current] = value
                work += waiting.pop(current, ())
                continue
            for other in x.asked:
                waiting.setdefault(other, set()).add(current)
                if other not in seen:
                    seen.add(other)
                    work.append(other)
        return UNKNOWN

    def _nodes(self, core: Core) -> Sequence[Node]:
        return [self.chosen[node.at] for node in core.nodes]

    def _is_closed(self, core: Core, x: _PartReading) -> bool:
        """Return whether a knot has come about, undecided, and asks for nothing else that is not known."""
        nodes = self._nodes(core)
        if any(self.given(node.index) != TRUE or x.values[node.index] != UNKNOWN for node in nodes):
            return False
        x.asked.clear()
        x.unsure = False
        for node in nodes:
            equation(x, node)
        for ring in cycles(self.situation, [node for node in nodes if isinstance(node, MoveNode)]):
            turns(x, ring)
        inside = {node.index for node in nodes}
        return not x.unsure and x.asked <= inside

    def _settle(self, core: Core, x: _PartReading) -> None:
        if core.vetoed:
            vetoes = x.ruling.vetoes.union(self.chosen[node.at].index for node in core.vetoed)
            x.ruling = replace(x.ruling, vetoes=vetoes)
            return
        for node, own in zip(core.nodes, self._nodes(core), strict=True):
            x.values[own.index] = self.verdict.values[node.index]
