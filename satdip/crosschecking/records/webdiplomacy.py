"""Games of webDiplomacy as phase records: what ``game/status`` of its API gave, and its files ``history.json``.

Units, centres and orders name countries and territories by number (``satdip/data/webdiplomacy.toml``). The two forms
write the kind of a unit under another name, and "yes" in another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from satdip.base.errors import InputError, Where
from satdip.board import Board, province_of
from satdip.board.mapfile import load_board
from satdip.crosschecking.records.tables import table

__all__ = ["is_webdiplomacy", "webdiplomacy_phases"]

CLASSIC = 1
"""The variant that is the standard game; others number the territories in another way."""
KINDS = {"Army": "A", "Fleet": "F"}
LETTERS = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
FINISHED = "COMPLETED"
YES = ("Yes", True)
LAST_TURN = 1000
"""More turns than any game has."""

Json = Mapping[str, Any]
Units = dict[str, list[str]]


def is_webdiplomacy(value: Json) -> bool:
    """Return whether a JSON object is such a game: it has a list of phases, each with its turn."""
    phases = value.get("phases")
    return isinstance(phases, list) and bool(phases) and all(isinstance(p, Mapping) and "turn" in p for p in phases)


def webdiplomacy_phases(game: Json) -> Iterator[dict[str, Any]]:
    """Yield the phases of a game that have orders, as records with ``results`` and the next position.

    Which retreats were open is not told, so records of retreats do not say so.

    Args:
        game: ``{"gameID": 5, "variantID": 1, "phases": [{"turn": 0, "phase": "Diplomacy", "units": [...], ...}]}``.
            Without ``variantID`` it must begin with the first units of the standard game.

    Raises:
        InputError: the game is not sound, or of another variant than Classic.
    """
    if game.get("variantID", CLASSIC) != CLASSIC:
        what = f"only variant {CLASSIC}, Classic, can be read; others number the territories in another way"
        raise InputError(what, Where(path="$.variantID"))
    reader, positions = _Reader(), list[_Position]()
    for number, phase in enumerate(game["phases"]):
        positions.append(reader.position(phase, f"$.phases[{number}]"))
    if "variantID" not in game and not reader.is_start(positions[0]):
        what = "a game without variantID must begin with the first units of the standard game"
        raise InputError(what, Where(path="$.phases[0].units"))
    for now, after in zip_longest(positions, positions[1:]):
        if now.orders:
            record = {"game": str(game.get("gameID", "")), "map": reader.board.name, "engine": "webDiplomacy"}
            yield record | reader.record(now) | _next(after)


@dataclass(frozen=True)
class _Position:
    """A position: units, dislodged units and centres by power, and the orders, each with its path."""

    phase: str
    units: Units
    dislodged: Units
    centers: Units
    orders: list[tuple[str, Json]]

    @property
    def is_sound(self) -> bool:
        """Whether no two units stand in one province: at the end of some games dislodged ones are still listed."""
        places = [province_of(unit[2:]) for units in self.units.values() for unit in units]
        return len(set(places)) == len(places)


def _next(after: _Position | None) -> dict[str, Any]:
    """Return what a record says about the next position."""
    if after is None or not after.is_sound:
        return {}
    record: dict[str, Any] = {"next_phase": after.phase, "next_units": after.units}
    if after.dislodged:
        record["next_dislodged"] = after.dislodged
    return record if after.phase == FINISHED else record | {"next_centers": after.centers}


class _Reader:
    """Reads parts of a game; `path` is where they stand."""

    def __init__(self) -> None:
        names = table("webdiplomacy")
        self.board: Board = load_board(names["map"])
        self.countries: dict[Any, str] = dict(enumerate(names["countries"], start=1))
        self.territories: dict[Any, str] = dict(enumerate(names["territories"], start=1))

    def is_start(self, position: _Position) -> bool:
        """Return whether a position has the first units of the standard game."""
        start = {power.id: {f"{kind} {at}" for kind, at in power.start} for power in self.board.powers.values()}
        return {power: set(units) for power, units in position.units.items()} == start

    def position(self, phase: Json, path: str) -> _Position:
        name = phase.get("phase")
        if name != "Finished" and name not in LETTERS:
            raise _wrong("Diplomacy, Retreats, Builds or Finished", name, f"{path}.phase")
        turn = phase["turn"]
        if type(turn) is not int or not 0 <= turn < LAST_TURN:
            raise _wrong("the number of a turn", turn, f"{path}.turn")
        season = "W" if name == "Builds" else "SF"[turn % 2]
        units: Units = {}
        dislodged: Units = {}
        for at, item in _items(phase, "units", path):
            driven = item.get("retreating") in YES
            power, unit = self.country(item, at), f"{self.kind(item, at)} {self.territory(item, 'terrID', at)}"
            (dislodged if driven else units).setdefault(power, []).append(unit)
        centers: Units = {}
        for at, item in _items(phase, "centers", path):
            centre = self.territory(item, "terrID", at)
            if centre in self.board.centres and item.get("countryID"):
                centers.setdefault(self.country(item, at), []).append(centre)
        written = FINISHED if name == "Finished" else f"{season}{1901 + turn // 2}{LETTERS[name]}"
        return _Position(written, units, dislodged, centers, list(_items(phase, "orders", path)))

    def record(self, now: _Position) -> dict[str, Any]:
        """Return a position with its orders as a record."""
        record: dict[str, Any] = {"phase": now.phase, "units": now.units, "centers": now.centers}
        if now.phase.endswith("R"):
            record["dislodged"] = now.dislodged
        orders: Units = {}
        results: dict[str, list[str]] = {}
        kinds = {unit[2:5]: unit[0] for units in now.units.values() for unit in units}
        for at, item in now.orders:
            unit, order = self.order(item, kinds, at)
            orders.setdefault(self.country(item, at), []).append(order)
            if unit:
                driven = ["dislodged"] if item.get("dislodged") in YES else []
                results[unit] = ["ok" if item.get("success") in YES else "fail", *driven]
        return record | {"orders": orders, "results": results}

    # ------------------------------------------------------------------ orders

    def order(self, item: Json, kinds: Mapping[str, str], path: str) -> tuple[str, str]:
        """Return the unit that an order is given to (empty for a build that is waived), and the order."""
        kind = item.get("type")
        if kind == "Wait":
            return "", "WAIVE"
        if kind in ("Build Army", "Build Fleet"):
            unit = f"{kind[6]} {self.territory(item, 'toTerrID' if item.get('toTerrID') else 'terrID', path)}"
            return unit, f"{unit} B"
        unit = f"{self.kind(item, path)} {self.territory(item, 'terrID', path)}"
        return unit, f"{unit} {self.action(item, kinds, path)}"

    def action(self, item: Json, kinds: Mapping[str, str], path: str) -> str:
        def to() -> str:
            return self.territory(item, "toTerrID", path)

        def named(key: str) -> str:
            at = self.territory(item, key, path)
            return " ".join(filter(None, (kinds.get(province_of(at)), at)))

        match item.get("type"):
            case "Hold":
                return "H"
            case "Move":
                return f"- {to()}{' VIA' if item.get('viaConvoy') in YES else ''}"
            case "Support hold":
                return f"S {named('toTerrID')}"
            case "Support move":
                return f"S {named('fromTerrID')} - {to()}"
            case "Convoy":
                return f"C A {self.territory(item, 'fromTerrID', path)} - {to()}"
            case "Retreat":
                return f"R {to()}"
            case "Disband" | "Destroy":
                return "D"
            case other:
                raise _wrong("the type of an order, as in 'Support move',", other, f"{path}.type")

    # ------------------------------------------------------------------ numbers

    def country(self, item: Json, path: str) -> str:
        value = item.get("countryID")
        if type(value) is int and value in self.countries:
            return self.countries[value]
        raise _wrong("the number of a country", value, f"{path}.countryID")

    def territory(self, item: Json, key: str, path: str) -> str:
        value = item.get(key)
        if type(value) is int and value in self.territories:
            return self.territories[value]
        raise _wrong("the number of a territory", value, f"{path}.{key}")

    def kind(self, item: Json, path: str) -> str:
        """Return the kind of a unit: ``unitType``, in a list of units of ``history.json`` ``type``."""
        value = item.get("unitType", item.get("type"))
        if value in KINDS:
            return KINDS[value]
        raise _wrong("Army or Fleet", value, f"{path}.unitType")


def _items(phase: Json, key: str, path: str) -> Iterator[tuple[str, Json]]:
    """Yield the objects of a list, each with its path."""
    value = phase.get(key, [])
    if not isinstance(value, list):
        raise _wrong("a list", value, f"{path}.{key}")
    for number, item in enumerate(value):
        at = f"{path}.{key}[{number}]"
        if not isinstance(item, Mapping):
            raise _wrong("an object", item, at)
        yield at, item


def _wrong(wanted: str, value: object, path: str) -> InputError:
    return InputError(f"{wanted} is expected here, not {value!r:.60}", Where(path=path))
