"""Which orders do not matter: whatever became of them, everything else would come out the same."""

from __future__ import annotations

from satdip.base.budget import UNLIMITED, Budget
from satdip.base.errors import InputError
from satdip.encodings.movement import dislodged
from satdip.encodings.reading import FALSE, TRUE
from satdip.encodings.situation import HoldNode, MoveNode, Node
from satdip.lab.explain.freeing import Claim, bounds, matches
from satdip.lab.explain.worlds import Fate, World
from satdip.lab.phase import Movement, require_movement
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.rulebook import RulebookLike
from satdip.solving.verdict import Verdict

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
    as it did, and every other unit would still be dislodged or not. (What a unit whose order is left out could do
    otherwise is not asked.)

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
    actual = World(verdict.situation, {})
    return tuple(n.piece.unit for n in verdict.situation.decisions() if _matters_not(actual, n, budget))


def _matters_not(actual: World, node: Node, budget: Budget) -> bool:
    before = _outcomes(actual, node)
    for fate in (Fate.ABSENT, Fate.WORKS, Fate.FAILS):
        budget.check()
        world = World(actual.situation, {node.index: fate})
        impossible = fate == Fate.WORKS and isinstance(node, MoveNode) and not _can_work(world, node)
        if not impossible and _outcomes(world, node) != before:
            return False
    return True


def _can_work(world: World, m: MoveNode) -> bool:
    return all(literal != FALSE for literal in bounds(world.reading, m))


def _outcomes(world: World, beside: Node) -> list[tuple[int, int, int]]:
    """Return what becomes of every other order and unit: whether it matches, works (if it does), and is dislodged."""
    x = world.reading
    return [
        (matched := matches(x, node), x.all_of((matched, x.decision(node))), dislodged(x, node.piece))
        for node in world.situation.nodes
        if node is not beside
    ]
