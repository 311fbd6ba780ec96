"""Hypothesis: any order."""

from __future__ import annotations

from hypothesis import strategies as st

from satdip.board import UnitKind
from satdip.board.mapfile import load_board
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef, Waive

__all__ = ["LOCATIONS", "SEAS", "STANDARD", "A", "F", "orders", "places", "units"]

A, F = UnitKind.ARMY, UnitKind.FLEET


STANDARD = load_board("standard")


LOCATIONS = sorted({*STANDARD.provinces, *STANDARD.fleet})


SEAS = sorted(province for province in STANDARD.provinces if STANDARD.is_sea(province))


units = st.builds(
    UnitRef,
    st.sampled_from(LOCATIONS),
    st.sampled_from([None, A, F]),
    st.sampled_from([None, *STANDARD.powers]),
)


places = st.sampled_from(LOCATIONS)


orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, units),
    st.builds(Move, units, places, st.booleans(), st.lists(st.sampled_from(SEAS), max_size=3).map(tuple)),
    st.builds(Support, units, units, st.none() | places),
    st.builds(Convoy, units, units, places),
    st.builds(Retreat, units, places),
    st.builds(Disband, units),
    st.builds(Build, units),
    st.just(Waive()),
)
