"""The strengths of a movement phase under any rulebook, measured from the orders and from what became of them.

On `edition_evaluator`: with named routes (DATC 4.A.6), exchanges that are forbidden (seed 002 VIII), orders that a rule
for paradoxes forbids, and units that cannot be supported in place (4.D.9, 4.E.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from support.edition_evaluator import EditionEquations
from support.plain_evaluator import Decisions, Equations

from satdip.board import Board, UnitKind, province_of
from satdip.phase.orders import Order
from satdip.phase.position import Unit
from satdip.rulebook import Rulebook

__all__ = ["Field"]


class Field(EditionEquations):
    """The orders of a phase, and what became of them.

    Args:
        board: the map.
        actions: what each unit does.
        rules: the rulebook.
        works: province -> whether the order of its unit works.
        forbidden: the provinces of the units whose orders a paradox rule forbids.
        unsupportable: the provinces whose units cannot be supported in place.
    """

    def __init__(
        self,
        board: Board,
        actions: Iterable[tuple[Unit, Order]],
        rules: Rulebook,
        works: Decisions,
        forbidden: Collection[str],
        unsupportable: Collection[str],
    ) -> None:
        Equations.__init__(self, board, actions)  # the rulebook may have what `EditionEquations` asks not to have
        self.rules, self.works = rules, works
        self.forbidden, self.unsupportable = forbidden, unsupportable

    # ------------------------------------------------------------------ convoys

    def ordered_to_convoy(self, at: str) -> list[str]:
        """The fleets that follow an order to carry an army where it goes, whatever route it names."""
        return super().matching_convoys(at)

    def matching_convoys(self, at: str) -> list[str]:
        """Those of them that it may take: it takes no other route than the one that it names (4.A.6)."""
        fleets, named = super().matching_convoys(at), self.moves[at].route
        return [f for f in fleets if not named or self.rules.named_route.slug == "ignored" or f in named]

    def minimal_routes(self, at: str) -> Iterator[frozenset[str]]:
        """Yield the routes from which no fleet can be left out: only neighbours in the chain touch each other."""
        near, goal, fleets = self.board.sea_neighbours, self.target(at), set(self.matching_convoys(at))
        chains = [[sea] for sea in fleets if at in near[sea]]
        while chains:
            links = chains.pop()
            if goal in near[links[-1]]:
                yield frozenset(links)
                continue
            ahead = [sea for sea in (near[links[-1]] & fleets) - set(links) if at not in near[sea]]
            chains += [[*links, sea] for sea in ahead if near[sea].isdisjoint(links[:-1])]

    def broken_fleets(self, at: str) -> list[str]:
        """The fleets of a route of orders that do not convoy after all."""
        return sorted({f for f in chain.from_iterable(self.minimal_routes(at)) if not self.works[f]})

    def walks(self, at: str) -> bool:
        """Return whether an army could go where it goes without a convoy."""
        unit = self.units[at]
        return unit.kind == UnitKind.ARMY and self.moves[at].destination in self.board.army[unit.location]

    def path(self, works: Decisions, at: str) -> bool:
        """A unit that a paradox rule keeps at home has no path by convoy."""
        kept = at in self.forbidden and bool(self.by_sea(at) or self.matching_convoys(at))
        return not kept and super().path(works, at)

    def attack_arrives(self, at: str) -> bool:
        """Return whether a move gets to its destination."""
        return self.path(self.works, at)

    # ------------------------------------------------------------------ strengths, as things are

    def head_to_head(self, at: str) -> str | None:
        """Return who comes the other way; where exchanges are forbidden, also by convoy."""
        goal = self.target(at)
        opposite = goal in self.moves and self.target(goal) == at
        if opposite and self.rules.exchange.slug == "forbidden":
            return goal
        return super().head_to_head(at)

    def hold(self, works: Decisions, province: str) -> int:
        """A unit that cannot be supported in place has nothing but itself."""
        if province in self.units and province not in self.moves and province in self.unsupportable:
            return 1
        return super().hold(works, province)

    def supporters(self, at: str) -> list[str]:
        """Who supports what a unit does, with effect."""
        if at not in self.moves and at in self.unsupportable:
            return []
        return sorted(s for s in self.backers(at) if self.works[s])

    def faced(self, at: str) -> str | None:
        """The province of the unit that a move must drive out: it stays, or comes the other way."""
        goal = self.target(at)
        if goal not in self.units:
            return None
        leaves = goal in self.moves and self.works[goal]
        return None if leaves and self.head_to_head(at) is None else goal

    def counting_supporters(self, at: str) -> list[str]:
        """The supporters of a move that count in its attack: not those whose own unit it would drive out."""
        faced = self.faced(at)
        spared = None if faced is None else self.power(faced)
        return [s for s in self.supporters(at) if self.power(s) != spared]

    def useless_supporters(self, at: str) -> list[str]:
        """The supporters of a move that do not count because the unit in its way is of their own power."""
        counting = self.counting_supporters(at)
        return [s for s in self.supporters(at) if s not in counting]

    def attack_now(self, at: str) -> int:
        """ATTACK of a move."""
        return self.attack(self.works, at)

    def prevent_now(self, at: str) -> int:
        """PREVENT of a move."""
        return self.prevent(self.works, at)

    def rivals(self, at: str) -> list[str]:
        """The other units that move where a unit moves."""
        return [other for other in self.attackers(self.target(at)) if other != at]

    # ------------------------------------------------------------------ cutting

    def cutters(self, s: str) -> dict[str, bool]:
        """Return the units that cut a support, each with whether that takes dislodging the supporter."""
        found = {}
        for m in self.attackers(s):
            if self.power(m) == self.power(s) or self.exempt(s, m):
                continue
            from_zone = m == self.zone(s)
            if self.works[m] if from_zone else self.arrives(self.works, m) or self.works[m]:
                found[m] = from_zone
        return found

    # ------------------------------------------------------------------ afterwards

    def winner_at(self, province: str) -> str | None:
        """Return where the unit comes from that dislodges the one in a province."""
        return self.dislodged(self.works).get(province)

    def may_retreat_to(self, province: str) -> set[str]:
        """Return where a dislodged unit may go (4.A.5)."""
        open_places = self.retreats(self.works, province)
        if self.rules.convoyed_origin.slug == "closed":
            origin = self.dislodged(self.works)[province]
            open_places = {place for place in open_places if province_of(place) != origin}
        return open_places
