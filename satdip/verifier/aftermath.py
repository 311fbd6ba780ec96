"""What follows from the decisions of a movement phase: who moved, who was driven out, where that leaves everybody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from satdip.verifier.atlas import Unit, province
from satdip.verifier.equations import Equations
from satdip.verifier.truth import YES

__all__ = ["moved_and_dislodged", "result_of", "units_to_json"]

Json = dict[str, object]


def units_to_json(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Return power -> its units, both sorted."""
    found: dict[str, list[str]] = {}
    for unit in sorted(units, key=lambda unit: (unit.power, str(unit))):
        found.setdefault(unit.power, []).append(str(unit))
    return found


def moved_and_dislodged(x: Equations, values: Mapping[str, int]) -> tuple[dict[str, str], dict[str, str]]:
    """Return province -> where its unit went, and province of a dislodged unit -> where its attacker started."""
    moved = {at: x.actions[at].goal for at in x.moves if values[at] == YES}
    winner = {province(goal): at for at, goal in moved.items()}
    return moved, {at: winner[at] for at in x.actions if at in winner and at not in moved}


def result_of(x: Equations, disorder: Collection[str]) -> Json:
    """Return the result of a phase all of whose decisions are known (rulebook "Retreats"; DATC 4.A.5).

    Args:
        x: the equations, with every decision.
        disorder: the powers in civil disorder.
    """
    moved, dislodged = moved_and_dislodged(x, x.values)
    after = [
        Unit(action.unit.power, action.unit.kind, moved.get(at, action.unit.place))
        for at, action in x.actions.items()
        if at not in dislodged
    ]
    taken = {unit.province for unit in after}
    contested = {x.goal(at) for at in x.moves if x.prevent(at).least > 0} - taken
    return {
        "moves": {str(x.unit(at)): goal for at, goal in sorted(moved.items())},
        "units": units_to_json(after),
        "contested": sorted(contested),
        "dislodged": [
            _driven(x, at, attacker, taken | contested, disorder) for at, attacker in sorted(dislodged.items())
        ],
    }


def _driven(x: Equations, at: str, attacker: str, closed: Collection[str], disorder: Collection[str]) -> Json:
    """Return a dislodged unit, the province that its attacker closes to it, and where it may go."""
    unit = x.unit(at)
    by_convoy = x.by_sea(attacker).value == YES
    origin = None if by_convoy and x.choices["convoyed_origin"] == "open" else attacker
    removed = x.choices["disorder_dislodged"] == "removed" and unit.power in disorder
    near = () if removed else x.atlas.reach(unit.kind, unit.place)
    ways = sorted(place for place in near if province(place) not in closed and province(place) != origin)
    return {"power": unit.power, "unit": str(unit), "attacker_from": origin, "retreats": ways}
