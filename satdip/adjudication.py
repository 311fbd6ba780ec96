"""The main door: orders in, the consistent resolution out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satdip.base.budget import UNLIMITED, Budget
from satdip.base.errors import InputError
from satdip.check import check_orders
from satdip.phase.orders import Order
from satdip.phase.position import PhaseKind, Position
from satdip.phase.turn import Turn
from satdip.resolve.movement import resolve_movement
from satdip.resolve.resolution import Resolution
from satdip.rulebook import RulebookLike, rulebook_of
from satdip.solving.solver import DEFAULT_SOLVER

__all__ = ["adjudicate", "adjudicate_turn"]

Orders = Mapping[str, Iterable[str | Order]]


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
    checked = check_orders(turn, rules)
    match turn.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return resolve_movement(turn, checked, rules, fold=fold, solver=solver, budget=budget)
        case PhaseKind.RETREATS:
            from satdip.resolve.retreats import resolve_retreats  # loaded late, as is the next: most phases are neither

            return resolve_retreats(turn, checked, rules, fold=fold, solver=solver)
        case PhaseKind.ADJUSTMENTS:
            from satdip.resolve.adjustments import resolve_adjustments

            return resolve_adjustments(turn, checked, rules, fold=fold, solver=solver)


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
