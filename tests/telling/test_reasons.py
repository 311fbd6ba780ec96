"""The sentences of a result: what stands beside each order, and below the table."""

from __future__ import annotations

import pytest

from satdip import adjudicate
from satdip.board import Board
from satdip.drawing import draw_turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import rulebook_named
from satdip.telling.reasons import tell
from satdip.telling.render import summary
from satdip.telling.speech import Speech


def resolved(sheet: str, rules: str = "datc") -> Resolution:
    return adjudicate(sheet, rules=rulebook_named(rules))


def why(resolution: Resolution, unit: str, board: Board) -> list[str]:
    """Return the sentences beside the orders of a unit."""
    own = [result for result in resolution.orders if str(result.unit) == unit]
    assert own
    return [tell(reason, board) for result in own for reason in result.reasons]


OWN_FLEET = """
England: A London - Yorkshire, F North Sea C A London - Yorkshire
Russia: F Norwegian Sea - North Sea, F Skagerrak S F Norwegian Sea - North Sea
"""
BESIDE = [
    pytest.param(
        "England: A London - Tunis, F English Channel C A London - Tunis, F Western Mediterranean C A London - Tunis\n"
        "France: F Mid-Atlantic Ocean H",
        "A LON",
        ["F English Channel and F Western Mediterranean make no complete convoy route to Tunis"],
        id="a convoy that is ordered and incomplete",
    ),
    pytest.param(
        "England: A London - Tunis\nFrance: F Mid-Atlantic Ocean H, F English Channel H, F Western Mediterranean H",
        "A LON",
        ["no fleet follows an order to convoy it to Tunis"],
        id="a convoy that nobody ordered",
    ),
    pytest.param(
        "Italy: A Rome - Apulia, F Tyrrhenian Sea C A Rome - Apulia\nAustria: F Ionian Sea H",
        "A ROM",
        [
            "F Tyrrhenian Sea makes no complete convoy route to Apulia",
            "it does not go by land, because F Tyrrhenian Sea of the same power is to convoy it (DATC 4.A.3)",
        ],
        id="an own fleet's convoy that is incomplete keeps the army from walking",
    ),
    pytest.param(
        OWN_FLEET,
        "A LON",
        [
            "the convoy by F North Sea is disrupted",
            "it does not go by land, because F North Sea of the same power is to convoy it (DATC 4.A.3)",
        ],
        id="an own fleet's convoy that is disrupted, too",
    ),
    pytest.param(
        OWN_FLEET.replace("A London - Yorkshire,", "A London - Yorkshire via convoy,"),
        "A LON",
        [
            "the convoy by F North Sea is disrupted",
            "it does not go by land, because its order says by convoy (DATC 4.A.3)",
        ],
        id="as the order says",
    ),
    pytest.param(
        "Germany: A Munich - Burgundy, A Burgundy H\nFrance: A Paris - Burgundy",
        "A MUN",
        ["it cannot dislodge A Burgundy of the same power"],
        id="an own unit in the way, and nothing of a strength of 0",
    ),
    pytest.param(
        "Germany: A Munich - Burgundy, A Burgundy H\n"
        "England: A London - Picardy, F English Channel C A London - Picardy, A Picardy - Burgundy\n"
        "France: F Brest - English Channel, F Mid-Atlantic Ocean S F Brest - English Channel",
        "A MUN",
        ["it cannot dislodge A Burgundy of the same power"],
        id="whatever else moves there",
    ),
    pytest.param(
        "Germany: A Munich - Burgundy, A Ruhr S A Munich - Burgundy\n"
        "France: A Burgundy H, A Paris S A Munich - Burgundy",
        "A MUN",
        [
            ("it dislodges A Burgundy with attack strength 2 (supported by A Ruhr) against hold strength 1"),
            "the support of A Paris does not help to dislodge A Burgundy, a unit of its own power",
        ],
        id="a support that does not count is named where the attack succeeds",
    ),
    pytest.param(
        "Austria: A Munich - Burgundy, A Ruhr S A Munich - Burgundy\nFrance: A Burgundy - Munich, A Paris H",
        "A BUR",
        [
            "attack strength 1 against 2 of A Munich (supported by A Ruhr), head to head",
            "dislodged by A Munich with attack strength 2 (supported by A Ruhr) against 1, head to head",
        ],
        id="a head-to-head battle is told with the strength that counts in it",
    ),
]


@pytest.mark.parametrize(("sheet", "unit", "sentences"), BESIDE)
def test_the_sentences_beside_an_order(sheet: str, unit: str, sentences: list[str], board: Board) -> None:
    assert why(resolved(sheet), unit, board) == sentences


def test_a_paradox_rule_lets_a_move_fail(board: Board) -> None:
    sheet = (
        "England: F London S F Wales - English Channel, F Wales - English Channel\n"
        "France: A Brest - London, F English Channel C A Brest - London"
    )
    found = resolved(sheet, "datc+4.A.2=all-hold")
    for unit in ("F WAL", "A BRE"):
        assert why(found, unit, board) == ["the rule for convoy paradoxes lets it fail (DATC 4.A.2)"]
    own_choice = resolved(sheet, "1971+4.A.2=none+fallback=all-hold")
    assert why(own_choice, "F WAL", board) == ["the rule for convoy paradoxes lets it fail"]


DISORDER = """
units: France A Paris, A Burgundy; Germany A Gascony
France: A Paris - Gascony, A Burgundy S A Paris - Gascony
"""


def test_a_unit_that_civil_disorder_removes_is_not_said_to_have_no_retreat(board: Board) -> None:
    found = resolved(DISORDER, "seed")
    [result] = [result for result in found.orders if str(result.unit) == "A GAS"]
    assert (result.dislodged, result.destroyed, result.disbanded) == (True, False, True)
    assert why(found, "A GAS", board)[-1] == "A Gascony belongs to a power in civil disorder and is removed"
    told = list(summary(found))
    assert "Removed by civil disorder: Germany's A Gascony." in told
    assert not any("no retreat" in sentence for sentence in told)
    assert list(map(str, found.automatic)) == list(map(str, found.removed)) == ["A GAS"]
    assert any("may retreat" in sentence for sentence in summary(resolved(DISORDER, "datc")))
    assert "dislodged, and removed in civil disorder" in draw_turn(found)


def test_retreats_to_one_place_are_no_stand_off(board: Board) -> None:
    sheet = """
    phase: S1901R
    units: Germany A Ruhr, A Gascony
    dislodged: France A Paris from Gascony; Italy A Munich from Ruhr
    France: A Paris - Burgundy
    Italy: A Munich - Burgundy
    """
    found = resolved(sheet)
    told = list(summary(found))
    assert "A Paris and A Munich retreat to the same place, Burgundy, and are disbanded." in told
    assert not any("stand-off" in sentence for sentence in told)
    assert why(found, "A PAR", board) == ["A Munich retreats there too"]
    french = " ".join(summary(found, Speech("fr")))
    assert "se replient au même endroit, en Bourgogne, et sont dissoutes." in french


def test_what_an_open_phase_leaves_behind_is_not_told_as_known() -> None:
    """Whether the fleet in the Ionian Sea is dislodged is open, and so is where the army from Munich may go."""
    sheet = """
    Italy: F Rome S F Ionian Sea - Tyrrhenian Sea, F Ionian Sea - Tyrrhenian Sea
    Russia: F Tyrrhenian Sea C A Tuscany - Rome, A Tuscany - Rome
    Russia: F Apulia S F Naples - Ionian Sea, F Naples - Ionian Sea
    France: A Burgundy - Munich, A Ruhr S A Burgundy - Munich
    Germany: A Munich H
    """
    found = resolved(sheet, "datc+4.A.2=none")
    assert found.is_open
    assert [(str(item.unit), item.retreats) for item in found.dislodged] == [("A MUN", None)]
    assert not found.contested
    assert not found.removed
    told = list(summary(found))
    assert "Germany's A Munich is dislodged." in told
    assert not any("may retreat" in sentence or "no retreat" in sentence for sentence in told)


def test_stand_offs_in_one_place_or_several() -> None:
    one = "France: A Paris - Burgundy\nGermany: A Munich - Burgundy\n"
    assert "Closed by a stand-off: Burgundy." in list(summary(resolved(one)))
    two = f"{one}Russia: A Warsaw - Silesia\nAustria: A Bohemia - Silesia"
    assert "Closed by stand-offs: Burgundy, Silesia." in list(summary(resolved(two)))


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("datc", "another build of France in Brest takes precedence (DATC 4.D.5)"),
        ("datc+4.D.5=none", "France ordered several builds in Brest, and none of them counts (DATC 4.D.5)"),
        ("datc+4.D.4=none", "France ordered more builds than it has, and none of them counts (DATC 4.D.4)"),
    ],
)
def test_two_builds_in_one_place(rules: str, sentence: str, board: Board) -> None:
    sheet = """
    phase: W1901A
    centres: France Paris Brest Marseilles
    units: France A Picardy
    France: Build A Brest, Build F Brest, Build A Paris
    """
    told = [tell(reason, board) for result in resolved(sheet, rules).orders for reason in result.reasons]
    assert sentence in told
    assert not any("no build left" in one for one in told)
