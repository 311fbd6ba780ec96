"""The promise of `satdip explain`, for every explanation that it prints: the orders left out make no difference."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from reference import RefMap
from support.positions import draw, given_of, retreat_orders, rulebooks, turn_of
from support.promises import Tried, broken_promises

from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.lab.explain import explain, explain_all, find_unit
from satdip.notation import read_turn
from satdip.phase.position import PhaseKind
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, Rulebook

RULEBOOKS = rulebooks()
KINDS = ("dense", "dense", "coherent", "uniform")


def assert_kept(turn: Turn, rules: Rulebook, ref_map: RefMap, rng: random.Random, changes: int, tried: Tried) -> None:
    for explanation in explain_all(turn, rules):
        for change in broken_promises(explanation, rules, ref_map, rng, changes, tried):
            pytest.fail(f"under {rules.name}\n{explanation}\nbut not so {change}\n{told(turn)}")


def told(turn: Turn) -> str:
    orders = "\n".join(f"{given.power}: {given.text}" for given in turn.orders)
    return f"{turn.position.units}\n{turn.position.dislodged}\n{orders}"


def phases(rules: Rulebook, seed: int, board: Board, ref_map: RefMap) -> Iterator[Turn]:
    """Yield a movement phase, and the retreats that follow it where there are any."""
    drawn = draw(KINDS[seed % len(KINDS)], seed, ref_map)
    turn = turn_of(*drawn, board)
    yield turn
    resolution = adjudicate_turn(turn, rules)
    after = resolution.next
    if after is not None and after.phase.kind == PhaseKind.RETREATS:
        yield Turn(after, given_of(retreat_orders(random.Random(seed), after), board))


@pytest.mark.parametrize("name", RULEBOOKS)
def test_orders_that_are_left_out_make_no_difference(name: str, board: Board, ref_map: RefMap) -> None:
    tried, rng = Tried(), random.Random(name)
    seed = 1000 + 10 * list(RULEBOOKS).index(name)
    while tried.changes < 30:
        for turn in phases(RULEBOOKS[name], seed, board, ref_map):
            assert_kept(turn, RULEBOOKS[name], ref_map, rng, 2, tried)
        seed += 1


@pytest.mark.long
def test_ten_thousand_changes_over_all_rulebooks(board: Board, ref_map: RefMap) -> None:
    tried, seed = Tried(), 200_000
    while tried.changes < 10_000:
        for name, rules in RULEBOOKS.items():
            for turn in phases(rules, seed, board, ref_map):
                assert_kept(turn, rules, ref_map, random.Random(f"{name} {seed}"), 2, tried)
            seed += 1
    sys.stdout.write(f"{tried}, none false, positions {seed - 200_000}\n")


def test_a_promise_that_is_broken_is_found_out(board: Board, ref_map: RefMap) -> None:
    """One order too few is listed: the support that the convoyed army would cut, in the paradox of 6.F.14."""
    turn = read_turn("England: F Lon S F Wal-Eng, F Wal-Eng\nFrance: A Bre-Lon, F Eng C A Bre-Lon")
    whole = explain(turn, DATC, find_unit(turn, "F Wal"))
    lacking = replace(whole, orders=tuple(e for e in whole.orders if str(e.unit) != "F LON"))
    for explanation, broken in ((whole, False), (lacking, True)):
        found = list(broken_promises(explanation, DATC, ref_map, random.Random(1), 20, Tried()))
        assert bool(found) == broken
