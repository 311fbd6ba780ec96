"""Certificates of adjustment phases: every build and removal is counted again (DATC 6.I, 6.J, 4.D.4 to 4.D.8)."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from satdip.base.messages import english
from satdip.verifier.aftermath import units_to_json
from satdip.verifier.atlas import Atlas, Unit, province
from satdip.verifier.header import Header, refused_to_json
from satdip.verifier.legality import Given, Refused, counting_orders, named_unit, tidy_goal
from satdip.verifier.notation import Action, Named
from satdip.verifier.shape import Checked, Wrong, same, texts_by_power

__all__ = ["PARTS", "check_adjustments"]

PARTS = ("centers", "decisions", "values", "result")
"""The keys that a certificate of an adjustment phase has beside those of all certificates."""

FAR = 1_000_000


@dataclass(frozen=True)
class _Decision:
    """One build, waived build, removal, or unit that civil disorder may remove; its unit is None for a waived build."""

    verb: str
    power: str
    unit: Unit | None = None

    def __str__(self) -> str:
        sign = {"BUILD": " B", "REMOVE": " D"}.get(self.verb, "")
        return f"{self.verb} {self.power}" + (f" {self.unit}{sign}" if self.unit is not None else "")


def check_adjustments(header: Header, certificate: Mapping[str, Any]) -> Checked:
    """Check a certificate of an adjustment phase.

    Returns:
        A sentence for what it shows.

    Raises:
        Wrong: something in it does not hold.
    """
    centres = dict(_centres(certificate["centers"], header.atlas))
    winter = _Winter(header, centres)
    same(certificate["refused"], refused_to_json(winter.refused), "refused")
    decided: list[tuple[_Decision, bool]] = []
    for power in sorted(header.atlas.powers):
        decided += winter.decided(power)
    same(certificate["decisions"], [str(decision) for decision, _ in decided], "decisions")
    values = [number if works else -number for number, (_, works) in enumerate(decided, 1)]
    same(certificate["values"], values, "values")

    def units(*verbs: str) -> list[Unit]:
        return [d.unit for d, works in decided if works and d.verb in verbs and d.unit is not None]

    gone = units("REMOVE", "AUTO")
    result = {
        "units": units_to_json([unit for unit in header.units if unit not in gone] + units("BUILD")),
        "built": units_to_json(units("BUILD")),
        "removed": units_to_json(gone),
        "automatic": units_to_json(units("AUTO")),
    }
    same(certificate["result"], result, "result")
    told = "{built} {built:unit is|units are} built, {gone} {gone:is|are} removed"
    claim = english(told, built=len(units("BUILD")), gone=len(gone))
    return Checked([claim], list(_assumed(header, centres)))


def _centres(value: object, atlas: Atlas) -> Iterator[tuple[str, tuple[str, ...]]]:
    owner: dict[str, str] = {}
    for power, owned in texts_by_power(value, "centers").items():
        if power not in atlas.powers or not set(owned) <= atlas.centres or list(owned) != sorted(set(owned)):
            raise Wrong("centers must give powers of the map supply centres of the map, in alphabetical order")
        if any(owner.setdefault(centre, power) != power for centre in owned):
            raise Wrong("centers gives a supply centre to two powers")
        yield power, owned


def _assumed(header: Header, centres: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what only the autumn before could tell: who owns what, also where somebody else stands."""
    owners = (f"{power} {' '.join(owned)}" for power, owned in centres.items() if owned)
    yield f"who owns which supply centre: {', '.join(owners) or 'nobody owns any'}"
    for unit in header.units:
        if unit.province in header.atlas.centres and unit.province not in centres.get(unit.power, ()):
            yield f"{unit.power} {unit} stands in a supply centre that it does not own"


class _Winter:
    """The orders of a winter."""

    def __init__(self, header: Header, centres: Mapping[str, Sequence[str]]) -> None:
        self.header, self.atlas, self.choices, self.centres = header, header.atlas, header.choices, centres
        self.units = {unit.province: unit for unit in header.units}
        self.counts = Counter(unit.power for unit in header.units)
        orders: list[_Decision | None] = []
        reasons: dict[int, str] = {}
        for number, given in enumerate(header.given):
            try:
                orders.append(self._order(given))
            except Refused as refused:
                orders.append(None)
                reasons[number] = str(refused)
        removals = [Action(o.unit, "DISBAND") if o and o.unit and o.verb == "REMOVE" else None for o in orders]
        _, displaced = counting_orders(removals, self.choices)
        reasons |= dict.fromkeys(displaced, "second-order")
        self.orders = [order for number, order in enumerate(orders) if order is not None and number not in reasons]
        self.refused = [(header.given[number], reasons[number]) for number in sorted(reasons)]

    def spare(self, power: str) -> int:
        """Return how many units a power may build, or (negative) must remove."""
        return len(self.centres.get(power, ())) - self.counts[power]

    # ------------------------------------------------------------------ single orders

    def _order(self, given: Given) -> _Decision:
        order, spare = given.order, self.spare(given.power)
        if order.verb == "UNCLEAR":
            raise Refused("unclear")
        if order.verb in ("BUILD", "WAIVE") and spare <= 0:
            raise Refused("no-builds")
        if order.verb == "WAIVE":
            if self.choices["declined_builds"] == "forbidden":
                raise Refused("no-waives")
            return _Decision("WAIVE", given.power)
        if order.verb == "BUILD" and order.unit is not None:
            return _Decision("BUILD", given.power, self._built(order.unit, given.power))
        if order.verb == "DISBAND" and order.unit is not None:
            unit = named_unit(order.unit, given.power, self.units, self.choices, own=True)
            if spare >= 0:
                raise Refused("no-removals")
            return _Decision("REMOVE", given.power, unit)
        raise Refused("wrong-phase")

    def _built(self, named: Named, power: str) -> Unit:
        """Return the unit that is built (DATC 4.B.7, 4.C.3, 4.C.4)."""
        at, kind = named.province, named.kind
        if at not in self.atlas.powers[power]["home"]:
            raise Refused("build-not-home")
        if at not in self.centres.get(power, ()):
            raise Refused("build-not-owned")
        if at in self.units:
            raise Refused("build-occupied")
        if not kind and self.atlas.terrain[at] == "coast":
            raise Refused("build-kind-missing")
        inland = self.atlas.terrain[at] == "inland"
        if not kind or (kind == "F" and inland and self.choices["inland_fleet"] == "army"):
            kind = "A"
        places = self.atlas.harbours(at) if kind == "F" else [at]
        if not places:
            raise Refused("build-impossible")
        place = tidy_goal(named.place, kind, self.atlas, self.choices)
        if place not in places:
            raise Refused("build-coast-missing")
        return Unit(power, kind, place)

    # ------------------------------------------------------------------ counting

    def decided(self, power: str) -> Iterable[tuple[_Decision, bool]]:
        """Return the decisions of a power in the sequence in which they are considered, and which of them come true."""
        orders, spare = [order for order in self.orders if order.power == power], self.spare(power)
        choice = self.choices["too_many_builds" if spare > 0 else "too_many_removals"]
        if choice == "last":
            orders.reverse()
        if choice == "none" and len(orders) > abs(spare):
            orders = []
        found: list[tuple[_Decision, bool]] = []
        room, displaced = abs(spare), self._displaced(orders)
        for number, order in enumerate(orders):
            found.append((order, room > 0 and number not in displaced))
            room -= found[-1][1]
        if spare < 0:
            ordered = {order.unit for order, works in found if works}
            for unit in self._ranked(power):
                found.append((_Decision("AUTO", power, unit), room > 0 and unit not in ordered))
                room -= found[-1][1]
        return found

    def _displaced(self, orders: Sequence[_Decision]) -> set[int]:
        """Return the numbers of the builds beside which others in the same province count (DATC 4.D.5)."""
        builds: dict[str, list[int]] = {}
        for number, order in enumerate(orders):
            if order.verb == "BUILD" and order.unit is not None:
                builds.setdefault(order.unit.province, []).append(number)
        if self.choices["builds_in_one_place"] == "none":
            return {number for here in builds.values() if len(here) > 1 for number in here}
        turned = self.choices["too_many_builds"] == "last"  # then the last one given is considered first
        first = (self.choices["builds_in_one_place"] == "first") != turned
        return {number for here in builds.values() for number in (here[1:] if first else here[:-1])}

    def _ranked(self, power: str) -> list[Unit]:
        """Return a power's units in the sequence in which civil disorder removes them (DATC 4.D.8)."""
        names, distance = _names(self.atlas, self.choices["alphabet"]), self._distance(power)

        def rank(unit: Unit) -> tuple[int, bool, str]:
            return -distance(unit), unit.kind == "A", names[unit.province]

        return sorted((unit for unit in self.units.values() if unit.power == power), key=rank)

    def _distance(self, power: str) -> Callable[[Unit], int]:
        """Return how far from what counts a unit of a power is."""
        facts, rule = self.atlas.powers[power], self.choices["removal"]
        goals = facts["home"]
        if rule == "owned-centre":
            goals = self.centres.get(power, ())
        elif rule == "country":
            goals = facts.get("country") or facts["home"]
        near = {at: self._near(at) for at in self.atlas.terrain}
        overland = _steps(goals, near)
        sailing = _steps([at for at in self.atlas.sails if province(at) in goals], self.atlas.sails)

        def distance(unit: Unit) -> int:
            if rule == "owned-centre" and unit.province in self.atlas.centres:
                return 0
            if rule == "own-way" and unit.kind == "F":
                return sailing.get(unit.place, FAR)
            return overland.get(unit.province, FAR)

        return distance

    def _near(self, at: str) -> set[str]:
        """The provinces next to a province, whatever can move there."""
        by_land = self.atlas.walks.get(at, frozenset())
        by_sea = {province(place) for harbour in self.atlas.harbours(at) for place in self.atlas.sails[harbour]}
        return by_sea.union(by_land)


def _steps(goals: Iterable[str], near: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Count the steps to the nearest goal, for every place that has a way to one."""
    found = dict.fromkeys(goals, 0)
    into: dict[str, list[str]] = {}
    for at, others in near.items():
        for other in others:
            into.setdefault(other, []).append(at)
    queue = deque(found)
    while queue:
        at = queue.popleft()
        for before in into.get(at, ()):
            if before not in found:
                found[before] = found[at] + 1
                queue.append(before)
    return found


def _names(atlas: Atlas, alphabet: str) -> dict[str, str]:
    """Return province -> its name as a dictionary sorts it, in the language whose alphabet counts."""
    names = dict(atlas.names)
    if alphabet == "french":
        file = files("satdip") / "maps" / f"{atlas.name}.fr.toml"
        if file.is_file():
            names |= tomllib.loads(file.read_text(encoding="utf-8"))["names"]
    return {key: _plain(name) for key, name in names.items()}


def _plain(name: str) -> str:
    """Return a name without accents and capitals."""
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)).casefold()
