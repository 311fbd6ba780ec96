"""Civil disorder: which units are removed first (DATC 4.D.8)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from satdip.board import Board, UnitKind, province_of
from satdip.localnames import collation_key, province_names
from satdip.position import Position, Unit
from satdip.rulebook import Alphabet, Removal, Rulebook

__all__ = ["removal_order"]

FAR = 1_000
"""The distance of a unit that cannot get there at all."""


def removal_order(position: Position, power: str, rules: Rulebook) -> tuple[Unit, ...]:
    """Return a power's units in the order in which civil disorder removes them.

    Args:
        position: a winter position.
        power: the power's id.
        rules: decides how distance is counted (4.D.8) and whose alphabet breaks ties.

    Returns:
        The farthest unit first; at equal distance fleets before armies, then the alphabet of the provinces' names.
    """
    distance = _DISTANCES[rules.removal]
    language = "fr" if rules.alphabet == Alphabet.FRENCH else "en"
    names = province_names(position.board, language)

    def rank(unit: Unit) -> tuple[int, bool, str]:
        return -distance(position, unit), unit.kind == UnitKind.ARMY, collation_key(names[unit.province])

    return tuple(sorted((unit for unit in position.units if unit.power == power), key=rank))


def _from_owned_centre(position: Position, unit: Unit) -> int:
    """Steps to an owned centre, land and sea alike; a unit on a centre is at distance 0 (2023)."""
    if unit.province in position.board.centres:
        return 0
    return _steps(position.board, unit.province, position.centres.get(unit.power, frozenset()))


def _from_home_centre(position: Position, unit: Unit) -> int:
    """Steps to the nearest home centre by the shortest route, over land and, by convoy, over sea (1971, 1982)."""
    return _steps(position.board, unit.province, position.board.powers[unit.power].home)


def _from_country(position: Position, unit: Unit) -> int:
    """Steps to the nearest province of its country, land and sea alike (2000; the seed's national territory)."""
    return _steps(position.board, unit.province, position.board.powers[unit.power].country)


def _own_way(position: Position, unit: Unit) -> int:
    """Steps to the nearest home centre: a fleet as fleets move, an army over land and sea (DPTG)."""
    if unit.kind == UnitKind.ARMY:
        return _from_home_centre(position, unit)
    return _sailing(position.board, unit.location, position.board.powers[unit.power].home)


_DISTANCES: Mapping[Removal, Callable[[Position, Unit], int]] = {
    Removal.OWNED_CENTRE: _from_owned_centre,
    Removal.HOME_CENTRE: _from_home_centre,
    Removal.COUNTRY: _from_country,
    Removal.OWN_WAY: _own_way,
}


def _steps(board: Board, start: str, goals: Collection[str]) -> int:
    distance = board.distance(start, goals)
    return FAR if distance is None else distance


def _sailing(board: Board, start: str, goals: Collection[str]) -> int:
    """Count a fleet's moves from a location to any of the provinces."""
    seen, frontier, steps = {start}, [start], 0
    while frontier:
        if any(province_of(at) in goals for at in frontier):
            return steps
        frontier = [at for at in {to for at in frontier for to in board.fleet[at]} if at not in seen]
        seen.update(frontier)
        steps += 1
    return FAR
