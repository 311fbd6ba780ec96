"""Phases of the hard families in the form of the PyPI packages ``diplomacy`` and ``pydip``.

Both take maps of one's own. A map is cut down to the provinces that the phase speaks of, which is in favour of the
packages: both look at every province of a map. Provinces get names of one length: ``diplomacy`` cuts names after three
characters, and ``pydip`` takes a name that is part of another for a neighbour.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, UnitKind, province_of
from satdip.phase.orders import Convoy, Hold, Move, Order, Support
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Outcome
from satdip.rulebook import DATC

__all__ = ["PACKAGES", "Found", "Ready"]

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Found:
    """What a package found.

    Args:
        moves: provinces of the units that moved.
        dislodged: provinces of the units that were dislodged.
    """

    moves: frozenset[str]
    dislodged: frozenset[str]


Ready = Callable[[], Callable[[], Found]]
"""What is to be measured: it hands in the orders and adjudicates. What it returns tells, unmeasured, what was found."""


# ---------------------------------------------------------------------- names


def spoken_of(turn: Turn) -> list[str]:
    """Return the provinces in which units stand or to which orders lead."""
    units = (unit.province for unit in turn.position.units)
    goals = (province_of(to) for given in turn.orders if (to := getattr(given.order, "destination", None)) is not None)
    return list(dict.fromkeys((*units, *goals)))


def codes(length: int) -> Iterator[str]:
    """Yield names of a length: a letter first, a digit somewhere, as no word has that ``diplomacy`` knows."""
    names = ("".join(name) for name in product(LETTERS[10:], *[LETTERS] * (length - 1)))
    return (name for name in names if not name.isalpha())


def named_by(turn: Turn, length: int) -> dict[str, str]:
    """Return province -> name."""
    return dict(zip(spoken_of(turn), codes(length), strict=False))


def neighbours(board: Board, names: Mapping[str, str], at: str) -> list[str]:
    """Return the names of the provinces next to one."""
    return sorted(names[other] for other in board.fleet[at] if other in names)


# ---------------------------------------------------------------------- satdip


def satdip(turn: Turn) -> Ready:
    """Measure satdip itself in the same way: orders in, outcomes out."""

    def run() -> Callable[[], Found]:
        resolution = adjudicate_turn(turn, DATC)

        def told() -> Found:
            moved = (r.unit.province for r in resolution.orders if r.unit is not None and _moves(r))
            return Found(frozenset(moved), frozenset(item.unit.province for item in resolution.dislodged))

        return told

    return run


def _moves(result: Any) -> bool:
    return isinstance(result.checked.action, Move) and result.outcome == Outcome.SUCCEEDS


# ---------------------------------------------------------------------- diplomacy


def map_text(turn: Turn, names: Mapping[str, str]) -> str:
    """Return a map file of ``diplomacy``. Powers have no homes: none is needed to move."""
    board = turn.position.board
    lines = ["BEGIN SPRING 1901 MOVEMENT", *map(_power, board.powers), "UNOWNED"]
    lines += [f"Place {name} = {name.lower()}" for name in names.values()]
    for at, name in names.items():
        terrain = "WATER" if board.is_sea(at) else "COAST"
        lines.append(f"{terrain} {name} ABUTS {' '.join(neighbours(board, names, at))}")
    return "\n".join(lines) + "\n"


def _power(power: str) -> str:
    return f"{power}LAND"  # names of three letters could be provinces


def diplomacy(turn: Turn) -> Ready:
    """Set up a game on a map of its own."""
    names = named_by(turn, 3)
    if len(names) < len(spoken_of(turn)):
        raise ValueError("more provinces than names of three characters")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sea.map"
        path.write_text(map_text(turn, names), encoding="utf-8")
        game = import_module("diplomacy").Game(map_name=str(path))
    if game.map.error:
        raise ValueError(f"the map has errors: {game.map.error[:3]}")
    game.clear_units()
    for power in turn.position.board.powers:
        units = [f"{u.kind} {names[u.province]}" for u in turn.position.units if u.power == power]
        game.set_units(_power(power), units)
    orders: dict[str, list[str]] = {}
    for given in turn.orders:
        orders.setdefault(_power(given.power), []).append(_text(given.order, names, turn))

    def run() -> Callable[[], Found]:
        for power, texts in orders.items():
            game.set_orders(power, texts)
        done = game.process()

        def told() -> Found:
            places = {name: at for at, name in names.items()}
            results = {unit[2:]: [str(word) for word in words if str(word)] for unit, words in done.results.items()}
            moving = [text.split()[1] for texts in done.orders.values() for text in texts if text.split()[2] == "-"]
            moved = frozenset(places[name] for name in moving if not results[name])
            return Found(moved, frozenset(places[name] for name, words in results.items() if "dislodged" in words))

        return told

    return run


def _text(order: Order, names: Mapping[str, str], turn: Turn) -> str:
    """Return an order as ``diplomacy`` reads it."""
    kinds = {unit.province: unit.kind for unit in turn.position.units} if isinstance(order, Move) else {}
    match order:
        case Hold(unit):
            return f"{unit.kind} {names[unit.province]} H"
        case Move(unit, destination):
            way = " VIA" if kinds[unit.province] == UnitKind.ARMY else ""
            return f"{unit.kind} {names[unit.province]} - {names[province_of(destination)]}{way}"
        case Support(unit, target, None):
            return f"{unit.kind} {names[unit.province]} S {target.kind} {names[target.province]}"
        case Support(unit, target, str(destination)):
            goal = names[province_of(destination)]
            return f"{unit.kind} {names[unit.province]} S {target.kind} {names[target.province]} - {goal}"
        case Convoy(unit, army, destination):
            goal = names[province_of(destination)]
            return f"{unit.kind} {names[unit.province]} C A {names[army.province]} - {goal}"
    raise TypeError(order)


# ---------------------------------------------------------------------- pydip


def pydip_map(pydip: Any, board: Board, names: Mapping[str, str]) -> Any:
    """Return a map of ``pydip``: an island is a land territory with one coast."""
    described: list[dict[str, Any]] = [
        {"name": name} if board.is_sea(at) else {"name": name, "coasts": [coast(name)]} for at, name in names.items()
    ]
    water = {name: name if board.is_sea(at) else coast(name) for at, name in names.items()}
    joined = [(water[names[at]], water[other]) for at in names for other in neighbours(board, names, at)]
    return pydip.map.Map(described, [pair for pair in joined if pair[0] < pair[1]])


def coast(name: str) -> str:
    """Return the name of an island's coast."""
    return f"{name} Coast"


def pydip(turn: Turn) -> Ready:
    """Set up a map and its players."""
    modules = ("map.map", "player.command.command", "player.player", "player.unit", "turn.resolve")
    theirs = SimpleNamespace(**{path.rpartition(".")[2]: import_module(f"pydip.{path}") for path in modules})
    board, position = turn.position.board, turn.position
    names = named_by(turn, 6)
    their_map = pydip_map(theirs, board, names)
    players = {power: theirs.player.Player(power, their_map, []) for power in board.powers}

    def place(kind: UnitKind, at: str) -> str:
        return names[at] if kind == UnitKind.ARMY or board.is_sea(at) else coast(names[at])

    types = {UnitKind.ARMY: theirs.unit.UnitTypes.TROOP, UnitKind.FLEET: theirs.unit.UnitTypes.FLEET}
    units = {u.province: theirs.unit.Unit(types[u.kind], place(u.kind, u.province)) for u in position.units}
    for unit in position.units:
        players[unit.power].units.append(units[unit.province])
    kinds = {u.province: u.kind for u in position.units}
    powers = {u.province: u.power for u in position.units}
    given = {order.order.unit.province: order.order for order in turn.orders}  # type: ignore[union-attr]

    def command(at: str) -> Any:
        who, order, make = (players[powers[at]], units[at]), given.get(at), theirs.command
        match order:
            case Move(_, destination):
                by_sea = kinds[at] == UnitKind.ARMY
                kind = make.ConvoyMoveCommand if by_sea else make.MoveCommand
                return kind(*who, place(kinds[at], province_of(destination)))
            case Support(_, target, destination):
                goal = target.province if destination is None else province_of(destination)
                return make.SupportCommand(*who, units[target.province], place(kinds[target.province], goal))
            case Convoy(_, army, destination):
                return make.ConvoyTransportCommand(*who, units[army.province], names[province_of(destination)])
            case _:
                return make.HoldCommand(*who)

    def run() -> Callable[[], Found]:
        commands = {at: command(at) for at in units}
        after = theirs.resolve.resolve_turn(their_map, list(commands.values()))

        def told() -> Found:
            succeeded = theirs.resolve.resolution_map
            moving = (at for at, order in given.items() if isinstance(order, Move))
            driven = {unit.position for several in after.values() for unit, ways in several.items() if ways is not None}
            dislodged = frozenset(at for at, unit in units.items() if unit.position in driven)
            return Found(frozenset(at for at in moving if succeeded[units[at].position]), dislodged)

        return told

    return run


PACKAGES: Mapping[str, Callable[[Turn], Ready]] = {"satdip": satdip, "diplomacy": diplomacy, "pydip": pydip}
"""Name -> what sets a phase up for it, unmeasured."""
