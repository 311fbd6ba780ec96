"""From checked orders to the resolution of a movement phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from satdip.base.budget import UNLIMITED, Budget
from satdip.check import CheckedOrders
from satdip.encodings.situation import ConvoyNode, MoveNode, Situation
from satdip.phase.turn import Turn
from satdip.resolve.aftermath import contested, driven_out, following, moved_units, removed_when_dislodged, winner
from satdip.resolve.outcomes import Outcomes
from satdip.resolve.resolution import Consistent, ParadoxCore, Resolution
from satdip.rulebook import RulebookLike, rulebook_of, spelled
from satdip.solving.decide import consistent_values, decide
from satdip.solving.solver import DEFAULT_SOLVER
from satdip.solving.verdict import Core, Verdict

__all__ = ["MOST_LISTED", "resolve_movement"]

MOST_LISTED = 64
"""How many consistent resolutions of an open paradox a resolution lists."""
NOWHERE: Final[frozenset[str]] = frozenset()


def resolve_movement(
    turn: Turn,
    checked: CheckedOrders,
    rules: RulebookLike,
    *,
    fold: bool = True,
    solver: str = DEFAULT_SOLVER,
    budget: Budget = UNLIMITED,
) -> Resolution:
    """Decide the orders of a movement phase.

    Args:
        turn: the phase.
        checked: its orders after `satdip.check.check_movement`.
        rules: the rulebook that they were checked by.
        fold: decide by constant folding what can be decided so; False leaves everything to the solver.
        solver: name of a PySAT solver.
        budget: how long the solver may take.

    Raises:
        OutOfTime: the budget is used up.
    """
    rules, position = rulebook_of(rules), turn.position
    situation = Situation(position.board, position.units, checked.actions, rules, checked.unsupportable)
    verdict = decide(situation, fold=fold, solver=solver, budget=budget)
    removed = removed_when_dislodged(rules, checked.disorder)
    stand_offs = contested(verdict)
    dislodged = driven_out(verdict, stand_offs, checked.disorder)
    outcomes = Outcomes(verdict, {item.unit.province: item.retreats for item in dislodged}, removed)
    following_position = None if verdict.is_open else following(position, moved_units(verdict), dislodged)
    return Resolution(
        turn=turn,
        rules=rules.name,
        stated_rules=spelled(rules),
        orders=tuple(outcomes.of(checked.entries)),
        next=following_position,
        consistent=tuple(_consistent(verdict)) if verdict.is_open else (),
        dislodged=dislodged,
        contested=stand_offs,
        removed=tuple(item.unit for item in dislodged if item.retreats == NOWHERE),
        automatic=tuple(item.unit for item in dislodged if item.unit.power in removed),
        paradoxes=tuple(_paradox(core) for core in verdict.cores if core.vetoed or core.left_open),
        rotations=tuple(tuple(m.piece.unit for m in ring) for ring in verdict.rotations),
        winner=None if following_position is None else winner(following_position),
    )


def _paradox(core: Core) -> ParadoxCore:
    return ParadoxCore(
        units=tuple(node.piece.unit for node in core.nodes),
        resolutions=core.models,
        disrupted=tuple(node.piece.unit for node in core.vetoed if isinstance(node, ConvoyNode)),
        failed=tuple(node.piece.unit for node in core.vetoed if isinstance(node, MoveNode)),
        left_open=core.left_open,
    )


def _consistent(verdict: Verdict) -> Iterator[Consistent]:
    """List the consistent resolutions of an open phase."""
    for values in consistent_values(verdict, MOST_LISTED):
        complete = replace(verdict, values=values)
        moves = {m.piece.unit: m.location for m in complete.arrivals.values()}
        pieces = verdict.situation.pieces
        yield Consistent(moves, tuple(pieces[at].unit for at in complete.dislodged))
