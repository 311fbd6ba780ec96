"""The promise of `satdip explain` in winter: any of the orders left out may be missing, and none of those listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.winters import winters

from satdip.adjudication import adjudicate_turn
from satdip.lab.explain import Explanation, explain, explain_all
from satdip.notation import read_turn
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Rulebook, rulebook_named

RULEBOOKS = [rulebook_named(f"datc+{choice}") for choice in ("4.D.4=first", "4.D.4=last", "4.D.4=none")]
RULEBOOKS += [rulebook_named(f"datc+{choice}") for choice in ("4.D.5=last", "4.D.5=none", "4.D.6=last", "4.D.6=none")]


def subsets(orders: Sequence[Given]) -> Iterator[tuple[Given, ...]]:
    for size in range(len(orders) + 1):
        yield from combinations(orders, size)


def numbered(turn: Turn) -> Turn:
    """Return the phase with orders that can be told apart by their texts."""
    orders = tuple(Given(one.power, one.order, f"{number}: {one.order}") for number, one in enumerate(turn.orders))
    return Turn(turn.position, orders)


def is_so(explanation: Explanation, resolution: Resolution) -> bool:
    (statement,) = explanation.claims
    if statement.text == "removed":
        return explanation.unit in resolution.automatic
    (result,) = (result for result in resolution.orders if result.checked.given == explanation.given)
    return result.success == statement.works


def assert_promise(turn: Turn, rules: Rulebook, explanation: Explanation) -> None:
    listed = [entry.given for entry in explanation.orders if entry.given is not None]
    followed = [r.checked.given for r in adjudicate_turn(turn, rules).orders if r.checked.action is not None]
    others = [one for one in turn.orders if one not in listed and one in followed]

    def claimed(orders: Sequence[Given]) -> bool:
        kept = tuple(one for one in turn.orders if one in orders)
        return is_so(explanation, adjudicate_turn(Turn(turn.position, kept), rules))

    for rest in list(subsets(others))[:64]:
        assert claimed([*listed, *rest]), f"{explanation}\nbut not with {rest}"
    needed = [one for one in listed if one != explanation.given]
    for left_out in needed if explanation.minimal else ():
        fewer = [one for one in listed if one != left_out]
        assert not all(claimed([*fewer, *rest]) for rest in list(subsets(others))[:256]), (
            f"{explanation}\nneeds no {left_out.text}"
        )


@settings(max_examples=60, deadline=None)
@given(turn=winters(), rules=st.sampled_from(RULEBOOKS))
def test_what_forces_a_winter_order(turn: Turn, rules: Rulebook) -> None:
    turn = numbered(turn)
    for explanation in explain_all(turn, rules):
        assert_promise(turn, rules, explanation)
    for unit in adjudicate_turn(turn, rules).automatic:
        assert_promise(turn, rules, explain(turn, rules, unit))


@pytest.mark.parametrize("rules", ["datc", "datc+4.D.5=last", "datc+4.D.5=none"])
def test_two_orders_of_the_same_words_are_told_apart(rules: str) -> None:
    turn = read_turn(
        """
        phase: W1901A
        centres: Russia Moscow Sevastopol StPetersburg Warsaw
        units: Russia F Rumania, A Ukraine
        Russia: Build A Moscow, Build A Moscow, Build A Warsaw
        """
    )
    results = adjudicate_turn(turn, rulebook_named(rules)).orders
    told = [one.claims[0].works for one in explain_all(turn, rulebook_named(rules))]
    assert told == [result.success for result in results]
    assert sum(told[:2]) == (0 if rules.endswith("none") else 1)
