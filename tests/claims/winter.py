"""The claims about an adjustment phase (DATC 6.I, 6.J; 4.B.7, 4.C.3, 4.C.4, 4.D.4 to 4.D.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from claims.facts import Check, Claim, Facts
from satdip.board import UnitKind, province_of
from satdip.phase.orders import Build, Disband, Waive
from satdip.phase.position import PhaseKind
from satdip.resolve.resolution import OrderResult, Outcome

__all__ = ["CHECKS", "ISSUES", "left_out"]

ISSUES: Mapping[str, set[str | None]] = {
    "build-kind-missing": {"4.C.3"},
    "build-impossible": {"4.C.4"},
    "build-coast-missing": {"4.B.7"},
    "no-waives": {"4.D.7"},
    "too-many-builds": {"4.D.4"},
    "none-of-too-many-builds": {"4.D.4"},
    "not-the-build-there": {"4.D.5"},
    "no-build-there": {"4.D.5"},
    "too-many-removals": {"4.D.6"},
    "none-of-too-many-removals": {"4.D.6"},
}


def _spare(facts: Facts, power: str) -> int:
    """How many units a power may build, or (negative) must remove."""
    units = [unit for unit in facts.position.units if unit.power == power]
    return len(facts.position.centres.get(power, ())) - len(units)


def _owner(result: OrderResult) -> str:
    """The power for whose units an order counts: a proxy orders another power's."""
    if result.unit is not None and result.checked.is_of_unit:
        return result.unit.power
    assert result.checked.given is not None
    return result.checked.given.power


def _legal(facts: Facts, power: str, *kinds: type) -> list[OrderResult]:
    """Return the orders of a power that are possible each by itself, in the sequence in which they were given."""
    orders = [r for r in facts.results if r.checked.action is not None and _owner(r) == power]
    return [r for r in orders if isinstance(r.checked.action, kinds)]


def _refused(claim: Claim) -> bool:
    winter = claim.facts.position.phase.kind == PhaseKind.ADJUSTMENTS
    return claim.outcome == Outcome.ILLEGAL and winter and not claim.result.success


def _build(claim: Claim) -> str | None:
    """Return the place of a build that was refused."""
    return claim.order.unit.location if isinstance(claim.order, Build) and _refused(claim) else None


def _place(claim: Claim) -> bool:
    """Return whether the build is ordered where the claim says."""
    return province_of(_build(claim) or "") == claim["place"]


# ---------------------------------------------------------------------- each order by itself


def no_builds(claim: Claim) -> bool:
    wanted = isinstance(claim.order, Build | Waive) and claim["power"] == claim.power
    return wanted and _refused(claim) and _spare(claim.facts, claim.power) <= 0


def no_removals(claim: Claim) -> bool:
    power = str(claim["power"])
    return isinstance(claim.order, Disband) and _refused(claim) and _spare(claim.facts, power) >= 0


def not_home(claim: Claim) -> bool:
    home = claim.facts.board.powers[claim.power].home
    return _place(claim) and claim["place"] not in home and claim["power"] == claim.power


def not_owned(claim: Claim) -> bool:
    owned = claim.facts.position.centres.get(claim.power, ())
    return _place(claim) and claim["place"] not in owned and claim["power"] == claim.power


def occupied(claim: Claim) -> bool:
    there = [unit for unit in claim.facts.position.units if unit.province == claim["place"]]
    return _place(claim) and there == [claim["occupant"]]


def kind_missing(claim: Claim) -> bool:
    unnamed = isinstance(claim.order, Build) and claim.order.unit.kind is None
    return _place(claim) and unnamed and claim.facts.board.is_coast(str(claim["place"]))


def impossible(claim: Claim) -> bool:
    """A fleet inland; where that makes an army the order would count."""
    fleet = isinstance(claim.order, Build) and claim.order.unit.kind == UnitKind.FLEET
    inland = not any(province_of(at) == claim["place"] for at in claim.facts.board.fleet)
    return _place(claim) and fleet and inland and claim.facts.rules.inland_fleet.slug == "fails"


def coast_missing(claim: Claim) -> bool:
    """A fleet where there are two coasts, and none of them named."""
    location = _build(claim) or ""
    coasts = [at for at in claim.facts.board.fleet if province_of(at) == claim["place"]]
    fleet = isinstance(claim.order, Build) and claim.order.unit.kind == UnitKind.FLEET
    return _place(claim) and fleet and len(coasts) > 1 and location not in coasts


def no_waives(claim: Claim) -> bool:
    return isinstance(claim.order, Waive) and _refused(claim) and claim.facts.rules.declined_builds.slug == "forbidden"


# ---------------------------------------------------------------------- how many


def _sequence(facts: Facts, orders: Sequence[OrderResult], rule: str) -> Sequence[OrderResult]:
    """Return orders in the sequence in which they are looked at: where the last ones count, from the end."""
    return orders[::-1] if rule == "last" else orders


def too_many_builds(claim: Claim) -> bool:
    """The builds and waived builds looked at before it take all that there are; none of them is in its province."""
    facts, power = claim.facts, str(claim["power"])
    rule = facts.rules.too_many_builds.slug
    orders = _sequence(facts, _legal(facts, power, Build, Waive), rule)
    before = orders[: _index(orders, claim.result)]
    taken = sum(r.success for r in before)
    return rule != "none" and _refused(claim) and taken == _spare(facts, power) and not _there_first(claim)


def _index(orders: Sequence[OrderResult], result: OrderResult) -> int:
    return next(number for number, one in enumerate(orders) if one is result)


def _there(claim: Claim) -> list[OrderResult]:
    """Return the builds of the power in the province of a build."""
    assert isinstance(claim.order, Build)
    builds = _legal(claim.facts, claim.power, Build)
    return [
        r
        for r in builds
        if isinstance(r.checked.action, Build) and r.checked.action.unit.province == claim.order.unit.province
    ]


def _there_first(claim: Claim) -> bool:
    """Return whether another build in its province takes precedence (4.D.5)."""
    if not isinstance(claim.order, Build):
        return False
    there = _there(claim)
    match claim.facts.rules.builds_in_one_place.slug:
        case "first":
            return there[0] is not claim.result
        case "last":
            return there[-1] is not claim.result
        case _:
            return len(there) > 1


def none_of_too_many_builds(claim: Claim) -> bool:
    facts, power = claim.facts, str(claim["power"])
    orders = _legal(facts, power, Build, Waive)
    rule = facts.rules.too_many_builds.slug == "none"
    return (
        rule
        and len(orders) > _spare(facts, power) > 0
        and claim.result in orders
        and not any(r.success for r in orders)
    )


def not_the_build_there(claim: Claim) -> bool:
    chosen = claim.facts.rules.builds_in_one_place.slug in ("first", "last")
    return _place(claim) and claim["power"] == claim.power and chosen and _there_first(claim)


def no_build_there(claim: Claim) -> bool:
    none = claim.facts.rules.builds_in_one_place.slug == "none"
    there = _there(claim)
    return (
        _place(claim)
        and claim["power"] == claim.power
        and none
        and len(there) > 1
        and not any(r.success for r in there)
    )


def too_many_removals(claim: Claim) -> bool:
    facts, power = claim.facts, str(claim["power"])
    rule = facts.rules.too_many_removals.slug
    orders = _sequence(facts, _legal(facts, power, Disband), rule)
    before = orders[: _index(orders, claim.result)]
    return rule != "none" and _refused(claim) and sum(r.success for r in before) == -_spare(facts, power)


def none_of_too_many_removals(claim: Claim) -> bool:
    facts, power = claim.facts, str(claim["power"])
    orders = _legal(facts, power, Disband)
    rule = facts.rules.too_many_removals.slug == "none"
    return (
        rule
        and len(orders) > -_spare(facts, power) > 0
        and claim.result in orders
        and not any(r.success for r in orders)
    )


CHECKS: Mapping[str, Check] = {
    "no-builds": no_builds,
    "no-removals": no_removals,
    "build-not-home": not_home,
    "build-not-owned": not_owned,
    "build-occupied": occupied,
    "build-kind-missing": kind_missing,
    "build-impossible": impossible,
    "build-coast-missing": coast_missing,
    "no-waives": no_waives,
    "too-many-builds": too_many_builds,
    "none-of-too-many-builds": none_of_too_many_builds,
    "not-the-build-there": not_the_build_there,
    "no-build-there": no_build_there,
    "too-many-removals": too_many_removals,
    "none-of-too-many-removals": none_of_too_many_removals,
}


def left_out(facts: Facts) -> Iterator[str]:
    """Yield what an adjustment phase should tell and does not."""
    resolution = facts.resolution
    for result in facts.results:
        if not result.success and not result.reasons:
            yield f"{result!r}: no reason"
    for power in facts.board.powers:
        spare = _spare(facts, power)
        built = [unit for unit in resolution.built if unit.power == power]
        removed = [unit for unit in resolution.removed if unit.power == power]
        if len(built) > max(0, spare) or len(removed) != max(0, -spare):
            yield f"{power} may build {spare}: {built}, {removed}"
        ordered = [r.unit for r in _legal(facts, power, Disband) if r.success]
        automatic = [unit for unit in resolution.automatic if unit.power == power]
        if sorted(map(str, removed)) != sorted(map(str, [*ordered, *automatic])):
            yield f"{power} removes {removed}, by order {ordered}"
