"""Hard families: their answers, the maps that they lie on, and the verb that prints them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from support.commands import satdip
from support.plain_evaluator import Equations

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.base.toml_text import TomlText
from satdip.board import Terrain
from satdip.board.mapcheck import MapReading
from satdip.board.mapfile import load_board
from satdip.board.seamaps import LARGEST, POWERS, is_name
from satdip.check import check_movement
from satdip.drawing import draw_turn
from satdip.generate import FAMILIES, FEATURES, GENERATORS, Instance, sea_map
from satdip.lab import resolutions
from satdip.notation import read_record, read_turn, write_record
from satdip.phase.orders import Move
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC

CASES = [(name, shape) for name, family in FAMILIES.items() for shape in family.maps]


def moved(resolution: Resolution) -> frozenset[str]:
    return frozenset(
        result.unit.province
        for result in resolution.orders
        if result.unit is not None and result.success and isinstance(result.checked.action, Move)
    )


def count_of(instance: Instance) -> int:
    return 0 if instance.answer.exponent is None else 2**instance.answer.exponent


# ---------------------------------------------------------------------- answers


@pytest.mark.parametrize(("name", "shape"), CASES)
@pytest.mark.parametrize("step", [0, 1, 2, 5, 9])
def test_the_answer_is_what_comes_out(name: str, shape: str, step: int) -> None:
    family = FAMILIES[name]
    instance = family.make(family.least + step, shape)
    resolution = adjudicate_turn(instance.turn, DATC)
    assert all(result.counts and result.outcome != "invalid" for result in resolution.orders), "every order is meant"
    assert moved(resolution) == instance.answer.moves
    assert {item.unit.province for item in resolution.dislodged} == instance.answer.dislodged
    found = resolutions(instance.turn, DATC, limit=8)
    assert (found.count, found.exact) == (count_of(instance), True)


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_small_ones_by_trying_all_decisions(name: str, shape: str) -> None:
    """The plain evaluator leaves out resolutions in which a ring stands still that could turn."""
    family, tried = FAMILIES[name], 0
    for size in range(family.least, family.least + 3):
        instance = family.make(size, shape)
        equations = Equations(instance.turn.position.board, check_movement(instance.turn, DATC).actions)
        if len(instance.turn.orders) <= 12:
            tried += 1
            number = 1 if instance.answer.exponent and instance.turn.extra["family"] in TURNING else count_of(instance)
            assert len(list(equations.resolutions())) == number, size
    assert tried, "none is small enough"


TURNING = ("rotation", "convoyed-rotation")
"""The families whose two resolutions are a ring that turns or stays."""


@pytest.mark.parametrize("name", FAMILIES)
def test_the_sequence_of_orders_does_not_matter(name: str) -> None:
    plain, mixed = FAMILIES[name].make(5), FAMILIES[name].make(5, rng=Random(2))
    assert plain.answer == mixed.answer
    assert set(plain.turn.position.units) == set(mixed.turn.position.units)
    assert plain.turn.position.units != mixed.turn.position.units
    assert moved(adjudicate_turn(mixed.turn, DATC)) == plain.answer.moves


@pytest.mark.parametrize(
    ("name", "of_size"),
    [
        ("paradoxes", lambda n: 4 * n),  # a convoy of two, its victim, an attacker: DATC 6.F.14
        ("cycle", lambda n: 5 * n),
        ("interlocked", lambda n: 12 * n),
        ("pandin", lambda n: 2 * n + 4),
        ("cut-chain", lambda n: 5 * n - 2),
        ("routes", lambda n: n * n + 1),
        ("chain", lambda n: n),
        ("convoyed-rotation", lambda n: 2 * n),
        ("beleaguered", lambda n: 2 * n + 1),
    ],
)
def test_how_many_units_a_size_has(name: str, of_size: Callable[[int], int]) -> None:
    for size in (3, 7, 40):
        assert len(FAMILIES[name].make(size).turn.position.units) == of_size(size)


def test_ten_thousand_units() -> None:
    """As a position with its orders; adjudicating it is a matter for the benchmarks."""
    for name, size, shape in (("paradoxes", 2500, "grid"), ("chain", 10_000, "ring")):
        instance = FAMILIES[name].make(size, shape)
        assert len(instance.turn.position.units) == 10_000
        assert len(instance.turn.orders) == len(instance.turn.position.units)


def test_cycles_are_even_or_odd() -> None:
    """Each convoy that holds breaks the next: going round an odd cycle contradicts itself."""
    assert [FAMILIES["cycle"].make(size).answer.exponent for size in range(1, 7)] == [None, 1, None, 1, None, 1]


def test_interlocked_cycles_are_separate_knots_of_nine_orders() -> None:
    found = resolutions(FAMILIES["interlocked"].make(4).turn, DATC, limit=4)
    assert [len(core.nodes) for core in found.cores] == [9] * 4
    assert found.count == 16


def test_sizes_and_maps_that_cannot_be() -> None:
    with pytest.raises(InputError, match="the family rotation has sizes from 3, not 2"):
        FAMILIES["rotation"].make(2)
    with pytest.raises(InputError, match="'hub'; its maps are grid, hex, ring"):
        FAMILIES["paradoxes"].make(2, "hub")
    with pytest.raises(InputError, match=f"{LARGEST} are the most"):
        FAMILIES["chain"].make(10**5)


# ---------------------------------------------------------------------- maps

NAMES = ["grid-1x1", "grid-3x2", "hex-1x1", "hex-4x5", "ring-1", "ring-2", "ring-7", "ring-12x4", "hub-1", "hub-9"]


@pytest.mark.parametrize("name", NAMES)
def test_a_generated_map_is_sound(name: str) -> None:
    """Told as a map file, it passes the check of map files."""
    board = load_board(name)
    powers = {
        p.id: {"name": p.name, "adjective": p.adjective, "home": list(p.home), "start": []}
        for p in board.powers.values()
    }
    provinces = {
        p.id: {"name": p.name, "terrain": str(p.terrain), "centre": p.centre, "fleet": sorted(board.fleet[p.id])}
        | ({"army": sorted(board.army[p.id])} if p.terrain == Terrain.COAST else {})
        for p in board.provinces.values()
    }
    reading = MapReading(TomlText(name, ""))
    whole = {"name": board.name, "victory": board.victory, "powers": powers, "provinces": provinces}
    again = reading.board(whole)
    assert not reading.problems
    assert again is not None
    assert (again.fleet, again.army) == (board.fleet, board.army)
    places = sea_map(name).places
    assert places.keys() == board.provinces.keys()
    assert len(set(places.values())) == len(places)


def test_borders_of_the_maps() -> None:
    """Inner seas of a grid touch four seas and four islands, of a hexagonal map six seas."""
    grid = load_board("grid-5x5")
    assert Counter(grid.provinces[at].terrain for at in grid.neighbours["S_2_2"]) == {"sea": 4, "coast": 4}
    hexes = load_board("hex-5x5")
    for sea in ("S_2_2", "S_2_1", "S_1_3"):
        assert sum(hexes.is_sea(at) for at in hexes.neighbours[sea]) == 6
    ring = load_board("ring-6x2")
    assert ring.neighbours["B_5"] == {"S_5", "S_1"}
    assert ring.distances(["S_3"])["S_0"] == 3
    hub = load_board("hub-4")
    assert hub.neighbours["HUB"] == {f"I_{i}" for i in range(4)}
    assert set(grid.powers) == set(POWERS)


@pytest.mark.parametrize(
    "name", ["grid", "grid-5", "grid-0x3", "ring-3x3x3", "cube-3x3", "hub-3x3", "grid-3x3 ", "ring--3"]
)
def test_what_is_no_name_of_a_map(name: str) -> None:
    with pytest.raises(InputError, match="names no generated map; write it like grid-20x20"):
        sea_map(name)
    if not is_name(name):
        with pytest.raises(InputError):
            load_board(name)


def test_no_map_is_larger_than_memory() -> None:
    with pytest.raises(InputError, match="40000 are the most"):
        sea_map("grid-999999x999999")
    assert load_board("standard").name == "standard"


# ---------------------------------------------------------------------- records, sheets and pictures


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_a_phase_of_a_family_is_a_phase_record_and_a_sheet(name: str, shape: str) -> None:
    instance = FAMILIES[name].make(4, shape)
    record = write_record(instance.turn)
    assert record["answer"] == instance.answer.to_json()
    read = read_record(json.loads(json.dumps(record)))
    assert write_record(read) == record
    assert read.position == instance.turn.position
    run = satdip("generate", name, "--size", 4, "--map", shape)
    assert run.code == 0, run.err
    sheet = read_turn(run.out)
    assert sheet.position.units == instance.turn.position.units
    assert [given.order for given in sheet.orders] == [given.order for given in instance.turn.orders]


def test_a_phase_of_a_family_is_drawn_with_the_places_of_its_map() -> None:
    for name in ("cycle", "paradoxes", "routes", "beleaguered"):
        turn = FAMILIES[name].make(3).turn
        known = sea_map(turn.position.board.name).places
        svg = draw_turn(adjudicate_turn(turn, DATC), places=known)
        assert svg != draw_turn(adjudicate_turn(turn, DATC)), "its own places, not those that borders give"
        assert svg.count("<title>F ") + svg.count("<title>A ") == len(turn.position.units)


# ---------------------------------------------------------------------- the verb


def test_a_random_phase_for_each_seed() -> None:
    lines = satdip("generate", "dense", "--seed", 7, "--count", 3, "--json").out.splitlines()
    assert len(lines) == 3
    assert len(set(lines)) == 3
    assert satdip("generate", "dense", "--seed", 8, "--json").out.splitlines() == lines[1:2]
    for line in lines:
        assert read_record(json.loads(line)).position.units


def test_several_sheets_stand_apart() -> None:
    out = satdip("generate", "coherent", "--count", 2).out
    assert out.count("map: standard") == 2
    assert "\n\n# coherent\n" in out


def test_a_feature_on_another_map() -> None:
    run = satdip("generate", "exchange", "--map", "grid-3x3", "--json")
    assert run.json["map"] == "grid-3x3"
    assert run.json["feature"] == "exchange"


def test_what_there_is() -> None:
    listed = satdip("generate", "--json").json
    kinds = {kind: {row["name"] for row in listed if row["kind"] == kind} for kind in ("random", "feature", "family")}
    assert kinds == {"random": set(GENERATORS), "feature": set(FEATURES), "family": set(FAMILIES)}
    assert len({row["name"] for row in listed}) == len(listed), "no name means two things"
    text = satdip("generate").out
    assert all(row["about"] in text for row in listed)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["paradox"], "nothing is generated by the name 'paradox'; 'satdip generate' lists what there is"),
        (["dense", "--size", "3"], "dense has no size; only families have one"),
        (["routes", "--map", "hex"], "the family routes is not laid on a map 'hex'; its maps are grid"),
        (["chain", "--size", "1000000"], "40000 are the most"),
        (["dense", "--map", "nowhere"], "no map is called 'nowhere'"),
    ],
)
def test_bad_input(arguments: list[str], error: str) -> None:
    run = satdip("generate", *arguments)
    assert run.code == 2
    assert error in run.err
    assert not run.out


def test_pairs_of_families_differ() -> None:
    """Families with the same pieces are told apart by their answers."""
    answers = {name: FAMILIES[name].make(4).answer for name in FAMILIES}
    for one, other in combinations(("chain", "blocked-chain", "rotation", "attacked-rotation"), 2):
        assert answers[one] != answers[other] or {one, other} == {"blocked-chain", "attacked-rotation"}
