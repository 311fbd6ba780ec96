"""The packages ``diplomacy`` and ``pydip`` on phase records: their own work, without translating into their form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from phases import Record

from satdip.crosschecking.engines import LocalEngine, engine_named

__all__ = ["PEERS", "Peer"]

ASKED = ("map", "phase", "units", "orders")
"""What is asked of pydip: without centres it need not say who owns them."""


@dataclass(frozen=True)
class Peer:
    """A package.

    Args:
        name: its name on PyPI.
        call: the call that adjudicates.
        translated: a phase in the words of the package, never measured.
        ready: makes units and orders of it, and returns what adjudicates them.
        reads: whether it reads orders as text; else it starts from values of its own.
    """

    name: str
    call: str
    translated: Callable[[Record], Any]
    ready: Callable[[Any], Callable[[], object]]
    reads: bool

    def whole(self, task: Any) -> object:
        """Go the package's whole path: make units and orders, and adjudicate."""
        return self.ready(task)()


# ---------------------------------------------------------------------- diplomacy


@cache
def _new_game() -> Any:
    from diplomacy import Game

    return Game


def _game(record: Record) -> Callable[[], object]:
    game = _new_game()()
    game.clear_units()
    for power, units in record["units"].items():
        game.set_units(power, units)
    for power, orders in record["orders"].items():
        game.set_orders(power, orders)
    process: Callable[[], object] = game.process
    return process


# ---------------------------------------------------------------------- pydip


@dataclass(frozen=True)
class Commands:
    """A phase for pydip.

    Args:
        units: type and place of each unit, by player.
        orders: class of the command, player, place of the unit, place of the unit that it is about, destination.
    """

    units: Mapping[str, list[tuple[Any, str]]]
    orders: list[tuple[Any, str, str, str | None, str | None]]


@cache
def _pydip() -> SimpleNamespace:
    from pydip.map.predefined import vanilla_dip
    from pydip.player.player import Player
    from pydip.player.unit import Unit
    from pydip.turn import resolve

    engine = engine_named("pydip", isolated=False)
    assert isinstance(engine, LocalEngine)
    board = vanilla_dip.generate_map()
    return SimpleNamespace(map=board, maps=vanilla_dip, Player=Player, Unit=Unit, resolve=resolve, engine=engine)


def _commands(record: Record) -> Commands:
    """Let satdip's engine translate, and take down what it asks pydip to adjudicate."""
    pydip = _pydip()
    resolve_turn, asked = pydip.resolve.resolve_turn, []

    def noted(board: Any, commands: list[Any]) -> object:
        asked.extend(commands)
        return resolve_turn(board, commands)

    same_map = patch.object(pydip.maps, "generate_map", lambda: pydip.map)  # making one takes long
    with same_map, patch.object(pydip.resolve, "resolve_turn", noted):
        answer = pydip.engine.adjudicate({key: record[key] for key in ASKED if key in record})
    if answer.failure is not None:
        raise ValueError(f"pydip: {answer.failure}")
    players = {command.player.name: command.player for command in asked}
    units = {name: [(unit.unit_type, unit.position) for unit in player.units] for name, player in players.items()}
    return Commands(units, [_order(command) for command in asked])


def _order(command: Any) -> tuple[Any, str, str, str | None, str | None]:
    about = getattr(command, "supported_unit", None) or getattr(command, "transported_unit", None)
    kind, at = type(command), command.unit.position
    destination = None if kind.__name__ == "HoldCommand" else command.destination
    return kind, command.player.name, at, None if about is None else about.position, destination


def _players(task: Commands) -> Callable[[], object]:
    """Make the players, their units and commands; the map is there already, as it is in `diplomacy`."""
    pydip = _pydip()
    players, units = {}, {}
    for name, theirs in task.units.items():
        player = players[name] = pydip.Player(name, pydip.map, [])
        for kind, at in theirs:
            units[at] = pydip.Unit(kind, at)
            player.units.append(units[at])
    commands = []
    for make, name, at, about, destination in task.orders:
        words: list[Any] = [players[name], units[at]]
        if about is not None:
            words.append(units[about])
        if destination is not None:
            words.append(destination)
        commands.append(make(*words))
    return lambda: pydip.resolve.resolve_turn(pydip.map, commands)


PEERS = (
    Peer("diplomacy", "process()", lambda record: record, _game, reads=True),
    Peer("pydip", "resolve_turn()", _commands, _players, reads=False),
)
"""The packages of PyPI that adjudicate."""
