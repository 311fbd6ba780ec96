"""Phase records: the turn as JSON."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from satdip.base.errors import InputError, Where
from satdip.board import Board, UnitKind
from satdip.notation import decode_record, read_lines, read_order, read_record, read_turn, write_record
from satdip.notation.record.record_texts import exact_order
from satdip.notation.writer import Notation, write_order
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Unclear, UnitRef, Waive
from satdip.phase.position import Dislodged, Unit
from satdip.phase.turn import Turn

A, F = UnitKind.ARMY, UnitKind.FLEET

MOVEMENT = {
    "map": "standard",
    "rules": "2023",
    "phase": "F1902M",
    "units": {"ENGLAND": ["F NTH", "A YOR"], "RUSSIA": ["F STP/SC"]},
    "centers": {"ENGLAND": ["EDI", "LON"], "RUSSIA": []},
    "orders": {"ENGLAND": ["F NTH C A YOR - NWY", "A YOR - NWY VIA"]},
}
RETREATS = {
    "map": "standard",
    "phase": "S1902R",
    "units": {"GERMANY": ["A BUR"]},
    "dislodged": {"FRANCE": ["A BUR", "F SPA/NC"]},
    "retreats": {"A BUR": ["GAS", "PAR"], "F SPA/NC": []},
    "attackers": {"A BUR": "MUN"},
    "orders": {"FRANCE": ["A BUR R PAR", "F SPA/NC D"]},
}
ADJUSTMENTS = {
    "map": "standard",
    "phase": "W1902A",
    "units": {"FRANCE": ["A PAR"]},
    "centers": {"FRANCE": ["BRE", "MAR", "PAR"]},
    "orders": {"FRANCE": ["F BRE B", "WAIVE"], "ITALY": ["A ROM D"]},
}


def orders(turn: Turn) -> list[tuple[str, Order]]:
    return [(given.power, given.order) for given in turn.orders]


# ---------------------------------------------------------------------- reading


def test_a_movement_record() -> None:
    turn = read_record(MOVEMENT, "games.jsonl", 7)
    assert turn.position.board.name == "standard"
    assert turn.rules == "2023"
    assert str(turn.position.phase) == "F1902M"
    assert turn.position.units == (Unit("ENGLAND", F, "NTH"), Unit("ENGLAND", A, "YOR"), Unit("RUSSIA", F, "STP/SC"))
    assert turn.position.centres == {"ENGLAND": frozenset({"EDI", "LON"}), "RUSSIA": frozenset()}
    assert orders(turn) == [
        ("ENGLAND", Convoy(UnitRef("NTH", F), UnitRef("YOR", A), "NWY")),
        ("ENGLAND", Move(UnitRef("YOR", A), "NWY", via=True)),
    ]
    assert turn.orders[1].text == "A YOR - NWY VIA"
    assert turn.orders[1].where == Where("games.jsonl", 7, None, "$.orders.ENGLAND")


def test_a_retreat_record() -> None:
    turn = read_record(RETREATS)
    assert turn.position.dislodged == (
        Dislodged(Unit("FRANCE", A, "BUR"), frozenset({"GAS", "PAR"}), "MUN"),
        Dislodged(Unit("FRANCE", F, "SPA/NC"), frozenset()),
    )
    assert orders(turn) == [
        ("FRANCE", Retreat(UnitRef("BUR", A), "PAR")),
        ("FRANCE", Disband(UnitRef("SPA/NC", F))),
    ]


def test_retreats_that_a_record_does_not_state_are_unknown() -> None:
    record = {"phase": "S1902R", "units": {"GERMANY": ["A PIC"]}, "dislodged": {"FRANCE": ["A BUR"]}}
    record["orders"] = {"FRANCE": ["A BUR - PAR"]}
    turn = read_record(record)
    assert turn.position.dislodged == (Dislodged(Unit("FRANCE", A, "BUR"), None, None),)
    assert orders(turn) == [("FRANCE", Retreat(UnitRef("BUR", A), "PAR"))]


def test_an_adjustment_record() -> None:
    turn = read_record(ADJUSTMENTS)
    assert orders(turn) == [
        ("FRANCE", Build(UnitRef("BRE", F))),
        ("FRANCE", Waive()),
        ("ITALY", Disband(UnitRef("ROM", A))),
    ]


def test_what_a_record_may_leave_out() -> None:
    turn = read_record({"orders": {"France": ["A Paris - Burgundy", "Mid-Atlantic Ocean H"]}})
    assert str(turn.position.phase) == "S1901M"
    assert turn.position.board.name == "standard"
    assert turn.rules is None
    assert turn.position.units == (Unit("FRANCE", A, "PAR"), Unit("FRANCE", F, "MAO"))
    assert read_record({"units": {}}).position.units == ()


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({}, "there are neither 'units' nor 'orders' here"),
        ({"phase": "F1901M", "centers": {"FRANCE": ["PAR"]}}, "there are neither 'units' nor 'orders' here"),
        ({"orders": {}}, "there are neither 'units' nor 'orders' here"),
        ({"orders": {"FRANCE": []}, "units": None}, "there are neither 'units' nor 'orders' here"),
        ({"phase": "S1901R", "dislodged": {"ITALY": ["A GRE"]}}, "neither 'units' nor 'retreats' tell"),
        ({"phase": "W1901A", "centers": {"FRANCE": ["PAR"]}, "orders": {"FRANCE": ["A PAR B"]}}, "'units' is missing"),
    ],
)
def test_a_record_tells_which_units_there_are(record: dict[str, object], says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_record(record)
    assert says in caught.value.message
    assert caught.value.where.path == "$"


@pytest.mark.parametrize(
    ("field", "text", "says"),
    [
        ("units", "A SPA/NC", "no such unit stands on a coast of Spain; write A SPA"),
        ("units", "F NTH/NC", "no such unit stands on a coast of North Sea; write F NTH"),
        ("units", "A PAR/NC", "no such unit stands on a coast of Paris; write A PAR"),
        ("units", "Italian A PAR", "this unit is listed under FRANCE, but named as one of ITALY"),
        ("units", "A PAR xx", "'xx' is not understood"),
        ("dislodged", "A PIC/SC", "no such unit stands on a coast of Picardy; write A PIC"),
    ],
)
def test_nothing_is_left_out_of_a_stated_unit(field: str, text: str, says: str) -> None:
    record: dict[str, object] = {"phase": "S1901R", "units": {}, "dislodged": {}} | {field: {"FRANCE": [text]}}
    with pytest.raises(InputError) as caught:
        read_record(record)
    assert says in caught.value.message
    assert caught.value.where.path == f"$.{field}.FRANCE[0]"


SOUND: dict[str, object] = {"units": {"FRANCE": ["A PAR"]}}


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("order", "orders"),
        ("Orders", "orders"),
        ("ordres", "orders"),
        ("unit", "units"),
        ("Units", "units"),
        ("centres", "centers"),
        ("center", "centers"),
        ("supply_centers", "centers"),
        ("Phase", "phase"),
        ("phases", "phase"),
        ("rule", "rules"),
        ("rulebook", "rules"),
        ("maps", "map"),
        ("board", "map"),
        ("dislodge", "dislodged"),
        ("dislodgd", "dislodged"),
        ("retreat", "retreats"),
        ("attacker", "attackers"),
        ("orderSets", "order_sets"),
        ("order-sets", "order_sets"),
        ("proxy", "proxies"),
        ("perpetuals", "perpetual"),
        ("result", "results"),
        ("next_unit", "next_units"),
    ],
)
def test_a_key_that_is_close_to_a_known_one_is_refused(key: str, known: str) -> None:
    for record in (SOUND | {key: {}}, SOUND | {known: SOUND.get(known), key: {}}):
        with pytest.raises(InputError) as caught:
            read_record(record, "games.jsonl", 7)
        assert str(caught.value) == (
            f"games.jsonl, line 7, at $: {key!r} is no key of a phase record (did you mean {known!r}?)"
        )


def test_other_keys_survive_and_are_listed_as_not_looked_at() -> None:
    """Not those that say what came of the phase, or which one it is: the other verbs read them."""
    outcome = {"game": "g", "id": 1, "results": {}, "next_phase": "F1901M", "next_units": {}, "next_centers": {}}
    beside = {"note": "n", "engine": "e", "tags": [], "players": 7, "licence": "l", "xcheck": 1, "kind": "k"}
    turn = read_record(SOUND | outcome | beside)
    assert write_record(turn).items() >= (outcome | beside).items()
    [remark] = turn.remarks
    assert str(remark) == f"at $: the keys {', '.join(map(repr, beside))} are not looked at"
    assert read_record(SOUND | outcome).remarks == ()
    assert str(read_record(SOUND | {"note": 1}).remarks[0]) == "at $: the key 'note' is not looked at"


def test_the_keys_of_the_corpora_are_no_misspelt_ones(shared: Path) -> None:
    for file in (*(shared / "games").glob("*.jsonl.gz"), *(shared / "peers").glob("*.jsonl.gz")):
        for _, (_, record) in zip(range(200), read_lines(file), strict=False):
            if record.get("map", "standard") == "standard":
                read_record(record)


def test_a_sound_position_lets_impossible_orders_pass() -> None:
    record = {
        "units": {"ITALY": ["F ION"]},
        "orders": {"ITALY": ["F ION C F ION", "F ION - MUN", "A LON H", "F LIV H"]},
    }
    assert [type(order) for _, order in orders(read_record(record))] == [Unclear, Move, Hold, Unclear]


def test_a_lenient_reading_counts_an_unreadable_order_as_none() -> None:
    record = {"units": {}, "orders": {"FRANCE": ["A PAR ???", "A MAR H"]}}
    with pytest.raises(InputError):
        read_record(record)
    unreadable, holding = read_record(record, lenient=True).orders
    assert unreadable.text == "A PAR ???"
    assert isinstance(unreadable.order, Unclear)
    assert holding.order == Hold(UnitRef("MAR", A))


# ---------------------------------------------------------------------- writing


@pytest.mark.parametrize("record", [MOVEMENT, RETREATS, ADJUSTMENTS], ids=lambda record: record["phase"])
def test_a_record_is_written_as_it_was_read(record: dict[str, Any]) -> None:
    known = {"results": {"A PAR": ["bounce"]}, "game": "x-1", "tags": [1, 2.5, None, {"a": []}]}
    turn = read_record({**record, **known})
    assert turn.extra == known
    written = write_record(turn)
    assert written == {**record, **known}
    assert json.loads(json.dumps(written)) == written


def test_a_turn_that_is_written_is_read_back() -> None:
    for record in (MOVEMENT, RETREATS, ADJUSTMENTS):
        turn = read_record(record)
        again = read_record(write_record(turn))
        assert again.position == turn.position
        assert again.orders == turn.orders


# ---------------------------------------------------------------------- what is refused

BUR = {"phase": "S1902R", "dislodged": {"FRANCE": ["A BUR"]}}


@pytest.mark.parametrize(
    ("record", "path", "says"),
    [
        ({"map": "nowhere"}, "$.map", "no map is called 'nowhere'"),
        ({"map": 3}, "$.map", "a text is expected here, not the number 3"),
        ({"rules": ["1971"]}, "$.rules", "a text is expected here, not a list"),
        ({"phase": "S1901"}, "$.phase", "as in S1901M"),
        ({"phase": True}, "$.phase", "not true or false"),
        ({"units": ["A PAR"]}, "$.units", "an object is expected here, not a list"),
        ({"units": {"FRANCE": "A PAR"}}, "$.units.FRANCE", "a list is expected here, not a text"),
        ({"units": {"FRANCE": [None]}}, "$.units.FRANCE[0]", "a text is expected here, not null"),
        ({"units": {"GAUL": ["A PAR"]}}, "$.units.GAUL", "'GAUL' is no power"),
        ({"units": {"FRANCE": ["A MAR", "A XXX"]}}, "$.units.FRANCE[1]", "'XXX' is not understood"),
        ({"units": {"FRANCE": ["A MAR", "A Pariss"]}}, "$.units.FRANCE[1]", "did you mean Paris?"),
        ({"units": {"FRANCE": ["A NTH"]}}, "$.units.FRANCE[0]", "an army cannot be at sea"),
        ({"units": {"RUSSIA": ["F STP"]}}, "$.units.RUSSIA[0]", "write St Petersburg(nc) or"),
        ({"units": {"FRANCE": ["A PAR", "A PAR"]}}, "$.units.FRANCE[1]", "'A PAR' is there twice"),
        ({"units": {"FRANCE": ["A BRE", "F BRE"]}}, "$.units", "two units stand in BRE"),
        ({"units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}}, "$.units", "two units stand in PAR"),
        ({"units": {"FRANCE": ["A PAR"], "France": ["F BRE"]}}, "$.units.France", "FRANCE is there twice"),
        ({"orders": {"FRANCE": ["A PAR H", "A NTH H"]}}, "$.orders.FRANCE[1]", "an army cannot be at sea"),
        ({"orders": {"FRANCE": ["A PAR -"]}}, "$.orders.FRANCE[0]", "ends too early"),
        ({"orders": {"FRANCE": ["A PAR"]}}, "$.orders.FRANCE[0]", "a unit without an order"),
        ({"orders": {"FRANCE": ["A PAR H", 5]}}, "$.orders.FRANCE[1]", "a text is expected here, not the number 5"),
        ({"centers": {"FRANCE": ["PAR", "BUR"]}}, "$.centers.FRANCE[1]", "BUR is no supply centre"),
        ({"centers": {"FRANCE": ["PARIS-X"]}}, "$.centers.FRANCE[0]", "no place of the map"),
        ({"centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}}, "$.centers", "owned by two powers"),
        ({"phase": "S1902R"}, "$", "the key 'dislodged' is missing"),
        ({"dislodged": {"FRANCE": ["A BUR"]}}, "$.dislodged", "not a retreat phase"),
        ({**BUR, "dislodged": {"FRANCE": ["A BUR"], "ITALY": ["A BUR"]}}, "$.dislodged", "two dislodged units"),
        ({**BUR, "dislodged": {"FRANCE": ["A BEL", "F BEL"]}}, "$.dislodged", "two dislodged units"),
        ({**BUR, "retreats": {"A PAR": []}}, '$.retreats["A PAR"]', "not among the dislodged units"),
        ({**BUR, "retreats": {"A BUR": ["GAS", "XX"]}}, '$.retreats["A BUR"][1]', "'XX' is no place"),
        ({**BUR, "retreats": {"A BUR": "GAS"}}, '$.retreats["A BUR"]', "a list is expected"),
        ({**BUR, "attackers": {"A BUR": 1}}, '$.attackers["A BUR"]', "a place"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_unsound_record_is_refused_with_the_path_of_its_field(record: dict[str, Any], path: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_record(record, "games.jsonl", 12)
    assert says in caught.value.message
    assert caught.value.where == Where("games.jsonl", 12, None, path)


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ('{"phase": }', 1, 11, "not JSON"),
        ('{"units": {},\n "orders": {]}', 2, 13, "not JSON"),
        ('{"units": {"FRANCE": [],\n "FRANCE": ["A PAR"]}}', 2, 2, "the key 'FRANCE' is there twice"),
        ('{"a": {"x": "x", "y": {"x": 1}},\n "b": "a", "a": 1}', 2, 12, "the key 'a' is there twice"),
        ('{"a\\"b": [{"q": 1}, {"q": 1}], "\\u0061\\"b": 2}', 1, 32, "is there twice"),
        ('{"year": NaN}', 1, 10, "NaN is no JSON value"),
        ('{"phase": "S1901M"}\n{"phase": "S1901R"}', 2, 1, "one a line"),
        ('["A PAR"]', 1, 1, "an object"),
        ('{"a":' * 100_000, 1, None, "nested too deeply"),
        ('{"a": ' + "1" * 5000 + "}", 1, 7, "has more than 40 digits"),
    ],
)
def test_what_is_no_record_is_refused_with_line_and_column(text: str, line: int, column: int | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        decode_record(text, "one.json")
    assert says in caught.value.message
    assert caught.value.where == Where("one.json", line, column)
    with pytest.raises(InputError):
        read_turn(text)


# ---------------------------------------------------------------------- files


def lines_of(*records: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress], ids=["plain", "gzip"])
def test_a_file_has_one_record_a_line(tmp_path: Path, pack: Any) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(pack(b"\xef\xbb\xbf" + lines_of(MOVEMENT) + b"\n \n" + lines_of(RETREATS).rstrip()))
    assert list(read_lines(file)) == [(1, MOVEMENT), (4, RETREATS)]


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (lines_of(MOVEMENT) + b'{"phase": }\n', 2, "not JSON"),
        (lines_of(MOVEMENT) + b'{"phase":\n"S1901M"}\n', 2, "not JSON"),
        (lines_of(MOVEMENT) + b'{"phase": "\xff"}\n', 2, "byte 0xff at offset 11"),
        (gzip.compress(lines_of(MOVEMENT))[:-4], None, "cannot be read"),
        (b"\x1f\x8b garbage", None, "cannot be read"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, data: bytes, line: int | None, says: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(read_lines(file))
    assert says in caught.value.message
    assert caught.value.where.source == str(file)
    assert caught.value.where.line == line


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines(tmp_path / "none.jsonl"))


# ---------------------------------------------------------------------- recorded games


def recorded(shared: Path) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    for file in sorted((shared / "games").glob("*.jsonl.gz")):
        for line, record in islice(read_lines(file), 300):
            if record["map"] == "standard":
                yield file, line, record


def in_some_order(record: dict[str, object]) -> dict[str, object]:
    """Return a record with its lists by power sorted."""
    keys = ("units", "dislodged", "centers", "orders")
    lists = {key: record[key] for key in keys if key in record}
    return {**record, **{k: {p: sorted(texts) for p, texts in by_power.items()} for k, by_power in lists.items()}}  # type: ignore[attr-defined]


def test_recorded_games_are_written_as_they_were_read(shared: Path) -> None:
    seen = 0
    for file, line, record in recorded(shared):
        turn = read_record(record, str(file), line)
        assert in_some_order(write_record(turn)) == in_some_order(record), (file.name, line)
        assert not any(given.notes for given in turn.orders), (file.name, line)
        seen += 1
    assert seen > 2000


def test_orders_written_as_in_records_are_read_alike_with_the_grammar_and_without(shared: Path, board: Board) -> None:
    texts: set[str] = set()
    for file in ("peers/random_phases.jsonl.gz", "games/droidippy_hard.jsonl.gz"):
        for _, record in islice(read_lines(shared / file), 0, None, 20):
            texts.update(text for orders in record.get("orders", {}).values() for text in orders)
    exact = {text: order for text in sorted(texts) if (order := exact_order(text, board)) is not None}
    assert len(exact) > 0.9 * len(texts)
    assert exact == {text: read_order(text, board).order for text in exact}
    assert all(write_order(order, Notation.PACKAGE, board) == text for text, order in exact.items())


@pytest.mark.parametrize(
    "text", ["A PAR-BUR", "a par - bur", "A PAR  - BUR", "F PAR H", "A PAR S MAR - BUR", "F ENG C BRE - LON"]
)
def test_only_the_exact_form_is_read_without_the_grammar(text: str, board: Board) -> None:
    assert exact_order(text, board) is None
