"""Every consistent resolution: numbers, kinds and knots."""

from __future__ import annotations

import json
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from reference import RefMap
from support.commands import satdip
from support.datc_turns import DATC_COUNTS, case_turn
from support.plain_evaluator import Equations
from support.positions import Powers, describe, draw, turn_of

from satdip.base.budget import OutOfTime
from satdip.base.errors import InputError
from satdip.board import Board
from satdip.encodings.reading import FALSE, TRUE
from satdip.lab import Kind, Resolutions, resolutions
from satdip.notation import read_turn
from satdip.rulebook import DATC, rulebook_named
from satdip.solving.solver import Solver

# Case -> number of consistent resolutions and their kind, from the text of the cases: paradoxes without a resolution,
# with two, none at all; a circular movement has two (all move, or none).


@pytest.mark.parametrize("case_id", DATC_COUNTS)
def test_the_number_of_resolutions_of_a_datc_case(case_id: str, board: Board) -> None:
    found = resolutions(case_turn(case_id, board), DATC)
    assert (found.count, found.kind) == DATC_COUNTS[case_id]
    assert found.exact
    assert len(found.listed) == found.count


def test_the_older_set_up_of_6c2_leaves_the_ring_free() -> None:
    turkish = "Turkey: F Ank-Con, A Con-Smy, A Smy-Ank, A Bul S F Ank-Con"
    assert resolutions(read_turn(turkish), DATC).kind == Kind.ROTATION


def test_the_knot_of_a_paradox(board: Board) -> None:
    """6.F.14: the convoy depends on the attack, the attack on the support, the support on the convoy."""
    (core,) = resolutions(case_turn("6.F.14", board), DATC).cores
    found = resolutions(case_turn("6.F.14", board), DATC)
    arcs = {(found.name(a), found.name(b)) for a, b in found.cores[0].arcs}
    assert arcs == {
        ("F ENG C A BRE - LON", "F WAL - ENG"),
        ("F WAL - ENG", "F LON S F WAL - ENG"),
        ("F LON S F WAL - ENG", "F ENG C A BRE - LON"),
    }
    assert core.count == 2
    assert not core.is_rotation


def test_independent_knots_multiply() -> None:
    """Two paradoxes and a ring that have nothing to do with each other: 2 x 2 x 2, counted without listing them."""
    turn = read_turn(
        """
        England: F Lon S F Wal-Eng, F Wal-Eng
        France: A Bre-Lon, F Eng C A Bre-Lon
        Italy: F Nap S F Rom-Tys, F Rom-Tys
        Austria: A Tun-Nap, F Tys C A Tun-Nap
        Turkey: A Ank-Con, A Con-Smy, A Smy-Ank
        """
    )
    found = resolutions(turn, DATC, limit=3)
    assert (found.count, found.exact, found.kind) == (8, True, Kind.MIXED)
    assert len(found.listed) == 3
    assert resolutions(turn, DATC, limit=100).count == 8
    assert len({tuple(r.values) for r in resolutions(turn, DATC, limit=100).listed}) == 8


def test_an_edition_with_an_exempting_rule_has_its_own_number(board: Board) -> None:
    turn = case_turn("6.F.16", board)
    assert resolutions(turn, rulebook_named("2000")).kind == Kind.UNIQUE
    assert resolutions(turn, rulebook_named("datc+4.A.2=none")).count == 0


def test_the_recorded_paradoxes(shared: Path) -> None:
    for paradox in json.loads((shared / "paradoxes.json").read_text(encoding="utf-8")):
        turn = read_turn(json.dumps({"orders": paradox["orders"]}))
        found = resolutions(turn, DATC)
        assert found.count == paradox["resolutions"], paradox["name"]


def by_trial(found: Resolutions) -> set[frozenset[str]]:
    """Try every assignment of the undecided decisions on the plain equations: the provinces whose orders work."""
    situation = found.situation
    equations = Equations(situation.board, [(node.piece.unit, node.order) for node in situation.nodes])
    undecided = [node.at for node in situation.decisions() if node not in found.decided]
    works = dict.fromkeys(situation.pieces, True) | {n.at: value == TRUE for n, value in found.decided.items()}
    consistent = set()
    for choice in product((True, False), repeat=len(undecided)):
        works |= zip(undecided, choice, strict=True)
        if all(equations.holds(works, at) == works[at] for at in undecided):
            consistent.add(frozenset(at for at, value in works.items() if value))
    return consistent


def assert_the_number_is_right(units: Powers, orders: Powers, board: Board) -> bool:
    """Check a number of resolutions by trial, or by the product of the knots; tell whether it was not simply one."""
    found = resolutions(turn_of(units, orders, board), DATC, limit=1 << 10)
    undecided = len(found.situation.decisions()) - len(found.decided)
    told = describe(units, orders)
    if undecided <= MOST_TRIED:
        tried = by_trial(found)
        assert found.count == len(tried), told
        assert {
            frozenset(n.at for n in found.situation.nodes if r.values[n.index] == TRUE) for r in found.listed
        } == tried
    else:
        assert found.count == prod(core.count for core in found.cores), told
    assert found.exact, told
    assert found.as_theory_says, told
    return found.count != 1


MOST_TRIED = 16
"""Undecided decisions all of whose assignments are tried."""


@pytest.mark.parametrize("start", range(0, 1000, 250))
def test_the_number_is_that_of_brute_force(start: int, board: Board, ref_map: RefMap) -> None:
    several = [assert_the_number_is_right(*draw("dense", seed, ref_map), board) for seed in range(start, start + 250)]
    assert sum(several) > 100


@pytest.mark.long
@pytest.mark.parametrize("start", range(1000, 101_000, 1000))
def test_the_numbers_of_a_hundred_thousand_dense_positions(start: int, board: Board, ref_map: RefMap) -> None:
    several = [assert_the_number_is_right(*draw("dense", seed, ref_map), board) for seed in range(start, start + 1000)]
    assert sum(several) > 400


def test_what_all_share_and_what_is_in_dispute(board: Board) -> None:
    found = resolutions(case_turn("6.F.14", board), DATC)
    by_name = {found.name(node): value for node, value in found.decided.items()}
    assert by_name == {"A BRE - LON VIA": FALSE}
    assert len(found.disputed) == 3
    assert not found.backbone


def test_only_a_movement_phase_has_several() -> None:
    winter = read_turn("phase: W1901A\nunits: France A Paris\ncentres: France Paris\nFrance:\n  Waive")
    with pytest.raises(InputError, match="no movement phase"):
        resolutions(winter, DATC)


def test_the_text_names_the_knots() -> None:
    text = str(resolutions(read_turn(Path("examples/pandin.txt").read_text(encoding="utf-8")), DATC))
    assert text.startswith("no consistent resolutions (paradox-none)")
    assert "F ENG C A BRE - LON  depends on  F BEL - ENG" in text


def test_json_is_plain(board: Board) -> None:
    value: dict[str, Any] = resolutions(case_turn("6.F.22", board), DATC).to_json()
    assert json.loads(json.dumps(value)) == value
    assert value["kind"] == "paradox-several"


@pytest.mark.parametrize("raised", [OutOfTime, KeyboardInterrupt])
def test_what_is_known_when_the_search_ends_early(raised: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """The knot is known, and so is what the orders decide; nothing is said about the number."""

    def interrupted(*_: object) -> bool:
        raise raised

    monkeypatch.setattr(Solver, "solve", interrupted)
    run = satdip("resolutions", "examples/pandin.txt", "--json")
    assert run.code == 4
    assert (run.json["complete"], run.json["exact"], run.json["resolutions"]) == (False, False, [])
    assert run.json["kind"] is None
    assert len(run.json["cores"][0]["orders"]) == 3
    assert len(run.json["decided"]) == 3
    assert "The search was not finished." in satdip("resolutions", "examples/pandin.txt").out


def test_no_time_for_adjudicating() -> None:
    run = satdip("adjudicate", "examples/pandin.txt", "--timeout", "0.000001")
    assert (run.code, run.out) == (4, "")
    assert run.err == "satdip: the time is used up, and nothing is known yet\n"
