"""The claims about single orders of a movement phase: why one is impossible, or matches nothing (DATC 4.B to 4.E)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claims.facts import Check, Claim, Facts
from satdip.board import UnitKind, province_of
from satdip.phase.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Support,
    Unclear,
    UnitRef,
    Waive,
    ordered_unit,
)
from satdip.phase.position import PhaseKind, Unit
from satdip.resolve.resolution import Outcome

__all__ = ["CHECKS", "ISSUES", "coasts_in_reach", "ordered_here"]

ISSUES: Mapping[str, set[str | None]] = {
    "wrong-kind": {"4.C.2"},
    "kind-missing": {"4.C.1"},
    "wrong-coast": {"4.B.5"},
    "irrelevant-coast": {"4.B.6"},
    "nationality-missing": {"4.C.5"},
    "wrong-nationality": {"4.C.6"},
    "second-order": {"4.D.3"},
    "no-route": {"4.E.1"},
    "route-missing": {"4.A.6"},
    "coast-missing": {"4.B.1", "4.B.2"},
    "impossible-coast": {"4.B.3"},
    "support-coast-missing": {"4.B.4"},
    "needed-for-convoy": {"4.E.1"},
    "useless-fleet": {"4.E.1"},
}


def _refs(claim: Claim) -> Iterator[UnitRef]:
    """Yield the units that an order names."""
    named = ordered_unit(claim.order)
    if named is not None:
        yield named
    match claim.order:
        case Support(target=other) | Convoy(army=other):
            yield other


def _ref(claim: Claim) -> UnitRef | None:
    """Return how the order names the unit of the claim."""
    refs = [ref for ref in _refs(claim) if ref.province == claim.unit.province]
    return refs[0] if refs else None


def ordered_here(claim: Claim) -> Unit | None:
    """Return the unit that the order is given to."""
    named = ordered_unit(claim.order)
    return None if named is None else claim.facts.units.get(named.province)


def _refused(claim: Claim) -> bool:
    return claim.outcome == Outcome.ILLEGAL and claim.result.checked.action is None


# ---------------------------------------------------------------------- which unit


def unclear(claim: Claim) -> bool:
    return isinstance(claim.order, Unclear) and claim["why"] == claim.order.why and _refused(claim)


KINDS: Mapping[PhaseKind, tuple[type, ...]] = {
    PhaseKind.MOVEMENT: (Hold, Move, Support, Convoy),
    PhaseKind.RETREATS: (Retreat, Move, Disband),
    PhaseKind.ADJUSTMENTS: (Build, Waive, Disband),
}
NAMES = {PhaseKind.MOVEMENT: "movement", PhaseKind.RETREATS: "retreats", PhaseKind.ADJUSTMENTS: "adjustments"}


def wrong_phase(claim: Claim) -> bool:
    kind = claim.facts.position.phase.kind
    return not isinstance(claim.order, (*KINDS[kind], Unclear)) and claim["phase"] == NAMES[kind]


def no_such_unit(claim: Claim) -> bool:
    named = [ref.province for ref in _refs(claim)]
    return claim["place"] in named and claim["place"] not in claim.facts.units and _refused(claim)


def foreign_unit(claim: Claim) -> bool:
    return ordered_here(claim) == claim.unit and claim.unit.power == claim["power"] != claim.power and _refused(claim)


def wrong_kind(claim: Claim) -> bool:
    ref = _ref(claim)
    return (
        ref is not None and ref.kind not in (None, claim.unit.kind) and claim.facts.rules.wrong_kind.slug == "illegal"
    )


def kind_missing(claim: Claim) -> bool:
    ref = _ref(claim)
    return ref is not None and ref.kind is None and claim.facts.rules.missing_kind.slug == "illegal"


def wrong_coast(claim: Claim) -> bool:
    ref = _ref(claim)
    other = ref is not None and "/" in ref.location and ref.location != claim.unit.location
    on_coast = claim.unit.kind == UnitKind.FLEET and "/" in claim.unit.location
    return other and on_coast and claim.facts.rules.wrong_coast.slug == "illegal"


def irrelevant_coast(claim: Claim) -> bool:
    """The order names a coast where that cannot matter: for an army, or where there are no such coasts."""
    facts, place = claim.facts, str(claim["place"])
    written = [(ref.location, facts.units.get(ref.province)) for ref in _refs(claim)]
    match claim.order:
        case Move(unit=ref, destination=goal) | Retreat(unit=ref, destination=goal):
            written.append((goal, facts.units.get(ref.province)))
        case Support(target=ref, destination=str() as goal) | Convoy(army=ref, destination=goal):
            written.append((goal, facts.units.get(ref.province)))
        case Build(unit=ref):
            kind = ref.kind or UnitKind.ARMY
            written = [(ref.location, Unit(claim.power, kind, ref.location))]
    meant = [(at, unit) for at, unit in written if "/" in at and province_of(at) == place]
    no_matter = [
        unit is None or unit.kind == UnitKind.ARMY or at not in facts.board.fleet or unit.location == province_of(at)
        for at, unit in meant
    ]
    return any(no_matter) and facts.rules.irrelevant_coast.slug == "illegal"


def nationality_missing(claim: Claim) -> bool:
    other = _other(claim)
    silent = other is not None and other.power is None
    return silent and claim.unit.power != claim.power and claim.facts.rules.missing_nationality.slug == "illegal"


def _other(claim: Claim) -> UnitRef | None:
    """Return how a support or convoy names the unit of the claim."""
    match claim.order:
        case Support(target=other) | Convoy(army=other):
            return other if other.province == claim.unit.province else None
        case _:
            return None


def wrong_nationality(claim: Claim) -> bool:
    other = _other(claim)
    wrong = other is not None and other.power not in (None, claim.unit.power) and claim["power"] == claim.unit.power
    return wrong and claim.facts.rules.wrong_nationality.slug == "illegal"


def second_order(claim: Claim) -> bool:
    """The unit got another order that would count."""
    same = [r for r in claim.facts.results if r.unit == claim.unit and r is not claim.result]
    rule = claim.facts.rules.several_orders.slug
    counting = [r for r in same if r.checked.action is not None]
    others = [r for r in same if r.reasons and r.reasons[0].code == "second-order"]
    repeated = any(r.checked.given is not None and claim.order == r.checked.given.order for r in counting)
    return _refused(claim) and (len(counting) == 1 if rule != "none" or repeated else bool(others or counting))


# ---------------------------------------------------------------------- where to


def coasts_in_reach(facts: Facts, fleet: Unit, goal: str) -> list[str]:
    """Return the places in a province to which a fleet can sail."""
    return sorted(at for at in facts.board.fleet[fleet.location] if province_of(at) == province_of(goal))


def _goal(claim: Claim) -> str | None:
    match claim.order:
        case Move(destination=goal) | Retreat(destination=goal) | Convoy(destination=goal):
            return goal
        case Support(destination=goal):
            return goal
        case _:
            return None


def _meant(claim: Claim, place: object) -> bool:
    """Return whether the order is about going to a place; a coast that cannot matter may be left out."""
    goal = _goal(claim)
    return goal is not None and place in (goal, province_of(goal))


def _goes_by_land(facts: Facts, unit: Unit, goal: str) -> bool:
    if unit.kind == UnitKind.FLEET:
        return bool(coasts_in_reach(facts, unit, goal)) and (
            goal in facts.board.fleet[unit.location] or "/" not in goal
        )
    return province_of(goal) in facts.board.army[unit.province]


def _ways(facts: Facts, start: str, goal: str) -> list[frozenset[str]]:
    """Return the possible convoy routes between two coasts, each as the fleets that it needs."""
    near = facts.board.sea_neighbours
    fleets = {at for at, unit in facts.units.items() if unit.kind == UnitKind.FLEET and facts.board.is_sea(at)}
    found, chains = [], [[sea] for sea in fleets if start in near[sea]]
    while chains:
        links = chains.pop()
        if goal in near[links[-1]]:
            found.append(frozenset(links))
            continue
        ahead = [sea for sea in (near[links[-1]] & fleets) - set(links) if start not in near[sea]]
        chains += [[*links, sea] for sea in ahead if near[sea].isdisjoint(links[:-1])]
    return found


def same_place(claim: Claim) -> bool:
    goal = _goal(claim)
    return goal is not None and province_of(goal) == claim.unit.province and _ref(claim) is not None and _refused(claim)


def fleet_by_convoy(claim: Claim) -> bool:
    return isinstance(claim.order, Move) and claim.order.via and claim.unit.kind == UnitKind.FLEET and _refused(claim)


def out_of_reach(claim: Claim) -> bool:
    """It goes there neither by land or water, nor is it an army that a convoy could carry from coast to coast."""
    facts, place = claim.facts, str(claim["place"])
    if not _meant(claim, place) or _goes_by_land(facts, claim.unit, place) or not _refused(claim):
        return False
    if claim.unit.kind == UnitKind.FLEET or facts.position.phase.kind == PhaseKind.RETREATS:
        return not coasts_in_reach(facts, claim.unit, place) if claim.unit.kind == UnitKind.FLEET else True
    board = facts.board
    return place not in board.army or not (board.is_coast(claim.unit.province) and board.is_coast(place))


def convoy_impossible(claim: Claim) -> bool:
    """The order is about a convoy, from or to a place that is on no coast; by land the army could go there."""
    facts, place = claim.facts, str(claim["place"])
    by_sea = isinstance(claim.order, Convoy) or (isinstance(claim.order, Move) and claim.order.via)
    ashore = facts.board.is_coast(claim.unit.province) and facts.board.is_coast(place)
    by_land = claim.unit.kind == UnitKind.ARMY and _goes_by_land(facts, claim.unit, place)
    return by_sea and _meant(claim, place) and by_land and not ashore and _refused(claim)


def no_route(claim: Claim) -> bool:
    facts, place = claim.facts, str(claim["place"])
    army = claim.unit.kind == UnitKind.ARMY
    return army and _meant(claim, place) and not _ways(facts, claim.unit.province, place) and _refused(claim)


def route_missing(claim: Claim) -> bool:
    unnamed = isinstance(claim.order, Move) and not claim.order.route
    return unnamed and claim.facts.rules.named_route.slug == "required" and _refused(claim)


def coast_missing(claim: Claim) -> bool:
    place = str(claim["place"])
    coasts = coasts_in_reach(claim.facts, claim.unit, place)
    unnamed = claim.unit.kind == UnitKind.FLEET and "/" not in place and _meant(claim, place) and place not in coasts
    if claim.reason.issue == "4.B.1":
        return unnamed and len(coasts) > 1
    return unnamed and len(coasts) == 1 and claim.facts.rules.missing_coast.slug == "fails"


def impossible_coast(claim: Claim) -> bool:
    """It cannot get to the coast that is named, but to another one."""
    place = str(claim["place"])
    coasts = coasts_in_reach(claim.facts, claim.unit, place)
    other = "/" in place and bool(coasts) and place not in coasts and _meant(claim, place)
    return other and claim.facts.rules.impossible_coast.slug == "illegal"


# ---------------------------------------------------------------------- supports and convoys


def self_support(claim: Claim) -> bool:
    both = isinstance(claim.order, Support) and claim.order.unit.province == claim.order.target.province
    return both and ordered_here(claim) == claim.unit


def support_out_of_reach(claim: Claim) -> bool:
    place = str(claim["place"])
    order = claim.order
    zone = order.zone if isinstance(order, Support) else None
    near = {province_of(at) for at in claim.facts.board.reach(claim.unit.kind, claim.unit.location)}
    return ordered_here(claim) == claim.unit and zone == place and place not in near


def support_coast_missing(claim: Claim) -> bool:
    place, rule = str(claim["place"]), claim.facts.rules.support_coast.slug
    foreign = claim.unit.power != claim.power
    unnamed = "/" not in place and len(coasts_in_reach(claim.facts, claim.unit, place)) > 1 and _meant(claim, place)
    return unnamed and (rule == "required" or (rule == "own-only" and foreign))


def needed_for_convoy(claim: Claim) -> bool:
    """There are routes, the supporter is on each, and the army cannot walk."""
    supporter, place = ordered_here(claim), str(claim["place"])
    ways = _ways(claim.facts, claim.unit.province, place)
    on_each = supporter is not None and ways != [] and all(supporter.province in way for way in ways)
    return on_each and not _goes_by_land(claim.facts, claim.unit, place) and _meant(claim, place)


def supported_unit_moves(claim: Claim) -> bool:
    in_place = isinstance(claim.order, Support) and claim.order.destination is None
    moves = isinstance(claim.facts.follows[claim.unit.province], Move)
    return in_place and moves and claim.outcome == Outcome.INVALID and _other(claim) is not None


def unsupportable(claim: Claim) -> bool:
    in_place = isinstance(claim.order, Support) and claim.order.destination is None and _other(claim) is not None
    return in_place and claim.unit.province in claim.facts.unsupportable and claim.outcome == Outcome.INVALID


def _mismatch(claim: Claim) -> bool:
    """The other unit follows no order to move where the support or convoy says."""
    place = str(claim["place"])
    action = claim.facts.follows[claim.unit.province]
    coasts_count = claim.facts.rules.support_coast.slug != "no-matter" or isinstance(claim.order, Convoy)
    if isinstance(action, Move):
        same = place in (action.destination, action.dst) or (not coasts_count and province_of(place) == action.dst)
    else:
        same = False
    return _other(claim) is not None and not same and claim.outcome == Outcome.INVALID


def support_mismatch(claim: Claim) -> bool:
    goal = claim.order.destination if isinstance(claim.order, Support) else None
    return goal is not None and province_of(goal) == province_of(str(claim["place"])) and _mismatch(claim)


def convoy_mismatch(claim: Claim) -> bool:
    return isinstance(claim.order, Convoy) and claim.order.dst == claim["place"] and _mismatch(claim)


def no_fleet_at_sea(claim: Claim) -> bool:
    at_sea = claim.unit.kind == UnitKind.FLEET and claim.facts.board.is_sea(claim.unit.province)
    return isinstance(claim.order, Convoy) and ordered_here(claim) == claim.unit and not at_sea


def convoyed_fleet(claim: Claim) -> bool:
    return isinstance(claim.order, Convoy) and _other(claim) is not None and claim.unit.kind == UnitKind.FLEET


def useless_fleet(claim: Claim) -> bool:
    """There are routes, and the fleet is on none that needs it."""
    army, place = claim["army"], str(claim["place"])
    if not (isinstance(claim.order, Convoy) and isinstance(army, Unit) and army.province == claim.order.army.province):
        return False
    ways = _ways(claim.facts, army.province, place)
    here = ordered_here(claim) == claim.unit and _meant(claim, place)
    return here and ways != [] and not any(claim.unit.province in way for way in ways)


CHECKS: Mapping[str, Check] = {
    "unclear": unclear,
    "wrong-phase": wrong_phase,
    "no-such-unit": no_such_unit,
    "foreign-unit": foreign_unit,
    "wrong-kind": wrong_kind,
    "kind-missing": kind_missing,
    "wrong-coast": wrong_coast,
    "irrelevant-coast": irrelevant_coast,
    "nationality-missing": nationality_missing,
    "wrong-nationality": wrong_nationality,
    "second-order": second_order,
    "same-place": same_place,
    "fleet-by-convoy": fleet_by_convoy,
    "out-of-reach": out_of_reach,
    "convoy-impossible": convoy_impossible,
    "no-route": no_route,
    "route-missing": route_missing,
    "coast-missing": coast_missing,
    "impossible-coast": impossible_coast,
    "self-support": self_support,
    "support-out-of-reach": support_out_of_reach,
    "support-coast-missing": support_coast_missing,
    "needed-for-convoy": needed_for_convoy,
    "supported-unit-moves": supported_unit_moves,
    "unsupportable": unsupportable,
    "support-mismatch": support_mismatch,
    "convoy-mismatch": convoy_mismatch,
    "no-fleet-at-sea": no_fleet_at_sea,
    "convoyed-fleet": convoyed_fleet,
    "useless-fleet": useless_fleet,
}
