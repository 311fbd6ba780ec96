"""Hypothesis: any winter."""

from __future__ import annotations

from hypothesis import strategies as st

from satdip.board import UnitKind, province_of
from satdip.board.mapfile import load_board
from satdip.phase.orders import Build, Disband, UnitRef, Waive
from satdip.phase.position import Phase, Position, Unit
from satdip.phase.turn import Given, Turn

__all__ = ["BOARD", "FEW", "HOMES", "STANDS", "anywhere", "builds", "nonsense", "powers", "winters"]

BOARD = load_board("standard")


STANDS = [(kind, at) for kind in UnitKind for province in BOARD.provinces for at in BOARD.locations(kind, province)]


FEW = ("FRANCE", "RUSSIA", "TURKEY")


HOMES = {at: power for power in FEW for at in BOARD.powers[power].home}


powers = st.sampled_from(FEW)


anywhere = st.builds(UnitRef, st.sampled_from([*BOARD.provinces, *BOARD.fleet]), st.sampled_from([*UnitKind, None]))


builds = st.builds(
    lambda at, kind: Given(HOMES[province_of(at)], Build(UnitRef(at, kind))),
    st.sampled_from([*HOMES, "STP/NC", "STP/SC"]),
    st.sampled_from(UnitKind),
)


nonsense = st.builds(Given, powers, st.builds(Build, anywhere) | st.builds(Disband, anywhere) | st.builds(Waive))


@st.composite
def winters(draw_from: st.DrawFn) -> Turn:
    """A winter phase: home centres, some of them lost and others won, units as it happens, orders of every kind."""
    places = draw_from(st.lists(st.sampled_from(STANDS), unique_by=lambda stand: province_of(stand[1]), max_size=12))
    units = [Unit(draw_from(powers), kind, at) for kind, at in places]
    won = st.dictionaries(st.sampled_from(sorted(BOARD.centres)), powers | st.none(), max_size=12)
    owners = draw_from(st.sampled_from([HOMES, {"PAR": "FRANCE", "MOS": "RUSSIA", "CON": "TURKEY"}])) | draw_from(won)
    centres = {power: frozenset(at for at, owner in owners.items() if owner == power) for power in FEW}
    removals = st.sampled_from(units).map(lambda unit: Given(unit.power, Disband(UnitRef(unit.location))))
    orders = draw_from(st.lists(builds | (removals if units else builds) | nonsense, max_size=10))
    return Turn(Position(BOARD, Phase.parse("W1901A"), tuple(units), (), centres), tuple(orders))
