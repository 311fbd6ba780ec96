"""Why an order came out as it did: the orders that force it, tested by trying everything that the others could do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pytest
from commands import satdip
from plain_evaluator import Equations
from positions import draw, turn_of
from reference import RefMap

from satdip.board import Board
from satdip.budget import Budget, OutOfTime
from satdip.datc import cases
from satdip.datc.run import run_case
from satdip.errors import InputError
from satdip.lab.explain import Explanation, StepKind, explain, explain_all, find_unit, irrelevant
from satdip.lab.explain.freeing import Claim, Freed
from satdip.lab.phase import Movement
from satdip.movement import Verdict
from satdip.notation import read_turn
from satdip.orders import Hold, Order
from satdip.position import PhaseKind, Unit
from satdip.rulebook import DATC, PROFILES, rulebook_named
from satdip.speech import Speech
from satdip.turn import Turn

MOST_TRIED = 1_500
"""Assignments that a test tries for one explanation before it samples."""

Works = Mapping[str, bool | None]
"""Province of a unit -> whether its order works, None where it was not given."""


class Trial:
    """A movement phase judged by plain numbers, some of its orders freed.

    Args:
        movement: the phase.
        verdict: its resolution: where the paradox rule acted is taken from it.
        kept: provinces of the units whose equations must hold.
        near: provinces of the units that could matter: the rings among these must turn.
    """

    def __init__(self, movement: Movement, verdict: Verdict, kept: frozenset[str], near: frozenset[str]) -> None:
        self.board = movement.turn.position.board
        self.actions: dict[Unit, Order] = dict(movement.checked.actions)
        self.kept, self.near = kept, near
        self.vetoed = {node.at for core in verdict.cores for node in core.vetoed}

    def consistent(self, works: Works) -> bool:
        """Tell whether the equations of the kept orders hold, and rings turn that must."""
        equations, decisions = self._given(works)
        broken = any(decisions[at] != (at not in self.vetoed and equations.holds(decisions, at)) for at in self.kept)
        return not broken and all(
            self._lawful(equations, decisions, ring) for ring in equations.rings() if self.near.issuperset(ring)
        )

    def possible(self, works: Works) -> bool:
        """Tell whether no freed move does what no move can: dislodge its own power's unit, or work without a path."""
        equations, decisions = self._given(works)
        if not all(equations.path(decisions, at) for at in equations.moves if decisions[at]):
            return False
        return all(equations.power(at) != equations.power(m) for at, m in equations.dislodged(decisions).items())

    @staticmethod
    def _lawful(equations: Equations, decisions: Mapping[str, bool], ring: Sequence[str]) -> bool:
        turned = {**decisions, **dict.fromkeys(ring, True)}
        must_turn = all(equations.holds(turned, at) for at in ring)
        return not must_turn or all(decisions[at] for at in ring)

    def claimed(self, claim: Claim, works: Works) -> bool:
        """Tell whether a claim is true."""
        equations, decisions = self._given(works)
        at = claim.node.at
        order = claim.works is None or works[at] is claim.works
        return order and (claim.dislodged is None or (at in equations.dislodged(decisions)) is claim.dislodged)

    def _given(self, works: Works) -> tuple[Equations, dict[str, bool]]:
        actions = [(u, Hold(o.unit) if works[u.province] is None else o) for u, o in self.actions.items()]  # type: ignore[union-attr]
        return Equations(self.board, actions), {at: value is not False for at, value in works.items()}

    def choices(self, rng: random.Random) -> Iterator[Works]:
        """Yield everything that the orders could do: all of it, or a sample where that is too much."""
        options = {
            u.province: (True,)
            if isinstance(o, Hold)
            else (True, False)
            if u.province in self.kept
            else (True, False, None)
            for u, o in self.actions.items()
        }
        total = 1
        for several in options.values():
            total *= len(several)
        if total <= MOST_TRIED:
            for values in product(*options.values()):
                yield dict(zip(options, values, strict=True))
        else:
            for _ in range(MOST_TRIED // 10):
                yield {at: rng.choice(several) for at, several in options.items()}


def assert_forced_and_minimal(
    explanation: Explanation, rules_name: str = "datc", *, minimal_only: bool = False
) -> None:
    """Assert that the orders force the claim, and that with any one of them freed it can fail."""
    claim = explanation.formal
    if claim is None:
        return
    movement = Movement.of(explanation.turn, rulebook_named(rules_name))
    verdict = movement.decide()
    freed = Freed(movement.situation, verdict.ruling, [claim])
    kept = frozenset(entry.unit.province for entry in explanation.orders if entry.unit is not None)
    index_of = {node.at: node.index for node in movement.situation.nodes}
    near = frozenset(node.at for node in freed.nodes)
    assert freed.forced_by(index_of[at] for at in kept)
    if not minimal_only:
        trial = Trial(movement, verdict, kept, near)
        for works in trial.choices(random.Random(1)):
            if trial.possible(works) and trial.consistent(works):
                assert trial.claimed(claim, works), f"{explanation}\nfails when {works}"
    actual = {node.at: verdict.values[node.index] == 1 for node in movement.situation.nodes}
    at_of = {node.index: node.at for node in movement.situation.nodes}
    for at in kept:
        rest = kept - {at}
        failing = freed.counterexample(index_of[other] for other in rest)
        assert failing is not None, f"{explanation}\ndoes not need the order of {at}"
        if not minimal_only:
            trial = Trial(movement, verdict, rest, near)
            works = {**actual, **{at_of[index]: value for index, value in failing.items()}}
            assert trial.consistent(works)
            assert not trial.claimed(claim, works)


def datc_turns(case_id: str) -> Iterator[Turn]:
    case = next(case for case in cases() if case.id == case_id)
    yield from (resolution.turn for resolution in run_case(case).resolutions)


@pytest.mark.parametrize("case_id", [case.id for case in cases()])
def test_every_order_of_the_test_cases_has_a_smallest_explanation(case_id: str) -> None:
    for turn in datc_turns(case_id):
        for explanation in explain_all(turn, DATC):
            assert explanation.steps
            assert explanation.smallest
            assert_forced_and_minimal(explanation)


def test_the_table_has_at_least_as_many_explained_orders_as_it_prints() -> None:
    explained = sum(1 for case in cases() for turn in datc_turns(case.id) for _ in explain_all(turn, DATC))
    printed = sum(len(phase["orders"]) for case in cases() for phase in case.facts["phases"])
    assert explained >= printed >= 840


@pytest.mark.parametrize("rules", PROFILES)
def test_explanations_under_every_edition(rules: str) -> None:
    for case in cases():
        for turn in datc_turns(case.id):
            for explanation in explain_all(turn, rulebook_named(rules)):
                assert_forced_and_minimal(explanation, rules, minimal_only=True)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("generator", ["dense", "coherent"])
def test_explanations_of_random_positions(generator: str, seed: int, board: Board, ref_map: RefMap) -> None:
    units, orders = draw(generator, seed, ref_map)
    for explanation in explain_all(turn_of(units, orders, board), DATC):
        assert explanation.smallest
        assert_forced_and_minimal(explanation, minimal_only=len(units) > 8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30, 2000))
def test_explanations_of_many_random_positions(seed: int, board: Board, ref_map: RefMap) -> None:
    units, orders = draw("dense", seed, ref_map)
    for explanation in explain_all(turn_of(units, orders, board), DATC):
        assert_forced_and_minimal(explanation, minimal_only=True)


# ---------------------------------------------------------------------- what is told

BURGUNDY = """
Germany: A Mun - Bur, A Ruh S A Mun - Bur, A Mar S A Mun - Bur
France: A Par - Bur, A Gas S A Par - Bur
Italy: A Pie - Mar
"""


def told(text: str, unit: str, rules: str = "datc") -> str:
    turn = read_turn(text)
    return str(explain(turn, rulebook_named(rules), find_unit(turn, unit)))


def test_a_stand_off_told_with_its_strengths() -> None:
    """The cut support of Marseilles must be among the reasons, and Ruhr's must not: it counts, and is not enough."""
    assert told(BURGUNDY, "A Mun").splitlines() == [
        "A Munich - Burgundy fails.",
        "  1. A Marseilles Supports A Munich - Burgundy is cut: it is cut by A Piedmont.",
        "  2. A Gascony Supports A Paris - Burgundy counts: no unit attacks Gascony.",
        (
            "  3. A Munich - Burgundy fails: attack strength 2 (supported by A Ruhr) against 2 of A Paris (supported by"
            " A Gascony), which moves there too."
        ),
        (
            "  These 5 of 6 orders force it, and no fewer do: A Munich - Burgundy; A Marseilles Supports A Munich -"
            " Burgundy; A Paris - Burgundy; A Gascony Supports A Paris - Burgundy; A Piedmont - Marseilles."
        ),
    ]


STEPS = [
    # text, unit, a kind of step that it must have, words of that step
    ("Turkey: A Ank-Con, A Con-Smy, A Smy-Ank", "A Con", StepKind.ROTATION, "move round in a circle"),
    (
        "England: F Lon S F Wal-Eng, F Wal-Eng\nFrance: A Bre-Lon, F Eng C A Bre-Lon",
        "F Wal",
        StepKind.PARADOX,
        "several outcomes fit; the rule disrupts the convoy of F English Channel",
    ),
    ("France: A Par-Mun", "A Par", StepKind.CHECK, "cannot get to Munich"),
    ("France: A Par S A Mun-Bur\nGermany: A Mun H", "A Par", StepKind.CHECK, "follows no order to move to Burgundy"),
    ("France: A Par-Bur\nGermany: A Mun H", "A Par", StepKind.ORDER, "nothing stands in its way"),
    ("France: A Par-Bur\nGermany: A Bur-Mun", "A Par", StepKind.ORDER, "A Burgundy moves away"),
    ("France: A Par-Bur, A Bur H", "A Par", StepKind.ORDER, "it cannot dislodge A Burgundy of the same power"),
    ("France: A Par-Bur, A Pic S A Par-Bur\nGermany: A Bur H", "A Bur", StepKind.UNIT, "A Paris dislodges it"),
    ("France: A Par-Bur\nGermany: A Bur H", "A Bur", StepKind.UNIT, "no attack on it succeeds"),
    ("France: A Bur H", "A Bur", StepKind.UNIT, "no unit attacks Burgundy"),
]


@pytest.mark.parametrize(("text", "unit", "kind", "words"), STEPS)
def test_steps_by_kind(text: str, unit: str, kind: StepKind, words: str) -> None:
    turn = read_turn(text)
    found = explain(turn, DATC, find_unit(turn, unit))
    assert any(step.kind == kind and words in step.tell(turn) for step in found.steps), str(found)


def test_a_void_order_names_the_order_that_it_does_not_match() -> None:
    turn = read_turn("France: A Par S A Mun-Bur\nGermany: A Mun-Tyr")
    found = explain(turn, DATC, find_unit(turn, "A Par"))
    assert found.order_names() == ["A PAR S A MUN - BUR", "A MUN - TYR"]


def test_an_open_paradox_is_told_as_such() -> None:
    turn = read_turn("England: F Lon S F Wal-Eng, F Wal-Eng\nFrance: A Bre-Lon, F Eng C A Bre-Lon")
    rules = rulebook_named("datc+4.A.2=none")
    found = explain(turn, rules, find_unit(turn, "F Wal"))
    assert "the rules give no answer" in found.claim()
    assert any(step.kind == StepKind.PARADOX for step in found.steps)


def test_retreats_and_winter() -> None:
    clash = """
        phase: S1901R
        dislodged: France A Burgundy from Munich; retreats Paris, Gascony
        dislodged: Germany A Brest from Picardy; retreats Paris, Gascony
        units: Italy A Munich, Italy A Picardy
        France: A Burgundy - Paris
        Germany: A Brest - Paris
        """
    turn = read_turn(clash)
    found = explain(turn, DATC, find_unit(turn, "A Burgundy"))
    assert set(found.order_names()) == {"A BUR R PAR", "A BRE R PAR"}
    winter = read_turn(
        """
        phase: W1901A
        centres: France Paris Brest
        units: France A Picardy, France A Burgundy, France A Gascony
        France: Remove A Picardy
        """
    )
    kept = explain(winter, DATC, find_unit(winter, "A Picardy"))
    assert "France must remove 1" in str(kept)
    assert kept.order_names() == ["A PIC D"]


# ---------------------------------------------------------------------- which orders do not matter


def test_an_order_far_away_is_irrelevant() -> None:
    turn = read_turn(BURGUNDY + "\nTurkey: A Ank - Con\nAustria: A Vie H")
    assert [str(unit) for unit in irrelevant(turn, DATC)] == ["A ANK"]  # without Ruhr's support Paris would get in


@pytest.mark.parametrize("seed", range(40))
def test_without_an_irrelevant_order_all_else_is_the_same(seed: int, board: Board, ref_map: RefMap) -> None:
    units, orders = draw("coherent", seed, ref_map)
    turn = turn_of(units, orders, board)
    before = Movement.of(turn, DATC).decide()
    for unit in irrelevant(turn, DATC):
        rest = Turn(turn.position, tuple(g for g in turn.orders if g.order.unit.province != unit.province))  # type: ignore[union-attr]
        after = Movement.of(rest, DATC).decide()
        values = {n.at: after.values[n.index] for n in after.situation.nodes}
        same = {n.at: before.values[n.index] for n in before.situation.nodes if n.piece.unit != unit}
        voided = {n.at for n in after.situation.nodes if type(n) is not type(_node(before, n.at))}
        assert {at: v for at, v in same.items() if at not in voided} == {
            at: v for at, v in values.items() if at in same and at not in voided
        }
        assert before.dislodged.keys() - {unit.province} == after.dislodged.keys() - {unit.province}


def _node(verdict: Verdict, at: str) -> object:
    return next(node for node in verdict.situation.nodes if node.at == at)


# ---------------------------------------------------------------------- the command


def test_the_command_explains_one_order_and_all(tmp_path_with_orders: str) -> None:
    one = satdip("explain", tmp_path_with_orders, "A Mun - Bur", "--json").json
    assert one["claim"] == "A Munich - Burgundy fails"
    assert one["minimal"] is True
    assert one["smallest"] is True
    assert "A RUH S A MUN - BUR" not in one["orders"]
    assert one["steps"][-1]["because"] == [1, 2]
    run = satdip("explain", tmp_path_with_orders, "--json")
    assert run.code == 0
    assert len(run.json["explanations"]) == 6


@pytest.fixture
def tmp_path_with_orders(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("orders") / "burgundy.txt"
    file.write_text(BURGUNDY, encoding="utf-8")
    return str(file)


WRONG = [
    (("A Vie",), "names no unit of this phase"),
    (("--robust",), "need the unit or order"),
    (("A Mun", "--if", "Sparta"), "is called 'Sparta'"),
    (("A Mun", "--if", "France", "--irrelevant"), "ask one at a time"),
    (("A Mun", "--timeout", "0"), "timeout"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_wrong_questions(arguments: tuple[str, ...], words: str, tmp_path_with_orders: str) -> None:
    run = satdip("explain", tmp_path_with_orders, *arguments)
    assert run.code == 2
    assert words in run.err
    assert run.err.count("\n") == 1


def test_no_time_at_all_gives_what_is_known(tmp_path_with_orders: str) -> None:
    run = satdip("explain", tmp_path_with_orders, "--timeout", "0.000001", "--json")
    assert run.code == 4
    assert run.json["complete"] is False
    assert len(run.json["explanations"]) < 6


def test_an_expired_budget_stops_the_search() -> None:
    turn = read_turn(BURGUNDY)
    with pytest.raises(OutOfTime):
        explain(turn, DATC, find_unit(turn, "A Mun"), Budget(deadline=0.0))


def test_explanations_in_french() -> None:
    turn = read_turn(BURGUNDY)
    found = explain(turn, DATC, find_unit(turn, "A Mun"))
    assert "échoue" in found.tell(Speech("fr"))


def test_a_unit_that_is_not_there() -> None:
    turn = read_turn(BURGUNDY)
    stranger = Unit("ITALY", turn.position.units[0].kind, "VEN")
    with pytest.raises(InputError, match="nothing becomes of A VEN"):
        explain(turn, DATC, stranger)
    assert turn.position.phase.kind == PhaseKind.MOVEMENT
