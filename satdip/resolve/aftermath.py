"""What a movement phase leaves behind: retreats, contested provinces, and the position after any phase."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from satdip.board import Board, province_of
from satdip.encodings.convoys import by_sea
from satdip.encodings.reading import TRUE
from satdip.encodings.situation import MoveNode
from satdip.encodings.strengths import prevent
from satdip.phase.position import Dislodged, PhaseKind, Position, Season, Unit
from satdip.rulebook import ConvoyedOrigin, DisorderDislodged, Rulebook
from satdip.solving.verdict import Verdict

__all__ = ["contested", "driven_out", "following", "moved_units", "removed_when_dislodged", "winner"]


def moved_units(verdict: Verdict) -> tuple[Unit, ...]:
    """Return the units after the moves, without the dislodged ones."""
    after = {at: piece.unit for at, piece in verdict.situation.pieces.items()}
    for at in verdict.dislodged:
        del after[at]
    for m in verdict.arrivals.values():
        unit = m.piece.unit
        after[m.at] = Unit.of(unit.power, unit.kind, m.location)
    return tuple(after.values())


def contested(verdict: Verdict) -> frozenset[str]:
    """Return the provinces that a stand-off left empty: no retreat may go there (rulebook "Retreats").

    None is certain where the rules leave a paradox open.
    """
    if verdict.is_open:
        return frozenset()
    x = verdict.reading
    return frozenset([m.dst for m in verdict.situation.moves if not verdict.is_taken(m.dst) and prevent(x, m)[0] > 0])


def removed_when_dislodged(rules: Rulebook, disorder: Collection[str]) -> frozenset[str]:
    """Return the powers in civil disorder whose dislodged units may not retreat (seed 002, civil disorder)."""
    return frozenset(disorder) if rules.disorder_dislodged == DisorderDislodged.REMOVED else frozenset()


def driven_out(verdict: Verdict, stand_offs: Collection[str], disorder: Collection[str] = ()) -> tuple[Dislodged, ...]:
    """Return the dislodged units with the locations to which each may retreat (none: it leaves the board).

    Where the rules leave a paradox open it is not known where they may retreat.

    Args:
        verdict: the decisions of the phase, under rules that say where a convoyed attacker came from (DATC 4.A.5).
        stand_offs: the provinces that are contested.
        disorder: the powers in civil disorder.
    """
    result = []
    situation = verdict.situation
    removed = removed_when_dislodged(situation.rules, disorder)
    for at, winner in verdict.dislodged.items():
        unit = situation.pieces[at].unit
        if verdict.is_open:
            result.append(Dislodged(unit, None))
            continue
        origin = _attacker_origin(verdict, winner)
        retreats = []
        for to in situation.board.reach(unit.kind, unit.location) if unit.power not in removed else ():
            province = province_of(to)
            if province != origin and province not in stand_offs and not verdict.is_taken(province):
                retreats.append(to)
        result.append(Dislodged(unit, frozenset(retreats), origin))
    return tuple(result)


def _attacker_origin(verdict: Verdict, winner: MoveNode) -> str | None:
    """Return the province that is closed because the attacker came from it (DATC 4.A.5), or None."""
    if verdict.situation.rules.convoyed_origin == ConvoyedOrigin.OPEN and by_sea(verdict.reading, winner) == TRUE:
        return None
    return winner.at


def following(position: Position, units: Iterable[Unit], waiting: Iterable[Dislodged] = ()) -> Position:
    """Return the position of the next phase in which anybody has something to do.

    Args:
        position: the position that was adjudicated.
        units: the units on the board afterwards.
        waiting: units that must retreat; those without a retreat are gone.
    """
    waiting = tuple(item for item in waiting if item.retreats)
    units = tuple(units)
    phase = position.phase.next(dislodged=bool(waiting))
    centres = position.centres
    if not phase.traits.by_count:
        return Position.derived(position.board, phase, units, waiting, centres)
    if not centres:  # without centres nobody knows who would adjust what
        return Position.derived(position.board, phase.next(dislodged=False), units, waiting, centres)
    after = Position.derived(position.board, phase, units, waiting, _captured(position.board, centres, units))
    return after if _adjusts(after) else replace(after, phase=phase.next(dislodged=False))


def _captured(
    board: Board, centres: Mapping[str, frozenset[str]], units: Iterable[Unit]
) -> Mapping[str, frozenset[str]]:
    """Return who owns what after autumn: a unit on a centre takes it (seed 002 XIII.1)."""
    taken: dict[str, set[str]] = {}
    nobody: frozenset[str] = frozenset()
    for unit in units:
        if unit.province in board.centres and unit.province not in centres.get(unit.power, nobody):
            taken.setdefault(unit.power, set()).add(unit.province)
    if not taken:
        return centres
    lost = frozenset().union(*taken.values())
    return {
        power: (centres.get(power, nobody) - lost) | taken.get(power, nobody)
        for power in dict.fromkeys((*centres, *taken))
    }


def _adjusts(position: Position) -> bool:
    """Return whether any power has a unit to build or to remove."""
    surplus = {power: len(owned) for power, owned in position.centres.items()}
    for unit in position.units:
        surplus[unit.power] = surplus.get(unit.power, 0) - 1
    for power, left in surplus.items():
        if left < 0:
            return True
        if left > 0:
            home = position.centres[power].intersection(position.board.powers[power].home)
            if not home <= position.by_province.keys():
                return True
    return False


def winner(position: Position) -> str | None:
    """Return the power that has won once autumn is over: it owns enough centres, and more than any other.

    Several may own enough where the number is half of the centres or less; of equals none has won yet.
    """
    phase = position.phase
    counted = phase.season == Season.WINTER or (phase.season == Season.SPRING and phase.kind == PhaseKind.MOVEMENT)
    if not counted:
        return None
    most = max(map(len, position.centres.values()), default=0)
    first = [power for power, owned in position.centres.items() if len(owned) == most]
    return first[0] if most >= position.board.victory and len(first) == 1 else None
