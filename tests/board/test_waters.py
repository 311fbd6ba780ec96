"""Which convoys fleets could make: `satdip.board.waters` against the definition, tried on every chain of fleets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

import pytest

from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.board.waters import Waters

Chain = tuple[str, ...]


def board_of(touches: Mapping[str, set[str]]) -> Board:
    """Return a board of which only the seas matter."""
    seas = load_board("grid-1x1")
    provinces = {sea: replace(seas.provinces["S_0_0"], id=sea) for sea in touches}
    provinces |= {at: replace(seas.provinces["I_0_0"], id=at) for near in touches.values() for at in near - {*touches}}
    return replace(seas, provinces=provinces, fleet={sea: frozenset(near) for sea, near in touches.items()})


def chains(board: Board, fleets: set[str], start: str, end: str) -> Iterator[Chain]:
    """Try every chain of different fleets from shore to shore."""

    def grow(chain: Chain) -> Iterator[Chain]:
        if end in board.sea_neighbours[chain[-1]]:
            yield chain
        for sea in board.sea_neighbours[chain[-1]] & fleets - {*chain}:
            yield from grow((*chain, sea))

    for sea in fleets:
        if start in board.sea_neighbours[sea]:
            yield from grow((sea,))


def without_shortcut(every: set[Chain]) -> set[Chain]:
    """Return the chains from which no fleets can be left out so that the others are a chain (DATC 6.G.19)."""
    members = {frozenset(chain) for chain in every}
    return {chain for chain in every if not any(other < {*chain} for other in members)}


def random_seas(rng: Random) -> Board:
    """Return up to seven seas joined at random, with three coasts."""
    seas = [f"S{number}" for number in range(rng.randint(2, 7))]
    share = rng.choice((0.2, 0.35, 0.5))
    touches: dict[str, set[str]] = {sea: {at for at in ("A", "B", "C") if rng.random() < 0.3} for sea in seas}
    for number, sea in enumerate(seas):
        touches[sea].update(other for other in seas[:number] if rng.random() < share)
    return board_of(touches)


@pytest.mark.parametrize("seed", range(300))
def test_every_answer_on_small_seas(seed: int) -> None:
    rng = Random(seed)
    board = random_seas(rng) if seed % 3 else load_board(rng.choice(("grid-3x3", "hex-3x2", "ring-7x3")))
    fleets = {sea for sea in sorted(board.sea_neighbours) if rng.random() < 0.85}
    coasts = sorted({at for near in board.sea_neighbours.values() for at in near} - {*board.sea_neighbours})
    if len(coasts) < 2:
        return
    waters = Waters(board, fleets)
    for _ in range(4):
        start, end = rng.sample(coasts, 2)
        every = set(chains(board, fleets, start, end))
        shortest = without_shortcut(every)
        assert set(waters.routes(start, end)) == shortest
        assert len(list(waters.routes(start, end))) == len(shortest)
        useful = {sea for chain in shortest for sea in chain}
        assert {sea for sea in board.sea_neighbours if waters.is_useful(sea, start, end)} == useful
        for sea in (None, *board.sea_neighbours):
            assert waters.has_route(start, end, sea) == any(sea not in chain for chain in every)


def test_fleets_round_about_are_found_without_listing_routes() -> None:
    """A square of fleets and a goal in its midst: most are on no shortest route, and routes are beyond number."""
    board = load_board("grid-14x14")
    waters = Waters(board, board.sea_neighbours)
    assert all(waters.is_useful(sea, "I_0_0", "I_7_7") for sea in board.sea_neighbours)


def test_fleets_that_only_lengthen_the_way_are_told_without_listing_routes() -> None:
    """Both islands are touched by one fleet each, and these are neighbours: every other route has a shortcut."""
    board = load_board("hex-14x14")
    waters = Waters(board, board.sea_neighbours)
    useful = {sea for sea in board.sea_neighbours if waters.is_useful(sea, "I_6_8_2", "I_6_9_3")}
    assert useful == {"S_6_8", "S_6_9"}


def test_a_row_of_fleets_of_any_length_is_one_route() -> None:
    length = 3000
    row = [f"S{number}" for number in range(length)]
    touches = {sea: {row[number + 1]} if number + 1 < length else {"B"} for number, sea in enumerate(row)}
    touches["S0"].add("A")
    touches["S7"].add("X")
    row_and_pocket = board_of(touches | {"P": {"S9"}})
    waters = Waters(row_and_pocket, row_and_pocket.sea_neighbours)
    assert list(waters.routes("A", "B")) == [tuple(row)]
    assert waters.is_useful(row[length // 2], "A", "B")
    assert not waters.is_useful("P", "A", "B")
