"""What is kept from phase to phase: findings about single orders, which change nothing, and no garbage.

And what goes from process to process.
"""

from __future__ import annotations

import copy as copying
import gc
import pickle
from collections.abc import Iterator
from itertools import islice, product

import pytest
from support.positions import draw, reference_map, rulebooks, turn_of

from satdip.adjudication import adjudicate_turn
from satdip.base.memory import Shelf, remember
from satdip.board import Board
from satdip.check import CheckedOrders, check_movement, remembered
from satdip.encodings.situation import Situation
from satdip.games.stream import adjudicate_many
from satdip.notation import read_record, write_record
from satdip.notation.record import record_texts
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, Rulebook
from satdip.solving.decide import decide
from satdip.telling.serialise import resolution_to_json, result_record

SEEDS = range(100)


def turns(board: Board) -> Iterator[Turn]:
    for generator, seed in product(("uniform", "coherent", "dense"), SEEDS):
        units, orders = draw(generator, seed, reference_map())
        yield turn_of(units, orders, board)


@pytest.fixture
def collector() -> Iterator[None]:
    """Let the garbage collector wait until it is called."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("collector")
def test_adjudicating_leaves_nothing_to_the_garbage_collector(board: Board) -> None:
    records = [write_record(turn) for turn in turns(board)]
    for _ in range(2):  # the first time something is loaded
        gc.collect()
        for record in records:
            resolution = adjudicate_turn(read_record(record), DATC)
            if not resolution.is_open:
                result_record(resolution)
            resolution_to_json(resolution)
            del resolution
    assert gc.collect() == 0


def test_the_links_of_a_situation_hold_as_long_as_its_verdict_is_kept(board: Board) -> None:
    for turn in turns(board):
        checked = check_movement(turn, DATC)
        verdict = decide(Situation(board, turn.position.units, checked.actions, DATC, checked.unsupportable))
        for m in verdict.situation.moves:
            assert m in m.rivals
            assert m.target is None or m in m.target.attackers
        for c in verdict.situation.convoys:
            assert all(c in m.fleets for m in c.carried)


# ---------------------------------------------------------------------- findings about single orders


def checked_anew(turn: Turn) -> CheckedOrders:
    remembered._findings.cache_clear()
    return check_movement(turn, DATC)


def test_what_was_checked_before_makes_no_difference(board: Board) -> None:
    phases = list(turns(board))
    anew = [checked_anew(turn) for turn in phases]
    remembered._findings.cache_clear()
    for _ in range(2):
        assert [check_movement(turn, DATC) for turn in phases] == anew


def test_a_full_table_begins_anew() -> None:
    table = dict[int, int]()
    for number in range(10):
        remember(table, number, -number, most=4)
    assert table == {8: -8, 9: -9}


def test_the_tables_of_a_shelf_have_one_bound() -> None:
    shelf = Shelf[int, int](most=4)
    one, other = shelf.table("A"), shelf.table("B", 1)
    for number in range(3):
        shelf.remember(one, number, -number)
        shelf.remember(other, number, -number)
    assert (one, other) == ({2: -2}, {2: -2})
    assert shelf.table("A") is one


def test_words_that_are_no_order_are_not_kept(board: Board) -> None:
    known = record_texts._reference.cache_info().currsize
    for number in range(20):
        assert record_texts.exact_order(f"A X{number} H", board) is None
    assert record_texts._reference.cache_info().currsize == known


# ---------------------------------------------------------------------- from process to process


def test_what_is_handed_in_can_be_pickled(board: Board) -> None:
    for turn in turns(board):
        for copy in (pickle.loads(pickle.dumps(turn)), copying.deepcopy(turn)):
            assert copy.orders == turn.orders
            assert copy.position.units == turn.position.units
            assert copy.position.by_province == turn.position.by_province
            assert {unit: str(unit) for unit in copy.position.units} == {
                unit: str(unit) for unit in turn.position.units
            }
        checked = check_movement(turn, DATC)
        assert pickle.loads(pickle.dumps(checked)) == checked


@pytest.mark.parametrize("rules", rulebooks().values(), ids=list(rulebooks()))
def test_rulebooks_can_be_pickled(rules: Rulebook) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules


@pytest.mark.parametrize("rules", [None, DATC])
def test_workers_adjudicate_turns_as_records(rules: Rulebook | None, board: Board) -> None:
    phases = list(islice(turns(board), 10))
    records = [write_record(turn) for turn in phases]
    there = list(adjudicate_many(phases, rules=rules, workers=2))
    assert there == list(adjudicate_many(records, rules=rules))
