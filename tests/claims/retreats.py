"""The claims about a retreat phase (rulebook "Retreats"; DATC 6.H)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claims.facts import Check, Claim, Facts
from claims.possible import ordered_here
from satdip.board import province_of
from satdip.phase.orders import Disband, Move, Retreat, ordered_unit
from satdip.phase.position import Dislodged, PhaseKind
from satdip.resolve.resolution import Outcome

__all__ = ["CHECKS", "ISSUES", "left_out"]

ISSUES: Mapping[str, set[str | None]] = {}


def _driven(facts: Facts, at: str) -> Dislodged | None:
    return next((item for item in facts.position.dislodged if item.unit.province == at), None)


def _refused(claim: Claim) -> bool:
    return claim.outcome == Outcome.ILLEGAL and claim.facts.position.phase.kind == PhaseKind.RETREATS


def _near(claim: Claim) -> bool:
    """Return whether the unit could move from where it stood to the place, which is closed to it."""
    item, place = _driven(claim.facts, claim.unit.province), str(claim["place"])
    goal = claim.order.destination if isinstance(claim.order, Move | Retreat) else ""
    if item is None or province_of(goal) != province_of(place) or ordered_here(claim) != claim.unit:
        return False
    closed = item.retreats is None or place not in item.retreats
    return place in claim.facts.board.reach(claim.unit.kind, claim.unit.location) and closed and _refused(claim)


def _occupants(facts: Facts) -> set[str]:
    return {unit.province for unit in facts.position.units}


def not_dislodged(claim: Claim) -> bool:
    named = ordered_unit(claim.order)
    place = None if named is None else named.province
    return place == claim["place"] and _driven(claim.facts, str(place)) is None and _refused(claim)


def retreat_by_convoy(claim: Claim) -> bool:
    return isinstance(claim.order, Move) and claim.order.via and _refused(claim)


def retreat_occupied(claim: Claim) -> bool:
    occupant = claim["occupant"]
    there = [unit for unit in claim.facts.position.units if unit.province == province_of(str(claim["place"]))]
    return there == [occupant] and _near(claim)


def retreat_to_attacker(claim: Claim) -> bool:
    item = _driven(claim.facts, claim.unit.province)
    return item is not None and item.attacker_from == province_of(str(claim["place"])) and _near(claim)


def retreat_contested(claim: Claim) -> bool:
    """Nobody stands there, the attacker came from elsewhere, and still the movement phase closed it."""
    item, place = _driven(claim.facts, claim.unit.province), province_of(str(claim["place"]))
    other = item is not None and item.retreats is not None and item.attacker_from != place
    return other and place not in _occupants(claim.facts) and _near(claim)


def retreat_clash(claim: Claim) -> bool:
    """All others that follow an order to retreat to the same province, and there is one."""
    return claim.provinces("units") == _others(claim.facts, claim.at) != [] and claim.outcome == Outcome.FAILS


def _others(facts: Facts, at: str) -> list[str]:
    goals = {one: o.destination for one, o in facts.follows.items() if isinstance(o, Retreat)}
    own = province_of(goals[at]) if at in goals else None
    return sorted(one for one, goal in goals.items() if one != at and province_of(goal) == own)


def no_retreat_order(claim: Claim) -> bool:
    """No order to the unit counts."""
    own = [r for r in claim.facts.results if r.unit == claim.unit and r.checked.is_of_unit]
    driven = _driven(claim.facts, claim.unit.province) is not None
    return driven and all(r.checked.action is None for r in own) and claim.result.disbanded


CHECKS: Mapping[str, Check] = {
    "not-dislodged": not_dislodged,
    "retreat-by-convoy": retreat_by_convoy,
    "retreat-occupied": retreat_occupied,
    "retreat-to-attacker": retreat_to_attacker,
    "retreat-contested": retreat_contested,
    "retreat-clash": retreat_clash,
    "no-retreat-order": no_retreat_order,
}


def left_out(facts: Facts) -> Iterator[str]:
    """Yield what a retreat phase should tell and does not."""
    after = facts.resolution.following
    clashes = set()
    for at, unit in facts.units.items():
        order, result = facts.follows[at], facts.of_unit[at]
        others = _others(facts, at) if isinstance(order, Retreat) else []
        stays = isinstance(order, Retreat) and not others
        if others and isinstance(order, Retreat):
            clashes.add(province_of(order.destination))
        codes = [reason.code for reason in result.reasons]
        if bool(others) != ("retreat-clash" in codes):
            yield f"{result!r}: clashes with {others}"
        if stays != (not result.disbanded) or (unit in facts.resolution.removed) == stays:
            yield f"{result!r}: it {'stays' if stays else 'goes'}"
        if result.checked.action is None and not codes:
            yield f"{result!r}: no reason"
        if stays and isinstance(order, Retreat):
            there = [one for one in after.units if one.location == order.destination]
            if [(one.power, one.kind) for one in there] != [(unit.power, unit.kind)]:
                yield f"{result!r}: it is not where it retreats to"
        if isinstance(order, Disband) and result.checked.given is not None and not result.success:
            yield f"{result!r}: it was ordered to disband"
    if clashes != facts.resolution.contested:
        yield f"clashes in {clashes}"
