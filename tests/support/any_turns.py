"""Hypothesis: any turn."""

from __future__ import annotations

from hypothesis import strategies as st

from satdip.board import UnitKind, province_of
from satdip.board.mapfile import load_board
from satdip.notation import read_order
from satdip.phase.orders import Build, Disband, Hold, Move, Order, Retreat, UnitRef, Waive
from satdip.phase.position import Dislodged, Phase, PhaseKind, Position, Unit
from satdip.phase.turn import Given, Turn

__all__ = [
    "POWERS",
    "STANDARD",
    "STANDING",
    "A",
    "F",
    "driven",
    "places",
    "plain",
    "some_units",
    "turns",
    "unit_orders",
    "units",
    "ways",
]

A, F = UnitKind.ARMY, UnitKind.FLEET


STANDARD = load_board("standard")


def units(turn: Turn) -> list[str]:
    return [f"{unit.power} {unit}" for unit in turn.position.units]


POWERS = sorted(STANDARD.powers)


STANDING = [*((A, at) for at in sorted(STANDARD.army)), *((F, at) for at in sorted(STANDARD.fleet))]


some_units = st.lists(
    st.builds(lambda power, stand: Unit(power, *stand), st.sampled_from(POWERS), st.sampled_from(STANDING)),
    max_size=8,
    unique_by=lambda unit: unit.province,
).map(tuple)


places = st.sampled_from(sorted({*STANDARD.provinces, *STANDARD.fleet}))


plain = st.sampled_from(
    ["F NTH C A YOR - NWY", "A MAR S A PAR - BUR", "A MAR S A PAR", "A BEL - HOL VIA", "A LON - NTH - NWY", "A LVN H"]
)


def unit_orders(phase: Phase) -> st.SearchStrategy[Order]:
    refs = st.builds(UnitRef, places, st.sampled_from([A, F, None]), st.sampled_from([None, *POWERS]))
    if phase.kind == PhaseKind.ADJUSTMENTS:
        return st.builds(Build, refs) | st.builds(Disband, refs) | st.just(Waive())
    if phase.kind == PhaseKind.RETREATS:
        return st.builds(Retreat, refs, places) | st.builds(Disband, refs)
    unclear = st.sampled_from(["A Yor - Liv", "F Nor H"]).map(lambda text: read_order(text, STANDARD).order)
    return st.builds(Move, refs, places) | plain.map(lambda text: read_order(text, STANDARD).order) | unclear


def ways(unit: Unit, standing: tuple[Unit, ...]) -> st.SearchStrategy[frozenset[str] | None]:
    """Where a dislodged unit may go, unless it is not stated."""
    taken = {other.province for other in standing}
    near = sorted(at for at in STANDARD.reach(unit.kind, unit.location) if province_of(at) not in taken)
    some = st.frozensets(st.sampled_from(near), max_size=3) if near else st.just(frozenset())
    return st.none() | some


@st.composite
def driven(draw: st.DrawFn, standing: tuple[Unit, ...]) -> tuple[Dislodged, ...]:
    """Dislodged units, each by the foreign unit in its place, if one is stated, and from where that can come."""
    at = {unit.province: unit for unit in standing}
    units = [u for u in draw(some_units) if u.province not in at or at[u.province].power != u.power]
    closed = {unit.province for unit in units}
    found: list[Dislodged] = []
    for unit in units:
        attacker, retreats = at.get(unit.province, unit), draw(ways(unit, standing))
        origins = (o for o in STANDARD.provinces if STANDARD.can_come(attacker.kind, attacker.location, o))
        origins = (o for o in origins if o not in closed | set(map(province_of, retreats or ())))
        origin = draw(st.none() | st.sampled_from([None, *sorted(origins)]))
        closed |= {origin} if origin else set()
        found.append(Dislodged(unit, retreats, origin))
    return tuple(found)


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    phase = Phase.parse(draw(st.sampled_from(["S1901M", "F1911M", "S1902R", "F1903R", "W1904A"])))
    owners = st.dictionaries(
        st.sampled_from(sorted(STANDARD.centres)),
        st.sampled_from(POWERS),
        min_size=int(phase.kind == PhaseKind.ADJUSTMENTS),  # a winter without centres is refused
        max_size=6,
    )
    centres = draw(owners)
    given_orders = st.builds(Given, st.sampled_from(POWERS), unit_orders(phase))
    units = draw(some_units)
    own = [Given(unit.power, Hold(UnitRef(unit.location, unit.kind))) for unit in units if draw(st.booleans())]
    return Turn(
        Position(
            STANDARD,
            phase,
            units,
            draw(driven(units)) if phase.kind == PhaseKind.RETREATS else (),
            {power: frozenset(c for c, owner in centres.items() if owner == power) for power in centres.values()},
        ),
        tuple(
            own
            if phase.kind == PhaseKind.MOVEMENT and draw(st.booleans())
            else draw(st.lists(given_orders, max_size=5))
        ),
        draw(st.sampled_from([None, "1971", "2023"])),
    )
