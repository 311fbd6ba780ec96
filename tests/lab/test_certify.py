"""Certificates: what they claim is so, and they verify."""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from reference import RefMap
from support.certificates import claim, is_implied, is_refuted, says_the_same
from support.datc_turns import DATC_COUNTS, case_turn
from support.plain_evaluator import Equations
from support.positions import describe, draw, rulebooks, turn_of

from satdip.adjudication import adjudicate_turn
from satdip.base.budget import Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.check import check_movement
from satdip.datc import cases, run_case
from satdip.encodings.reading import TRUE
from satdip.lab import resolutions
from satdip.lab.certify.certificate import Certificate, certify
from satdip.lab.certify.dimacs import ENCODINGS, exported
from satdip.notation import read_record, read_turn
from satdip.phase.position import PhaseKind
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, PROFILES, rulebook_named

DATA = Path(__file__).parents[1] / "data"
TABLES = [
    pytest.param(case, slug, id=f"{case['field']}-{case['about']}-{slug}")
    for name in ("choices_matter.toml", "order_sets.toml")
    for case in tomllib.loads((DATA / name).read_text(encoding="utf-8"))["case"]
    for slug in case["results"]
]
PARADOXES = ("6.F.14", "6.F.15", "6.F.16", "6.F.17", "6.F.18", "6.F.22", "6.F.23", "6.F.24", "6.F.26", "6.F.27")
"""The cases whose text has a paradox that the equations do not resolve."""


# ---------------------------------------------------------------------- the test cases


@pytest.mark.parametrize("case_id", DATC_COUNTS)
def test_the_number_of_resolutions_of_a_datc_case(case_id: str, board: Board) -> None:
    found = claim(certify(case_turn(case_id, board), DATC).data, "resolutions")
    assert found["complete"]
    assert len(found["resolutions"]) == DATC_COUNTS[case_id][0]


@pytest.mark.parametrize("case_id", PARADOXES)
def test_the_core_of_a_paradox(case_id: str, board: Board) -> None:
    """The first step of the answer is about a core that the lab finds as well, and Szykman vetoes its convoys."""
    turn = case_turn(case_id, board)
    certificate = certify(turn, DATC)
    names = certificate.data["decisions"]
    step = claim(certificate.data, "answer")["steps"][0]
    orders = [names[number - 1] for number in step["core"]]
    cores = [
        {f"{node.power} {found.name(node)}" for node in core.nodes}
        for found in [resolutions(turn, DATC)]
        for core in found.cores
    ]
    assert {order.split(" ", 1)[1] for order in orders} in cores
    assert step["vetoes"] == [n for n, order in zip(step["core"], orders, strict=True) if order.startswith("CONVOY")]


def test_every_phase_of_the_datc_has_a_certificate() -> None:
    kinds = []
    for case in cases():
        for resolution in run_case(case).resolutions:
            certificate = certify(resolution.turn, DATC)
            assert certificate.verdict.valid
            assert says_the_same(certificate.data), case.id
            kinds.append(resolution.position.phase.kind)
    assert len(kinds) >= len(cases())
    assert set(kinds) == set(PhaseKind)


@pytest.mark.long
@pytest.mark.parametrize("name", rulebooks())
def test_every_phase_of_the_datc_under_every_choice(name: str) -> None:
    for case in cases():
        for resolution in run_case(case).resolutions:
            assert says_the_same(certify(resolution.turn, rulebooks()[name]).data), case.id


@pytest.mark.parametrize(("case", "slug"), TABLES)
def test_what_follows_from_a_choice(case: Mapping[str, Any], slug: str) -> None:
    """The tables of `test_choices_matter` and `test_order_sets` argue why each result is right."""
    rules = rulebook_named(case.get("base", "datc")).override({case["field"]: slug})
    turn = read_turn(case["sheet"])
    data, stated = certify(turn, rules).data, case["results"][slug]
    if turn.position.phase.kind != PhaseKind.MOVEMENT:
        return
    result = claim(data, "answer")["result"]
    assert (result is None) == ("open" in stated)
    if "moves" in stated and result is not None:
        moves = {f"{unit[2:].split('/')[0]} - {goal}" for unit, goal in result["moves"].items()}
        assert moves == set(filter(None, stated["moves"].split(", "))), case["why"]


# ---------------------------------------------------------------------- corpora


def test_the_recorded_paradoxes(shared: Path) -> None:
    for paradox in json.loads((shared / "paradoxes.json").read_text(encoding="utf-8")):
        turn = read_turn(json.dumps({"orders": paradox["orders"]}))
        found = claim(certify(turn, DATC).data, "resolutions")
        assert (len(found["resolutions"]), found["complete"]) == (paradox["resolutions"], True), paradox["name"]
        for rules in PROFILES.values():
            assert says_the_same(certify(turn, rules).data), (paradox["name"], rules.name)


def directed_phases(shared: Path) -> Iterator[tuple[Turn, Mapping[str, Any]]]:
    with gzip.open(shared / "peers" / "paradox_phases.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield read_record({key: record[key] for key in ("units", "orders")}), record


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
def test_the_directed_positions(step: int, shared: Path) -> None:
    """The answer that is certified is the one that another engine gives under Szykman's rule."""
    phases = list(directed_phases(shared))
    assert len(phases) == 411
    for turn, record in phases[::step]:
        certificate = certify(turn, DATC)
        assert _moves(certificate) == record["parlance_by_rule"]["szykman"]["moves"], record["id"]


def _moves(certificate: Certificate) -> dict[str, str]:
    """Return the moves that succeed, in the words of the corpus: provinces."""
    result = claim(certificate.data, "answer")["result"]
    return {unit[2:].split("/")[0]: goal.split("/")[0] for unit, goal in result["moves"].items()}


@pytest.mark.long
@pytest.mark.parametrize("name", rulebooks())
def test_the_directed_positions_under_every_choice(name: str, shared: Path) -> None:
    for turn, record in directed_phases(shared):
        assert says_the_same(certify(turn, rulebooks()[name]).data), record["id"]


@pytest.mark.parametrize("name", PROFILES)
def test_directed_positions_under_every_edition(name: str, shared: Path) -> None:
    for turn, record in islice(directed_phases(shared), 0, None, 20):
        assert says_the_same(certify(turn, PROFILES[name]).data), record["id"]


@pytest.mark.parametrize("generator", ["dense", "coherent"])
def test_random_positions(generator: str, board: Board, ref_map: RefMap) -> None:
    for seed in range(75):
        units, orders = draw(generator, seed, ref_map)
        certificate = certify(turn_of(units, orders, board), DATC)
        assert says_the_same(certificate.data), describe(units, orders)


@pytest.mark.long
@pytest.mark.parametrize("name", rulebooks())
def test_random_positions_under_every_choice(name: str, board: Board, ref_map: RefMap) -> None:
    for seed in range(1000, 1300):
        units, orders = draw("dense", seed, ref_map)
        certificate = certify(turn_of(units, orders, board), rulebooks()[name])
        assert says_the_same(certificate.data), describe(units, orders)


# ---------------------------------------------------------------------- the clauses


def test_clauses_follow_from_one_equation(board: Board, ref_map: RefMap) -> None:
    """By brute force, with plain numbers: whatever satisfies the equation that a clause names satisfies the clause.

    Values under which a move succeeds without any attack (no convoy, an own unit in the way) are left out: no equation
    of a support or convoy has to make sense of them, and the plain evaluator and the encoder do it differently.
    """
    checked = 0
    for seed in range(150):
        units, orders = draw("dense", seed, ref_map)
        turn = turn_of(units, orders, board)
        data = certify(turn, DATC, claims=["resolutions"]).data
        if len(data["decisions"]) > 10:
            continue
        plain = Equations(board, check_movement(turn, DATC).actions)
        places = [order.split()[3].split("/")[0] for order in data["decisions"]]
        clauses = claim(data, "resolutions")["refutation"]["clauses"]
        for values in product((True, False), repeat=len(places)):
            works = {**dict.fromkeys(plain.units, True), **dict(zip(places, values, strict=True))}
            if any(works[m] and plain.attack(works, m) == 0 for m in plain.moves):
                continue
            for clause in clauses:
                (number,) = clause["from"]
                if works[places[number - 1]] == plain.holds(works, places[number - 1]):
                    assert any(values[abs(n) - 1] == (n > 0) for n in clause["literals"]), describe(units, orders)
        checked += len(clauses)
    assert checked > 200


def test_a_paradox_in_four_clauses(board: Board) -> None:
    """6.F.14 by hand: the army cuts London, an uncut London drives the convoy out, a cut one does not."""
    data = certify(case_turn("6.F.14", board), DATC, claims=["resolutions"]).data
    names = {n: order.split()[0] + " " + order.split()[3] for n, order in enumerate(data["decisions"], 1)}
    assert names == {1: "SUPPORT LON", 2: "MOVE WAL", 3: "MOVE BRE", 4: "CONVOY ENG"}
    found = claim(data, "resolutions")
    assert found["resolutions"] == [[1, 2, -3, -4], [-1, -2, -3, 4]]
    assert [clause["literals"] for clause in found["refutation"]["clauses"]] == [[-1, -4], [1, -2], [-3], [2, 4]]


# ---------------------------------------------------------------------- particular claims


def test_a_ring_turns_by_a_law_of_its_own(board: Board) -> None:
    data = certify(case_turn("6.C.1", board), DATC).data
    assert len(claim(data, "resolutions")["resolutions"]) == 2
    answer = claim(data, "answer")
    assert answer["values"] == [1, 2, 3]
    assert [1, 2, 3] in [sorted(clause["from"]) for clause in answer["refutation"]["clauses"]]


def test_a_ring_that_may_not_turn(board: Board) -> None:
    data = certify(case_turn("6.C.1", board), rulebook_named("datc+VIII-rotation=forbidden")).data
    assert claim(data, "answer")["values"] == [-1, -2, -3]


def test_an_open_phase(board: Board) -> None:
    """The rules of 1971 have no answer to 6.F.18 (specification, section 2)."""
    certificate = certify(case_turn("6.F.18", board), PROFILES["1971"])
    answer = claim(certificate.data, "answer")
    assert (answer["result"], answer["refutation"], answer["steps"][0]["vetoes"]) == (None, None, [])
    assert "the rules give no answer" in certificate.verdict.claims


def test_billes_first_stage(board: Board) -> None:
    """In 6.F.14 London is not attacked in the first stage: the convoy is lost, and that stands."""
    answer = claim(certify(case_turn("6.F.14", board), rulebook_named("datc+4.A.2=bille")).data, "answer")
    assert answer["first_stage"] == {"left_out": [3], "steps": [], "routes": [-3]}
    assert answer["result"]["moves"] == {"F WAL": "ENG"}


def test_what_is_forced_is_what_all_resolutions_share(board: Board) -> None:
    turn = case_turn("6.F.23", board)
    found = resolutions(turn, DATC)
    for node in found.situation.decisions():
        values = {one.values[node.index] for one in found.listed}
        if len(values) == 2:
            with pytest.raises(InputError, match="differs between resolutions"):
                certify(turn, DATC, forced=str(node.piece.unit))
        else:
            decision = claim(certify(turn, DATC, forced=found.name(node)).data, "forced")["decision"]
            assert (decision > 0) == (values == {TRUE})


def test_nothing_is_forced_where_there_is_no_resolution(board: Board) -> None:
    with pytest.raises(InputError, match="there is none"):
        certify(case_turn("6.F.16", board), DATC, forced="F LON")


def test_an_order_that_nobody_gave_is_not_forced(board: Board) -> None:
    with pytest.raises(InputError, match="no order is called 'A PAR'"):
        certify(case_turn("6.F.14", board), DATC, forced="A PAR")


def test_more_resolutions_than_are_listed(board: Board) -> None:
    certificate = certify(case_turn("6.F.14", board), DATC, claims=["resolutions"], limit=1)
    found = claim(certificate.data, "resolutions")
    assert (len(found["resolutions"]), found["complete"], found["refutation"]) == (1, False, None)
    assert certificate.verdict.claims == ("at least 1 consistent resolution",)


def test_no_time_no_certificate(board: Board) -> None:
    with pytest.raises(OutOfTime):
        certify(case_turn("6.F.14", board), DATC, budget=Budget(deadline=0.0))


def test_a_certificate_names_a_map_that_everybody_has(board: Board) -> None:
    turn = case_turn("6.F.14", board)
    own = replace(load_board("standard"), victory=5)
    with pytest.raises(InputError, match="the map 'standard' is one of your own"):
        certify(replace(turn, position=replace(turn.position, board=own)), DATC)


def test_order_sets_are_assumed(board: Board) -> None:
    turn = read_turn("France (set 1): A Paris - Burgundy\nFrance (set 2): A Paris - Gascony")
    certificate = certify(turn, DATC)
    assert any("do not count" in sentence for sentence in certificate.verdict.assumed)
    assert certify(read_turn("France: A Paris - Burgundy"), DATC).verdict.assumed == ()


def test_the_text_tells_the_claims(board: Board) -> None:
    certificate = certify(case_turn("6.F.16", board), DATC)
    assert "exactly 0 consistent resolutions" in str(certificate)
    assert certificate._repr_html_() == f"<pre>{certificate}</pre>"


# ---------------------------------------------------------------------- other checkers


@dataclass(frozen=True)
class Exported:
    """A formula and its refutation as they are written down, and read again."""

    encoding: str
    text: str
    clauses: list[list[int]]
    steps: list[list[int]]
    proof: str
    lrat: list[str]


def formulas(board: Board) -> Iterator[Exported]:
    """Yield the formulas of all claims about the paradoxes of the DATC, in both encodings."""
    for case_id in DATC_COUNTS:
        for one in certify(case_turn(case_id, board), DATC).rests.values():
            for encoding in ENCODINGS:
                written = exported(one, case_id, encoding)
                clauses, steps = _clauses(written.cnf), _clauses(written.proof)
                yield Exported(encoding, written.cnf, clauses, steps, written.proof, written.lrat.splitlines())


def _clauses(text: str) -> list[list[int]]:
    lines = [line for line in text.splitlines() if not line.startswith(("c", "p"))]
    assert all(line.split()[-1] == "0" for line in lines)
    return [[int(word) for word in line.split()[:-1]] for line in lines]


def test_formulas_and_proofs_stand_a_second_checker(board: Board) -> None:
    for one in formulas(board):
        assert is_refuted(one.clauses, one.steps)
        comments, _, _ = one.text.partition("p cnf")
        assert all(line.startswith("c ") for line in comments.splitlines())
        assert re.search(rf"^p cnf [0-9]+ {len(one.clauses)}$", one.text, re.MULTILINE)


def test_no_clause_about_orders_can_be_left_out(board: Board) -> None:
    for one in formulas(board):
        for number in range(len(one.clauses) if one.encoding == "orders" else 0):
            assert not is_refuted(one.clauses[:number] + one.clauses[number + 1 :], one.steps)


def test_hints_name_all_that_a_step_needs(board: Board) -> None:
    """Each line of the LRAT file: a number, the clause, 0, the numbers of clauses that imply it by propagation, 0."""
    for one in formulas(board):
        known = dict(enumerate(one.clauses, 1))
        for line, step in zip(one.lrat, one.steps, strict=True):
            number, *rest = map(int, line.split())
            place = rest.index(0)
            clause, hints = rest[:place], rest[place + 1 : -1]
            assert (clause, rest[-1]) == (step, 0)
            assert is_implied([known[hint] for hint in hints], clause)
            known[number] = clause


def test_formulas_and_proofs_stand_a_verified_checker(board: Board) -> None:
    """``pip install drup``: a checker extracted from verified Why3 code."""
    drup = pytest.importorskip("drup")
    for one in formulas(board):
        assert drup.check_proof(one.clauses, one.steps).outcome.name == "VALID"
    assert drup.check_proof([[1, 2], [-1, 2]], [[1], []]).outcome.name == "INVALID"


def test_formulas_and_proofs_stand_a_drat_checker(board: Board) -> None:
    """``pip install dratify``: a checker of DRAT that reads the files as they are."""
    dratify = pytest.importorskip("dratify")
    for one in formulas(board):
        assert dratify.check_proof(dratify.parse_dimacs(one.text), one.proof).ok


def test_an_impossible_order_of_another_power_takes_no_support_away() -> None:
    """4.E.1 "still moves" is about the orders of a unit's own power: a stranger's order to it means nothing."""
    turn = read_turn(
        """
        units: England F NTH, F LON; Germany F BEL, F HOL
        France: F NTH - MAO
        England: F NTH H, F LON S F NTH
        Germany: F BEL - NTH, F HOL S F BEL - NTH
        """
    )
    rules = rulebook_named("datc+4.E.1=still-moves")
    assert not adjudicate_turn(turn, rules).dislodged
    assert certify(turn, rules).verdict.valid
