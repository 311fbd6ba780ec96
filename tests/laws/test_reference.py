"""The reference adjudicator against the rules: small positions, the DATC, and recorded answers of other engines."""

import gzip
import json
import random
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from reference import RefMap, RefResult, adjudicate, adjudicate_retreats
from reference.generate import Position, coherent, dense, uniform
from reference.map import province_of

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

Powers = dict[str, list[str]]


@pytest.fixture(scope="module")
def board() -> RefMap:
    with (ROOT / "maps" / "standard.toml").open("rb") as file:
        return RefMap.from_tables(tomllib.load(file)["provinces"])


def units_of(orders: Mapping[str, Sequence[str]]) -> Powers:
    """The units that orders are written for."""
    return {power: list({" ".join(text.split()[:2]): None for text in texts}) for power, texts in orders.items()}


# Small positions: rule, orders, moves that succeed, units that are dislodged.
POSITIONS: list[tuple[str, Powers, dict[str, str], set[str]]] = [
    (
        "equal attacks stand each other off",
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
        {},
        set(),
    ),
    (
        "a supported attack drives out a unit that stays",
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"]},
        {"PAR": "BUR"},
        {"BUR"},
    ),
    (
        "a unit follows into a province that is left",
        {"FRANCE": ["A PAR - BUR", "A BUR - RUH"], "ENGLAND": ["A PIC - PAR"]},
        {"PAR": "BUR", "BUR": "RUH", "PIC": "PAR"},
        set(),
    ),
    (
        "two units cannot change places over their border",
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A BUR - PAR"]},
        {},
        set(),
    ),
    (
        "two units change places when one of them is convoyed",
        {"FRANCE": ["A PIC - BEL VIA", "F ENG C A PIC - BEL"], "GERMANY": ["A BEL - PIC"]},
        {"PIC": "BEL", "BEL": "PIC"},
        set(),
    ),
    (
        "a circular movement succeeds",
        {"FRANCE": ["A BEL - RUH"], "GERMANY": ["A RUH - HOL"], "ENGLAND": ["F HOL - BEL"]},
        {"BEL": "RUH", "RUH": "HOL", "HOL": "BEL"},
        set(),
    ),
    (
        "a circular movement that an outsider disturbs fails",
        {"FRANCE": ["A BEL - RUH"], "GERMANY": ["A RUH - HOL", "A MUN - RUH"], "ENGLAND": ["F HOL - BEL"]},
        {},
        set(),
    ),
    (
        "nobody drives out a unit of his own power, nor helps to",
        {"FRANCE": ["A PAR H", "A BRE S A PIC - PAR"], "ENGLAND": ["A PIC - PAR"]},
        {},
        set(),
    ),
    (
        "a support is cut by an attack that fails",
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"], "ITALY": ["A PIE - MAR"]},
        {},
        set(),
    ),
    (
        "a support is not cut from the province at which it is aimed",
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR - MAR"]},
        {"PAR": "BUR"},
        {"BUR"},
    ),
    (
        "the Szykman rule disrupts the convoy of a paradox",
        {"TURKEY": ["A ANK - SEV", "F BLA C A ANK - SEV"], "RUSSIA": ["F SEV S F RUM - BLA", "F RUM - BLA"]},
        {"RUM": "BLA"},
        {"BLA"},
    ),
    (
        "a convoy with a second route that is not attacked is no paradox (4.A.1 b)",
        {
            "FRANCE": ["A BEL - LON", "F ENG C A BEL - LON", "F NTH C A BEL - LON"],
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        },
        {},
        set(),
    ),
    (
        "who follows into a province of the paradox moves when it is settled",
        {
            "TURKEY": ["A ANK - SEV", "F BLA C A ANK - SEV"],
            "RUSSIA": ["F SEV S F RUM - BLA", "F RUM - BLA"],
            "GERMANY": ["A SER - RUM", "A BUD - SER"],
        },
        {"RUM": "BLA", "SER": "RUM", "BUD": "SER"},
        {"BLA"},
    ),
    (
        "no fallback to the land route when the convoy is not ordered (4.A.3 d)",
        {"FRANCE": ["A PIC - BEL VIA"], "ENGLAND": ["F ENG H"]},
        {},
        set(),
    ),
    (
        "by convoy when a fleet of the same power says so, though the other fleet of the route does not (4.A.3 d)",
        {"FRANCE": ["A WAL - YOR", "F NTH C A WAL - YOR"], "ENGLAND": ["F ENG H"]},
        {},
        set(),
    ),
    (
        "a foreign fleet alone makes no convoy to a neighbour (4.A.3 d)",
        {"FRANCE": ["A PIC - BEL"], "GERMANY": ["A BEL - PIC"], "ENGLAND": ["F ENG C A PIC - BEL"]},
        {},
        set(),
    ),
    (
        "the first legal order of a unit counts (4.D.3, 4.E.1)",
        {"FRANCE": ["A PAR - LON", "A PAR - BUR", "A PAR - PIC"]},
        {"PAR": "BUR"},
        set(),
    ),
    (
        "a coast must be named where two can be reached, and only there (4.B.1, 4.B.2)",
        {"FRANCE": ["F MAO - SPA", "F CON - BUL"], "ENGLAND": ["F BOT - STP"]},
        {"BOT": "STP/SC"},
        set(),
    ),
    (
        "an army is not bothered by a coast (4.B.6)",
        {"FRANCE": ["A MAR - SPA/NC"]},
        {"MAR": "SPA"},
        set(),
    ),
    (
        "via convoy without fleets on the board is illegal: the army holds and can be supported (4.E.1)",
        {"FRANCE": ["A PIC - BEL VIA", "A BRE S A PIC"], "GERMANY": ["A BUR - PIC", "A PAR S A BUR - PIC"]},
        {},
        set(),
    ),
    (
        "via convoy with a fleet on the board is a move: it cannot be supported in place",
        {
            "FRANCE": ["A PIC - BEL VIA", "A BRE S A PIC", "F ENG H"],
            "GERMANY": ["A BUR - PIC", "A PAR S A BUR - PIC"],
        },
        {"BUR": "PIC"},
        {"PIC"},
    ),
]


@pytest.mark.parametrize(
    ("orders", "moves", "dislodged"), [row[1:] for row in POSITIONS], ids=[row[0] for row in POSITIONS]
)
def test_small_positions(board: RefMap, orders: Powers, moves: dict[str, str], dislodged: set[str]) -> None:
    result = adjudicate(board, units_of(orders), orders)
    assert result.moves == moves
    assert result.dislodged.keys() == dislodged


# Rule, orders, the unit whose order is judged, whether it is legal.
LEGALITY: list[tuple[str, Powers, str, bool]] = [
    ("an army without fleets goes nowhere over sea", {"ITALY": ["A TUN - NAP"]}, "TUN", False),
    ("a fleet on the board makes the move legal", {"ITALY": ["A TUN - NAP", "F TYS H"]}, "TUN", True),
    ("a foreign one too", {"ITALY": ["A TUN - NAP"], "FRANCE": ["F ION - AEG"]}, "TUN", True),
    ("a fleet in a coastal province convoys nobody", {"ITALY": ["A TUN - NAP", "F ROM C A TUN - NAP"]}, "TUN", False),
    ("fleets that do not touch make no chain", {"ITALY": ["A TUN - PIE", "F ION H", "F LYO H"]}, "TUN", False),
    ("fleets that touch do", {"ITALY": ["A TUN - PIE", "F TYS H", "F LYO H"]}, "TUN", True),
    (
        "a fleet that can be left out cannot convoy",
        {"ITALY": ["F LYO C A TUN - NAP", "F TYS H", "A TUN H"]},
        "LYO",
        False,
    ),
    ("nor at the start of a chain", {"ITALY": ["F ENG C A LON - NWY", "F NTH H", "A LON H"]}, "ENG", False),
    ("unless there is no shorter one", {"ITALY": ["F NTH C A WAL - NWY", "F ENG H", "A WAL H"]}, "NTH", True),
    ("a fleet on another route can", {"ITALY": ["F ION C A TUN - NAP", "F TYS H", "A TUN H"]}, "ION", True),
    ("a fleet is not convoyed", {"ITALY": ["F TYS C A TUN - NAP", "F TUN H"]}, "TYS", False),
    ("a support needs a way to go there", {"ITALY": ["F ROM S A APU - VEN", "A APU H"]}, "ROM", False),
    ("for a fleet any coast will do", {"ITALY": ["F LYO S F GAS - SPA/NC", "F GAS H"]}, "LYO", True),
    ("from its own coast only", {"FRANCE": ["F SPA/NC S F MAR - LYO", "F MAR H"]}, "SPA/NC", False),
    ("a support of an impossible move", {"FRANCE": ["F MAO S F GAS - SPA/SC", "F GAS H"]}, "MAO", False),
    ("a support without the coast", {"FRANCE": ["F POR S F MAO - SPA", "F MAO H"]}, "POR", True),
    ("nobody supports a move into his own province", {"ITALY": ["A PRU S A BER - PRU", "A BER H"]}, "PRU", False),
    ("nobody supports himself", {"ITALY": ["A PRU S A PRU"]}, "PRU", False),
    ("nor a move of his own", {"ITALY": ["A PRU S A PRU - BER"]}, "PRU", False),
    ("a fleet cannot support what only it can convoy", {"TURKEY": ["F BLA S A RUM - ARM", "A RUM H"]}, "BLA", False),
    ("but with another route it can", {"ITALY": ["F TYS S A TUN - NAP", "A TUN H", "F ION H"]}, "TYS", True),
    ("a void support is legal", {"ITALY": ["A PRU S A BER - KIE", "A BER H", "A PRU H"]}, "BER", True),
    ("fleets are not convoyed, say what they may", {"ITALY": ["F ROM - TYS VIA"]}, "ROM", False),
]


@pytest.mark.parametrize(("orders", "unit", "legal"), [row[1:] for row in LEGALITY], ids=[row[0] for row in LEGALITY])
def test_legality_depends_on_the_board(board: RefMap, orders: Powers, unit: str, legal: bool) -> None:
    assert adjudicate(board, units_of(orders), orders).legal[unit] is legal


def test_a_province_that_stays_empty_after_a_stand_off_is_contested(board: RefMap) -> None:
    equal = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"], "ITALY": ["A PIE - MAR"], "RUSSIA": ["A WAR - GAL"]}
    assert adjudicate(board, units_of(equal), equal).contested == {"BUR"}


def test_who_loses_head_to_head_contests_nothing(board: RefMap) -> None:
    beaten = {"GERMANY": ["A BER - PRU", "A SIL S A BER - PRU"], "RUSSIA": ["A PRU - BER"]}
    assert adjudicate(board, units_of(beaten), beaten).contested == frozenset()


def test_rings_are_named(board: RefMap) -> None:
    paradox = {"TURKEY": ["A ANK - SEV", "F BLA C A ANK - SEV"], "RUSSIA": ["F SEV S F RUM - BLA", "F RUM - BLA"]}
    circle = {"FRANCE": ["A BEL - RUH", "A RUH - HOL", "F HOL - BEL"]}
    result = adjudicate(board, units_of(paradox | circle), paradox | circle)
    assert result.paradoxes == (frozenset({"BLA", "SEV", "RUM"}),)
    assert result.rotations == (frozenset({"BEL", "RUH", "HOL"}),)


# Rule, orders, the unit that is dislodged, where it may go.
RETREATS: list[tuple[str, Powers, str, str]] = [
    (
        "not to the attacker's origin",
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"]},
        "BUR",
        "BEL GAS MUN PIC RUH",
    ),
    (
        "not where there was a stand-off",
        {
            "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS H"],
            "GERMANY": ["A BUR H"],
            "ITALY": ["A TYR - MUN", "A BOH - MUN"],
        },
        "BUR",
        "BEL PIC RUH",
    ),
    (
        "a fleet to a named coast",
        {"ITALY": ["F TYS - WES", "F TUN S F TYS - WES"], "FRANCE": ["F WES H"]},
        "WES",
        "LYO MAO NAF SPA/SC",
    ),
    (
        "to the attacker's origin when it came by convoy (4.A.5 b)",
        {"FRANCE": ["A PIC - BEL VIA", "F ENG C A PIC - BEL", "A BUR S A PIC - BEL"], "GERMANY": ["A BEL H"]},
        "BEL",
        "HOL PIC RUH",
    ),
    (
        "to where an army without its convoy wanted to go",
        {
            "ENGLAND": ["A LON - HOL", "F NTH C A LON - HOL"],
            "GERMANY": ["F SKA - NTH", "F DEN S F SKA - NTH"],
            "FRANCE": ["A PIC - BEL", "A BUR S A PIC - BEL"],
            "ITALY": ["A BEL H"],
        },
        "BEL",
        "HOL RUH",
    ),
]


@pytest.mark.parametrize(
    ("orders", "unit", "retreats"), [row[1:] for row in RETREATS], ids=[row[0] for row in RETREATS]
)
def test_where_a_dislodged_unit_may_retreat(board: RefMap, orders: Powers, unit: str, retreats: str) -> None:
    assert adjudicate(board, units_of(orders), orders).dislodged[unit] == frozenset(retreats.split())


@pytest.mark.parametrize(
    ("orders", "moves", "disbanded"),
    [
        ({"ITALY": ["A VIE - TYR"], "FRANCE": ["F WES - SPA/SC"]}, {"VIE": "TYR", "WES": "SPA/SC"}, {"BOH"}),
        ({"ITALY": ["A VIE - TYR", "A BOH - TYR"], "FRANCE": ["F WES R SPA"]}, {"WES": "SPA/SC"}, {"VIE", "BOH"}),
        ({"ITALY": ["A VIE - BUD", "A VIE - TYR", "A BOH - BUD"]}, {"VIE": "TYR"}, {"BOH", "WES"}),
        (
            {"ITALY": ["A VIE D", "A VIE - TYR", "F WES - SPA/SC"], "FRANCE": ["F WES - SPA/NC"]},
            {},
            {"VIE", "BOH", "WES"},
        ),
    ],
    ids=["no order", "two to one province", "the first legal order, nobody stopped by an illegal one", "disband"],
)
def test_retreats(orders: Powers, moves: dict[str, str], disbanded: set[str]) -> None:
    dislodged = {"ITALY": ["A VIE", "A BOH"], "FRANCE": ["F WES"]}
    allowed = {"VIE": frozenset({"TYR", "GAL"}), "BOH": frozenset({"TYR", "SIL"}), "WES": frozenset({"SPA/SC", "NAF"})}
    result = adjudicate_retreats(dislodged, allowed, orders)
    assert result.moves == moves
    assert result.disbanded == disbanded


# The DATC.


def _datc_cases(kind: str) -> list[Any]:
    path = SHARED / "datc" / "cases.json"
    if not path.exists():
        return []
    cases = json.loads(path.read_text(encoding="utf-8"))
    return [
        pytest.param(case, id=case["id"])
        for case in cases
        if any(phase.get("phase") == kind for phase in case.get("phases", [case]))
    ]


def _phase(case: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    return next(phase for phase in case.get("phases", [case]) if phase["phase"] == kind)


def _datc_units(case: Mapping[str, Any]) -> Powers:
    units: Powers = {}
    for unit in case["units"]:
        units.setdefault(unit["power"].upper(), []).append(f"{unit['type']} {unit['at'].upper()}")
    return units


def _notation(short: str) -> str:
    text = short.upper().replace("VIA CONVOY", "VIA")
    return f"{text.removeprefix('DISBAND ')} D" if text.startswith("DISBAND ") else text


def _datc_orders(phase: Mapping[str, Any]) -> Powers:
    orders: Powers = {}
    for order in phase["orders"]:
        orders.setdefault(order["power"].upper(), []).append(_notation(order["short"]))
    return orders


def _rows(phase: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    for order, expected in zip(phase["orders"], phase["expected"], strict=True):
        yield expected["unit"].upper()[2:], order, expected


def _succeeds(result: RefResult, unit: str, kind: str) -> bool:
    if kind == "move":
        return unit in result.moves
    if kind == "convoy":
        return result.convoys.get(unit, False)
    if kind == "hold":
        return unit not in result.dislodged
    return result.supports.get(unit, False)


@pytest.mark.parametrize("case", _datc_cases("movement"))
def test_datc_movement(board: RefMap, case: dict[str, Any]) -> None:
    phase, units = _phase(case, "movement"), _datc_units(case)
    result = adjudicate(board, units, _datc_orders(phase))
    for unit, order, expected in _rows(phase):
        own = expected["unit"].upper() in units.get(order["power"].upper(), [])
        retreats = result.dislodged.get(unit)
        assert {
            "success": own and _succeeds(result, unit, order["type"]),
            "dislodged": retreats is not None,
            "destroyed": retreats == frozenset(),
        } == {key: expected[key] for key in ("success", "dislodged", "destroyed")}, order["short"]


@pytest.mark.parametrize("case", _datc_cases("movement"))
def test_datc_calls_the_same_orders_illegal(board: RefMap, case: dict[str, Any]) -> None:
    if case["id"] in {"6.A.6", "6.B.11"}:
        pytest.skip("an order to a foreign unit is no order of that unit; 6.B.11 prints 'fails' for an illegal order")
    phase = _phase(case, "movement")
    result = adjudicate(board, _datc_units(case), _datc_orders(phase))
    assert {unit for unit, legal in result.legal.items() if not legal} == {
        unit for unit, _, expected in _rows(phase) if expected["outcome"] == "illegal"
    }


@pytest.mark.parametrize("case", _datc_cases("retreat"))
def test_datc_retreats(board: RefMap, case: dict[str, Any]) -> None:
    movement, phase, units = _phase(case, "movement"), _phase(case, "retreat"), _datc_units(case)
    allowed = adjudicate(board, units, _datc_orders(movement)).dislodged
    dislodged = {power: [unit for unit in own if unit[2:] in allowed] for power, own in units.items()}
    result = adjudicate_retreats(dislodged, allowed, _datc_orders(phase))
    for unit, order, expected in _rows(phase):
        assert (unit in result.disbanded) is expected["disbanded"], order["short"]
        if order["type"] == "move":
            assert (unit in result.moves) is expected["success"], order["short"]
    for row in phase["retreat_provinces"]:
        places = allowed[row["unit"].upper()[2:]]
        assert {place.upper() for place in row["open"]} <= places
        assert not {place.upper() for place in row["closed"]} & places


# Recorded answers of other engines.


def _records(name: str) -> list[dict[str, Any]]:
    path = SHARED / "peers" / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _disagreements(board: RefMap, name: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> set[int]:
    wrong = set()
    for record in _records(name):
        result, expected = adjudicate(board, record["units"], record["orders"]), answer(record)
        if result.moves != expected["moves"] or sorted(result.dislodged) != sorted(expected["dislodged"]):
            wrong.add(record["id"])
    return wrong


def _of(engine: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda record: record["answers"][record["expected_by"][engine]]


def test_random_phases_as_four_engines(board: RefMap) -> None:
    assert _disagreements(board, "random_phases_noadjvia", lambda record: record["expected"]) == set()


def test_paradoxes_as_parlance_with_the_szykman_rule(board: RefMap) -> None:
    assert _disagreements(board, "paradox_phases", _of("parlance_d")) == set()


# Where an engine that reads "via convoy" as the DATC does still differs, and why it is the engine:
#   216, 1757: an own fleet on a possible route orders the convoy, the other fleet of the route does not; by 4.A.3 d
#              (and 6.G.6) the army is bound to the convoy and fails, teddriggs and parlance let it walk.
#   2051: the convoy by an own fleet is disrupted; 4.A.3 d knows no fallback, teddriggs has it.
#   737, 931, 991, 1116, 2027: a foreign fleet alone convoys to a neighbour; kidnapping in teddriggs (6.G.2).
#   800, 941, 1847: an army "via convoy" that no fleet convoys changes places or bounces in dreact (6.G.8).
ENGINES = [
    ("parlance", {216, 1757}),
    ("teddriggs", {216, 1757, 2051, 737, 931, 991, 1116, 2027}),
    ("dreact", {800, 941, 1847}),
]


@pytest.mark.parametrize(("engine", "known"), ENGINES, ids=[name for name, _ in ENGINES])
def test_random_phases_with_via_as_engines_without_fallback(board: RefMap, engine: str, known: set[int]) -> None:
    assert _disagreements(board, "random_phases", _of(engine)) == known


def test_a_ring_of_convoys_is_found_where_the_resolutions_are_not_one(board: RefMap) -> None:
    path = SHARED / "paradoxes.json"
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    for case in json.loads(path.read_text(encoding="utf-8")):
        result = adjudicate(board, units_of(case["orders"]), case["orders"])
        assert bool(result.paradoxes) is (case["resolutions"] != 1), case["name"]


# Random positions.

GENERATORS = [uniform, coherent, dense]
Generator = Callable[[random.Random, RefMap], Position]


def _positions(board: RefMap, generator: Generator, number: int) -> list[Position]:
    return [generator(random.Random(seed), board) for seed in range(number)]


@pytest.mark.parametrize("generator", GENERATORS)
def test_generators_make_sound_positions_and_repeat_them(board: RefMap, generator: Generator) -> None:
    positions = _positions(board, generator, 200)
    assert positions == _positions(board, generator, 200)
    for units, _ in positions:
        names = [unit for own in units.values() for unit in own]
        assert len({province_of(name[2:]) for name in names}) == len(names) <= 34
        for name in names:
            standing = (
                board.fleet if name[0] == "F" else {place for place in board.army if board.terrain[place] != "sea"}
            )
            assert name[2:] in standing


def test_generated_positions_are_of_their_kind(board: RefMap) -> None:
    results = {
        generator: [adjudicate(board, *position) for position in _positions(board, generator, 300)]
        for generator in GENERATORS
    }
    assert sum(bool(result.paradoxes) for result in results[dense]) >= 60
    assert sum(bool(result.rotations) for result in results[dense]) >= 60
    assert any(len(ring) >= 6 for result in results[dense] for ring in result.paradoxes)
    assert sum(not all(result.legal.values()) for result in results[uniform]) >= 150
    given = [given for result in results[coherent] for given in result.supports.values()]
    assert sum(given) > 0.7 * len(given)
    assert all(all(result.legal.values()) for result in results[coherent])


@pytest.mark.parametrize("generator", GENERATORS)
def test_no_two_units_end_in_one_province_and_nobody_drives_out_his_own(board: RefMap, generator: Generator) -> None:
    for units, orders in _positions(board, generator, 300):
        result = adjudicate(board, units, orders)
        power = {unit[2:]: name for name, own in units.items() for unit in own}
        left = [result.moves.get(place, place) for place in power if place not in result.dislodged]
        assert len({province_of(place) for place in left}) == len(left)
        winners = {province_of(goal): start for start, goal in result.moves.items()}
        for loser, retreats in result.dislodged.items():
            assert power[winners[province_of(loser)]] != power[loser]
            closed = {province_of(place) for place in left} | result.contested
            assert not {province_of(place) for place in retreats} & closed


@pytest.mark.parametrize("generator", GENERATORS)
def test_the_order_in_which_units_are_listed_does_not_matter(board: RefMap, generator: Generator) -> None:
    for units, orders in _positions(board, generator, 300):
        result = adjudicate(board, units, orders)
        turned = {power: list(reversed(own)) for power, own in reversed(units.items())}
        other = adjudicate(board, turned, dict(reversed(orders.items())))
        assert (other.moves, other.dislodged, other.supports, other.convoys, other.contested) == (
            result.moves,
            result.dislodged,
            result.supports,
            result.convoys,
            result.contested,
        )
        assert set(other.paradoxes) == set(result.paradoxes)
        assert set(other.rotations) == set(result.rotations)
