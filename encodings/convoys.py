"""PATH: whether a moving unit gets to its destination (DATC 5.B.1 to 5.B.3, Kruijswijk's PATH decision)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from satdip.encodings.reading import FALSE, TRUE, Reading
from satdip.encodings.situation import ConvoyNode, MoveNode

__all__ = ["by_sea", "path", "route"]

S = TypeVar("S")


def by_sea(x: Reading[S], m: MoveNode) -> int:
    """BYSEA(m): the army goes by convoy and not by land (DATC 4.A.3 d).

    No land route, or "via convoy" was written, or a fleet of the same power is ordered to convoy it. Once it is
    true there is no way back to the land route.
    """
    if not m.by_land or m.via:
        return TRUE
    if not m.own_fleets:
        return FALSE
    return x.any_of(x.ordered(fleet) for fleet in m.own_fleets)


def route(x: Reading[S], m: MoveNode) -> int:
    """Say whether a chain of undisrupted, matching fleets joins the start to the destination (DATC 4.A.1 b).

    Written in layers (fleets reached by chains of one, two, three ... fleets): an equation "a fleet is reached
    when a neighbour is" would let a ring of fleets support itself.
    """
    reached = {f: x.decision(f) if m.at in f.touches else FALSE for f in m.fleets}
    for _ in m.fleets[1:]:
        further = {f: x.any_of((reached[f], x.all_of((x.decision(f), _beside(x, f, reached))))) for f in m.fleets}
        if further == reached:
            break
        reached = further
    return x.any_of(reached[f] for f in m.fleets if m.dst in f.touches)


def _beside(x: Reading[S], f: ConvoyNode, reached: Mapping[ConvoyNode, int]) -> int:
    """Say whether a fleet next to `f` is reached."""
    return x.any_of(literal for g, literal in reached.items() if g.at in f.touches)


def path(x: Reading[S], m: MoveNode) -> int:
    """PATH(m): the move was ordered, and it goes by land or an intact convoy route carries it."""
    sea = by_sea(x, m)
    if sea == FALSE:
        return x.ordered(m)
    return x.all_of((x.ordered(m), x.any_of((-sea, route(x, m)))))
