"""Resolutions for people: a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from satdip.board import Board
from satdip.notation import Notation, write_order
from satdip.orders import Hold
from satdip.reasons import name_of, tell, unit_name
from satdip.resolution import OrderResult, ParadoxCore, Resolution

__all__ = ["render", "summary"]


def render(resolution: Resolution, notation: Notation = Notation.DATC) -> RenderableType:
    """Return a table of the orders and, below it, what else happened.

    Args:
        resolution: the outcome of a phase.
        notation: how orders are written.
    """
    position = resolution.position
    table = Table(title=f"{position.phase}, map {position.board.name}, rules {resolution.rules}", title_justify="left")
    for column in ("Power", "Order", "Outcome", "Why"):
        table.add_column(column, overflow="fold")
    power = None
    for result in resolution.orders:
        name = "" if result.power == power else name_of(result.power, position.board)
        power = result.power
        table.add_row(name, _order(result, position.board, notation), _outcome(result), _why(result, position.board))
    return Group(table, *(Text(line) for line in summary(resolution)))


def _order(result: OrderResult, board: Board, notation: Notation) -> Text:
    checked, text = result.checked, ""
    if checked.given is None:
        text = f"{unit_name(result.unit, board)} (no order)" if result.unit is not None else ""
    elif checked.action is not None and not (isinstance(checked.action, Hold) and checked.given.text):
        text = write_order(checked.given.order, notation, board)
    else:
        text = checked.given.text or write_order(checked.given.order, notation, board)
    notes = [] if checked.given is None else [f"\n({note})" for note in checked.given.notes]
    return Text(text + "".join(notes))


def _outcome(result: OrderResult) -> Text:
    words = [str(result.outcome)]
    if result.destroyed:
        words.append("destroyed")
    elif result.dislodged and result.outcome != "dislodged":
        words.append("dislodged")
    if result.disbanded:
        words.append("disbanded")
    return Text(", ".join(words), style="green" if result.success else "red")


def _why(result: OrderResult, board: Board) -> Text:
    return Text("; ".join(tell(reason, board) for reason in result.reasons))


def summary(resolution: Resolution) -> Iterator[str]:
    """Return sentences on what the phase leaves behind."""
    board = resolution.position.board
    for item in resolution.dislodged:
        places = _listed(name_of(at, board) for at in sorted(item.retreats or ()))
        driven = f"{name_of(item.unit.power, board)}'s {unit_name(item.unit, board)}"
        yield f"{driven} may retreat to {places}." if places else f"{driven} has no retreat and is destroyed."
    if resolution.contested:
        yield f"Closed by a stand-off: {_listed(name_of(at, board) for at in sorted(resolution.contested))}."
    for core in resolution.paradoxes:
        yield _paradox(core, board)
    for ring in resolution.rotations:
        yield f"Circular movement: {_listed(unit_name(unit, board) for unit in ring)}."
    for unit in resolution.automatic:
        yield f"Removed by civil disorder: {name_of(unit.power, board)}'s {unit_name(unit, board)}."
    if resolution.winner is not None:
        yield f"{name_of(resolution.winner, board)} has won."
    yield from _next(resolution, board)


def _next(resolution: Resolution, board: Board) -> Iterator[str]:
    if resolution.next is not None:
        yield f"Next: {resolution.next.phase}."
        return
    count = len(resolution.consistent)
    yield f"The rules {resolution.rules} leave this open: {count or 'no'} consistent resolution{'s'[: count != 1]}."
    for number, consistent in enumerate(resolution.consistent, start=1):
        moves = (f"{unit_name(unit, board)} - {name_of(to, board)}" for unit, to in consistent.moves.items())
        driven = [unit_name(unit, board) for unit in consistent.dislodged]
        lost = f"; dislodged: {_listed(driven)}" if driven else ""
        yield f"  {number}. moves: {_listed(moves) or 'none'}{lost}"


def _paradox(core: ParadoxCore, board: Board) -> str:
    count = "no consistent resolution" if core.resolutions == 0 else "several consistent resolutions"
    ring = f"Convoy paradox of {_listed(unit_name(unit, board) for unit in core.units)}, with {count}"
    if core.left_open:
        return f"{ring}: the rulebook has no answer."
    effects = []
    if core.disrupted:
        effects.append(f"disrupts the convoy of {_listed(unit_name(unit, board) for unit in core.disrupted)}")
    if core.failed:
        effects.append(f"lets the move of {_listed(unit_name(unit, board) for unit in core.failed)} fail")
    return f"{ring}: the rule {' and '.join(effects)}."


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items)
