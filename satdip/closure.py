"""What the orders decide by themselves, and the knots in what they leave open.

*Closure*: the equations are evaluated over three truth values until nothing changes. *Cores*: what stays undecided
contains cycles; a core is a strongly connected component that asks for no other undecided decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satdip.encodings.clauses import assert_equations
from satdip.encodings.formula import DualRail
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed, Ruling, ThreeValued
from satdip.encodings.situation import Node, Situation
from satdip.formulas import clause_reading
from satdip.solver import DEFAULT_SOLVER, propagated

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["dependencies", "propagate", "sinks", "sweep"]


def sweep(values: list[int], undecided: Sequence[Node], reading: ThreeValued) -> None:
    """Close `values` in place by evaluating the equations over three truth values.

    Args:
        values: order index -> value; `reading` looks at the same list.
        undecided: the orders that are still UNKNOWN.
        reading: the reading of the equations.
    """
    before = -1
    while len(undecided) != before:
        before = len(undecided)
        for node in undecided:
            values[node.index] = equation(reading, node)
        undecided = [node for node in undecided if values[node.index] == UNKNOWN]


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


def dependencies(reading: ThreeValued, undecided: Sequence[Node]) -> nx.DiGraph[int]:
    """Return the graph of undecided decisions: an arc from each to those that its equation asks for."""
    import networkx as nx  # loaded late: few phases have a core

    asks: nx.DiGraph[int] = nx.DiGraph()
    for node in undecided:
        traced = _Traced(reading)
        equation(traced, node)
        asks.add_node(node.index)
        asks.add_edges_from((node.index, other) for other in traced.asked)
    return asks


def sinks(asks: nx.DiGraph[int]) -> Iterator[tuple[int, ...]]:
    """Find the cores of a dependency graph, each as sorted order indices."""
    import networkx as nx

    components = nx.strongly_connected_components(asks)
    cores = [c for c in components if all(other in c for index in c for other in asks.successors(index))]
    for component in sorted(cores, key=min):
        yield tuple(sorted(component))
