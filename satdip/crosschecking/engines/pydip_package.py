"""The ``pydip`` package of PyPI (aric) as an engine: all three kinds of phase, on its own map.

pydip names places in words, keeps fleets on coasts (``Ankara Coast``) and refuses commands that cannot be by failed
assertions. Here such an order is no order: the unit holds, a dislodged one disbands, a build is not made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

from satdip.board import Board, UnitKind, province_of
from satdip.crosschecking.engines.answer import Answer, FailureKind, failed
from satdip.crosschecking.engines.base import LocalEngine
from satdip.crosschecking.engines.question import Question
from satdip.crosschecking.extras import optional
from satdip.phase.orders import Build, Convoy, Disband, Move, Order, Retreat, Support, ordered_unit
from satdip.phase.position import PhaseKind, Position, Season, Unit
from satdip.phase.turn import Given, Turn

__all__ = ["Pydip"]

_NAMES = {
    "EAS": "Eastern Mediterranean Sea",
    "STP": "St. Petersburg",
    "WES": "Western Mediterranean Sea",
}
"""The provinces that pydip calls otherwise than satdip's map does."""
_COASTS = {"NC": "North Coast", "EC": "North Coast", "SC": "South Coast"}
"""The coasts; pydip's Bulgaria has a north coast where the board has an east coast."""


_MODULES = (
    "map.map",
    "map.predefined.vanilla_dip",
    "player.command.adjustment_command",
    "player.command.command",
    "player.command.retreat_command",
    "player.player",
    "player.unit",
    "turn.adjustment",
    "turn.resolve",
    "turn.retreat",
)


class Pydip(LocalEngine):
    """The package.

    Raises:
        InputError: it is not installed.
    """

    def __init__(self) -> None:
        modules = {path.rpartition(".")[2]: optional(f"pydip.{path}", "engines") for path in _MODULES}
        self._pydip = SimpleNamespace(**modules)
        super().__init__("pydip", version("pydip"))

    def answer(self, asked: Question) -> Answer:
        """Translate, adjudicate, translate back."""
        position = asked.position
        if position.board.name != "standard":
            return failed(FailureKind.UNSUPPORTED, f"the map {position.board.name!r} is not known here")
        if any(item.retreats is None for item in position.dislodged):
            return failed(FailureKind.UNSUPPORTED, "the record does not say where the dislodged units may go")
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                return _Movement(self._pydip, asked.turn).answer()
            case PhaseKind.RETREATS:
                return _Retreats(self._pydip, asked.turn).answer()
            case PhaseKind.ADJUSTMENTS:
                return _Adjustments(self._pydip, asked.turn).answer()


class _Phase:
    """What the kinds of phase share: names, players and the order that counts.

    Args:
        pydip: its modules.
        turn: the phase.
    """

    def __init__(self, pydip: Any, turn: Turn) -> None:
        self.pydip, self.turn = pydip, turn
        self.map = pydip.vanilla_dip.generate_map()
        self.position: Position = turn.position
        self.board: Board = turn.position.board
        standing = [*self.position.units, *(item.unit for item in self.position.dislodged)]
        self.players = {power: pydip.player.Player(power, self.map, []) for power in self.board.powers}
        self.theirs = {unit: self.their_unit(unit.kind, unit.location) for unit in standing}
        for unit, theirs in self.theirs.items():
            self.players[unit.power].units.append(theirs)

    # ------------------------------------------------------------------ names

    def name(self, kind: UnitKind, location: str) -> str:
        """Return pydip's name of a place where a unit of that kind stands."""
        province, _, coast = location.partition("/")
        name = _NAMES.get(province, self.board.provinces[province].name)
        if kind == UnitKind.ARMY or self.board.is_sea(province):
            return name
        return f"{name} {_COASTS[coast]}" if coast else f"{name} Coast"

    @cached_property
    def _locations(self) -> Mapping[str, str]:
        places = [(UnitKind.ARMY, at) for at in self.board.army] + [(UnitKind.FLEET, at) for at in self.board.fleet]
        return {self.name(kind, at): at for kind, at in places}

    def location(self, name: str) -> str:
        """Return the id of a place of pydip's."""
        return self._locations[name]

    def province(self, theirs: Any) -> str:
        """Return the province in which one of its units stands."""
        return province_of(self.location(theirs.position))

    def their_unit(self, kind: UnitKind, location: str) -> Any:
        """Return a unit of pydip's."""
        types = self.pydip.unit.UnitTypes
        return self.pydip.unit.Unit(types.TROOP if kind == UnitKind.ARMY else types.FLEET, self.name(kind, location))

    def texts(self, units: Mapping[str, Iterable[Any]]) -> dict[str, frozenset[str]]:
        """Return its units by power, as ``A PAR``."""
        letters = {self.pydip.unit.UnitTypes.TROOP: "A", self.pydip.unit.UnitTypes.FLEET: "F"}
        return {
            power: frozenset(f"{letters[theirs.unit_type]} {self.location(theirs.position)}" for theirs in several)
            for power, several in units.items()
            if several
        }

    # ------------------------------------------------------------------ orders

    def orders(self, units: Iterable[Unit]) -> dict[Unit, Order]:
        """Return the first order that each unit got from its own power."""
        by_place = {unit.province: unit for unit in units}
        found: dict[Unit, Order] = {}
        for given in self.turn.orders:
            ref = ordered_unit(given.order)
            unit = None if ref is None else by_place.get(ref.province)
            if unit is not None and unit.power == given.power:
                found.setdefault(unit, given.order)
        return found

    def destination(self, unit: Unit, destination: str) -> str:
        """Return pydip's name of where a unit goes; a coast that is not named is the only one in reach.

        Raises:
            AssertionError: several coasts are in reach, or none: the order is none.
        """
        if unit.kind == UnitKind.ARMY:
            return self.name(unit.kind, province_of(destination))
        if destination not in self.board.fleet:
            reached = self.board.coasts_reached(unit.location, province_of(destination))
            if len(reached) != 1:
                raise AssertionError
            destination = reached[0]
        return self.name(unit.kind, destination)

    # ------------------------------------------------------------------ centres

    def ownership(self) -> Any:
        """Return who owns which centres, as pydip has it."""
        owned = {power: self._centers(self.position.centres.get(power, ())) for power in self.board.powers}
        home = {power: self._centers(self.board.powers[power].home) for power in self.board.powers}
        return self.pydip.map.OwnershipMap(self.pydip.vanilla_dip.generate_supply_center_map(), owned, home)

    def _centers(self, centres: Iterable[str]) -> set[str]:
        return {self.name(UnitKind.ARMY, centre) for centre in centres}

    def centers(self, units: Mapping[str, Any]) -> dict[str, frozenset[str]] | None:
        """Return who owns what with these units after the phase; None where the record does not say who did before."""
        if not self.position.centres:
            return None
        if self.position.phase.season != Season.FALL:
            return {power: owned for power, owned in self.position.centres.items() if owned}
        standing = {power: units.get(power, set()) for power in self.board.powers}
        after, _ = self.pydip.adjustment.calculate_adjustments(self.ownership(), standing)
        owned = after.owned_territories.items()
        return {power: frozenset(map(self.location, names)) for power, names in owned if names}


class _Movement(_Phase):
    def answer(self) -> Answer:
        orders = self.orders(self.position.units)
        commands = {unit: self._command(unit, orders) for unit in self.position.units}
        after: Mapping[str, Mapping[Any, set[str] | None]]
        after = self.pydip.resolve.resolve_turn(self.map, list(commands.values()))
        # What it returns does not tell a unit that stayed from one that took its place; its table of results does.
        succeeded = self.pydip.resolve.resolution_map
        moving = (self.pydip.command.MoveCommand, self.pydip.command.ConvoyMoveCommand)
        moves = {
            unit.province: self.location(command.destination)
            for unit, command in commands.items()
            if isinstance(command, moving) and command.destination != command.unit.position
            if succeeded[command.unit.position]
        }
        staying = {power: [theirs for theirs, ways in units.items() if ways is None] for power, units in after.items()}
        driven = {theirs: ways for units in after.values() for theirs, ways in units.items() if ways is not None}
        dislodged = frozenset(map(self.province, driven))
        retreats = {
            self.province(theirs): frozenset(map(self.location, ways)) for theirs, ways in driven.items() if ways
        }
        centers = None if retreats else self.centers(staying)
        return Answer(moves, dislodged, retreats, dislodged.difference(retreats), self.texts(staying), centers)

    def _command(self, unit: Unit, orders: Mapping[Unit, Order]) -> Any:
        commands, player, theirs = self.pydip.command, self.players[unit.power], self.theirs[unit]
        try:
            match orders.get(unit):
                case Move(_, destination, via):
                    make = commands.ConvoyMoveCommand if via and unit.kind == UnitKind.ARMY else commands.MoveCommand
                    return make(player, theirs, self.destination(unit, destination))
                case Support(_, target, destination):
                    supported = self._standing(target.province)
                    goal = self._supported_goal(supported, destination, orders.get(supported))
                    return commands.SupportCommand(player, theirs, self.theirs[supported], goal)
                case Convoy(_, army, destination):
                    carried = self._standing(army.province)
                    goal = self.name(UnitKind.ARMY, province_of(destination))
                    return commands.ConvoyTransportCommand(player, theirs, self.theirs[carried], goal)
        except AssertionError:  # pydip refuses the order
            pass
        return commands.HoldCommand(player, theirs)

    def _supported_goal(self, supported: Unit, destination: str | None, own: Order | None) -> str:
        """Return where the supported unit goes by its own order, so that a coast left out is no other place."""
        if destination is None:
            return self.name(supported.kind, supported.location)
        if isinstance(own, Move) and province_of(own.destination) == province_of(destination):
            destination = own.destination
        return self.destination(supported, destination)

    def _standing(self, province: str) -> Unit:
        unit = self.position.unit_at(province)
        if unit is None:
            raise AssertionError
        return unit


class _Retreats(_Phase):
    def answer(self) -> Answer:
        driven = {item.unit: item.retreats or () for item in self.position.dislodged}
        waiting: dict[str, dict[Any, set[str] | None]] = {power: {} for power in self.board.powers}
        for unit in self.position.units:
            waiting[unit.power][self.theirs[unit]] = None
        for unit, ways in driven.items():
            waiting[unit.power][self.theirs[unit]] = {self.name(unit.kind, at) for at in ways}
        orders = self.orders(driven)
        commands = {unit: self._command(unit, orders.get(unit), waiting) for unit in driven}
        after = self.pydip.retreat.resolve_retreats(waiting, list(commands.values()))
        moves = {
            unit.province: self.location(command.destination)
            for unit, command in commands.items()
            if isinstance(command, self.pydip.retreat_command.RetreatMoveCommand)
            if self.pydip.unit.Unit(command.unit.unit_type, command.destination) in after[unit.power]
        }
        gone = frozenset(unit.province for unit in driven).difference(moves)
        return Answer(moves, disbanded=gone, units=self.texts(after), centers=self.centers(after))

    def _command(self, unit: Unit, order: Order | None, waiting: Mapping[str, Any]) -> Any:
        commands, player, theirs = self.pydip.retreat_command, self.players[unit.power], self.theirs[unit]
        if isinstance(order, Retreat | Move):
            with suppress(AssertionError):  # pydip refuses the order
                return commands.RetreatMoveCommand(waiting, player, theirs, self.destination(unit, order.destination))
        return commands.RetreatDisbandCommand(waiting, player, theirs)


class _Adjustments(_Phase):
    def answer(self) -> Answer:
        ownership = self.ownership()
        standing = {power: set(self.players[power].units) for power in self.board.powers}
        _, counts = self.pydip.adjustment.calculate_adjustments(ownership, standing)
        commands = []
        for given in self.turn.orders:
            with suppress(AssertionError):  # pydip refuses the order
                commands += self._commands(given, ownership)
        after = self.pydip.adjustment.resolve_adjustment(ownership, counts, standing, commands)
        gone = {theirs.position for units in standing.values() for theirs in units}
        gone -= {theirs.position for units in after.values() for theirs in units}
        disbanded = frozenset(province_of(self.location(name)) for name in gone)
        return Answer(disbanded=disbanded, units=self.texts(after), centers=self.centers(after))

    def _commands(self, given: Given, ownership: Any) -> list[Any]:
        commands, player = self.pydip.adjustment_command, self.players[given.power]
        match given.order:
            case Build(ref) if ref.kind is not None and self.board.stands(ref.kind, ref.location):
                new = self.their_unit(ref.kind, ref.location)
                return [commands.AdjustmentCreateCommand(ownership, player, new)]
            case Disband(ref) if (unit := self.position.unit_at(ref.province)) is not None:
                return [commands.AdjustmentDisbandCommand(player, self.theirs[unit])]
        return []
