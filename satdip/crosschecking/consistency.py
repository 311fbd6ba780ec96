"""Whether an engine's answer to a movement phase is a consistent resolution, whatever rule would choose it."""

from __future__ import annotations

from satdip.crosschecking.engines import Answer
from satdip.crosschecking.habits import moved_in
from satdip.encodings.clauses import assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.situation import MoveNode
from satdip.lab.phase import Movement, without_backup
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook
from satdip.solving.formula_of_phase import clause_reading
from satdip.solving.solver import Solver

__all__ = ["is_consistent"]


def is_consistent(turn: Turn, rules: Rulebook, answer: Answer) -> bool | None:
    """Return whether the moves and dislodged units of an answer satisfy the bare equations.

    These have no backup rule for paradoxes, and rings may turn or stay: an answer that fails here breaks the rules
    themselves; one that passes is at most another choice among consistent resolutions.

    Args:
        turn: the phase.
        rules: the rulebook.
        answer: the engine's answer.

    Returns:
        None where the phase is no movement phase, or the answer does not say which moves succeed.
    """
    if turn.position.phase.traits.in_order or answer.moves is None:
        return None
    situation = Movement.of(turn, without_backup(rules)).situation
    told = moved_in(answer)
    moves = {node.at: node for node in situation.moves if told.moves.get(node.at) == node.dst}
    if moves.keys() != told.moves.keys():
        return False
    left, entered = set(told.moves), set(told.moves.values())
    driven = {at for at in situation.pieces if at in entered and at not in left}
    if answer.dislodged is not None and driven != told.dislodged:
        return False
    formula = Formula()
    x = clause_reading(formula, situation)
    nodes = situation.decisions()
    assert_equations(x, nodes, equation, tag)
    given = [
        x.decision(node) if moves.get(node.at) is node else -x.decision(node)
        for node in nodes
        if isinstance(node, MoveNode)
    ]
    with Solver(formula.clauses) as solver:
        return solver.solve(given)
