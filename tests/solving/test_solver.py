"""The door to PySAT, against all assignments tried one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.solving.solver import (
    DEFAULT_SOLVER,
    SMALL,
    Solver,
    minimal_core,
    models,
    propagated,
    recurring_models,
    refutation,
    smallest_core,
)

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


@given(clauses=formulas, limit=st.integers(1, 20), name=solvers)
def test_models_that_are_remembered_are_the_same(clauses: Clauses, limit: int, name: str) -> None:
    formula, every = [tuple(clause) for clause in clauses], list(satisfying(clauses))
    first, again = (recurring_models(formula, VARIABLES, limit, name, UNLIMITED) for _ in range(2))
    assert frozen(first) == frozen(again)
    assert len(first) == min(limit, len(every))
    assert all(model in every for model in first)


def test_a_formula_that_recurs_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = [(1, 2), (-1, -2), (3, 4, 1)]
    expected = recurring_models(formula, VARIABLES, 9, DEFAULT_SOLVER, UNLIMITED)
    monkeypatch.setattr("satdip.solving.solver.Solver", None)
    assert recurring_models(formula, VARIABLES, 9, DEFAULT_SOLVER, UNLIMITED) == expected
    with pytest.raises(TypeError):  # with a limit of time, and when it is large, a formula is solved anew
        recurring_models(formula, VARIABLES, 9, DEFAULT_SOLVER, Budget.of(60))
    with pytest.raises(TypeError):
        recurring_models(formula * SMALL, VARIABLES, 9, DEFAULT_SOLVER, UNLIMITED)


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


# ---------------------------------------------------------------------- cores, proofs, budgets

grouped = st.lists(
    st.lists(st.lists(literals, min_size=1, max_size=3, unique=True), min_size=1, max_size=2), max_size=6
)


def satisfiable(hard: Clauses, groups: Sequence[Clauses], chosen: Iterable[int]) -> bool:
    return any(satisfying([*hard, *(clause for index in chosen for clause in groups[index])]))


@given(hard=formulas.filter(lambda clauses: len(clauses) < 4), groups=grouped)
def test_a_smallest_core_contradicts_itself_and_no_smaller_set_does(hard: Clauses, groups: list[Clauses]) -> None:
    found = smallest_core(dict(enumerate(groups)), hard)
    sizes = range(len(groups) + 1)
    fewest = next((n for n in sizes for c in combinations(sizes[:-1], n) if not satisfiable(hard, groups, c)), None)
    if found is None:
        assert fewest is None
        return
    core, certain = found
    assert certain
    assert not satisfiable(hard, groups, core)
    assert len(core) == fewest


@given(hard=formulas.filter(lambda clauses: len(clauses) < 4), groups=grouped)
def test_nothing_can_be_left_out_of_a_minimal_core(hard: Clauses, groups: list[Clauses]) -> None:
    core = minimal_core(dict(enumerate(groups)), hard)
    if core is None:
        assert satisfiable(hard, groups, range(len(groups)))
        return
    assert not satisfiable(hard, groups, core)
    assert all(satisfiable(hard, groups, core - {index}) for index in core)


@given(groups=st.lists(literals, min_size=1, max_size=5, unique=True), later=formulas)
def test_clauses_that_come_with_the_models(groups: list[int], later: Clauses) -> None:
    """A formula that is told clause by clause, each when a model breaks it, has the cores of the whole formula."""

    def broken(model: frozenset[int]) -> Clauses:
        return [clause for clause in later if not model.intersection(clause)]

    named = {str(literal): [[literal]] for literal in groups}
    everything = [*later, *([v, -v] for v in VARIABLES)]
    lazily, at_once = (
        smallest_core(named, [[v, -v] for v in VARIABLES], refine=broken),
        smallest_core(named, everything),
    )
    assert (lazily is None) == (at_once is None)
    if lazily is not None and at_once is not None:
        assert len(lazily[0]) == len(at_once[0])
        assert not any(satisfying([*later, *([int(name)] for name in lazily[0])]))


def test_new_clauses_and_groups_of_several_clauses_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="single literal"):
        smallest_core({"a": [[1], [2]]}, refine=lambda _: [])


@given(clauses=formulas)
def test_a_refutation_can_be_replayed_by_unit_propagation(clauses: Clauses) -> None:
    steps = refutation(clauses)
    assert (steps is None) == any(satisfying(clauses))
    known: list[Sequence[int]] = list(clauses)
    for step in steps or ():
        assert unit_propagation([*known, *([-literal] for literal in step)]) is None
        known.append(step)
    assert steps is None or steps[-1] == ()


def pigeons(holes: int) -> Clauses:
    """One pigeon more than holes: hard to refute by resolution."""
    inside = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    somewhere = [[inside[p, h] for h in range(holes)] for p in range(holes + 1)]
    alone = [[-inside[p, h], -inside[q, h]] for h in range(holes) for p in range(holes + 1) for q in range(p)]
    return somewhere + alone


def test_a_solver_stops_when_its_time_is_up() -> None:
    with Solver(pigeons(12), budget=Budget.of(0.05)) as solver, pytest.raises(OutOfTime):
        solver.solve()


def test_a_budget_that_lasts_changes_nothing() -> None:
    with Solver(pigeons(5), budget=Budget.of(600)) as solver:
        assert not solver.solve()


def test_no_time_for_a_smallest_core() -> None:
    groups = {str(n): [clause] for n, clause in enumerate(pigeons(3))}
    with pytest.raises(OutOfTime):
        smallest_core(groups, budget=Budget(deadline=0.0))
