"""BYSEA and PATH: whether a unit goes by convoy, and whether it gets there (DATC 4.A.1, 4.A.3, 5.B.1 to 5.B.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Reading, vetoed
from satdip.encodings.situation import ConvoyNode, MoveNode
from satdip.rulebook import AdjacentConvoy, ConvoyedAttack, ConvoyRoutes

__all__ = ["by_sea", "comes_from", "ordered_route", "path", "route"]

S = TypeVar("S")

# Python finds members of enumerations slowly; these choices are asked for at every step.
START: Final = ConvoyedAttack.START
ANY: Final = ConvoyRoutes.ANY


def path(x: Reading[S], m: MoveNode) -> int:
    """PATH(m): the move was ordered, and it goes by land or an intact convoy carries it.

    An army that a paradox rule keeps at home goes neither way; a unit that only walks or sails still attacks then.
    """
    if m.sea == FALSE:
        return x.ordered(m)
    sea = by_sea(x, m)
    arrives = TRUE if sea == FALSE else x.any_of((-sea, route(x, m)))
    return x.all_of((x.ordered(m), -vetoed(x, m), arrives))


# ---------------------------------------------------------------------- which way: 4.A.3


def by_sea(x: Reading[S], m: MoveNode) -> int:
    """BYSEA(m): the army goes by convoy: there is no way by land, or the rules prefer the convoy (DATC 4.A.3)."""
    if m.sea != UNKNOWN:
        return m.sea
    return _WAYS[x.rules.adjacent_convoy](x, m)


def _own_fleet(x: Reading[S], m: MoveNode) -> int:
    """Return whether a fleet of the same power is ordered to convoy the army."""
    return x.any_of([x.ordered(fleet) for fleet in m.own_fleets])


def _tag(x: Reading[S], m: MoveNode) -> int:  # noqa: ARG001 -- all ways are called alike
    """By convoy when the order says so (DPTG)."""
    return TRUE if m.via else FALSE


def _tag_or_own_fleet(x: Reading[S], m: MoveNode) -> int:
    """By convoy when the order says so or an own fleet convoys; no way back to the land route (4.A.3 d)."""
    return TRUE if m.via else _own_fleet(x, m)


def _tag_or_own_fleet_else_land(x: Reading[S], m: MoveNode) -> int:
    """As `_tag_or_own_fleet`, but a broken convoy leaves the land route (4.A.3 c, read with fallback)."""
    return x.all_of((_tag_or_own_fleet(x, m), route(x, m)))


def _intent(x: Reading[S], m: MoveNode) -> int:
    """By an intact convoy when the power's own orders show the intent: a fleet of its own convoys (4.A.3 b)."""
    return x.all_of((_own_fleet(x, m), route(x, m)))


def _land_unless_opposite(x: Reading[S], m: MoveNode) -> int:
    """By an intact convoy only when the unit at the destination moves the opposite way (4.A.3 a)."""
    return x.all_of((x.any_of([x.ordered(o) for o in m.opposing]), route(x, m)))


_WAYS: Final[Mapping[AdjacentConvoy, Callable[..., int]]] = {
    AdjacentConvoy.LAND_UNLESS_OPPOSITE: _land_unless_opposite,
    AdjacentConvoy.INTENT: _intent,
    AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND: _tag_or_own_fleet_else_land,
    AdjacentConvoy.TAG_OR_OWN_FLEET: _tag_or_own_fleet,
    AdjacentConvoy.TAG: _tag,
}


def comes_from(x: Reading[S], m: MoveNode, province: str) -> int:
    """Return whether the attack comes from a province (DATC 4.A.4).

    That is where the unit started; by Brannan's rule a convoyed attack comes from the sea of the last fleet.
    """
    start = TRUE if m.at == province else FALSE
    if m.sea == FALSE or x.rules.convoyed_attack is START:
        return start
    sea = by_sea(x, m)
    last = x.any_of([x.ordered(f) for f in m.fleets if f.at == province and m.dst in f.touches])
    return x.any_of((x.all_of((-sea, start)), x.all_of((sea, last))))


# ---------------------------------------------------------------------- routes: 4.A.1


def route(x: Reading[S], m: MoveNode) -> int:
    """Return whether the convoy of a move is intact (DATC 4.A.1), unless a paradox rule has settled that."""
    settled = x.ruling.routes.get(m.index)
    if settled is not None:
        return settled
    if x.rules.convoy_routes is ANY:
        return _every_route(x, m)
    return _chain(x, m, {f: x.decision(f) for f in m.fleets})


def _every_route(x: Reading[S], m: MoveNode) -> int:
    """There is an ordered route, and every fleet on any of them holds (1971; seed 002 XII.4)."""
    ordered = [x.all_of([x.ordered(f) for f in chain]) for chain in m.routes]
    held = [x.all_of([x.decision(f) for f in chain]) for chain in m.routes]
    unbroken = [x.any_of((-given, holds)) for given, holds in zip(ordered, held, strict=True)]
    return x.all_of((x.any_of(ordered), *unbroken))


def ordered_route(x: Reading[S], m: MoveNode, without: ConvoyNode | None = None) -> int:
    """Return whether the orders make a route, whatever becomes of the fleets; if need be without one of them."""
    return _chain(x, m, {f: x.ordered(f) for f in m.fleets if f is not without})


def _chain(x: Reading[S], m: MoveNode, holds: Mapping[ConvoyNode, int]) -> int:
    """Return whether a chain of fleets that hold joins the start to the destination.

    Written in layers (fleets reached by chains of one, two, three ... fleets): an equation "a fleet is reached
    when a neighbour is" would let a ring of fleets support itself.
    """
    if len(holds) == 1:
        ((alone, literal),) = holds.items()
        return literal if m.at in alone.touches and m.dst in alone.touches else FALSE
    fleets = {f.at: f for f in holds}
    beside = {f: [fleets[sea] for sea in sorted(f.touches) if sea in fleets] for f in holds}
    reached = {f: literal if m.at in f.touches else FALSE for f, literal in holds.items()}
    changed = [f for f, literal in reached.items() if literal != FALSE]
    for _ in range(len(holds) - 1):
        near = dict.fromkeys(g for f in changed for g in beside[f])
        further = {g: _reached(x, holds[g], (reached[g], *(reached[f] for f in beside[g]))) for g in near}
        changed = [g for g, literal in further.items() if literal != reached[g]]
        if not changed:
            break
        reached |= further
    return x.any_of([literal for f, literal in reached.items() if m.dst in f.touches])


def _reached(x: Reading[S], holds: int, reached: Sequence[int]) -> int:
    """Return whether a fleet that holds is reached by one fleet more: it was reached before, or a neighbour was."""
    before, *neighbours = reached
    return x.any_of((before, x.all_of((holds, x.any_of(neighbours)))))
