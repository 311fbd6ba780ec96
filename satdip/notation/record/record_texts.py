"""Orders as phase records write them, read without a grammar.

Most orders of a corpus are written exactly as `satdip.notation.writer` writes them in the notation of the ``diplomacy``
package. Such a text has one meaning, the order that is written so; any other text is for `satdip.notation.reading`.
"""

from __future__ import annotations

from functools import lru_cache

from satdip.board import Board, UnitKind
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef

__all__ = ["exact_order"]


def exact_order(text: str, board: Board) -> Order | None:
    """Return the order that is written exactly so, as `satdip.notation.read_order` would; None where there is none."""
    words = text.split(" ")
    count = len(words)
    if count < 3 or (unit := _unit(words[0], words[1], board)) is None:
        return None
    verb = words[2]
    if count == 3:
        return _alone(unit, verb)
    if count == 4:
        to = words[3]
        if not _is_place(to, board):
            return None
        return Move(unit, to) if verb == "-" else Retreat(unit, to) if verb == "R" else None
    if verb == "-":
        to = words[3]
        return Move(unit, to, via=True) if count == 5 and words[4] == "VIA" and _is_place(to, board) else None
    if verb not in ("S", "C") or (other := _unit(words[3], words[4], board)) is None:
        return None
    if count == 5:
        return Support(unit, other) if verb == "S" else None
    if count != 7 or words[5] != "-" or not _is_place(words[6], board):
        return None
    return Support(unit, other, words[6]) if verb == "S" else Convoy(unit, other, words[6])


def _alone(unit: UnitRef, verb: str) -> Order | None:
    """Return the order of a unit that names nothing else."""
    match verb:
        case "H":
            return Hold(unit)
        case "B":
            return Build(unit)
        case "D":
            return Disband(unit)
    return None


def _unit(kind: str, at: str, board: Board) -> UnitRef | None:
    if at in (board.army if kind == "A" else board.fleet if kind == "F" else ()):
        return _reference(kind, at)
    return None


@lru_cache(maxsize=1 << 14)
def _reference(kind: str, at: str) -> UnitRef:
    return UnitRef(at, UnitKind(kind))


def _is_place(text: str, board: Board) -> bool:
    return text in board.army or text in board.fleet
