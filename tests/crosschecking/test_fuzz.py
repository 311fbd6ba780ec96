"""satdip against its own checks: they agree, and each of them sees the bugs that are planted for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from reference import adjudicate as adjudicate_by_reference
from support.commands import satdip
from support.positions import reference_map
from support.references import as_reference
from support.references import facts as reference_facts

from satdip.adjudication import adjudicate_turn
from satdip.base.budget import Budget
from satdip.crosschecking.engines import Difference
from satdip.crosschecking.fuzz import (
    CHECKS,
    KINDS,
    Case,
    Check,
    Checking,
    Finding,
    Phases,
    Report,
    checks_named,
    chosen_rules,
    disagreements,
    drawn,
)
from satdip.crosschecking.fuzz.facts import facts
from satdip.crosschecking.fuzz.laws import groups
from satdip.encodings.movement import cut_by
from satdip.encodings.paradoxes import reaches
from satdip.encodings.reading import FALSE, TRUE
from satdip.encodings.situation import Node, Situation
from satdip.notation import read_record, read_turn, write_record
from satdip.phase.minimise import restricted_to, size
from satdip.phase.orders import Order, UnitRef
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, PROFILES
from satdip.solving.decide import decide
from satdip.solving.verdict import Verdict


def vars_of(order: Order) -> list[object]:
    return [getattr(order, item.name) for item in fields(order)]


def by_reference(case: Case) -> Sequence[Difference] | None:
    """Compare with the reference adjudicator of the tests: movement, under the preferences of the DATC."""
    refs = [ref for given in case.turn.orders for ref in vars_of(given.order) if isinstance(ref, UnitRef)]
    plain = all(ref.kind is not None and ref.power is None for ref in refs)  # it reads no others
    if case.rules != DATC or case.traits.in_order or not plain:
        return None
    record: Any = write_record(case.turn)
    found = reference_facts(as_reference(case.resolution))
    expected = reference_facts(adjudicate_by_reference(reference_map(), record["units"], record["orders"]))
    wrong = [key for key, value in expected.items() if found[key] != value]
    return [Difference(key, "", (str(found[key]),), (str(expected[key]),)) for key in wrong]


REFERENCE = Check("reference", "the reference adjudicator of the tests", by_reference)
ALL_CHECKS = (*CHECKS.values(), REFERENCE)


def report_of(work: Checking, kinds: Sequence[str], seed: int, number: int) -> Report:
    results = ({"id": phase.id, **work(phase)} for phase in Phases(kinds, seed, number))
    return Report.of(results, work.checks)


def told(report: Report, work: Checking) -> str:
    """Return what a report found, made small, for the message of a failed test."""
    work.minimise(report)
    return json.dumps(report.to_json()["findings"], indent=1)


# ---------------------------------------------------------------------- satdip agrees with itself


@pytest.mark.parametrize("kind", KINDS)
def test_every_check_agrees_on_every_kind_of_phase(kind: str) -> None:
    work = Checking(ALL_CHECKS, (DATC,))
    report = report_of(work, [kind], 0, 4)
    assert not report.findings, told(report, work)
    assert all(counts.agree + counts.skipped == 4 for counts in report.counts.values())


@pytest.mark.parametrize("rules", sorted(set(PROFILES) - {"datc"}))
def test_every_check_agrees_under_every_edition(rules: str) -> None:
    work = Checking(ALL_CHECKS, chosen_rules([rules]))
    report = report_of(work, list(KINDS), 100, len(KINDS))
    assert not report.findings, told(report, work)


@pytest.mark.long
@pytest.mark.parametrize("rules", ["all", "choices"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_check_agrees_on_many_phases(kind: str, rules: str) -> None:
    work = Checking(ALL_CHECKS, chosen_rules([rules]))
    report = report_of(work, [kind], 1000, 100 if rules == "all" else 15)
    assert not report.findings, told(report, work)


def test_every_check_has_something_to_say() -> None:
    """A check that skips everything agrees with everything."""
    report = report_of(Checking(ALL_CHECKS, (DATC,)), ["dense", "wanted"], 0, 12)
    assert all(counts.agree for counts in report.counts.values()), report.counts


# ---------------------------------------------------------------------- planted bugs

Changed = Callable[[Situation, bool, str], Mapping[int, int]]
"""Decisions that a bug changes: order index -> value."""


def with_changes(changed: Changed) -> Callable[..., Verdict]:
    """Return `decide` with a bug."""

    def buggy(situation: Situation, *, fold: bool, solver: str, budget: Budget) -> Verdict:
        verdict = decide(situation, fold=fold, solver=solver, budget=budget)
        changes = changed(situation, fold, solver)
        return replace(verdict, values=[changes.get(index, value) for index, value in enumerate(verdict.values)])

    return buggy


def failing(nodes: Sequence[Node]) -> Mapping[int, int]:
    return {node.index: FALSE for node in nodes}


BUGS: dict[str, tuple[Changed, set[str]]] = {
    "folding lets every support through": (
        lambda situation, fold, _: {s.index: TRUE for s in situation.supports} if fold else {},
        {"folding", "cadical195", "glucose3", "minisat22", "certificate", "reference"},
    ),
    "one solver is wrong about moves": (
        lambda situation, _, solver: failing(situation.moves) if solver == "lingeling" else {},
        {"lingeling"},
    ),
    "one power never moves": (
        lambda situation, *_: failing([m for m in situation.moves if m.power == "AUSTRIA"]),
        {"names", "certificate", "reference"},
    ),
    "the last move fails": (
        lambda situation, *_: failing(situation.moves[-1:]),
        {"sequence", "apart", "certificate", "reference"},
    ),
    "nobody moves where there is a crowd": (
        lambda situation, *_: failing(situation.moves if len(situation.pieces) > 5 else ()),
        {"apart", "certificate", "reference"},
    ),
}
"""Bug -> the decisions that it changes, and the checks that see it: those alone vary what it hinges on."""


def found_by(report: Report) -> set[str]:
    return {finding.check for finding in report.findings.values()}


def assert_small(report: Report, work: Checking) -> None:
    """Assert that the smallest phases show the same, also when read from their records, and nothing smaller does."""
    work.minimise(report)
    assert report.complete
    checks = {check.name: check for check in work.checks}
    for finding in report.findings.values():
        small = finding.smallest
        assert small is not None
        assert small.minimal
        turn = read_record(json.loads(json.dumps(small.record)))
        assert turn.rules == small.rules.name == "datc"
        shown = disagreements(checks[finding.check], Case(turn, DATC))
        assert shown is not None
        assert finding.what in {difference.what for difference in shown}
        for unit in turn.position.units:
            fewer = restricted_to(turn, {other.province for other in turn.position.units} - {unit.province})
            shown = disagreements(checks[finding.check], Case(fewer, DATC)) or ()
            assert finding.what not in {difference.what for difference in shown}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found_and_made_small(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed, expected = BUGS[bug]
    monkeypatch.setattr("satdip.resolve.movement.decide", with_changes(changed))
    work = Checking(ALL_CHECKS, (DATC,))
    report = report_of(work, ["dense"], 0, 6)
    assert found_by(report) == expected
    assert_small(report, work)


def test_a_wrong_equation_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways through the equations and the solver agree on it; the verifier has equations of its own."""

    def own_units_cut(x: Any, s: Any, m: Any) -> int:
        return reaches(x, m) if m.power == s.power else cut_by(x, s, m)

    monkeypatch.setattr("satdip.encodings.movement.cut_by", own_units_cut)
    work = Checking(ALL_CHECKS, (DATC,))
    report = report_of(work, ["coherent"], 0, 6)
    assert found_by(report) == {"certificate", "reference"}
    assert_small(report, work)
    for finding in report.findings.values():
        assert finding.smallest is not None
        assert size(finding.smallest.turn) == 3, "one that supports, one that is supported, one that attacks"


def test_a_writer_that_loses_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_via(turn: Turn) -> dict[str, Any]:
        return json.loads(json.dumps(write_record(turn)).replace(" VIA", ""))

    monkeypatch.setattr("satdip.crosschecking.fuzz.laws.write_record", without_via)
    work = Checking(tuple(CHECKS.values()), (DATC,))
    report = report_of(work, ["dense"], 0, 12)
    assert found_by(report) == {"written"}
    work.minimise(report)
    (finding, *_) = report.findings.values()
    assert finding.smallest is not None
    assert "VIA" in json.dumps(finding.smallest.record)


def test_what_changes_from_time_to_time_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count()
    toggling = with_changes(lambda situation, *_: failing(situation.moves if next(calls) % 2 else ()))
    monkeypatch.setattr("satdip.resolve.movement.decide", toggling)
    work = Checking(checks_named(["again"]), (DATC,))
    report = report_of(work, ["dense"], 0, 2)
    assert found_by(report) == {"again"}


def test_a_disagreement_that_does_not_show_again_is_kept() -> None:
    work = Checking(ALL_CHECKS, (DATC,))
    report = Report.of([], work.checks)
    finding = report.findings["again", "order"] = Finding("again", "order")
    finding.add("dense-0", "datc", 15)
    work.minimise(report)
    assert finding.smallest is not None
    assert (finding.smallest.minimal, finding.smallest.differences) == (False, ())
    assert finding.smallest.turn == drawn("dense", 0)
    assert report.complete


def test_an_exception_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Verdict:
        raise RuntimeError("no way out")

    monkeypatch.setattr("satdip.resolve.movement.decide", broken)
    (found,) = disagreements(CHECKS["names"], Case(drawn("dense", 0), DATC)) or ()
    assert found == Difference("raised", "RuntimeError", (), ("no way out",))


# ---------------------------------------------------------------------- single checks


def test_far_units_are_adjudicated_apart() -> None:
    """Paris and Marseilles have to do with each other by Burgundy; Smyrna has to do with nobody."""
    turn = read_turn("France: A Paris - Burgundy, A Marseilles - Burgundy\nTurkey: A Smyrna - Armenia")
    assert set(groups(turn)) == {frozenset({"PAR", "MAR"}), frozenset({"SMY"})}
    assert CHECKS["apart"].differs(Case(turn, DATC)) == ()


def test_fleets_at_sea_belong_together() -> None:
    """Which routes are possible depends on all of them, whatever they are ordered (DATC 6.G.6)."""
    turn = read_turn("England: F North Sea H, F Black Sea H\nFrance: A Brest - London, A Paris H")
    assert set(groups(turn)) == {frozenset({"NTH", "BLA", "BRE"}), frozenset({"PAR"})}


@pytest.mark.parametrize(
    ("name", "sheet"),
    [
        ("sequence", "France: A Paris - Burgundy, A Paris - Gascony"),
        ("sequence", "phase: W1901A\ncentres: France Paris\nunits: Turkey A Smyrna\nFrance: Build A Paris"),
        ("names", "phase: W1901A\ncentres: France Paris\nunits: Turkey A Smyrna\nFrance: Build A Paris"),
        ("apart", "France: A Paris - Burgundy\nTurkey:\n  A Smyrna"),
        ("lingeling", "France: A Paris - Burgundy"),
    ],
)
def test_what_a_check_cannot_judge_is_skipped(name: str, sheet: str) -> None:
    """The first of two orders counts; winter knows the powers by their homes; no order is civil disorder."""
    assert CHECKS[name].differs(Case(read_turn(sheet), DATC)) is None


def test_facts_do_not_depend_on_names_that_are_given_back() -> None:
    one = adjudicate_turn(read_turn("France: A Paris - Burgundy\nGermany: A Munich - Burgundy"), DATC)
    other = adjudicate_turn(read_turn("Italy: A Paris - Burgundy\nTurkey: A Munich - Burgundy"), DATC)
    assert facts(one) != facts(other)
    assert facts(one) == facts(other, {"ITALY": "FRANCE", "TURKEY": "GERMANY"})


# ---------------------------------------------------------------------- phases


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_and_a_seed_give_one_phase(kind: str) -> None:
    assert drawn(kind, 5) == drawn(kind, 5)
    assert drawn(kind, 5) != drawn(kind, 6)


def test_the_kinds_show_what_they_are_for() -> None:
    slips = [adjudicate_turn(drawn("slips", seed), DATC) for seed in range(20)]
    outcomes = {str(result.outcome) for resolution in slips for result in resolution.orders}
    assert {"illegal", "invalid", "given", "cut", "succeeds", "fails"} <= outcomes
    assert any(result.checked.given is None for resolution in slips for result in resolution.orders)
    retreats = [adjudicate_turn(drawn("retreats", seed), DATC) for seed in range(20)]
    assert any(resolution.contested for resolution in retreats)
    assert any(
        len(resolution.next.units) > len(resolution.position.units) for resolution in retreats if resolution.next
    )
    winters = [adjudicate_turn(drawn("winter", seed), DATC) for seed in range(20)]
    assert any(resolution.built for resolution in winters)
    assert any(resolution.automatic for resolution in winters)


# ---------------------------------------------------------------------- the command


def test_the_command_counts_phases_and_rulebooks() -> None:
    run = satdip("fuzz", "--count", 3, "--kind", "dense", "--rules", "all", "--check", "names", "--json", "--quiet")
    assert run.code == 0
    expected = {"agree": 3 * len(PROFILES), "disagree": 0, "skipped": 0}
    assert run.json == {"phases": 3, "checks": {"names": expected}, "findings": [], "errors": [], "complete": True}


def test_the_command_tells_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    changed, _ = BUGS["one power never moves"]
    monkeypatch.setattr("satdip.resolve.movement.decide", with_changes(changed))
    options = ("fuzz", "--count", 4, "--kind", "dense", "--check", "names", "--quiet")
    run = satdip(*options, "--json")
    assert run.code == 1
    (finding,) = run.json["findings"]
    assert (finding["check"], finding["what"], finding["rules"]) == ("names", "order", ["datc"])
    assert finding["phases"] == run.json["checks"]["names"]["disagree"] == len(finding["sources"])
    assert finding["smallest"]["size"] == 1
    record = json.dumps(finding["smallest"]["record"])
    text = satdip(*options)
    assert text.code == 1
    assert record in text.out.splitlines()
    assert satdip("adjudicate", "-", stdin=record.encode()).code == 0


def test_a_run_is_resumed(tmp_path: Path) -> None:
    once, parts = tmp_path / "once", tmp_path / "parts"
    options = ("--kind", "all", "--check", "folding", "--check", "names", "--seed", 3, "--quiet", "--json")
    whole = satdip("fuzz", "--count", 9, "--output", once, *options)
    assert satdip("fuzz", "--count", 4, "--output", parts, *options).code == 0
    assert satdip("fuzz", "--count", 9, "--output", parts, *options).code == 2, "the file is there"
    rest = satdip("fuzz", "--count", 9, "--output", parts, "--resume", *options)
    assert rest.json == whole.json
    assert parts.read_bytes() == once.read_bytes()
    other = satdip("fuzz", "--count", 9, "--output", parts, "--resume", *options, "--rules", "1971")
    assert other.code == 2
    assert "another run" in other.err


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    options = ("--count", 14, "--check", "names", "--check", "lingeling", "--quiet")
    for jobs in (1, 2):
        assert satdip("fuzz", "--output", tmp_path / str(jobs), "--jobs", jobs, *options).code == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_an_interrupt_gives_what_is_known_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    changed, _ = BUGS["one power never moves"]
    right, calls = with_changes(changed), count()

    def interrupted(*arguments: Any, **options: Any) -> Verdict:
        if next(calls) == 11:
            raise KeyboardInterrupt
        return right(*arguments, **options)

    monkeypatch.setattr("satdip.resolve.movement.decide", interrupted)
    run = satdip("fuzz", "--kind", "dense", "--check", "names", "--json", "--quiet")
    assert run.code == 4
    assert run.json["phases"] == 5, "each is adjudicated twice"
    assert run.json["complete"] is False
    assert run.json["findings"]
    assert "interrupted; 5 phases are done and not kept: a run with --output can be resumed" in run.err


def test_an_error_outside_of_the_checks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The phase is counted, no check has anything to say about it, and the run goes on."""
    calls = count()

    def fails(*arguments: Any) -> Case:
        if next(calls) == 1:
            raise ZeroDivisionError("planted")
        return Case(*arguments)

    monkeypatch.setattr("satdip.crosschecking.fuzz.run.Case", fails)
    run = satdip("fuzz", "--kind", "dense", "--count", 3, "--check", "again", "--quiet")
    assert run.code == 1
    assert "satdip itself failed on 1 phase: ZeroDivisionError: planted, in test_fuzz:fails:" in run.out
    assert "(dense-1)" in run.out


def test_a_time_limit_gives_what_is_known_so_far() -> None:
    run = satdip(
        "fuzz", "--count", 10**6, "--kind", "winter", "--check", "again", "--timeout", 0.5, "--json", "--quiet"
    )
    assert run.code == 4
    assert not run.json["complete"]
    assert run.json["phases"] < 10**6


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--kind", "dens"), "no kind of phase is called 'dens'; the kinds are uniform, coherent, dense"),
        (("--check", "fold"), "no check is called 'fold'; the checks are folding, cadical195"),
        (("--rules", "1970"), "no rulebook is called '1970'"),
        (("--resume",), "--resume goes on with the file of --output, which is missing"),
        (("--output", "/nowhere/at/all"), "/nowhere/at/all: the file cannot be written"),
    ],
)
def test_bad_options(options: tuple[str, ...], told: str) -> None:
    run = satdip("fuzz", *options)
    assert run.code == 2
    assert told in run.err
    assert not run.out
