"""Certificates of retreat phases: every retreat is evaluated again (rulebook "Retreats"; DATC 6.H)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satdip.base.messages import english
from satdip.verifier.aftermath import units_to_json
from satdip.verifier.atlas import Unit, province
from satdip.verifier.header import Header, refused_to_json
from satdip.verifier.legality import Given, Refused, counting_orders, named_unit, sailed, tidy_goal
from satdip.verifier.notation import Action
from satdip.verifier.shape import Checked, Wrong, fields, quoted, same, tables, text, texts

__all__ = ["PARTS", "check_retreats"]

PARTS = ("dislodged", "decisions", "values", "result")
"""The keys that a certificate of a retreat phase has beside those of all certificates."""


@dataclass(frozen=True)
class _Driven:
    """A dislodged unit, where it may go, and where its attacker came from; None and "" where that is not told."""

    unit: Unit
    retreats: tuple[str, ...] | None
    attacker_from: str


def check_retreats(header: Header, certificate: Mapping[str, Any]) -> Checked:
    """Check a certificate of a retreat phase.

    Returns:
        A sentence for what it shows.

    Raises:
        Wrong: something in it does not hold.
    """
    driven = tables(certificate["dislodged"], "dislodged", lambda value, where: _read(value, where, header))
    if [item.unit for item in driven] != sorted({item.unit.province: item.unit for item in driven}.values(), key=_name):
        raise Wrong("dislodged must hold units in alphabetical order, one to a province")
    assumed = list(_check_attackers(driven, header))
    judge = _Judge(header, driven)
    possible: list[Action | None] = []
    reasons: dict[int, str] = {}
    for number, given in enumerate(header.given):
        try:
            possible.append(judge.action(given))
        except Refused as refused:
            possible.append(None)
            reasons[number] = str(refused)
    kept, displaced = counting_orders(possible, header.choices)
    reasons |= dict.fromkeys(displaced, "second-order")
    same(certificate["refused"], refused_to_json((header.given[n], reasons[n]) for n in sorted(reasons)), "refused")
    going = [kept[item.unit.province] for item in driven if item.unit.province in kept]
    going = [action for action in going if action.verb == "RETREAT"]
    same(certificate["decisions"], [f"RETREAT {a.unit.power} {a}" for a in going], "decisions")
    wanted = Counter(action.to for action in going)
    values = [number if wanted[action.to] == 1 else -number for number, action in enumerate(going, 1)]
    same(certificate["values"], values, "values")
    arrived = {a.unit: Unit(a.unit.power, a.unit.kind, a.goal) for a in going if wanted[a.to] == 1}
    result = {
        "units": units_to_json((*header.units, *arrived.values())),
        "removed": units_to_json(item.unit for item in driven if item.unit not in arrived),
        "contested": sorted(place for place, times in wanted.items() if times > 1),
    }
    same(certificate["result"], result, "result")
    told = "{some} of {all} {all:unit|units} {some:retreats|retreat}"
    return Checked([english(told, some=len(arrived), all=len(driven))], assumed)


def _name(unit: Unit) -> tuple[str, str]:
    return unit.power, str(unit)


def _check_attackers(driven: Sequence[_Driven], header: Header) -> Iterator[str]:
    """Check that every dislodged unit can have been driven out, as far as the units on the board tell.

    Yields:
        What only the movement phase before could tell, a sentence each: where attackers came from, where units may go.

    Raises:
        Wrong: a unit of its own power stands in its place, or one that cannot have come from where it should.
    """
    standing = {unit.province: unit for unit in header.units}
    places = {item.unit.province for item in driven}
    origins = Counter(item.attacker_from for item in driven)
    for item in driven:
        unit, origin, attacker = f"{item.unit.power} {item.unit}", item.attacker_from, standing.get(item.unit.province)
        if attacker is None:
            yield f"{unit} was dislodged by a unit that is not stated"
        elif attacker.power == item.unit.power:
            raise Wrong(f"{unit} is dislodged, but a unit of its own power stands in its place")
        if origin:
            possible = [attacker] if attacker is not None else header.atlas.standing(item.unit.province)
            if not any(header.atlas.can_come(one.kind, one.place, origin) for one in possible):
                who = "no unit can" if attacker is None else f"{attacker.power} {attacker} cannot"
                raise Wrong(f"{who} have come from {origin} to dislodge {unit}")
            if origin in places or origins[origin] > 1:
                raise Wrong(f"{unit} was not attacked from {origin}: another unit was dislodged there, or from there")
            if any(province(place) == origin for place in item.retreats or ()):
                raise Wrong(f"{unit} cannot retreat to {origin}, from where its attacker came")
            yield f"{unit} was attacked from {origin}"
        if item.retreats is not None:
            yield f"{unit} may retreat to {', '.join(item.retreats) or 'no place'}"
        elif origin:
            yield f"no stand-off closes a province to {unit}"
        else:
            yield f"neither a stand-off nor its attacker closes a province to {unit}"


def _read(value: object, where: str, header: Header) -> _Driven:
    parts = fields(value, where, ("power", "unit", "retreats", "attacker_from"))
    atlas = header.atlas
    unit = atlas.unit(text(parts["power"], f"{where}.power"), text(parts["unit"], f"{where}.unit"))
    retreats = None if parts["retreats"] is None else texts(parts["retreats"], f"{where}.retreats")
    origin = "" if parts["attacker_from"] is None else text(parts["attacker_from"], f"{where}.attacker_from")
    if origin and origin not in atlas.terrain:
        raise Wrong(f"{where}.attacker_from must be a province of the map or null")
    taken = {standing.province for standing in header.units}
    for place in retreats or ():
        if place not in atlas.reach(unit.kind, unit.place) or province(place) in taken:
            raise Wrong(f"{where}.retreats has {quoted(place)}, which is out of reach or occupied")
    if retreats is not None and list(retreats) != sorted(set(retreats)):
        raise Wrong(f"{where}.retreats must be in alphabetical order")
    return _Driven(unit, retreats, origin)


class _Judge:
    """The position, as far as it says which retreats are possible."""

    def __init__(self, header: Header, driven: tuple[_Driven, ...]) -> None:
        self.header, self.atlas, self.choices = header, header.atlas, header.choices
        self.driven = {item.unit.province: item for item in driven}
        self.taken = {unit.province for unit in header.units}

    def action(self, given: Given) -> Action:
        """Return what an order makes its unit do.

        Raises:
            Refused: it is not possible.
        """
        order = given.order
        if order.verb == "UNCLEAR":
            raise Refused("unclear")
        if order.verb not in ("RETREAT", "MOVE", "DISBAND") or order.unit is None:
            raise Refused("wrong-phase")
        item = self.driven.get(order.unit.province)
        if item is None:
            raise Refused("not-dislodged")
        unit = named_unit(order.unit, given.power, {item.unit.province: item.unit}, self.choices, own=True)
        if order.verb == "DISBAND":
            return Action(unit, "DISBAND")
        if order.via:
            raise Refused("retreat-by-convoy")
        goal = tidy_goal(order.goal, unit.kind, self.atlas, self.choices)
        if goal not in self.atlas.reach(unit.kind, unit.place):
            goal = sailed(unit, goal, self.atlas, self.choices)
        if goal not in self.open_to(item):
            raise Refused(self.why_closed(goal, item))
        return Action(unit, "RETREAT", goal=goal)

    def open_to(self, item: _Driven) -> frozenset[str]:
        """Return where a unit may go: as stated, else as far as the position tells."""
        if item.retreats is not None:
            return frozenset(item.retreats)
        near = self.atlas.reach(item.unit.kind, item.unit.place)
        return frozenset(at for at in near if province(at) not in self.taken and province(at) != item.attacker_from)

    def why_closed(self, goal: str, item: _Driven) -> str:
        """Return the reason why a neighbour is closed."""
        if province(goal) in self.taken:
            return "retreat-occupied"
        return "retreat-to-attacker" if province(goal) == item.attacker_from else "retreat-contested"
