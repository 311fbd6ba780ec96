"""The Diplomacy Adjudicator Test Cases: orders and outcomes of version 3.2, and what is known of 3.3."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from support.commands import satdip

from satdip.datc import Case, cases, run_case, section_of, version
from tools.datc_facts import facts

CASES = {case.id: case for case in cases()}

SECTIONS = {"6.A": 12, "6.B": 19, "6.C": 9, "6.D": 35, "6.E": 15, "6.F": 30, "6.G": 20, "6.H": 17, "6.I": 7, "6.J": 12}
"""How many cases each section of the document has."""

WORDS = {
    "6.B.11": "F Spain(sc) - Gulf of Lyon: illegal, the table says fails",
    "6.B.14": "Build F St Petersburg: illegal, the table says fails",
}
"""Orders that are illegal by 4.E.2 of the DATC, and that it prints as "fails" all the same."""


@pytest.mark.parametrize("fold", [True, False], ids=["folded", "solved"])
@pytest.mark.parametrize("case_id", CASES)
def test_a_case_passes(case_id: str, fold: bool) -> None:
    report = run_case(CASES[case_id], fold=fold)
    assert report.differences == ()
    assert report.passed
    assert report.words == ((WORDS[case_id],) if case_id in WORDS else ())


def test_the_table_is_whole() -> None:
    assert version() == "3.2"
    assert Counter(map(section_of, CASES)) == SECTIONS
    numbers = {
        section: [int(case.rpartition(".")[2]) for case in CASES if section_of(case) == section] for section in SECTIONS
    }
    assert numbers == {section: list(range(1, count + 1)) for section, count in SECTIONS.items()}


def test_the_table_holds_the_facts_of_the_document(shared: Path) -> None:
    documented = json.loads((shared / "datc" / "cases.json").read_text(encoding="utf-8"))
    assert [case.facts for case in CASES.values()] == [facts(case) for case in documented]


def test_the_cases_that_version_3_3_changed_pass_too(shared: Path) -> None:
    changed = json.loads((shared / "datc" / "cases_v3_3_known.json").read_text(encoding="utf-8"))
    assert [case["id"] for case in changed] == ["6.H.15", "6.H.16", "6.H.17"]
    for case in changed:
        report = run_case(Case(case["id"], facts(case)))
        assert report.differences == report.words == ()


# ---------------------------------------------------------------------- a comparison that finds nothing proves nothing


def changed(case_id: str, phase: int, order: int, *expect: str) -> Case:
    """Return a case with another outcome for one order."""
    wrong = json.loads(json.dumps(CASES[case_id].facts))
    wrong["phases"][phase]["orders"][order]["expect"] = list(expect)
    return Case(case_id, wrong)


@pytest.mark.parametrize(
    ("wrong", "differences", "words"),
    [
        pytest.param(changed("6.A.8", 0, 0, "fails"), 3, 0, id="a move that succeeds"),
        pytest.param(changed("6.A.8", 0, 1, "invalid"), 1, 0, id="a support that is given"),
        pytest.param(changed("6.A.8", 0, 2, "illegal"), 2, 0, id="a dislodged unit"),
        pytest.param(changed("6.A.8", 0, 2, "illegal", "dislodged", "destroyed"), 1, 0, id="a unit that can retreat"),
        pytest.param(changed("6.A.8", 0, 2, "fails", "dislodged"), 0, 1, id="only the word"),
        pytest.param(changed("6.H.1", 1, 0, "succeeds"), 3, 0, id="an illegal retreat"),
        pytest.param(changed("6.I.1", 0, 2, "succeeds"), 2, 0, id="a build too many"),
    ],
)
def test_a_wrong_outcome_is_found(wrong: Case, differences: int, words: int) -> None:
    report = run_case(wrong)
    assert (len(report.differences), len(report.words)) == (differences, words), report
    assert report.passed == (differences == 0)


@pytest.mark.parametrize(
    ("case_id", "change"),
    [
        pytest.param("6.J.2", {"automatic": []}, id="a unit removed by civil disorder"),
        pytest.param("6.J.1", {"automatic": [["France", "A par"]]}, id="a unit that stays"),
    ],
)
def test_a_wrong_removal_is_found(case_id: str, change: dict[str, object]) -> None:
    wrong = json.loads(json.dumps(CASES[case_id].facts))
    wrong["phases"][0] |= change
    assert not run_case(Case(case_id, wrong)).passed


def test_a_wrong_retreat_is_found() -> None:
    """The fleet in the Channel may go to Belgium, and not to London, where a fleet stands."""
    for open_to, closed, passes in ((["bel"], ["lon"], True), (["lon"], [], False), ([], ["bel"], False)):
        wrong = json.loads(json.dumps(CASES["6.F.14"].facts))
        disband = {
            "power": "France",
            "order": "Disband F English Channel",
            "unit": "F eng",
            "expect": ["succeeds", "disbanded"],
        }
        wrong["phases"].append(
            {"phase": "retreat", "orders": [disband], "retreats": [["France", "F eng", open_to, closed]]}
        )
        assert run_case(Case("6.F.14", wrong)).passed == passes


# ---------------------------------------------------------------------- the command


def test_the_scoreboard() -> None:
    run = satdip("datc", "--json")
    assert run.code == 0
    assert (run.json["cases"], run.json["passed"], run.json["version"]) == (176, 176, "3.2")
    assert run.json["sections"] == {name: {"cases": count, "passed": count} for name, count in SECTIONS.items()}
    assert run.json["failures"] == []
    assert {item["case"]: item["differences"] for item in run.json["words"]} == {k: [v] for k, v in WORDS.items()}


def test_the_scoreboard_for_people() -> None:
    lines = satdip("datc", "--no-fold").out.splitlines()
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    assert cells[-1] == ["all", "176", "176", "2"]
    assert {row[0]: row[1] for row in cells[:-1]} == {name: str(count) for name, count in SECTIONS.items()}


@pytest.mark.parametrize(("only", "count"), [("6.F.14", 1), ("6.f", 30), ("6.H", 17), ("6", 176)])
def test_some_cases(only: str, count: int) -> None:
    assert satdip("datc", "--json", "--case", only).json["passed"] == count


def test_a_chosen_case_is_shown_with_its_resolution() -> None:
    run = satdip("datc", "--case", "6.F.14", "--case", "6.C.1")
    assert run.out.index("6.C.1") < run.out.index("6.F.14")
    assert "Convoy paradox" in run.out
    assert "Circular movement" in run.out


def test_a_failing_case_gives_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdip.datc.cases", lambda: (CASES["6.A.1"], changed("6.A.8", 0, 0, "fails")))
    run = satdip("datc", "--json")
    assert run.code == 1
    assert (run.json["cases"], run.json["passed"]) == (2, 1)
    assert [failure["case"] for failure in run.json["failures"]] == ["6.A.8"]
    assert "A Venice - Trieste: succeeds, not fails" in run.json["failures"][0]["differences"]
    assert "A Venice - Trieste: succeeds, not fails" in satdip("datc").out
