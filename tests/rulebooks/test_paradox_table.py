"""The convoy paradoxes of DATC 6.F under each paradox rule: the moves that succeed, cell by cell.

The table is in ``data/paradox_table.toml``; every cell there is argued from the words of its rule.
"""

from __future__ import annotations

from collections import Counter

import pytest
from support.paradoxes import CELLS, SPECIFIED, TABLE, turn_of

from satdip.adjudication import adjudicate_turn
from satdip.phase.orders import Move
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, Paradox, Rulebook


def rulebook(column: str) -> Rulebook:
    return DATC.override(TABLE["rules"][column])


def successful_moves(resolution: Resolution) -> set[str]:
    return {
        f"{result.unit.province} - {result.checked.action.destination}"
        for result in resolution.orders
        if result.success and isinstance(result.checked.action, Move) and result.unit is not None
    }


@pytest.mark.parametrize("fold", [True, False], ids=["folded", "solved"])
@pytest.mark.parametrize(("case_id", "column"), CELLS, ids=["-".join(cell) for cell in CELLS])
def test_a_cell(case_id: str, column: str, fold: bool) -> None:
    cell = CELLS[case_id, column]
    resolution = adjudicate_turn(turn_of(case_id), rulebook(column), fold=fold)
    if "open" in cell:
        assert resolution.is_open, f"there is an answer, but: {cell['why']}"
        assert len(resolution.consistent) == cell["open"], cell["why"]
        return
    assert not resolution.is_open, f"left open, but: {cell['why']}"
    assert successful_moves(resolution) == set(filter(None, cell["moves"].split(", "))), cell["why"]


def test_the_table_is_whole() -> None:
    rows, columns = SPECIFIED
    assert [(row, column) for row in rows for column in columns if (row, column) not in CELLS] == []


def test_no_cell_is_stated_twice() -> None:
    stated = Counter((cell["case"], rules) for cell in TABLE["cell"] for rules in cell["rules"])
    assert [cell for cell, times in stated.items() if times > 1] == []


def test_every_cell_is_argued() -> None:
    assert [cell["case"] for cell in TABLE["cell"] if len(cell["why"].split()) < 5] == []


def test_every_paradox_rule_has_a_column() -> None:
    assert {rulebook(column).paradox for column in TABLE["rules"]} == set(Paradox)


def test_hand_rules_as_1982() -> None:
    """The DATC reads 1982 so that not even a dislodged fleet's support is cut (6.F.17): that is Hand's amendment."""
    for case_id in {case for case, _ in CELLS}:
        turn = turn_of(case_id)
        hand, edition = (adjudicate_turn(turn, rulebook(column)) for column in ("hand", "1982"))
        assert successful_moves(hand) == successful_moves(edition), case_id


ANSWERS = {"1982", "2000-literal", "szykman", "all-hold", "dptg", "hand", "bille", "affect-cause"}
"""The rules that settle every paradox; the 1971 and 2000 rules, and of course none, leave some open."""


def test_which_rules_leave_a_paradox_open() -> None:
    assert {column for (_, column), cell in CELLS.items() if "open" in cell} == set(TABLE["rules"]) - ANSWERS
