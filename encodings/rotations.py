"""Circular movement: the extra clauses that make a rotation turn.

The equations alone leave two consistent resolutions for units that chase each other in a ring: all move or none
moves. The rules choose the first (DATC 6.C; rulebook: units may rotate, three or more, or two with a convoy).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from satdip.encodings.convoys import path
from satdip.encodings.formula import Formula, Tag
from satdip.encodings.reading import FALSE, Reading
from satdip.encodings.situation import MoveNode, Situation
from satdip.encodings.strengths import against, in_head_to_head, prevent, with_supports
from satdip.rulebook import Allowance

__all__ = ["add_rotations", "cycles", "turns"]

S = TypeVar("S")
Cycle = tuple[MoveNode, ...]


def cycles(situation: Situation, among: Collection[MoveNode] | None = None) -> Iterator[Cycle]:
    """Find the rings of moves, each the move into the province that the next one leaves.

    Args:
        situation: the candidate orders.
        among: only rings of these moves; all moves by default.

    With one order per unit the rings are disjoint and found in linear time; with open orders every simple
    cycle of candidate moves is one, which is only meant for small situations.
    """
    moves = situation.moves if among is None else among
    leaving: dict[str, list[MoveNode]] = {}
    for m in moves:
        leaving.setdefault(m.at, []).append(m)
    if all(len(options) == 1 for options in leaving.values()):
        yield from _disjoint_cycles({at: options[0] for at, options in leaving.items()})
        return
    import networkx as nx  # only for open orders

    graph: nx.DiGraph[str] = nx.DiGraph((m.at, m.dst) for m in moves if m.dst in leaving)
    for provinces in nx.simple_cycles(graph):
        yield from _choices(provinces, leaving)


def _disjoint_cycles(move_from: dict[str, MoveNode]) -> Iterator[Cycle]:
    seen: dict[str, str] = {}
    for start in move_from:
        trail: list[MoveNode] = []
        at = start
        while at in move_from and at not in seen:
            seen[at] = start
            trail.append(move_from[at])
            at = trail[-1].dst
        if seen.get(at) == start and at in move_from:
            yield tuple(trail[[m.at for m in trail].index(at) :])


def _choices(provinces: Sequence[str], leaving: dict[str, list[MoveNode]]) -> Iterator[Cycle]:
    """Every way to walk round the given provinces with one candidate move each."""
    rings: list[Cycle] = [()]
    for at, dst in zip(provinces, (*provinces[1:], provinces[0]), strict=True):
        rings = [(*ring, m) for ring in rings for m in leaving[at] if m.dst == dst]
    yield from rings


def turns(x: Reading[S], ring: Cycle) -> int:
    """Return whether every member would win against its outside rivals if the next province were vacated."""
    return x.all_of([literal for m in ring for literal in _wins(x, ring, m)])


def _wins(x: Reading[S], ring: Cycle, m: MoveNode) -> Iterator[int]:
    yield path(x, m)
    if len(ring) == 2:  # two units that exchange places need a convoy
        yield -in_head_to_head(x, m)
    strength = with_supports(x, m.supports)
    for c in m.rivals:
        if c.piece is not m.piece:
            yield x.greater(strength, prevent(x, c))


def _forced(x: Reading[S], m: MoveNode) -> Iterator[int]:
    """The conditions under which a member gets in even when the unit ahead of it, a failing mover, stays."""
    yield path(x, m)
    strength = x.strength(0) if m.target is None else against(x, m, m.target)
    yield x.greater(strength, x.strength(1))
    for c in m.rivals:
        if c.piece is not m.piece:
            yield x.greater(strength, prevent(x, c))


def add_rotations(x: Reading[S], formula: Formula, rings: Iterator[Cycle]) -> list[Cycle]:
    """Add the clauses "if the ring turns, its members move", and return the rings that can turn.

    A rulebook that forbids circular movement gets the opposite clause: not all of them move (seed 002 VIII), unless
    one of them dislodges the next by force and so needs nobody to turn.
    """
    turning = []
    for ring in rings:
        with formula.tagged(Tag("ROTATION", ", ".join(map(str, ring)), "DATC 6.C")):
            if len(ring) > 2 and x.rules.rotation == Allowance.FORBIDDEN:
                formula.add((*(-x.decision(m) for m in ring), *(x.all_of(list(_forced(x, m))) for m in ring)))
            elif (condition := turns(x, ring)) != FALSE:
                turning.append(ring)
                for m in ring:
                    formula.add((-condition, x.decision(m)))
    return turning
