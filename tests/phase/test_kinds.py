"""What is so of each kind of phase, beside what the rules say of it."""

from __future__ import annotations

import pytest

from satdip.board import UnitKind
from satdip.board.mapfile import load_board
from satdip.phase.kinds import PhaseKind, Season
from satdip.phase.orders import Disband, Hold
from satdip.phase.position import Dislodged, Phase, Position, Unit

STANDING = Unit("FRANCE", UnitKind.ARMY, "BUR")
DRIVEN = Unit("GERMANY", UnitKind.ARMY, "BUR")
OWNED = {"FRANCE": frozenset({"PAR"})}


@pytest.mark.parametrize("season", Season)
@pytest.mark.parametrize("kind", PhaseKind)
def test_a_phase_is_read_where_its_kind_has_such_a_season(kind: PhaseKind, season: Season) -> None:
    """Rulebook: movement and retreats in spring and autumn, builds and removals after autumn."""
    in_winter = kind == PhaseKind.ADJUSTMENTS
    assert (season in Phase(season, 1901, kind).traits.seasons) == (in_winter == (season == Season.WINTER))


@pytest.mark.parametrize(
    ("phase", "acting"), [("S1901M", STANDING), ("S1901R", DRIVEN), ("W1901A", STANDING)], ids=lambda value: str(value)
)
def test_orders_go_to_dislodged_units_in_retreats_and_to_those_on_the_board_else(phase: str, acting: Unit) -> None:
    dislodged = (Dislodged(DRIVEN, frozenset({"RUH"}), "PAR"),) if phase.endswith("R") else ()
    position = Position(load_board(), Phase.parse(phase), (STANDING,), dislodged, OWNED)
    assert position.acting == {"BUR": acting}


def test_a_unit_without_an_order_holds_or_when_dislodged_disbands() -> None:
    """DATC 4.D.8 and the rulebook on retreats; in winter a unit without an order stays unless it must be removed."""
    idle = {kind: Phase(Season.SPRING, 1901, kind).traits.idle for kind in PhaseKind}
    assert idle == {PhaseKind.MOVEMENT: Hold, PhaseKind.RETREATS: Disband, PhaseKind.ADJUSTMENTS: None}
