"""Reading and writing single orders."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.any_orders import STANDARD, A, F, orders

from satdip.base.errors import InputError
from satdip.board import Board, Province, UnitKind
from satdip.notation import Notation, Understood, languages, read_order, write_order, write_place, write_unit
from satdip.notation.reading import Alone, read_line, read_unit
from satdip.notation.words.vocabulary import vocabulary
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Unclear, UnitRef, Waive
from satdip.phase.position import Unit

TABLE = tomllib.loads((Path(__file__).parents[1] / "data" / "orders_read.toml").read_text(encoding="utf-8"))


def unit(text: str) -> UnitRef:
    kind, _, location = text.partition(" ")
    return UnitRef(location, UnitKind(kind))


# ---------------------------------------------------------------------- the notations

NOTATIONS: list[tuple[Order, str, str, str, str]] = [  # order, long form, short ids, package, rulebook of 1971
    (Hold(unit("A PAR")), "A Paris Holds", "A par H", "A PAR H", "A Par (H)"),
    (Move(unit("A PAR"), "BUR"), "A Paris - Burgundy", "A par - bur", "A PAR - BUR", "A Par-Bur"),
    (
        Move(unit("A BEL"), "HOL", via=True),
        "A Belgium - Holland via convoy",
        "A bel - hol via convoy",
        "A BEL - HOL VIA",
        "A Bel-Hol via convoy",
    ),
    (
        Move(unit("A LON"), "NWY", route=("ENG", "NTH")),
        "A London - English Channel - North Sea - Norway",
        "A lon - eng - nth - nwy",
        "A LON - ENG - NTH - NWY",
        "A Lon-Eng-Nth-Nwy",
    ),
    (Move(UnitRef("PAR"), "BUR"), "Paris - Burgundy", "par - bur", "PAR - BUR", "Par-Bur"),
    (
        Move(unit("F GAS"), "SPA/NC"),
        "F Gascony - Spain(nc)",
        "F gas - spa/nc",
        "F GAS - SPA/NC",
        "F Gas-Spa(nc)",
    ),
    (
        Support(unit("F SPA/NC"), unit("F MAR"), "LYO"),
        "F Spain(nc) Supports F Marseilles - Gulf of Lyon",
        "F spa/nc S F mar - lyo",
        "F SPA/NC S F MAR - LYO",
        "F Spa(nc) (S) F Mar-Lyo",
    ),
    (
        Support(unit("A BEL"), unit("A HOL")),
        "A Belgium Supports A Holland",
        "A bel S A hol",
        "A BEL S A HOL",
        "A Bel (S) A Hol",
    ),
    (
        Convoy(unit("F NTH"), unit("A YOR"), "NWY"),
        "F North Sea Convoys A Yorkshire - Norway",
        "F nth C A yor - nwy",
        "F NTH C A YOR - NWY",
        "F Nth (C) A Yor-Nwy",
    ),
    (
        Convoy(unit("F NTH"), UnitRef("LON", A, "ENGLAND"), "BEL"),
        "F North Sea Convoys England A London - Belgium",
        "F nth C England A lon - bel",
        "F NTH C ENGLAND A LON - BEL",
        "F Nth (C) England A Lon-Bel",
    ),
    (Retreat(unit("A PAR"), "GAS"), "A Paris Retreats to Gascony", "A par R gas", "A PAR R GAS", "A Par (R) Gas"),
    (Disband(unit("A PAR")), "Disband A Paris", "Disband A par", "A PAR D", "Remove A Par"),
    (Build(unit("F STP/NC")), "Build F St Petersburg(nc)", "Build F stp/nc", "F STP/NC B", "Build F Stp(nc)"),
    (Waive(), "Waive", "Waive", "WAIVE", "Waive"),
]


@pytest.mark.parametrize("row", NOTATIONS, ids=lambda row: row[3])
def test_an_order_is_written_and_read_in_each_notation(row: tuple[Order, str, str, str, str], board: Board) -> None:
    order, *texts = row
    for notation, text in zip((Notation.DATC, Notation.SHORT, Notation.PACKAGE, Notation.SEED), texts, strict=True):
        assert write_order(order, notation, board) == text
        assert read_order(text, board) == Understood(order)


def datc_orders(shared: Path) -> Iterator[dict[str, Any]]:
    for case in json.loads((shared / "datc" / "cases.json").read_text(encoding="utf-8")):
        for phase in case.get("phases", [case]):
            yield from phase["orders"]


DATC_TYPES = {
    "build": Build,
    "convoy": Convoy,
    "disband": Disband,
    "hold": Hold,
    "move": Move,
    "support_hold": Support,
    "support_move": Support,
}


def test_every_order_of_the_datc_is_read_in_both_forms(board: Board, shared: Path) -> None:
    orders = list(datc_orders(shared))
    assert len(orders) == 840
    for entry in orders:
        found = read_order(entry["text"], board)
        assert read_order(entry["short"], board) == found, entry
        assert isinstance(found.order, DATC_TYPES[entry["type"]]), entry
        assert not found.notes, entry
        if isinstance(found.order, Support):
            assert (found.order.destination is None) == (entry["type"] == "support_hold"), entry


def test_the_long_form_is_that_of_the_datc(board: Board, shared: Path) -> None:
    for entry in datc_orders(shared):
        order = read_order(entry["short"], board).order
        assert write_order(order, Notation.DATC, board) == entry["text"]


# ---------------------------------------------------------------------- what people write


@pytest.mark.parametrize("row", TABLE["understood"], ids=lambda row: row["about"])
def test_what_has_one_meaning_is_understood(row: dict[str, Any], board: Board) -> None:
    found = read_order(row["text"], board)
    assert found.order == read_order(row["means"], board).order
    assert write_order(found.order, Notation.PACKAGE, board) == row["means"]
    assert [str(note) for note in found.notes] == row.get("notes", [])


@pytest.mark.parametrize("row", TABLE["unclear"], ids=lambda row: row["about"])
def test_what_has_several_meanings_or_lacks_a_part_is_unclear(row: dict[str, Any], board: Board) -> None:
    order = read_order(row["text"], board).order
    assert isinstance(order, Unclear)
    assert order.text == row["text"]
    assert order.why
    assert sorted(order.meanings) == sorted(row["meanings"])
    assert order.unit == (unit(row["unit"]) if "unit" in row else None)


@pytest.mark.parametrize("row", TABLE["refused"], ids=lambda row: row["text"] or "nothing")
def test_what_is_no_order_is_refused_with_its_column(row: dict[str, Any], board: Board) -> None:
    with pytest.raises(InputError) as caught:
        read_order(row["text"], board)
    assert row["says"] in caught.value.message
    assert caught.value.where.column == row.get("column")


def test_each_meaning_of_an_unclear_order_is_a_clear_one(board: Board) -> None:
    order = read_order("A Liv S A Nor - Tyr", board).order
    assert isinstance(order, Unclear)
    assert len(order.meanings) == 2 * 5
    assert not any(isinstance(read_order(meaning, board).order, Unclear) for meaning in order.meanings)


def test_overlong_text_is_refused_without_a_search(board: Board) -> None:
    with pytest.raises(InputError, match="no more than 300 characters"):
        read_order("A Paris - " + "Burgundi" * 100_000, board)


# ---------------------------------------------------------------------- laws


@given(orders, st.sampled_from(Notation))
def test_what_is_written_is_read_back(order: Order, notation: Notation) -> None:
    assert read_order(write_order(order, notation, STANDARD), STANDARD) == Understood(order)


@given(orders, st.sampled_from(Notation), st.data())
def test_capitals_and_spaces_do_not_count(order: Order, notation: Notation, data: st.DataObject) -> None:
    text = write_order(order, notation, STANDARD)
    changed = data.draw(st.sampled_from([text.upper(), text.lower(), f"  {text} ", text.replace(" ", "  ")]))
    assert read_order(changed, STANDARD).order == order


@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(["A", "F", "Par", "Liv", "-", "S", "(", ")", ",", "nc", "via", "H", "England", "Nroth"])
    ).map(" ".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_line(text, STANDARD, "en")
    except InputError:
        return
    assert isinstance(found, Understood | Alone)


@pytest.mark.parametrize("province", STANDARD.provinces.values(), ids=lambda province: province.id)
def test_a_place_is_known_by_its_names(province: Province, board: Board) -> None:
    for name in (province.id, province.name, *province.aliases):
        assert read_unit(f"F {name}", board).unit == UnitRef(province.id, F)


@pytest.mark.parametrize("province", STANDARD.provinces.values(), ids=lambda province: province.id)
def test_a_place_is_known_by_each_unique_beginning_of_its_name(province: Province, board: Board) -> None:
    others = [other for other in board.provinces.values() if other is not province]
    names = [name.lower() for other in others for name in (other.id, other.name, *other.aliases)]
    names += [name.lower() for power in board.powers.values() for name in (power.name, power.adjective)]
    for length in range(3, len(province.name)):
        beginning = province.name[:length].lower()
        last_word = re.split("[ -]", beginning)[-1]  # "Black S" is not Black Sea, but the Black Sea's support
        if len(last_word) > 2 and not any(name.startswith(beginning) for name in names):
            assert read_unit(f"F {beginning}", board).unit == UnitRef(province.id, F)


@pytest.mark.parametrize("province", STANDARD.provinces.values(), ids=lambda province: province.id)
def test_one_slip_never_makes_another_place_of_a_name(province: Province, board: Board) -> None:
    name = province.name
    without = {name[:at] + name[at + 1 :] for at in range(len(name))}
    exchanged = {name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1)}
    understood = 0
    for slip in without | exchanged:
        try:
            order = read_order(f"A {slip} H", board).order
        except InputError:
            continue
        if isinstance(order, Unclear):
            assert f"A {name} Holds" in order.meanings
        else:
            assert order == Hold(UnitRef(province.id, A))
            understood += 1
    assert understood > len(name) / 2 or len(name) < 5


# ---------------------------------------------------------------------- units and places by themselves


def test_a_unit_by_itself_is_read_and_written(board: Board) -> None:
    assert read_unit("French F Spain (south coast)", board).unit == UnitRef("SPA/SC", F, "FRANCE")
    assert write_unit(Unit("FRANCE", F, "SPA/SC"), Notation.DATC, board) == "F Spain(sc)"
    assert [write_place("STP/NC", notation, board) for notation in Notation] == [
        "St Petersburg(nc)",
        "stp/nc",
        "STP/NC",
        "Stp(nc)",
    ]


@pytest.mark.parametrize("text", ["A Paris - Burgundy", "A Liv", "nothing"])
def test_what_is_no_clear_unit_is_refused(text: str, board: Board) -> None:
    with pytest.raises(InputError):
        read_unit(text, board)


# ---------------------------------------------------------------------- languages, speed


def test_there_is_english_and_an_unknown_language_is_refused(board: Board) -> None:
    assert "en" in languages()
    with pytest.raises(InputError, match=r"'xx'; the languages are .*en"):
        read_order("A Par H", board, "xx")


def test_no_word_of_orders_hides_a_place_or_a_power(board: Board) -> None:
    exact = vocabulary(board, "en").exact
    for terminal, ids in (("PLACE", board.provinces), ("POWER", board.powers)):
        assert {key: exact[key.lower()][0].value for key in ids} == {key: key for key in ids}
        assert all(exact[key.lower()][0].terminal == terminal for key in ids)


def test_a_second_reading_is_a_look_up(board: Board) -> None:
    first = read_order("A Ruhr - Kiel", board)
    hits = read_line.cache_info().hits
    assert read_order("A Ruhr - Kiel", board) is first
    assert read_line.cache_info().hits == hits + 1


def test_importing_the_notation_loads_neither_the_parser_nor_the_matcher() -> None:
    code = "import sys, satdip.notation; print([m for m in ('lark', 'rapidfuzz') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
