"""What each unit tries to do: reading the orders, and leaving out those that are not possible on this board.

Legality depends on the board alone, the fleets on it included, never on what others order (DATC 4.E.1). A unit whose
orders are all illegal has no order: it holds, and can be supported in place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .map import RefMap, province_of

_ORDER = re.compile(
    r"[AF] (?P<unit>\S+) (?:"
    r"H"
    r"|- (?P<move>\S+)(?P<via> VIA)?"
    r"|S [AF] (?P<backed>\S+)(?: - (?P<aim>\S+)(?: VIA)?)?"
    r"|C [AF] (?P<carried>\S+) - (?P<landing>\S+)(?: VIA)?"
    r")"
)


@dataclass(frozen=True)
class RefUnit:
    """A unit on the board; ``home`` is the province of its location."""

    power: str
    is_army: bool
    location: str
    home: str


@dataclass(frozen=True)
class Intent:
    """What a unit does, after the illegal orders were left out.

    Attributes:
        kind: "hold", "move", "support" or "convoy".
        target: where to: the destination of the move that is made, supported or carried; the province of a unit that
            is supported in place. A coast is named where it matters and is known.
        subject: index of the unit that is supported or convoyed.
        in_place: the support is for a unit that does not move.
        via: the army asks for a convoy, "via convoy" being written.
        legal: False when the unit got orders but no legal one.
    """

    kind: str
    target: str = ""
    subject: int = -1
    in_place: bool = False
    via: bool = False
    legal: bool = True

    @property
    def zone(self) -> str:
        """The province in which the order acts."""
        return province_of(self.target)


@lru_cache(maxsize=100_000)
def _words(text: str) -> Mapping[str, str | None] | None:
    match = _ORDER.fullmatch(text)
    return match.groupdict() if match else None


class Board:
    """The units on the map, and what is possible for each of them."""

    def __init__(self, map_: RefMap, units: Mapping[str, Sequence[str]]) -> None:
        self.map = map_
        self.units = [
            RefUnit(power, text[0] == "A", text[2:], province_of(text[2:]))
            for power, own in units.items()
            for text in own
        ]
        self.at = {unit.home: index for index, unit in enumerate(self.units)}
        self._routes: dict[tuple[str, str], tuple[frozenset[int], ...]] = {}

    @cached_property
    def fleets_at_sea(self) -> dict[str, int]:
        """The fleets that could convoy, by the sea they are in."""
        return {
            unit.home: index
            for index, unit in enumerate(self.units)
            if not unit.is_army and self.map.terrain[unit.home] == "sea"
        }

    def routes(self, start: str, end: str) -> tuple[frozenset[int], ...]:
        """Return the possible convoy routes between two shores, each as the set of its fleets.

        A route has no fleet that can be left out (6.F.12, 6.G.19): only its first fleet touches the start, only its
        last one the end, and no fleet touches another one than its neighbours in the chain.
        """
        key = (start, end)
        if key not in self._routes:
            self._routes[key] = tuple(self._find_routes(start, end)) if start != end else ()
        return self._routes[key]

    def _find_routes(self, start: str, end: str) -> Iterator[frozenset[int]]:
        fleets = self.fleets_at_sea
        if self.map.terrain[start] != "coast" or self.map.terrain[end] != "coast":
            return
        first, last = self.map.shores[start], self.map.shores[end]
        # Each chain comes with the seas that its next fleet must not be in.
        chains: list[tuple[tuple[str, ...], frozenset[str]]] = [((sea,), first) for sea in first if sea in fleets]
        while chains:
            chain, closed = chains.pop()
            if chain[-1] in last:
                yield frozenset(fleets[sea] for sea in chain)
                continue
            near = self.map.fleet[chain[-1]]
            chains += [((*chain, sea), closed | near) for sea in near if sea in fleets and sea not in closed]

    def intents(self, orders: Mapping[str, Sequence[str]]) -> list[Intent]:
        """Return what every unit does: its first legal order, else it holds (4.D.3, 4.E.1)."""
        intents = [Intent("hold") for _ in self.units]
        settled: set[int] = set()
        for power, texts in orders.items():
            for text in texts:
                words = _words(text)
                index = self.at.get(province_of(words["unit"] or "")) if words else None
                if words is None or index is None or index in settled or self.units[index].power != power:
                    continue
                intent = self._possible(index, words)
                if intent is None:
                    intents[index] = Intent("hold", legal=False)
                else:
                    intents[index] = intent
                    settled.add(index)
        return intents

    def _possible(self, index: int, words: Mapping[str, str | None]) -> Intent | None:
        if words["move"]:
            return self._move(self.units[index], words["move"], via=bool(words["via"]))
        if words["backed"]:
            subject = self.at.get(province_of(words["backed"]))
            if subject is None or subject == index:
                return None
            return (
                self._support_move(index, subject, words["aim"]) if words["aim"] else self._support_hold(index, subject)
            )
        if words["carried"] and words["landing"]:
            return self._convoy(index, self.at.get(province_of(words["carried"])), province_of(words["landing"]))
        return Intent("hold")

    def _coast(self, place: str) -> str | None:
        """Return the coast that an order names, when it names one that exists and matters (4.B.6)."""
        return place if "/" in place and place in self.map.fleet else None

    def _move(self, unit: RefUnit, place: str, *, via: bool) -> Intent | None:
        goal = province_of(place)
        if goal not in self.map.terrain or goal == unit.home:
            return None
        if unit.is_army:
            on_foot = goal in self.map.army[unit.home] and not via
            return Intent("move", goal, via=via) if on_foot or self.routes(unit.home, goal) else None
        # Only armies are convoyed (6.A.7). A coast must be named where two can be reached (4.B.1 to 4.B.3).
        coasts = self._fleet_landings(unit, place)
        return Intent("move", coasts[0]) if len(coasts) == 1 and not via else None

    def _fleet_landings(self, fleet: RefUnit, place: str) -> tuple[str, ...]:
        """Return the locations that a fleet may mean by a place: one if the coast is named or there is only one."""
        named = self._coast(place)
        reachable = self.map.lands_on(fleet.location, province_of(place))
        return tuple(coast for coast in reachable if named in (None, coast))

    def _support_hold(self, index: int, subject: int) -> Intent | None:
        unit, zone = self.units[index], self.units[subject].home
        if not self.map.reaches(unit.is_army, unit.location, zone):
            return None
        return Intent("support", zone, subject, in_place=True)

    def _support_move(self, index: int, subject: int, place: str) -> Intent | None:
        unit, moved = self.units[index], self.units[subject]
        goal = province_of(place)
        if goal not in self.map.terrain or goal == moved.home:
            return None
        # The supporter must be able to go there itself (6.A.10, 6.D.34), to whichever coast (6.B.4).
        if not self.map.reaches(unit.is_army, unit.location, goal):
            return None
        if moved.is_army:
            # A fleet cannot support the move and be the only way to make it (6.D.31).
            on_foot = goal in self.map.army[moved.home]
            if not on_foot and all(index in route for route in self.routes(moved.home, goal)):
                return None
            return Intent("support", goal, subject)
        coasts = self._fleet_landings(moved, place)
        if not coasts:
            return None
        # Without a coast the support is for both coasts (4.B.4 c).
        return Intent("support", coasts[0] if len(coasts) == 1 else goal, subject)

    def _convoy(self, index: int, subject: int | None, goal: str) -> Intent | None:
        if subject is None or not self.units[subject].is_army or goal not in self.map.terrain:
            return None
        useful = any(index in route for route in self.routes(self.units[subject].home, goal))
        return Intent("convoy", goal, subject) if useful else None
