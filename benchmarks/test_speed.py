"""What each step costs, with pytest-benchmark: ``pytest benchmarks/test_speed.py`` (never part of the test suite).

``python benchmarks/table.py`` makes a table of it. Every benchmark adds to its record the row that it is in the table,
the kind of phases, and how many there were.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any

import pytest
from peers import PEERS, Peer
from phases import KINDS, Record, paradox_phases
from pysat.solvers import SolverNames

from satdip.check import CheckedOrders, check_movement
from satdip.encodings.reading import UNKNOWN, ThreeValued
from satdip.encodings.situation import Node, Situation
from satdip.games.stream import adjudicate_many
from satdip.notation import read_record, read_turn, write_sheet
from satdip.phase.turn import Turn
from satdip.resolve.movement import resolve_movement
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC
from satdip.solving.closure import sweep, uncontested
from satdip.solving.formula_of_phase import part_formula, whole_formula
from satdip.solving.solver import DEFAULT_SOLVER, models
from satdip.telling.serialise import resolution_to_json, result_record

PHASES = 50
"""How many phases of each kind."""
ROUNDS = 6
TIMES = 10
"""How often the phases are repeated where starting processes is part of the work."""
FAMILIES = "paradox families"

Clauses = Sequence[Sequence[int]]
Question = tuple[Clauses, list[int]]
"""A formula, and the variables that are asked for."""


@dataclass(frozen=True)
class Phases:
    """Some phases, and what each step makes of them."""

    kind: str
    records: list[Record]

    @cached_property
    def sheets(self) -> list[str]:
        """The phases as order sheets."""
        return [write_sheet(turn) for turn in self.turns]

    @cached_property
    def turns(self) -> list[Turn]:
        """The phases as values."""
        return [read_record(record) for record in self.records]

    @cached_property
    def checked(self) -> list[tuple[Turn, CheckedOrders]]:
        """The orders, checked."""
        return [(turn, check_movement(turn, DATC)) for turn in self.turns]

    @cached_property
    def situations(self) -> list[Situation]:
        """The orders, linked to each other."""
        return [linked(turn, checked) for turn, checked in self.checked]

    @cached_property
    def formulas(self) -> list[Question]:
        """The whole formula of each phase."""
        return [unfolded(situation) for situation in self.situations]

    @cached_property
    def cores(self) -> list[Question]:
        """The formulas of what folding leaves open; of many phases none."""
        return [found for situation in self.situations if (found := left_open(situation)) is not None]

    @cached_property
    def answers(self) -> list[int]:
        """How many resolutions each phase has, two standing for several."""
        return [len(models(*question, limit=2)) for question in self.formulas]

    def resolutions(self) -> list[Resolution]:
        """Return new ones: they keep what they have once told."""
        return [resolve_movement(turn, checked, DATC) for turn, checked in self.checked]


def linked(turn: Turn, checked: CheckedOrders) -> Situation:
    return Situation(turn.position.board, turn.position.units, checked.actions, DATC, checked.unsupportable)


def unfolded(situation: Situation) -> Question:
    """Return the whole formula of a phase, nothing simplified."""
    formula, x = whole_formula(situation, fold=False)
    return formula.clauses, [x.decision(node) for node in situation.decisions()]


def left_open(situation: Situation) -> Question | None:
    """Return the formula of the decisions that the orders do not make by themselves; None when there are none."""
    values = uncontested(situation)
    nodes: list[Node] = [*situation.supports, *situation.convoys, *situation.moves]
    sweep(values, [node for node in nodes if values[node.index] == UNKNOWN], ThreeValued(values, DATC))
    still = [node for node in nodes if values[node.index] == UNKNOWN]
    if not still:
        return None
    formula, x, _ = part_formula(situation, still, values)
    return formula.clauses, [x.decision(node) for node in still]


@cache
def phases_of(kind: str) -> Phases:
    return Phases(kind, paradox_phases() if kind == FAMILIES else KINDS[kind].few(PHASES))


@pytest.fixture(params=[*KINDS, FAMILIES])
def phases(request: pytest.FixtureRequest) -> Phases:
    return phases_of(request.param)


@pytest.fixture(params=KINDS)
def common(request: pytest.FixtureRequest) -> Phases:
    """Phases on the standard map, which all programs know."""
    return phases_of(request.param)


def measured(
    benchmark: Any,
    row: str,
    phases: Phases,
    function: Callable[..., Any],
    prepare: Callable[[], object] | None = None,
    *,
    times: int = 1,
    rounds: int = ROUNDS,
) -> Any:
    """Run a benchmark.

    Args:
        benchmark: the fixture.
        row: what it is called in the table.
        phases: what it runs on.
        function: what is measured.
        prepare: makes, unmeasured and before each round, what `function` is given.
        times: how often `function` runs over the phases.
        rounds: how often it is measured.
    """
    benchmark.group = phases.kind
    benchmark.extra_info.update(row=row, kind=phases.kind, phases=times * len(phases.records))
    setup: Any = None if prepare is None else lambda: ((prepare(),), {})
    gc.collect()
    gc.freeze()  # the phases of all benchmarks are in memory; no program pays for them
    try:
        return benchmark.pedantic(function, setup=setup, rounds=rounds, warmup_rounds=1)
    finally:
        gc.unfreeze()


# ---------------------------------------------------------------------- satdip, step by step


def test_parse(benchmark: Any, phases: Phases) -> None:
    turns = measured(benchmark, "parse a record", phases, lambda: [read_record(record) for record in phases.records])
    assert [turn.orders for turn in turns] == [turn.orders for turn in phases.turns]


def test_parse_sheet(benchmark: Any, common: Phases) -> None:
    sheets = common.sheets
    turns = measured(
        benchmark, "parse an order sheet", common, lambda: [read_turn(sheet) for sheet in sheets], rounds=2
    )
    assert [len(turn.orders) for turn in turns] == [len(turn.orders) for turn in common.turns]


def test_check(benchmark: Any, phases: Phases) -> None:
    turns = phases.turns
    checked = measured(benchmark, "check", phases, lambda: [check_movement(turn, DATC) for turn in turns])
    assert all(result.actions for result in checked)


def test_link(benchmark: Any, phases: Phases) -> None:
    checked = phases.checked
    found = measured(benchmark, "link", phases, lambda: [linked(*each) for each in checked])
    assert len(found) == len(checked)


def test_encode_all(benchmark: Any, phases: Phases) -> None:
    checked = phases.checked
    row = "link and encode, unfolded"
    found = measured(benchmark, row, phases, lambda: [unfolded(linked(*each)) for each in checked], rounds=2)
    assert found == phases.formulas


def test_encode_open(benchmark: Any, phases: Phases) -> None:
    checked = phases.checked
    row = "link, fold, encode what is left"
    found = measured(benchmark, row, phases, lambda: [left_open(linked(*each)) for each in checked])
    assert [question for question in found if question is not None] == phases.cores


def test_solve_all(benchmark: Any, phases: Phases) -> None:
    questions = phases.formulas
    row = "solve, unfolded"
    found = measured(benchmark, row, phases, lambda: [models(*question, limit=2) for question in questions])
    assert [len(several) for several in found] == phases.answers


def test_solve_open(benchmark: Any, phases: Phases) -> None:
    questions = phases.cores
    row = "solve what is left"
    found = measured(benchmark, row, phases, lambda: [models(*question, limit=2) for question in questions])
    assert len(found) == len(questions)


def test_adjudicate(benchmark: Any, phases: Phases) -> None:
    found = measured(benchmark, "adjudicate", phases, phases.resolutions)
    assert not any(resolution.is_open for resolution in found)


def test_adjudicate_unfolded(benchmark: Any, common: Phases) -> None:
    checked = common.checked
    row = "adjudicate with nothing folded"
    found = measured(
        benchmark, row, common, lambda: [resolve_movement(*each, DATC, fold=False) for each in checked], rounds=1
    )
    assert [r.next for r in found] == [r.next for r in common.resolutions()]


def test_report_record(benchmark: Any, phases: Phases) -> None:
    row = "report as a record"
    found = measured(benchmark, row, phases, lambda r: [result_record(each) for each in r], phases.resolutions)
    assert all(record["results"] for record in found)


def test_report_sentences(benchmark: Any, phases: Phases) -> None:
    row = "report in sentences"
    found = measured(benchmark, row, phases, lambda r: [resolution_to_json(each) for each in r], phases.resolutions)
    assert all(told["orders"] for told in found)


# ---------------------------------------------------------------------- whole phases


def record_to_record(records: list[Record], workers: int = 1) -> list[dict[str, object]]:
    return list(adjudicate_many(records, rules=DATC, workers=workers))


def test_record_to_record(benchmark: Any, phases: Phases) -> None:
    found = measured(benchmark, "record to record", phases, lambda: record_to_record(phases.records))
    assert len(found) == len(phases.records)


@pytest.mark.benchmark(timer=time.perf_counter)
@pytest.mark.parametrize("workers", [1, 2])
def test_workers(benchmark: Any, phases: Phases, workers: int) -> None:
    if workers > (os.cpu_count() or 1):
        pytest.skip("there are fewer processors")
    many = phases.records * TIMES
    row = f"record to record, {workers} worker{'s' * (workers > 1)}, by the wall clock"
    found = measured(benchmark, row, phases, lambda: record_to_record(many, workers), times=TIMES, rounds=2)
    assert len(found) == len(many)


# ---------------------------------------------------------------------- other programs

LEAVES_FILES_OPEN = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
"""``diplomacy`` does."""


@LEAVES_FILES_OPEN
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_peer(benchmark: Any, common: Phases, peer: Peer) -> None:
    tasks = translated(peer, common.kind)
    row = f"{peer.name}, `{peer.call}`"
    found = measured(
        benchmark,
        row,
        common,
        lambda ready: [call() for call in ready],
        lambda: [peer.ready(task) for task in tasks],
        rounds=3,
    )
    assert len(found) == len(tasks)


@LEAVES_FILES_OPEN
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_peer_whole(benchmark: Any, common: Phases, peer: Peer) -> None:
    tasks = translated(peer, common.kind)
    row = f"{peer.name}, whole path"
    found = measured(benchmark, row, common, lambda: [peer.whole(task) for task in tasks], rounds=3)
    assert len(found) == len(tasks)


@cache
def translated(peer: Peer, kind: str) -> list[Any]:
    return [peer.translated(record) for record in phases_of(kind).records]


# ---------------------------------------------------------------------- the solvers of PySAT


def solvers() -> list[Any]:
    """Return a name of each solver that PySAT knows, as told by PySAT itself where that is one of its names."""
    known = {name: names for name, names in vars(SolverNames).items() if isinstance(names, tuple)}
    needs = pytest.mark.skipif(find_spec("pycryptosat") is None, reason="it needs pycryptosat")
    return [
        pytest.param(name if name in names else names[-1], marks=needs if name == "cryptosat" else ())
        for name, names in known.items()
    ]


@pytest.mark.parametrize("name", solvers())
def test_solver(benchmark: Any, phases: Phases, name: str) -> None:
    questions = phases.formulas
    row = f"solve, unfolded, {name}{' (the default)' if name == DEFAULT_SOLVER else ''}"
    found = measured(benchmark, row, phases, lambda: [models(*question, limit=2, name=name) for question in questions])
    assert [len(several) for several in found] == phases.answers
