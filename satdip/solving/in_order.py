"""Phases whose equations look only backwards: retreats and adjustments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import Formula, Tag
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed, Reading, ThreeValued
from satdip.solving.solver import DEFAULT_SOLVER, models

__all__ = ["Equations", "decide_in_order"]

N = TypeVar("N", bound=Indexed)
M = TypeVar("M", bound=Indexed, contravariant=True)
S = TypeVar("S")


class Equations(Protocol[M]):
    """The equations in any reading: what gives the right-hand side of a node's equation."""

    def __call__(self, x: Reading[S], /) -> Callable[[M], int]:  # noqa: D102 -- said above
        ...


def decide_in_order(
    nodes: Sequence[N],
    equations: Equations[N],
    tag: Callable[[N], Tag],
    *,
    fold: bool = True,
    solver: str = DEFAULT_SOLVER,
) -> list[int]:
    """Decide nodes each of which depends only on earlier ones.

    Args:
        nodes: ``nodes[i].index == i``.
        equations: gives the right-hand side of a node's equation in a reading.
        tag: the tag of a node's equation.
        fold: evaluate; else write every equation as clauses and let the solver find the only model.
        solver: name of a PySAT solver.

    Returns:
        TRUE or FALSE for every node.
    """
    if fold:
        values: list[int] = []
        right = equations(ThreeValued(values))
        for node in nodes:
            values.append(right(node))  # noqa: PERF401 -- the reading looks at the growing list
        return values
    formula = Formula(fold=False)
    x = ClauseReading.of(formula, [UNKNOWN] * len(nodes))
    right = equations(x)
    assert_equations(x, nodes, lambda _, node: right(node), tag)
    literals = [x.decision(node) for node in nodes]
    found = models(formula.clauses, literals, limit=2, name=solver)
    if len(found) != 1:
        raise RuntimeError(f"{len(found)} models of equations that look only backwards")
    return [TRUE if found[0][literal] else FALSE for literal in literals]
