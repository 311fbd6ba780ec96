"""Which orders do not matter: whatever became of them, everything else would come out the same."""

from __future__ import annotations

from satdip.budget import UNLIMITED, Budget
from satdip.encodings.paradoxes import convoyed_by
from satdip.encodings.reading import TRUE
from satdip.encodings.situation import HoldNode, Node
from satdip.errors import InputError
from satdip.lab.explain.freeing import Claim, Freed
from satdip.lab.phase import Movement, require_movement
from satdip.movement import Verdict
from satdip.position import Unit
from satdip.rulebook import RulebookLike
from satdip.solver import Solver
from satdip.turn import Turn

__all__ = ["irrelevant", "outcome_claim"]


def outcome_claim(verdict: Verdict, node: Node) -> Claim:
    """Return what became of an order: whether it works, and whether its unit is dislodged where that says more."""
    driven = node.at in verdict.dislodged
    if isinstance(node, HoldNode):
        return Claim(node, dislodged=driven)
    return Claim(node, verdict.values[node.index] == TRUE, True if driven else None)


def irrelevant(turn: Turn, rules: RulebookLike, budget: Budget = UNLIMITED) -> tuple[Unit, ...]:
    """Return the units whose orders matter to no other outcome.

    Had such a unit not got its order, or had the order come out the other way, every other order would still come out
    as it did, and every other unit would still be dislodged or not. The orders of a paradox that a rule settled, and
    the armies that its fleets convoy, always matter: the rule was applied to them.

    Args:
        turn: a movement phase.
        rules: the rulebook, or its name.
        budget: how long it may take.

    Raises:
        InputError: no movement phase, or the rules give no answer.
        OutOfTime: the time is used up.
    """
    require_movement(turn, "relevance is asked about movement")
    movement = Movement.of(turn, rules)
    verdict = movement.decide()
    if verdict.is_open:
        raise InputError(f"the rules {movement.rules.name} give no answer to these orders")
    claims = [outcome_claim(verdict, node) for node in verdict.situation.nodes]
    freed = Freed(verdict.situation, verdict.ruling, claims)
    ruled = {node.index for core in verdict.cores if core.vetoed for node in core.nodes}
    fleets = [node for node in verdict.situation.convoys if node.index in ruled]
    ruled.update(m.index for m in convoyed_by(verdict.situation, fleets))
    return tuple(n.piece.unit for n in freed.nodes if n.index not in ruled and _matters_not(freed, n, budget))


def _matters_not(freed: Freed, node: Node, budget: Budget) -> bool:
    others = [index for index in freed.groups if index != node.index]
    claims = [claim for claim in freed.claims if claim.node is not node]
    clauses = freed.clauses(others, claims)
    with Solver(clauses, budget=budget) as solver:
        return not solver.solve()
