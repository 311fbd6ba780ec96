"""The standard map: its facts against the DATC, two public maps and the rulebook's special passages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import networkx as nx
import pytest

from satdip.board import Board, Terrain, UnitKind, province_of
from satdip.board.mapfile import load_board, map_names, problems

ROOT = Path(__file__).parents[2]
A, F = UnitKind.ARMY, UnitKind.FLEET


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board()


@pytest.fixture
def datc_provinces() -> list[dict[str, object]]:
    file = ROOT.parent / "shared" / "datc" / "provinces.json"
    if not file.exists():
        pytest.skip("the shared DATC data are not beside the project")
    provinces: list[dict[str, object]] = json.loads(file.read_text(encoding="utf-8"))
    return provinces


# ---------------------------------------------------------------------- loading


def test_a_shipped_map_is_loaded_once(board: Board) -> None:
    assert load_board("standard") is board
    assert load_board() is board


def test_shipped_maps_have_names_and_no_problems() -> None:
    assert "standard" in map_names()
    assert [load_board(name).name for name in map_names()] == list(map_names())
    assert [problem for name in map_names() for problem in problems(name)] == []


def test_the_file_of_a_map_is_that_map(board: Board) -> None:
    by_path = load_board(ROOT / "maps" / "standard.toml")
    assert by_path is not board
    facts = ("name", "provinces", "powers", "army", "fleet", "victory")
    assert [getattr(by_path, fact) for fact in facts] == [getattr(board, fact) for fact in facts]


def test_a_sound_map_needs_no_heavy_library() -> None:
    script = "import sys; from satdip.board.mapfile import load_board; load_board(); print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"networkx", "rapidfuzz", "pysat", "lark"}.isdisjoint(run.stdout.split())


# ---------------------------------------------------------------------- counts and names


def test_counts(board: Board) -> None:
    terrains = [province.terrain for province in board.provinces.values()]
    assert len(terrains) == 75
    assert {terrain: terrains.count(terrain) for terrain in Terrain} == {
        Terrain.SEA: 19,
        Terrain.INLAND: 14,
        Terrain.COAST: 42,
    }
    assert len(board.centres) == 34
    assert len(board.powers) == 7
    assert sum(len(power.home) for power in board.powers.values()) == 22
    assert sum(len(power.start) for power in board.powers.values()) == 22
    assert board.victory == 18  # the first number that is more than half of 34


def test_provinces_are_those_of_the_datc(board: Board, datc_provinces: list[dict[str, object]]) -> None:
    terrain = {"sea": "sea", "coastal": "coast", "inland": "inland"}
    datc = {
        str(fact["id"]).upper(): (
            fact["name"],
            terrain[str(fact["kind"])],
            [str(coast).upper() for coast in fact.get("coasts", [])],  # type: ignore[attr-defined]
            fact["supply_center"],
            fact.get("home"),
        )
        for fact in datc_provinces
    }
    owner = {home: power.name for power in board.powers.values() for home in power.home}
    ours = {
        key: (p.name, str(p.terrain), [f"{key}/{coast}" for coast in p.coasts], p.centre, owner.get(key))
        for key, p in board.provinces.items()
    }
    assert ours == datc


@pytest.mark.parametrize(
    ("power", "adjective", "units"),
    [
        ("AUSTRIA", "Austrian", "A BUD, F TRI, A VIE"),
        ("ENGLAND", "English", "F EDI, F LON, A LVP"),
        ("FRANCE", "French", "F BRE, A MAR, A PAR"),
        ("GERMANY", "German", "A BER, F KIE, A MUN"),
        ("ITALY", "Italian", "F NAP, A ROM, A VEN"),
        ("RUSSIA", "Russian", "A MOS, F SEV, F STP/SC, A WAR"),
        ("TURKEY", "Turkish", "F ANK, A CON, A SMY"),
    ],
)
def test_powers_start_with_a_unit_in_each_home_centre(board: Board, power: str, adjective: str, units: str) -> None:
    ours = board.powers[power]
    assert ours.adjective == adjective
    assert ours.name.upper() == power
    assert sorted(f"{kind} {at}" for kind, at in ours.start) == sorted(units.split(", "))
    assert sorted(province_of(at) for _, at in ours.start) == sorted(ours.home)
    assert board.centres.issuperset(ours.home)


@pytest.mark.parametrize(
    ("province", "written"),
    [
        ("MAO", ["MID", "Mid Atlantic", "Mid-Atlantic"]),
        ("NAO", ["NAT", "North Atlantic"]),
        ("NWG", ["NRG", "NWS"]),
        ("LYO", ["GOL", "Gulf of Lyons"]),
        ("BOT", ["GOB"]),
        ("TYS", ["TYN", "TYH"]),
        ("WES", ["WME", "WMS"]),
        ("EAS", ["EMD", "EMS"]),
        ("HEL", ["Heligoland Bight"]),
        ("SKA", ["SKG"]),
        ("ENG", ["ECH"]),
        ("LVP", ["LPL"]),
        ("STP", ["St. Petersburg", "Saint Petersburg", "StPetersburg"]),
        ("MAR", ["Marseille"]),
        ("RUM", ["Romania"]),
        ("TYR", ["Tyrol"]),
        ("TUN", ["Tunisia"]),
    ],
)
def test_common_names_are_known(board: Board, province: str, written: list[str]) -> None:
    assert set(written) <= set(board.provinces[province].aliases)


@pytest.mark.parametrize("written", ["LIV", "NOR", "NA", "ATL", "MED"])
def test_short_forms_with_two_meanings_belong_to_nobody(board: Board, written: str) -> None:
    claimed = [p.id for p in board.provinces.values() if written in (p.id, p.name.upper(), *map(str.upper, p.aliases))]
    assert claimed == []


# ---------------------------------------------------------------------- against other public maps


def test_moves_are_those_of_the_diplomacy_package(board: Board) -> None:
    diplomacy = pytest.importorskip("diplomacy", reason="the optional peer is not installed")
    theirs = diplomacy.Map("standard")
    places = sorted({at.upper() for at in theirs.locs} - {"SWI"})
    assert {*board.army, *board.fleet} == set(places)
    for kind in UnitKind:
        # The package also answers for a fleet "somewhere in Spain"; a fleet there stands on a coast.
        where = [at for at in places if board.stands(kind, at)]
        for at in where:
            reached = {to for to in where if to != at and theirs.abuts(str(kind), at, "-", to)}
            assert board.reach(kind, at) == reached, f"{kind} {at}"
    assert board.centres == set(theirs.scs)
    assert {power: set(ours.home) for power, ours in board.powers.items()} == {
        power: set(homes) for power, homes in theirs.homes.items() if power != "UNOWNED"
    }
    assert {power: {f"{kind} {at}" for kind, at in ours.start} for power, ours in board.powers.items()} == {
        power: set(units) for power, units in theirs.units.items() if power != "UNOWNED"
    }


def test_moves_are_those_of_pydip(board: Board) -> None:
    peer = pytest.importorskip("pydip.map.predefined.vanilla_dip", reason="the optional peer is not installed")
    theirs = peer.generate_map().adjacency
    ids = {name: p.id for p in board.provinces.values() for name in (p.name, *p.aliases)}
    coasts = {"North Coast": "NC", "South Coast": "SC", "Coast": ""}

    def location(name: str) -> str:
        """Translate "Spain North Coast", "Rome Coast" or "Rome"; the other map calls Bulgaria's east coast north."""
        for ending, coast in coasts.items():
            if name.endswith(f" {ending}"):
                at = f"{ids[name.removesuffix(f' {ending}')]}/{coast}".rstrip("/")
                return "BUL/EC" if at == "BUL/NC" else at
        return ids[name]

    army: dict[str, set[str]] = {}
    fleet: dict[str, set[str]] = {}
    for name, others in theirs.items():
        at, there = location(name), set(map(location, others))
        is_water = name.endswith(" Coast") or board.is_sea(at)
        (fleet if is_water else army)[at] = there
    assert fleet == board.fleet
    assert army == board.army


# ---------------------------------------------------------------------- the rulebook on special passages


@pytest.mark.parametrize(
    ("kind", "start", "end", "allowed"),
    [
        # A fleet follows the coast; two coastal provinces may touch inland only.
        (F, "ROM", "TUS", True),
        (F, "ROM", "NAP", True),
        (F, "ROM", "VEN", False),
        (A, "ROM", "VEN", True),
        (F, "VEN", "TUS", False),
        (F, "ANK", "SMY", False),
        (A, "ANK", "SMY", True),
        (F, "EDI", "LVP", False),
        (A, "EDI", "LVP", True),
        # Kiel: in by one coast and out by the other, one move each; nobody jumps over it.
        (F, "HEL", "KIE", True),
        (F, "KIE", "BAL", True),
        (F, "KIE", "BER", True),
        (F, "KIE", "HOL", True),
        (F, "HEL", "BAL", False),
        (A, "HOL", "KIE", True),
        (A, "KIE", "DEN", True),
        (A, "KIE", "BER", True),
        (A, "HOL", "BER", False),
        # Constantinople: the same.
        (F, "BLA", "CON", True),
        (F, "CON", "AEG", True),
        (F, "CON", "ANK", True),
        (F, "CON", "SMY", True),
        (F, "BLA", "AEG", False),
        (A, "BUL", "CON", True),
        (A, "CON", "SMY", True),
        (A, "BUL", "SMY", False),
        # Sweden and Denmark touch, for both kinds; the way from the Baltic to the Skagerrak leads through them.
        (A, "SWE", "DEN", True),
        (F, "SWE", "DEN", True),
        (F, "BAL", "SKA", False),
        (F, "BAL", "SWE", True),
        (F, "SWE", "SKA", True),
        (F, "BAL", "DEN", True),
        (F, "DEN", "SKA", True),
        (F, "SWE", "BOT", True),
        (A, "DEN", "BER", False),
        (F, "DEN", "BER", False),
        # Spain has two coasts; a fleet goes on from the one where it is.
        (F, "MAR", "SPA/SC", True),
        (F, "MAR", "SPA/NC", False),
        (F, "SPA/NC", "MAR", False),
        (F, "GAS", "SPA/NC", True),
        (F, "GAS", "SPA/SC", False),
        (F, "POR", "SPA/NC", True),
        (F, "POR", "SPA/SC", True),
        (F, "SPA/NC", "SPA/SC", False),
        (A, "GAS", "SPA", True),
        # The coasts of Bulgaria and St Petersburg.
        (F, "CON", "BUL/EC", True),
        (F, "CON", "BUL/SC", True),
        (F, "BLA", "BUL/SC", False),
        (F, "AEG", "BUL/EC", False),
        (F, "NWY", "STP/NC", True),
        (F, "NWY", "STP/SC", False),
        (F, "BAR", "STP/NC", True),
        (F, "BOT", "STP/SC", True),
        (A, "NWY", "STP", True),
        # Armies stay out of the water, fleets out of the land.
        (A, "BRE", "MAO", False),
        (F, "BRE", "PAR", False),
    ],
)
def test_special_passages(board: Board, kind: UnitKind, start: str, end: str, allowed: bool) -> None:
    assert board.stands(kind, start)
    assert (end in board.reach(kind, start)) is allowed
    assert (start in board.reach(kind, end)) is allowed


@pytest.mark.parametrize(
    "name", ["Switzerland", "Ireland", "Iceland", "Corsica", "Sardinia", "Sicily", "Crete", "Cyprus"]
)
def test_nobody_enters_switzerland_or_the_islands(board: Board, name: str) -> None:
    names = {word.casefold() for p in board.provinces.values() for word in (p.id, p.name, *p.aliases)}
    assert name.casefold() not in names
    assert name[:3].casefold() not in names


def test_every_border_is_open_both_ways(board: Board) -> None:
    for kind, table in ((A, board.army), (F, board.fleet)):
        for at, there in table.items():
            assert at not in there
            assert all(at in board.reach(kind, other) for other in there)


def test_who_can_stand_where(board: Board) -> None:
    for province in board.provinces.values():
        assert board.locations(A, province.id) == (() if board.is_sea(province.id) else (province.id,))
        assert bool(board.locations(F, province.id)) == (province.terrain != Terrain.INLAND)
    assert board.locations(F, "SPA") == ("SPA/NC", "SPA/SC")
    assert not board.stands(F, "SPA")
    assert not board.stands(A, "SPA/NC")


def test_coasts_that_a_fleet_reaches(board: Board) -> None:
    assert board.coasts_reached("MAO", "SPA") == ("SPA/NC", "SPA/SC")
    assert board.coasts_reached("MAR", "SPA") == ("SPA/SC",)
    assert board.coasts_reached("SPA/NC", "MAR") == ()
    assert "SPA" in board.reach_provinces(F, "MAR")


# ---------------------------------------------------------------------- graphs


def test_the_graph_has_a_node_for_each_location(board: Board) -> None:
    assert set(board.graph) == {*board.provinces, "BUL/EC", "BUL/SC", "SPA/NC", "SPA/SC", "STP/NC", "STP/SC"}
    assert board.graph.nodes["STP/NC"] == {"province": "STP", "terrain": Terrain.COAST, "centre": True}
    assert board.graph.nodes["MAO"] == {"province": "MAO", "terrain": Terrain.SEA, "centre": False}


@pytest.mark.parametrize(
    ("one", "other", "kinds"),
    [
        ("HOL", "KIE", {A, F}),
        ("ROM", "VEN", {A}),
        ("PAR", "BUR", {A}),
        ("ADR", "ION", {F}),
        ("BRE", "MAO", {F}),
        ("SPA", "MAR", {A}),
        ("SPA/SC", "MAR", {F}),
    ],
)
def test_edges_know_who_uses_them(board: Board, one: str, other: str, kinds: set[UnitKind]) -> None:
    assert board.graph.edges[one, other]["kinds"] == kinds


def test_coasts_are_for_fleets_only(board: Board) -> None:
    for province in ("BUL", "SPA", "STP"):
        coasts = board.locations(F, province)
        assert _kinds(board, [province]) == {frozenset({A})}
        assert _kinds(board, coasts) == {frozenset({F})}
        assert not any(board.graph.has_edge(province, coast) for coast in coasts)


def _kinds(board: Board, nodes: Iterable[str]) -> set[frozenset[UnitKind]]:
    return {board.graph.edges[edge]["kinds"] for edge in board.graph.edges(nodes)}


def _components(board: Board, kind: UnitKind) -> list[set[str]]:
    used = [edge for edge in board.graph.edges if kind in board.graph.edges[edge]["kinds"]]
    return sorted(nx.connected_components(board.graph.edge_subgraph(used)), key=len)


def test_armies_cannot_walk_over_water(board: Board) -> None:
    africa, britain, continent = _components(board, A)
    assert africa == {"NAF", "TUN"}
    assert britain == {"CLY", "EDI", "LON", "LVP", "WAL", "YOR"}
    assert len(continent) == 75 - 19 - 2 - 6


def test_fleets_can_sail_round_the_whole_board(board: Board) -> None:
    (waters,) = _components(board, F)
    assert waters == set(board.fleet)


def test_the_sea_graph_is_what_convoys_use(board: Board) -> None:
    seas = {p.id for p in board.provinces.values() if p.terrain == Terrain.SEA}
    assert set(board.seas) == seas | {p.id for p in board.provinces.values() if p.terrain == Terrain.COAST}
    assert all(one in seas or other in seas for one, other in board.seas.edges)
    assert set(board.seas["SPA"]) == {"LYO", "MAO", "WES"}  # both coasts: an army has none
    assert nx.is_simple_path(board.seas, ["LON", "ENG", "MAO", "WES", "TUN"])
    # No convoy leads through Kiel, Constantinople, Sweden or Denmark.
    black, baltic, open_sea = sorted(nx.connected_components(board.seas.subgraph(seas)), key=len)
    assert (black, baltic) == ({"BLA"}, {"BAL", "BOT"})
    assert len(open_sea) == 19 - 3


@pytest.mark.parametrize(
    ("start", "goals", "steps"),
    [
        ("PAR", ["PAR", "BRE"], 0),
        ("PAR", ["MAR"], 2),
        ("LON", ["BEL"], 2),  # over the Channel: land and sea alike
        ("TUN", ["ROM", "NAP", "VEN"], 2),
        ("SKA", ["STP"], 2),  # Norway
        ("ALB", ["SEV"], 3),  # Serbia, Rumania
        ("PAR", [], None),
    ],
)
def test_distance(board: Board, start: str, goals: list[str], steps: int | None) -> None:
    assert board.distances(goals).get(start) == steps
