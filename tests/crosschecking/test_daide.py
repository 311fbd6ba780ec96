"""Logs of DAIDE: what is read is what was played, and what cannot be read is refused with its place."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
from support.positions import given_of
from support.saved_games import LOG, RECORDS

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.board import Board
from satdip.crosschecking.records import read_daide
from satdip.crosschecking.records.tables import table
from satdip.generate import GENERATORS
from satdip.notation import Notation, read_order, read_record, write_order
from satdip.phase.orders import Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef
from satdip.phase.position import Position
from satdip.phase.turn import Turn
from satdip.rulebook import DATC
from satdip.telling.serialise import units_by_power


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


# ---------------------------------------------------------------------- a writer of the tests

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


# ---------------------------------------------------------------------- the diplomacy package


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
