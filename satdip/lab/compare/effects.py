"""What two resolutions of one phase differ in.

Counted is what happens: which orders are followed and work, who is dislodged and may retreat where, what the board
looks like afterwards, and whether the rules have an answer. Not counted are the words for a failure, and the reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from satdip.base.messages import english
from satdip.phase.kinds import Traits
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from satdip.phase.position import Unit
from satdip.resolve.resolution import OrderResult, Outcome, Resolution

__all__ = ["Difference", "Key", "differences", "effect", "facts", "results_by_key"]

Key = int | Unit
"""What an order result is about: the order of that number in the turn, or a unit that got none."""


class Difference(StrEnum):
    """A kind of difference between two resolutions of one phase."""

    OPEN = "open"
    """One rulebook leaves the phase open; or both do, with other consistent resolutions."""
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    HOLD = "hold"
    """An order to hold counts in one of them only: the unit had several orders."""
    DISLODGEMENT = "dislodgement"
    RETREAT = "retreat"
    """Other places are open to a dislodged unit; in a retreat phase, a unit goes elsewhere."""
    BUILD = "build"
    REMOVAL = "removal"
    CENTRE = "centre"
    """A supply centre has another owner."""
    POSITION = "position"
    """The units stand elsewhere although the same orders work."""


def differences(first: Resolution, second: Resolution) -> tuple[Difference, ...]:
    """Return the kinds of difference between two resolutions of one turn, in the order of the enumeration; () for none.

    Where a rulebook leaves the phase open, only those orders are compared that it decides.
    """
    found = set(_orders(first, second))
    if _left_open(first) != _left_open(second):
        found.add(Difference.OPEN)
    if not (first.is_open or second.is_open):
        found |= set(_aftermath(first, second))
        if not found and _board(first) != _board(second):
            found.add(Difference.POSITION)
    return tuple(kind for kind in Difference if kind in found)


def results_by_key(resolution: Resolution) -> dict[Key, OrderResult]:
    """Return the order results, by the number of the order or by the unit that got none."""
    given = len(resolution.turn.orders)
    keyed: dict[Key, OrderResult] = dict(enumerate(resolution.orders[:given]))
    return keyed | {result.unit: result for result in resolution.orders[given:] if result.unit is not None}


def effect(result: OrderResult | None) -> object:
    """Return what counts of an order result: a hold works when it counts, even if its unit is dislodged."""
    if result is None:
        return None
    works = result.counts if isinstance(_order(result), Hold | None) else result.success
    return result.outcome == Outcome.OPEN or works, result.outcome == Outcome.OPEN, result.dislodged, result.disbanded


def facts(resolution: Resolution) -> dict[str, str]:
    """Return what the phase leaves behind, as label -> what is so; a resolution without an answer has few."""
    after = resolution.next
    if after is None:
        consistent = len(resolution.consistent)
        many = english("{number:or no} consistent {number:resolution|resolutions}", number=consistent)
        return {"next phase": f"left open: {many}"}
    found = {"next phase": str(after.phase)}
    for item in resolution.dislodged:
        found[f"retreats of {item.unit}"] = ", ".join(sorted(item.retreats or ())) or "none"
    found |= {f"unit in {unit.province}": f"{unit.power} {unit}" for unit in after.units}
    found |= {f"owner of {at}": power for power, owned in after.centres.items() for at in sorted(owned)}
    return found


# ---------------------------------------------------------------------- kinds


def _order(result: OrderResult) -> Order | None:
    """Return the order that was followed or, where none was, the one that was given."""
    checked = result.checked
    return checked.action or (None if checked.given is None else checked.given.order)


def _orders(first: Resolution, second: Resolution) -> Iterator[Difference]:
    one, other = results_by_key(first), results_by_key(second)
    for key in one.keys() & other.keys():
        left, right = effect(one[key]), effect(other[key])
        if left != right and Outcome.OPEN not in (one[key].outcome, other[key].outcome):
            yield from _flips(one[key], other[key], first.position.phase.traits)


def _flips(one: OrderResult, other: OrderResult, phase: Traits) -> Iterator[Difference]:
    order = _order(one)
    if isinstance(order, Hold | None):
        if one.counts != other.counts:
            yield Difference.HOLD
    elif one.success != other.success:
        yield _kind(order, phase)


def _kind(order: Order, phase: Traits) -> Difference:
    match order:
        case Support():
            return Difference.SUPPORT
        case Convoy():
            return Difference.CONVOY
        case Build() | Waive():
            return Difference.BUILD
        case Disband():
            return Difference.REMOVAL if phase.by_count else Difference.RETREAT
        case Retreat():
            return Difference.RETREAT
        case Move():
            return Difference.RETREAT if phase.dislodged_act else Difference.MOVE
        case _:
            return Difference.HOLD


def _left_open(resolution: Resolution) -> object:
    """Return which consistent resolutions there are to choose from, or None when the rules have an answer."""
    if not resolution.is_open:
        return None
    return {(frozenset(item.moves.items()), frozenset(item.dislodged)) for item in resolution.consistent}


def _aftermath(first: Resolution, second: Resolution) -> Iterator[Difference]:
    """Yield what differs after two phases that both have an answer."""
    phase = first.position.phase.traits
    driven, others = _retreats(first), _retreats(second)
    if driven.keys() != others.keys():
        yield Difference.DISLODGEMENT
    if any(driven[unit] != others[unit] for unit in driven.keys() & others.keys()):
        yield Difference.RETREAT
    if phase.dislodged_act and _board(first) != _board(second):
        yield Difference.RETREAT
    if phase.by_count:
        if set(first.built) != set(second.built):
            yield Difference.BUILD
        if set(first.removed) != set(second.removed):
            yield Difference.REMOVAL
    after, later = first.following, second.following
    if after.dislodged or later.dislodged:  # centres change hands only after the retreats
        return
    if _owners(after.centres) != _owners(later.centres):
        yield Difference.CENTRE


def _retreats(resolution: Resolution) -> dict[Unit, frozenset[str] | None]:
    return {item.unit: item.retreats for item in resolution.dislodged}


def _board(resolution: Resolution) -> object:
    after = resolution.following
    return after.phase, frozenset(after.units)


def _owners(centres: Mapping[str, frozenset[str]]) -> dict[str, str]:
    return {at: power for power, owned in centres.items() for at in owned}
