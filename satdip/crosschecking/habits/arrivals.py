"""What engines make of armies that arrive by convoy, where they forget one thing about them; see `edits`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from satdip.crosschecking.engines import Answer
from satdip.crosschecking.habits.edits import by_land, stranded, strange_supporters
from satdip.crosschecking.habits.sheet import Moved, Sheet
from satdip.phase.orders import Convoy, Support
from satdip.resolve.resolution import Resolution

__all__ = [
    "convoy_cuts_too_early",
    "convoy_does_not_dislodge",
    "convoy_given_up_too_early",
    "convoy_was_in_danger",
    "guess_is_kept",
    "two_in_one_province",
]

BESIDE = "BESIDE"
"""With a province behind it, the name of a place beside the map."""


def _beside(sheet: Sheet, place: str, order: Support) -> Sheet:
    """Let a unit give its support from beside the map, if it does not do so already."""
    return sheet if BESIDE + place in sheet.units else sheet.aside(BESIDE + place, place, order)


# ---------------------------------------------------------------------- a dislodgement that is not noticed


def _unnoticed(sheet: Sheet) -> Iterator[tuple[str, Support]]:
    """Find the supports of attacks on a province from which a convoyed army attacks the supporter.

    Whoever else attacks the supporter cuts the support; units of its own power, and armies without a convoy, do not.
    """
    lost = sheet.resolved.dislodged
    for place, order in sheet.orders.items():
        if not isinstance(order, Support) or sheet.goal(order.target.province) != order.zone:
            continue
        attackers = sheet.attackers(place)
        others = [at for at in attackers if at != order.zone and sheet.units[at].power != sheet.units[place].power]
        cut = any(not sheet.by_sea(at) or sheet.carried(at, lost) for at in others)
        if order.zone in attackers and sheet.by_sea(order.zone) and not cut:
            yield place, order


def convoy_does_not_dislodge(sheet: Sheet, _: Moved) -> Sheet | None:
    """A convoyed army does not dislodge a unit that supports an attack on the province from which the army comes.

    The unit stays where it is to be attacked, and gives its support from beside the map, where nobody cuts it.
    """
    result: Sheet | None = None
    for place, order in _unnoticed(sheet):
        result = _beside(result or sheet, place, order)
    return result


def two_in_one_province(resolution: Resolution, ours: Answer, _: Answer) -> Answer | None:
    """Let the units stay where they are that gave their support from beside the map, though an army came in."""
    position = resolution.position
    kept = [item.unit for item in resolution.dislodged if BESIDE + item.unit.province in position.board.provinces]
    if not kept or ours.units is None:
        return None
    at = {unit.province for unit in kept}
    units = {power: set(texts) for power, texts in ours.units.items()}
    for unit in kept:
        units.setdefault(unit.power, set()).add(f"{unit.kind} {unit.location}")
    return replace(
        ours,
        dislodged=(ours.dislodged or frozenset()) - at,
        retreats={place: ways for place, ways in (ours.retreats or {}).items() if place not in at},
        disbanded=(ours.disbanded or frozenset()) - at,
        units={power: frozenset(texts) for power, texts in units.items()},
    )


def guess_is_kept(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A move succeeds by a support that a convoyed army cuts: it was decided when the convoy was guessed to fail."""
    result: Sheet | None = None
    for at in sheet.moves:
        place = sheet.goal(at)
        order = sheet.orders.get(place)
        if not isinstance(order, Support) or order.zone == at or order.target.province not in answer.moves:
            continue
        foreign = sheet.units[place].power != sheet.units[at].power
        if foreign and sheet.by_sea(at) and sheet.carried(at, answer.dislodged):
            result = _beside(result or sheet, place, order)
    return result


# ---------------------------------------------------------------------- convoys looked at before supports are cut


def _convoyed(sheet: Sheet) -> list[str]:
    """Return the armies that go by sea and have a whole route."""
    return [at for at in sheet.moves if sheet.by_sea(at) and sheet.carried(at)]


def _cut_by(sheet: Sheet, armies: Iterable[str]) -> set[str]:
    """Return the provinces whose units' supports armies cut on their arrival or when they bounce."""
    cut = set()
    for at in armies:
        place = sheet.goal(at)
        order = sheet.orders.get(place)
        if isinstance(order, Support) and order.zone != at and sheet.units[place].power != sheet.units[at].power:
            cut.add(place)
    return cut


def _danger(sheet: Sheet, cutting: Iterable[str] = ()) -> frozenset[str]:
    """Return the fleets that would be lost if of all convoyed armies only these cut supports.

    Every support of an attack on a fleet counts in this, those of the fleet's own power too.
    """
    fleets = {sea for sea, order in sheet.orders.items() if isinstance(order, Convoy)}
    calm = sheet.holding({*_convoyed(sheet), *fleets, *_cut_by(sheet, cutting)}) or sheet
    counted = strange_supporters(calm, [at for at in calm.moves if calm.goal(at) in fleets]) or calm
    return counted.resolved.dislodged & fleets


def convoy_was_in_danger(sheet: Sheet, _: Moved) -> Sheet | None:
    """An army counts as coming by land when its convoy stands only because a convoyed army cuts a support.

    The routes that are not safe are struck out before convoyed armies cut supports. The army goes all the same when
    its convoy proves safe, but has no route any more when the engine asks how it moves.
    """
    armies, danger = _convoyed(sheet), _danger(sheet)
    lost = sheet.resolved.dislodged
    doubted = [at for at in armies if not sheet.carried(at, danger) and sheet.carried(at, lost)]
    if not doubted:
        return None
    army = {**sheet.board.army, **{at: sheet.board.army[at] | {sheet.goal(at)} for at in doubted}}
    return by_land(sheet.on(replace(sheet.board, army=army)), doubted)


def convoy_cuts_too_early(sheet: Sheet, _: Moved) -> Sheet | None:
    """An army cuts a support though its convoy is broken because another convoyed army cuts one at the same time."""
    armies, danger = _convoyed(sheet), _danger(sheet)
    lost = sheet.resolved.dislodged
    return sheet.holding(
        _cut_by(sheet, [at for at in armies if sheet.carried(at, danger) and not sheet.carried(at, lost)])
    )


def convoy_given_up_too_early(sheet: Sheet, _: Moved) -> Sheet | None:
    """A convoy fails that only an army keeps safe whose own convoy is safe only because another army cuts a support.

    Convoys are looked at twice: when no convoyed army has cut a support, and when those have whose convoys looked safe.
    What is in danger the second time is lost.
    """
    armies, danger, lost = _convoyed(sheet), _danger(sheet), sheet.resolved.dislodged
    second = _danger(sheet, [at for at in armies if sheet.carried(at, danger)])
    last = _danger(sheet, [at for at in armies if sheet.carried(at, lost)])
    return stranded(sheet, [at for at in armies if not sheet.carried(at, second) and sheet.carried(at, last)])
