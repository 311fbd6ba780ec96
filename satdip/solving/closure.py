"""What the orders decide by themselves: the equations, evaluated over three truth values until nothing changes."""

from __future__ import annotations

from collections.abc import Sequence

from satdip.encodings.clauses import assert_equations
from satdip.encodings.formula import DualRail
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed, Ruling, ThreeValued
from satdip.encodings.situation import Node, Situation
from satdip.solving.formula_of_phase import clause_reading, nothing_known
from satdip.solving.solver import DEFAULT_SOLVER, propagated

__all__ = ["asked", "propagate", "sweep", "uncontested"]


def sweep(values: list[int], undecided: Sequence[Node], reading: ThreeValued) -> None:
    """Close `values` in place by evaluating the equations over three truth values.

    Args:
        values: order index -> value; `reading` looks at the same list.
        undecided: the orders that are still UNKNOWN.
        reading: the reading of the equations.
    """
    traced = _Traced(reading)
    waiting: dict[int, list[Node]] = {}  # undecided order -> those whose equations ask for it
    work = list(undecided)
    queued = {node.index for node in work}
    for node in work:  # grows while it is walked: what an equation asked for has been decided
        queued.discard(node.index)
        if values[node.index] != UNKNOWN:
            continue
        traced.asked.clear()
        value = values[node.index] = equation(traced, node)
        if value == UNKNOWN:
            for other in traced.asked:
                waiting.setdefault(other, []).append(node)
        else:
            again = [other for other in waiting.pop(node.index, ()) if other.index not in queued]
            work += again
            queued.update(other.index for other in again)


def uncontested(situation: Situation) -> list[int]:
    """Return the values of the orders that touch no other order, by order index; the others are UNKNOWN.

    Such orders differ in nothing that an equation asks for: one of each kind is evaluated for all of them. No
    paradox rule speaks about them.
    """
    values = nothing_known(situation)
    reading = ThreeValued(values, situation.rules)
    for nodes in (situation.moves, situation.supports, situation.convoys):
        alone = [node for node in nodes if node.is_alone]
        value = equation(reading, alone[0]) if alone else UNKNOWN
        for node in alone:
            values[node.index] = value
    return values


def propagate(values: list[int], situation: Situation, ruling: Ruling, solver: str = DEFAULT_SOLVER) -> None:
    """Close `values` in place by a solver's unit propagation, without any constant folding: the same closure."""
    formula = DualRail(fold=False)
    x = clause_reading(formula, situation, ruling=ruling)
    decisions = situation.decisions()
    assert_equations(x, decisions, equation, tag)
    for node in decisions:
        if values[node.index] != UNKNOWN:
            formula.add((formula.rail(values[node.index] * x.decision(node)),))
    true = propagated(formula.clauses, solver)
    for node in decisions:
        literal = x.decision(node)
        values[node.index] = TRUE if formula.rail(literal) in true else FALSE if formula.rail(-literal) in true else 0


class _Traced(ThreeValued):
    """A reading that notes which undecided decisions an equation asks for."""

    __slots__ = ("asked",)

    def __init__(self, reading: ThreeValued) -> None:
        super().__init__(reading.values, reading.rules, reading.ruling)
        self.asked: set[int] = set()

    def decision(self, node: Indexed) -> int:
        value = self.values[node.index]
        if value == UNKNOWN:
            self.asked.add(node.index)
        return value


def asked(reading: ThreeValued, undecided: Sequence[Node]) -> dict[int, frozenset[int]]:
    """Return undecided order -> the undecided ones whose decisions its equation asks for, by their indices."""
    traced, asks = _Traced(reading), dict[int, frozenset[int]]()
    for node in undecided:
        traced.asked.clear()
        equation(traced, node)
        asks[node.index] = frozenset(traced.asked)
    return asks
