"""Gates, strengths and equations of `satdip.encodings.formula`, against Python's own logic and arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdip.encodings.formula import DualRail, Formula, Strength, Tag
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Interval, ThreeValued
from satdip.solving.solver import Solver, propagated

INPUTS = (2, 3, 4, 5)
"""The first variables of a formula: the inputs of every gate that is tested here."""

literals = st.sampled_from([sign * variable for variable in (TRUE, *INPUTS) for sign in (1, -1)])
lists = st.lists(literals, max_size=5)
several = st.lists(st.tuples(st.integers(0, 2), lists), min_size=2, max_size=2)
"""Two strengths: a base and literals to count."""


def with_inputs(kind: Callable[[], Formula]) -> Formula:
    formula = kind()
    assert tuple(formula.variable(f"input {number}") for number in INPUTS) == INPUTS
    return formula


def folding() -> Formula:
    return Formula()


def unfolded() -> Formula:
    return Formula(fold=False)


both_ways = pytest.mark.parametrize("kind", [folding, unfolded])


def is_true(literal: int, true: set[int]) -> bool:
    """Evaluate an input literal, when `true` are the inputs that are true."""
    return (abs(literal) in true) == (literal > 0)


def table(formula: Formula, *outputs: int) -> list[tuple[set[int], list[bool]]]:
    """Return, for each assignment of the inputs, the values that the clauses force on the outputs."""
    rows = []
    with Solver(formula.clauses) as solver:
        for values in product((True, False), repeat=len(INPUTS)):
            row = [number if value else -number for number, value in zip(INPUTS, values, strict=True)]
            true = {TRUE, *(number for number in row if number > 0)}
            forced = [solver.solve([*row, literal]) for literal in outputs]
            assert [solver.solve([*row, -literal]) for literal in outputs] == [not value for value in forced]
            rows.append((true, forced))
    return rows


def value(levels: Sequence[bool]) -> int:
    """Return the number that a unary vector stands for; no level is reached without the one below."""
    assert list(levels) == sorted(levels, reverse=True)
    return sum(levels)


# ---------------------------------------------------------------------- truth tables


@both_ways
@given(inputs=lists)
def test_conjunction_and_disjunction(inputs: list[int], kind: Callable[[], Formula]) -> None:
    formula = with_inputs(kind)
    for true, outputs in table(formula, formula.all_of(inputs), formula.any_of(inputs)):
        values = [is_true(literal, true) for literal in inputs]
        assert outputs == [all(values), any(values)]


@both_ways
@given(base=st.integers(0, 3), inputs=lists)
def test_count(base: int, inputs: list[int], kind: Callable[[], Formula]) -> None:
    formula = with_inputs(kind)
    for true, levels in table(formula, *formula.count(base, inputs)):
        assert value(levels) == base + sum(is_true(literal, true) for literal in inputs)


@pytest.mark.parametrize("size", range(11))
def test_counting_sorts_zeros_and_ones(size: int) -> None:
    """What sorts every row of zeros and ones sorts everything (Knuth, TAOCP 3, 5.3.4)."""
    for inputs in product((TRUE, FALSE), repeat=size):
        assert Formula().count(0, inputs) == (TRUE,) * inputs.count(TRUE)


@both_ways
@given(condition=literals, strengths=several)
def test_choose(condition: int, strengths: list[tuple[int, list[int]]], kind: Callable[[], Formula]) -> None:
    formula = with_inputs(kind)
    then, otherwise = (formula.count(base, inputs) for base, inputs in strengths)
    for true, levels in table(formula, *formula.choose(condition, then, otherwise)):
        chosen = strengths[0 if is_true(condition, true) else 1]
        assert value(levels) == chosen[0] + sum(is_true(literal, true) for literal in chosen[1])


@both_ways
@given(strengths=several)
def test_greater(strengths: list[tuple[int, list[int]]], kind: Callable[[], Formula]) -> None:
    formula = with_inputs(kind)
    left, right = (formula.count(base, inputs) for base, inputs in strengths)
    for true, [output] in table(formula, formula.greater(left, right)):
        one, other = (base + sum(is_true(literal, true) for literal in inputs) for base, inputs in strengths)
        assert output == (one > other)


@both_ways
@given(inputs=lists)
def test_an_equation_makes_its_variable_equal_to_the_literal(inputs: list[int], kind: Callable[[], Formula]) -> None:
    formula = with_inputs(kind)
    decision = formula.variable()
    formula.define(decision, formula.any_of(inputs))
    for true, [output] in table(formula, decision):
        assert output == any(is_true(literal, true) for literal in inputs)


# ---------------------------------------------------------------------- folding


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ([], TRUE),
        ([TRUE], TRUE),
        ([FALSE], FALSE),
        ([2], 2),
        ([-2], -2),
        ([2, TRUE], 2),
        ([2, 2], 2),
        ([2, FALSE], FALSE),
        ([2, 3, -2], FALSE),
    ],
)
def test_a_conjunction_that_is_plain_costs_nothing(inputs: list[int], expected: int) -> None:
    formula = with_inputs(folding)
    clauses, variables = len(formula.clauses), formula.variables
    assert formula.all_of(inputs) == expected
    assert formula.any_of(-literal for literal in inputs) == -expected
    assert (len(formula.clauses), formula.variables) == (clauses, variables)


def test_a_choice_that_is_made_costs_nothing() -> None:
    formula = with_inputs(Formula)
    then, otherwise, before = (2, 3), (4,), len(formula.clauses)
    assert formula.choose(TRUE, then, otherwise) == then
    assert formula.choose(FALSE, then, otherwise) == otherwise
    assert len(formula.clauses) == before


def test_the_same_gate_is_written_once() -> None:
    formula = with_inputs(folding)
    gate = formula.all_of((2, 3))
    clauses = len(formula.clauses)
    assert formula.all_of((3, TRUE, 2)) == gate
    assert formula.any_of((-2, -3)) == -gate
    assert len(formula.clauses) == clauses


def test_strengths_of_constants_are_constants() -> None:
    formula = with_inputs(folding)
    clauses = len(formula.clauses)
    three = formula.count(1, (TRUE, FALSE, TRUE))
    assert three == (TRUE, TRUE, TRUE)
    assert formula.count(0, (FALSE,)) == ()
    assert formula.choose(TRUE, three, (TRUE,)) == three
    assert formula.choose(FALSE, three, (TRUE,)) == (TRUE,)
    assert formula.choose(2, three, three) == three
    assert formula.greater(three, (TRUE, TRUE)) == TRUE
    assert formula.greater(three, three) == FALSE
    assert len(formula.clauses) == clauses


def test_without_folding_every_gate_has_a_variable() -> None:
    formula = with_inputs(unfolded)
    known = {*INPUTS, TRUE}
    assert abs(formula.all_of((2, TRUE))) not in known
    assert abs(formula.all_of(())) not in known
    assert all(abs(level) not in known for level in formula.count(0, (TRUE, FALSE)))


# ---------------------------------------------------------------------- names and tags


def test_variables_are_numbered_from_two_and_may_have_names() -> None:
    formula = Formula()
    assert [formula.variable("MOVE A PAR - BUR"), formula.variable()] == [2, 3]
    assert formula.names == {TRUE: "true", 2: "MOVE A PAR - BUR"}
    assert formula.clauses == [(TRUE,)]


def test_what_is_asserted_has_the_tag_of_its_equation() -> None:
    formula = with_inputs(folding)
    move = Tag("MOVE", "A PAR - BUR", "DATC 5.B.4")
    with formula.tagged(move):
        with formula.tagged(Tag("ROTATION")):
            formula.add((2, 3))
        formula.define(2, formula.all_of((3, 4)))
    formula.add((5,))
    tags = dict(zip(formula.clauses, map(str, formula.tags), strict=True))
    gate = formula.variables
    assert tags[2, 3] == "ROTATION()"
    assert tags[-2, gate] == tags[2, -gate] == "MOVE(A PAR - BUR) [DATC 5.B.4]"
    assert {tags[-gate, 3], tags[-gate, 4], tags[gate, -3, -4]} == {"gate()"}
    assert tags[5,] == "gate()"


def test_a_tag_ends_with_its_block_even_after_an_error() -> None:
    formula = Formula()
    with pytest.raises(ZeroDivisionError), formula.tagged(Tag("MOVE")):
        raise ZeroDivisionError
    formula.add((2,))
    assert formula.tags[-1] != Tag("MOVE")


# ---------------------------------------------------------------------- Kleene's logic in clauses

known_values = st.tuples(*(st.sampled_from([TRUE, FALSE, UNKNOWN]) for _ in INPUTS))


class Known:
    """A dual-rail formula whose inputs have three values."""

    def __init__(self, values: Sequence[int]) -> None:
        self.formula = with_inputs(lambda: DualRail(fold=False))
        self.values = {TRUE: TRUE, **dict(zip(INPUTS, values, strict=True))}
        for number, known in self.values.items():
            if known != UNKNOWN:
                self.formula.add((DualRail.rail(known * number),))

    def plain(self, literal: int) -> int:
        """Return the value of an input literal."""
        return self.values[abs(literal)] * (1 if literal > 0 else -1)

    def derived(self, literal: int) -> int:
        """Return what unit propagation finds about a literal."""
        true = propagated(self.formula.clauses)
        if DualRail.rail(literal) in true:
            assert DualRail.rail(-literal) not in true
            return TRUE
        return FALSE if DualRail.rail(-literal) in true else UNKNOWN

    def interval(self, strength: Strength) -> Interval:
        """Return the least and greatest value of a strength as far as unit propagation knows."""
        levels = [self.derived(level) for level in strength]
        return levels.count(TRUE), len(levels) - levels.count(FALSE)


def kleene(inputs: Sequence[int], *, conjunction: bool) -> int:
    return min(inputs, default=TRUE) if conjunction else max(inputs, default=FALSE)


@given(values=known_values, inputs=lists)
def test_propagation_decides_gates_as_kleene_does(values: tuple[int, ...], inputs: list[int]) -> None:
    known = Known(values)
    both, either = known.formula.all_of(inputs), known.formula.any_of(inputs)
    decided = [known.plain(literal) for literal in inputs]
    assert known.derived(both) == kleene(decided, conjunction=True)
    assert known.derived(either) == kleene(decided, conjunction=False)


@given(values=known_values, condition=literals, strengths=several)
def test_propagation_decides_strengths_as_intervals_do(
    values: tuple[int, ...], condition: int, strengths: list[tuple[int, list[int]]]
) -> None:
    known, x = Known(values), ThreeValued([])
    left, right = (known.formula.count(base, inputs) for base, inputs in strengths)
    one, other = (x.count(base, map(known.plain, inputs)) for base, inputs in strengths)
    assert (known.interval(left), known.interval(right)) == (one, other)
    chosen = known.formula.choose(condition, left, right)
    assert known.interval(chosen) == x.choose(known.plain(condition), one, other)
    assert known.derived(known.formula.greater(left, right)) == x.greater(one, other)


@given(values=known_values, inputs=lists)
def test_an_equation_is_read_forwards_only(values: tuple[int, ...], inputs: list[int]) -> None:
    known = Known(values)
    decision = known.formula.variable()
    known.formula.define(decision, known.formula.all_of(inputs))
    assert known.derived(decision) == kleene([known.plain(literal) for literal in inputs], conjunction=True)


@pytest.mark.parametrize("told", ["decision", "gate"])
def test_nothing_is_concluded_backwards(told: str) -> None:
    known = Known((UNKNOWN,) * len(INPUTS))
    decision, gate = known.formula.variable(), known.formula.all_of((2, 3))
    known.formula.define(decision, gate)
    known.formula.add((DualRail.rail(decision if told == "decision" else gate),))
    assert known.derived(decision) == TRUE
    assert known.derived(gate) == (TRUE if told == "gate" else UNKNOWN)
    assert [known.derived(number) for number in INPUTS] == [UNKNOWN] * len(INPUTS)


# ---------------------------------------------------------------------- the three-valued reading itself

three_values = st.lists(st.sampled_from([TRUE, FALSE, UNKNOWN]), max_size=4)


def completions(values: Sequence[int]) -> list[tuple[int, ...]]:
    """Return every way to decide what is unknown."""
    return list(product(*((value,) if value else (TRUE, FALSE) for value in values)))


@given(values=three_values)
def test_unknown_means_that_it_could_be_either(values: list[int]) -> None:
    x = ThreeValued([])
    for gate, plain in ((x.all_of, all), (x.any_of, any)):
        possible = {plain(value == TRUE for value in complete) for complete in completions(values)}
        assert gate(values) == (UNKNOWN if len(possible) == 2 else TRUE if possible == {True} else FALSE)


@given(base=st.integers(0, 2), values=three_values, other_base=st.integers(0, 2), other_values=three_values)
def test_a_strength_is_the_interval_of_what_it_could_be(
    base: int, values: list[int], other_base: int, other_values: list[int]
) -> None:
    x = ThreeValued([])
    one, other = x.count(base, values), x.count(other_base, other_values)
    sums = {base + complete.count(TRUE) for complete in completions(values)}
    other_sums = {other_base + complete.count(TRUE) for complete in completions(other_values)}
    assert one == (min(sums), max(sums))
    assert x.choose(UNKNOWN, one, other) == (min(sums | other_sums), max(sums | other_sums))
    assert (x.choose(TRUE, one, other), x.choose(FALSE, one, other)) == (one, other)
    outcomes = {left > right for left in sums for right in other_sums}
    assert x.greater(one, other) == (UNKNOWN if len(outcomes) == 2 else TRUE if outcomes == {True} else FALSE)
