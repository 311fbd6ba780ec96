"""The claims about which orders count: order sets, perpetual, proxy and implied orders (DATC 4.D.1, 4.D.2, 4.E.3-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claims.facts import Check, Claim, Facts
from satdip.board import province_of
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Support, Waive, ordered_unit
from satdip.phase.position import PhaseKind
from satdip.phase.turn import Given, OrderSet, Proxied
from satdip.resolve.resolution import OrderResult, Outcome

__all__ = ["CHECKS", "ISSUES"]

ISSUES: Mapping[str, set[str | None]] = {
    "sets-combined": {"4.D.1", "4.D.2"},
    "sets-unordered": {"4.D.2"},
    "sets-contradict": {"4.D.2"},
    "sets-since-complete": {"4.D.1"},
    "set-latest": {"4.D.1"},
    "set-first": {"4.D.1"},
    "set-complete": {"4.D.1"},
    "set-remains": {"4.D.1"},
    "set-overtaken": {"4.D.1"},
    "set-passed-over": {"4.D.1"},
    "set-replaced": {"4.D.1"},
    "perpetual": {"4.E.4"},
    "perpetual-superseded": {"4.E.4"},
    "perpetual-forbidden": {"4.E.4"},
    "proxy": {"4.E.5"},
    "proxy-forbidden": {"4.E.5"},
    "proxy-not-notified": {"4.E.5"},
    "proxy-set-passed-over": {"4.E.5"},
    "ordered-by-proxy": {"4.E.5"},
    "implicit": {"4.E.3"},
    "implicit-contradictory": {"4.E.3"},
}


def _given(claim: Claim) -> Given:
    assert claim.result.checked.given is not None
    return claim.result.checked.given


def _place(given: Given) -> str | None:
    named = ordered_unit(given.order)
    return None if named is None else named.province


def _counts(claim: Claim) -> bool:
    """Return whether the reason is one for which the order counts, and not one for which it does not."""
    return claim.reason in claim.result.checked.basis


def _dropped(claim: Claim) -> bool:
    return claim.reason == claim.result.checked.reason and claim.outcome == Outcome.ILLEGAL


# ---------------------------------------------------------------------- order sets


def _sets(facts: Facts, power: str) -> Sequence[OrderSet]:
    """Return the order sets of a power, by date, or by number."""
    found = {given.order_set for given in facts.turn.orders if given.power == power and given.order_set is not None}
    found |= {proxy.order_set for proxy in facts.turn.proxies if proxy.power == power and proxy.order_set is not None}
    return sorted(found, key=lambda one: (one.date or "", one.number))


def _says(facts: Facts, power: str, one: OrderSet) -> list[Given]:
    return [given for given in facts.turn.orders if given.power == power and given.order_set == one]


def _speaks_of(facts: Facts, power: str, one: OrderSet) -> set[str]:
    """Return the provinces of the units that a set orders, or hands to a proxy."""
    places = {_place(given) for given in _says(facts, power, one)} - {None}
    places |= {p.unit.province for p in facts.turn.proxies if p.power == power and p.order_set == one}
    return {place for place in places if place is not None}


def _in_sequence(facts: Facts, power: str) -> bool:
    return all(one.in_sequence for one in _sets(facts, power))


def _own(claim: Claim) -> OrderSet | None:
    """Return the set that the order stands in, of several of the power that the claim names."""
    given = _given(claim)
    return given.order_set if given.power == claim["power"] and len(_sets(claim.facts, given.power)) > 1 else None


def _named(claim: Claim) -> OrderSet | None:
    """Return the set that the claim names."""
    return next((one for one in _sets(claim.facts, str(claim["power"])) if str(one) == claim["set"]), None)


def _is_complete(facts: Facts, power: str, one: OrderSet) -> bool:
    """Return whether a set leaves nothing open that the power decides in this phase."""
    if facts.position.phase.kind == PhaseKind.ADJUSTMENTS:
        return _decides(facts, power, one) >= abs(_spare(facts, power))
    return {at for at, unit in facts.units.items() if unit.power == power} <= _speaks_of(facts, power, one)


def _spare(facts: Facts, power: str) -> int:
    owned = facts.position.centres.get(power, ())
    return len(owned) - sum(unit.power == power for unit in facts.position.units)


def _decides(facts: Facts, power: str, one: OrderSet) -> int:
    """How many builds or removals a set decides in winter."""
    orders = [given.order for given in _says(facts, power, one)]
    if _spare(facts, power) > 0:
        builds = {order.unit.province for order in orders if isinstance(order, Build)}
        return len(builds) + sum(isinstance(order, Waive) for order in orders)
    return len({order.unit.province for order in orders if isinstance(order, Disband)})


def _later(claim: Claim, one: OrderSet) -> list[OrderSet]:
    sequence = _sets(claim.facts, str(claim["power"]))
    return list(sequence[sequence.index(one) + 1 :])


def _spoken_of_later(claim: Claim, one: OrderSet) -> bool:
    """Return whether a later set speaks of the unit of an order; in winter, whether there is a later set at all."""
    if claim.facts.position.phase.kind == PhaseKind.ADJUSTMENTS:
        return bool(_later(claim, one))
    place = _place(_given(claim))
    return any(place in _speaks_of(claim.facts, str(claim["power"]), later) for later in _later(claim, one))


def sets_combined(claim: Claim) -> bool:
    own, facts, power = _own(claim), claim.facts, str(claim["power"])
    if own is None or not _counts(claim):
        return False
    if claim.reason.issue == "4.D.2":
        return not _in_sequence(facts, power) and facts.rules.undated_sets.slug == "combined"
    rule = facts.rules.order_sets.slug
    none_complete = not any(_is_complete(facts, power, one) for one in _sets(facts, power))
    by_rule = rule == "combined" or (rule == "combined-unless-replaced" and none_complete)
    return _in_sequence(facts, power) and by_rule


def sets_since_complete(claim: Claim) -> bool:
    """A set is complete, none after it is, and the order stands in one after it."""
    own, named, facts = _own(claim), _named(claim), claim.facts
    if own is None or named is None or facts.rules.order_sets.slug != "combined-unless-replaced":
        return False
    return own in _later(claim, named) and _is_last_complete(claim, named) and _counts(claim)


def _is_last_complete(claim: Claim, one: OrderSet) -> bool:
    power = str(claim["power"])
    later = any(_is_complete(claim.facts, power, other) for other in _later(claim, one))
    return _is_complete(claim.facts, power, one) and not later and _in_sequence(claim.facts, power)


def sets_unordered(claim: Claim) -> bool:
    facts, power = claim.facts, str(claim["power"])
    unknown = len(_sets(facts, power)) > 1 and not _in_sequence(facts, power)
    return unknown and facts.rules.undated_sets.slug == "hold" and _given(claim).power == power and _dropped(claim)


def sets_contradict(claim: Claim) -> bool:
    """Sets whose sequence is not known order the unit differently, and so it follows none of them."""
    facts = claim.facts
    same = [
        given for given in facts.turn.orders if _place(given) == claim.unit.province and given.order_set is not None
    ]
    unknown = {given.order_set for given in same if given.order_set is not None and not given.order_set.in_sequence}
    differ = len({given.order for given in same}) > 1
    return len(unknown) > 1 and differ and claim.outcome == Outcome.ILLEGAL and claim.result.checked.action is None


def set_latest(claim: Claim) -> bool:
    rule = claim.facts.rules.order_sets.slug in ("latest", "latest-unless-partial")
    named = _named(claim)
    return rule and named is not None and named == _own(claim) and not _later(claim, named) and _counts(claim)


def set_first(claim: Claim) -> bool:
    rule, named = claim.facts.rules.order_sets.slug == "first", _named(claim)
    return rule and named is not None and named == _own(claim) == _sets(claim.facts, claim.power)[0] and _counts(claim)


def set_complete(claim: Claim) -> bool:
    rule, named = claim.facts.rules.order_sets.slug == "combined-unless-replaced", _named(claim)
    return rule and named is not None and named == _own(claim) and _is_last_complete(claim, named) and _counts(claim)


def set_replaced(claim: Claim) -> bool:
    rule, named, own = claim.facts.rules.order_sets.slug == "combined-unless-replaced", _named(claim), _own(claim)
    if named is None or own is None:
        return False
    return rule and named in _later(claim, own) and _is_last_complete(claim, named) and _dropped(claim)


def set_remains(claim: Claim) -> bool:
    """No later set speaks of the unit; in winter the later sets leave builds or removals."""
    rule, named = claim.facts.rules.order_sets.slug == "latest-unless-partial", _named(claim)
    if named is None or named != _own(claim) or not _later(claim, named):
        return False
    power = str(claim["power"])
    if claim.facts.position.phase.kind == PhaseKind.ADJUSTMENTS:
        later = sum(_decides(claim.facts, power, one) for one in _later(claim, named))
        return rule and later < abs(_spare(claim.facts, power)) and _counts(claim)
    return rule and not _spoken_of_later(claim, named) and _counts(claim)


def set_overtaken(claim: Claim) -> bool:
    rule, own = claim.facts.rules.order_sets.slug == "latest-unless-partial", _own(claim)
    if own is None:
        return False
    return rule and (_spoken_of_later(claim, own) or _place(_given(claim)) is None) and _dropped(claim)


def set_passed_over(claim: Claim) -> bool:
    named, own = _named(claim), _own(claim)
    if named is None or own is None or named == own:
        return False
    sequence = _sets(claim.facts, claim.power)
    rule = claim.facts.rules.order_sets.slug
    counting = sequence[0] if rule == "first" else sequence[-1] if rule == "latest" else None
    return named == counting and _dropped(claim)


# ---------------------------------------------------------------------- perpetual orders


def perpetual(claim: Claim) -> bool:
    """It is perpetual, such orders are allowed, and no other order to the unit counts."""
    allowed = claim.facts.rules.perpetual_orders.slug == "allowed"
    return _given(claim).perpetual and allowed and not _others_count(claim) and _counts(claim)


def _others_count(claim: Claim) -> bool:
    """Return whether a dated order to the same unit is heard: it counts, or is impossible by itself."""
    return any(
        r.checked.given is not None
        and not r.checked.given.perpetual
        and _place(r.checked.given) == _place(_given(claim))
        and not _not_heard(r)
        for r in claim.facts.results
    )


def _not_heard(result: OrderResult) -> bool:
    codes = {"sets-unordered", "set-overtaken", "set-passed-over", "set-replaced", "ordered-by-proxy"}
    refused = {"proxy-forbidden", "proxy-not-notified", "proxy-set-passed-over", "foreign-unit"}
    return result.checked.reason is not None and result.checked.reason.code in codes | refused


def perpetual_superseded(claim: Claim) -> bool:
    return _given(claim).perpetual and _others_count(claim) and _dropped(claim)


def perpetual_forbidden(claim: Claim) -> bool:
    return _given(claim).perpetual and claim.facts.rules.perpetual_orders.slug == "forbidden" and _dropped(claim)


# ---------------------------------------------------------------------- proxies


def _proxies(claim: Claim) -> list[Proxied]:
    """Return the proxies for the unit of the claim that whoever ordered it was given."""
    unit = claim.unit
    held = [p for p in claim.facts.turn.proxies if p.unit.province == unit.province and p.holder == _given(claim).power]
    own = _place(_given(claim)) == unit.province and unit.power == claim["power"] != _given(claim).power
    return [p for p in held if p.power == unit.power] if own else []


def _set_counts(claim: Claim, one: Proxied) -> bool:
    """Return whether the set that declares a proxy counts for the unit."""
    facts, sets = claim.facts, _sets(claim.facts, one.power)
    if one.order_set is None or len(sets) < 2:
        return True
    if not _in_sequence(facts, one.power):
        return facts.rules.undated_sets.slug == "combined"
    later = sets[sets.index(one.order_set) + 1 :]
    match facts.rules.order_sets.slug:
        case "combined":
            return True
        case "combined-unless-replaced":
            return not any(_is_complete(facts, one.power, other) for other in later)
        case "latest-unless-partial":
            return not any(one.unit.province in _speaks_of(facts, one.power, other) for other in later)
        case "latest":
            return not later
        case _:
            return one.order_set == sets[0]


def proxy(claim: Claim) -> bool:
    rule = claim.facts.rules.proxy_orders.slug
    valid = [p for p in _proxies(claim) if p.notified or (rule == "in-orders" and _set_counts(claim, p))]
    return rule != "forbidden" and valid != [] and _counts(claim)


def proxy_forbidden(claim: Claim) -> bool:
    return _proxies(claim) != [] and claim.facts.rules.proxy_orders.slug == "forbidden" and _dropped(claim)


def proxy_not_notified(claim: Claim) -> bool:
    held = _proxies(claim)
    untold = held != [] and not any(p.notified for p in held)
    return untold and claim.facts.rules.proxy_orders.slug == "notified" and _dropped(claim)


def proxy_set_passed_over(claim: Claim) -> bool:
    held = _proxies(claim)
    rule = claim.facts.rules.proxy_orders.slug == "in-orders"
    return rule and held != [] and not any(p.notified or _set_counts(claim, p) for p in held) and _dropped(claim)


def ordered_by_proxy(claim: Claim) -> bool:
    """Another power orders the unit by a proxy that counts, so that its own power's order does not."""
    by_proxy = [
        r
        for r in claim.facts.results
        if r.unit == claim.unit and r.power == claim["power"] and any(b.code == "proxy" for b in r.checked.basis)
    ]
    return _given(claim).power == claim.unit.power != claim["power"] and by_proxy != [] and _dropped(claim)


# ---------------------------------------------------------------------- implied orders


def _implied(claim: Claim) -> set[object]:
    """Return what the supports and convoys of the units that the claim names say about the unit: None is to hold."""
    said: set[object] = set()
    units = claim["units"]
    for unit in units if isinstance(units, tuple) else ():
        action = claim.facts.follows[unit.province]
        match action:
            case Support(target=other, destination=goal) if other.province == claim.at:
                said.add(goal)
            case Convoy(army=other, destination=goal) if other.province == claim.at:
                said.add(goal)
            case _:
                return set()
    return said


def _idle(claim: Claim) -> bool:
    unit = claim.result.unit
    own = [
        g for g in claim.facts.turn.orders if unit is not None and g.power == unit.power and _place(g) == unit.province
    ]
    heard = [r for r in claim.facts.results if r.checked.given in own and not _not_heard(r)]
    return unit is not None and claim.facts.rules.implicit_orders.slug == "allowed" and not heard


def implicit(claim: Claim) -> bool:
    """It got no order; its power's supports and convoys of it all say what it does."""
    said = _implied(claim)
    action = claim.result.checked.action
    match action:
        case Move(destination=goal):
            follows = all(
                (one is not None and goal in (one, province_of(str(one)))) or province_of(goal) == one for one in said
            )
        case Hold():
            follows = said == {None}
        case _:
            follows = not claim.result.success
    return _idle(claim) and bool(said) and follows


def implicit_contradictory(claim: Claim) -> bool:
    return _idle(claim) and len(_implied(claim)) > 1 and claim.result.checked.action is None


CHECKS: Mapping[str, Check] = {
    "sets-combined": sets_combined,
    "sets-since-complete": sets_since_complete,
    "sets-unordered": sets_unordered,
    "sets-contradict": sets_contradict,
    "set-latest": set_latest,
    "set-first": set_first,
    "set-complete": set_complete,
    "set-replaced": set_replaced,
    "set-remains": set_remains,
    "set-overtaken": set_overtaken,
    "set-passed-over": set_passed_over,
    "perpetual": perpetual,
    "perpetual-superseded": perpetual_superseded,
    "perpetual-forbidden": perpetual_forbidden,
    "proxy": proxy,
    "proxy-forbidden": proxy_forbidden,
    "proxy-not-notified": proxy_not_notified,
    "proxy-set-passed-over": proxy_set_passed_over,
    "ordered-by-proxy": ordered_by_proxy,
    "implicit": implicit,
    "implicit-contradictory": implicit_contradictory,
}
