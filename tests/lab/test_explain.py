"""Why an order came out as it did: the orders that force it, tested by trying everything that the others could do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pytest
from reference import RefMap
from support.commands import satdip
from support.positions import draw, turn_of
from support.promises import Fate, adjudicated_by_reference, is_claimed_when_fixed, order_matches

from satdip.base.budget import Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.board import Board
from satdip.datc import cases
from satdip.datc.run import run_case
from satdip.lab.explain import Explanation, StepKind, explain, explain_all, find_unit, irrelevant
from satdip.lab.explain.freeing import Freed
from satdip.lab.explain.worlds import Fate as Fates
from satdip.lab.phase import Movement
from satdip.notation import read_turn
from satdip.phase.orders import Hold
from satdip.phase.position import PhaseKind, Unit
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, PROFILES, Rulebook, rulebook_named
from satdip.solving.verdict import Verdict
from satdip.telling.speech import Speech

MOST_TRIED = 256
"""Ways for the other orders to come out that a test tries for one explanation before it samples."""


def ways(explanation: Explanation, rules: Rulebook, rng: random.Random, most: int) -> Iterator[dict[Unit, Fate]]:
    """Yield what could become of the orders that are left out: all of it, or a sample where that is too much."""
    listed = {entry.unit for entry in explanation.orders}
    acting = [u for u, o in Movement.of(explanation.turn, rules).checked.actions if not isinstance(o, Hold)]
    others = [unit for unit in acting if unit not in listed]
    if 4 ** len(others) <= most:
        every: Iterator[Sequence[Fate | str]] = product((True, False, None, "as it is"), repeat=len(others))
    else:
        every = ([rng.choice((True, False, None, "as it is")) for _ in others] for _ in range(most // 10))
    for fates in every:
        yield {unit: fate for unit, fate in zip(others, fates, strict=True) if fate != "as it is"}  # type: ignore[misc]


def assert_forced_and_minimal(
    explanation: Explanation, ref_map: RefMap, rules: Rulebook = DATC, most: int = MOST_TRIED
) -> None:
    """Assert that the orders force the claim, and that with any one of them freed it can fail."""
    claim = explanation.formal
    if claim is None:
        return
    for fates in ways(explanation, rules, random.Random(1), most):
        so = is_claimed_when_fixed(explanation, rules, ref_map, fates)
        assert so is not False, f"{explanation}\nfails when {fates}"
    movement = Movement.of(explanation.turn, rules)
    freed = Freed(movement.situation, [claim])
    nodes = {node.piece.unit: node for node in movement.situation.decisions()}
    kept = {nodes[entry.unit].index for entry in explanation.orders if entry.action and entry.unit in nodes}
    assert freed.forced_by(kept)
    made = {Fates.WORKS: True, Fates.FAILS: False, Fates.ABSENT: None}
    unit_of = {node.index: unit for unit, node in nodes.items()}
    for left_out in kept:
        failing = freed.counterexample(kept - {left_out})
        assert failing is not None, f"{explanation}\ndoes not need the order of {unit_of[left_out]}"
        fates = {unit_of[index]: made[fate] for index, fate in failing.items() if fate in made}
        if left_out != claim.node.index:  # what is not given, or has a fate of its own, is not forced
            assert is_claimed_when_fixed(explanation, rules, ref_map, fates) is False, f"{explanation}\n{fates}"


def datc_turns(case_id: str) -> Iterator[Turn]:
    case = next(case for case in cases() if case.id == case_id)
    yield from (resolution.turn for resolution in run_case(case).resolutions)


@pytest.mark.parametrize("case_id", [case.id for case in cases()])
def test_every_order_of_the_test_cases_has_a_smallest_explanation(case_id: str, ref_map: RefMap) -> None:
    for turn in datc_turns(case_id):
        for explanation in explain_all(turn, DATC):
            assert explanation.steps
            assert explanation.smallest == explanation.minimal
            assert_forced_and_minimal(explanation, ref_map)


def test_the_table_has_at_least_as_many_explained_orders_as_it_prints() -> None:
    explained = sum(1 for case in cases() for turn in datc_turns(case.id) for _ in explain_all(turn, DATC))
    printed = sum(len(phase["orders"]) for case in cases() for phase in case.facts["phases"])
    assert explained >= printed >= 840


@pytest.mark.parametrize("name", PROFILES)
def test_explanations_under_every_edition(name: str, ref_map: RefMap) -> None:
    rules = rulebook_named(name)
    for case in cases()[:: 1 if name == "1971" else 4]:
        for turn in datc_turns(case.id):
            for explanation in explain_all(turn, rules):
                assert_forced_and_minimal(explanation, ref_map, rules, most=16)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("generator", ["dense", "coherent"])
def test_explanations_of_random_positions(generator: str, seed: int, board: Board, ref_map: RefMap) -> None:
    units, orders = draw(generator, seed, ref_map)
    for explanation in explain_all(turn_of(units, orders, board), DATC):
        assert explanation.smallest
        assert_forced_and_minimal(explanation, ref_map)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(30, 2000))
def test_explanations_of_many_random_positions(seed: int, board: Board, ref_map: RefMap) -> None:
    units, orders = draw("dense", seed, ref_map)
    for explanation in explain_all(turn_of(units, orders, board), DATC):
        assert_forced_and_minimal(explanation, ref_map)


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


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        # Without any order Munich would hold, and the support would match nothing all the same.
        ("France: A Par S A Mun-Bur\nGermany: A Mun-Tyr", ["A PAR S A MUN - BUR"]),
        ("France: A Par S A Bur\nGermany: A Bur-Mun", ["A PAR S A BUR", "A BUR - MUN"]),
        ("England: F Nth C A Lon-Nwy, A Lon H", ["F NTH C A LON - NWY"]),
    ],
)
def test_a_void_order_names_the_order_that_makes_it_so(text: str, orders: list[str]) -> None:
    turn = read_turn(text)
    found = explain(turn, DATC, turn.position.units[0])
    assert found.order_names() == orders
    assert "does not count" in found.claim()
    assert found.minimal


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


def outcomes_by_reference(turn: Turn, ref_map: RefMap, fates: Mapping[Unit, Fate]) -> object:
    """Return what becomes of every order and unit by the reference adjudicator; None for a fate that cannot be."""
    actions, found = adjudicated_by_reference(Movement.of(turn, DATC), ref_map, fates)
    if not found.possible:
        return None
    return {
        unit: (order_matches(actions, unit, DATC), found.works[unit.location], unit.location in found.dislodged)
        for unit in actions
        if unit not in fates
    }


@pytest.mark.parametrize("seed", range(12))
def test_irrelevant_orders_are_those_that_change_nothing(seed: int, board: Board, ref_map: RefMap) -> None:
    turn = turn_of(*draw("dense", seed, ref_map), board)
    found = irrelevant(turn, DATC)
    for unit, order in Movement.of(turn, DATC).checked.actions:
        if isinstance(order, Hold):
            continue
        actual = outcomes_by_reference(turn, ref_map, {})
        assert isinstance(actual, dict)
        rest = {other: what for other, what in actual.items() if other != unit}
        changed = [outcomes_by_reference(turn, ref_map, {unit: fate}) for fate in (True, False, None)]
        assert (unit in found) == all(one in (None, rest) for one in changed)


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
