"""Civil disorder: which units are removed first (DATC 4.D.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from satdip.board import Board, UnitKind, province_of, steps_to
from satdip.board.names import collation_key, province_names
from satdip.phase.position import Position, Unit
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
    distance = _DISTANCES[rules.removal](position, power)
    language = "fr" if rules.alphabet == Alphabet.FRENCH else "en"
    names = province_names(position.board, language)

    def rank(unit: Unit) -> tuple[int, bool, str]:
        return -distance(unit), unit.kind == UnitKind.ARMY, collation_key(names[unit.province])

    return tuple(sorted((unit for unit in position.units if unit.power == power), key=rank))


Distance = Callable[[Unit], int]


def _from_owned_centre(position: Position, power: str) -> Distance:
    """Steps to an owned centre, land and sea alike; a unit on a centre is at distance 0 (2023)."""
    centres, steps = position.board.centres, _steps(position.board, position.centres.get(power, frozenset()))
    return lambda unit: 0 if unit.province in centres else steps(unit)


def _from_home_centre(position: Position, power: str) -> Distance:
    """Steps to the nearest home centre by the shortest route, over land and, by convoy, over sea (1971, 1982)."""
    return _steps(position.board, position.board.powers[power].home)


def _from_country(position: Position, power: str) -> Distance:
    """Steps to the nearest province of its country, land and sea alike (2000; the seed's national territory)."""
    return _steps(position.board, position.board.powers[power].country)


def _own_way(position: Position, power: str) -> Distance:
    """Steps to the nearest home centre: a fleet as fleets move, an army over land and sea (DPTG)."""
    board, home = position.board, frozenset(position.board.powers[power].home)
    walking = _from_home_centre(position, power)
    sailing = steps_to((at for at in board.fleet if province_of(at) in home), board.fleet)
    return lambda unit: walking(unit) if unit.kind == UnitKind.ARMY else sailing.get(unit.location, FAR)


_DISTANCES: Mapping[Removal, Callable[[Position, str], Distance]] = {
    Removal.OWNED_CENTRE: _from_owned_centre,
    Removal.HOME_CENTRE: _from_home_centre,
    Removal.COUNTRY: _from_country,
    Removal.OWN_WAY: _own_way,
}


def _steps(board: Board, goals: Iterable[str]) -> Distance:
    distances = board.distances(goals)
    return lambda unit: distances.get(unit.province, FAR)
