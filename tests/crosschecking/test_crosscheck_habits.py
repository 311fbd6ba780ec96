"""Habits of engines that come to light in large runs only: each on a small phase, with a neighbour that has none.

The packages themselves are asked, so the phases hold for the releases that are named in docs/crosscheck.md. Every phase
but the marked ones has one cause alone; in its neighbour, where the one thing is missing that the engine stumbles over,
the engine is right or has another habit.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from satdip.crosschecking.classify import causes
from satdip.crosschecking.engines import Answer, RecordedAnswers, answer_of, differences, engine_named
from satdip.crosschecking.habits import Reader, part_named, written
from satdip.notation import read_lines, read_record, read_turn, write_record
from satdip.rulebook import DATC

UNFILTERED = "retreats-unfiltered-after-convoy"


@dataclass(frozen=True)
class Shape:
    """A phase and its neighbour.

    Args:
        engine: the package that is asked.
        cause: what explains its answer.
        sheet: the orders.
        neighbour: the same but for one thing.
        moves, dislodged: some of what the engine says, argued from what it is known to do.
        other: what explains its answer to the neighbour; "" where it is right.
        alone: whether no other set explains the answer.
    """

    engine: str
    cause: str
    sheet: str
    neighbour: str
    moves: dict[str, str]
    dislodged: set[str]
    other: str = ""
    alone: bool = True


KIEL_DENMARK = """
    Germany: A Ber - Kie, F Den S A Ber - Kie
    England: A Kie - Den via convoy, F Bal C A Kie - Den, F Hel S A Kie - Den
"""
SWAP = """
    Russia: A Nwy - Swe
    England: F Nth - Ska, F Den S F Nth - Ska
    Germany: A Swe - Nwy via convoy, F Ska C A Swe - Nwy
"""
RETREAT = """
    England: A Edi - Nwy, F Nwg C A Edi - Nwy
    Germany: A Swe - Nwy via convoy, F Ska C A Swe - Nwy
"""
CUTS = """
    England: A Yor - Bel, F Nth C A Yor - Bel, F Lon S F Nth
    Germany: F Bel S A Ruh - Hol, A Ruh - Hol
    Russia: F Ska - Nth, F Nwg S F Ska - Nth
    Turkey: A Gre - Nap, F Ion C A Gre - Nap
    Italy: F Nap S A Rom - Apu, A Rom - Apu
    Austria: F Apu H, F Tys - Ion, F Aeg S F Tys - Ion
"""
TWO_LOOPS = """
    France: F Lon S F Eng, A Wal - Bel, F Pic S A Wal - Bel
    Italy: F Bel S F Nwg - Nth, F Nwg - Nth, F Mao - Eng, F Bre S F Mao - Eng
    Austria: F Tun S F Ion - Tys, F Ion - Tys
    Turkey: F Eng C A Wal - Bel, F Nth C A Hol - Lon, A Hol - Lon
    Turkey: A Spa - Tun, F Wes C A Spa - Tun, A Tus - Nap via convoy, F Tys C A Tus - Nap
"""
SPAIN = """
    Austria: A Naf - Spa, F Bre - Mao
    France: F Wes C A Naf - Spa, F Mao S A Naf - Spa, F Lyo S A Naf - Spa, F Spa(sc) H
"""
NAPLES = """
    Germany: F Wes S A Alb - Tun, F Aeg - Ion, F Eas S F Aeg - Ion, F Rom S A Tus - Nap, F Nap H
    Italy: F Tys C A Tus - Nap, A Tus - Nap via convoy, F Ion C A Alb - Tun, A Alb - Tun, F Mao - Wes
"""
CHAIN = """
    France: F Ska C A Nwy - Den, F Hel C A Hol - Kie, F Swe S A Nwy - Den, A Hol - Kie, F Pru - Bal
    Russia: F Bal C A Ber - Swe, F Kie S F Pru - Bal, A Nwy - Den via convoy, F Nth - Hel, A Ber - Swe
"""
DISRUPTED = """
    France: F Bla C A Rum - Sev, F Ank S F Arm - Bla
    Turkey: A Rum - Sev via convoy, F Arm - Bla
"""
THREE_CONVOYS = """
    Germany: F Bal C A Ber - Swe, F Hel C A Hol - Kie, F Ska C A Nwy - Den, A Nwy - Den via convoy
    Russia: A Ber - Swe, F Nth - Hel
    Austria: A Hol - Kie via convoy, F Pru - Bal
    Germany: F Kie S F Pru - Bal
"""
COASTS = """
    France: F Por - Spa(nc)
    Italy: F Spa(sc) H
    England: F Con - Bul(sc)
    Austria: A Ser S F Con - Bul(ec)
    Turkey: F Bul(ec) H
"""
SHAPES = {
    # The support of Denmark is directed at the province that the army comes from.
    "two-in-one-province": Shape(
        "pydip",
        "convoy-does-not-dislodge",
        KIEL_DENMARK,
        KIEL_DENMARK + "France: A Swe - Den",
        {"KIE": "DEN", "BER": "KIE"},
        set(),
    ),
    # The support that the dislodgement should cut lets Budapest in against Vienna.
    "two-in-one-province-and-the-support-counts": Shape(
        "pydip",
        "convoy-does-not-dislodge",
        """
        Italy: A Bud - Tri, F Ven S A Bud - Tri
        Turkey: A Vie - Tri
        Austria: F Adr C A Tri - Ven, A Rom S A Tri - Ven, A Tri - Ven via convoy
        """,
        """
        Italy: A Bud - Tri, F Ven S F Alb
        Germany: F Alb H
        Turkey: A Vie - Tri
        Austria: F Adr C A Tri - Ven, A Rom S A Tri - Ven, A Tri - Ven via convoy
        """,
        {"BUD": "TRI", "TRI": "VEN"},
        set(),
    ),
    # Holland cuts the support against the Skagerrak by convoy; Kiel would by land, before convoys are looked at.
    "head-to-head-after-danger": Shape(
        "diplomacy",
        "convoy-was-in-danger",
        SWAP + "France: A Hol - Den, F Hel C A Hol - Den",
        SWAP + "France: A Kie - Den",
        {},
        set(),
    ),
    # The choice of 4.A.3 by which the army walks closes Sweden too.
    "origin-closed-after-danger": Shape(
        "diplomacy",
        "convoy-was-in-danger",
        RETREAT + "Germany: F Bar S A Swe - Nwy\nRussia: F Nwy S F Den - Ska, F Den - Ska",
        RETREAT + "Germany: F Bar S A Swe - Nwy\nRussia: F Nwy H, F Den - Ska",
        {"SWE": "NWY"},
        {"NWY"},
        other=UNFILTERED,
        alone=False,
    ),
    "own-support-after-danger": Shape(
        "diplomacy",
        "own-support-counts + convoy-was-in-danger",
        RETREAT + "Russia: F Bar S A Swe - Nwy, F Nwy S F Den - Ska, F Den - Ska",
        RETREAT + "Russia: F Bar S A Swe - Nwy, F Nwy H, F Den - Ska",
        {"SWE": "NWY"},
        {"NWY"},
        other=f"own-support-counts + {UNFILTERED}",
    ),
    # London's support of the North Sea is cut by convoy, while Yorkshire still looks safe; or by land, before. Greece
    # does not look safe, and cuts nothing: by 4.A.2=2000-literal it would, as Yorkshire does.
    "cut-by-a-broken-convoy": Shape(
        "diplomacy",
        "convoy-cuts-too-early",
        CUTS + "France: A Bre - Lon, F Eng C A Bre - Lon, A Hol H",
        CUTS + "France: A Wal - Lon, A Hol H",
        {"SKA": "NTH"},
        {"NTH"},
    ),
    # Two fleets of the power attacked support; one of them is attacked by a unit of its own power besides.
    "own-supports-of-which-one-is-pushed": Shape(
        "diplomacy",
        f"own-support-counts + {UNFILTERED}",
        SPAIN + "France: F Gas - Mao",
        SPAIN.replace("F Lyo S A Naf - Spa, ", "") + "France: F Gas - Mao",
        {"NAF": "SPA"},
        {"SPA"},
    ),
    # Two of one power: each supports an attack on the other. Albania does not arrive, so neither comes to pass.
    "own-supports-against-each-other": Shape(
        "diplomacy",
        f"own-support-counts + {UNFILTERED}",
        NAPLES + "Germany: F Tun S F Mao - Wes",
        NAPLES.replace("F Rom S A Tus - Nap, ", "") + "Germany: F Tun S F Mao - Wes",
        {"TUS": "NAP", "AEG": "ION"},
        {"ION", "NAP"},
    ),
    # Berlin's convoy is safe once Holland's is, and that once Norway cuts: two steps are one too many. That Norway's
    # own support counts changes nothing by itself, and that Berlin does not cut it neither.
    "two-habits-that-change-nothing-alone": Shape(
        "diplomacy",
        f"own-support-counts + paradox-seen + {UNFILTERED}",
        CHAIN + "France: F Den S F Nth - Hel",
        CHAIN + "France: F Den H",
        {"NWY": "DEN"},
        {"DEN"},
        alone=False,
    ),
    # Constantinople cannot cut its own Ankara, whose support against the Black Sea counts though that is its own, too.
    "own-support-of-a-unit-that-is-pushed": Shape(
        "diplomacy",
        "own-support-disrupts",
        DISRUPTED + "France: A Con - Ank",
        DISRUPTED + "England: A Con - Ank",
        {},
        set(),
    ),
    # Norway cuts Denmark, so Holland is safe; Holland cuts Kiel, so Berlin is, which is found out too late.
    "third-convoy-of-a-chain": Shape(
        "diplomacy",
        "convoy-given-up-too-early",
        THREE_CONVOYS + "Italy: F Den S F Nth - Hel",
        THREE_CONVOYS + "Italy: F Den H",
        {},
        set(),
    ),
    # Gascony is a fleet, Serbia an army: both name the other coast.
    "coast-that-a-fleet-names": Shape(
        "diplomacy",
        "coast-in-support-dropped",
        COASTS + "Germany: F Gas S F Por - Spa(sc)",
        COASTS + "Germany: F Gas S F Por - Spa(nc)",
        {"POR": "SPA/NC"},
        {"SPA"},
    ),
    # Belgium cannot both be cut and help the Norwegian Sea in; how the loop is entered depends on Norway's attack.
    "guess-that-is-kept": Shape(
        "pydip",
        "guess-kept",
        TWO_LOOPS + "France: F Nwy - Nth",
        TWO_LOOPS,
        {"NWG": "NTH", "WAL": "BEL"},
        {"BEL", "NTH"},
    ),
}


def asked(engine: str, sheet: str) -> tuple[Reader, Answer]:
    pytest.importorskip(engine)
    turn = read_turn(sheet)
    answer = engine_named(engine, isolated=False).adjudicate(write_record(turn))
    assert answer.failure is None
    return Reader(turn, DATC), answer


@pytest.mark.parametrize("shape", [pytest.param(shape, id=name) for name, shape in SHAPES.items()])
def test_a_shape_of_a_large_run_has_a_class(shape: Shape) -> None:
    reader, answer = asked(shape.engine, shape.sheet)
    assert shape.moves.items() <= (answer.moves or {}).items()
    assert shape.dislodged <= (answer.dislodged or set())
    assert differences(reader.resolution, answer)
    found = [written(cause) for cause in causes(reader, answer)]
    assert shape.cause in found
    assert found == [shape.cause] or not shape.alone


@pytest.mark.parametrize("shape", [pytest.param(shape, id=name) for name, shape in SHAPES.items()])
def test_beside_the_shape_the_habit_explains_nothing(shape: Shape) -> None:
    reader, answer = asked(shape.engine, shape.neighbour)
    if not shape.other:
        assert not differences(reader.resolution, answer)
        return
    assert [written(cause) for cause in causes(reader, answer)] == [shape.other]
    assert not reader.explains([part_named(slug) for slug in shape.cause.split(" + ")], answer)


@pytest.mark.parametrize(
    "sheet",
    [
        pytest.param(KIEL_DENMARK.replace("F Den S A Ber - Kie", "F Den S A Ber"), id="support-in-place"),
        pytest.param(KIEL_DENMARK.replace("A Ber - Kie,", "A Ber H,"), id="support-of-no-move"),
        pytest.param(KIEL_DENMARK.replace(" via convoy", ""), id="by-land"),
        pytest.param(KIEL_DENMARK.replace("F Hel S A Kie - Den", "F Hel H"), id="no-dislodgement"),
    ],
)
def test_two_stand_in_one_province_in_that_shape_only(sheet: str) -> None:
    """Where something of it is missing the package dislodges as it should, or nobody arrives."""
    reader, answer = asked("pydip", sheet.replace("F Bal C A Kie - Den", "F Bal H") if "via" not in sheet else sheet)
    assert not differences(reader.resolution, answer)
    assert reader.read([part_named("convoy-does-not-dislodge")], answer) is None


# ---------------------------------------------------------------------- an engine that cannot be asked


@pytest.mark.parametrize(
    ("number", "cause"),
    [
        (102, "leaving-unit-dislodged"),
        (1617, "missing-borders + pathless-army-vanishes + ring-member-vanishes"),
    ],
)
def test_what_an_engine_with_many_habits_did(number: int, cause: str, shared: Path) -> None:
    records = (record for _, record in read_lines(shared / "peers" / "random_phases.jsonl.gz"))
    record = next(record for record in records if record["id"] == number)
    answer = RecordedAnswers("jsdiplomacy").adjudicate(record)
    assert [written(found) for found in causes(Reader(read_record(record), DATC), answer)] == [cause]


RING = "Turkey: F Rum - Bla, F Bla - Sev, F Sev - Rum"


def test_a_ring_that_is_entered_before_it_fails() -> None:
    """The fleets of Rumania and Bulgaria bounce; the two that follow Rumania walk in all the same."""
    reader = Reader(read_turn(RING + ", F Bul(ec) - Bla"), DATC)
    assert answer_of(reader.resolution).moves == {}
    moved = Answer(moves={"BLA": "SEV", "SEV": "RUM"}, dislodged=frozenset())
    assert reader.explains([part_named("ring-member-vanishes")], moved)
    behind = Answer(moves={"BLA": "SEV", "SEV": "RUM", "BUL": "BLA"}, dislodged=frozenset())
    assert not reader.explains([part_named("ring-member-vanishes")], behind)  # Rumania keeps Bulgaria out


def test_a_ring_that_moves_needs_no_habit() -> None:
    reader = Reader(read_turn(RING + ", F Bul(ec) H"), DATC)
    moved = Answer(moves={"BLA": "SEV", "SEV": "RUM", "RUM": "BLA"}, dislodged=frozenset())
    assert not differences(reader.resolution, moved)
    assert reader.read([part_named("ring-member-vanishes")], moved) is None


def test_a_unit_that_is_dislodged_while_leaving_may_keep_others_out() -> None:
    """Tyrolia goes to Trieste, and counts as dislodged; of the Adriatic the engine may think either."""
    sheet = """
    Italy: A Boh S A Ven - Tyr, A Ven - Tyr
    Russia: A Tyr - Tri
    Germany: A Bud S A Tyr - Tri
    Austria: F Adr - Tri, A Tri - Ven
    """
    reader = Reader(read_turn(sheet), DATC)
    assert answer_of(reader.resolution).moves == {"VEN": "TYR", "TYR": "TRI", "TRI": "VEN"}
    habit = [part_named("leaving-unit-dislodged")]
    stays_out = Answer(moves={"VEN": "TYR", "TRI": "VEN"}, dislodged=frozenset({"TYR"}))
    assert reader.explains(habit, stays_out)
    walks_in = Answer(moves={"VEN": "TYR", "TRI": "VEN", "ADR": "TRI"}, dislodged=frozenset({"TYR"}))
    assert reader.explains(habit, walks_in)
    not_forced = Answer(moves={"TRI": "VEN"}, dislodged=frozenset({"TYR"}))
    assert not reader.explains(habit, not_forced)


def test_a_supporter_that_two_convoyed_armies_attack_stands_beside_the_map_once() -> None:
    reader, answer = asked(
        "pydip",
        """
        Austria: A Swe - Den via convoy, A Ber - Den via convoy
        England: F Ska C A Swe - Den, F Bal C A Ber - Den, F Den S F Kie - Hel, F Kie - Hel
        """,
    )
    assert not differences(reader.resolution, answer)
    assert reader.explains([part_named("guess-kept")], answer)
