"""The equations of a movement phase, read over three truth values by the verifier itself.

A unit has one order, so the province of the unit names the order. `Equations.values` says what is known of the
decisions; `Equations.right_side` evaluates what stands on the right of MOVE, SUPPORT or CONVOY. The rules are those of
DATC chapter 5 with the choices of 4.A; every function says which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from satdip.verifier.atlas import Atlas, Unit
from satdip.verifier.legality import chains
from satdip.verifier.notation import Action
from satdip.verifier.truth import (
    FALSE,
    OPEN,
    TRUE,
    YES,
    Strength,
    Truth,
    both,
    denied,
    either,
    exceeds,
    pick,
    total,
)

__all__ = ["Equations"]

ZERO, ONE = Strength(0, 0), Strength(1, 1)


def _known(statement: bool) -> Truth:
    return TRUE if statement else FALSE


class Equations:
    """The orders of a phase.

    Args:
        actions: what each unit does.
        unsupportable: the provinces whose unit cannot be supported in place.
        atlas: the map.
        choices: the rulebook.
    """

    def __init__(
        self, actions: Sequence[Action], unsupportable: Collection[str], atlas: Atlas, choices: Mapping[str, str]
    ) -> None:
        self.atlas, self.choices, self.unsupportable = atlas, choices, unsupportable
        self.actions = {action.at: action for action in actions}
        self.moves = [action.at for action in actions if action.verb == "MOVE"]
        self.supports = [action.at for action in actions if action.verb == "SUPPORT"]
        self.convoys = [action.at for action in actions if action.verb == "CONVOY"]
        self.values: dict[str, int] = {}
        """What is known of the decisions: province -> YES or NO."""
        self.vetoes: frozenset[str] = frozenset()
        """The orders that a paradox rule forbids."""
        self.settled_routes: dict[str, int] = {}
        """The convoys that Bille's first stage has decided: province of the army -> YES or NO."""
        self._moves_into: dict[str, list[str]] = {}
        for at in self.moves:
            self._moves_into.setdefault(self.goal(at), []).append(at)
        self._backers = {at: self._supporters(at) for at in self.actions}
        self._carriers = {at: self._matching_convoys(at) for at in self.moves}
        self._ways = {at: tuple(chains(fleets, at, self.goal(at), atlas)) for at, fleets in self._carriers.items()}
        self._facing = self._meetings_at_sea()

    # ------------------------------------------------------------------ what the orders alone say

    def unit(self, at: str) -> Unit:
        """The unit in a province."""
        return self.actions[at].unit

    def power(self, at: str) -> str:
        """The power of the unit in a province."""
        return self.actions[at].unit.power

    def goal(self, at: str) -> str:
        """The province that a move attacks."""
        return self.actions[at].to

    def is_move(self, at: str) -> bool:
        """Return whether a unit in a province moves."""
        return at in self.actions and self.actions[at].verb == "MOVE"

    def attackers(self, goal: str) -> list[str]:
        """The moves into a province."""
        return self._moves_into.get(goal, [])

    def backers(self, at: str) -> list[str]:
        """The supports of exactly what a unit does: its move, or its staying where it is (DATC 4.B.4)."""
        return self._backers[at]

    def carriers(self, at: str) -> list[str]:
        """The fleets that are ordered to carry a moving army where it goes."""
        return self._carriers[at]

    def could_sail(self, at: str) -> bool:
        """Return whether the orders let a moving army go by convoy at all."""
        unit, move = self.unit(at), self.actions[at]
        adjacent = move.goal in self.atlas.reach(unit.kind, unit.place)
        return not adjacent or move.via or bool(self.carriers(at))

    def _supporters(self, at: str) -> list[str]:
        action = self.actions[at]
        named = [s for s in self.supports if (about := self.actions[s].about) is not None and about.province == at]
        if action.verb != "MOVE":
            return [s for s in named if not self.actions[s].goal]
        if self.choices["support_coast"] == "no-matter":
            return [s for s in named if self.actions[s].to == action.to]
        return [s for s in named if self.actions[s].goal in (action.goal, action.to)]

    def _matching_convoys(self, at: str) -> list[str]:
        move, found = self.actions[at], []
        for fleet in self.convoys:
            order = self.actions[fleet]
            on_route = not move.route or self.choices["named_route"] == "ignored" or fleet in move.route
            if order.about is not None and (order.about.province, order.to) == (at, move.to) and on_route:
                found.append(fleet)
        return found

    def opposite(self, at: str) -> list[str]:
        """The move of the unit at the destination, if it comes the other way.

        By Brannan's rule (DATC 4.A.4) also if it goes to the sea of the fleet that lands the army.
        """
        other = self.goal(at)
        if not self.is_move(other):
            return []
        return [other] if self.goal(other) == at or other in self._landing_against(at) else []

    def _landing_against(self, at: str) -> list[str]:
        """The unit at an army's destination, if it moves to the sea from which a fleet would land the army."""
        other = self.goal(at)
        if self.choices["convoyed_attack"] == "start" or not self.is_move(other):
            return []
        seas = [fleet for fleet in self.carriers(at) if other in self.atlas.touching[fleet]]
        return [other] if self.goal(other) in seas else []

    def _meetings_at_sea(self) -> dict[str, list[str]]:
        """Move -> the convoyed moves that it meets at their last fleet, by Brannan's rule."""
        meetings: dict[str, list[str]] = {at: [] for at in self.moves}
        for at in self.moves:
            for other in self._landing_against(at):
                meetings[other].append(at)
        return meetings

    # ------------------------------------------------------------------ convoys: 4.A.1, 4.A.3, 4.A.4

    def decision(self, at: str) -> Truth:
        """MOVE, SUPPORT or CONVOY of the unit in a province, as far as it is known."""
        value = self.values.get(at, OPEN)
        return Truth(value) if value != OPEN else Truth(OPEN, frozenset((at,)))

    def joined(self, at: str, without: str = "") -> bool:
        """Return whether the ordered fleets make a way for an army; if need be without one of them."""
        return any(without not in way for way in self._ways[at])

    def route(self, at: str) -> Truth:
        """Return whether the convoy of an army is intact (DATC 4.A.1)."""
        if at in self.settled_routes:
            return Truth(self.settled_routes[at])
        ways = self._ways[at]
        if self.choices["convoy_routes"] == "any":
            return both((_known(bool(ways)), *(self.decision(fleet) for way in ways for fleet in way)))
        return either(both(self.decision(fleet) for fleet in way) for way in ways)

    def by_sea(self, at: str) -> Truth:
        """Return whether a moving unit goes by convoy (DATC 4.A.3)."""
        unit, move = self.unit(at), self.actions[at]
        if move.goal not in self.atlas.reach(unit.kind, unit.place):
            return TRUE
        if not self.could_sail(at):
            return FALSE
        own_fleet = any(self.power(fleet) == unit.power for fleet in self.carriers(at))
        wanted = {
            "land-unless-opposite": bool(self.opposite(at)),
            "intent": own_fleet,
            "tag-or-own-fleet-else-land": move.via or own_fleet,
            "tag-or-own-fleet": move.via or own_fleet,
            "tag": move.via,
        }[self.choices["adjacent_convoy"]]
        if self.choices["adjacent_convoy"] in ("tag-or-own-fleet", "tag"):
            return _known(wanted)
        return both((_known(wanted), self.route(at)))

    def path(self, at: str) -> Truth:
        """PATH: a move goes by land, or an intact convoy carries it; a vetoed army goes neither way."""
        if not self.could_sail(at):
            return TRUE
        sea = self.by_sea(at)
        return both((_known(at not in self.vetoes), either((denied(sea), self.route(at))) if sea != FALSE else TRUE))

    def comes_from(self, at: str, place: str) -> Truth:
        """Return whether an attack comes from a province: where it started, or from its last fleet (DATC 4.A.4)."""
        if self.choices["convoyed_attack"] == "start" or not self.could_sail(at):
            return _known(at == place)
        landing = any(fleet == place and self.goal(at) in self.atlas.touching[fleet] for fleet in self.carriers(at))
        sea = self.by_sea(at)
        return either((both((denied(sea), _known(at == place))), both((sea, _known(landing)))))

    # ------------------------------------------------------------------ strengths

    def head_to_head(self, at: str, other: str) -> Truth:
        """Return whether two opposite moves meet: not by convoy, unless they may never change places."""
        if self.choices["exchange"] == "forbidden" and self.goal(other) == at:
            return TRUE
        if self.choices["convoyed_attack"] == "last-fleet":
            return both((self.comes_from(at, self.goal(other)), self.comes_from(other, self.goal(at))))
        return both((denied(self.by_sea(at)), denied(self.by_sea(other))))

    def supported(self, at: str, without: str = "") -> Strength:
        """1 and the supports, but for those of one power."""
        return total(1, (self.decision(s) for s in self.backers(at) if self.power(s) != without))

    def attack(self, at: str) -> Strength:
        """ATTACK: a power's supports do not help to dislodge its own unit, and it never attacks its own."""
        goal = self.goal(at)
        if goal not in self.actions:
            strength = self.supported(at)
        elif not self.is_move(goal):
            strength = self._against(at, goal)
        else:
            meets = self.head_to_head(at, goal) if goal in self.opposite(at) else FALSE
            gone = both((self.decision(goal), denied(meets)))
            strength = pick(gone, self.supported(at), self._against(at, goal))
        return pick(self.path(at), strength, ZERO)

    def _against(self, at: str, goal: str) -> Strength:
        """The attack on a unit that stays."""
        return ZERO if self.power(goal) == self.power(at) else self.supported(at, without=self.power(goal))

    def hold(self, place: str) -> Strength:
        """HOLD: nothing for an empty or vacated province, 1 for a mover that fails, else 1 and the supports."""
        if place not in self.actions:
            return ZERO
        if self.is_move(place):
            return pick(self.decision(place), ZERO, ONE)
        return ONE if place in self.unsupportable else self.supported(place)

    def prevent(self, at: str) -> Strength:
        """PREVENT: nothing without a path, or when the unit is beaten from where it wanted to go (DATC 4.A.7)."""
        losing = either(self._beaten_by(at, other) for other in (*self.opposite(at), *self._facing[at]))
        return pick(both((self.path(at), denied(losing))), self.supported(at), ZERO)

    def _beaten_by(self, at: str, other: str) -> Truth:
        if self.choices["dislodged_effect"] == "never":
            return both((self.decision(other), denied(self.decision(at))))
        return both((self.head_to_head(at, other), self.decision(other)))

    # ------------------------------------------------------------------ equations

    def right_side(self, at: str) -> Truth:
        """Evaluate the right-hand side of the equation of a unit's order."""
        verb = self.actions[at].verb
        if verb == "MOVE":
            return both(self._conditions_of_move(at))
        if verb == "SUPPORT":
            return both(denied(self._cuts(m, at)) for m in self.attackers(at))
        attacks = (denied(self.decision(m)) for m in self.attackers(at))
        return both((_known(at not in self.vetoes), *attacks))

    def _conditions_of_move(self, at: str) -> Iterator[Truth]:
        yield _known(at not in self.vetoes)
        strength, resistance = self.attack(at), self.hold(self.goal(at))
        for other in self.opposite(at):
            resistance = pick(self.head_to_head(at, other), self.supported(other), resistance)
        yield exceeds(strength, resistance)
        for other in self._facing[at]:
            yield either((denied(self.head_to_head(at, other)), exceeds(strength, self.supported(other))))
        yield from self._beats_rivals(at, strength)

    def _beats_rivals(self, at: str, strength: Strength) -> Iterator[Truth]:
        return (exceeds(strength, self.prevent(other)) for other in self.attackers(self.goal(at)) if other != at)

    def _cuts(self, m: str, s: str) -> Truth:
        """Return whether a move cuts a support: from elsewhere by arriving, from its zone by dislodging."""
        if self.power(m) == self.power(s):
            return FALSE
        from_zone = self.comes_from(m, self.actions[s].zone)
        if from_zone.value == OPEN:
            cut = either((both((denied(from_zone), self._arrives(m))), self.decision(m)))
        else:
            cut = self.decision(m) if from_zone.value == YES else self._arrives(m)
        if not self.could_sail(m) or not self._spared(s, m):
            return cut
        return both((cut, denied(self.by_sea(m))))

    def _arrives(self, m: str) -> Truth:
        """PATH; by the letter of 2000 an army cuts whatever becomes of its convoy, if only one was ordered."""
        if self.choices["paradox"] == "2000-literal" and self.could_sail(m):
            return either((denied(self.by_sea(m)), _known(self.joined(m))))
        return self.path(m)

    def _spared(self, s: str, m: str) -> bool:
        """Return whether a support is not cut by this army, if it comes by convoy (DATC 4.A.2 a to c)."""
        support, rule = self.actions[s], self.choices["paradox"]
        fleet, zone, carriers = support.unit.kind == "F", support.zone, self.carriers(m)
        if rule == "1971":
            fleets_attack = bool(support.goal) and support.about is not None and support.about.kind == "F"
            return fleet and fleets_attack and zone in carriers
        if rule in ("1982", "hand"):
            return fleet and any(zone in self.carriers(army) for army in self.moves)
        if rule == "2000":
            return bool(support.goal) and zone in carriers and not self.joined(m, without=zone)
        return False

    # ------------------------------------------------------------------ circular movement: DATC 6.C, seed 002 VIII

    def rings(self, among: Collection[str]) -> list[tuple[str, ...]]:
        """Find units of these that move in a ring, each to where the next one stands."""
        found: list[tuple[str, ...]] = []
        seen: set[str] = set()
        for start in among:
            trail: list[str] = []
            at = start
            while self.is_move(at) and at in among and at not in seen:
                seen.add(at)
                trail.append(at)
                at = self.goal(at)
            if at in trail:
                found.append(tuple(trail[trail.index(at) :]))
        return found

    def breaks_law(self, ring: Sequence[str]) -> Truth:
        """Return whether what is known of the decisions breaks the law of circular movement.

        A ring turns when every member would win against outsiders if the next one left. Where the rules forbid it,
        the members cannot all move, unless one of them dislodges the next by force.
        """
        if len(ring) > 2 and self.choices["rotation"] == "forbidden":
            all_move = (self.decision(at) for at in ring)
            return both((*all_move, *(denied(both(self._by_force(at))) for at in ring)))
        stands = either(denied(self.decision(at)) for at in ring)
        return both((stands, *(condition for at in ring for condition in self._turns(at, ring))))

    def _turns(self, at: str, ring: Sequence[str]) -> Iterator[Truth]:
        yield _known(at not in self.vetoes)
        yield self.path(at)
        if len(ring) == 2:  # two units exchange places by convoy only
            for other in (*self.opposite(at), *self._facing[at]):
                yield denied(self.head_to_head(at, other))
        yield from self._beats_rivals(at, self.supported(at))

    def _by_force(self, at: str) -> Iterator[Truth]:
        yield self.path(at)
        strength = self._against(at, self.goal(at))
        yield exceeds(strength, ONE)
        yield from self._beats_rivals(at, strength)

    # ------------------------------------------------------------------ closure and knots

    def close(self, undecided: Sequence[str]) -> list[str]:
        """Decide what follows from the decisions so far, and return what is still undecided."""
        before = len(undecided) + 1
        while len(undecided) < before:
            before = len(undecided)
            for at in undecided:
                value = self.right_side(at).value
                if value != OPEN:
                    self.values[at] = value
            undecided = [at for at in undecided if at not in self.values]
        return list(undecided)

    def knots(self, undecided: Sequence[str]) -> list[tuple[str, ...]]:
        """Find the cores: undecided decisions that hinge on each other in a cycle, and on no others."""
        hinges = {at: self.right_side(at).hinges for at in undecided}
        reached = {at: _reached(at, hinges) for at in undecided}
        found = {frozenset(there) for there in reached.values() if all(reached[at] == there for at in there)}
        place = {at: number for number, at in enumerate(undecided)}
        cores = [tuple(sorted(core, key=place.__getitem__)) for core in found]
        return sorted(cores, key=lambda core: place[core[0]])


def _reached(start: str, hinges: Mapping[str, frozenset[str]]) -> set[str]:
    seen: set[str] = set()
    frontier = [start]
    while frontier:
        further = hinges[frontier.pop()] - seen
        seen |= further
        frontier += further
    return seen
