"""The equations of a movement phase under other rulebooks, by plain numbers: what `plain_evaluator` is for the DATC's.

Written from the rules' texts (DATC 4.A.1, 4.A.2 a to c, 4.A.3, 4.A.7), with nothing shared with the encodings. There is
no rule here that settles a paradox: a phase has as many consistent resolutions as the equations have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from support.plain_evaluator import Decisions, Equations

from satdip.board import Board, UnitKind, province_of
from satdip.phase.orders import Order
from satdip.phase.position import Unit
from satdip.rulebook import (
    AdjacentConvoy,
    Allowance,
    ConvoyedAttack,
    ConvoyRoutes,
    DislodgedEffect,
    NamedRoute,
    Paradox,
    Rulebook,
    SupportCoast,
)

__all__ = ["EditionEquations"]

BY_THEMSELVES = {
    Paradox.NONE,
    Paradox.FLEETS_1971,
    Paradox.WATERS_1982,
    Paradox.HAND,
    Paradox.NECESSARY_2000,
    Paradox.LITERAL_2000,
}
"""The paradox rules that are part of the equations."""


class EditionEquations(Equations):
    """The orders of one phase under a rulebook.

    Args:
        board: the map.
        actions: what each unit does, as the check under the same rulebook leaves it.
        rules: the rulebook; of its paradox rules only those that say which supports are not cut.
    """

    def __init__(self, board: Board, actions: Iterable[tuple[Unit, Order]], rules: Rulebook) -> None:
        super().__init__(board, actions)
        assert rules.paradox in BY_THEMSELVES
        assert rules.convoyed_attack == ConvoyedAttack.START
        assert rules.named_route == NamedRoute.IGNORED
        assert rules.exchange == rules.rotation == Allowance.ALLOWED
        self.rules = rules
        self.works: Decisions = {}

    def holds(self, works: Decisions, at: str) -> bool:
        """Evaluate an equation; which way an army goes depends on the decisions, so they are kept at hand."""
        self.works = works
        return super().holds(works, at)

    # ------------------------------------------------------------------ supports (4.B.4)

    def backers(self, at: str) -> list[str]:
        """Where the coast in a support does not matter, a support names a province."""
        if self.rules.support_coast != SupportCoast.NO_MATTER or at not in self.moves:
            return super().backers(at)
        supports = ((s, o) for s, o in self.supports.items() if o.target.province == at and o.destination is not None)
        return [s for s, o in supports if province_of(o.destination or "") == self.target(at)]

    # ------------------------------------------------------------------ routes (4.A.1)

    def connects(self, at: str, fleets: Iterable[str]) -> bool:
        """Return whether fleets in these seas make a way from an army's province to where it goes."""
        seas, near = set(fleets), self.board.sea_neighbours
        reached: set[str] = set()
        frontier = {sea for sea in seas if at in near[sea]}
        while frontier:
            reached |= frontier
            frontier = {sea for sea in seas - reached if near[sea] & reached}
        return any(self.target(at) in near[sea] for sea in reached)

    def minimal_routes(self, at: str) -> Iterator[frozenset[str]]:
        """Yield the sets of ordered fleets that make a way and from which no fleet can be left out."""
        carriers, found = self.matching_convoys(at), list[frozenset[str]]()
        for size in range(1, len(carriers) + 1):
            for fleets in map(frozenset, combinations(carriers, size)):
                if self.connects(at, fleets) and not any(smaller < fleets for smaller in found):
                    found.append(fleets)
                    yield fleets

    def intact(self, works: Decisions, at: str) -> bool:
        """Return whether the convoy of an army is intact."""
        if self.rules.convoy_routes == ConvoyRoutes.ALL:
            return self.connects(at, (fleet for fleet in self.matching_convoys(at) if works[fleet]))
        routes = list(self.minimal_routes(at))
        return bool(routes) and all(works[fleet] for route in routes for fleet in route)

    # ------------------------------------------------------------------ which way (4.A.3)

    def by_sea(self, at: str) -> bool:
        """Return whether a unit goes by convoy."""
        unit, move = self.units[at], self.moves[at]
        if unit.kind == UnitKind.FLEET:
            return False
        if move.destination not in self.board.reach(unit.kind, unit.location):
            return True
        own = any(self.power(fleet) == unit.power for fleet in self.matching_convoys(at))
        goal = self.target(at)
        match self.rules.adjacent_convoy:
            case AdjacentConvoy.LAND_UNLESS_OPPOSITE:
                return goal in self.moves and self.target(goal) == at and self.intact(self.works, at)
            case AdjacentConvoy.INTENT:
                return own and self.intact(self.works, at)
            case AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND:
                return (move.via or own) and self.intact(self.works, at)
            case AdjacentConvoy.TAG_OR_OWN_FLEET:
                return move.via or own
            case AdjacentConvoy.TAG:
                return move.via

    def path(self, works: Decisions, at: str) -> bool:
        """By land, or by an intact convoy."""
        self.works = works
        return not self.by_sea(at) or self.intact(works, at)

    # ------------------------------------------------------------------ cutting (4.A.2 a to c)

    def exempt(self, s: str, m: str) -> bool:
        """Return whether the paradox rule keeps a support from being cut by a convoyed army."""
        if not self.by_sea(m):
            return False
        order, zone, carriers = self.supports[s], self.zone(s), self.matching_convoys(m)
        fleet, attack = self.units[s].kind == UnitKind.FLEET, order.destination is not None
        match self.rules.paradox:
            case Paradox.FLEETS_1971:
                return (
                    fleet and attack and self.units[order.target.province].kind == UnitKind.FLEET and zone in carriers
                )
            case Paradox.WATERS_1982 | Paradox.HAND:
                return fleet and any(zone in self.matching_convoys(army) for army in self.moves)
            case Paradox.NECESSARY_2000:
                without = (carrier for carrier in carriers if carrier != zone)
                return attack and zone in carriers and not self.connects(m, without)
            case _:
                return False

    def arrives(self, works: Decisions, m: str) -> bool:
        """Return whether an attack cuts: it gets there; or, by the letter of 2000, a convoy for it was ordered."""
        if self.rules.paradox == Paradox.LITERAL_2000 and self.by_sea(m):
            return self.connects(m, self.matching_convoys(m))
        return self.path(works, m)

    def _support(self, works: Decisions, at: str) -> bool:
        foreign = (m for m in self.attackers(at) if self.power(m) != self.power(at) and not self.exempt(at, m))
        return not any(works[m] or (m != self.zone(at) and self.arrives(works, m)) for m in foreign)

    # ------------------------------------------------------------------ effect of the dislodged (4.A.7)

    def prevent(self, works: Decisions, at: str) -> int:
        """By the letter of the rulebooks a dislodged unit has no effect on where its attacker came from."""
        goal = self.target(at)
        swapped = goal in self.moves and self.target(goal) == at and works[goal] and not works[at]
        if self.rules.dislodged_effect == DislodgedEffect.NEVER and swapped:
            return 0
        return super().prevent(works, at)
