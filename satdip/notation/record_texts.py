"""Orders as phase records write them, read without a grammar.

Most orders of a corpus are written exactly as `satdip.notation.writer` writes them in the notation of the ``diplomacy``
package. Such a text has one meaning, the order that is written so; any other text is for `satdip.notation.reading`.
"""

from __future__ import annotations

from satdip.board import Board, UnitKind
from satdip.notation.writer import Notation, write_order
from satdip.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef

__all__ = ["exact_order"]


def exact_order(text: str, board: Board) -> Order | None:
    """Return the order that is written exactly so, as `satdip.notation.read_order` would; None where there is none."""
    match text.split(" "):
        case [kind, at, *what] if (unit := _unit(kind, at, board)) is not None:
            order = _order(unit, what, board)
            return order if order is not None and write_order(order, Notation.PACKAGE, board) == text else None
    return None


def _order(unit: UnitRef, what: list[str], board: Board) -> Order | None:
    match what:
        case ["H"]:
            return Hold(unit)
        case ["B"]:
            return Build(unit)
        case ["D"]:
            return Disband(unit)
        case ["-", to] if _is_place(to, board):
            return Move(unit, to)
        case ["-", to, "VIA"] if _is_place(to, board):
            return Move(unit, to, via=True)
        case ["R", to] if _is_place(to, board):
            return Retreat(unit, to)
        case ["S", kind, at] if (target := _unit(kind, at, board)) is not None:
            return Support(unit, target)
        case ["S", kind, at, "-", to] if (target := _unit(kind, at, board)) is not None and _is_place(to, board):
            return Support(unit, target, to)
        case ["C", kind, at, "-", to] if (army := _unit(kind, at, board)) is not None and _is_place(to, board):
            return Convoy(unit, army, to)
    return None


def _unit(kind: str, at: str, board: Board) -> UnitRef | None:
    if kind not in ("A", "F") or not board.stands(UnitKind(kind), at):
        return None
    return UnitRef(at, UnitKind(kind))


def _is_place(text: str, board: Board) -> bool:
    return text in board.army or text in board.fleet
