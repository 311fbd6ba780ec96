"""Where everything stands: units, dislodged units, supply centres, and which phase it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from satdip.base.errors import InputError
from satdip.base.memory import kept
from satdip.base.messages import Message
from satdip.base.values import Value
from satdip.board import Board, UnitKind, province_of
from satdip.phase.kinds import TRAITS, PhaseKind, Season, Traits

__all__ = ["Dislodged", "Phase", "PhaseKind", "Position", "Season", "Unit"]

LAST_YEAR = 9999  # years are written with up to four digits
LONGEST_PHASE = 20  # characters of a phase that is none, as an error repeats it


@dataclass(frozen=True, slots=True)
class Phase(Value):
    """One phase of a game, written ``S1901M``, ``F1901R``, ``W1901A``.

    Args:
        season: spring, autumn or winter.
        year: from 0 to 9999.
        kind: movement, retreats or adjustments.

    Raises:
        InputError: there is no such year.
    """

    season: Season
    year: int
    kind: PhaseKind
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.year <= LAST_YEAR:
            raise _no_year(f"{self.season}{self.year}{self.kind}")
        object.__setattr__(self, "_text", f"{self.season}{self.year}{self.kind}")

    def __str__(self) -> str:
        return self._text

    def __hash__(self) -> int:  # strings hash quickly, enumerations do not
        return hash(self._text)

    @property
    def traits(self) -> Traits:
        """What is so of all phases of this kind."""
        return TRAITS[self.kind]

    @classmethod
    def parse(cls, text: str) -> Phase:
        """Read ``S1901M``.

        Raises:
            InputError: the text is not season, year and kind, the kind does not fit the season, or the year cannot be.
        """
        season, year, kind = text[:1], text[1:-1], text[-1:]
        fits = kind in TRAITS and season in TRAITS[PhaseKind(kind)].seasons
        if not re.fullmatch("[0-9]+", year) or not fits:
            what = Message(
                "phase {text!r} is none; "
                "write the season S, F or W, a year of up to four digits, and M, R or A, as in S1901M or W1901A",
                text=_short(text),
            )
            raise InputError(what)
        if len(year) > len(str(LAST_YEAR)):
            raise _no_year(text)
        return cls(Season(season), int(year), PhaseKind(kind))

    def next(self, *, dislodged: bool) -> Phase:
        """Return the phase that follows; retreats come only when units were dislodged.

        Raises:
            InputError: this is the last phase of the last year.
        """
        return _following(self, dislodged)


def _no_year(text: str) -> InputError:
    return InputError(
        Message(
            "there is no phase {text!r}: years go from 0 to {last}, as in S1901M", text=_short(text), last=LAST_YEAR
        )
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_PHASE else f"{text[:LONGEST_PHASE]}..."


@lru_cache(maxsize=1 << 12)
def _following(phase: Phase, dislodged: bool) -> Phase:
    if phase.traits.may_dislodge and dislodged:
        return replace(phase, kind=PhaseKind.RETREATS)
    if phase.season == Season.SPRING:
        return Phase(Season.FALL, phase.year, PhaseKind.MOVEMENT)
    if phase.season == Season.FALL:
        return Phase(Season.WINTER, phase.year, PhaseKind.ADJUSTMENTS)
    return Phase(Season.SPRING, phase.year + 1, PhaseKind.MOVEMENT)


@dataclass(frozen=True, slots=True)
class Unit(Value):
    """An army or fleet on the board.

    Args:
        power: the power's id, ``FRANCE``.
        kind: army or fleet.
        location: where it stands; a coast (``STP/SC``) for a fleet in a province of several coasts.
    """

    power: str
    kind: UnitKind
    location: str
    province: str = field(init=False, repr=False, compare=False)
    """The province that it stands in."""
    text: str = field(init=False, repr=False, compare=False)
    """As it is written: ``F STP/SC``."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))
        object.__setattr__(self, "text", f"{self.kind} {self.location}")
        object.__setattr__(self, "_hash", hash((self.power, self.location, self.kind)))

    @staticmethod
    @lru_cache(maxsize=1 << 14)
    def of(power: str, kind: UnitKind, location: str) -> Unit:
        """Return a unit, the same object each time: tables find it sooner (arguments as of the class)."""
        return Unit(power, kind, location)

    def __hash__(self) -> int:  # known beforehand: units are keys of many tables
        return self._hash

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Dislodged(Value):
    """A unit that must retreat.

    Args:
        unit: the unit, at the location that it was driven from.
        retreats: locations to which it may retreat; None when that is not known (a record without it).
        attacker_from: the province that the attacker came from, where known.
    """

    unit: Unit
    retreats: frozenset[str] | None = None
    attacker_from: str | None = None


@dataclass(frozen=True)
class Position(Value):
    """The state of a game at the start of a phase.

    Args:
        board: the map.
        phase: which phase it is.
        units: units on the board; in a retreat phase without the dislodged ones.
        dislodged: retreat phases: the units that must retreat.
        centres: power id -> the supply centres it owns.

    Raises:
        InputError: the position cannot be (`check` says why).
    """

    board: Board
    phase: Phase
    units: tuple[Unit, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    centres: Mapping[str, frozenset[str]] = field(default_factory=dict)
    by_province: Mapping[str, Unit] = field(init=False, repr=False, compare=False)
    """Province -> the unit that stands in it, in the order of `units`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_province", {unit.province: unit for unit in self.units})
        self.check()

    @property
    def acting(self) -> Mapping[str, Unit]:
        """Province -> the unit that gets the orders there, in the order of `units` or `dislodged`."""
        if self.phase.traits.dislodged_act:
            return {item.unit.province: item.unit for item in self.dislodged}
        return self.by_province

    @classmethod
    def derived(
        cls,
        board: Board,
        phase: Phase,
        units: tuple[Unit, ...],
        dislodged: tuple[Dislodged, ...],
        centres: Mapping[str, frozenset[str]],
    ) -> Self:
        """Return a position that the rules derive from a sound one: it need not be checked again."""
        position = cls.__new__(cls)
        object.__setattr__(position, "board", board)
        object.__setattr__(position, "phase", phase)
        object.__setattr__(position, "units", units)
        object.__setattr__(position, "dislodged", dislodged)
        object.__setattr__(position, "centres", centres)
        object.__setattr__(position, "by_province", {unit.province: unit for unit in units})
        return position

    def check(self) -> None:
        """Refuse what cannot be: a unit off its element, two units in a province, a centre owned twice.

        Raises:
            InputError: one sentence on the first thing that is wrong.
        """
        sound = _sound_units(self.board)
        for unit in self.units:
            if unit not in sound:
                _check_unit(unit, self.board)
                sound.add(unit)
        if len(self.by_province) < len(self.units):
            self._refuse_two_in_one_province()
        if self.dislodged:
            self._check_dislodged()
        if self.phase.traits.by_count and self.units and not self.centres:
            what = Message("{phase} needs the supply centres: without them every unit would go", phase=str(self.phase))
            raise InputError(what)
        for power in self.centres:
            _check_power(power, self.board)
        several = self.centres.values()
        owned_once: frozenset[str] = frozenset().union(*several)
        if not owned_once <= self.board.centres or len(owned_once) < sum(map(len, several)):
            self._refuse_centres()

    def _refuse_two_in_one_province(self) -> None:
        """Say which two units share a province."""
        seen: dict[str, Unit] = {}
        for unit in self.units:
            if other := seen.get(unit.province):
                raise InputError(f"two units stand in {unit.province}: {other.power} {other} and {unit.power} {unit}")
            seen[unit.province] = unit

    def _refuse_centres(self) -> None:
        """Say which centre is none, or is owned twice."""
        owner: dict[str, str] = {}
        for power, owned in self.centres.items():
            for centre in sorted(owned):
                if centre not in self.board.centres:
                    raise InputError(f"{centre} is no supply centre of the map {self.board.name!r}")
                if owner.setdefault(centre, power) != power:
                    raise InputError(f"{centre} is owned by two powers, {owner[centre]} and {power}")

    def _check_dislodged(self) -> None:
        """Refuse dislodged units that cannot be, and retreats that cannot be open to them."""
        driven: set[str] = set()
        for unit in (item.unit for item in self.dislodged):
            _check_unit(unit, self.board)
            if unit.province in driven:
                raise InputError(f"two dislodged units stand in {unit.province}")
            driven.add(unit.province)
        if not self.phase.traits.dislodged_act:
            raise InputError(f"{self.phase} is not a retreat phase, but {self.dislodged[0].unit} is dislodged")
        for item in self.dislodged:
            for at in sorted(item.retreats or ()):
                if at not in self.board.reach(item.unit.kind, item.unit.location):
                    what = Message("{unit} cannot retreat to {at}, which is out of its reach", unit=item.unit, at=at)
                    raise InputError(what)
                if other := self.by_province.get(province_of(at)):
                    what = Message(
                        "{unit} cannot retreat to {at}, where {power} {other} stands",
                        unit=item.unit,
                        at=at,
                        power=other.power,
                        other=other,
                    )
                    raise InputError(what)

        self._check_attackers()

    def _check_attackers(self) -> None:
        """Refuse attackers that cannot be: own units, units that cannot have come, two of one province."""
        places = {item.unit.province for item in self.dislodged}
        origins: set[str] = set()
        for item in self.dislodged:
            unit, origin, other = item.unit, item.attacker_from, self.by_province.get(item.unit.province)
            if other is not None and other.power == unit.power:
                what = Message(
                    "{unit} is dislodged, but {other} of the same power stands there", unit=unit, other=other
                )
                raise InputError(what)
            if origin is None:
                continue
            if not self._can_have_come(other, unit.province, origin):
                what = Message("{unit} is not dislodged from {origin}: none comes from there", unit=unit, origin=origin)
                raise InputError(what)
            if origin in places or origin in origins:
                what = Message(
                    "{unit} is not dislodged from {origin}: another unit is dislodged there, or from there",
                    unit=unit,
                    origin=origin,
                )
                raise InputError(what)
            if any(province_of(at) == origin for at in item.retreats or ()):
                what = Message(
                    "{unit} cannot retreat to {origin}: it was dislodged from there", unit=unit, origin=origin
                )
                raise InputError(what)
            origins.add(origin)

    def _can_have_come(self, attacker: Unit | None, province: str, origin: str) -> bool:
        """Return whether the attacker, or any where none is stated, can have come to a province from another one."""
        board = self.board
        if attacker is not None:
            return board.can_come(attacker.kind, attacker.location, origin)
        return any(board.can_come(kind, at, origin) for kind in UnitKind for at in board.locations(kind, province))

    def unit_at(self, province: str) -> Unit | None:
        """Return the unit that stands in a province, or None."""
        return self.by_province.get(province)


def _check_power(power: str, board: Board) -> None:
    if power not in board.powers:
        raise InputError(f"{power!r} is no power of this map; its powers are {', '.join(board.powers)}")


@kept(64)
def _sound_units(board: Board) -> set[Unit]:  # noqa: ARG001 -- the key
    """Return the units that were found sound; the same ones stand in position after position."""
    return set()


def _check_unit(unit: Unit, board: Board) -> None:
    """Refuse a unit off its element."""
    _check_power(unit.power, board)
    if unit.province not in board.provinces:
        raise InputError(f"{unit.location!r} is no province of the map {board.name!r}")
    if not board.stands(unit.kind, unit.location):
        places = board.locations(unit.kind, unit.province)
        noun = "an army" if unit.kind == UnitKind.ARMY else "a fleet"
        right = f"; write {' or '.join(places)}" if places else ""
        raise InputError(f"{noun} cannot stand at {unit.location}{right}")
