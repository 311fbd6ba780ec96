"""Routes of convoys, against networkx: a route is a path over fleets that hold from the army's coast to the other."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import networkx as nx
import pytest

from satdip.board import Board
from satdip.board.board import UnitKind
from satdip.encodings.convoys import ordered_route, route
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed, ThreeValued
from satdip.encodings.situation import Situation
from satdip.phase.orders import Convoy, Move, UnitRef
from satdip.phase.position import Unit
from satdip.rulebook import DATC, Rulebook


class Open(ThreeValued):
    """A reading in which only some orders were given, as where orders are open."""

    def __init__(self, values: list[int], given: list[int], rules: Rulebook) -> None:
        super().__init__(values, rules)
        self.given = given

    def ordered(self, node: Indexed) -> int:
        return self.given[node.index]


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


def drawn(seed: int, fewest: int = 1, most: int = 6) -> tuple[list[str], str, str]:
    rng = Random(seed)
    start, end = rng.sample(COASTS, 2)
    return rng.sample(SEAS, rng.randint(fewest, most)), start, end


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


def ways(board: Board, seas: Collection[str], start: str, end: str) -> list[set[str]]:
    """Return the ways from coast to coast over these seas of which no fleet can be left out."""
    graph = nx.Graph((sea, other) for sea in seas for other in board.sea_neighbours[sea] if other in seas)
    graph.add_nodes_from(seas)
    for coast in (start, end):
        graph.add_edges_from((coast, sea) for sea in seas if coast in board.sea_neighbours[sea])
    if start not in graph or end not in graph:
        return []
    found = [set(way[1:-1]) for way in nx.all_simple_paths(graph, start, end)]
    return [way for way in found if not any(other < way for other in found)]


@pytest.mark.parametrize("chunk", range(0, 1000, 250))
def test_every_fleet_on_any_ordered_route_must_hold(chunk: int, board: Board) -> None:
    """By the rule of 1971: there is a route that was ordered, and no fleet fails that is on such a route."""
    for seed in range(chunk, chunk + 250):
        seas, start, end = drawn(seed, 2, 10)
        situation = convoyed(board, seas, start, end, ANY)
        (move,), rng = situation.moves, Random(seed)
        values, given = ([TRUE] * len(situation.nodes) for _ in range(2))
        for fleet in situation.convoys:
            given[fleet.index] = rng.choice((TRUE, TRUE, TRUE, FALSE))
            values[fleet.index] = rng.choice((TRUE, TRUE, TRUE, FALSE)) if given[fleet.index] == TRUE else FALSE
        ordered, held = (
            {fleet.at for fleet in situation.convoys if these[fleet.index] == TRUE} for these in (given, values)
        )
        routes = [way for way in ways(board, seas, start, end) if way <= ordered]
        expected = TRUE if routes and all(way <= held for way in routes) else FALSE
        assert route(Open(values, given, ANY), move) == expected, seed
