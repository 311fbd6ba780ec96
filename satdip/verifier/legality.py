"""Which order each unit follows: the verifier's own reading of DATC 4.B, 4.C, 4.D.3, 4.D.9 and 4.E.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from satdip.verifier.atlas import Atlas, Unit, province
from satdip.verifier.notation import Action, Named, Written

__all__ = [
    "Followed",
    "Given",
    "Refused",
    "chains",
    "counting_orders",
    "movement_actions",
    "named_unit",
    "sailed",
    "tidy_goal",
]

Choices = Mapping[str, str]


class Refused(Exception):  # noqa: N818 -- it says that an order is not followed
    """An order is not possible; the text is the code of the reason."""


@dataclass(frozen=True)
class Given:
    """An order as it was handed in: by whom, its text, and what that says."""

    power: str
    text: str
    order: Written


@dataclass(frozen=True)
class Followed:
    """What becomes of the orders before any of them is resolved.

    Args:
        actions: what each unit does, in the sequence of the units.
        refused: the orders that are not followed, each with the code of the reason, in the sequence given.
        unsupportable: the provinces whose unit cannot be supported in place (DATC 4.D.9, 4.E.1).
    """

    actions: tuple[Action, ...]
    refused: tuple[tuple[Given, str], ...]
    unsupportable: frozenset[str] = frozenset()


# ---------------------------------------------------------------------- which unit is meant: 4.B.5, 4.B.6, 4.C


def named_unit(named: Named, power: str, units: Mapping[str, Unit], choices: Choices, *, own: bool) -> Unit:
    """Return the unit that an order of a power means.

    Args:
        named: the unit as the order names it.
        power: who gives the order.
        units: province -> unit.
        choices: the rulebook.
        own: the order is given to it, so it must be the power's own; else the order is about it.

    Raises:
        Refused: there is no such unit, or the order names it wrongly.
    """
    unit = units.get(named.province)
    if unit is None:
        raise Refused("no-such-unit")
    if not named.kind and choices["missing_kind"] == "illegal":
        raise Refused("kind-missing")
    if named.kind not in ("", unit.kind) and choices["wrong_kind"] == "illegal":
        raise Refused("wrong-kind")
    if named.place not in (unit.place, unit.province):
        on_coast = unit.kind == "F" and "/" in unit.place
        issue = "wrong_coast" if on_coast else "irrelevant_coast"
        if choices[issue] == "illegal":
            raise Refused("wrong-coast" if on_coast else "irrelevant-coast")
    if own:
        if unit.power != power:
            raise Refused("foreign-unit")
    elif not named.power:
        if unit.power != power and choices["missing_nationality"] == "illegal":
            raise Refused("nationality-missing")
    elif named.power != unit.power and choices["wrong_nationality"] == "illegal":
        raise Refused("wrong-nationality")
    return unit


def tidy_goal(goal: str, kind: str, atlas: Atlas, choices: Choices) -> str:
    """Return a destination without a coast that means nothing for this kind of unit (DATC 4.B.6).

    Raises:
        Refused: the rulebook does not ignore such a coast.
    """
    if "/" not in goal or (kind == "F" and goal in atlas.sails):
        return goal
    if choices["irrelevant_coast"] == "illegal":
        raise Refused("irrelevant-coast")
    return province(goal)


def sailed(unit: Unit, goal: str, atlas: Atlas, choices: Choices) -> str:
    """Return the exact place to which a fleet goes (DATC 4.B.1 to 4.B.3); an army out of reach goes nowhere.

    Raises:
        Refused: it cannot get there, or the coast is missing or impossible.
    """
    if goal in atlas.reach(unit.kind, unit.place):
        return goal
    coasts = atlas.coasts(unit.place, province(goal)) if unit.kind == "F" else []
    if not coasts:
        raise Refused("out-of-reach")
    if "/" in goal:
        if choices["impossible_coast"] == "illegal":
            raise Refused("impossible-coast")
    elif len(coasts) > 1 or choices["missing_coast"] == "fails":
        raise Refused("coast-missing")
    return coasts[0]


# ---------------------------------------------------------------------- several orders to one unit: 4.D.3


def counting_orders(possible: Sequence[Action | None], choices: Choices) -> tuple[dict[str, Action], list[int]]:
    """Keep one order for each unit.

    Args:
        possible: for each order what its unit would do; None for an order that is refused already.
        choices: the rulebook.

    Returns:
        Province -> what its unit does, and the numbers (from 0) of the orders that others displace.
    """
    by_unit: dict[str, list[int]] = {}
    for number, action in enumerate(possible):
        if action is not None:
            by_unit.setdefault(action.at, []).append(number)
    kept: dict[str, Action] = {}
    displaced: list[int] = []
    for at, numbers in by_unit.items():
        alike = len({possible[number] for number in numbers}) == 1
        counting = numbers[-1] if choices["several_orders"] == "last" and not alike else numbers[0]
        action = possible[counting]
        if action is not None and (alike or choices["several_orders"] != "none"):
            kept[at] = action
            numbers = [number for number in numbers if number != counting]
        displaced += numbers
    return kept, displaced


# ---------------------------------------------------------------------- routes


def chains(seas: Iterable[str], start: str, end: str, atlas: Atlas) -> Iterator[tuple[str, ...]]:
    """Yield the convoy routes over these seas from which no fleet can be left out (DATC 6.F.12, 6.G.19).

    In such a chain only neighbours touch, only the first sea touches the start and only the last one the end.
    """
    open_seas = set(seas)

    def grow(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        near = atlas.touching[chain[-1]]
        if end in near:
            yield chain
            return
        for sea in sorted(open_seas & near):
            before = atlas.touching[sea]
            if sea not in chain and start not in before and not before.intersection(chain[:-1]):
                yield from grow((*chain, sea))

    for first in sorted(open_seas):
        if start in atlas.touching[first]:
            yield from grow((first,))


# ---------------------------------------------------------------------- movement orders


class _Judge:
    """The position, as far as it says which orders are possible."""

    def __init__(self, units: Iterable[Unit], atlas: Atlas, choices: Choices) -> None:
        self.atlas, self.choices = atlas, choices
        self.units = {unit.province: unit for unit in units}
        self.fleets = {at for at, unit in self.units.items() if atlas.terrain[at] == "sea" and unit.kind == "F"}

    def action(self, given: Given) -> Action:
        """Return what an order makes its unit do.

        Raises:
            Refused: it is not possible.
        """
        order = given.order
        if order.verb == "UNCLEAR":
            raise Refused("unclear")
        if order.verb not in ("HOLD", "MOVE", "SUPPORT", "CONVOY") or order.unit is None:
            raise Refused("wrong-phase")
        unit = named_unit(order.unit, given.power, self.units, self.choices, own=True)
        if order.verb == "HOLD":
            return Action(unit)
        if order.verb == "MOVE":
            return self.army_moves(unit, order) if unit.kind == "A" else self.fleet_moves(unit, order)
        if order.about is None:
            raise Refused("unclear")
        if order.verb == "CONVOY" and not (unit.kind == "F" and unit.province in self.fleets):
            raise Refused("no-fleet-at-sea")
        about = named_unit(order.about, given.power, self.units, self.choices, own=False)
        return self.supports(unit, about, order) if order.verb == "SUPPORT" else self.convoys(unit, about, order)

    def is_own(self, given: Given) -> bool:
        """Return whether a power has a unit where its order says."""
        unit = None if given.order.unit is None else self.units.get(given.order.unit.province)
        return unit is not None and unit.power == given.power

    # ------------------------------------------------------------------ moves

    def fleet_moves(self, unit: Unit, order: Written) -> Action:
        goal = self.goal_of(unit, order.goal)
        if order.via:
            raise Refused("fleet-by-convoy")
        return Action(unit, "MOVE", goal=sailed(unit, goal, self.atlas, self.choices))

    def army_moves(self, unit: Unit, order: Written) -> Action:
        goal = self.goal_of(unit, order.goal)
        route = () if self.choices["named_route"] == "ignored" else order.route
        adjacent, rule = goal in self.atlas.reach("A", unit.place), self.choices["adjacent_convoy"]
        if adjacent and (not order.via or rule in ("land-unless-opposite", "intent")):  # rules without the words
            return Action(unit, "MOVE", goal=goal, route=route)
        problem = self.voyage_problem(unit, goal)
        if problem and adjacent and rule == "tag-or-own-fleet-else-land":
            return Action(unit, "MOVE", goal=goal)
        if problem:
            raise Refused(problem)
        if self.choices["named_route"] == "required" and not order.route:
            raise Refused("route-missing")
        return Action(unit, "MOVE", goal=goal, via=True, route=route)

    def goal_of(self, unit: Unit, goal: str) -> str:
        """Return a destination without a coast that means nothing; it must be another province."""
        goal = tidy_goal(goal, unit.kind, self.atlas, self.choices)
        if province(goal) == unit.province:
            raise Refused("same-place")
        return goal

    def voyage_problem(self, army: Unit, goal: str, without: str = "") -> str | None:
        """Return why no convoy can carry an army to a place; None when the fleets on the board could (4.E.1)."""
        terrain = self.atlas.terrain
        if goal not in self.atlas.walks or not terrain[army.province] == terrain[goal] == "coast":
            return "convoy-impossible" if goal in self.atlas.reach("A", army.place) else "out-of-reach"
        if not self.joined(army.province, goal, self.fleets):
            return "no-route"
        if without and not self.joined(army.province, goal, self.fleets - {without}):
            return "needed-for-convoy"  # DATC 6.D.31
        return None

    def joined(self, start: str, end: str, seas: set[str]) -> bool:
        return next(chains(seas, start, end, self.atlas), None) is not None

    # ------------------------------------------------------------------ supports

    def supports(self, unit: Unit, target: Unit, order: Written) -> Action:
        if target == unit:
            raise Refused("self-support")
        goal = self.goal_of(target, order.goal) if order.goal else ""
        if not self.atlas.reaches_province(unit.kind, unit.place, province(goal) or target.province):
            raise Refused("support-out-of-reach")
        if goal and target.kind == "A":
            problem = None
            if goal not in self.atlas.reach("A", target.place):
                problem = self.voyage_problem(target, goal, without=unit.province)
            if problem:
                raise Refused(problem)
        elif goal:
            goal = self.supported_sailing(unit, target, goal)
        return Action(unit, "SUPPORT", target, goal)

    def supported_sailing(self, unit: Unit, target: Unit, goal: str) -> str:
        """Return where a supported fleet goes, as exactly as the support says (DATC 4.B.4)."""
        if goal in self.atlas.reach("F", target.place):
            return goal
        rule, coasts = self.choices["support_coast"], self.atlas.coasts(target.place, province(goal))
        if rule == "no-matter" and coasts:
            return province(goal)
        if rule != "no-matter" and "/" not in goal and len(coasts) > 1:
            if rule == "required" or (rule == "own-only" and target.power != unit.power):
                raise Refused("support-coast-missing")
            return goal
        if rule == "no-matter":
            raise Refused("out-of-reach")
        return sailed(target, goal, self.atlas, self.choices)

    # ------------------------------------------------------------------ convoys

    def convoys(self, unit: Unit, army: Unit, order: Written) -> Action:
        if army.kind != "A":
            raise Refused("convoyed-fleet")
        goal = self.goal_of(army, order.goal)
        if problem := self.voyage_problem(army, goal):
            raise Refused(problem)
        if not any(unit.province in chain for chain in chains(self.fleets, army.province, goal, self.atlas)):
            raise Refused("useless-fleet")  # DATC 6.G.19
        return Action(unit, "CONVOY", army, goal)


def movement_actions(
    units: Sequence[Unit], given: Sequence[Given], taking_part: frozenset[str], atlas: Atlas, choices: Choices
) -> Followed:
    """Say what every unit does, and which orders are not followed.

    Args:
        units: the units on the board.
        given: the orders that count.
        taking_part: the powers that are not in civil disorder.
        atlas: the map.
        choices: the rulebook.
    """
    judge = _Judge(units, atlas, choices)
    possible: list[Action | None] = []
    reasons: dict[int, str] = {}
    for number, one in enumerate(given):
        try:
            possible.append(judge.action(one))
        except Refused as refused:
            possible.append(None)
            reasons[number] = str(refused)
    kept, displaced = counting_orders(possible, choices)
    reasons |= dict.fromkeys(displaced, "second-order")
    unsupportable: set[str] = set()
    if choices["disorder_support"] == "fails":
        unsupportable |= {unit.province for unit in units if unit.power not in taking_part}
    if choices["illegal_orders"] == "still-moves":
        tried = (given[number] for number in reasons if given[number].order.verb == "MOVE")
        places = {one.order.unit.province for one in tried if one.order.unit is not None and judge.is_own(one)}
        unsupportable |= places - kept.keys()
    return Followed(
        tuple(kept.get(unit.province, Action(unit)) for unit in units),
        tuple((given[number], reasons[number]) for number in sorted(reasons)),
        frozenset(unsupportable),
    )
