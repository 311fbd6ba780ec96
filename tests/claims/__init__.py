"""What satdip says about an outcome, checked claim by claim.

Every reason that `adjudicate` gives is a sentence with words put in, and so a claim: "attack strength 2 (supported by A
Ruhr) against 2 of A Paris, which moves there too". Each code has a check here, which decides from the orders, the
rulebook and what became of the orders whether the sentence is true: written from the rules, with nothing shared with
`satdip.resolve.outcomes` and its like. `problems` tells what of a resolution is not true, or is not told.
"""

from __future__ import annotations

from collections.abc import Mapping

from claims import movement, possible, retreats, which_orders, winter
from claims.facts import Check, Claim, Facts
from satdip.phase.position import PhaseKind
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Rulebook

__all__ = ["CHECKS", "ISSUES", "claims_of", "is_true", "problems"]

CHECKS: Mapping[str, Check] = {
    **which_orders.CHECKS,
    **possible.CHECKS,
    **movement.CHECKS,
    **retreats.CHECKS,
    **winter.CHECKS,
}
"""Code of a reason -> whether the sentence is true."""

ISSUES: Mapping[str, frozenset[str | None]] = {
    code: frozenset(issues)
    for table in (which_orders.ISSUES, possible.ISSUES, movement.ISSUES, retreats.ISSUES, winter.ISSUES)
    for code, issues in table.items()
}
"""Code -> the sections of the DATC that may be cited with it, where any is."""

WHOLE = {
    PhaseKind.MOVEMENT: movement.left_out,
    PhaseKind.RETREATS: retreats.left_out,
    PhaseKind.ADJUSTMENTS: winter.left_out,
}


def claims_of(resolution: Resolution, rules: Rulebook) -> list[Claim]:
    """Return every reason that a resolution gives."""
    facts = Facts(resolution, rules)
    return [Claim(facts, result, reason) for result in resolution.orders for reason in result.reasons]


def problems(resolution: Resolution, rules: Rulebook) -> list[str]:
    """Return what is not true, and what should be told and is not."""
    claims = claims_of(resolution, rules)
    found = [f"not true: {claim}" for claim in claims if not is_true(claim)]
    facts = claims[0].facts if claims else Facts(resolution, rules)
    return found + [f"not told: {what}" for what in WHOLE[facts.position.phase.kind](facts)]


def is_true(claim: Claim) -> bool:
    """Return whether a claim is true and cites no section but its own."""
    code = claim.reason.code
    return (
        claim.reason.issue in ISSUES.get(code, frozenset({None})) and claim.names_what_there_is and CHECKS[code](claim)
    )
