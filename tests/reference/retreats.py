"""A retreat phase: every dislodged unit for itself, and nobody arrives where two want to go."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .map import province_of

_RETREAT = re.compile(r"[AF] (?P<unit>\S+) (?:[-R] (?P<goal>\S+)|D)")


@dataclass(frozen=True)
class RefRetreats:
    """The outcome of a retreat phase.

    Attributes:
        moves: from -> to, the retreats that succeed.
        disbanded: locations of the units that leave the board.
    """

    moves: dict[str, str]
    disbanded: frozenset[str]


def adjudicate_retreats(
    dislodged: Mapping[str, Sequence[str]],
    retreats: Mapping[str, frozenset[str]],
    orders: Mapping[str, Sequence[str]],
) -> RefRetreats:
    """Adjudicate a retreat phase.

    Args:
        dislodged: the dislodged units of each power, ``{"ITALY": ["A VIE"]}``.
        retreats: where each of them may go, by its location, as the movement phase says.
        orders: ``{"ITALY": ["A VIE - TYR"]}`` (``A VIE R TYR`` means the same, ``A VIE D`` disbands it); the first
            legal order of a unit counts. All others are illegal: an illegal retreat stops nobody (6.H.10).
    """
    goals: dict[str, str | None] = {}
    for power, units in dislodged.items():
        for unit in units:
            location = unit[2:]
            goals[location] = _first_legal(unit[0] == "A", location, retreats[location], orders.get(power, ()))
    crowd = Counter(province_of(goal) for goal in goals.values() if goal)
    moves = {start: goal for start, goal in goals.items() if goal and crowd[province_of(goal)] == 1}
    return RefRetreats(moves, frozenset(goals.keys() - moves.keys()))


def _first_legal(is_army: bool, location: str, allowed: frozenset[str], orders: Sequence[str]) -> str | None:
    """Where a unit retreats to; None when it disbands, by order or for want of a legal order."""
    for text in orders:
        words = _RETREAT.fullmatch(text)
        if words is None or province_of(words["unit"]) != province_of(location):
            continue
        if words["goal"] is None:
            return None
        goal = province_of(words["goal"])
        coast_matters = not is_army and "/" in words["goal"]
        places = [
            place for place in allowed if place == words["goal"] or (not coast_matters and province_of(place) == goal)
        ]
        if len(places) == 1:
            return places[0]
    return None
