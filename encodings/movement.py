"""MOVE, SUPPORT, CONVOY: one equation per decision of a movement phase (DATC 5.B, rulebook "Conflicts").

Each function returns the right-hand side of ``decision <=> ...`` in a reading; `equation` finds the one for an
order. Everything else (`strengths`, `convoys`) is definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from satdip.encodings.convoys import comes_from
from satdip.encodings.formula import Tag
from satdip.encodings.paradoxes import exempt, reaches
from satdip.encodings.reading import FALSE, TRUE, Reading, vetoed
from satdip.encodings.situation import ConvoyNode, MoveNode, Node, Piece, SupportNode
from satdip.encodings.strengths import attack, defend, head_to_head, prevent, resistance

__all__ = ["convoy", "cut_by", "dislodged", "equation", "move", "support", "tag"]

S = TypeVar("S")


def move(x: Reading[S], m: MoveNode) -> int:
    """MOVE(m) <=> ATTACK(m) beats what resists at the destination, and PREVENT of every rival for it."""
    return x.all_of(_wins(x, m))


def _wins(x: Reading[S], m: MoveNode) -> Iterator[int]:
    """What a move needs, one condition after the other."""
    strength = attack(x, m)
    yield -vetoed(x, m)
    yield x.greater(strength, resistance(x, m))
    for o in m.facing:
        yield x.any_of((-head_to_head(x, m, o), x.greater(strength, defend(x, o))))
    for c in m.rivals:
        if c.piece is not m.piece:
            yield x.greater(strength, prevent(x, c))


def support(x: Reading[S], s: SupportNode) -> int:
    """SUPPORT(s) <=> it was ordered, and no attack cuts it."""
    return x.all_of([x.ordered(s), *[-cut_by(x, s, m) for m in s.piece.attackers]])


def cut_by(x: Reading[S], s: SupportNode, m: MoveNode) -> int:
    """Return whether `m`, a move into the supporter's province, cuts the support.

    An attack from elsewhere cuts as soon as it gets there; one from the province that the support is directed to
    must dislodge the supporter. (An attack that dislodges also gets there: MOVE implies PATH.) A power does not cut
    its own supports and cannot dislodge its own unit; and the paradox rule may exempt the support.
    """
    if m.power == s.power:
        return FALSE
    from_zone = comes_from(x, m, s.zone)
    if from_zone in (TRUE, FALSE):
        cut = x.decision(m) if from_zone == TRUE else reaches(x, m)
    else:
        cut = x.any_of((x.all_of((-from_zone, reaches(x, m))), x.decision(m)))
    if m.sea == FALSE:
        return cut
    return x.all_of((cut, -exempt(x, s, m)))


def convoy(x: Reading[S], c: ConvoyNode) -> int:
    """CONVOY(c) <=> it was ordered, no paradox rule vetoes it, and its fleet is not dislodged."""
    return x.all_of((x.ordered(c), -vetoed(x, c), -dislodged(x, c.piece)))


def dislodged(x: Reading[S], piece: Piece) -> int:
    """DISLODGED(u) <=> u does not move away, and some MOVE into its province is true."""
    return x.all_of([*[-x.decision(m) for m in piece.moves], x.any_of(map(x.decision, piece.attackers))])


def equation(x: Reading[S], node: Node) -> int:
    """Return the right-hand side of the equation of an order's decision; a hold has none and is TRUE."""
    match node:
        case MoveNode():
            return move(x, node)
        case SupportNode():
            return support(x, node)
        case ConvoyNode():
            return convoy(x, node)
        case _:
            return TRUE


def tag(node: Node) -> Tag:
    """Return the tag of an order's equation."""
    match node:
        case MoveNode():
            return Tag("MOVE", str(node), "DATC 5.B.4")
        case SupportNode():
            return Tag("SUPPORT", str(node), "DATC 5.B.9")
        case _:
            return Tag("CONVOY", str(node), "DATC 5.B.3")
