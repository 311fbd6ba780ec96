"""Random phases on any map: uniform, coherent, and dense fights round convoys. The same seed gives the same phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from random import Random

from satdip.board import Board, UnitKind, province_of
from satdip.generate.draft import Draft
from satdip.generate.options import Options
from satdip.phase.orders import Move
from satdip.phase.turn import Turn

__all__ = ["GENERATORS", "UNITS", "Generator", "coherent", "dense", "uniform"]

Generator = Callable[[Board, Random], Turn]
"""Makes a phase on a map."""

UNITS = 34
"""Units in a random position: all centres of the standard map taken."""

MOVING = 0.5
"""The share of units that move in coherent positions, where nothing else asks for them."""


def uniform(board: Board, rng: Random) -> Turn:
    """34 units anywhere, each with one of its legal orders, all equally likely; few of them fit together."""
    draft = _scattered(board, rng)
    options = Options(board, draft.units)
    for at, unit in draft.units.items():
        draft.orders[at] = rng.choice(options.orders(unit))
    return draft.turn()


def coherent(board: Board, rng: Random) -> Turn:
    """34 units anywhere; supports and convoys are for what the other units do."""
    draft = _scattered(board, rng)
    _Commander(draft, rng).command()
    return draft.turn()


def dense(board: Board, rng: Random) -> Turn:
    """Fights of few powers round convoys: up to 34 units, many of them near a paradox or in a ring.

    A few themes are laid on the map, where they find room: rings of convoys each of which lands on a unit that decides
    about the next; circular movements; units that exchange places by convoy. Others join in.
    """
    powers = rng.sample(sorted(board.powers), min(len(board.powers), rng.randint(2, 4)))
    draft = Draft(board)
    for _ in range(rng.randint(1, 3)):
        theme = rng.choice((_convoy_ring, _convoy_ring, _convoy_ring, _circle, _exchange))
        theme(draft, rng, powers)
    shores = draft.free(p.id for p in board.provinces.values() if board.is_sea(p.id) or board.is_coast(p.id))
    room = max(0, min(len(shores), UNITS - len(draft.units), 14))
    for province in rng.sample(shores, rng.randint(0, room)):
        _put(draft, rng, province, powers)
    _Commander(draft, rng).command()
    if draft.units and rng.random() < 0.3:  # now and then somebody does something else
        at = rng.choice(sorted(draft.units))
        draft.orders[at] = rng.choice(Options(board, draft.units).orders(draft.units[at]))
    return draft.turn()


GENERATORS: Mapping[str, Generator] = {"uniform": uniform, "coherent": coherent, "dense": dense}
"""The random generators by name."""


# ---------------------------------------------------------------------- units


def _scattered(board: Board, rng: Random) -> Draft:
    draft, powers = Draft(board), sorted(board.powers)
    places = sorted(board.provinces)
    for province in rng.sample(places, min(UNITS, len(places))):
        _put(draft, rng, province, powers)
    return draft


def _put(draft: Draft, rng: Random, province: str, powers: list[str]) -> None:
    """Put a unit of any kind that can stand there into a province, on any of its coasts."""
    places = {kind: draft.board.locations(kind, province) for kind in UnitKind}
    kind = rng.choice([kind for kind, there in places.items() if there])
    put = draft.army if kind == UnitKind.ARMY else draft.fleet
    put(rng.choice(powers), rng.choice(places[kind]))


class _Commander:
    """Gives orders that fit together to the units that have none: convoys first, then moves, then supports."""

    def __init__(self, draft: Draft, rng: Random) -> None:
        self.draft, self.rng, self.board = draft, rng, draft.board
        self.silent = [at for at in draft.units if at not in draft.orders]
        rng.shuffle(self.silent)

    def command(self) -> None:
        for at in self.silent:
            if self.draft.units[at].kind == UnitKind.ARMY and self.rng.random() < 0.5:
                self.embark(at)
        for at in self.silent:
            if self.rng.random() < MOVING and at not in self.draft.orders:
                self.advance(at)
        for at in self.silent:
            if at not in self.draft.orders:
                self.help(at)

    def embark(self, army: str) -> None:
        """Let fleets that have nothing to do carry an army, where they can."""
        chains = self.chains(army)
        if chains:
            goal = self.rng.choice(sorted(chains))
            self.draft.move(army, goal, via=True)
            self.draft.convoy(chains[goal], army)

    def chains(self, army: str) -> Mapping[str, tuple[str, ...]]:
        """Return the shores that fleets without orders could carry an army to, each with a shortest chain of them."""
        touches, found = self.board.sea_neighbours, dict[str, tuple[str, ...]]()
        idle = {at for at in self.draft.units if at in touches and at not in self.draft.orders}
        chains: list[tuple[str, ...]] = (
            [(at,) for at in sorted(idle) if army in touches[at]] if self.board.is_coast(army) else []
        )
        idle.difference_update(at for at, *_ in chains)
        for chain in chains:  # grows while it is walked: breadth first
            for at in sorted(touches[chain[-1]]):
                if at in idle:
                    idle.remove(at)
                    chains.append((*chain, at))
                elif self.board.is_coast(at) and at != army:
                    found.setdefault(at, chain)
        return found

    def advance(self, at: str) -> None:
        """Move somewhere, rather to where somebody stands."""
        unit = self.draft.units[at]
        steps = sorted(self.board.reach(unit.kind, unit.location))
        if steps:
            taken = [place for place in steps if province_of(place) in self.draft.units]
            self.draft.move(at, self.rng.choice(steps + 2 * taken))

    def help(self, at: str) -> None:
        """Support what a unit within reach does, rather a move."""
        unit, orders = self.draft.units[at], self.draft.orders
        zones = self.board.reach_provinces(unit.kind, unit.location)
        subjects = []
        for other in self.draft.units:
            order = orders.get(other)
            moves = isinstance(order, Move)
            zone = province_of(order.destination) if isinstance(order, Move) else other
            if other != at and zone != at and zone in zones:
                subjects += [other] * (4 if moves else 1)
        if subjects:
            self.draft.support(at, self.rng.choice(subjects))
        else:
            self.draft.hold(at)


# ---------------------------------------------------------------------- themes of dense positions


def _convoy_ring(draft: Draft, rng: Random, powers: list[str]) -> None:
    """Convoys in a ring: each lands on a unit that supports for or against the fleet of the next one."""
    seas, carrier = _sea_ring(draft, rng, rng.choice((1, 1, 2, 2, 3))), rng.choice(powers)
    for sea in seas:
        draft.fleet(rng.choice((carrier, rng.choice(powers))), sea)
    links: list[tuple[str, str, str]] = []
    for sea, victim in zip(seas, (*seas[1:], *seas[:1]), strict=True):
        guards = draft.free(_harbours(draft.board, sea, victim))
        if guards:
            guard = rng.choice(guards)
            draft.fleet(rng.choice(powers), guard)
            links.append((sea, victim, province_of(guard)))
    for sea, victim, guard in links:
        starts = draft.free(at for at in draft.board.sea_neighbours[sea] if draft.board.is_coast(at))
        if starts:
            start = rng.choice(starts)
            others = [power for power in powers if power != draft.units[guard].power] or powers
            draft.army(rng.choice(others), start)
            draft.move(start, guard, via=True)
            draft.convoy((sea,), start)
            _assault(draft, rng, powers, victim, guard)


def _harbours(board: Board, sea: str, other: str) -> list[str]:
    """Return the places on the shores of one sea from which a fleet reaches another."""
    shores = (at for at in board.sea_neighbours[sea] if board.is_coast(at))
    places = (at for province in shores for at in board.locations(UnitKind.FLEET, province))
    return [at for at in places if _reaches(board, at, other)]


def _assault(draft: Draft, rng: Random, powers: list[str], victim: str, guard: str) -> None:
    """Attack a fleet so that the support of one unit decides: for the attack, or for the fleet."""
    bases = draft.free(at for at in draft.board.fleet if _reaches(draft.board, at, victim))
    if not bases:
        return
    base = rng.choice(bases)
    others = [power for power in powers if power != draft.units[victim].power] or powers
    power = rng.choice(others)
    draft.fleet(power, base)
    draft.move(province_of(base), victim)
    if rng.random() < 0.6:
        draft.support(guard, province_of(base))
        return
    draft.orders.pop(guard, None)
    helpers = draft.free(at for at in bases if province_of(at) != province_of(base))
    if helpers:
        draft.support(guard, victim)
        helper = rng.choice(helpers)
        draft.fleet(power, helper)
        draft.support(province_of(helper), province_of(base))


def _reaches(board: Board, location: str, province: str) -> bool:
    return province in board.reach_provinces(UnitKind.FLEET, location)


def _sea_ring(draft: Draft, rng: Random, length: int) -> list[str]:
    """Return free seas in a ring, each with a harbour on the next; a single one where no such ring is found."""
    seas = draft.free(draft.board.sea_neighbours)
    for _ in range(10 if seas else 0):
        ring = [rng.choice(seas)]
        while len(ring) < length:
            onward = [sea for sea in seas if sea not in ring and draft.free(_harbours(draft.board, ring[-1], sea))]
            if not onward:
                break
            ring.append(rng.choice(onward))
        if len(ring) == length and draft.free(_harbours(draft.board, ring[-1], ring[0])):
            return ring
    return rng.sample(seas, min(1, len(seas)))


def _circle(draft: Draft, rng: Random, powers: list[str]) -> None:
    """A circular movement of three to five units, on foot or at sea."""
    kind = rng.choice(list(UnitKind))
    starts = draft.free(draft.board.army if kind == UnitKind.ARMY else draft.board.fleet)
    for _ in range(20 if starts else 0):
        walk = [rng.choice(starts)]
        for _step in range(rng.randint(2, 4)):
            passed = {province_of(at) for at in walk}
            onward = [at for at in draft.free(draft.board.reach(kind, walk[-1])) if province_of(at) not in passed]
            if not onward:
                break
            walk.append(rng.choice(onward))
        if len(walk) > 2 and walk[0] in draft.board.reach(kind, walk[-1]):
            for at in walk:
                (draft.army if kind == UnitKind.ARMY else draft.fleet)(rng.choice(powers), at)
            for at, goal in pairwise((*walk, walk[0])):
                draft.move(province_of(at), goal)
            return


def _exchange(draft: Draft, rng: Random, powers: list[str]) -> None:
    """Two armies that change places, at least one of them by convoy."""
    touches = draft.board.sea_neighbours
    seas = draft.free(touches)
    rng.shuffle(seas)
    for sea in seas:
        shores = draft.free(at for at in touches[sea] if at in draft.board.army)
        if len(shores) < 2:
            continue
        one, other = rng.sample(shores, 2)
        back = [at for at in draft.free(touches) if at != sea and {one, other} <= touches[at]]
        if other not in draft.board.army[one] and not back:
            continue
        for at in (one, other):
            draft.army(rng.choice(powers), at)
        draft.fleet(rng.choice(powers), sea)
        draft.move(one, other, via=True)
        draft.convoy((sea,), one)
        draft.move(other, one, via=other not in draft.board.army[one])
        if other not in draft.board.army[one]:
            ferry = rng.choice(back)
            draft.fleet(rng.choice(powers), ferry)
            draft.convoy((ferry,), other)
        return
