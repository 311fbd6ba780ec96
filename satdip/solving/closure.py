"""What the orders decide by themselves, and the knots in what they leave open.

*Closure*: the equations are evaluated over three truth values until nothing changes. *Cores*: what stays undecided
contains cycles; a core is a strongly connected component that asks for no other undecided decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from satdip.encodings.clauses import assert_equations
from satdip.encodings.formula import DualRail
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed, Ruling, ThreeValued
from satdip.encodings.situation import Node, Situation
from satdip.solving.formula_of_phase import clause_reading, nothing_known
from satdip.solving.solver import DEFAULT_SOLVER, propagated

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["asked", "components", "dependencies", "propagate", "sinks", "sweep", "uncontested"]


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
    """Return the values of the orders with which no other has to do, by order index; the others are UNKNOWN.

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


def dependencies(reading: ThreeValued, undecided: Sequence[Node]) -> nx.DiGraph[int]:
    """Return the graph of undecided decisions: an arc from each to those that its equation asks for."""
    import networkx as nx  # loaded late: it takes longer than reading and adjudicating a phase

    asks: nx.DiGraph[int] = nx.DiGraph()
    for index, others in asked(reading, undecided).items():
        asks.add_node(index)
        asks.add_edges_from((index, other) for other in others)
    return asks


def sinks(asks: Mapping[int, Iterable[int]] | nx.DiGraph[int]) -> Iterator[tuple[int, ...]]:
    """Find the cores: the strongly connected components that ask for nothing outside, each as sorted order indices.

    Args:
        asks: order -> those that it asks for, each of which is there too (`asked`, `dependencies`).
    """
    cores = [c for c in components(asks) if all(other in c for index in c for other in asks[index])]
    for component in sorted(cores, key=min):
        yield tuple(sorted(component))


def components(asks: Mapping[int, Iterable[int]] | nx.DiGraph[int]) -> Iterator[set[int]]:
    """Find the strongly connected components of a graph (Tarjan, SIAM J. Comput. 1, 1972), without recursion."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    finished: set[int] = set()
    for root in asks:
        walk = [] if root in number else [(root, iter(asks[root]))]
        while walk:
            node, others = walk[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                stack.append(node)
            for other in others:
                if other not in number:
                    walk.append((other, iter(asks[other])))
                    break
                if other not in finished:
                    lowest[node] = min(lowest[node], number[other])
            else:
                walk.pop()
                if walk:
                    lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component = {stack.pop()}
                    while node not in component:
                        component.add(stack.pop())
                    finished |= component
                    yield component
