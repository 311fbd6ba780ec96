"""Logs of DAIDE servers and clients as phase records.

Of the messages ``NOW`` (position), ``SCO`` (supply centres), ``ORD`` (an order and its result) and ``SUB`` (orders that
are handed in; ``NOT ( SUB ... )`` takes them back) are read, all others are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.crosschecking.records.messages import DaideMessage, Group, Part, Text, Word
from satdip.crosschecking.records.tables import table
from satdip.notation.prose import quoted
from satdip.phase.position import Phase

__all__ = ["is_daide", "read_daide"]

COMMAND = re.compile(r"(?:.*[^A-Za-z])?(NOW|SCO|ORD|SUB|NOT)$", re.DOTALL)
"""A command, after whatever a log writes before it without a space."""
POSITION = re.compile(r"\bNOW\s*\(\s*(?:SPR|SUM|FAL|AUT|WIN)\b")
NOBODY = "UNO"
FORMS = (
    "the forms are HLD, MTO place, CTO place VIA ( seas ), SUP unit, SUP unit MTO place, CVY unit CTO place, "
    "RTO place, DSB, BLD and REM"
)

Units = Mapping[str, list[str]]


def is_daide(text: str) -> bool:
    """Return whether a text holds a position as DAIDE writes it."""
    return POSITION.search(text) is not None


def read_daide(text: str, source: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the phases of a log that have orders, as phase records.

    Args:
        text: the messages, one to a line or one after the other; several games, too.
        source: its name, for errors.

    Yields:
        Records with ``engine`` "DAIDE"; those whose orders were adjudicated (``ORD``) with ``results``, the words of
        DAIDE by unit, and with ``next_phase``, ``next_units`` and so on where the next position is there. Some servers
        tell a client its own orders only: a game in which the order of any unit is missing has no next positions.

    Raises:
        InputError: the log is not sound; the error has line and column.
    """
    for number, game in enumerate(_Log(text, source).games(), start=1):
        whole = all(phase.is_whole for phase in game)
        for phase, following in zip_longest(game, game[1:]):
            if phase.orders:
                yield {"game": str(number), **_record(phase, following if whole else None)}


@dataclass
class _Position:
    """A position, and what happened to it.

    Args:
        phase: the phase.
        units: power -> units, without the dislodged ones.
        dislodged: power -> the units that must retreat.
        retreats: those units -> where they may go.
    """

    phase: Phase
    units: Units
    dislodged: Units
    retreats: Mapping[str, list[str]]
    centers: Units | None = None
    centers_are_new: bool = False
    """Whether they were told after the orders of the phase before."""
    orders: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What an order is about -> power and order."""
    results: dict[str, list[str]] = field(default_factory=dict)
    adjudicated: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the result of every unit that has to be ordered is there; in winter nobody can tell."""
        if not self.adjudicated or self.phase.traits.by_count:
            return True
        acting = self.dislodged if self.phase.traits.dislodged_act else self.units
        return self.results.keys() >= {unit for units in acting.values() for unit in units}


def _record(phase: _Position, following: _Position | None) -> dict[str, Any]:
    orders: dict[str, list[str]] = {}
    for power, order in phase.orders.values():
        orders.setdefault(power, []).append(order)
    record: dict[str, Any] = {"map": "standard", "engine": "DAIDE", "phase": str(phase.phase), "units": phase.units}
    if phase.phase.traits.dislodged_act:
        record |= {"dislodged": phase.dislodged, "retreats": phase.retreats}
    if phase.centers is not None:
        record["centers"] = phase.centers
    record["orders"] = orders
    if phase.adjudicated:
        record["results"] = phase.results
    if phase.adjudicated and following is not None:
        record |= {"next_phase": str(following.phase), "next_units": following.units}
        if following.dislodged:
            record["next_dislodged"] = following.dislodged
        if following.centers_are_new:
            record["next_centers"] = following.centers
    return record


class _Log:
    """The positions of a log."""

    def __init__(self, text: str, source: str | None) -> None:
        self.text = Text(text, source)
        self.board: Board = load_board("standard")
        names = table("daide")
        self.powers, self.kinds, self.turns = names["powers"], names["kinds"], names["turns"]
        self.provinces, self.coasts = names["provinces"], names["coasts"]

    def games(self) -> Iterator[list[_Position]]:
        """Yield the positions of each game; a new one begins where the time goes back."""
        game: list[_Position] = []
        centers: Units | None = None
        new = False
        for message in self.text.messages():
            command = COMMAND.match(message.word)
            now = game[-1] if game else None
            match command and command[1]:
                case "NOW":
                    position = self._position(message)
                    if now is not None and position.phase == now.phase and position.units == now.units:
                        continue  # a client asked for it again
                    if now is not None and _place(position.phase) <= _place(now.phase):
                        yield game
                        game = []
                    position.centers, position.centers_are_new = centers, new
                    new = False
                    game.append(position)
                case "SCO":
                    centers = self._centers(message)
                    if now is None or now.orders:
                        new = now is not None
                    else:
                        now.centers_are_new |= now.centers != centers and len(game) > 1
                        now.centers = centers
                case "ORD" if now is not None:
                    self._result(message, now)
                case "SUB" if now is not None and not now.adjudicated:
                    for group in message.groups:
                        if not self._is_turn(group):
                            about, power, order = self._order(group)
                            now.orders[about] = power, order
                case "NOT" if now is not None and not now.adjudicated:
                    self._take_back(message, now)
        yield game

    # ------------------------------------------------------------------ messages

    def _position(self, message: DaideMessage) -> _Position:
        if not message.groups:
            raise self.text.error("NOW is followed by a turn, as in NOW ( SPR 1901 )", message.at)
        turn, *groups = message.groups
        units: dict[str, list[str]] = {}
        dislodged: dict[str, list[str]] = {}
        retreats: dict[str, list[str]] = {}
        for group in groups:
            power, unit = self._unit(group, longer=True)
            match group.parts[3:]:
                case []:
                    units.setdefault(power, []).append(unit)
                case [Word("MRT"), Group(places)]:
                    dislodged.setdefault(power, []).append(unit)
                    retreats[unit] = [self._place(place) for place in places]
                case [first, *_]:
                    raise self.text.wrong("MRT with the places to retreat to", first)
        return _Position(self._turn(turn), units, dislodged, retreats)

    def _centers(self, message: DaideMessage) -> Units:
        centers: dict[str, list[str]] = {}
        for group in message.groups:
            match group.parts:
                case [Word(power), *places] if power == NOBODY or power in self.powers:
                    if power != NOBODY:
                        centers[self.powers[power]] = [self._place(place) for place in places]
                case _:
                    raise self.text.wrong("a power with its supply centres", group)
        return centers

    def _result(self, message: DaideMessage, now: _Position) -> None:
        """Read ``ORD ( turn ) ( order ) ( result )``."""
        match message.groups:
            case [turn, order, *results] if results:
                phase = self._turn(turn)
            case _:
                raise self.text.error("ORD is followed by a turn, an order and its result", message.at)
        if phase != now.phase:
            what = f"this is an order of {phase}, but the position before is that of {now.phase}"
            raise self.text.error(what, turn)
        if not now.adjudicated:
            now.adjudicated = True
            now.orders.clear()
        about, power, text = self._order(order)
        if not about:
            about = f"{power} {len(now.orders)}"
        elif now.orders.setdefault(about, (power, text)) != (power, text):
            raise self.text.error(f"{about} has another order already", order)
        else:
            now.results[about] = [part.text for group in results for part in group.parts if isinstance(part, Word)]
        now.orders[about] = power, text

    def _take_back(self, message: DaideMessage, now: _Position) -> None:
        """Read ``NOT ( SUB )`` and ``NOT ( SUB ( order ) )``."""
        match message.groups:
            case [Group([Word("SUB")])]:
                now.orders.clear()
            case [Group([Word("SUB"), *orders])]:
                for group in orders:
                    if not self._is_turn(group):
                        now.orders.pop(self._order(group)[0], None)

    # ------------------------------------------------------------------ parts of messages

    def _is_turn(self, part: Part) -> bool:
        return (
            isinstance(part, Group) and isinstance(first := (*part.parts, None)[0], Word) and first.text in self.turns
        )

    def _turn(self, part: Part) -> Phase:
        match part:
            case Group([Word(season), Word(year)]) if season in self.turns and re.fullmatch("#?[0-9]{1,4}", year):
                return Phase.parse(self.turns[season].format(year=year.removeprefix("#")))
        raise self.text.wrong("a turn, as in ( SPR 1901 ),", part)

    def _unit(self, part: Part, *, longer: bool = False) -> tuple[str, str]:
        """Read ``( FRA AMY PAR )``: the power, and the unit as records have it."""
        match part:
            case Group([Word(power), Word(kind), place, *rest]) if power in self.powers and kind in self.kinds:
                if longer or not rest:
                    return self.powers[power], f"{self.kinds[kind]} {self._place(place)}"
        raise self.text.wrong("a unit, as in ( FRA AMY PAR ),", part)

    def _place(self, part: Part) -> str:
        """Read ``PAR`` or ``( STP NCS )``."""
        match part:
            case Word(name):
                place = self.provinces.get(name, name)
                if place in self.board.provinces and name not in self.provinces.values():
                    return str(place)
            case Group([Word(name), Word(coast)]):
                place = f"{name}/{self.coasts.get(coast)}"
                if place in self.board.fleet:
                    return place
        raise self.text.wrong("a province, as in PAR or ( STP NCS ),", part)

    def _order(self, part: Part) -> tuple[str, str, str]:
        """Read an order: the unit that it is about (empty for a waived build), the power, and the text for a record."""
        match part:
            case Group([Word(power), Word("WVE")] | [Group([Word(power)]), Word("WVE")]) if power in self.powers:
                return "", self.powers[power], "WAIVE"
            case Group([unit_part, Word() as verb, *rest]):
                power, unit = self._unit(unit_part)
                return unit, power, f"{unit} {self._action(verb, rest)}"
        raise self.text.wrong("an order, as in ( ( FRA AMY PAR ) MTO BUR ),", part)

    def _action(self, verb: Word, rest: Sequence[Part]) -> str:
        match verb.text, rest:
            case "HLD", []:
                return "H"
            case "MTO", [place]:
                return f"- {self._place(place)}"
            case "CTO", [place, Word("VIA"), *_]:
                return f"- {self._place(place)} VIA"
            case "SUP", [unit]:
                return f"S {self._unit(unit)[1]}"
            case "SUP", [unit, Word("MTO"), place]:
                return f"S {self._unit(unit)[1]} - {self._place(place)}"
            case "CVY", [unit, Word("CTO"), place]:
                return f"C {self._unit(unit)[1]} - {self._place(place)}"
            case "RTO", [place]:
                return f"R {self._place(place)}"
            case "DSB" | "REM", []:
                return "D"
            case "BLD", []:
                return "B"
        raise self.text.error(f"{quoted(verb.text)} with what follows is no order; {FORMS}", verb)


def _place(phase: Phase) -> tuple[int, int, int]:
    """Return what the phases of a game are sorted by."""
    return phase.year, "SFW".index(phase.season), "MRA".index(phase.kind)
