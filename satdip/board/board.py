"""The board: provinces, the locations in them, and who can go where.

A *province* is an area of the map (``SPA``); a *location* is where a unit stands: a province (``SPA`` for an
army) or one coast of it (``SPA/NC`` for a fleet). The tables here are what adjudication reads; `Board.graph`
shows the same facts as a networkx graph, built the first time that somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Board", "Power", "Province", "Terrain", "UnitKind", "province_of", "steps_to"]


class UnitKind(StrEnum):
    """The two kinds of unit."""

    ARMY = "A"
    FLEET = "F"

    __hash__ = str.__hash__  # as equality is that of strings; the enumeration's own is slow


class Terrain(StrEnum):
    """What a province is made of: which kinds of unit may stand in it."""

    SEA = "sea"
    COAST = "coast"
    INLAND = "inland"


@dataclass(frozen=True, slots=True)
class Province:
    """An area of the map.

    Args:
        id: upper-case identifier, ``STP``.
        name: the name printed on the map, ``St Petersburg``.
        terrain: sea, coast or inland.
        coasts: the coasts that a fleet must choose between (``("NC", "SC")``); empty for most provinces.
        centre: whether it is a supply centre.
        aliases: further names and abbreviations that people write.
    """

    id: str
    name: str
    terrain: Terrain
    coasts: tuple[str, ...] = ()
    centre: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Power:
    """A great power.

    Args:
        id: upper-case identifier, ``FRANCE``.
        name: ``France``.
        adjective: ``French``.
        home: its home supply centres, province ids.
        country: the provinces of its country, home centres among them (the borders on the map).
        start: its first units, as (kind, location).
        aliases: further names.
    """

    id: str
    name: str
    adjective: str
    home: tuple[str, ...] = ()
    country: tuple[str, ...] = ()
    start: tuple[tuple[UnitKind, str], ...] = ()
    aliases: tuple[str, ...] = ()


_NOWHERE: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def province_of(location: str) -> str:
    """Return the province of a location: ``SPA`` of ``SPA/NC``."""
    return location.partition("/")[0]


@dataclass(frozen=True, eq=False)
class Board:
    """A map as adjudication sees it.

    Args:
        name: the name of the map, ``standard``.
        provinces: province id -> province.
        powers: power id -> power.
        army: province id -> provinces to which an army there may walk.
        fleet: location -> locations to which a fleet there may sail, coasts named.
        victory: how many supply centres win the game.
    """

    name: str
    provinces: Mapping[str, Province]
    powers: Mapping[str, Power]
    army: Mapping[str, frozenset[str]]
    fleet: Mapping[str, frozenset[str]]
    victory: int = 18
    _fleet_provinces: Mapping[str, frozenset[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        reached = {at: frozenset(map(province_of, there)) for at, there in self.fleet.items()}
        object.__setattr__(self, "_fleet_provinces", reached)

    def __repr__(self) -> str:
        return f"Board({self.name!r}, {len(self.provinces)} provinces)"

    # ------------------------------------------------------------------ standing and moving

    def stands(self, kind: UnitKind, location: str) -> bool:
        """Return whether a unit of that kind can stand at that location."""
        return location in (self.army if kind == UnitKind.ARMY else self.fleet)

    def reach(self, kind: UnitKind, location: str) -> frozenset[str]:
        """Return the locations to which a unit may move in one turn without a convoy."""
        return (self.army if kind == UnitKind.ARMY else self.fleet).get(location, _NOWHERE)

    def reach_provinces(self, kind: UnitKind, location: str) -> frozenset[str]:
        """Return the provinces to which a unit may move in one turn without a convoy, whatever the coast."""
        return (self.army if kind == UnitKind.ARMY else self._fleet_provinces).get(location, _NOWHERE)

    def coasts_reached(self, location: str, province: str) -> tuple[str, ...]:
        """Return the locations in `province` to which a fleet at `location` may sail (none, one or several)."""
        return tuple(sorted(at for at in self.fleet.get(location, ()) if province_of(at) == province))

    def locations(self, kind: UnitKind, province: str) -> tuple[str, ...]:
        """Return where in a province a unit of that kind can stand: none, the province, or its coasts."""
        if kind == UnitKind.ARMY:
            return (province,) if province in self.army else ()
        coasts = self.provinces[province].coasts
        places = tuple(f"{province}/{coast}" for coast in coasts) if coasts else (province,)
        return tuple(at for at in places if at in self.fleet)

    def can_come(self, kind: UnitKind, location: str, origin: str) -> bool:
        """Return whether a unit that stands at a location could have moved there from a province, also by convoy."""
        if origin not in self.provinces or origin == province_of(location):
            return False
        if any(location in self.reach(kind, start) for start in self.locations(kind, origin)):
            return True
        shores = origin, province_of(location)
        return kind == UnitKind.ARMY and all(map(self.is_coast, shores)) and self._is_joined(*shores)

    def _is_joined(self, one: str, other: str) -> bool:
        """Return whether seas lead from one coastal province to another."""
        seas = self.sea_neighbours
        seen = set(self.seas_beside.get(one, ()))
        frontier = list(seen)
        while frontier:
            near = seas[frontier.pop()]
            if other in near:
                return True
            fresh = [sea for sea in near if sea in seas and sea not in seen]
            seen.update(fresh)
            frontier += fresh
        return False

    def is_sea(self, province: str) -> bool:
        """Return whether a province is a sea, where fleets may convoy."""
        return self.provinces[province].terrain == Terrain.SEA

    def is_coast(self, province: str) -> bool:
        """Return whether a province is coastal, where convoys may start and end."""
        return self.provinces[province].terrain == Terrain.COAST

    @cached_property
    def centres(self) -> frozenset[str]:
        """Return the supply centres of the map."""
        return frozenset(province.id for province in self.provinces.values() if province.centre)

    # ------------------------------------------------------------------ graphs

    @cached_property
    def sea_neighbours(self) -> Mapping[str, frozenset[str]]:
        """Sea province -> the seas and coastal provinces that touch it: the steps of a convoy (DATC 4.A)."""
        touching: dict[str, set[str]] = {p.id: set() for p in self.provinces.values() if p.terrain == Terrain.SEA}
        for at, there in self.fleet.items():
            for other in map(province_of, there):
                if other in touching:
                    touching[other].add(province_of(at))
                if province_of(at) in touching:
                    touching[province_of(at)].add(other)
        return {sea: frozenset(others) for sea, others in touching.items()}

    @cached_property
    def seas_beside(self) -> Mapping[str, frozenset[str]]:
        """Coastal province or sea -> the seas that touch it."""
        beside: dict[str, set[str]] = {}
        for sea, others in self.sea_neighbours.items():
            for other in others:
                beside.setdefault(other, set()).add(sea)
        return {province: frozenset(seas) for province, seas in beside.items()}

    @cached_property
    def graph(self) -> nx.Graph[str]:
        """The map as a networkx graph: nodes are locations, edges carry ``kinds``, the unit kinds they admit.

        A node has the attributes ``province``, ``terrain`` and ``centre``. Where a province has several coasts,
        its own node is the armies' and each coast is a fleets' node; the two are not joined by an edge.
        """
        import networkx as nx  # loaded late: most adjudications never look at the graph

        graph: nx.Graph[str] = nx.Graph(name=self.name)
        for location in sorted({*self.army, *self.fleet}):
            province = self.provinces[province_of(location)]
            graph.add_node(location, province=province.id, terrain=province.terrain, centre=province.centre)
        for kind, table in ((UnitKind.ARMY, self.army), (UnitKind.FLEET, self.fleet)):
            for at, there in table.items():
                for other in there:
                    kinds = graph.edges[at, other]["kinds"] if graph.has_edge(at, other) else frozenset()
                    graph.add_edge(at, other, kinds=kinds | {kind})
        return graph

    @cached_property
    def seas(self) -> nx.Graph[str]:
        """The sea graph: seas joined to neighbouring seas and to the coastal provinces they touch.

        A convoy is a walk in it from one coastal province to another whose inner nodes are all seas.
        """
        import networkx as nx

        return nx.Graph((sea, other) for sea, others in sorted(self.sea_neighbours.items()) for other in sorted(others))

    @cached_property
    def neighbours(self) -> Mapping[str, frozenset[str]]:
        """Province -> the provinces next to it, whatever can move there: distances in civil disorder (4.D.8)."""
        near: dict[str, set[str]] = {province: set() for province in self.provinces}
        for table in (self.army, self.fleet):
            for at, there in table.items():
                near[province_of(at)].update(map(province_of, there))
        return {province: frozenset(others) for province, others in near.items()}

    def distances(self, goals: Iterable[str]) -> Mapping[str, int]:
        """Count the steps from every province to the nearest of some, land and sea alike.

        Args:
            goals: province ids.

        Returns:
            Province -> steps, 0 for a goal itself; without the provinces from which no goal can be reached.
        """
        return steps_to(goals, self.neighbours)


def steps_to(goals: Iterable[str], near: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Count the steps from every place to the nearest of some.

    Args:
        goals: places.
        near: place -> the places that one step leads to.

    Returns:
        Place -> steps; without the places from which no goal can be reached.
    """
    backwards: dict[str, list[str]] = {at: [] for at in near}
    for at, others in near.items():
        for other in others:
            backwards[other].append(at)
    found = {at: 0 for at in goals if at in near}
    frontier = list(found)
    while frontier:
        further = dict.fromkeys(before for at in frontier for before in backwards[at] if before not in found)
        found.update(dict.fromkeys(further, found[frontier[0]] + 1))
        frontier = list(further)
    return found
