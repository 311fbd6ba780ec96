"""Laws of adjustments that hold whatever the orders are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import networkx as nx
from hypothesis import given, settings
from support.positions import assert_same_without_folding, position_after
from support.winters import BOARD, FEW, winters

from satdip.adjudication import adjudicate_turn
from satdip.board import UnitKind, province_of
from satdip.phase.orders import Build
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC


def resolve(turn: Turn) -> Resolution:
    return adjudicate_turn(turn, DATC)


def own(units: Sequence[Unit], power: str) -> list[Unit]:
    return [unit for unit in units if unit.power == power]


@settings(max_examples=300)
@given(turn=winters())
def test_winter_leaves_nobody_with_more_units_than_centres(turn: Turn) -> None:
    resolution = resolve(turn)
    for power in FEW:
        before, after = own(turn.position.units, power), own(position_after(resolution).units, power)
        centres = len(turn.position.centres[power])
        if len(before) > centres:
            assert len(after) == centres, "as many units must go as there are too many, and no more"
            assert set(after) <= set(before)
        else:
            assert set(before) <= set(after)
            assert len(after) <= centres


@settings(max_examples=300)
@given(turn=winters())
def test_builds_are_ordered_and_stand_in_own_vacant_home_centres(turn: Turn) -> None:
    resolution = resolve(turn)
    taken = {unit.province for unit in turn.position.units}
    ordered = {(g.power, province_of(g.order.unit.location)) for g in turn.orders if isinstance(g.order, Build)}
    assert len({unit.province for unit in resolution.built}) == len(resolution.built)
    for unit in resolution.built:
        assert unit.province in BOARD.powers[unit.power].home
        assert unit.province in turn.position.centres[unit.power]
        assert unit.province not in taken
        assert (unit.power, unit.province) in ordered


@settings(max_examples=300)
@given(turn=winters())
def test_a_build_that_is_not_illegal_by_itself_fails_only_for_want_of_room(turn: Turn) -> None:
    resolution = resolve(turn)
    for result in resolution.orders:
        if isinstance(result.checked.action, Build) and not result.success:
            accepted = [r for r in resolution.orders if r.power == result.power and r.success]
            spare = len(turn.position.centres[result.power]) - len(own(turn.position.units, result.power))
            built = {unit.province for unit in own(resolution.built, result.power)}
            assert len(accepted) == spare or result.checked.action.unit.province in built


NEIGHBOURS: nx.Graph[str] = nx.Graph({at: sorted(near) for at, near in BOARD.neighbours.items()})


def wilderness(unit: Unit, position: Position) -> tuple[int, bool, str]:
    """Rank a unit for civil disorder: what is farthest from an owned centre goes first (rulebook of 2023)."""
    steps: dict[str, int] = nx.single_source_shortest_path_length(NEIGHBOURS, unit.province)
    owned = position.centres[unit.power]
    distance = 0 if unit.province in BOARD.centres else min((steps[at] for at in owned), default=0)
    return -distance, unit.kind == UnitKind.ARMY, BOARD.provinces[unit.province].name


@settings(max_examples=300)
@given(turn=winters())
def test_civil_disorder_takes_the_farthest_units(turn: Turn) -> None:
    resolution = resolve(turn)
    ordered_off = [r.unit for r in resolution.orders if r.disbanded]
    assert Counter(resolution.removed) == Counter([*ordered_off, *resolution.automatic])
    assert len(set(resolution.removed)) == len(resolution.removed), "nobody goes twice"
    for power in FEW:
        kept = [wilderness(unit, turn.position) for unit in own(position_after(resolution).units, power)]
        gone = [wilderness(unit, turn.position) for unit in own(resolution.automatic, power)]
        assert not kept or not gone or max(gone) < min(kept)


@settings(max_examples=300)
@given(turn=winters())
def test_powers_adjust_independently_of_each_other(turn: Turn) -> None:
    resolution = resolve(turn)
    by_power = resolve(replace(turn, orders=tuple(sorted(turn.orders, key=lambda order: order.power))))
    assert set(position_after(by_power).units) == set(position_after(resolution).units)
    assert_same_without_folding(turn)
