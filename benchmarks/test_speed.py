"""The same costs for pytest-benchmark: ``python -m pytest benchmarks`` (never part of the test suite)."""

from __future__ import annotations

from typing import Any

import pytest
from phases import dense_phases, game_phases, random_phases

from satdip.adjudication import adjudicate_turn
from satdip.check import check_movement
from satdip.notation import read_record
from satdip.rulebook import DATC

KINDS = {"games": game_phases, "random": random_phases, "dense": dense_phases}


@pytest.fixture(params=sorted(KINDS))
def records(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = KINDS[request.param](100)
    return found


def test_read(benchmark: Any, records: list[dict[str, Any]]) -> None:
    turns = benchmark(lambda: [read_record(record) for record in records])
    assert len(turns) == len(records)


def test_check(benchmark: Any, records: list[dict[str, Any]]) -> None:
    turns = [read_record(record) for record in records]
    checked = benchmark(lambda: [check_movement(turn, DATC) for turn in turns])
    assert all(result.actions for result in checked)


def test_adjudicate(benchmark: Any, records: list[dict[str, Any]]) -> None:
    turns = [read_record(record) for record in records]
    resolutions = benchmark(lambda: [adjudicate_turn(turn, DATC) for turn in turns])
    assert not any(resolution.is_open for resolution in resolutions)
