"""Games as other programs save them: what is read is what was played, and what cannot be read is refused."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from positions import given_of

from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.crosscheck.records import game_records, read_daide, read_games
from satdip.crosscheck.records.tables import table
from satdip.errors import InputError
from satdip.generate import GENERATORS
from satdip.notation import Notation, read_order, read_record, write_order
from satdip.orders import Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef
from satdip.position import Position
from satdip.rulebook import DATC
from satdip.serialise import units_by_power
from satdip.turn import Turn

# ---------------------------------------------------------------------- DAIDE

LOG = """
MAP ( 'standard' )
SCO ( AUS VIE ) ( ITA VEN ROM ) ( UNO BUL )
NOW ( FAL 1901 ) ( AUS AMY TRI ) ( AUS AMY TYR ) ( ITA AMY VEN ) ( ITA FLT ( BUL SCS ) )
12:00 SUB ( ( AUS AMY TRI ) HLD )
TME ( 30 )
ORD ( FAL 1901 ) ( ( AUS AMY TRI ) MTO VEN ) ( SUC )
ORD ( FAL 1901 ) ( ( AUS AMY TYR ) SUP ( AUS AMY TRI ) MTO VEN ) ( SUC )
ORD ( FAL 1901 ) ( ( ITA AMY VEN ) HLD ) ( SUC RET ) ORD ( FAL 1901 ) ( ( ITA FLT ( BUL SCS ) ) MTO AEG ) ( SUC )
NOW ( AUT 1901 ) ( AUS AMY VEN ) ( AUS AMY TYR ) ( ITA AMY VEN MRT ( APU PIE ROM TUS ) ) ( ITA FLT AEG )
ORD ( AUT #1901 ) ( ( ITA AMY VEN ) RTO ROM ) ( SUC )
SCO ( AUS VIE VEN ) ( ITA ROM ) ( UNO BUL )
NOW ( WIN 1901 ) ( AUS AMY VEN ) ( AUS AMY TYR ) ( ITA AMY ROM ) ( ITA FLT AEG )
ORD ( WIN 1901 ) ( ( ITA FLT AEG ) REM ) ( SUC )
NOW ( SPR 1902 ) ( AUS AMY VEN ) ( AUS AMY TYR ) ( ITA AMY ROM )
OFF
"""
OWNED = {"AUSTRIA": ["VIE"], "ITALY": ["VEN", "ROM"]}
OWNED_THEN = {"AUSTRIA": ["VIE", "VEN"], "ITALY": ["ROM"]}
RECORDS = [
    {
        "game": "1",
        "map": "standard",
        "engine": "DAIDE",
        "phase": "F1901M",
        "units": {"AUSTRIA": ["A TRI", "A TYR"], "ITALY": ["A VEN", "F BUL/SC"]},
        "centers": OWNED,
        "orders": {"AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"], "ITALY": ["A VEN H", "F BUL/SC - AEG"]},
        "results": {"A TRI": ["SUC"], "A TYR": ["SUC"], "A VEN": ["SUC", "RET"], "F BUL/SC": ["SUC"]},
        "next_phase": "F1901R",
        "next_units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["F AEG"]},
        "next_dislodged": {"ITALY": ["A VEN"]},
    },
    {
        "game": "1",
        "map": "standard",
        "engine": "DAIDE",
        "phase": "F1901R",
        "units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["F AEG"]},
        "dislodged": {"ITALY": ["A VEN"]},
        "retreats": {"A VEN": ["APU", "PIE", "ROM", "TUS"]},
        "centers": OWNED,
        "orders": {"ITALY": ["A VEN R ROM"]},
        "results": {"A VEN": ["SUC"]},
        "next_phase": "W1901A",
        "next_units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["A ROM", "F AEG"]},
        "next_centers": OWNED_THEN,
    },
    {
        "game": "1",
        "map": "standard",
        "engine": "DAIDE",
        "phase": "W1901A",
        "units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["A ROM", "F AEG"]},
        "centers": OWNED_THEN,
        "orders": {"ITALY": ["F AEG D"]},
        "results": {"F AEG": ["SUC"]},
        "next_phase": "S1902M",
        "next_units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["A ROM"]},
    },
]


def test_a_log_is_read() -> None:
    """The position says where the retreats are; centres count for the position that they are told for."""
    assert list(read_daide(LOG)) == RECORDS
    assert list(read_daide(" ".join(LOG.split("\n")))) == RECORDS, "messages need no lines"


def test_messages_that_come_twice_count_once() -> None:
    """Several clients write the same log; a client may ask for the position again."""
    twice = "\n".join(line for line in LOG.splitlines() for _ in range(2))
    assert list(read_daide(twice)) == RECORDS


def test_a_game_begins_where_the_time_goes_back() -> None:
    games = [record["game"] for record in read_daide(LOG + LOG)]
    assert games == ["1", "1", "1", "2", "2", "2"]
    last = list(read_daide(LOG + LOG))[2]
    assert last["next_phase"] == "S1902M"


def test_the_log_of_one_client_has_no_next_positions() -> None:
    """Where a server tells a client nothing but its own orders, nobody knows what the others did."""
    own = "\n".join(line for line in LOG.splitlines() if "AMY TYR )" not in line or "NOW" in line)
    records = list(read_daide(own))
    assert [record["phase"] for record in records] == ["F1901M", "F1901R", "W1901A"]
    assert not any(key.startswith("next_") for record in records for key in record)


@pytest.mark.parametrize(
    ("messages", "orders"),
    [
        ("SUB ( ( FRA AMY PAR ) MTO BUR ) SUB ( ( FRA AMY PAR ) HLD )", ["A PAR H"]),
        ("SUB ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( ( FRA FLT BRE ) HLD )", ["A PAR - BUR", "F BRE H"]),
        ("SUB ( ( FRA AMY PAR ) HLD ) NOT ( SUB ) SUB ( ( FRA FLT BRE ) HLD )", ["F BRE H"]),
        (
            "SUB ( ( FRA AMY PAR ) HLD ) ( ( FRA FLT BRE ) HLD ) NOT ( SUB ( ( FRA AMY PAR ) HLD ) )",
            ["F BRE H"],
        ),
        ("SUB ( ( FRA AMY PAR ) HLD ) ORD ( SPR 1901 ) ( ( FRA FLT BRE ) HLD ) ( SUC )", ["F BRE H"]),
    ],
)
def test_orders_that_are_handed_in_count_until_results_come(messages: str, orders: list[str]) -> None:
    (record,) = read_daide(f"NOW ( SPR 1901 ) ( FRA AMY PAR ) ( FRA FLT BRE ) {messages}")
    assert record["orders"] == {"FRANCE": orders}


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ("( ( FRA AMY BRE ) CTO LON VIA ( ECH ) )", "A BRE - LON VIA"),
        ("( ( FRA FLT ECH ) CVY ( ENG AMY LON ) CTO BRE )", "F ENG C A LON - BRE"),
        ("( ( FRA FLT GOB ) SUP ( RUS AMY ( STP NCS ) ) )", "F BOT S A STP/NC"),
        ("( ( RUS FLT ( STP NCS ) ) MTO NWY )", "F STP/NC - NWY"),
        ("( ( FRA FLT GOL ) MTO ( SPA SCS ) )", "F LYO - SPA/SC"),
        ("( ( TUR FLT BLA ) MTO ( BUL ECS ) )", "F BLA - BUL/EC"),
        ("( ( FRA AMY PAR ) DSB )", "A PAR D"),
        ("( ( RUS FLT ( STP SCS ) ) BLD )", "F STP/SC B"),
        ("( FRA WVE )", "WAIVE"),
        ("( ( FRA ) WVE )", "WAIVE"),
    ],
)
def test_orders(order: str, text: str) -> None:
    (record,) = read_daide(f"NOW ( SPR 1901 ) ( FRA AMY PAR ) SUB {order}")
    assert list(record["orders"].values()) == [[text]]


HOLDS = "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (
            "NOW ( SPR 1901 ) ( FRA AMY PRA )",
            "line 1, column 28: a province, as in PAR or ( STP NCS ), is expected here, not 'PRA'",
        ),
        ("NOW ( SPR 1901 )\n( FRA FLT ENG )", "line 2, column 11: a province"),
        ("NOW ( SPR 1901 ) ( FRA FLT ( PAR NCS ) )", "not '( PAR NCS )'"),
        ("NOW ( SPR 1901 ) ( FRE AMY PAR )", "line 1, column 18: a unit, as in ( FRA AMY PAR ), is expected here"),
        ("NOW ( SPR 1901 ) ( FRA AMY PAR GAS )", "MRT with the places to retreat to is expected here, not 'GAS'"),
        ("NOW ( SPR 1901 ) ( FRA AMY PAR", "line 1, column 18: this parenthesis is never closed"),
        ("NOW ( SPR 1901 ) )", "line 1, column 18: nothing is open that this parenthesis could close"),
        ("NOW ( SPR 1901 ) " + "( " * 60, "nested too deeply"),
        ("NOW ( SPR 1901 ) NOW", "line 1, column 18: NOW is followed by a turn"),
        ("NOW ( SPR 1901 ) NOW ( SPR MCMI )", "a turn, as in ( SPR 1901 ), is expected here, not '( SPR MCMI )'"),
        ("NOW ( SPR 1901 ) SCO ( XXX PAR )", "a power with its supply centres is expected here"),
        ("NOW ( SPR 1901 ) ORD ( SPR 1901 )", "ORD is followed by a turn, an order and its result"),
        (
            "NOW ( SPR 1901 ) ORD ( FAL 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )",
            "this is an order of F1901M, but the position before is that of S1901M",
        ),
        (
            "NOW ( SPR 1901 ) ORD ( SPR 1901 ) ( ( FRA AMY HOL ) MTO VIA ) ( SUC )",
            "a province, as in PAR or ( STP NCS ), is expected here, not 'VIA'",
        ),
        ("NOW ( SPR 1901 ) SUB ( ( FRA AMY PAR ) MVE BUR )", "'MVE' with what follows is no order; the forms are HLD"),
        (
            "NOW ( SPR 1901 ) SUB ( FRA )",
            "an order, as in ( ( FRA AMY PAR ) MTO BUR ), is expected here, not '( FRA )'",
        ),
        (
            "NOW ( SPR 1901 ) SUB ( FRA AMY PAR )",
            "column 24: a unit, as in ( FRA AMY PAR ), is expected here, not 'FRA'",
        ),
        (
            f"NOW ( SPR 1901 ) {HOLDS}\n{HOLDS.replace('HLD', 'MTO BUR')}",
            "line 2, column 18: A PAR has another order already",
        ),
    ],
)
def test_a_log_that_cannot_be_is_refused_with_its_place(log: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        list(read_daide(log, "game.log"))
    assert told in str(error.value)
    assert str(error.value).startswith("game.log, line ")


# ---------------------------------------------------------------------- DAIDE, by a writer of the tests


NAMES = table("daide")
POWER = {power: token for token, power in NAMES["powers"].items()}
PROVINCE = {at: token for token, at in NAMES["provinces"].items()}
TURN = {"S1901M": "SPR", "S1901R": "SUM", "F1901M": "FAL"}


def place(at: str) -> str:
    province, _, coast = at.partition("/")
    token = PROVINCE.get(province, province)
    return f"( {token} {coast}S )" if coast else token


def unit(power: str, text: str) -> str:
    return f"{POWER[power]} {'AMY' if text[0] == 'A' else 'FLT'} {place(text[2:])}"


def written_order(order: Order, position: Position) -> str:
    """Write an order as DAIDE does; its convoy route is made up."""
    owner = {u.province: u for u in (*position.units, *(item.unit for item in position.dislodged))}

    def about(ref: UnitRef) -> str:
        return f"( {unit(owner[ref.province].power, str(owner[ref.province]))} )"

    match order:
        case Hold(ref):
            return f"( {about(ref)} HLD )"
        case Move(ref, to, via):
            return f"( {about(ref)} {'CTO' if via else 'MTO'} {place(to)} {'VIA ( NTH )' if via else ''} )"
        case Support(ref, target, None):
            return f"( {about(ref)} SUP {about(target)} )"
        case Support(ref, target, to):
            return f"( {about(ref)} SUP {about(target)} MTO {place(to)} )"
        case Convoy(ref, army, to):
            return f"( {about(ref)} CVY {about(army)} CTO {place(to)} )"
        case Retreat(ref, to):
            return f"( {about(ref)} RTO {place(to)} )"
        case Disband(ref):
            return f"( {about(ref)} DSB )"
    raise AssertionError(order)


def written_position(position: Position) -> str:
    groups = [f"( {unit(u.power, str(u))} )" for u in position.units]
    groups += [
        f"( {unit(item.unit.power, str(item.unit))} MRT ( {' '.join(map(place, sorted(item.retreats or ())))} ) )"
        for item in position.dislodged
    ]
    return f"NOW ( {TURN[str(position.phase)]} 1901 ) {' '.join(groups)}"


def written_orders(turn: Turn) -> list[str]:
    season = TURN[str(turn.position.phase)]
    return [f"ORD ( {season} 1901 ) {written_order(g.order, turn.position)} ( SUC )" for g in turn.orders]


@pytest.mark.parametrize("kind", ["uniform", "coherent", "dense"])
@pytest.mark.parametrize("seed", range(6))
def test_a_game_comes_back_from_its_log(kind: str, seed: int, board: Board) -> None:
    turns = [GENERATORS[kind](board, random.Random(seed))]
    lines = [written_position(turns[0].position), *written_orders(turns[0])]
    after = adjudicate_turn(turns[0], DATC).following
    if after.dislodged:
        turns.append(Turn(after, given_of(retreats(after), board)))
        lines += [written_position(after), *written_orders(turns[-1])]
        after = adjudicate_turn(turns[-1], DATC).following
    records = list(read_daide("\n".join([*lines, written_position(after)])))
    assert len(records) == len(turns)
    for record, played in zip(records, turns, strict=True):
        read = read_record(record)
        assert set(read.position.units) == set(played.position.units)
        assert {(d.unit, d.retreats) for d in read.position.dislodged} == {
            (d.unit, d.retreats) for d in played.position.dislodged
        }
        after = adjudicate_turn(played, DATC).following
        assert {p: sorted(u) for p, u in record["next_units"].items()} == units_by_power(after.units)
        assert units_by_power(adjudicate_turn(read, DATC).following.units) == units_by_power(after.units)


def retreats(position: Position) -> Mapping[str, Sequence[str]]:
    orders: dict[str, list[str]] = {}
    for item in position.dislodged:
        to = sorted(item.retreats or ())
        orders.setdefault(item.unit.power, []).append(f"{item.unit} R {to[0]}" if to else f"{item.unit} D")
    return orders


# ---------------------------------------------------------------------- DAIDE, by the diplomacy package


def test_every_order_that_the_package_writes_is_read(board: Board) -> None:
    """Its server knows the language; but it loses where a move by convoy goes."""
    clauses = pytest.importorskip("diplomacy.daide.clauses")
    utils = pytest.importorskip("diplomacy.daide.utils")
    splitter = pytest.importorskip("diplomacy.utils.splitter")
    for seed in range(10):
        turn = GENERATORS["uniform"](board, random.Random(seed))
        owner = {str(u): u.power for u in turn.position.units}
        for given in turn.orders:
            text = write_order(given.order, Notation.PACKAGE, board)
            if text.endswith(" VIA"):
                continue
            order = splitter.OrderSplitter(text)
            order.unit = f"{given.power} {order.unit}"
            if order.supported_unit:
                order.supported_unit = f"{owner[order.supported_unit]} {order.supported_unit}"
            written = utils.bytes_to_str(clauses.parse_order_to_bytes("M", order))
            (record,) = read_daide(f"{written_position(turn.position)} SUB ( {written} )")
            ((read,),) = record["orders"].values()
            assert read_order(read, board).order == without_coast(read_order(text, board).order), written


def without_coast(order: Order) -> Order:
    """The package names no coast in the move that a support is for, as DAIDE wants it."""
    if isinstance(order, Support) and order.destination is not None:
        return Support(order.unit, order.target, order.destination[:3])
    return order


def test_the_tokens_are_those_of_the_package(board: Board) -> None:
    tokens = pytest.importorskip("diplomacy.daide.tokens")
    provinces = [str(token) for token in tokens.PROVINCE_TOKENS]
    assert {NAMES["provinces"].get(name, name) for name in provinces} == set(board.provinces)
    assert {str(token) for token in tokens.POWER_TOKENS} == set(NAMES["powers"])
    assert set(NAMES["powers"].values()) == set(board.powers)
    assert {str(token) for token in tokens.SEASON_TOKENS} == set(NAMES["turns"])


# ---------------------------------------------------------------------- webDiplomacy

ENGLAND, FRANCE, GERMANY = 1, 2, 4
YORKSHIRE, SPAIN, PARIS, BURGUNDY, MUNICH, MARSEILLES, GASCONY, RUHR, SPAIN_NC = 4, 8, 47, 48, 41, 49, 50, 42, 76


def standing(country: int, kind: str, at: int, retreating: str = "No") -> dict[str, Any]:
    return {"unitType": kind, "retreating": retreating, "terrID": at, "countryID": country}


def ordered(country: int, kind: str, at: int, what: str, success: str = "Yes", **more: Any) -> dict[str, Any]:
    """An order as ``game/status`` has it: 0 for what it does not name."""
    order = {"countryID": country, "unitType": kind, "terrID": at, "type": what, "toTerrID": 0, "fromTerrID": 0}
    return order | {"viaConvoy": "No", "success": success, "dislodged": "No"} | more


GAME: dict[str, Any] = {
    "gameID": 17,
    "variantID": 1,
    "phases": [
        {
            "turn": 1,
            "phase": "Diplomacy",
            "units": [
                standing(FRANCE, "Army", PARIS),
                standing(FRANCE, "Army", MARSEILLES),
                standing(FRANCE, "Fleet", SPAIN_NC),
                standing(GERMANY, "Army", BURGUNDY),
            ],
            "centers": [
                {"terrID": PARIS, "countryID": FRANCE},
                {"terrID": MUNICH, "countryID": GERMANY},
                {"terrID": SPAIN, "countryID": 0},
                {"terrID": YORKSHIRE, "countryID": ENGLAND},
            ],
            "orders": [
                ordered(FRANCE, "Army", PARIS, "Move", toTerrID=BURGUNDY),
                ordered(FRANCE, "Army", MARSEILLES, "Support move", toTerrID=BURGUNDY, fromTerrID=PARIS),
                ordered(FRANCE, "Fleet", SPAIN_NC, "Hold", "No"),
                ordered(GERMANY, "Army", BURGUNDY, "Support hold", "No", toTerrID=MARSEILLES, dislodged="Yes"),
            ],
        },
        {
            "turn": 1,
            "phase": "Retreats",
            "units": [
                standing(FRANCE, "Army", BURGUNDY),
                standing(FRANCE, "Army", MARSEILLES),
                standing(FRANCE, "Fleet", SPAIN_NC),
                standing(GERMANY, "Army", BURGUNDY, "Yes"),
            ],
            "centers": [{"terrID": PARIS, "countryID": FRANCE}, {"terrID": MUNICH, "countryID": GERMANY}],
            "orders": [ordered(GERMANY, "Army", BURGUNDY, "Retreat", toTerrID=RUHR)],
        },
        {
            "turn": 1,
            "phase": "Builds",
            "units": [
                standing(FRANCE, "Army", BURGUNDY),
                standing(FRANCE, "Army", MARSEILLES),
                standing(FRANCE, "Fleet", SPAIN_NC),
                standing(GERMANY, "Army", RUHR),
            ],
            "centers": [{"terrID": SPAIN, "countryID": FRANCE}, {"terrID": PARIS, "countryID": FRANCE}],
            "orders": [
                ordered(FRANCE, "Army", MARSEILLES, "Destroy", toTerrID=MARSEILLES),
                ordered(GERMANY, "", RUHR, "Wait"),
            ],
        },
        {
            "turn": 1,
            "phase": "Finished",
            "units": [standing(FRANCE, "Army", BURGUNDY), standing(FRANCE, "Fleet", SPAIN_NC)],
            "centers": [],
            "orders": [],
        },
    ],
}
"""A made-up game."""

WEB = {"game": "17", "map": "standard", "engine": "webDiplomacy"}
WEB_RECORDS = [
    WEB
    | {
        "phase": "F1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "F SPA/NC"], "GERMANY": ["A BUR"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F SPA/NC H"], "GERMANY": ["A BUR S A MAR"]},
        "results": {"A PAR": ["ok"], "A MAR": ["ok"], "F SPA/NC": ["fail"], "A BUR": ["fail", "dislodged"]},
        "next_phase": "F1901R",
        "next_units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"]},
        "next_dislodged": {"GERMANY": ["A BUR"]},
        "next_centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    },
    WEB
    | {
        "phase": "F1901R",
        "units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "dislodged": {"GERMANY": ["A BUR"]},
        "orders": {"GERMANY": ["A BUR R RUH"]},
        "results": {"A BUR": ["ok"]},
        "next_phase": "W1901A",
        "next_units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"], "GERMANY": ["A RUH"]},
        "next_centers": {"FRANCE": ["SPA", "PAR"]},
    },
    WEB
    | {
        "phase": "W1901A",
        "units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"], "GERMANY": ["A RUH"]},
        "centers": {"FRANCE": ["SPA", "PAR"]},
        "orders": {"FRANCE": ["A MAR D"], "GERMANY": ["WAIVE"]},
        "results": {"A MAR": ["ok"]},
        "next_phase": "COMPLETED",
        "next_units": {"FRANCE": ["A BUR", "F SPA/NC"]},
    },
]


def as_history(game: Mapping[str, Any]) -> dict[str, Any]:
    """The same game as a file ``history.json`` has it: kinds under another name, true and false, null."""

    def changed(key: str, value: Any) -> Any:
        return {"Yes": True, "No": False}.get(value, value) if isinstance(value, str) else value or None

    phases = []
    for phase in game["phases"]:
        units = [{"type" if k == "unitType" else k: changed(k, v) for k, v in u.items()} for u in phase["units"]]
        orders = [{k: changed(k, v) for k, v in order.items()} for order in phase["orders"]]
        phases.append({**phase, "units": units, "orders": orders})
    return {"schema": 1, "gameID": game["gameID"], "file": "history", "variantID": 1, "phases": phases}


@pytest.mark.parametrize("game", [GAME, as_history(GAME)], ids=["status", "history"])
def test_a_game_of_webdiplomacy_is_read(game: Mapping[str, Any]) -> None:
    records = list(read_games(json.dumps(game)))
    assert records == WEB_RECORDS
    for record in records:
        read_record(record)


def start_units(board: Board) -> list[dict[str, Any]]:
    numbers = {at: number for number, at in enumerate(table("webdiplomacy")["territories"], start=1)}
    countries = table("webdiplomacy")["countries"]
    return [
        {"type": "Army" if kind == "A" else "Fleet", "terrID": numbers[at], "countryID": countries.index(power.id) + 1}
        for power in board.powers.values()
        for kind, at in power.start
    ]


def test_a_history_that_names_no_variant_must_begin_at_the_start(board: Board) -> None:
    units = start_units(board)
    order = {"countryID": FRANCE, "terrID": PARIS, "unitType": "Army", "type": "Move", "toTerrID": BURGUNDY}
    game = {"phases": [{"turn": 0, "phase": "Diplomacy", "units": units, "centers": [], "orders": [order]}]}
    (record,) = read_games(json.dumps(game))
    assert record["orders"] == {"FRANCE": ["A PAR - BUR"]}
    units[0]["terrID"] = YORKSHIRE
    with pytest.raises(InputError, match="a game without variantID must begin with the first units"):
        list(read_games(json.dumps(game)))


def test_a_last_position_with_two_units_in_a_province_is_no_next_position() -> None:
    """A game that ends before the retreats still lists dislodged units where they were."""
    game = json.loads(json.dumps(GAME))
    game["phases"] = [game["phases"][0], {**game["phases"][1], "phase": "Finished"}]
    game["phases"][1]["orders"] = []
    for one in game["phases"][1]["units"]:
        one["retreating"] = "No"
    (record,) = read_games(json.dumps(game))
    assert not any(key.startswith("next_") for key in record)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("variantID",), 15, "at $.variantID: only variant 1, Classic, can be read"),
        (("phases", 0, "phase"), "Winter", "at $.phases[0].phase: Diplomacy, Retreats, Builds or Finished"),
        (("phases", 1, "turn"), -1, "at $.phases[1].turn: the number of a turn is expected here, not -1"),
        (("phases", 0, "units"), None, "at $.phases[0].units: a list is expected here, not None"),
        (("phases", 0, "units", 2), 7, "at $.phases[0].units[2]: an object is expected here, not 7"),
        (("phases", 0, "units", 2, "terrID"), 82, "$.phases[0].units[2].terrID: the number of a territory"),
        (("phases", 0, "units", 2, "terrID"), True, "$.phases[0].units[2].terrID: the number of a territory"),
        (("phases", 0, "units", 2, "countryID"), 0, "$.phases[0].units[2].countryID: the number of a country"),
        (("phases", 0, "units", 2, "unitType"), "Plane", "$.phases[0].units[2].unitType: Army or Fleet"),
        (("phases", 0, "orders", 1, "type"), "Pray", "$.phases[0].orders[1].type: the type of an order"),
        (("phases", 0, "orders", 1, "fromTerrID"), 0, "$.phases[0].orders[1].fromTerrID: the number of a territory"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_field(path: tuple[Any, ...], value: Any, told: str) -> None:
    game = json.loads(json.dumps(GAME))
    holder = game
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(InputError) as error:
        list(read_games(json.dumps(game), "status.json"))
    assert told in str(error.value)
    assert str(error.value).startswith("status.json, line 1, ")


def test_territories_and_orders_are_those_of_the_package() -> None:
    """The package talks to webDiplomacy; it has the numbers from elsewhere."""
    pytest.importorskip("diplomacy")
    from diplomacy.integration.webdiplomacy_net.orders import Order as PackageOrder
    from diplomacy.integration.webdiplomacy_net.utils import CACHE

    names = table("webdiplomacy")
    assert CACHE[1]["locs"][1:] == names["territories"]
    assert CACHE[1]["powers"][1:] == names["countries"]
    phases = {"M": "Diplomacy", "R": "Retreats", "A": "Builds"}
    texts = {
        "M": ["A PAR H", "A PAR - BUR", "A BRE - LON VIA", "F STP/SC - BOT", "F ENG C A BRE - LON", "F MAO - SPA/NC"],
        "R": ["A PAR R GAS", "F STP/NC R BAR", "A PAR D"],
        "A": ["A PAR B", "F STP/NC B", "A PAR D", "WAIVE"],
    }
    for letter, orders in texts.items():
        for text in orders:
            order = PackageOrder(text, map_id=1, phase_type=letter).to_dict()
            phase = {"turn": 1, "phase": phases[letter], "units": [], "centers": []}
            phase["orders"] = [{"countryID": FRANCE, **order}]
            (record,) = read_games(json.dumps({"variantID": 1, "phases": [phase]}))
            assert record["orders"] == {"FRANCE": [text]}


# ---------------------------------------------------------------------- games that the package has saved


def saved_game(seed: int) -> tuple[dict[str, Any], list[dict[str, list[str]]]]:
    """Let the package play some phases at random; return what it saves, and the units that it had on the board."""
    game_module = pytest.importorskip("diplomacy")
    export = pytest.importorskip("diplomacy.utils.export")
    rng = random.Random(seed)
    game = game_module.Game(game_id=f"game-{seed}")
    boards = []
    while not game.is_game_done and len(boards) < 8:
        boards.append({power: list(units) for power, units in game.get_units().items()})
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [rng.choice(possible[at]) for at in places if possible[at]])
        game.process()
    boards.append({power: list(units) for power, units in game.get_units().items()})
    return export.to_saved_game_format(game), boards


def test_games_of_the_package_are_read(tmp_path: Path) -> None:
    saved = [saved_game(seed) for seed in range(2)]
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(json.dumps(game) for game, _ in saved).encode()))
    records = list(game_records(file))
    for number, (_, boards) in enumerate(saved):
        of_game = [record for record in records if record["game"] == f"game-{number}"]
        assert len(of_game) == len(boards) - 1
        for record, before, after in zip(of_game, boards, boards[1:], strict=False):
            read_record(record)
            assert record["units"] == {p: [u for u in units if u[0] != "*"] for p, units in before.items()}
            assert record["next_units"] == {p: [u for u in units if u[0] != "*"] for p, units in after.items()}


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("content", "records"),
    [
        (LOG, RECORDS),
        (json.dumps(GAME), WEB_RECORDS),
        (json.dumps(GAME, indent=1), WEB_RECORDS),
        (f"{json.dumps(GAME)}\n\n{json.dumps(GAME)}\n", WEB_RECORDS * 2),
    ],
    ids=["log", "game", "indented", "lines"],
)
def test_a_file_is_told_by_what_it_contains(
    content: str, records: list[dict[str, Any]], packed: bool, tmp_path: Path
) -> None:
    data = content.encode()
    file = tmp_path / "anything"
    file.write_bytes(gzip.compress(data) if packed else data)
    assert list(game_records(file)) == records


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{}", "line 1: this is no game; what can be read are games saved by the diplomacy package"),
        (b"", "line 1, column 1: this is not JSON"),
        (b"hello", "line 1, column 1: this is not JSON"),
        (json.dumps(GAME).encode() + b"\n{}", "line 2: this is no game"),
        (b"\x1f\x8bjunk", "the file cannot be read"),
        (b"NOW ( SPR 1901 ) \xff", "is not UTF-8 text"),
    ],
)
def test_a_file_of_something_else_is_refused(content: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(InputError) as error:
        list(game_records(file))
    assert told in str(error.value)
    assert str(file) in str(error.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file cannot be read"):
        list(game_records(tmp_path / "missing"))
