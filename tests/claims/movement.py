"""The claims about a movement phase: who bounced and with what strength, who cut, who was dislodged, why no convoy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from claims.facts import Check, Claim, Facts
from claims.field import Field
from satdip.adjudication import adjudicate_turn
from satdip.phase.orders import Convoy, Move, Support
from satdip.resolve.resolution import OrderResult, Outcome
from satdip.rulebook import Fallback, Paradox

__all__ = ["CHECKS", "ISSUES", "MEASURED", "left_out"]

BACKUP = {Paradox.SZYKMAN, Paradox.ALL_HOLD, Paradox.AFFECT_CAUSE, Paradox.DPTG}
"""The rules that settle a paradox once it is there."""

ISSUES: Mapping[str, set[str | None]] = {
    "paradox-disrupts": {"4.A.2", None},
    "paradox-fails": {"4.A.2", None},
    "convoy-settled": {"4.A.2"},
    "cut": {None, "4.A.2"},
    "sea-by-order": {"4.A.3"},
    "sea-by-own-fleet": {"4.A.3"},
    "off-named-route": {"4.A.6"},
}


def measured(check: Callable[[Claim, Field], bool]) -> Check:
    """Return a check that asks for strengths; where they cannot be measured the claim stands for itself."""
    return lambda claim: not claim.facts.is_measured or check(claim, claim.facts.field)


# ---------------------------------------------------------------------- moves that succeed


def rotates(claim: Claim, field: Field) -> bool:
    """It is in a ring of moves that all succeed."""
    rings = [ring for ring in field.rings() if claim.at in ring]
    return bool(rings) and all(field.works[at] for at in rings[0]) and claim.unit.province == claim.at


def _strikes(claim: Claim, field: Field, m: str) -> bool:
    """The strength and the supporters told are those of the move, which arrives."""
    told = (claim["attack"], claim.provinces("supporters"))
    return told == (field.attack_now(m), field.counting_supporters(m)) and field.attack_now(m) > 0


def _drives_out(claim: Claim, field: Field, m: str, target: str) -> bool:
    """A move dislodges the unit in a province that is not head to head with it."""
    held = claim["hold"] == field.hold(field.works, target) < field.attack_now(m)
    helped = claim.provinces("against") == ([] if target in field.moves else field.supporters(target))
    return (
        field.winner_at(target) == m and field.head_to_head(m) is None and held and helped and _strikes(claim, field, m)
    )


def _drives_back(claim: Claim, field: Field, m: str, target: str) -> bool:
    """A move dislodges the unit that comes the other way."""
    held = claim["defend"] == field.defend(field.works, target) < field.attack_now(m)
    helped = claim.provinces("against") == field.supporters(target)
    return (
        field.winner_at(target) == m
        and field.head_to_head(m) == target
        and held
        and helped
        and _strikes(claim, field, m)
    )


def dislodges(claim: Claim, field: Field) -> bool:
    return _drives_out(claim, field, claim.at, claim.unit.province)


def dislodges_opposite(claim: Claim, field: Field) -> bool:
    return _drives_back(claim, field, claim.at, claim.unit.province)


def beats(claim: Claim, field: Field) -> bool:
    """A rival is weaker, but has an effect."""
    rival = claim.unit.province
    strength = field.prevent_now(rival)
    told = claim["prevent"] == strength and claim.provinces("against") == field.supporters(rival)
    weaker = 0 < strength < field.attack_now(claim.at)
    return (
        rival in field.rivals(claim.at)
        and field.works[claim.at]
        and told
        and weaker
        and _strikes(claim, field, claim.at)
    )


# ---------------------------------------------------------------------- moves that fail


def _fails(claim: Claim, field: Field) -> bool:
    return claim.at in field.moves and not field.works[claim.at]


def bounced(claim: Claim, field: Field) -> bool:
    """A rival is as strong."""
    rival = claim.unit.province
    strength = field.prevent_now(rival)
    told = claim["prevent"] == strength and claim.provinces("against") == field.supporters(rival)
    as_strong = rival in field.rivals(claim.at) and strength >= field.attack_now(claim.at)
    return _fails(claim, field) and as_strong and told and _strikes(claim, field, claim.at)


def head_to_head(claim: Claim, field: Field) -> bool:
    """The unit that comes the other way is as strong."""
    other = claim.unit.province
    strength = field.defend(field.works, other)
    told = claim["defend"] == strength and claim.provinces("against") == field.supporters(other)
    as_strong = field.head_to_head(claim.at) == other and strength >= field.attack_now(claim.at)
    return _fails(claim, field) and as_strong and told and _strikes(claim, field, claim.at)


def held(claim: Claim, field: Field) -> bool:
    """The unit at the destination stays, and holds."""
    goal = claim.unit.province
    strength = field.hold(field.works, goal)
    helped = claim.provinces("against") == ([] if goal in field.moves else field.supporters(goal))
    stays = field.target(claim.at) == goal == field.faced(claim.at) and field.head_to_head(claim.at) is None
    as_strong = claim["hold"] == strength >= field.attack_now(claim.at)
    return _fails(claim, field) and stays and as_strong and helped and _strikes(claim, field, claim.at)


def own_unit(claim: Claim, field: Field) -> bool:
    """A unit of the same power is in the way."""
    goal = claim.unit.province
    own = field.power(goal) == field.power(claim.at)
    return _fails(claim, field) and field.faced(claim.at) == goal and own and field.attack_arrives(claim.at)


def own_support(claim: Claim, field: Field) -> bool:
    """Supports do not count against a unit of their own power: that of the move, or of the move that dislodged it."""
    m = claim.at
    if claim.unit.province == claim.at:
        m = field.winner_at(claim.at) or ""
    told = claim.provinces("supporters")
    return m in field.moves and field.faced(m) == claim.unit.province and told == field.useless_supporters(m) != []


# ---------------------------------------------------------------------- armies that are not convoyed


def no_convoy_ordered(claim: Claim) -> bool:
    """No fleet follows an order to convoy the army where it goes."""
    facts = claim.facts
    goal = claim["place"]
    convoys = [o for o in facts.follows.values() if isinstance(o, Convoy) and o.army.province == claim.at]
    return claim.unit.province == claim.at and _goes_to(claim, goal) and all(o.destination != goal for o in convoys)


def _goes_to(claim: Claim, goal: object) -> bool:
    move = claim.facts.follows[claim.at]
    return isinstance(move, Move) and move.destination == goal and not claim.result.success


def convoy_incomplete(claim: Claim) -> bool:
    """Fleets follow such orders, and make no way."""
    field = claim.facts.field
    fleets = field.ordered_to_convoy(claim.at)
    named = claim.facts.rules.named_route.slug != "ignored" and field.moves[claim.at].route
    told = claim.provinces("fleets") == sorted(fleets) != []
    return _goes_to(claim, claim["place"]) and told and not named and not field.connects(claim.at, fleets)


def off_named_route(claim: Claim) -> bool:
    """Fleets follow such orders; those on the route that the army's order names make no way."""
    field = claim.facts.field
    route = field.moves[claim.at].route
    told = claim.provinces("fleets") == sorted(field.ordered_to_convoy(claim.at)) != []
    named = claim.facts.rules.named_route.slug != "ignored" and bool(route)
    on_route = [fleet for fleet in field.ordered_to_convoy(claim.at) if fleet in route]
    return _goes_to(claim, claim["place"]) and told and named and not field.connects(claim.at, on_route)


def convoy_broken(claim: Claim, field: Field) -> bool:
    """Fleets on a route of orders do not convoy, and so the army does not get there."""
    told = claim.provinces("fleets") == field.broken_fleets(claim.at) != []
    return _fails(claim, field) and told and not field.attack_arrives(claim.at)


def convoy_settled(claim: Claim) -> bool:
    """Bille's rule decided about its route beforehand."""
    field = claim.facts.field
    own = claim.unit.province == claim.at and claim.at in field.moves and field.by_sea(claim.at)
    return own and claim.facts.rules.paradox == Paradox.BILLE and claim.outcome == Outcome.FAILS


def sea_by_order(claim: Claim) -> bool:
    """It could walk, but "via convoy" is written, which counts (4.A.3 c, d, DPTG)."""
    field = claim.facts.field
    counts = claim.facts.rules.adjacent_convoy.slug in ("tag-or-own-fleet", "tag")
    return field.walks(claim.at) and field.moves[claim.at].via and counts and not claim.result.success


def sea_by_own_fleet(claim: Claim) -> bool:
    """It could walk, but fleets of its own power are to convoy it (4.A.3 d)."""
    field = claim.facts.field
    own = [f for f in field.matching_convoys(claim.at) if field.power(f) == field.power(claim.at)]
    told = claim.provinces("fleets") == sorted(own) != []
    counts = claim.facts.rules.adjacent_convoy.slug == "tag-or-own-fleet"
    return field.walks(claim.at) and told and counts and not claim.result.success


# ---------------------------------------------------------------------- supports and convoys


def cut(claim: Claim, field: Field) -> bool:
    """An attack from elsewhere than the support is directed to; by the letter of 2000 even if it does not arrive."""
    m = claim.unit.province
    letter = claim.reason.issue == "4.A.2"
    arrives = field.attack_arrives(m)
    by_rule = letter == (not arrives) and (arrives or claim.facts.rules.paradox == Paradox.LITERAL_2000)
    return claim.outcome == Outcome.CUT and field.cutters(claim.at).get(m) is False and by_rule


def cut_by_dislodging(claim: Claim, field: Field) -> bool:
    """An attack from where the support is directed to dislodges the supporter."""
    m = claim.unit.province
    dislodged = field.winner_at(claim.at) == m
    return claim.outcome == Outcome.CUT and field.cutters(claim.at).get(m) is True and dislodged


def _settled_by_rule(claim: Claim) -> bool:
    """Without a rule that settles paradoxes this order would be left open, or a convoy that it waits for."""
    facts = claim.facts
    cited = facts.rules.paradox in BACKUP
    silent = replace(facts.rules, paradox=Paradox.NONE) if cited else facts.rules
    silent = replace(silent, fallback=Fallback.NONE, name=f"{facts.rules.name} without a rule for paradoxes")
    bare = adjudicate_turn(facts.turn, silent)
    fleets = facts.field.matching_convoys(claim.at) if claim.at in facts.field.moves else []
    concerned = [bare.result_of(facts.units[at]) for at in (claim.at, *fleets)]
    open_then = any(one is not None and one.outcome == Outcome.OPEN for one in concerned)
    has_rule = cited or facts.rules.fallback != Fallback.NONE
    return open_then and has_rule and (claim.reason.issue == "4.A.2") == cited


def paradox_disrupts(claim: Claim) -> bool:
    disrupted = [unit.province for core in claim.facts.resolution.paradoxes for unit in core.disrupted]
    return claim.outcome == Outcome.DISRUPTED and claim.at in disrupted and _settled_by_rule(claim)


def paradox_fails(claim: Claim) -> bool:
    failed = [unit.province for core in claim.facts.resolution.paradoxes for unit in core.failed]
    return claim.outcome == Outcome.FAILS and claim.at in failed and _settled_by_rule(claim)


def is_open(claim: Claim) -> bool:
    """The rules leave the phase open, and so the order, or what becomes of its unit."""
    left = any(core.left_open for core in claim.facts.resolution.paradoxes)
    return claim.outcome == Outcome.OPEN and claim.facts.resolution.is_open and left


# ---------------------------------------------------------------------- dislodged units


def dislodged_by(claim: Claim, field: Field) -> bool:
    return claim.result.dislodged and _drives_out(claim, field, claim.unit.province, claim.at)


def dislodged_by_opposite(claim: Claim, field: Field) -> bool:
    return claim.result.dislodged and _drives_back(claim, field, claim.unit.province, claim.at)


def enters(claim: Claim) -> bool:
    """A move into its province succeeds, whose strength is open."""
    move, result = claim.facts.follows[claim.unit.province], claim.facts.of_unit[claim.unit.province]
    goes = isinstance(move, Move) and move.dst == claim.at and result.success
    return claim.facts.resolution.is_open and claim.result.dislodged and goes


def disorder_removed(claim: Claim) -> bool:
    """Its power handed in nothing, and the rulebook removes its dislodged units."""
    facts = claim.facts
    rule = facts.rules.disorder_dislodged.slug == "removed"
    gone = facts.resolution.next is None or claim.unit not in facts.resolution.next.units
    return (
        claim.unit == claim.result.unit
        and rule
        and claim.unit.power in facts.idle_powers
        and claim.result.dislodged
        and gone
    )


MEASURED: Mapping[str, Callable[[Claim, Field], bool]] = {
    "rotates": rotates,
    "dislodges": dislodges,
    "dislodges-opposite": dislodges_opposite,
    "beats": beats,
    "bounced": bounced,
    "head-to-head": head_to_head,
    "held": held,
    "own-unit": own_unit,
    "own-support": own_support,
    "convoy-broken": convoy_broken,
    "cut": cut,
    "cut-by-dislodging": cut_by_dislodging,
    "dislodged-by": dislodged_by,
    "dislodged-by-opposite": dislodged_by_opposite,
}
"""The claims about strengths and about what cuts and dislodges."""

CHECKS: Mapping[str, Check] = {
    **{code: measured(check) for code, check in MEASURED.items()},
    "no-convoy-ordered": no_convoy_ordered,
    "convoy-incomplete": convoy_incomplete,
    "off-named-route": off_named_route,
    "convoy-settled": convoy_settled,
    "sea-by-order": sea_by_order,
    "sea-by-own-fleet": sea_by_own_fleet,
    "paradox-disrupts": paradox_disrupts,
    "paradox-fails": paradox_fails,
    "open": is_open,
    "enters": enters,
    "disorder-removed": disorder_removed,
}


# ---------------------------------------------------------------------- what must be told


def left_out(facts: Facts) -> Iterator[str]:
    """Yield what a movement phase should tell and does not."""
    if not facts.is_measured:
        return
    field = facts.field
    void = {at for at, result in facts.of_unit.items() if result.outcome == Outcome.INVALID}
    for at in field.broken(field.works, field.forbidden):
        if at not in void:
            yield f"{field.units[at]} does not do what the rules say"
    for at, result in facts.of_unit.items():
        if result.outcome in (Outcome.ILLEGAL, Outcome.INVALID):
            expected: set[tuple[str, str]] | None = None
        else:
            expected = set(_expected(facts, field, at))
        told = set(_told(result))
        dislodged = set(_dislodged(facts, field, at))
        if expected is not None and told - dislodged != expected:
            yield f"{result!r}: {sorted(expected)} is told as {sorted(told - dislodged)}"
        if expected is None and not result.reasons:
            yield f"{result!r}: no reason"
        if not dislodged <= told or result.dislodged != bool(dislodged):
            yield f"{result!r}: {sorted(dislodged)} of {sorted(told)}"
    yield from _afterwards(facts, field)


def _told(result: OrderResult) -> Iterator[tuple[str, str]]:
    """Yield the codes that are told of an order, each with the province that it names."""
    basis = result.checked.basis
    for reason in result.reasons:
        if reason not in basis:
            unit = reason.details.get("unit")
            yield reason.code, "" if unit is None or reason.code in WITHOUT_UNIT else unit.province  # type: ignore[attr-defined]


WITHOUT_UNIT = {"rotates", "convoy-broken", "sea-by-order", "sea-by-own-fleet", "paradox-disrupts", "paradox-fails"}


def _expected(facts: Facts, field: Field, at: str) -> Iterator[tuple[str, str]]:
    """Yield what is to be told of an order that is followed."""
    match facts.follows[at]:
        case Move():
            yield from _of_success(facts, field, at) if field.works[at] else _of_failure(field, at)
        case Support():
            for m, dislodges in field.cutters(at).items():
                yield "cut-by-dislodging" if dislodges else "cut", m
        case Convoy() if at in field.forbidden:
            yield "paradox-disrupts", ""


def _of_success(facts: Facts, field: Field, at: str) -> Iterator[tuple[str, str]]:
    goal = field.target(at)
    if any(field.units[at] in ring for ring in facts.resolution.rotations):
        yield "rotates", ""
    if field.winner_at(goal) == at:
        yield "dislodges" if field.head_to_head(at) is None else "dislodges-opposite", goal
    for rival in field.rivals(at):
        if field.prevent_now(rival) > 0:
            yield "beats", rival
    if field.useless_supporters(at):
        yield "own-support", goal


def _of_failure(field: Field, at: str) -> Iterator[tuple[str, str]]:
    goal = field.target(at)
    if at in field.forbidden:
        yield "paradox-fails", ""
    elif not field.attack_arrives(at):
        yield "convoy-broken", ""
        if field.walks(at):
            yield ("sea-by-order" if field.moves[at].via else "sea-by-own-fleet"), ""
    elif field.faced(at) is not None and field.power(goal) == field.power(at):
        yield "own-unit", goal
    else:
        strength, opposite = field.attack_now(at), field.head_to_head(at)
        if opposite is not None and strength <= field.defend(field.works, opposite):
            yield "head-to-head", opposite
        if opposite is None and field.faced(at) is not None and strength <= field.hold(field.works, goal):
            yield "held", goal
        for rival in field.rivals(at):
            if strength <= field.prevent_now(rival):
                yield "bounced", rival
        if field.useless_supporters(at):
            yield "own-support", goal


def _dislodged(facts: Facts, field: Field, at: str) -> Iterator[tuple[str, str]]:
    winner = field.winner_at(at)
    if winner is None:
        return
    yield "dislodged-by" if field.head_to_head(winner) is None else "dislodged-by-opposite", winner
    if field.useless_supporters(winner):
        yield "own-support", at
    if facts.rules.disorder_dislodged.slug == "removed" and field.power(at) in facts.idle_powers:
        yield "disorder-removed", at


def _afterwards(facts: Facts, field: Field) -> Iterator[str]:
    """Yield what is said wrongly below the table."""
    resolution, works = facts.resolution, field.works
    gone = {item.unit.province: item for item in resolution.dislodged}
    if gone.keys() != field.dislodged(works).keys():
        yield f"dislodged: {sorted(gone)}"
        return
    in_disorder = {at for at in gone if ("disorder-removed", at) in set(_dislodged(facts, field, at))}
    for at, item in gone.items():
        expected = set() if at in in_disorder else field.may_retreat_to(at)
        if item.retreats != expected:
            yield f"retreats of {item.unit}: {sorted(expected)} are told as {item.retreats}"
        result = facts.of_unit[at]
        if (result.destroyed, result.disbanded) != (not expected and at not in in_disorder, at in in_disorder):
            yield f"what becomes of {item.unit}: {result!r}"
    if resolution.contested != field.contested(works):
        yield f"stand-offs: {sorted(resolution.contested)}, not {sorted(field.contested(works))}"
    if {unit.province for unit in resolution.automatic} != in_disorder:
        yield f"removed in civil disorder: {resolution.automatic}"
    rings = [set(ring) for ring in field.rings()]
    for ring in resolution.rotations:
        at = {unit.province for unit in ring}
        if at not in rings or not all(works[one] for one in at):
            yield f"circular movement: {ring}"
    for core in resolution.paradoxes:
        if core.left_open or not (core.disrupted or core.failed):
            yield f"paradox: {core}"
