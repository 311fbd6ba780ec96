"""Replaying recorded games: compare satdip's next positions with the recorded ones.

A phase agrees when the next units, the dislodged and removed units and, after autumn, the centres are those
recorded. Outcome words are not compared: every engine has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import province_of
from satdip.mapfile import map_names
from satdip.notation import read_lines, read_record
from satdip.orders import Move
from satdip.position import PhaseKind, Season
from satdip.resolution import Resolution
from satdip.rulebook import DATC, Rulebook, rulebook_named
from satdip.serialise import units_by_power
from satdip.turn import Turn

__all__ = ["Comparison", "Verdict", "replay", "replay_file"]

Record = Mapping[str, Any]


class Verdict(StrEnum):
    """How a recorded phase compares."""

    AGREE = "agree"
    DIFFER = "differ"
    SKIPPED = "skipped"
    """Another map, or nothing recorded to compare with."""
    UNCHECKED = "unchecked"
    """A retreat record without its movement record: nobody knows which retreats were open."""


@dataclass(frozen=True)
class Comparison:
    """One recorded phase compared with satdip's resolution.

    Args:
        source: file name.
        line: line in it.
        game: the game that the record names.
        phase: ``S1901M``.
        verdict: agree, differ, skipped or unchecked.
        details: what differs: field -> {"recorded": ..., "satdip": ...}; or why it was not compared.
    """

    source: str
    line: int
    game: str
    phase: str
    verdict: Verdict
    details: Mapping[str, Any] = field(default_factory=dict)


def replay_file(path: str | Path, rules: Rulebook | None = None) -> Iterator[Comparison]:
    """Compare every record of a JSON-lines file, gzip or not.

    Args:
        path: the file.
        rules: the rulebook; by default the one that each record names, else the DATC's preferences.

    Raises:
        InputError: the file cannot be read, or a record is none.
    """
    yield from replay(read_lines(path), str(path), rules)


def replay(
    records: Iterable[tuple[int, dict[str, Any]]], source: str, rules: Rulebook | None = None
) -> Iterator[Comparison]:
    """Compare records given as (line, record); the retreats of a game need the movement record before."""
    before: Resolution | None = None
    before_game: object = None
    for line, record in records:
        last = before if record.get("game", "") == before_game else None
        comparison, before = _compare(line, record, source, rules, last)
        before_game = record.get("game", "")
        yield comparison


def _compare(
    line: int, record: Record, source: str, rules: Rulebook | None, last: Resolution | None
) -> tuple[Comparison, Resolution | None]:
    game, phase = str(record.get("game", record.get("id", ""))), str(record.get("phase", "S1901M"))

    def verdict(what: Verdict, details: Mapping[str, Any] | None = None) -> Comparison:
        return Comparison(source, line, game, phase, what, details or {})

    if record.get("map", "standard") not in map_names():
        return verdict(Verdict.SKIPPED, {"map": record["map"]}), None
    turn = read_record(record, source=source, line=line)
    if turn.position.phase.kind == PhaseKind.RETREATS and any(d.retreats is None for d in turn.position.dislodged):
        known = _with_retreats(turn, last)
        if known is None:
            return verdict(Verdict.UNCHECKED, {"reason": "no movement record before this retreat record"}), None
        turn = known
    resolution = adjudicate_turn(turn, rules or rulebook_named(turn.rules or DATC.name))
    checks: list[Callable[[Record, Resolution], dict[str, Any] | None]] = [_by_answer, _by_next]
    for check in checks:
        details = check(record, resolution)
        if details is not None:
            return verdict(Verdict.DIFFER if details else Verdict.AGREE, details), resolution
    return verdict(Verdict.SKIPPED, {"reason": "nothing recorded to compare with"}), resolution


def _with_retreats(turn: Turn, last: Resolution | None) -> Turn | None:
    """Return the turn with the retreats that satdip's own movement phase before it left open."""
    if last is None or last.position.phase.kind != PhaseKind.MOVEMENT:
        return None
    known = {item.unit: item for item in last.dislodged}
    if any(item.unit not in known for item in turn.position.dislodged):
        return None
    dislodged = tuple(known[item.unit] for item in turn.position.dislodged)
    return replace(turn, position=replace(turn.position, dislodged=dislodged))


def _by_answer(record: Record, resolution: Resolution) -> dict[str, Any] | None:
    """Compare with an ``expected`` answer: moves from province to province, and dislodged provinces."""
    expected = record.get("expected")
    if not isinstance(expected, Mapping):
        return None
    moves = {province_of(at): province_of(to) for at, to in expected["moves"].items()}
    ours = {
        result.unit.province: province_of(action.destination)
        for result in resolution.orders
        if result.success and result.unit is not None and isinstance(action := result.checked.action, Move)
    }
    driven = sorted(province_of(at) for at in expected["dislodged"])
    return _differences({"moves": (moves, ours), "dislodged": (driven, _driven(resolution))})


def _driven(resolution: Resolution) -> list[str]:
    return sorted(item.unit.province for item in resolution.dislodged)


def _by_next(record: Record, resolution: Resolution) -> dict[str, Any] | None:
    """Compare with the recorded next position."""
    if "next_units" not in record:
        return None
    phase = resolution.position.phase
    pairs: dict[str, tuple[object, object]] = {
        "next_units": (_sorted(record["next_units"]), units_by_power(resolution.next.units))
    }
    if phase.kind == PhaseKind.MOVEMENT:
        # Engines differ in whether a unit without a retreat is listed as dislodged or removed at once.
        recorded = _together(record.get("next_dislodged", {}), record.get("removed", {}))
        pairs["dislodged_or_removed"] = recorded, units_by_power(item.unit for item in resolution.dislodged)
    after_autumn = phase.season == Season.FALL and str(record.get("next_phase", "W"))[0] in "WSC"
    if "next_centers" in record and after_autumn and resolution.next.phase.kind != PhaseKind.RETREATS:
        ours = {power: sorted(owned) for power, owned in sorted(resolution.next.centres.items()) if owned}
        pairs["next_centers"] = _sorted(record["next_centers"]), ours
    return _differences(pairs)


def _sorted(by_power: Record) -> dict[str, list[str]]:
    return {power: sorted(by_power[power]) for power in sorted(by_power) if by_power[power]}


def _together(first: Record, second: Record) -> dict[str, list[str]]:
    return _sorted({p: [*first.get(p, ()), *second.get(p, ())] for p in {*first, *second}})


def _differences(pairs: Mapping[str, tuple[object, object]]) -> dict[str, Any]:
    return {name: {"recorded": theirs, "satdip": ours} for name, (theirs, ours) in pairs.items() if theirs != ours}
