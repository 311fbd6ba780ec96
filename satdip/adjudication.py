"""The main door: orders in, the consistent resolution out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from satdip.base.budget import UNLIMITED, Budget
from satdip.base.errors import InputError
from satdip.check import CheckedOrders, check_adjustments, check_movement, check_retreats
from satdip.encodings.situation import ConvoyNode, MoveNode, Situation
from satdip.phase.orders import Order
from satdip.phase.position import PhaseKind, Position
from satdip.phase.turn import Turn
from satdip.resolve.aftermath import contested, driven_out, following, moved_units, removed_when_dislodged, winner
from satdip.resolve.outcomes import Outcomes
from satdip.resolve.resolution import Consistent, ParadoxCore, Resolution
from satdip.rulebook import RulebookLike, rulebook_of, spelled
from satdip.solving.decide import Core, Verdict, consistent_values, decide
from satdip.solving.solver import DEFAULT_SOLVER

__all__ = ["adjudicate", "adjudicate_turn", "resolve_movement"]

NOWHERE: Final[frozenset[str]] = frozenset()

Orders = Mapping[str, Iterable[str | Order]]
MOST_LISTED = 64
"""How many consistent resolutions of an open paradox a resolution lists."""


def adjudicate(
    what: str | Mapping[str, object] | Turn | Position,
    orders: Orders | None = None,
    *,
    rules: RulebookLike | None = None,
    fold: bool = True,
    solver: str = DEFAULT_SOLVER,
    budget: Budget = UNLIMITED,
) -> Resolution:
    """Adjudicate one phase.

    Args:
        what: the text of an order sheet or of a JSON phase record, a phase record as a dict, a `Turn`, or a
            `Position` with `orders`.
        orders: with a `Position`, and only then: power -> a list of orders, as text in any notation or as order values.
        rules: the rulebook, its name as in ``2023+4.A.2=d``, or the path of a rulebook file (see
            `satdip.rulebook.rulebook_of`); by default the one that the input names, else the preferences of the DATC.
        fold: decide by constant folding what can be decided so; False leaves everything to the solver.
        solver: name of a PySAT solver.
        budget: how long the solver may take, all in all.

    Returns:
        The outcome of every order and the next position.

    Raises:
        InputError: the input cannot be read, the position cannot be, there is no such rulebook, or there are orders
            beside a phase that has its own.
        OutOfTime: the budget is used up.
    """
    turn = _turn(what, orders)
    return adjudicate_turn(turn, rulebook_of(rules, turn.rules), fold=fold, solver=solver, budget=budget)


def adjudicate_turn(
    turn: Turn, rules: RulebookLike, *, fold: bool = True, solver: str = DEFAULT_SOLVER, budget: Budget = UNLIMITED
) -> Resolution:
    """Adjudicate a turn under a rulebook (see `adjudicate`)."""
    rules = rulebook_of(rules)
    match turn.position.phase.kind:
        case PhaseKind.MOVEMENT:
            checked = check_movement(turn, rules)
            return resolve_movement(turn, checked, rules, fold=fold, solver=solver, budget=budget)
        case PhaseKind.RETREATS:
            from satdip.resolve.retreats import resolve_retreats  # loaded late, as is the next: most phases are neither

            return resolve_retreats(turn, check_retreats(turn, rules), rules, fold=fold, solver=solver)
        case PhaseKind.ADJUSTMENTS:
            from satdip.resolve.adjustments import resolve_adjustments

            return resolve_adjustments(turn, check_adjustments(turn, rules), rules, fold=fold, solver=solver)


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


def _turn(what: str | Mapping[str, object] | Turn | Position, orders: Orders | None) -> Turn:
    if isinstance(what, Position):
        if orders is None:
            return Turn(what)
        from satdip.notation.given import orders_given

        return Turn(what, tuple(orders_given(orders, what)))
    if orders is not None:
        raise InputError("orders go with a Position, any other phase has its own; a rulebook is given as rules='1971'")
    if isinstance(what, Turn):
        return what
    from satdip.notation import read_record, read_turn  # loaded late: values need no reader

    if isinstance(what, str):
        return read_turn(what)
    if isinstance(what, Mapping):
        return read_record(what)
    raise InputError(f"a phase is a text, a phase record, a Turn or a Position, not {type(what).__name__}")
