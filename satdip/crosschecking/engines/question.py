"""What an engine is asked: a phase record in one fixed form, whatever notation its author used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from satdip.base.errors import InputError
from satdip.board import UnitKind, province_of
from satdip.notation import read_record, write_record
from satdip.phase.orders import Move, Order
from satdip.phase.position import PhaseKind, Position, Season
from satdip.phase.turn import Given, Turn

__all__ = ["Question", "Record", "phase_key", "question"]

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Question:
    """A phase for an engine.

    Args:
        turn: the phase as satdip reads it.
        record: the same as a phase record: ``map``, ``phase``, ``units``, ``orders`` by power in the notation of the
            ``diplomacy`` package; ``centers``, ``dislodged``, ``retreats`` and ``attackers`` where they are known. An
            army's move to a province that it cannot walk to always carries ``VIA``.
    """

    turn: Turn
    record: dict[str, Any]

    @property
    def position(self) -> Position:
        """Where everything stands."""
        return self.turn.position


def question(record: Record) -> Question:
    """Return what engines are asked about a phase record: without answers, rulebook and other extras.

    Raises:
        InputError: the record is not sound, or its orders are in a form that only satdip reads.
    """
    turn = read_record(record)
    if turn.proxies or any(given.order_set is not None or given.perpetual for given in turn.orders):
        raise InputError("order sets, perpetual orders and proxies are read by satdip alone")
    if turn.position.phase.kind == PhaseKind.MOVEMENT:
        turn = replace(turn, orders=tuple(_explicit(given, turn.position) for given in turn.orders))
    return Question(turn, write_record(replace(turn, rules=None, extra={})))


def _explicit(given: Given, position: Position) -> Given:
    """Write ``VIA`` where an army cannot but go by sea: some engines want to be told."""
    order: Order = given.order
    if not isinstance(order, Move) or order.via:
        return given
    unit = position.unit_at(order.unit.province)
    if (
        unit is None
        or unit.kind != UnitKind.ARMY
        or province_of(order.destination) in position.board.army[unit.location]
    ):
        return given
    return replace(given, order=replace(order, via=True), text="")


def phase_key(record: Record) -> str:
    """Return a name for a phase that depends on nothing but what is adjudicated, the same in every run.

    It is a digest of the map, the kind of the phase, the units and the orders; of the dislodged units and their
    retreats; and of season and centres where the answer may tell centres. Two records with one key have one answer.
    The order of lists counts for orders alone, where the first of two orders to a unit is the one that counts.

    Raises:
        InputError: the record is not sound (see `question`).
    """
    asked = question(record)
    phase, record = asked.position.phase, asked.record
    told: dict[str, Any] = {"map": record["map"], "kind": phase.kind}
    for key in ("units", "dislodged"):
        told[key] = {power: sorted(units) for power, units in sorted(record.get(key, {}).items()) if units}
    told["orders"] = {power: orders for power, orders in sorted(record["orders"].items()) if orders}
    told["retreats"] = dict(sorted(record.get("retreats", {}).items()))
    if phase.season != Season.SPRING:
        told["season"] = phase.season
        told["centers"] = {power: sorted(owned) for power, owned in sorted(record.get("centers", {}).items()) if owned}
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24]
