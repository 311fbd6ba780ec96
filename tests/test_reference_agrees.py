"""satdip against the reference adjudicator: the same outcomes on many thousands of random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import pytest
from positions import Drawn, Powers, describe, draw, given_of, turn_of
from reference import RefMap, RefResult, RefRetreats, adjudicate, adjudicate_retreats

from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.check import Status
from satdip.orders import Convoy, Move, Retreat, Support
from satdip.position import Position
from satdip.resolution import OrderResult, Resolution
from satdip.rulebook import DATC
from satdip.turn import Turn

CHUNK = 1000
SHARES = {"dense": 14, "coherent": 3, "uniform": 3}
"""Generator -> chunks in a default run; a long run has ten times as many, of other positions."""


def chunks(times: int = 1) -> list[object]:
    return [
        pytest.param(name, number * CHUNK, id=f"{name}-{number}")
        for name, share in SHARES.items()
        for number in (range(share) if times == 1 else range(share, share * (times + 1)))
    ]


# ---------------------------------------------------------------------- satdip's resolution in the reference's words


def own_results(resolution: Resolution) -> Iterator[OrderResult]:
    """The results of orders that a power gave to its own units, and of units without an order."""
    return (r for r in resolution.orders if r.unit is not None and r.power == r.unit.power)


def as_reference(resolution: Resolution) -> RefResult:
    followed = {r.unit: r for r in own_results(resolution) if r.checked.action is not None}
    refused = {r.unit for r in own_results(resolution) if r.checked.status == Status.ILLEGAL}

    def successes(kind: type) -> dict[str, bool]:
        return {u.location: r.success for u, r in followed.items() if isinstance(r.checked.action, kind)}

    return RefResult(
        moves={
            unit.location: result.checked.action.destination
            for unit, result in followed.items()
            if isinstance(result.checked.action, Move) and result.success
        },
        dislodged={item.unit.location: item.retreats for item in resolution.dislodged},
        supports=successes(Support),
        convoys=successes(Convoy),
        legal={unit.location: unit in followed or unit not in refused for unit in resolution.position.units},
        contested=resolution.contested,
        rotations=tuple(frozenset(unit.location for unit in ring) for ring in resolution.rotations),
        paradoxes=tuple(frozenset(unit.location for unit in core.units) for core in resolution.paradoxes),
    )


def facts(result: RefResult | RefRetreats) -> dict[str, object]:
    """Its fields; what has no order is a set."""
    return {key: set(value) if isinstance(value, tuple) else value for key, value in asdict(result).items()}


def compare(drawn: Drawn, board: Board, ref_map: RefMap) -> Resolution:
    units, orders = drawn
    resolution = adjudicate_turn(turn_of(units, orders, board), DATC)
    found, expected = facts(as_reference(resolution)), facts(adjudicate(ref_map, units, orders))
    wrong = {key: (found[key], expected[key]) for key in expected if found[key] != expected[key]}
    assert not wrong, f"satdip says {wrong} (satdip, reference){describe(units, orders)}"
    return resolution
