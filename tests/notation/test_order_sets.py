"""Several order sets, several orders to a unit, and orders that nobody wrote for this phase (DATC 4.D.1-3, 4.E.3-5).

What follows from each choice, and which sheets are refused, is in ``data/order_sets.toml``.
"""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from support.expected import wrong

from satdip import adjudicate
from satdip.base.errors import InputError, Where
from satdip.board.mapfile import load_board
from satdip.check import Status
from satdip.check.sets import counted_orders
from satdip.games.game import Game
from satdip.notation import Notation, read_record, read_sheet, read_turn, write_record, write_sheet
from satdip.phase.orders import Hold, Move, UnitRef
from satdip.phase.position import Phase, Position, Unit, UnitKind
from satdip.phase.turn import Given, OrderSet, Proxied, Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, PROFILES, issues, rulebook_named
from satdip.telling.reasons import tell
from satdip.telling.render import render
from satdip.telling.serialise import resolution_to_json

TABLE = tomllib.loads((Path(__file__).parents[1] / "data" / "order_sets.toml").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = TABLE["case"]
REFUSED: list[dict[str, Any]] = TABLE["sheet"]
FIELDS = ("order_sets", "undated_sets", "several_orders", "implicit_orders", "perpetual_orders", "proxy_orders")
ISSUES = {issue.field: issue for issue in issues() if issue.field in FIELDS}
BOARD = load_board("standard")

OUTCOMES = [
    pytest.param(case, slug, id=f"{case['field']}-{case['about']}-{slug}") for case in CASES for slug in case["results"]
]
PAIRS = [
    pytest.param(field, one.slug, other.slug, id=f"{field}-{one.slug}-{other.slug}")
    for field, issue in ISSUES.items()
    for number, one in enumerate(issue.choices)
    for other in issue.choices[number + 1 :]
]


# ---------------------------------------------------------------------- what the choices mean


@pytest.mark.parametrize(("case", "slug"), OUTCOMES)
def test_what_follows_from_a_choice(case: dict[str, Any], slug: str) -> None:
    rules = rulebook_named(case.get("base", "datc")).override({case["field"]: slug})
    assert wrong(adjudicate(case["sheet"], rules=rules), case["results"][slug]) == [], case["why"]


@pytest.mark.parametrize(("field", "one", "other"), PAIRS)
def test_the_choices_differ_from_each_other(field: str, one: str, other: str) -> None:
    """Some case states both choices, everything else being equal, and they differ."""
    results = [case["results"] for case in CASES if case["field"] == field]
    assert any({one, other} <= stated.keys() and stated[one] != stated[other] for stated in results)


def test_every_case_argues_with_choices_that_exist() -> None:
    assert {case["field"] for case in CASES} == set(FIELDS)
    for case in CASES:
        assert case["results"].keys() <= {choice.slug for choice in ISSUES[case["field"]].choices}, case["about"]
        assert len(case["why"].split()) > 5, case["about"]


TWO_SETS = "France (set 1): A Paris - Burgundy\nFrance (set 2): A Paris - Picardy"


@pytest.mark.parametrize(
    ("profile", "moves"),
    [(name, "PAR - BUR" if name == "seed" else "PAR - PIC") for name in PROFILES],
)
def test_the_seed_keeps_to_the_first_set_and_the_others_to_the_latest(profile: str, moves: str) -> None:
    """The first set sent is the right one (seed 002, VII.4); the DATC prefers the latest."""
    assert wrong(adjudicate(TWO_SETS, rules=rulebook_named(profile)), {"moves": moves}) == []


# ---------------------------------------------------------------------- which orders counted, and why


def told(resolution: Resolution) -> list[list[str]]:
    """Return for every entry of the report the order as written, its outcome, and its reasons with their sections."""
    return [
        [
            "" if result.checked.given is None else result.checked.given.text,
            str(result.outcome),
            ", ".join(f"{reason.code} ({reason.issue})" if reason.issue else reason.code for reason in result.reasons),
        ]
        for result in resolution.orders
    ]


SEVERAL = """\
France (set 1): A Paris - Burgundy, A Marseilles - Spain
France (set 2): A Paris - Picardy
"""


@pytest.mark.parametrize(
    ("choice", "codes"),
    [
        ("combined", ["sets-combined", "sets-combined", "second-order"]),
        ("combined-unless-replaced", ["set-complete", "set-complete", "second-order"]),
        ("latest-unless-partial", ["set-overtaken", "set-remains", "set-latest"]),
        ("latest", ["set-passed-over", "set-passed-over", "set-latest"]),
        ("first", ["set-first", "set-first", "set-passed-over"]),
    ],
)
def test_every_order_of_several_sets_says_why_it_counts_or_not(choice: str, codes: list[str]) -> None:
    resolution = adjudicate(SEVERAL, rules=DATC.override({"4.D.1": choice}))
    section = {code: "4.D.3" if code == "second-order" else "4.D.1" for code in codes}
    assert [reasons.split(", ")[-1] for _, _, reasons in told(resolution)] == [
        f"{code} ({section[code]})" for code in codes
    ]
    ignored = [outcome == "illegal" for _, outcome, _ in told(resolution)]
    assert ignored == [code in ("second-order", "set-overtaken", "set-passed-over") for code in codes]


@pytest.mark.parametrize("row", TABLE["told"], ids=lambda row: f"{row['rules']}-{row['orders'][0][-1]}")
def test_the_reasons_tell_what_counted(row: Mapping[str, Any]) -> None:
    assert told(adjudicate(row["sheet"], rules=rulebook_named(row["rules"]))) == row["orders"]


def test_a_proxy_order_that_counts_is_the_result_of_its_unit() -> None:
    sheet = "proxies: Italy A Rome to France\nItaly: A Rome H\nFrance: Italy A Rome - Venice"
    resolution = adjudicate(sheet, rules=DATC.override({"4.E.5": "a"}))
    rome = resolution.result_of(Unit("ITALY", UnitKind.ARMY, "ROM"))
    assert rome is not None
    assert rome.power == "FRANCE"
    assert rome.checked.action == Move(UnitRef("ROM", UnitKind.ARMY, "ITALY"), "VEN")


def test_a_dislodged_unit_is_told_once_as_the_one_that_counts() -> None:
    sheet = """\
France (set 1): A Paris H
France (set 2): A Paris - Brest
Germany: A Burgundy - Paris, A Picardy S A Burgundy - Paris
England: F English Channel - Brest
"""
    resolution = adjudicate(sheet)
    assert [(item.unit.power, str(item.unit)) for item in resolution.dislodged] == [("FRANCE", "A PAR")]
    old, new = resolution.orders[:2]
    assert (old.checked.status, old.outcome, new.outcome) == (Status.ILLEGAL, "illegal", "fails")
    assert resolution.result_of(Unit("FRANCE", UnitKind.ARMY, "PAR")) is new


def test_the_table_and_the_json_name_the_set_that_counts() -> None:
    resolution = adjudicate(SEVERAL)
    screen = io.StringIO()
    Console(file=screen, width=200).print(render(resolution))
    assert "a later order set of France replaces it (DATC 4.D.1)" in screen.getvalue()
    assert "order set 2 is the latest of France (DATC 4.D.1)" in screen.getvalue()
    reason = json.loads(json.dumps(resolution_to_json(resolution)))["orders"][2]["reasons"][-1]
    assert reason["code"] == "set-latest"
    assert reason["details"] == {"power": "FRANCE", "set": "2"}


def test_an_implied_order_is_written_out_in_the_json() -> None:
    sheet = "France: A Marseilles S A Paris - Burgundy, A Paris"
    order = resolution_to_json(adjudicate(sheet, rules=DATC.override({"4.E.3": "a"})))["orders"]
    assert isinstance(order, list)
    assert (order[1]["unit"], order[1]["order"]) == ("A PAR", "A PAR - BUR")


def test_every_reason_can_be_told() -> None:
    for case in CASES:
        for slug in case["results"]:
            rules = rulebook_named(case.get("base", "datc")).override({case["field"]: slug})
            resolution = adjudicate(case["sheet"], rules=rules)
            for result in resolution.orders:
                for reason in result.reasons:
                    assert "{" not in tell(reason, resolution.position.board)


# ---------------------------------------------------------------------- sheets and records


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["about"])
def test_an_unsound_sheet_is_refused_where_it_is_wrong(row: Mapping[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        read_sheet(row["text"], "orders.txt")
    assert row["says"] in caught.value.message
    assert caught.value.where == Where("orders.txt", row["line"], row["column"])


@pytest.mark.parametrize("row", TABLE["record"], ids=lambda row: row["json"])
def test_an_unsound_record_is_refused_with_the_path(row: Mapping[str, str]) -> None:
    units = {"ENGLAND": ["A LON"], "FRANCE": ["A PAR"]}
    with pytest.raises(InputError) as caught:
        read_record({"units": units, **json.loads(row["json"])})
    assert row["says"] in caught.value.message
    assert caught.value.where.path == row["path"]


RECORD = {
    "map": "standard",
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "F BRE"], "ENGLAND": ["A LON", "F EDI"], "ITALY": ["A ROM"], "GERMANY": ["A MUN"]},
    "orders": {"GERMANY": ["A MUN H"]},
    "order_sets": {
        "FRANCE": [
            {"date": "1901-03-02", "orders": ["A PAR - BUR"]},
            {"date": "1901-03-05 14:00", "orders": ["ITALY A ROM - VEN"], "proxies": {"F BRE": "ITALY"}},
        ],
        "ENGLAND": [{"orders": ["F EDI - NWG"], "proxies": {"A LON": "FRANCE"}}],
    },
    "perpetual": {"GERMANY": ["A MUN - RUH"]},
    "proxies": {"ITALY": {"A ROM": "FRANCE"}},
}  # fmt: skip


def test_a_record_is_written_as_it_was_read() -> None:
    turn = read_record({**RECORD, "game": "x-1"})
    assert turn.extra == {"game": "x-1"}
    assert write_record(turn) == {**RECORD, "game": "x-1"}


def test_the_examples_of_the_documentation_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "order-sets.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(text|json)\n(.*?)```", text, re.DOTALL)
    assert [kind for kind, _ in blocks] == ["text", "text", "text", "json"]
    turns = [read_turn(block) for _, block in blocks]
    assert [len({order.order_set for order in turn.orders}) for turn in turns] == [6, 1, 1, 7]
    assert [sum(order.perpetual for order in turn.orders) for turn in turns] == [0, 1, 0, 1]
    assert [sum(proxy.notified for proxy in turn.proxies) for turn in turns] == [0, 0, 3, 1]


def test_a_saved_game_may_hold_order_sets_only(tmp_path: Path) -> None:
    units = {power: [str(unit) for unit in units] for power, units in HOMES.items()}
    sets = {"FRANCE": [{"set": 1, "orders": ["A PAR H"]}, {"set": 2, "orders": ["A PAR - BUR"]}]}
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps({"phase": "S1901M", "units": units, "order_sets": sets}), encoding="utf-8")
    game = Game.load(file)
    assert len(game.played) == 1
    assert game.position.unit_at("BUR") == Unit("FRANCE", UnitKind.ARMY, "BUR")
    game.save(file)
    assert Game.load(file).position == game.position


def test_a_plain_turn_has_none_of_the_new_keys() -> None:
    turn = read_sheet("France: A Paris H")
    assert turn.proxies == ()
    assert [(order.order_set, order.perpetual) for order in turn.orders] == [(None, False)]
    assert write_record(turn).keys() == {"map", "phase", "units", "orders"}
    assert "(" not in write_sheet(turn)


def test_a_sheet_says_what_a_record_says() -> None:
    sheet = """\
proxies: Italy A Rome to France
Germany:
  A Munich Holds
  perpetual: A Munich - Ruhr
France (1901-03-05 14:00):
  Italy A Rome - Venice
  proxy: F Brest to Italy
England:
  F Edinburgh - Norwegian Sea
  proxy: A London to France
France (1901-03-02): A Paris - Burgundy
"""
    written = write_record(read_sheet(sheet))
    assert {key: written[key] for key in ("orders", "order_sets", "perpetual", "proxies")} == {
        key: RECORD[key] for key in ("orders", "order_sets", "perpetual", "proxies")
    }


@pytest.mark.parametrize(
    ("heading", "order_set"),
    [
        ("France (set 2):", OrderSet(2)),
        ("France (2):", OrderSet(2)),
        ("FRANCE, set 2:", OrderSet(2)),
        ("French [order set 02]:", OrderSet(2)),
        ("Frnace (Set 2):", OrderSet(2)),
        ("France (set 2)\n", OrderSet(2)),
        ("France (set ?):", OrderSet(1, in_sequence=False)),
        ("France (?):", OrderSet(1, in_sequence=False)),
        ("France (1901-03-02):", OrderSet(date="1901-03-02")),
        ("France, 1901-03-02:", OrderSet(date="1901-03-02")),
        ("France (1901-03-02 14:00):", OrderSet(date="1901-03-02 14:00")),
        ("France, 1901-03-02T14:00:", OrderSet(date="1901-03-02 14:00")),
        ("France, 1901-03-02 14:00\n", OrderSet(date="1901-03-02 14:00")),
    ],
)
def test_ways_to_write_a_heading(heading: str, order_set: OrderSet) -> None:
    [order] = read_sheet(f"{heading} A Paris H").orders
    assert (order.power, order.order_set) == ("FRANCE", order_set)


def test_a_set_in_a_french_sheet() -> None:
    text = "France (série 2): A Paris - Bourgogne\nFrance (set 1): A Paris H"
    assert [order.order_set for order in read_sheet(text, language="fr").orders] == [OrderSet(1), OrderSet(2)]


def test_a_lenient_reading_passes_over_what_only_looks_like_a_set() -> None:
    turn = read_sheet("France: A Paris H\nGermany, please note: no orders today", lenient=True)
    assert [order.order_set for order in turn.orders] == [None] * len(turn.orders)
    with pytest.raises(InputError, match="'please note' is no order set"):
        read_sheet("France: A Paris H\nGermany, please note: no orders today")


def test_a_unit_alone_may_stand_beside_the_sets() -> None:
    turn = read_sheet("France (set 1): A Paris H\nFrance:\n  F Brest")
    assert [str(unit) for unit in turn.position.units] == ["A PAR", "F BRE"]


# ---------------------------------------------------------------------- laws

HOMES = {power.id: [Unit(power.id, kind, at) for kind, at in power.start] for power in BOARD.powers.values()}
UNITS = tuple(unit for units in HOMES.values() for unit in units)


def _order(unit: Unit) -> st.SearchStrategy[Hold | Move]:
    ref = UnitRef(unit.location, unit.kind)
    return st.sampled_from([Hold(ref), *(Move(ref, to) for to in sorted(BOARD.reach(unit.kind, unit.location)))])


@st.composite
def _sets(draw: st.DrawFn) -> list[OrderSet | None]:
    numbers = sorted(draw(st.sets(st.integers(1, 9), min_size=1, max_size=3)))
    match draw(st.sampled_from(["plain", "numbers", "dates", "unknown"])):
        case "numbers":
            return [OrderSet(number) for number in numbers]
        case "dates":
            return [OrderSet(date=f"1901-03-0{number}") for number in numbers]
        case "unknown":
            return [OrderSet(number, in_sequence=False) for number, _ in enumerate(numbers, 1)]
        case _:
            return [None]


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """The opening with a few powers' orders: sets of every kind, perpetual orders, and proxies."""
    orders: list[Given] = []
    proxies: list[Proxied] = []
    for power in draw(st.lists(st.sampled_from(sorted(HOMES)), unique=True, max_size=4)):
        units = st.sampled_from(HOMES[power])
        sets = draw(_sets())
        for one in sets:
            some = draw(st.lists(units.flatmap(_order), min_size=1, max_size=3))
            orders += [Given(power, order, order_set=one) for order in some]
        orders += [Given(power, order, perpetual=True) for order in draw(st.lists(units.flatmap(_order), max_size=2))]
        for unit in draw(st.lists(units, max_size=2, unique=True)):
            holder, notified = draw(st.sampled_from(sorted(HOMES.keys() - {power}))), draw(st.booleans())
            declared = None if notified else draw(st.sampled_from(sets))
            ref = UnitRef(unit.location, unit.kind)
            proxies.append(Proxied(power, ref, holder, notified, declared))
            if draw(st.booleans()):
                orders.append(Given(holder, Hold(UnitRef(unit.location, unit.kind, power)), perpetual=True))
    return Turn(Position(BOARD, Phase.parse("S1901M"), UNITS), tuple(orders), proxies=tuple(proxies))


def said(turn: Turn) -> tuple[dict[str, list[object]], set[Proxied]]:
    """Return what every power says, in its sequence, and the proxies."""
    orders: dict[str, list[object]] = {}
    for perpetual in (False, True):
        for order in turn.orders:
            if order.perpetual == perpetual:
                orders.setdefault(order.power, []).append((order.order, order.order_set, perpetual))
    return orders, set(turn.proxies)


@given(turns(), st.sampled_from(Notation))
def test_what_is_written_is_read_as_the_same_turn(turn: Turn, notation: Notation) -> None:
    assert said(read_sheet(write_sheet(turn, notation))) == said(turn)
    assert said(read_record(json.loads(json.dumps(write_record(turn))))) == said(turn)


@given(
    turns(),
    st.sampled_from([one for field in FIELDS for one in ISSUES[field].choices]),
    st.sampled_from(sorted(PROFILES)),
)
def test_every_order_is_accounted_for_under_every_choice(turn: Turn, choice: Any, profile: str) -> None:
    """There is one entry for each order, in that order; an order that does not count says why."""
    [field] = [field for field in FIELDS if choice in ISSUES[field].choices][:1]
    rules = PROFILES[profile].override({field: choice.slug})
    counted = counted_orders(turn, rules)
    assert [entry.given for entry in counted] == list(turn.orders)
    results = adjudicate(turn, rules=rules).orders
    assert [result.checked.given for result in results[: len(turn.orders)]] == list(turn.orders)
    for entry, result in zip(counted, results, strict=False):
        assert entry.counts or entry.reasons
        assert entry.counts or result.outcome == "illegal"


@given(turns())
def test_a_unit_follows_one_order_at_most(turn: Turn) -> None:
    rules = rulebook_named("datc+4.D.1=a+4.E.3=a+4.E.4=a+4.E.5=b")
    followed = [result.unit for result in adjudicate(turn, rules=rules).orders if result.checked.action is not None]
    assert len(followed) == len(set(followed))


@given(turns())
def test_the_place_of_plain_orders_beside_sets_changes_nothing_for_other_powers(turn: Turn) -> None:
    """What a power without sets, perpetual orders or proxies ordered counts as it does by itself."""
    special = {order.power for order in turn.orders if order.order_set or order.perpetual}
    special |= {name for proxy in turn.proxies for name in (proxy.power, proxy.holder)}
    counted = counted_orders(turn, DATC)
    assert all(entry.counts and not entry.reasons for entry in counted if entry.given.power not in special)
