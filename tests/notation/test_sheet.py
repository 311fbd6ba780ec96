"""Order sheets: the turn as text."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.any_turns import A, F, turns, units

from satdip.base.errors import InputError, Where
from satdip.board import Board
from satdip.notation import Notation, read_record, read_sheet, read_turn, write_sheet
from satdip.phase.orders import Build, Disband, Hold, Move, Order, Retreat, Support, Unclear, UnitRef, Waive
from satdip.phase.position import Dislodged, Unit
from satdip.phase.turn import Turn

REFUSED = tomllib.loads((Path(__file__).parents[1] / "data" / "sheets_refused.toml").read_text(encoding="utf-8"))[
    "sheet"
]


def orders(turn: Turn) -> list[tuple[str, Order]]:
    return [(given.power, given.order) for given in turn.orders]


# ---------------------------------------------------------------------- one sheet of each kind


def test_a_movement_sheet() -> None:
    turn = read_sheet(
        """\
map: standard
rules: 1971
phase: F1902M
England:
  F London Supports F Wales - English Channel
  F Edinburgh

France:        # the enemy
  A Brest - Paris
"""
    )
    assert turn.rules == "1971"
    assert turn.position.board.name == "standard"
    assert str(turn.position.phase) == "F1902M"
    assert units(turn) == ["ENGLAND F LON", "ENGLAND F EDI", "FRANCE A BRE"]
    assert orders(turn) == [
        ("ENGLAND", Support(UnitRef("LON", F), UnitRef("WAL", F), "ENG")),
        ("FRANCE", Move(UnitRef("BRE", A), "PAR")),
    ]
    assert turn.orders[1].text == "A Brest - Paris"
    assert turn.orders[1].where == Where(None, line=9, column=3)
    assert not turn.position.centres


def test_a_retreat_sheet() -> None:
    turn = read_sheet(
        """\
phase: S1901R
units: Germany A Burgundy
dislodged: France A Burgundy from Munich; retreats Paris, Gascony
France:
  A Burgundy - Paris
"""
    )
    assert units(turn) == ["GERMANY A BUR"]
    unit = Unit("FRANCE", A, "BUR")
    assert turn.position.dislodged == (Dislodged(unit, frozenset({"PAR", "GAS"}), "MUN"),)
    assert orders(turn) == [("FRANCE", Retreat(UnitRef("BUR", A), "PAR"))]


def test_an_adjustment_sheet() -> None:
    turn = read_sheet(
        """\
phase: W1901A
centres: Russia Moscow Sevastopol StPetersburg Warsaw Rumania; Turkey Ankara, Constantinople
units: Russia F Sevastopol, A Warsaw, A Moscow; Turkey A Smyrna
units: Turkey F Black Sea
Russia:
  Build F St Petersburg(nc)
  Waive
Turkey: Remove A Smyrna
"""
    )
    assert units(turn) == ["RUSSIA F SEV", "RUSSIA A WAR", "RUSSIA A MOS", "TURKEY A SMY", "TURKEY F BLA"]
    assert turn.position.centres == {
        "RUSSIA": frozenset({"MOS", "SEV", "STP", "WAR", "RUM"}),
        "TURKEY": frozenset({"ANK", "CON"}),
    }
    assert orders(turn) == [
        ("RUSSIA", Build(UnitRef("STP/NC", F))),
        ("RUSSIA", Waive()),
        ("TURKEY", Disband(UnitRef("SMY", A))),
    ]


def test_the_example_of_the_rulebook_of_1971() -> None:
    turn = read_sheet(
        "GERMANY: A Ber (H), A Mun-Sil\nRUSSIA: A Pru-Ber, A Sil (S) A Pru-Ber; A Boh-Mun; A Tyr (S) A Boh-Mun.\n"
    )
    assert len(turn.orders) == 6
    assert units(turn)[0] == "GERMANY A BER"
    assert orders(turn)[-1] == ("RUSSIA", Support(UnitRef("TYR", A), UnitRef("BOH", A), "MUN"))
    assert turn.orders[-1].where == Where(line=2, column=len("RUSSIA: A Pru-Ber, A Sil (S) A Pru-Ber; A Boh-Mun; A"))


# ---------------------------------------------------------------------- how sheets are written by people


@pytest.mark.parametrize(
    "text",
    [
        "France:\n  A Paris Holds\n  F Brest",
        "France: A Paris Holds; F Brest",
        "FRANCE: a par h, f bre",
        "\ufeffFrance:\r\n\r\n  A Paris Holds\r\n  F Brest\r\n",
        "France\nA Paris Holds\nF Brest",
        "French:\rA Paris Holds # stays\r# nothing here\rF Brest",
        "Fra:\n\tA Paris (H)\n\tF Brest",
        "France: A Paris Holds\nFrance: F Brest",
        "phase: s1901m\nmap: standard\nFrance: A Paris Holds; F Brest",
        "France: A Paris Holds\nEngland:\nFrance: F Brest\nboard: standard",
        "units: France A Paris, F Brest\nFrance: A Paris Holds",
    ],
)
def test_layout_does_not_count(text: str) -> None:
    turn = read_sheet(text)
    assert units(turn) == ["FRANCE A PAR", "FRANCE F BRE"]
    assert orders(turn) == [("FRANCE", Hold(UnitRef("PAR", A)))]
    assert str(turn.position.phase) == "S1901M"


def test_a_misspelt_heading_is_understood_and_noted() -> None:
    turn = read_sheet("Frnace:\n  A Pariss - Bur")
    assert orders(turn) == [("FRANCE", Move(UnitRef("PAR", A), "BUR"))]
    assert [str(note) for note in turn.orders[0].notes] == ["Frnace read as France", "Pariss read as Paris"]


def test_units_come_from_the_orders_whatever_these_leave_out() -> None:
    turn = read_sheet(
        """\
England: Norwegian Sea - Norway; Paris H     # a fleet at sea, an army inland
France: F Spain - Mao; F Spain(nc) H         # the coast is named once
Italy: A Greece(nc) H                        # an army needs no coast
Germany: Russian A Moscow H                  # somebody else's unit
"""
    )
    assert units(turn) == ["ENGLAND F NWG", "ENGLAND A PAR", "FRANCE F SPA/NC", "ITALY A GRE", "RUSSIA A MOS"]
    assert len(turn.orders) == 6


def test_a_sound_position_lets_impossible_orders_pass() -> None:
    turn = read_sheet("units: England F London\nGermany: A Munich - Kiel\nEngland: F Lon - Mun; F Lon - Nth; A Liv H")
    assert units(turn) == ["ENGLAND F LON"]
    assert [type(order) for _, order in orders(turn)] == [Move, Move, Move, Unclear]


def test_retreats_are_unknown_or_none_as_written() -> None:
    turn = read_sheet("phase: F1905R\ndislodged: France A Bur; F Bre retreats none\ndislodged: Italy F Rom from Nap\n")
    assert [(str(d.unit), d.retreats, d.attacker_from) for d in turn.position.dislodged] == [
        ("A BUR", None, None),
        ("F BRE", frozenset(), None),
        ("F ROM", None, "NAP"),
    ]
    assert turn.position.dislodged[1].unit.power == "FRANCE"


def test_a_convoyed_retreat_stays_a_move_for_the_rules_to_refuse() -> None:
    turn = read_sheet("phase: S1901R\ndislodged: England A Hol\nEngland: A Hol - Yor via convoy")
    assert orders(turn) == [("ENGLAND", Move(UnitRef("HOL", A), "YOR", via=True))]


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["about"])
def test_an_unsound_sheet_is_refused_where_it_is_wrong(row: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        read_sheet(row["text"], "orders.txt")
    assert row["says"] in caught.value.message
    assert caught.value.where == Where("orders.txt", row["line"], row["column"])


def test_a_lenient_reading_counts_an_unreadable_line_as_no_order() -> None:
    text = "Dear all,\nFrance:\n  A Par - Bur\n  see you tomorrow\n  Note: bring beer"
    turn = read_sheet(text, lenient=True)
    assert units(turn) == ["FRANCE A PAR"]
    assert [given.text for given in turn.orders] == ["A Par - Bur", "see you tomorrow", "Note: bring beer"]
    unreadable = turn.orders[1].order
    assert isinstance(unreadable, Unclear)
    assert unreadable.meanings == ()
    assert unreadable.unit is None
    with pytest.raises(InputError):
        read_sheet(text)


@pytest.mark.parametrize(
    ("lines", "there"),
    [
        ("A Paris xx", ["FRANCE A PAR"]),
        ("A Pars xx", ["FRANCE A PAR"]),
        ("F Mid-Atlantic - Spain (q)", ["FRANCE F MAO"]),
        ("Army in the Paris region", ["FRANCE A PAR"]),
        ("A Paris S A Marseilles - Brugundyland", ["FRANCE A PAR"]),
        ("A Paris xx\n A Paris - Burgundy", ["FRANCE A PAR"]),
        ("German A Ruhr ??", ["GERMANY A RUH"]),
    ],
)
def test_no_unit_vanishes_by_a_lenient_reading(lines: str, there: list[str]) -> None:
    turn = read_sheet(f"France:\n {lines}", lenient=True)
    assert units(turn) == there
    record = {"orders": {"FRANCE": lines.split("\n ")}}
    assert sorted(map(str, read_record(record, lenient=True).position.units)) == [
        text.split(" ", 1)[1] for text in there
    ]


@pytest.mark.parametrize(
    "line",
    ["F Nrotheia - Norway", "A ???", "Vienn4xx - Trieste", "please order A Paris to go home", "F (", "hold Paris!!"],
)
def test_a_line_whose_unit_nobody_can_make_out_is_refused_by_a_lenient_reading_too(line: str) -> None:
    """Unless a header tells which units there are."""
    with pytest.raises(InputError, match="only the orders tell which units there are") as caught:
        read_sheet(f"France:\n A Brest H\n {line}", "orders.txt", lenient=True)
    assert (caught.value.where.source, caught.value.where.line) == ("orders.txt", 3)
    with pytest.raises(InputError, match="only the orders tell") as caught:
        read_record({"orders": {"FRANCE": ["A BRE H", line]}}, lenient=True)
    assert caught.value.where.path == "$.orders.FRANCE[1]"
    turn = read_sheet(f"units: France A Brest\nFrance:\n A Brest H\n {line}", lenient=True)
    assert [given.text for given in turn.orders] == ["A Brest H", line]


def test_a_lenient_reading_keeps_a_unit_in_winter() -> None:
    turn = read_sheet("phase: W1901A\ncentres: France Paris\nFrance:\n A Paris xx\n F Brest", lenient=True)
    assert units(turn) == ["FRANCE A PAR", "FRANCE F BRE"]


def test_orders_below_a_heading_that_nobody_understands_are_nobodys() -> None:
    for sheet in ("England: F London H\nFrnce xx:\n A Paris H", "England: F London H\nFrnce xx: A Paris H"):
        with pytest.raises(InputError):
            read_sheet(sheet, lenient=True)


def test_what_a_lenient_reading_passes_over_is_listed() -> None:
    turn = read_sheet("Dear all,\nsee below: thanks\nFrance:\n A Paris H\n see you", "orders.txt", lenient=True)
    assert [(remark.where.line, remark.what.split(":")[0]) for remark in turn.remarks] == [
        (1, "'Dear all' is passed over"),
        (2, "'see below"),
    ]
    assert [given.text for given in turn.orders] == ["A Paris H", "see you"]


def test_a_misspelt_unit_without_an_order_is_remarked_on() -> None:
    turn = read_sheet("France:\n A Prais\n", "orders.txt")
    assert [str(remark) for remark in turn.remarks] == ["orders.txt, line 2, column 2: Prais read as Paris"]


@pytest.mark.parametrize(
    ("sheet", "column", "says"),
    [
        ("units: France A Paris(nc)", 17, "no such unit stands on a coast of Paris"),
        ("units: France A Spain(nc)", 17, "no such unit stands on a coast of Spain"),
        ("phase: S1901R\ndislodged: France A Spain(nc)", 21, "no such unit stands on a coast of Spain"),
        ("units: France A Paris xx", 23, "'xx' is not understood"),
        ("centres: France Paris xx", 23, "'xx' is not understood"),
        ("France (set 0): A Paris H", 9, "'set 0' is no order set"),
        ("France:\n until further notice: A Paris", 24, "is a unit without an order"),
    ],
)
def test_nothing_of_a_header_is_left_out(sheet: str, column: int, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_sheet(sheet)
    assert says in caught.value.message
    assert caught.value.where.column == column


def test_a_lenient_reading_still_refuses_what_looks_like_a_header() -> None:
    with pytest.raises(InputError, match="did you mean phase"):
        read_sheet("phas: F1901M\nFrance: A Par H", lenient=True)


def test_a_text_with_no_order_in_it_is_given_up() -> None:
    with pytest.raises(InputError, match="no order sheet"):
        read_sheet("lorem ipsum dolor\n" * 100_000, lenient=True)


@pytest.mark.parametrize("text", ["%s: A Par H", "units: %s", "France: %s", "phase: %s", '{"units": {"%s": []}}'])
def test_an_error_repeats_no_more_than_the_beginning_of_what_is_wrong(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_turn(text % ("Nowhere" * 100_000))
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing to read"),
        (b"\xef\xbb\xbf \r\n", "nothing to read"),
        ("# France: A Par H", "nothing to read"),
        (b"France: A Par \xff H", "line 1, column 15: byte 0xff at offset 14"),
        (b"\xef\xbb\xbfFrance:\n A Besan\xe7on", "line 2, column 9: byte 0xe7 at offset 19"),
        (b"PK\x03\x04" + bytes(100), "line 1, column 3: there is a control character, 0x03"),
        ("x" * 5_000_000, "too large"),
        ("\ud800", "not UTF-8"),
    ],
)
def test_what_is_no_text_is_refused_with_its_place(text: str | bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_turn(text, "turn.txt")


def test_a_turn_is_read_from_a_sheet_or_a_record() -> None:
    sheet = read_turn(b"\xef\xbb\xbfFrance: A Par H\r\n", "a.txt")
    record = read_turn(' {"orders": {"FRANCE": ["A PAR H"]}}', "a.json")
    assert orders(sheet) == orders(record) == [("FRANCE", Hold(UnitRef("PAR", A)))]
    assert sheet.position.units == record.position.units == (Unit("FRANCE", A, "PAR"),)


# ---------------------------------------------------------------------- the law


@given(turns(), st.sampled_from(Notation))
def test_a_sheet_that_is_written_is_read_as_the_same_turn(turn: Turn, notation: Notation) -> None:
    read = read_sheet(write_sheet(turn, notation))
    assert orders(read) == orders(turn)
    assert read.rules == turn.rules
    for part in ("phase", "units", "dislodged", "centres"):
        assert getattr(read.position, part) == getattr(turn.position, part)


def test_units_that_the_orders_tell_are_not_stated_again(board: Board) -> None:
    text = "map: standard\nphase: S1901M\nFrance:\n  A Paris Holds\n  F Brest\n"
    assert write_sheet(read_sheet(text)) == text


def test_an_unreadable_line_is_written_as_it_was() -> None:
    turn = read_sheet("France: A Par H\n no idea at all", lenient=True)
    again = read_sheet(write_sheet(turn), lenient=True)
    assert [given.text for given in again.orders] == ["A Paris Holds", "no idea at all"]
