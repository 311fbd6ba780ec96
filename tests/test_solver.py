"""The door to PySAT, against all assignments tried one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdip.solver import DEFAULT_SOLVER, Solver, models, propagated

Clauses = list[list[int]]
VARIABLES = (1, 2, 3, 4)
literals = st.sampled_from([sign * variable for variable in VARIABLES for sign in (1, -1)])
formulas = st.lists(st.lists(literals, min_size=1, max_size=3, unique=True), max_size=8)
solvers = st.sampled_from([DEFAULT_SOLVER, "cadical195", "minisat22", "lingeling"])
propagating = st.sampled_from([DEFAULT_SOLVER, "cadical195", "minisat22"])


def satisfying(clauses: Sequence[Sequence[int]]) -> Iterator[dict[int, bool]]:
    """Try all assignments."""
    for values in product((True, False), repeat=len(VARIABLES)):
        assignment = dict(zip(VARIABLES, values, strict=True))
        if all(any(assignment[abs(literal)] == (literal > 0) for literal in clause) for clause in clauses):
            yield assignment


def frozen(found: Sequence[dict[int, bool]]) -> list[tuple[tuple[int, bool], ...]]:
    return sorted(tuple(sorted(model.items())) for model in found)


@given(clauses=formulas, name=solvers)
def test_the_models_are_the_satisfying_assignments(clauses: Clauses, name: str) -> None:
    assert frozen(models(clauses, VARIABLES, name=name)) == frozen(list(satisfying(clauses)))


@given(clauses=formulas, name=solvers)
def test_models_are_seen_on_the_wanted_variables_each_once(clauses: Clauses, name: str) -> None:
    wanted = VARIABLES[:2]
    expected = {tuple((variable, full[variable]) for variable in wanted) for full in satisfying(clauses)}
    assert frozen(models(clauses, wanted, name=name)) == sorted(expected)


@given(clauses=formulas, limit=st.integers(1, 3))
def test_no_more_models_than_asked_for(clauses: Clauses, limit: int) -> None:
    every = list(satisfying(clauses))
    found = models(clauses, VARIABLES, limit)
    assert len(found) == min(limit, len(every))
    assert all(model in every for model in found)


def test_a_formula_without_clauses_has_one_model_on_no_variables() -> None:
    assert models([], []) == [{}]
    assert models([[1], [-1]], []) == []


@given(clauses=formulas, assumptions=st.lists(literals, max_size=3), name=solvers)
def test_solving_under_assumptions(clauses: Clauses, assumptions: list[int], name: str) -> None:
    with Solver(clauses, name) as solver:
        assert solver.solve(assumptions) == any(satisfying([*clauses, *([literal] for literal in assumptions)]))
        assert solver.solve() == any(satisfying(clauses)), "assumptions are forgotten afterwards"


@given(clauses=formulas, more=formulas, name=solvers)
def test_clauses_can_be_added(clauses: Clauses, more: Clauses, name: str) -> None:
    with Solver(clauses, name) as solver:
        solver.solve()
        for clause in more:
            solver.add(clause)
        assert solver.solve() == any(satisfying([*clauses, *more]))


@given(clauses=formulas)
def test_a_model_satisfies_every_clause(clauses: Clauses) -> None:
    with Solver(clauses) as solver:
        if solver.solve():
            true = solver.model()
            assert all(true.intersection(clause) for clause in clauses)


def test_there_is_no_model_before_solving_or_when_there_is_none() -> None:
    with Solver([[1], [-1]]) as solver:
        assert not solver.solve()
        assert solver.model() == frozenset()


def unit_propagation(clauses: Sequence[Sequence[int]]) -> set[int] | None:
    """Derive literals from unit clauses until nothing is left to derive; None when that violates a clause."""
    true: set[int] = set()
    while True:
        open_clauses = [{lit for lit in clause if -lit not in true} for clause in clauses if not true & set(clause)]
        new = {literal for clause in open_clauses if len(clause) == 1 for literal in clause}
        if set() in open_clauses or any(-literal in new for literal in new):
            return None
        if not new:
            return true
        true |= new


@given(clauses=formulas, name=propagating)
def test_propagation_follows_unit_clauses_and_guesses_nothing(clauses: Clauses, name: str) -> None:
    expected = unit_propagation(clauses)
    if expected is not None:
        assert propagated(clauses, name) == expected


@given(clauses=formulas, assumptions=st.lists(literals, max_size=2, unique_by=abs))
def test_propagation_from_assumptions(clauses: Clauses, assumptions: list[int]) -> None:
    longer = [clause for clause in clauses if len(clause) > 1]
    expected = unit_propagation([*longer, *([literal] for literal in assumptions)])
    if expected is not None:
        with Solver(longer) as solver:
            assert solver.propagate(assumptions) == expected


@pytest.mark.parametrize("name", ["", "minisat", "glucose 4", "GLUCOSE4"])
def test_a_solver_that_pysat_does_not_have(name: str) -> None:
    with pytest.raises(ValueError, match="is no solver of PySAT"):
        Solver((), name)
