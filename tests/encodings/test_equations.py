"""A resolution satisfies every equation, as anybody can check without a solver; all readings of them say the same."""

from __future__ import annotations

from collections import Counter

import pytest
from reference import RefMap
from support.plain_evaluator import Equations
from support.positions import Powers, describe, draw, position_after, turn_of, units_named

from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.check import Status, check_movement
from satdip.check.result import reference
from satdip.encodings.clauses import assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import NO_RULING, TRUE, UNKNOWN, ThreeValued
from satdip.encodings.situation import Situation
from satdip.phase.orders import Convoy, Hold, Order, Support
from satdip.phase.position import Unit
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC
from satdip.solving.closure import propagate, sweep
from satdip.solving.formula_of_phase import clause_reading, nothing_known, whole_formula
from satdip.solving.solver import Solver, models

CHUNK = 500
SEEDS = range(1_000_000, 1_000_000 + 6 * CHUNK, CHUNK)
"""Where the chunks of positions begin; other seeds than the comparison with the reference has."""


def resolution_of(drawn: tuple[Powers, Powers], board: Board) -> Resolution:
    return adjudicate_turn(turn_of(*drawn, board), DATC)


def situation_of(drawn: tuple[Powers, Powers], board: Board) -> Situation:
    turn = turn_of(*drawn, board)
    return Situation(board, turn.position.units, check_movement(turn, DATC).actions)


def equations_of(resolution: Resolution) -> Equations:
    """The orders that were followed, as the resolution states them."""

    def action(unit: Unit) -> Order:
        result = resolution.result_of(unit)
        return (result and result.checked.action) or Hold(reference(unit))

    return Equations(resolution.position.board, ((unit, action(unit)) for unit in resolution.position.units))


def decisions_of(resolution: Resolution) -> dict[str, bool]:
    """Province -> whether the order of its unit works; a unit that holds decides nothing."""
    works = {}
    for unit in resolution.position.units:
        result = resolution.result_of(unit)
        works[unit.province] = result is None or result.checked.action is None or result.success
        if result is not None and isinstance(result.checked.action, Hold):
            works[unit.province] = True
    return works


# ---------------------------------------------------------------------- a resolution is checked without a solver


@pytest.mark.parametrize("first", SEEDS)
def test_every_equation_holds(first: int, board: Board, ref_map: RefMap) -> None:
    for seed in range(first, first + CHUNK):
        drawn = draw("dense", seed, ref_map)
        resolution = resolution_of(drawn, board)
        equations, works = equations_of(resolution), decisions_of(resolution)
        disrupted = {unit.province for core in resolution.paradoxes for unit in core.disrupted}
        wrong = set(equations.broken(works, disrupted)) - equations.voids()
        assert not wrong, f"the orders in {wrong} do not satisfy their equations{describe(*drawn)}"
        assert equations.stuck_ring(works) is None, describe(*drawn)


@pytest.mark.parametrize("first", SEEDS[:2])
def test_what_the_decisions_leave_on_the_board(first: int, board: Board, ref_map: RefMap) -> None:
    for seed in range(first, first + CHUNK):
        drawn = draw("dense", seed, ref_map)
        resolution = resolution_of(drawn, board)
        equations, works = equations_of(resolution), decisions_of(resolution)
        retreats = {item.unit.province: set(item.retreats or ()) for item in resolution.dislodged}
        assert retreats == {at: equations.retreats(works, at) for at in equations.dislodged(works)}, describe(*drawn)
        assert resolution.contested == equations.contested(works), describe(*drawn)
        after = sorted(unit.location for unit in position_after(resolution).units)
        assert after == sorted(equations.after(works).values()), describe(*drawn)


def test_void_orders_are_those_that_match_nothing(board: Board, ref_map: RefMap) -> None:
    for seed in range(SEEDS[0], SEEDS[0] + CHUNK):
        drawn = draw("uniform", seed, ref_map)
        resolution = resolution_of(drawn, board)
        void = {
            result.unit.province
            for result in resolution.orders
            if result.unit is not None
            and result.checked.status == Status.VOID
            and isinstance(result.checked.action, Support | Convoy)
        }
        assert void == equations_of(resolution).voids(), describe(*drawn)


# ---------------------------------------------------------------------- all consistent resolutions


def all_models(situation: Situation) -> set[frozenset[str]]:
    """Every model of the formula: the provinces whose orders work in it."""
    formula, x = whole_formula(situation)
    nodes = situation.decisions()
    found = models(formula.clauses, [x.decision(node) for node in nodes])
    return {frozenset(node.at for node in nodes if model[x.decision(node)]) for model in found}


def all_resolutions(situation: Situation) -> set[frozenset[str]]:
    """Every consistent resolution, found by trying all decisions."""
    equations = Equations(situation.board, ((node.piece.unit, node.order) for node in situation.nodes))
    active = {node.at for node in situation.decisions()}
    return {frozenset(at for at in active if works[at]) for works in equations.resolutions()}


PARADOXES: list[tuple[str, Powers, int]] = [
    (
        "one fleet's support of an attack on the convoy that attacks it",
        {"ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"], "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"]},
        2,
    ),
    (
        "a fleet supports the convoy that attacks it against a supported attack",
        {
            "ENGLAND": ["F LON S F ENG", "F WAL - ENG", "F MAO S F WAL - ENG"],
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
        },
        0,
    ),
    ("three units in a ring", {"TURKEY": ["A ANK - CON", "A CON - SMY", "A SMY - ANK"]}, 1),
    (
        "three units in a ring, and a fourth",
        {"TURKEY": ["A ANK - CON", "A CON - SMY", "A SMY - ANK", "A BUL - CON"]},
        1,
    ),
    (
        "two paradoxes",
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
            "TURKEY": ["A ANK - SEV", "F BLA C A ANK - SEV"],
            "RUSSIA": ["F SEV S F RUM - BLA", "F RUM - BLA"],
        },
        4,
    ),
]


@pytest.mark.parametrize(("orders", "count"), [row[1:] for row in PARADOXES], ids=[row[0] for row in PARADOXES])
def test_how_many_consistent_resolutions(orders: Powers, count: int, board: Board) -> None:
    situation = situation_of((units_named(orders), orders), board)
    assert len(all_models(situation)) == count
    assert all_models(situation) == all_resolutions(situation)


def test_the_models_are_the_consistent_resolutions(board: Board, ref_map: RefMap) -> None:
    counts: Counter[int] = Counter()
    for seed in range(SEEDS[0], SEEDS[0] + 5000):
        drawn = draw("dense", seed, ref_map)
        if sum(map(len, drawn[0].values())) > 9:
            continue
        situation = situation_of(drawn, board)
        found = all_models(situation)
        assert found == all_resolutions(situation), describe(*drawn)
        counts[len(found)] += 1
    assert min(counts[0], counts[1], counts[2]) > 20, f"too few positions with 0, 1 or 2 resolutions: {counts}"


# ---------------------------------------------------------------------- three truth values and clauses


def closed(situation: Situation, *, fold: bool) -> list[int]:
    """What the orders decide by themselves: found by sweeping over three truth values, or by unit propagation."""
    values = nothing_known(situation)
    if fold:
        sweep(values, situation.decisions(), ThreeValued(values))
    else:
        propagate(values, situation, NO_RULING)
    return values


def test_unit_propagation_decides_what_the_three_valued_reading_decides(board: Board, ref_map: RefMap) -> None:
    open_decisions = 0
    for seed in range(SEEDS[0], SEEDS[0] + CHUNK):
        drawn = draw("dense", seed, ref_map)
        situation = situation_of(drawn, board)
        swept = closed(situation, fold=True)
        assert closed(situation, fold=False) == swept, describe(*drawn)
        open_decisions += swept.count(UNKNOWN)
    assert open_decisions > CHUNK, "too little stays undecided in these positions"


def test_the_closure_follows_from_the_clauses(board: Board, ref_map: RefMap) -> None:
    """No model of the equations has another value for what three truth values decide."""
    for seed in range(SEEDS[0], SEEDS[0] + 2 * CHUNK):
        drawn = draw("dense", seed, ref_map)
        situation = situation_of(drawn, board)
        values = closed(situation, fold=True)
        formula = Formula()
        x = clause_reading(formula, situation)
        assert_equations(x, situation.decisions(), equation, tag)
        decided = [node for node in situation.decisions() if values[node.index] != UNKNOWN]
        with Solver(formula.clauses) as solver:
            solver.add([-values[node.index] * x.decision(node) for node in decided] or [-TRUE])
            assert not solver.solve(), f"some decision could be different{describe(*drawn)}"
