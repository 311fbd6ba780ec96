"""Routes of convoys, against networkx: a route is a path over fleets that hold from the army's coast to the other."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import networkx as nx
import pytest

from satdip.board import Board
from satdip.board.board import UnitKind
from satdip.encodings.convoys import ordered_route, route
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, ThreeValued
from satdip.encodings.situation import Situation
from satdip.phase.orders import Convoy, Move, UnitRef
from satdip.phase.position import Unit
from satdip.rulebook import DATC, Rulebook

ANY = DATC.override({"4.A.1": "any"})
SEAS = ("NTH", "ENG", "MAO", "IRI", "WES", "NAO", "NWG", "SKA", "HEL", "LYO", "TYS", "BAL", "BAR")
COASTS = ("LON", "BEL", "POR", "SPA", "TUN", "NWY", "DEN", "STP", "LVP", "BRE", "ROM", "SWE", "YOR")


def convoyed(board: Board, seas: Collection[str], start: str, end: str, rules: Rulebook) -> Situation:
    """Return a situation in which fleets on these seas are ordered to convoy an army from one coast to another."""
    army, reference = Unit("ENGLAND", UnitKind.ARMY, start), UnitRef(start, UnitKind.ARMY)
    fleets = [Unit("FRANCE", UnitKind.FLEET, sea) for sea in seas]
    orders = [(fleet, Convoy(UnitRef(fleet.location, UnitKind.FLEET), reference, end)) for fleet in fleets]
    return Situation(board, [army, *fleets], [(army, Move(reference, end, via=True)), *orders], rules)


def paths(board: Board, seas: Collection[str], start: str, end: str) -> bool:
    """Return whether a path leads from coast to coast over some of these seas."""
    graph = nx.Graph(
        (sea, other) for sea in seas for other in board.sea_neighbours[sea] if other in (*seas, start, end)
    )
    return graph.has_node(start) and graph.has_node(end) and nx.has_path(graph, start, end)


def drawn(seed: int) -> tuple[list[str], str, str]:
    rng = Random(seed)
    start, end = rng.sample(COASTS, 2)
    return rng.sample(SEAS, rng.randrange(1, 7)), start, end


@pytest.mark.parametrize("chunk", range(0, 2000, 250))
def test_a_route_is_a_path_over_fleets_that_hold(chunk: int, board: Board) -> None:
    """By the rule that one intact route is enough; an army reaches no coast over the coast of another province."""
    for seed in range(chunk, chunk + 250):
        seas, start, end = drawn(seed)
        situation = convoyed(board, seas, start, end, DATC)
        (move,), rng = situation.moves, Random(seed)
        values = [TRUE] * len(situation.nodes)
        for fleet in situation.convoys:
            values[fleet.index] = rng.choice((TRUE, FALSE, UNKNOWN))
        sure = [fleet.at for fleet in situation.convoys if values[fleet.index] == TRUE]
        possible = [fleet.at for fleet in situation.convoys if values[fleet.index] != FALSE]
        expected = TRUE if paths(board, sure, start, end) else UNKNOWN if paths(board, possible, start, end) else FALSE
        assert route(ThreeValued(values), move) == expected, seed


@pytest.mark.parametrize("chunk", range(0, 1000, 250))
def test_an_ordered_route_may_have_to_do_without_a_fleet(chunk: int, board: Board) -> None:
    for seed in range(chunk, chunk + 250):
        seas, start, end = drawn(seed)
        situation = convoyed(board, seas, start, end, DATC)
        (move,), x = situation.moves, ThreeValued([FALSE] * len(situation.nodes))
        assert (ordered_route(x, move) == TRUE) == paths(board, seas, start, end)
        for fleet in situation.convoys:
            others = [sea for sea in seas if sea != fleet.at]
            assert (ordered_route(x, move, without=fleet) == TRUE) == paths(board, others, start, end), (seed, fleet)


@pytest.mark.parametrize("chunk", range(0, 1000, 250))
def test_every_fleet_on_any_route_must_hold(chunk: int, board: Board) -> None:
    """By the rule of 1971: no fleet may fail that is on a way from which no other can be left out."""
    for seed in range(chunk, chunk + 250):
        seas, start, end = drawn(seed)
        situation = convoyed(board, seas, start, end, ANY)
        (move,), rng = situation.moves, Random(seed)
        values = [TRUE] * len(situation.nodes)
        for fleet in situation.convoys:
            values[fleet.index] = rng.choice((TRUE, TRUE, TRUE, FALSE))
        graph = nx.Graph((sea, other) for sea in seas for other in board.sea_neighbours[sea] if other in seas)
        graph.add_nodes_from(seas)
        for coast in (start, end):
            graph.add_edges_from((coast, sea) for sea in seas if coast in board.sea_neighbours[sea])
        ways = [way[1:-1] for way in nx.all_simple_paths(graph, start, end)] if start in graph and end in graph else []
        needed = [way for way in ways if not any(set(other) < set(way) for other in ways)]
        on_any = {sea for way in needed for sea in way}
        lost = {fleet.at for fleet in situation.convoys if values[fleet.index] == FALSE}
        expected = TRUE if needed and not lost & on_any else FALSE
        assert route(ThreeValued(values, ANY), move) == expected, seed
