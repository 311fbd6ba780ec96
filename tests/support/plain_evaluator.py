"""The equations of a movement phase over finished decisions: no solver, no literals, nothing shared with encodings.

A decision table says of every order whether it works. `Equations.holds` evaluates the right-hand side of its equation
by plain numbers, so that anybody can check a resolution line by line. Rules: DATC 5.B and "The Math of Adjudication".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from satdip.board import Board, UnitKind, province_of
from satdip.phase.orders import Convoy, Move, Order, Support
from satdip.phase.position import Unit

__all__ = ["Decisions", "Equations"]

Decisions = Mapping[str, bool]
"""Province of a unit -> whether its order works. Orders that match nothing may have any decision."""


class Equations:
    """The orders of one phase.

    Args:
        board: the map.
        actions: what each unit does: a legal order, or a hold.
    """

    def __init__(self, board: Board, actions: Iterable[tuple[Unit, Order]]) -> None:
        self.board = board
        self.units: dict[str, Unit] = {}
        self.moves: dict[str, Move] = {}
        self.supports: dict[str, Support] = {}
        self.convoys: dict[str, Convoy] = {}
        for unit, order in actions:
            self.units[unit.province] = unit
            match order:
                case Move():
                    self.moves[unit.province] = order
                case Support():
                    self.supports[unit.province] = order
                case Convoy():
                    self.convoys[unit.province] = order

    # ------------------------------------------------------------------ what the orders alone say

    def power(self, at: str) -> str:
        """The power of the unit in a province."""
        return self.units[at].power

    def target(self, at: str) -> str:
        """The province that a unit's move attacks."""
        return province_of(self.moves[at].destination)

    def attackers(self, province: str) -> list[str]:
        """Where the moves into a province come from."""
        return [at for at in self.moves if self.target(at) == province]

    def zone(self, at: str) -> str:
        """The province that a support is directed to."""
        support = self.supports[at]
        return support.target.province if support.destination is None else province_of(support.destination)

    def backers(self, at: str) -> list[str]:
        """The supporters of exactly what a unit does: of its move, or of its staying where it is."""
        if at not in self.moves:
            return [s for s, o in self.supports.items() if o.target.province == at and o.destination is None]
        # A support that names a coast is for that coast; one that names none is for either (DATC 4.B.4 c, 6.B.9).
        goals = (self.moves[at].destination, self.target(at))
        return [s for s, o in self.supports.items() if o.target.province == at and o.destination in goals]

    def matching_convoys(self, at: str) -> list[str]:
        """The fleets that are ordered to carry an army where it goes."""
        goal = self.target(at)
        return [f for f, o in self.convoys.items() if o.army.province == at and province_of(o.destination) == goal]

    def by_sea(self, at: str) -> bool:
        """Via convoy: no way by land, or asked for, or an own fleet carries (DATC 4.A.3 d)."""
        unit, move = self.units[at], self.moves[at]
        if unit.kind == UnitKind.FLEET:
            return False
        own = any(self.power(fleet) == unit.power for fleet in self.matching_convoys(at))
        return move.via or own or move.destination not in self.board.reach(unit.kind, unit.location)

    def head_to_head(self, at: str) -> str | None:
        """Return the unit that comes the other way over the same border."""
        goal = self.target(at)
        opposite = goal in self.moves and self.target(goal) == at
        return goal if opposite and not self.by_sea(at) and not self.by_sea(goal) else None

    def voids(self) -> frozenset[str]:
        """Return the supports and convoys that match nothing."""
        used = {s for at in self.units for s in self.backers(at)}
        used |= {fleet for at in self.moves for fleet in self.matching_convoys(at)}
        return frozenset((self.supports.keys() | self.convoys.keys()) - used)

    # ------------------------------------------------------------------ strengths

    def path(self, works: Decisions, at: str) -> bool:
        """By land, or over a chain of fleets whose convoys work."""
        if not self.by_sea(at):
            return True
        carriers = {fleet for fleet in self.matching_convoys(at) if works[fleet]}
        reached = {fleet for fleet in carriers if at in self.board.sea_neighbours[fleet]}
        frontier = list(reached)
        while frontier:
            fleet = frontier.pop()
            if self.target(at) in self.board.sea_neighbours[fleet]:
                return True
            further = (carriers & self.board.sea_neighbours[fleet]) - reached
            reached |= further
            frontier += further
        return False

    def supports_of(self, works: Decisions, at: str, without: str | None = None) -> int:
        """Count the successful supports of what a unit does, except those of one power."""
        return sum(works[s] for s in self.backers(at) if self.power(s) != without)

    def hold(self, works: Decisions, province: str) -> int:
        """0 for an empty province, 1 for a mover that stays after all, else 1 + supports."""
        if province not in self.units:
            return 0
        if province in self.moves:
            return 0 if works[province] else 1
        return 1 + self.supports_of(works, province)

    def defend(self, works: Decisions, at: str) -> int:
        """1 + supports of any power."""
        return 1 + self.supports_of(works, at)

    def prevent(self, works: Decisions, at: str) -> int:
        """0 without a path, 0 for the loser of a head-to-head battle, else 1 + supports of any power."""
        other = self.head_to_head(at)
        if not self.path(works, at) or (other is not None and works[other]):
            return 0
        return 1 + self.supports_of(works, at)

    def attack(self, works: Decisions, at: str) -> int:
        """All supports count against an empty province, those of the unit's own power not against a unit."""
        if not self.path(works, at):
            return 0
        goal = self.target(at)
        gone = goal in self.moves and works[goal] and self.head_to_head(at) is None
        if goal not in self.units or gone:
            return 1 + self.supports_of(works, at)
        if self.power(goal) == self.power(at):
            return 0
        return 1 + self.supports_of(works, at, without=self.power(goal))

    # ------------------------------------------------------------------ equations

    def holds(self, works: Decisions, at: str) -> bool:
        """Evaluate the right-hand side of the equation of the order of the unit in a province."""
        if at in self.moves:
            return self._move(works, at)
        if at in self.supports:
            return self._support(works, at)
        if at in self.convoys:
            return not self._dislodging(works, at)
        return True

    def _move(self, works: Decisions, at: str) -> bool:
        attack, goal, other = self.attack(works, at), self.target(at), self.head_to_head(at)
        if attack <= (self.hold(works, goal) if other is None else self.defend(works, other)):
            return False
        return all(attack > self.prevent(works, rival) for rival in self.attackers(goal) if rival != at)

    def _support(self, works: Decisions, at: str) -> bool:
        cut = any(
            self.path(works, m) for m in self.attackers(at) if self.power(m) != self.power(at) and m != self.zone(at)
        )
        return not cut and not self._dislodging(works, at)

    def _dislodging(self, works: Decisions, at: str) -> list[str]:
        return [m for m in self.attackers(at) if works[m]]

    def rings(self) -> Iterator[tuple[str, ...]]:
        """Find the circular movements: units each of which moves to where the next one stands."""
        done: set[str] = set()
        for start in self.moves:
            trail: list[str] = []
            at = start
            while at in self.moves and at not in done:
                done.add(at)
                trail.append(at)
                at = self.target(at)
            if at in trail:
                yield tuple(trail[trail.index(at) :])

    def stuck_ring(self, works: Decisions) -> tuple[str, ...] | None:
        """Return a circular movement that stands still although nobody outside it stands in its way (DATC 6.C)."""
        for ring in self.rings():
            turned = {**works, **dict.fromkeys(ring, True)}
            if not any(works[at] for at in ring) and all(self.holds(turned, at) for at in ring):
                return ring
        return None

    def broken(self, works: Decisions, disrupted: Iterable[str] = ()) -> list[str]:
        """Return the provinces of the units whose equation the decisions do not satisfy.

        Args:
            works: the decisions.
            disrupted: fleets whose convoy a paradox rule forbids: it must fail whatever its equation says.
        """
        vetoed = frozenset(disrupted)
        return [at for at in self.units if works[at] != (at not in vetoed and self.holds(works, at))]

    def resolutions(self) -> Iterator[dict[str, bool]]:
        """Try all decisions and yield the consistent ones, for positions of a handful of units."""
        active = [*self.moves, *self.supports, *self.convoys]
        for values in product((False, True), repeat=len(active)):
            works = {**dict.fromkeys(self.units, True), **dict(zip(active, values, strict=True))}
            if not self.broken(works) and self.stuck_ring(works) is None:
                yield works

    # ------------------------------------------------------------------ what is left on the board

    def dislodged(self, works: Decisions) -> dict[str, str]:
        """Province of each unit that is driven out -> where its attacker came from."""
        stays = [at for at in self.units if at not in self.moves or not works[at]]
        return {at: winners[0] for at in stays if (winners := self._dislodging(works, at))}

    def after(self, works: Decisions) -> dict[str, str]:
        """Province of each unit that is not driven out -> its location afterwards."""
        gone = self.dislodged(works)
        return {
            at: self.moves[at].destination if at in self.moves and works[at] else unit.location
            for at, unit in self.units.items()
            if at not in gone
        }

    def contested(self, works: Decisions) -> set[str]:
        """Return the provinces that are empty because moves into them stood each other off."""
        taken = {province_of(at) for at in self.after(works).values()}
        failed = {self.target(at) for at in self.moves if not works[at] and self.prevent(works, at) > 0}
        return failed - taken

    def retreats(self, works: Decisions, at: str) -> set[str]:
        """Return where a dislodged unit may go (rulebook "Retreats"; DATC 4.A.5 b)."""
        origin = self.dislodged(works)[at]
        closed = self.contested(works) | {province_of(place) for place in self.after(works).values()}
        if not self.by_sea(origin):
            closed.add(origin)
        unit = self.units[at]
        return {place for place in self.board.reach(unit.kind, unit.location) if province_of(place) not in closed}
