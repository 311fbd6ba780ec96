"""The choices that matter to each kind of phase, and their possible answers (DATC chapter 4)."""

from __future__ import annotations

from collections.abc import Mapping

from satdip.verifier.shape import Wrong, fields, text

__all__ = ["CHOICES", "read_choices"]

_NAMING: Mapping[str, tuple[str, ...]] = {
    "wrong_coast": ("illegal", "ignored"),
    "irrelevant_coast": ("illegal", "ignored"),
    "missing_kind": ("illegal", "legal"),
    "wrong_kind": ("illegal", "ignored"),
    "several_orders": ("first", "last", "none"),
}
_SAILING: Mapping[str, tuple[str, ...]] = {
    "missing_coast": ("taken", "fails"),
    "impossible_coast": ("corrected", "illegal"),
}
_ALLOWANCE = ("allowed", "forbidden")
_COUNTED = ("none", "first", "last")

CHOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "M": {
        **_NAMING,
        **_SAILING,
        "convoy_routes": ("any", "all"),
        "paradox": (
            "none",
            "1971",
            "1982",
            "2000",
            "all-hold",
            "affect-cause",
            "szykman",
            "2000-literal",
            "dptg",
            "hand",
            "bille",
        ),
        "fallback": ("none", "szykman", "all-hold"),
        "adjacent_convoy": (
            "land-unless-opposite",
            "intent",
            "tag-or-own-fleet-else-land",
            "tag-or-own-fleet",
            "tag",
        ),
        "convoyed_attack": ("start", "last-fleet"),
        "convoyed_origin": ("closed", "open"),
        "named_route": ("ignored", "allowed", "required"),
        "dislodged_effect": ("never", "unless-head-to-head"),
        "support_coast": ("required", "own-only", "either", "no-matter"),
        "missing_nationality": ("illegal", "legal"),
        "wrong_nationality": ("illegal", "ignored"),
        "disorder_support": ("fails", "succeeds"),
        "disorder_dislodged": ("retreats", "removed"),
        "illegal_orders": ("ignored", "still-moves"),
        "rotation": _ALLOWANCE,
        "exchange": _ALLOWANCE,
    },
    "R": {**_NAMING, **_SAILING},
    "A": {
        **_NAMING,
        "inland_fleet": ("fails", "army"),
        "too_many_builds": _COUNTED,
        "builds_in_one_place": _COUNTED,
        "too_many_removals": _COUNTED,
        "declined_builds": _ALLOWANCE,
        "removal": ("home-centre", "country", "owned-centre", "own-way"),
        "alphabet": ("english", "french"),
    },
}
"""Kind of phase (movement, retreats, adjustments) -> field of the rulebook -> its answers."""


def read_choices(value: object, kind: str) -> dict[str, str]:
    """Return the rulebook of a certificate.

    Args:
        value: the JSON value.
        kind: M, R or A.

    Raises:
        Wrong: a choice is missing, unknown or none of its issue.
    """
    known = CHOICES[kind]
    stated = fields(value, "rules", known)
    for name in stated:
        if text(stated[name], f"rules.{name}") not in known[name]:
            raise Wrong(f"rules.{name} must be one of {', '.join(known[name])}")
    return {name: stated[name] for name in known}
