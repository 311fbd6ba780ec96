"""The map as the reference adjudicator sees it: who can go where, and which seas touch which shores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


def province_of(location: str) -> str:
    """Return the province of a location: ``SPA`` for ``SPA/NC``, and a province itself for the rest."""
    return location.partition("/")[0]


@dataclass(frozen=True)
class RefMap:
    """Borders.

    Attributes:
        terrain: "sea", "coast" or "inland" for every province.
        army: the provinces that an army can walk to, for every province.
        fleet: the locations that a fleet can sail to, for every location of a fleet (``SPA/NC``, ``SPA/SC``, ``GAS``).
        coasts: the locations of a fleet in each province (none inland, two in Spain).
        shores: the seas that touch each province, from any of its coasts.
    """

    terrain: dict[str, str]
    army: dict[str, frozenset[str]]
    fleet: dict[str, frozenset[str]]
    coasts: dict[str, tuple[str, ...]]
    shores: dict[str, frozenset[str]]

    @classmethod
    def from_tables(cls, provinces: Mapping[str, Mapping[str, Any]]) -> "RefMap":
        """Build the map from the ``provinces`` table of a map file (terrain, army, fleet or fleet per coast).

        Raises:
            ValueError: when a border leads to a location that no fleet can stand on.
        """
        fleet: dict[str, frozenset[str]] = {}
        coasts: dict[str, tuple[str, ...]] = {}
        for name, table in provinces.items():
            borders = table.get("fleet", [])
            by_coast = (
                {f"{name}/{coast}": reach for coast, reach in borders.items()}
                if isinstance(borders, Mapping)
                else {name: borders}
            )
            here = {location: frozenset(reach) for location, reach in by_coast.items() if reach}
            fleet.update(here)
            coasts[name] = tuple(here)
        unknown = {there for reach in fleet.values() for there in reach} - fleet.keys()
        if unknown:
            raise ValueError(f"fleet borders lead to {sorted(unknown)}, where no fleet can stand")
        terrain = {name: str(table["terrain"]) for name, table in provinces.items()}
        return cls(
            terrain=terrain,
            army={name: frozenset(table.get("army", ())) for name, table in provinces.items()},
            fleet=fleet,
            coasts=coasts,
            shores={
                name: frozenset(
                    there for coast in coasts[name] for there in fleet[coast] if terrain.get(there) == "sea"
                )
                for name in provinces
            },
        )

    def lands_on(self, location: str, province: str) -> tuple[str, ...]:
        """Return the coasts of a province that a fleet at a location can sail to (none, one, or two in Spain)."""
        reach = self.fleet[location]
        return tuple(coast for coast in self.coasts[province] if coast in reach)

    def reaches(self, is_army: bool, location: str, province: str) -> bool:
        """Return whether a unit could go to a province itself, without a convoy and on whichever coast."""
        if is_army:
            return province in self.army[province_of(location)]
        return bool(self.lands_on(location, province))
