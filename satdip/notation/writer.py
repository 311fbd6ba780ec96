"""Orders as text, in each of the notations that people use.

Whatever is written here, `satdip.notation.read_order` reads back as the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from satdip.base.memory import kept
from satdip.board import Board, province_of
from satdip.board.names import local_names
from satdip.notation.words.lexicon import lexicon
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Unclear, UnitRef, Waive
from satdip.phase.position import Unit

__all__ = ["Notation", "write_order", "write_place", "write_power", "write_unit"]


class Notation(StrEnum):
    """The notations in which orders are written."""

    DATC = "datc"
    """The long form of the DATC: ``F North Sea Convoys A Yorkshire - Norway``."""
    SHORT = "short"
    """Ids in small letters: ``F nth C A yor - nwy``."""
    PACKAGE = "package"
    """The form of the ``diplomacy`` package and of phase records: ``F NTH C A YOR - NWY``."""
    SEED = "seed"
    """The form of the rulebook of 1971: ``F Nth (C) A Yor-Nwy``."""


@dataclass(frozen=True, slots=True)
class _Style:
    """The words and signs of a notation; `build` and `disband` have "%s" where the unit goes."""

    hold: str
    move: str
    support: str
    convoy: str
    via: str
    retreat: str
    build: str
    disband: str
    waive: str


_SHORT = _Style("H", " - ", "S", "C", "via convoy", "R", "Build %s", "Disband %s", "Waive")
_PACKAGE = _Style("H", " - ", "S", "C", "VIA", "R", "%s B", "%s D", "WAIVE")
_SEED = _Style("(H)", "-", "(S)", "(C)", "via convoy", "(R)", "Build %s", "Remove %s", "Waive")


@cache
def _style(notation: Notation, language: str) -> _Style:
    if notation == Notation.SHORT:
        return _SHORT
    if notation == Notation.PACKAGE:
        return _PACKAGE
    if notation == Notation.SEED:
        return _SEED
    words = lexicon(language).writing
    return _Style(
        hold=words["hold"],
        move=" - ",
        support=words["support"],
        convoy=words["convoy"],
        via=words["via"],
        retreat=words["retreat"],
        build=f"{words['build']} %s",
        disband=f"{words['disband']} %s",
        waive=words["waive"],
    )


@kept(1 << 16)
def write_order(order: Order, notation: Notation, board: Board, language: str = "en") -> str:
    """Write an order.

    Args:
        order: the order; an unclear one is written as it was given.
        notation: how.
        board: the map, for the names of places.
        language: the language of the long form.

    Returns:
        A text that `read_order` reads as the same order.
    """
    return _Writer(_style(notation, language), notation, board, language).order(order)


@dataclass(frozen=True, slots=True)
class _Writer:
    style: _Style
    notation: Notation
    board: Board
    language: str

    def order(self, order: Order) -> str:
        match order:
            case Waive():
                return self.style.waive
            case Unclear(text):
                return text
            case Build(who):
                return self.style.build % self.unit(who)
            case Disband(who):
                return self.style.disband % self.unit(who)
            case _:
                return self.unit(order.unit) + self.action(order)

    def action(self, order: Hold | Move | Support | Convoy | Retreat) -> str:
        style = self.style
        match order:
            case Hold():
                return f" {style.hold}"
            case Move(_, destination, via, route):
                return self.path(*route, destination) + (f" {style.via}" if via else "")
            case Support(_, target, destination):
                return f" {style.support} {self.unit(target)}" + (self.path(destination) if destination else "")
            case Convoy(_, army, destination):
                return f" {style.convoy} {self.unit(army)}{self.path(destination)}"
            case Retreat(_, destination):
                return f" {style.retreat} {write_place(destination, self.notation, self.board, self.language)}"

    def unit(self, unit: UnitRef) -> str:
        return write_unit(unit, self.notation, self.board, self.language)

    def path(self, *stops: str) -> str:
        return "".join(self.style.move + write_place(stop, self.notation, self.board, self.language) for stop in stops)


def write_unit(unit: UnitRef | Unit, notation: Notation, board: Board, language: str = "en") -> str:
    """Write a unit; the power of a `UnitRef` is written where it was named, that of a `Unit` on the board never."""
    power = write_power(unit.power, notation, board, language) if isinstance(unit, UnitRef) and unit.power else None
    place = write_place(unit.location, notation, board, language)
    return " ".join(part for part in (power, unit.kind, place) if part)


def write_place(location: str, notation: Notation, board: Board, language: str = "en") -> str:
    """Write a location: ``St Petersburg(nc)``, ``stp/nc``, ``STP/NC`` or ``Stp(nc)``."""
    province = province_of(location)
    coast = location[len(province) + 1 :]
    if notation == Notation.PACKAGE:
        return location
    if notation == Notation.SHORT:
        return location.lower()
    if notation == Notation.DATC:
        return local_names(board, language).name(location)
    return f"{province.capitalize()}({coast.lower()})" if coast else province.capitalize()


def write_power(power: str, notation: Notation, board: Board, language: str = "en") -> str:
    """Write a power: its id in the package's form, its name in all others."""
    if notation == Notation.PACKAGE:
        return power
    return local_names(board, language).name(power)
