"""The formula of a phase: its equations over the literals of a CNF."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Ruling
from satdip.encodings.rotations import Cycle, add_rotations, cycles
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation

__all__ = ["clause_reading", "completed", "nothing_known", "part_formula", "whole_formula"]


def nothing_known(situation: Situation) -> list[int]:
    """Return a value for every order when nothing is decided yet: a hold is TRUE, the others are UNKNOWN."""
    return [TRUE if isinstance(node, HoldNode) else UNKNOWN for node in situation.nodes]


def clause_reading(
    formula: Formula, situation: Situation, values: Sequence[int] | None = None, ruling: Ruling = NO_RULING
) -> ClauseReading:
    """Give every decision of a phase a variable, but for those whose value is known."""
    return ClauseReading.of(formula, values or nothing_known(situation), rules=situation.rules, ruling=ruling)


def part_formula(
    situation: Situation,
    nodes: Collection[Node],
    values: Sequence[int],
    ruling: Ruling = NO_RULING,
    *,
    fold: bool = True,
) -> tuple[Formula, ClauseReading, tuple[Cycle, ...]]:
    """Return the formula of some decisions when the others are known, rotations turning.

    Args:
        situation: the orders.
        nodes: the decisions that are variables; they ask for no other UNKNOWN one.
        values: order index -> value.
        ruling: what a paradox rule has laid down.
        fold: put the known decisions in as constants; else they are variables too, fixed by unit clauses.

    Returns:
        The formula, the reading that knows its variables, and the rings of moves in it that can turn.
    """
    formula = Formula(fold=fold)
    if fold:
        x = ClauseReading.of_some(formula, nodes, values, situation.rules, ruling)
    else:
        x = clause_reading(formula, situation, None, ruling)
    assert_equations(x, nodes, equation, tag)
    moves = [node for node in nodes if isinstance(node, MoveNode)]
    rings = tuple(add_rotations(x, formula, cycles(situation, moves)))
    for node in () if fold else situation.decisions():
        if values[node.index] != UNKNOWN:
            formula.add((values[node.index] * x.decision(node),))
    return formula, x, rings


def completed(values: Sequence[int], nodes: Collection[Node], x: ClauseReading, model: Mapping[int, bool]) -> list[int]:
    """Return `values` with the decisions of `nodes` as a model has them.

    Args:
        values: order index -> value.
        nodes: the decisions that are variables of the formula.
        x: the reading that knows these variables.
        model: variable -> value.
    """
    complete = list(values)
    for node in nodes:
        complete[node.index] = TRUE if model[x.decision(node)] else FALSE
    return complete


def whole_formula(
    situation: Situation, ruling: Ruling = NO_RULING, *, fold: bool = True
) -> tuple[Formula, ClauseReading]:
    """Return the formula of a whole phase, rotations included, and the reading that knows its named variables."""
    formula = Formula(fold=fold)
    names = [f"{tag(node).rule} {node}" for node in situation.nodes]
    x = ClauseReading.of(formula, nothing_known(situation), names, rules=situation.rules, ruling=ruling)
    assert_equations(x, situation.decisions(), equation, tag)
    add_rotations(x, formula, cycles(situation))
    return formula, x
