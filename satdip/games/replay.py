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
from satdip.base.errors import InputError, Where
from satdip.board import province_of
from satdip.board.mapfile import map_names
from satdip.notation import read_lines, read_record
from satdip.phase.orders import Move
from satdip.phase.position import Dislodged, Season
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Rulebook, RulebookLike, rulebook_of
from satdip.telling.serialise import units_by_power

__all__ = ["Comparison", "Verdict", "replay", "replay_file"]

Record = Mapping[str, Any]
ByPower = Mapping[str, list[str]]


class Verdict(StrEnum):
    """How a recorded phase compares."""

    AGREE = "agree"
    DIFFER = "differ"
    SKIPPED = "skipped"
    """Another map, or nothing recorded to compare with."""
    UNCHECKED = "unchecked"
    """A retreat record whose units no movement record before it dislodges: nobody knows which retreats were open."""


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


def replay_file(path: str | Path, rules: RulebookLike | None = None) -> Iterator[Comparison]:
    """Compare every record of a JSON-lines file, gzip or not.

    Args:
        path: the file.
        rules: the rulebook, or its name; by default the one that each record names, else the DATC's preferences.

    Raises:
        InputError: the file cannot be read, holds no record, or a record is not sound.
    """
    compared = 0
    for comparison in replay(read_lines(path), str(path), rules):
        compared += 1
        yield comparison
    if not compared:
        raise InputError("there is no phase record in this file; write one JSON object a line", Where(str(path)))


def replay(
    records: Iterable[tuple[int, dict[str, Any]]], source: str, rules: RulebookLike | None = None
) -> Iterator[Comparison]:
    """Compare records given as (line, record); the retreats of a game need the movement record before.

    Args:
        records: the records, each with its line.
        source: the name of their file.
        rules: see `replay_file`.

    Raises:
        InputError: a record is not sound.
    """
    chosen = None if rules is None else rulebook_of(rules)
    before: Resolution | None = None
    before_game: object = None
    for line, record in records:
        last = before if record.get("game", "") == before_game else None
        try:
            comparison, before = _compare(line, record, source, chosen, last)
        except InputError as error:
            raise error.at(source=source, line=line) from None
        before_game = record.get("game", "")
        yield comparison


def _compare(
    line: int, record: Record, source: str, rules: Rulebook | None, last: Resolution | None
) -> tuple[Comparison, Resolution | None]:
    game, phase = str(record.get("game", record.get("id", ""))), str(record.get("phase", "S1901M"))

    def verdict(what: Verdict, details: Mapping[str, Any] | None = None) -> Comparison:
        return Comparison(source, line, game, phase, what, details or {})

    if isinstance(name := record.get("map"), str) and name not in map_names():
        return verdict(Verdict.SKIPPED, {"map": name}), None
    turn = read_record(record, source=source, line=line)
    if any(d.retreats is None for d in turn.position.dislodged):
        known = _with_retreats(turn, last)
        if known is None:
            return verdict(Verdict.UNCHECKED, {"reason": "no movement record before it dislodges these units"}), None
        turn = known
    resolution = adjudicate_turn(turn, _rulebook(turn, rules))
    if resolution.is_open:
        return verdict(Verdict.DIFFER, {"answer": {"recorded": "one", "satdip": "left open by the rules"}}), None
    checks: list[Callable[[Record, Resolution], dict[str, Any] | None]] = [_by_answer, _by_next]
    for check in checks:
        details = check(record, resolution)
        if details is not None:
            return verdict(Verdict.DIFFER if details else Verdict.AGREE, details), resolution
    return verdict(Verdict.SKIPPED, {"reason": "nothing recorded to compare with"}), resolution


def _rulebook(turn: Turn, rules: Rulebook | None) -> Rulebook:
    try:
        return rulebook_of(rules, turn.rules)
    except InputError as error:
        raise error.at(path="$.rules") from None


def _with_retreats(turn: Turn, last: Resolution | None) -> Turn | None:
    """Return the turn with the retreats that satdip's own movement phase before it left open.

    Where that phase differs from the record, a unit of the record may stand in one of them: it is not open.
    """
    if last is None or not last.position.phase.traits.may_dislodge:
        return None
    known = {item.unit: item for item in last.dislodged}
    if any(item.unit not in known for item in turn.position.dislodged):
        return None
    taken = {unit.province for unit in turn.position.units}

    def still_open(item: Dislodged) -> Dislodged:
        return replace(item, retreats=frozenset(at for at in item.retreats or () if province_of(at) not in taken))

    dislodged = tuple(still_open(known[item.unit]) for item in turn.position.dislodged)
    return replace(turn, position=replace(turn.position, dislodged=dislodged))


def _by_answer(record: Record, resolution: Resolution) -> dict[str, Any] | None:
    """Compare with an ``expected`` answer: moves from province to province, and dislodged provinces."""
    expected = _table(record, "expected", "$")
    if expected is None:
        return None
    moves = _table(expected, "moves", "$.expected") or {}
    for at, to in moves.items():
        if not isinstance(to, str):
            raise InputError("a place is expected here, as in PAR", Where(path=f"$.expected.moves.{at}"))
    theirs = {province_of(at): province_of(to) for at, to in moves.items()}
    ours = {
        result.unit.province: province_of(action.destination)
        for result in resolution.orders
        if result.success and result.unit is not None and isinstance(action := result.checked.action, Move)
    }
    driven = sorted(map(province_of, _texts(expected.get("dislodged", []), "$.expected.dislodged")))
    return _differences({"moves": (theirs, ours), "dislodged": (driven, _driven(resolution))})


def _driven(resolution: Resolution) -> list[str]:
    return sorted(item.unit.province for item in resolution.dislodged)


def _by_next(record: Record, resolution: Resolution) -> dict[str, Any] | None:
    """Compare with the recorded next position."""
    next_units = _by_power(record, "next_units")
    if next_units is None:
        return None
    phase = resolution.position.phase
    pairs: dict[str, tuple[object, object]] = {"next_units": (next_units, units_by_power(resolution.following.units))}
    if phase.traits.may_dislodge:
        # Engines differ in whether a unit without a retreat is listed as dislodged or removed at once.
        recorded = _together(_by_power(record, "next_dislodged") or {}, _by_power(record, "removed") or {})
        pairs["dislodged_or_removed"] = recorded, units_by_power(item.unit for item in resolution.dislodged)
    next_centres = _by_power(record, "next_centers")
    after_autumn = phase.season == Season.FALL and str(record.get("next_phase", "W"))[:1] in ("W", "S", "C")
    if next_centres is not None and after_autumn and not resolution.following.dislodged:
        ours = {power: sorted(owned) for power, owned in sorted(resolution.following.centres.items()) if owned}
        pairs["next_centers"] = next_centres, ours
    return _differences(pairs)


def _together(first: ByPower, second: ByPower) -> ByPower:
    return {p: sorted([*first.get(p, ()), *second.get(p, ())]) for p in sorted({*first, *second})}


def _differences(pairs: Mapping[str, tuple[object, object]]) -> dict[str, Any]:
    return {name: {"recorded": theirs, "satdip": ours} for name, (theirs, ours) in pairs.items() if theirs != ours}


# ---------------------------------------------------------------------- fields


def _table(record: Record, key: str, path: str) -> Record | None:
    """Return a field that is an object; None when it is not there."""
    value = record.get(key)
    if value is not None and not isinstance(value, Mapping):
        raise InputError("an object is expected here", Where(path=f"{path}.{key}"))
    return value


def _by_power(record: Record, key: str) -> ByPower | None:
    """Return a field that has a list of texts for each power, sorted and without empty lists."""
    table = _table(record, key, "$")
    if table is None:
        return None
    lists = {power: sorted(_texts(table[power], f"$.{key}.{power}")) for power in sorted(table)}
    return {power: texts for power, texts in lists.items() if texts}


def _texts(value: object, path: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError("a list of texts is expected here", Where(path=path))
    return value
