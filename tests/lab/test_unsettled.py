"""What an edition does not settle is told when, and only when, the result depends on it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reference import RefMap
from support.commands import satdip
from support.positions import draw, turn_of

from satdip import adjudicate
from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.lab.unsettled import Mattered, choices_that_mattered
from satdip.notation import read_turn
from satdip.phase.orders import Move
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, PROFILES, issues, rulebook_named

SILENT_ON_COASTS = "France: F Gascony - Spain"
KIDNAPPED = """
England: A Norway - Sweden
Germany: F Skagerrak C English A Norway - Sweden
Russia: A Sweden - Norway
"""
SECOND_ORDER = """
England: F Edinburgh - North Sea, F London S F Edinburgh - North Sea
France: F Belgium S F Picardy - English Channel, F Picardy - English Channel
Germany: A Brest - London, F English Channel C A Brest - London
Russia: A Norway - Belgium, F North Sea C A Norway - Belgium
"""
"""As 6.F.22, which the 1971 rules leave open."""


def mattered(sheet: str, rules: str) -> list[Mattered]:
    return list(choices_that_mattered(read_turn(sheet), rulebook_named(rules)))


def told(sheet: str, rules: str) -> dict[str, list[str]]:
    """Section -> the other answers under which the result would be another."""
    return {item.issue.section: [c.slug for c in item.would_differ] for item in mattered(sheet, rules)}


# ---------------------------------------------------------------------- when it mattered


@pytest.mark.parametrize(
    ("sheet", "rules", "expected"),
    [
        pytest.param(SILENT_ON_COASTS, "1971", {"4.B.2": ["fails"]}, id="the only coast is taken"),
        pytest.param(
            "England: A London - Yorkshire, F North Sea C A London - Yorkshire\n"
            "Russia: F Norwegian Sea - North Sea, F Skagerrak S F Norwegian Sea - North Sea",
            "2023",
            {"4.A.3": ["tag-or-own-fleet-else-land"]},
            id="2023 is silent on a way back to the land route",
        ),
        pytest.param(
            "England: A Belgium - Holland, F North Sea C A Belgium - Holland, A Ruhr S A Belgium - Holland\n"
            "Germany: A Holland",
            "2000",
            {"4.A.5": ["open"]},
            id="only the retreats differ",
        ),
        pytest.param(
            "phase: W1901A\ncentres: Russia Moscow, Warsaw\nunits: Russia A Warsaw\nRussia: Build F Moscow",
            "1982",
            {"4.C.4": ["army"]},
            id="a build",
        ),
        pytest.param(
            "England: A Norway - Sweden, F Skagerrak C A Norway - Sweden\nRussia: A Sweden - Norway",
            "seed",
            {"VIII-exchange": ["forbidden"]},
            id="the seed by its letter forbids every exchange",
        ),
        pytest.param(
            "France (set 1): A Paris - Burgundy\nFrance (set 2): A Paris - Picardy",
            "1971",
            {"4.D.1": ["combined", "first"]},
            id="which of two order sets counts",
        ),
        pytest.param(
            f"{SECOND_ORDER}Italy: F Gascony - Spain",
            "1971",
            {"4.B.2": ["fails"]},
            id="also where the rules give no answer",
        ),
    ],
)
def test_what_mattered(sheet: str, rules: str, expected: dict[str, list[str]]) -> None:
    found = told(sheet, rules)
    assert {section: found.get(section) for section in expected} == expected


def test_an_issue_that_only_a_silent_edition_opens() -> None:
    """Both editions take the only coast; 1971 does not say so, and the DATC states it as a preference."""
    assert told(SILENT_ON_COASTS, "datc") == {}
    assert told(SILENT_ON_COASTS, "datc+4.B.2=a") == {}
    assert told(SILENT_ON_COASTS, "1971+4.B.2=a") == {}


FOREIGN = """
units: Germany A Munich, A Ruhr; France A Paris, A Belgium
Germany: A Munich - Burgundy, A Ruhr H
France: A Paris S A Munich - Burgundy, A Belgium H
"""


def test_a_support_that_changes_nothing_did_not_matter() -> None:
    """The support leaves out the nationality: it may be illegal, but the army gets to Burgundy anyway."""
    assert told(FOREIGN, "1971") == {}
    assert told(FOREIGN.replace("A Ruhr H", "A Ruhr - Burgundy"), "1971") == {"4.C.5": ["illegal"]}


def test_a_cut_convoy_order_that_carries_nobody_did_not_matter() -> None:
    sheet = "England: F North Sea C A Norway - Denmark\nRussia: A Norway - Finland"
    assert told(sheet, "1971") == {}


def test_an_answer_that_the_edition_rules_out_is_no_reading() -> None:
    """2000 and 2023 say when an army goes by convoy; they leave open what becomes of it when that is broken."""
    for name in ("2000", "2023"):
        rules = PROFILES[name]
        [issue] = [issue for issue in issues() if issue.section == "4.A.3"]
        assert [choice.slug for choice in rules.open_answers(issue)] == ["tag-or-own-fleet-else-land"]
        assert all(not rules.open_answers(issue) for issue in issues() if rules.settles(issue))


def test_nothing_mattered() -> None:
    assert told("France: A Paris - Burgundy\nGermany: A Munich - Burgundy", "1971") == {}


def test_what_the_edition_settles_is_not_told() -> None:
    """The exchange of places rests on the edition's own rule on convoys to a neighbour."""
    assert not PROFILES["1971"].unsettled & {"adjacent_convoy"}
    assert told(KIDNAPPED, "1971") == {}


def test_a_rulebook_without_an_answer() -> None:
    """An open paradox can hang on an unsettled choice, here of an order that leaves out the kind of its unit."""
    sheet = """
    units: England F London, F Wales; France A Brest, F English Channel
    England: London S F Wales - English Channel, F Wales - English Channel
    France: A Brest - London, F English Channel C A Brest - London
    """
    rules = replace(rulebook_named("1971+4.A.2=none"), unsettled=frozenset({"missing_kind"}))
    [item] = choices_that_mattered(read_turn(sheet), rules)
    assert (item.issue.section, item.used.slug, [c.slug for c in item.would_differ]) == ("4.C.1", "legal", ["illegal"])
    assert adjudicate(sheet, rules=rules).is_open
    assert not adjudicate(sheet, rules=rules.override({"4.C.1": "illegal"})).is_open


# ---------------------------------------------------------------------- the law


def same_result(one: Resolution, other: Resolution) -> bool:
    """Compare what happens on the board, as the words of the module say."""
    if one.is_open or other.is_open:
        return one.is_open == other.is_open and {r.outcome for r in one.orders} == {r.outcome for r in other.orders}
    retreats = [{item.unit: item.retreats for item in resolution.dislodged} for resolution in (one, other)]
    moved = [
        {r.unit for r in resolution.orders if r.success and isinstance(r.checked.action, Move)}
        for resolution in (one, other)
    ]
    return (
        moved[0] == moved[1]
        and retreats[0] == retreats[1]
        and set(one.removed) == set(other.removed)
        and set(one.following.units) == set(other.following.units)
    )


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_exactly_the_unsettled_choices_that_change_the_result_are_told(
    name: str, board: Board, ref_map: RefMap
) -> None:
    rules = PROFILES[name]
    some = 0
    for seed in range(20):
        turn = turn_of(*draw("dense", seed, ref_map), board)
        one = adjudicate_turn(turn, rules)
        if one.is_open:
            continue
        expected = {
            (issue.field, choice.slug)
            for issue in issues()
            for choice in issue.choices
            if issue.field in rules.unsettled
            and choice not in rules.ruled_out
            and not same_result(one, adjudicate_turn(turn, rules.override({issue.field: choice.slug})))
        }
        found = {
            (item.issue.field, choice.slug)
            for item in choices_that_mattered(turn, rules)
            for choice in item.would_differ
        }
        assert found == expected
        some += len(found)
    assert bool(some) == (rules != DATC), "the positions show too little"


# ---------------------------------------------------------------------- the command line


def test_it_is_told_below_the_table() -> None:
    run = satdip("adjudicate", "-", "--rules", "1971", stdin=SILENT_ON_COASTS.encode())
    text = " ".join(run.out.split())
    assert (
        "Not settled by the 1971 rules, and it mattered: 4.B.2 no coast named, one possible: we use 'taken' "
        "(The fleet moves to the only coast that it can reach); under 'fails' the result is another."
    ) in text


def test_several_answers_are_joined() -> None:
    sheet = "Italy: A Spain\nFrance: F Gascony S F Portugal - Spain\nEngland: F Portugal - Spain(nc)"
    run = satdip("adjudicate", "-", "--rules", "1971", stdin=sheet.encode())
    assert "under 'required' or 'own-only' the result is another" in " ".join(run.out.split())


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("datc", []),
        (
            "1971",
            [
                {
                    "section": "4.B.2",
                    "title": "no coast named, one possible",
                    "used": "taken",
                    "would_differ": ["fails"],
                }
            ],
        ),
    ],
)
def test_it_is_in_the_json(rules: str, expected: list[object]) -> None:
    run = satdip("adjudicate", "-", "--rules", rules, "--json", stdin=SILENT_ON_COASTS.encode())
    assert run.json["unsettled"] == expected


def test_nothing_is_told_where_nothing_mattered() -> None:
    run = satdip("adjudicate", "-", "--rules", "1971", stdin=b"France: A Paris - Burgundy")
    assert "Not settled" not in run.out
