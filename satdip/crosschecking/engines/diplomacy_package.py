"""The ``diplomacy`` package of PyPI (Paquette) as an engine: all three kinds of phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from satdip.board import province_of
from satdip.crosschecking.engines.answer import Answer, FailureKind, failed
from satdip.crosschecking.engines.base import LocalEngine
from satdip.crosschecking.engines.question import Question
from satdip.crosschecking.extras import optional
from satdip.phase.position import PhaseKind

__all__ = ["DiplomacyPackage"]

_MOVE = re.compile(r"(?P<unit>[AF] (?P<at>\S+)) [-R] (?P<to>\S+)")


class DiplomacyPackage(LocalEngine):
    """The package, with a new game for each phase: nothing of one phase reaches the next.

    Raises:
        InputError: it is not installed.
    """

    def __init__(self) -> None:
        self._new_game = optional("diplomacy", "engines").Game
        super().__init__("diplomacy", version("diplomacy"))

    def answer(self, asked: Question) -> Answer:
        """Set up a game, give the orders, process the phase."""
        position, record = asked.position, asked.record
        if position.board.name != "standard":
            return failed(FailureKind.UNSUPPORTED, f"the map {position.board.name!r} is not known here")
        if any(item.retreats is None for item in position.dislodged):
            return failed(FailureKind.UNSUPPORTED, "the record does not say where the dislodged units may go")
        game = self._new_game()
        game.set_state(_state(record, position.board.powers))
        for power, orders in record["orders"].items():
            game.set_orders(power, list(orders))
        game.error = []  # it would print them
        done = game.process()
        state = game.get_state()
        units = {power: [u for u in units if not u.startswith("*")] for power, units in state["units"].items()}
        centers = _sets(state["centers"]) if position.centres else None
        match position.phase.kind:
            case PhaseKind.MOVEMENT:
                words = {unit: [str(word) for word in words] for unit, words in done.results.items()}
                dislodged = frozenset(province_of(unit[2:]) for unit in words if "dislodged" in words[unit])
                waiting = [item for items in state["retreats"].values() for item in items.items()]
                retreats = {province_of(unit[2:]): frozenset(places) for unit, places in waiting}
                return Answer(_moves(done), dislodged, retreats, dislodged.difference(retreats), _sets(units), centers)
            case PhaseKind.RETREATS:
                driven = frozenset(item.unit.province for item in position.dislodged)
                moves = _moves(done)
                return Answer(moves, disbanded=driven.difference(moves), units=_sets(units), centers=centers)
            case PhaseKind.ADJUSTMENTS:
                gone = _provinces(record["units"]) - _provinces(units)
                return Answer(disbanded=gone, units=_sets(units), centers=centers)


def _moves(done: Any) -> dict[str, str]:
    """Return the moves or retreats that succeed: those whose results are empty."""
    orders = (found for orders in done.orders.values() for order in orders or () if (found := _MOVE.match(order)))
    return {province_of(move["at"]): move["to"] for move in orders if not any(map(str, done.results[move["unit"]]))}


def _provinces(units: Mapping[str, Iterable[str]]) -> frozenset[str]:
    return frozenset(province_of(unit[2:]) for standing in units.values() for unit in standing)


def _state(record: Mapping[str, Any], powers: Iterable[str]) -> dict[str, Any]:
    """Return the state of a game as the package saves it; a power that is left out would keep its first units."""
    units, dislodged = record["units"], record.get("dislodged", {})
    retreats = record.get("retreats", {})
    return {
        "name": record["phase"],
        "units": {p: [*units.get(p, ()), *(f"*{unit}" for unit in dislodged.get(p, ()))] for p in powers},
        "retreats": {p: {unit: list(retreats[unit]) for unit in dislodged.get(p, ())} for p in powers},
        "centers": {p: list(record.get("centers", {}).get(p, ())) for p in powers},
    }


def _sets(table: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {power: found for power, texts in table.items() if (found := frozenset(texts))}
