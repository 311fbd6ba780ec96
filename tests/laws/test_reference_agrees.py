"""satdip against the reference adjudicator: the same outcomes on many thousands of random positions."""

from __future__ import annotations

import random
import sys
from collections import Counter

import pytest
from reference import RefMap, RefRetreats, adjudicate, adjudicate_retreats
from support.positions import (
    Drawn,
    Powers,
    describe,
    draw,
    given_of,
    position_after,
    retreat_orders,
    rivalries,
    turn_of,
    units_named,
)
from support.references import arrivals, as_reference, facts

from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.phase.orders import Retreat
from satdip.phase.position import Position
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC

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


def compare(drawn: Drawn, board: Board, ref_map: RefMap) -> Resolution:
    units, orders = drawn
    resolution = adjudicate_turn(turn_of(units, orders, board), DATC)
    found, expected = facts(as_reference(resolution)), facts(adjudicate(ref_map, units, orders))
    wrong = {key: (found[key], expected[key]) for key in expected if found[key] != expected[key]}
    assert not wrong, f"satdip says {wrong} (satdip, reference){describe(units, orders)}"
    return resolution


# ---------------------------------------------------------------------- movement


@pytest.mark.parametrize(("generator", "first"), chunks())
def test_movement_agrees(generator: str, first: int, board: Board, ref_map: RefMap) -> None:
    for seed in range(first, first + CHUNK):
        compare(draw(generator, seed, ref_map), board, ref_map)


@pytest.mark.long
@pytest.mark.parametrize(("generator", "first"), chunks(10))
def test_movement_agrees_on_ten_times_as_many(
    generator: str, first: int, board: Board, ref_map: RefMap, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(first, first + CHUNK):
        compare(draw(generator, seed, ref_map), board, ref_map)
    with capsys.disabled():
        sys.stdout.write(f"{generator}: seeds {first} to {first + CHUNK - 1} agree\n")


# ---------------------------------------------------------------------- retreats


def compare_retreats(position: Position, orders: Powers) -> Resolution:
    resolution = adjudicate_turn(Turn(position, given_of(orders, position.board)), DATC)
    gone = frozenset(unit.location for unit in resolution.removed)
    found = RefRetreats(arrivals(resolution, Retreat), gone)
    dislodged: dict[str, list[str]] = {}
    for item in position.dislodged:
        dislodged.setdefault(item.unit.power, []).append(str(item.unit))
    allowed = {item.unit.location: item.retreats or frozenset() for item in position.dislodged}
    expected = adjudicate_retreats(dislodged, allowed, orders)
    assert found == expected, f"\ndislodged = {dislodged}\nretreats = {allowed}\norders = {orders}"
    return resolution


@pytest.mark.parametrize("first", range(0, 3 * CHUNK, CHUNK))
def test_retreats_agree(first: int, board: Board, ref_map: RefMap) -> None:
    seen: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        position = position_after(adjudicate_turn(turn_of(*draw("dense", seed, ref_map), board), DATC))
        if position.dislodged:
            rng = random.Random(seed)
            for _ in range(20 if rivalries(position) else 3):
                resolution = compare_retreats(position, retreat_orders(rng, position))
                seen.update(str(result.outcome) for result in resolution.orders)
                seen["clash"] += bool(resolution.contested)
    assert min(seen["succeeds"], seen["fails"], seen["illegal"]) > CHUNK // 2, "the orders show too little"
    assert seen["clash"] > CHUNK // 20, "too few units retreat to one province"


# ---------------------------------------------------------------------- the comparison itself


@pytest.mark.parametrize(
    ("orders", "field"),
    [
        ({"FRANCE": ["A PAR - BUR"]}, "moves"),
        ({"FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"]}, "supports"),
        ({"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"]}, "convoys"),
        ({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, "contested"),
        ({"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"]}, "dislodged"),
        ({"FRANCE": ["A PIC - BEL", "A BEL - BUR", "A BUR - PIC"]}, "rotations"),
        (
            {"TURKEY": ["A ANK - SEV", "F BLA C A ANK - SEV"], "RUSSIA": ["F SEV S F RUM - BLA", "F RUM - BLA"]},
            "paradoxes",
        ),
    ],
)
def test_each_field_is_compared(orders: Powers, field: str, board: Board) -> None:
    """A translation that left a field empty would agree about it only while the reference does."""
    resolution = adjudicate_turn(turn_of(units_named(orders), orders, board), DATC)
    assert facts(as_reference(resolution))[field]
