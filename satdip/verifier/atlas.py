"""A map as raw tables, read from its file by the verifier itself."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from satdip.verifier.shape import Wrong, quoted

__all__ = ["Atlas", "Unit", "province"]


def province(place: str) -> str:
    """Return the province of a place: ``SPA`` of ``SPA/NC``."""
    return place.split("/")[0]


@dataclass(frozen=True, order=True)
class Unit:
    """A unit: its power, ``A`` or ``F``, and the place where it stands."""

    power: str
    kind: str
    place: str

    @property
    def province(self) -> str:
        """The province that it stands in."""
        return province(self.place)

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


@dataclass(frozen=True, eq=False)
class Atlas:
    """What the verifier knows of a map.

    Args:
        name: its name.
        digest: a hash of everything in its file.
        terrain: province -> sea, coast or inland.
        walks: province -> the provinces to which an army may walk.
        sails: place -> the places to which a fleet may sail.
        centres: the supply centres.
        powers: power -> its table in the file.
        names: province -> its English name.
    """

    name: str
    digest: str
    terrain: Mapping[str, str]
    walks: Mapping[str, frozenset[str]]
    sails: Mapping[str, frozenset[str]]
    centres: frozenset[str]
    powers: Mapping[str, Mapping[str, Any]]
    names: Mapping[str, str]
    touching: Mapping[str, frozenset[str]]
    """Sea -> the seas and coastal provinces next to it."""

    @staticmethod
    @cache
    def named(name: str) -> Atlas:
        """Return the map of that name.

        Raises:
            Wrong: there is none.
        """
        file = files("satdip") / "maps" / f"{name}.toml"
        if not re.fullmatch(r"[a-z0-9_-]{1,40}", name) or not file.is_file():
            raise Wrong(f"there is no map called {quoted(name)}")
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        provinces: Mapping[str, Any] = tables["provinces"]
        sails: dict[str, frozenset[str]] = {}
        for key, table in provinces.items():
            by_coast = table.get("fleet", [])
            if isinstance(by_coast, dict):
                sails |= {f"{key}/{coast}": frozenset(there) for coast, there in by_coast.items()}
            elif table["terrain"] != "inland":
                sails[key] = frozenset(by_coast)
        terrain = {key: table["terrain"] for key, table in provinces.items()}
        return Atlas(
            name=name,
            digest=hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest(),
            terrain=terrain,
            walks={key: frozenset(table.get("army", ())) for key, table in provinces.items() if terrain[key] != "sea"},
            sails=sails,
            centres=frozenset(key for key, table in provinces.items() if table.get("centre", False)),
            powers=tables["powers"],
            names={key: table["name"] for key, table in provinces.items()},
            touching=_touching(terrain, sails),
        )

    def reach(self, kind: str, place: str) -> frozenset[str]:
        """Return the places to which a unit may go without a convoy."""
        return (self.walks if kind == "A" else self.sails).get(place, frozenset())

    def reaches_province(self, kind: str, place: str, goal: str) -> bool:
        """Return whether a unit could go to a province without a convoy, whatever the coast."""
        return any(province(there) == goal for there in self.reach(kind, place))

    def coasts(self, place: str, goal: str) -> list[str]:
        """Return the places in a province to which a fleet may sail from a place."""
        return sorted(there for there in self.sails.get(place, ()) if province(there) == goal)

    def harbours(self, goal: str) -> list[str]:
        """Return the places in a province where a fleet can stand."""
        return [place for place in self.sails if province(place) == goal]

    def is_place(self, place: str) -> bool:
        """Return whether there is such a province, alone or with a coast that the map has somewhere (DATC 4.B.6)."""
        at, slash, coast = place.partition("/")
        return at in self.terrain and (not slash or coast in self.coast_names)

    @cached_property
    def coast_names(self) -> frozenset[str]:
        """What coasts are called on this map."""
        return frozenset(place.partition("/")[2] for place in self.sails) - {""}

    def standing(self, at: str) -> list[Unit]:
        """Return the units, of no power, that could stand in a province."""
        return [Unit("", "A", at)] * (at in self.walks) + [Unit("", "F", place) for place in self.harbours(at)]

    def can_come(self, kind: str, place: str, origin: str) -> bool:
        """Return whether a unit that stands at a place could have moved there from a province, on foot or by sea."""
        if origin == province(place):
            return False
        starts = self.harbours(origin) if kind == "F" else [origin]
        return any(place in self.reach(kind, start) for start in starts) or (
            kind == "A" and self.terrain[origin] == self.terrain[place] == "coast" and self._joined(origin, place)
        )

    def _joined(self, one: str, other: str) -> bool:
        """Return whether seas lead from one coastal province to another."""
        seen = {sea for sea, shores in self.touching.items() if one in shores}
        frontier = list(seen)
        while frontier:
            near = self.touching[frontier.pop()]
            if other in near:
                return True
            fresh = [sea for sea in near if sea in self.touching and sea not in seen]
            seen.update(fresh)
            frontier += fresh
        return False

    def unit(self, power: str, written: str) -> Unit:
        """Return the unit of a power that is written ``F STP/SC``.

        Raises:
            Wrong: there can be no such unit.
        """
        kind, _, place = written.partition(" ")
        if power not in self.powers:
            raise Wrong(f"{quoted(power)} is no power of the map {self.name}")
        if kind not in ("A", "F") or place not in (self.walks if kind == "A" else self.sails):
            raise Wrong(f"{quoted(written)} is no unit that can stand on the map {self.name}")
        return Unit(power, kind, place)


def _touching(terrain: Mapping[str, str], sails: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    near: dict[str, set[str]] = {key: set() for key, kind in terrain.items() if kind == "sea"}
    for place, there in sails.items():
        for other in there:
            for sea, shore in ((province(place), province(other)), (province(other), province(place))):
                if sea in near:
                    near[sea].add(shore)
    return {sea: frozenset(shores) for sea, shores in near.items()}
