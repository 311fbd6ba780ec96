"""Why recorded games differ from satdip's resolutions: every difference has a kind, found by adjudicating again.

A kind is a rule choice of the engine (then satdip under that choice gives what was recorded), a bug of the engine (then
the orders rewritten as the engine reads them do), or a loss in the record. The table of kinds, with the rule that
decides each, is `data/engine_oddities.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, province_of
from satdip.crosschecking.habits import Moved, Sheet, edits, moved_of
from satdip.crosschecking.habits.edits import Edit
from satdip.games.replay import Comparison, replay
from satdip.notation import read_record
from satdip.phase.orders import Build, Disband, Move
from satdip.phase.position import Dislodged, PhaseKind, Unit
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, AdjacentConvoy, Removal, Rulebook
from satdip.telling.serialise import units_by_power

__all__ = ["classify", "compare", "driven_by_convoys", "retreats_not_as_recorded"]

Record = Mapping[str, Any]
Units = frozenset[tuple[str, str]]
"""Units as (power, text)."""

READINGS: Mapping[str, tuple[Edit | None, Rulebook]] = {
    "via-nobody-convoys": (edits.land_when_nobody_convoys, DATC),
    "tag-required": (None, replace(DATC, name="tag", adjacent_convoy=AdjacentConvoy.TAG)),
    "own-support-counts": (edits.own_support_counts, DATC),
}
"""Kind -> how the engine reads the orders of a movement phase, and its rulebook."""

REMOVALS: Mapping[str, Removal] = {
    "droidippy": Removal.HOME_CENTRE,
    "dipcc": Removal.HOME_CENTRE,
    "diplomacy-package": Removal.OWN_WAY,
}
"""Engine -> its rule for removals in civil disorder (DATC 4.D.8)."""


def classify(record: Record, comparison: Comparison, before: Record | None = None) -> str | None:
    """Name the reason of a difference.

    Args:
        record: the recorded phase.
        comparison: satdip's comparison of it: it differs, or it is a retreat phase that could not be checked.
        before: retreat phases: the record of the movement phase before.

    Returns:
        A kind of the table of oddities; several joined by ``+`` when the phase has several; None when some part of the
        difference has no explanation.
    """
    turn = read_record(record)
    match turn.position.phase.kind:
        case PhaseKind.MOVEMENT:
            kinds = _movement(record, turn, comparison.details.get("next_centers", {}).get("recorded"))
        case PhaseKind.RETREATS:
            kinds = _retreats(record, turn, comparison, before)
        case PhaseKind.ADJUSTMENTS:
            kinds = _adjustments(record, turn)
    return None if kinds is None else "+".join(sorted(set(kinds)))


def compare(record: Record, before: Record | None = None, rules: Rulebook | None = None) -> Comparison:
    """Compare one recorded phase with satdip's resolution; a retreat phase needs the movement phase before."""
    records = [(1, dict(r)) for r in (before, record) if r is not None]
    return list(replay(records, "record", rules))[-1]


# ---------------------------------------------------------------------- movement phases


def _movement(record: Record, turn: Turn, centres: Mapping[str, list[str]] | None = None) -> list[str] | None:
    """Try the readings until satdip gives what was recorded, the centres too where those differ."""
    plain = _only_misnamed(record, adjudicate_turn(turn, DATC))
    if plain is not None:
        return plain
    for kind, resolution in _read_otherwise(turn):
        rest = _only_misnamed(record, resolution)
        if rest is not None and centres in (None, _owned(resolution)):
            return [kind, *rest]
    return None


def _owned(resolution: Resolution) -> dict[str, list[str]]:
    return {power: sorted(owned) for power, owned in resolution.following.centres.items() if owned}


def _read_otherwise(turn: Turn) -> Iterator[tuple[str, Resolution]]:
    """Adjudicate a movement phase in each way that an engine may read it."""
    for kind, (edit, rules) in READINGS.items():
        sheet = Sheet(turn)
        edited = sheet if edit is None else edit(sheet, Moved())
        if edited is not None:
            yield kind, adjudicate_turn(edited.turn, rules)


def _only_misnamed(record: Record, resolution: Resolution) -> list[str] | None:
    """Compare a resolution with a record, whoever owns the units: the edits may have changed that.

    Returns:
        No kind when the two are the same, one when only the wrong unit is named as removed, None when they differ.
    """
    if _texts(record["next_units"]) != {str(unit) for unit in resolution.following.units}:
        return None
    theirs = _texts(record.get("next_dislodged", {})) | _texts(record.get("removed", {}))
    ours = {str(item.unit) for item in resolution.dislodged}
    if theirs == ours:
        return []
    destroyed = [item.unit for item in resolution.dislodged if not item.retreats and str(item.unit) not in theirs]
    named = {end for unit in destroyed for end in _mistaken_for(unit, resolution) if end in theirs - ours}
    same_number = len(destroyed) == len(ours - theirs) == len(theirs - ours)
    return ["removed-misnamed"] if same_number and named == theirs - ours <= _texts(record.get("removed", {})) else None


def _mistaken_for(unit: Unit, resolution: Resolution) -> Iterator[str]:
    """Find the units that may look destroyed in the place of a unit that is.

    Where only the places before and after are known, a unit may seem to have gone where another of its power and kind
    has gone; then that one seems to have gone elsewhere, and so on.
    """
    sheet, moves = Sheet(resolution.turn), moved_of(resolution).moves
    driven = {item.unit for item in resolution.dislodged}
    after = {moves.get(at, at): other for at, other in sheet.units.items() if other not in driven}
    found = [unit]
    for current in found:  # grows while it is walked
        for place in (current.province, sheet.goal(current.province)):
            other = after.get(place)
            if other and (other.power, other.kind) == (unit.power, unit.kind) and other not in found:
                found.append(other)
                yield str(other)


def _texts(by_power: Mapping[str, Iterable[str]]) -> set[str]:
    return {text for texts in by_power.values() for text in texts}


def retreats_not_as_recorded(record: Record) -> tuple[Units, Units]:
    """Compare who may retreat, which `satdip replay` does not: some engines list units without a retreat as dislodged.

    Returns:
        The units listed as dislodged though they have no retreat, and those removed at once though they have one.
    """
    dislodged = adjudicate_turn(read_record(record), DATC).dislodged
    free = frozenset((d.unit.power, str(d.unit)) for d in dislodged if d.retreats)
    lost = frozenset((d.unit.power, str(d.unit)) for d in dislodged if not d.retreats)
    listed, removed = (
        frozenset((power, unit) for power, units in record.get(key, {}).items() for unit in units)
        for key in ("next_dislodged", "removed")
    )
    return listed & lost, removed & free


# ---------------------------------------------------------------------- retreat phases


def _retreats(record: Record, turn: Turn, comparison: Comparison, before: Record | None) -> list[str] | None:
    if set(comparison.details) == {"next_centers"}:
        return ["awarded-centres"] if _on_foreign_centres(record["next_centers"], record["next_units"]) else None
    if before is None:
        return None
    moved = read_record(before)
    if _movement(before, moved):  # it differs, and for a known reason
        follows = any(_agrees_after(record, turn, resolution.dislodged) for _, resolution in _read_otherwise(moved))
        return ["retreats-follow-movement"] if follows else None
    wide = _unfiltered(adjudicate_turn(moved, DATC))
    return ["retreats-unfiltered-after-convoy"] if _agrees_after(record, turn, wide) else None


def _agrees_after(record: Record, turn: Turn, dislodged: Sequence[Dislodged]) -> bool:
    """Return whether the recorded retreats follow from these dislodged units and the places open to them."""
    known = {str(item.unit): item for item in dislodged}
    if any(str(item.unit) not in known for item in turn.position.dislodged):
        return False
    waiting = tuple(replace(item, retreats=known[str(item.unit)].retreats) for item in turn.position.dislodged)
    resolution = adjudicate_turn(replace(turn, position=replace(turn.position, dislodged=waiting)), DATC)
    return _grouped(record["next_units"]) == units_by_power(resolution.following.units)


def driven_by_convoys(resolution: Resolution) -> set[Unit]:
    """Return the units that convoyed armies dislodged."""
    convoyed = {
        province_of(action.destination)
        for result in resolution.orders
        if result.success and isinstance(action := result.checked.action, Move) and action.via
    }
    return {item.unit for item in resolution.dislodged if item.unit.province in convoyed}


def _unfiltered(resolution: Resolution) -> list[Dislodged]:
    """Open to the units that convoyed armies dislodged every neighbour where nobody stands."""
    board, victims = resolution.position.board, driven_by_convoys(resolution)
    taken = {unit.province for unit in resolution.following.units}

    def near(unit: Unit) -> frozenset[str]:
        return frozenset(at for at in board.reach(unit.kind, unit.location) if province_of(at) not in taken)

    return [replace(i, retreats=near(i.unit)) if i.unit in victims else i for i in resolution.dislodged]


# ---------------------------------------------------------------------- adjustments


def _adjustments(record: Record, turn: Turn) -> list[str] | None:
    """Explain each power by itself: their adjustments have nothing to do with each other."""
    if _on_foreign_centres(record["centers"], record["units"]):
        return ["awarded-centres"]
    theirs = _grouped(record["next_units"])
    ours = units_by_power(adjudicate_turn(turn, DATC).following.units)
    kinds = [
        _adjusted(record, turn, power) for power in turn.position.board.powers if theirs.get(power) != ours.get(power)
    ]
    return [kind for kind in kinds if kind is not None] if all(kinds) else None


def _adjusted(record: Record, turn: Turn, power: str) -> str | None:
    wanted = sorted(record["next_units"].get(power, ()))
    ways: list[tuple[str, Callable[[], Resolution]]] = [
        (_surplus(turn, power), lambda: adjudicate_turn(_in_sequence(turn, power, wanted), DATC))
    ]
    if (removal := REMOVALS.get(record["engine"])) is not None:
        rules = replace(DATC, name="removal", removal=removal)
        ways.append(("civil-disorder", lambda: adjudicate_turn(turn, rules)))
        ways.append(("civil-disorder-by-ids", lambda: adjudicate_turn(_named_by_ids(turn), rules)))
    for kind, way in ways:
        if units_by_power(way().following.units).get(power, []) == wanted:
            return kind
    return None


def _surplus(turn: Turn, power: str) -> str:
    builds = any(isinstance(given.order, Build) for given in turn.orders if given.power == power)
    return "surplus-builds" if builds else "surplus-removals"


def _in_sequence(turn: Turn, power: str, wanted: Sequence[str]) -> Turn:
    """Give first the orders of a power that were carried out: records list orders by the alphabet."""

    def carried_out(given: Given) -> bool:
        order = given.order
        text = f"{order.unit.kind} {order.unit.location}" if isinstance(order, Build | Disband) else ""
        return given.power == power and (text in wanted) == isinstance(order, Build)

    return replace(turn, orders=tuple(sorted(turn.orders, key=carried_out, reverse=True)))


def _named_by_ids(turn: Turn) -> Turn:
    """Name the provinces by their ids, so that the alphabet of the ids breaks ties."""
    board = turn.position.board
    names = {id_: replace(province, name=id_) for id_, province in board.provinces.items()}
    renamed: Board = replace(board, provinces=names)
    return replace(turn, position=replace(turn.position, board=renamed))


def _on_foreign_centres(centres: Mapping[str, list[str]], units: Mapping[str, list[str]]) -> bool:
    """Return whether a centre is said to belong to one power while another's unit holds it after autumn."""
    owner = {centre: power for power, owned in centres.items() for centre in owned}
    return any(owner.get(province_of(u[2:]), power) != power for power, texts in units.items() for u in texts)


def _grouped(by_power: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(by_power[power]) for power in sorted(by_power) if by_power[power]}
