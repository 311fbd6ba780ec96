"""Resolutions and positions as plain JSON values. The keys are documented in ``docs/json.md`` and stable."""

from __future__ import annotations

from collections.abc import Iterable

from satdip.board.mapfile import stated_name
from satdip.check.result import Reason, Status
from satdip.notation import Notation, write_order, write_record
from satdip.notation.record.record import in_order, texts_of_powers
from satdip.phase.orders import Build
from satdip.phase.position import Dislodged, Position, Unit
from satdip.phase.turn import Remark
from satdip.resolve.resolution import OrderResult, Resolution
from satdip.telling.reasons import tell
from satdip.telling.speech import ENGLISH, Speech

__all__ = ["position_to_json", "resolution_to_json", "result_record", "result_words", "units_by_power"]

Json = dict[str, object]


def units_by_power(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Return power id -> its units as text, both sorted."""
    grouped = texts_of_powers(units)
    for texts in grouped.values():
        texts.sort()
    return dict(sorted(grouped.items()))


def position_to_json(position: Position) -> Json:
    """Return a phase record without orders; `satdip.notation.read_record` reads it back.

    Raises:
        InputError: the map is one of the user's own, which no record can name.
    """
    record: Json = {
        "map": stated_name(position.board),
        "phase": str(position.phase),
        "units": units_by_power(position.units),
        "centers": {power: in_order(owned) for power, owned in sorted(position.centres.items())},
    }
    if driven := position.dislodged:
        record["dislodged"] = units_by_power(item.unit for item in driven)
        record["retreats"] = {str(item.unit): sorted(item.retreats) for item in driven if item.retreats is not None}
        record["attackers"] = {str(item.unit): item.attacker_from for item in driven if item.attacker_from is not None}
    return record


def result_record(resolution: Resolution) -> Json:
    """Return a phase record with its outcome: what was handed in, a word for each unit, and the next position.

    This is the shape of recorded games: ``satdip replay`` reads it, and `Game.save` writes it.

    Raises:
        NoAnswer: the rules leave the phase open.
    """
    after = resolution.following
    record = write_record(resolution.turn)
    record["rules"] = resolution.stated_rules or resolution.rules
    record["results"] = result_words(resolution)
    record["next_phase"] = str(after.phase)
    record["next_units"] = units_by_power(after.units)
    record["next_centers"] = {power: in_order(owned) for power, owned in sorted(after.centres.items())}
    if after.dislodged:
        record["next_dislodged"] = units_by_power(item.unit for item in after.dislodged)
    return record


def result_words(resolution: Resolution) -> dict[str, list[str]]:
    """Return the outcome of each order that counts, by its unit: by the one that it builds, in winter.

    A waived build has no unit.
    """
    illegal = Status.ILLEGAL
    words: dict[str, list[str]] = {}
    for result in resolution.orders:
        checked = result.checked
        if checked.status == illegal:
            continue
        if (unit := checked.unit) is not None:
            words[unit.text] = [str(result.outcome)]
        elif isinstance(build := checked.action, Build):
            words[f"{build.unit.kind} {build.unit.location}"] = [str(result.outcome)]
    return words


def resolution_to_json(resolution: Resolution, speech: Speech = ENGLISH) -> Json:
    """Return everything that a resolution says as plain values.

    Args:
        resolution: the outcome of a phase.
        speech: the language of its sentences; keys, codes and ids are the same in all languages.
    """
    board = resolution.position.board
    return {
        "map": board.name,
        "phase": str(resolution.position.phase),
        "rules": resolution.rules,
        "orders": [_order(result, resolution, speech) for result in resolution.orders],
        "dislodged": [_dislodged(item) for item in resolution.dislodged],
        "contested": sorted(resolution.contested),
        "removed": units_by_power(resolution.removed),
        "automatic": units_by_power(resolution.automatic),
        "built": units_by_power(resolution.built),
        "paradoxes": [
            {
                "units": [str(unit) for unit in core.units],
                "resolutions": core.resolutions,
                "disrupted": [str(unit) for unit in core.disrupted],
                "failed": [str(unit) for unit in core.failed],
                "left_open": core.left_open,
            }
            for core in resolution.paradoxes
        ],
        "rotations": [[str(unit) for unit in ring] for ring in resolution.rotations],
        "winner": resolution.winner,
        "open": resolution.is_open,
        "consistent": [
            {
                "moves": {str(unit): to for unit, to in consistent.moves.items()},
                "dislodged": [str(unit) for unit in consistent.dislodged],
            }
            for consistent in resolution.consistent
        ],
        "next": None if resolution.next is None else position_to_json(resolution.next),
        "remarks": [_remark(remark, speech) for remark in resolution.remarks],
    }


def _remark(remark: Remark, speech: Speech) -> Json:
    where = remark.where
    return {"text": speech.tell(remark.what), "line": where.line, "column": where.column, "path": where.path}


def _order(result: OrderResult, resolution: Resolution, speech: Speech) -> Json:
    given, board = result.checked.given, resolution.position.board
    return {
        "power": result.power,
        "unit": None if result.unit is None else str(result.unit),
        "order": None if given is None else given.text or write_order(given.order, Notation.PACKAGE, board),
        "read_as": [] if given is None else [speech.tell(note.sentence) for note in given.notes],
        "outcome": str(result.outcome),
        "success": result.success,
        "dislodged": result.dislodged,
        "destroyed": result.destroyed,
        "disbanded": result.disbanded,
        "decided_by": str(result.decided_by),
        "reasons": [_reason(reason, resolution, speech) for reason in result.reasons],
    }


def _reason(reason: Reason, resolution: Resolution, speech: Speech) -> Json:
    details = {key: _plain(value) for key, value in reason.details.items()}
    sentence = tell(reason, resolution.position.board, speech)
    return {"code": reason.code, "issue": reason.issue, "details": details, "text": sentence}


def _plain(value: object) -> object:
    match value:
        case tuple() | list():
            return [_plain(item) for item in value]
        case Unit():
            return str(value)
        case _:
            return value


def _dislodged(item: Dislodged) -> Json:
    retreats = None if item.retreats is None else sorted(item.retreats)
    return {"power": item.unit.power, "unit": str(item.unit), "attacker_from": item.attacker_from, "retreats": retreats}
