"""Checking a map as it is read: entries, borders, coasts, centres, names.

Everything that is wrong is collected, each thing once and at its line.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from satdip.base.errors import InputError
from satdip.base.printable import is_shown
from satdip.base.toml_text import TomlText
from satdip.board import Board, Power, Province, Terrain, UnitKind, province_of

__all__ = ["MapReading", "nearest"]

_Table = dict[str, Any]  # what TOML makes of a table


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return " (did you mean ...?)" for a misspelt word, or nothing when no choice comes near."""
    from rapidfuzz import process  # loaded late: only errors need it
    from rapidfuzz.distance import JaroWinkler  # it weighs the first letters most, as abbreviations do

    found = process.extractOne(word, list(choices), scorer=JaroWinkler.similarity, processor=_fold, score_cutoff=0.75)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _fold(name: str) -> str:
    """Return a name as comparison sees it: no capitals, accents or doubled spaces."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())


# ---------------------------------------------------------------------- what entries there are


LONGEST_TEXT = 200  # characters of a name


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the value of an entry may be: how an error calls it, and the test."""

    noun: str
    fits: Callable[[object], bool]


def _is_text(value: object) -> bool:
    """Return whether a value is a name that can be printed: one line, of characters that are seen."""
    return isinstance(value, str) and bool(value.strip()) and len(value) <= LONGEST_TEXT and all(map(is_shown, value))


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and bool(value)


_TEXT = _Kind("a text in quotes, on one line", _is_text)
_TEXTS = _Kind('a list of texts, as in ["BRE", "PAR"]', _is_texts)
_TABLE = _Kind("a table with entries", _is_table)
_COUNT = _Kind("a whole number above 0", lambda value: type(value) is int and value > 0)
_FLAG = _Kind("true or false", lambda value: isinstance(value, bool))
_TERRAIN = _Kind('"sea", "coast" or "inland"', lambda value: value in [str(terrain) for terrain in Terrain])
_FLEET = _Kind(
    "a list of texts, or a table with such a list for each coast",
    lambda value: _is_texts(value) or (isinstance(value, dict) and all(map(_is_texts, value.values()))),
)

_MAP = {"name": _TEXT, "victory": _COUNT, "powers": _TABLE, "provinces": _TABLE}
_POWER = {"name": _TEXT, "adjective": _TEXT, "aliases": _TEXTS, "home": _TEXTS, "country": _TEXTS, "start": _TEXTS}
_PROVINCE = {
    "name": _TEXT,
    "aliases": _TEXTS,
    "terrain": _TERRAIN,
    "centre": _FLAG,
    "coasts": _TEXTS,
    "army": _TEXTS,
    "fleet": _FLEET,
}
_OPTIONAL = frozenset({"aliases", "country", "centre", "coasts", "army", "fleet"})
_TABLES_OF = {Terrain.SEA: ("fleet",), Terrain.COAST: ("army", "fleet"), Terrain.INLAND: ("army",)}
_ID = re.compile(r"[A-Z][A-Z0-9_]*")
_UNIT = re.compile(r"([AF]) (\S+)")


# ---------------------------------------------------------------------- reading and checking


@dataclass(frozen=True, slots=True)
class _Place:
    """The outline of a province; None where the file cannot be understood."""

    id: str
    terrain: Terrain | None
    centre: bool | None
    coasts: tuple[str, ...] | None

    @property
    def harbours(self) -> tuple[str, ...]:
        """The locations where a fleet would stand."""
        return tuple(f"{self.id}/{coast}" for coast in self.coasts or ()) or (self.id,)


@dataclass
class MapReading:
    """One reading of a map file: what was understood so far, and what is wrong.

    What is wrong is complained of once and then left out of account, so that problems do not follow from problems.
    """

    source: TomlText
    problems: list[InputError] = field(default_factory=list)
    places: dict[str, _Place] = field(default_factory=dict)
    tables: dict[UnitKind, dict[str, tuple[str, ...] | None]] = field(
        default_factory=lambda: {kind: {} for kind in UnitKind}
    )

    def complain(self, message: str, *path: str, item: str | None = None) -> None:
        """Note a problem at an entry, or at a quoted item in it."""
        self.problems.append(InputError(message, self.source.where(path, item)))

    def board(self, whole: _Table) -> Board | None:
        """Read and check a whole map; None when there is a problem."""
        top = self.fields(whole, _MAP)
        powers = {key: self.fields(value, _POWER, "powers", key) for key, value in _items(top, "powers")}
        provinces = {key: self.fields(value, _PROVINCE, "provinces", key) for key, value in _items(top, "provinces")}
        self.places.update({key: self.place(key, value) for key, value in provinces.items()})
        for key, value in provinces.items():
            self.read_tables(self.places[key], value)
        for kind, owners in (("powers", powers), ("provinces", provinces)):
            self.check_ids(owners, kind)
            self.check_names(owners, kind)
        self.check_borders()
        self.check_homes(powers)
        self.check_countries(powers)
        self.check_starts(powers)
        centres = sum(place.centre is not False for place in self.places.values())
        if (top.get("victory") or 0) > centres:
            self.complain(f"victory takes {top['victory']} supply centres, but the map has {centres}", "victory")
        if self.problems:
            return None
        army, fleet = (
            {at: frozenset(there or ()) for at, there in self.tables[kind].items()}
            for kind in (UnitKind.ARMY, UnitKind.FLEET)
        )
        return Board(
            name=top["name"],
            provinces={key: _province(key, value) for key, value in provinces.items()},
            powers={key: _power(key, value) for key, value in powers.items()},
            army=army,
            fleet=fleet,
            victory=top["victory"],
        )

    # ------------------------------------------------------------------ entries

    def fields(self, value: object, kinds: Mapping[str, _Kind], *path: str) -> _Table:
        """Return the known entries of a table, None for those that are not what they should be."""
        if not isinstance(value, dict):
            self.complain(f"{'.'.join(path)} must be a table, headed [{'.'.join(path)}]", *path)
            return dict.fromkeys(kinds)
        owner = path[-1] if path else "the map"
        good: _Table = {}
        for key in value:
            if key not in kinds:
                known = f"its entries are {', '.join(kinds)}"
                self.complain(f"{owner} has no entry {key!r}{nearest(key, kinds)}; {known}", *path, key)
        for key, kind in kinds.items():
            if key in value:
                good[key] = value[key] if kind.fits(value[key]) else None
                if good[key] is None:
                    self.complain(f"{key} of {owner} must be {kind.noun}", *path, key)
            elif key not in _OPTIONAL:
                self.complain(f"{owner} lacks the entry {key!r}: {kind.noun}", *path)
        return good

    def place(self, key: str, value: _Table) -> _Place:
        """Return the outline of a province; check its coasts."""
        path = ("provinces", key, "coasts")
        terrain = Terrain(value["terrain"]) if value.get("terrain") else None
        coasts = value.get("coasts", [])
        self.check_ids(coasts or (), *path)
        self.check_distinct(coasts or (), *path)
        if coasts and terrain in (Terrain.SEA, Terrain.INLAND):
            self.complain(f"{key} has terrain \"{terrain}\", so it cannot have 'coasts'", *path)
            coasts = None
        elif coasts and len(coasts) == 1:
            self.complain(f"{key} has one coast, which needs no name; name several coasts or none", *path)
        return _Place(key, terrain, value.get("centre", False), None if coasts is None else tuple(coasts))

    def read_tables(self, place: _Place, value: _Table) -> None:
        """Take over a province's army and fleet tables, where they fit its terrain and coasts."""
        wanted = _TABLES_OF[place.terrain] if place.terrain else tuple(value)
        because = f'{place.id} has terrain "{place.terrain}", so it'
        for key in ("army", "fleet"):
            if key in value and key not in wanted:
                self.complain(f"{because} cannot have {key!r}", "provinces", place.id, key)
            elif key in wanted and key not in value:
                self.complain(f"{because} lacks the entry {key!r}", "provinces", place.id)
            elif key in wanted and key == "army":
                self.tables[UnitKind.ARMY][place.id] = None if value[key] is None else tuple(value[key])
            elif key in wanted:
                self.read_fleet(place, value[key])

    def read_fleet(self, place: _Place, fleet: list[str] | dict[str, list[str]] | None) -> None:
        """Take over a province's fleet table: one list, or one for each of its coasts."""
        rows = self.tables[UnitKind.FLEET]
        rows.update(dict.fromkeys(place.harbours))
        if fleet is None or place.coasts is None:
            return
        lists = fleet if isinstance(fleet, dict) else {"": fleet}
        if lists.keys() == set(place.coasts or [""]):
            rows.update({f"{place.id}/{coast}".rstrip("/"): tuple(there) for coast, there in lists.items()})
            return
        shape = ", ".join(f"{coast} = [...]" for coast in place.coasts)
        right = f"a table with a list for each of its coasts: {{ {shape} }}" if shape else "one list: it has no coasts"
        self.complain(f"fleet of {place.id} must be {right}", "provinces", place.id, "fleet")

    # ------------------------------------------------------------------ names

    def check_ids(self, ids: Iterable[str], *path: str) -> None:
        """Complain of identifiers that could not be written in an order."""
        for key in ids:
            if not _ID.fullmatch(key):
                self.complain(f"{key!r} is no identifier; write capital letters, as in 'STP'", *path, key, item=key)

    def check_distinct(self, values: Iterable[str], *path: str) -> None:
        """Complain of what a list has twice."""
        seen: set[str] = set()
        for value in values:
            if value in seen:
                self.complain(f"{value!r} is listed twice", *path, item=value)
            seen.add(value)

    def check_names(self, owners: Mapping[str, _Table], kind: str) -> None:
        """Complain of names and aliases that mean two things, or one thing twice."""
        meanings = {_fold(key): key for key in owners}
        for entry in ("name", "adjective", "aliases"):
            for owner, value in owners.items():
                words = value.get(entry) or []
                for word in [words] if isinstance(words, str) else words:
                    meant = meanings.get(_fold(word))
                    if meant not in (None, owner):
                        self.complain(f"{word!r} of {owner} already means {meant}", kind, owner, entry, item=word)
                    elif meant and entry == "aliases":
                        self.complain(f"{word!r} is already a name of {owner}", kind, owner, entry, item=word)
                    meanings.setdefault(_fold(word), owner)

    # ------------------------------------------------------------------ places

    def fault(self, kind: UnitKind, location: str) -> str | None:
        """Return why no unit of that kind can be at that location, or None when one can."""
        province, coast = province_of(location), "/" in location
        place = self.places.get(province)
        if place is None:
            return f"there is no province {province!r}{nearest(province, self.places)}"
        if kind == UnitKind.ARMY:
            if place.terrain == Terrain.SEA:
                return f"an army cannot be at sea, in {province}"
            return f"an army stands on no coast; write {province!r}" if coast else None
        if place.terrain == Terrain.INLAND:
            return f"a fleet cannot be inland, in {province}"
        if place.coasts is not None and location not in place.harbours:
            return f"a fleet cannot be at {location!r}; write {' or '.join(map(repr, place.harbours))}"
        return None

    def check_borders(self) -> None:
        """Complain of neighbours that cannot be, and of borders that only one side knows."""
        for kind, entry, goes in (
            (UnitKind.ARMY, "army", "an army can walk"),
            (UnitKind.FLEET, "fleet", "a fleet can sail"),
        ):
            rows = {at: there for at, there in self.tables[kind].items() if there is not None}
            sound = {at: there for at, there in rows.items() if self.row_is_sound(kind, entry, at, there)}
            for at, there in rows.items():
                for other in there:
                    if other in sound and at not in sound[other] and province_of(at) != province_of(other):
                        self.complain(
                            f"{goes} from {at} to {other} but not back; "
                            f"add {at!r} to the {entry} table of {other}, or leave {other!r} out here",
                            *_row_path(entry, at),
                            item=other,
                        )

    def row_is_sound(self, kind: UnitKind, entry: str, at: str, there: tuple[str, ...]) -> bool:
        """Check the neighbours of one location, each by itself."""
        before = len(self.problems)
        self.check_distinct(there, *_row_path(entry, at))
        for other in there:
            itself = f"{at} cannot be its own neighbour" if province_of(other) == province_of(at) else None
            if fault := itself or self.fault(kind, other):
                self.complain(fault, *_row_path(entry, at), item=other)
        return len(self.problems) == before

    # ------------------------------------------------------------------ powers

    def check_homes(self, powers: Mapping[str, _Table]) -> None:
        """Complain of home centres that are no centres, or that two powers claim."""
        owners: dict[str, str] = {}
        for power, value in powers.items():
            path = ("powers", power, "home")
            self.check_distinct(value.get("home") or (), *path)
            for home in value.get("home") or ():
                place, owner = self.places.get(home), owners.setdefault(home, power)
                if place is None:
                    self.complain(f"there is no province {home!r}{nearest(home, self.places)}", *path, item=home)
                elif place.centre is False:
                    self.complain(f"{home} is no supply centre, so it cannot be a home of {power}", *path, item=home)
                elif owner != power:
                    self.complain(f"{home} cannot be a home of both {owner} and {power}", *path, item=home)

    def check_countries(self, powers: Mapping[str, _Table]) -> None:
        """Complain of provinces of a country that do not exist, and of home centres outside it."""
        homes = Counter(home for value in powers.values() for home in value.get("home") or ())
        for power, value in powers.items():
            country = value.get("country") or ()
            self.check_distinct(country, "powers", power, "country")
            for province in country:
                if province not in self.places:
                    hint = nearest(province, self.places)
                    self.complain(f"there is no province {province!r}{hint}", "powers", power, "country", item=province)
            for home in value.get("home") or () if country else ():
                if home not in country and home in self.places and homes[home] == 1:
                    self.complain(f"{home}, a home of {power}, lies outside its country", "powers", power, "country")

    def check_starts(self, powers: Mapping[str, _Table]) -> None:
        """Complain of first units that cannot be, or that share a province."""
        taken: dict[str, str] = {}
        for power, value in powers.items():
            for text in value.get("start") or ():
                if not (unit := _UNIT.fullmatch(text)):
                    fault: str | None = f"{text!r} is no unit; write A or F and a place, as in 'F BRE'"
                elif not (fault := self.fault(UnitKind(unit[1]), unit[2])):
                    province = province_of(unit[2])
                    if province in taken:
                        fault = f"two units cannot start in {province}: {taken[province]} and {power} {text}"
                    taken.setdefault(province, f"{power} {text}")
                if fault:
                    self.complain(fault, "powers", power, "start", item=text)


def _items(table: _Table, key: str) -> Iterable[tuple[str, object]]:
    return (table.get(key) or {}).items()


def _row_path(entry: str, location: str) -> tuple[str, ...]:
    """Return the path of the list of neighbours of a location."""
    province, slash, coast = location.partition("/")
    return ("provinces", province, entry, coast) if slash else ("provinces", province, entry)


def _province(key: str, value: _Table) -> Province:
    return Province(
        id=key,
        name=value["name"],
        terrain=Terrain(value["terrain"]),
        coasts=tuple(value.get("coasts", ())),
        centre=value.get("centre", False),
        aliases=tuple(value.get("aliases", ())),
    )


def _power(key: str, value: _Table) -> Power:
    return Power(
        id=key,
        name=value["name"],
        adjective=value["adjective"],
        home=tuple(value["home"]),
        country=tuple(value.get("country") or value["home"]),
        start=tuple((UnitKind(text[0]), text[2:]) for text in value["start"]),
        aliases=tuple(value.get("aliases", ())),
    )
