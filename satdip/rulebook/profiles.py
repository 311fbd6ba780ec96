"""Editions as named rulebooks.

Source: `../shared/datc/issues.json` names per issue which edition prescribes what (DATC 3.2, chapter 4). Where an
edition is silent the value is the DATC's preference and the field is listed as unsettled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from satdip.rulebook.choices import (
    AdjacentConvoy,
    Alphabet,
    ConvoyedOrigin,
    ConvoyRoutes,
    DislodgedEffect,
    DisorderDislodged,
    OrderSets,
    Paradox,
    Removal,
    SupportCoast,
)
from satdip.rulebook.rulebook import DATC, Rulebook

__all__ = ["PROFILES"]

SILENT_IN_ALL = frozenset(
    {
        "missing_coast",
        "impossible_coast",
        "support_coast",
        "wrong_coast",
        "irrelevant_coast",
        "missing_kind",
        "wrong_kind",
        "inland_fleet",
        "missing_nationality",
        "wrong_nationality",
        "order_sets",
        "undated_sets",
        "several_orders",
        "too_many_builds",
        "builds_in_one_place",
        "too_many_removals",
        "disorder_support",
        "disorder_dislodged",
        "implicit_orders",
        "perpetual_orders",
        "proxy_orders",
        "flying_dutchman",
    }
)
"""What no printed rulebook before 2025 says a word about."""


ONLY_FALLBACK_OPEN = frozenset(AdjacentConvoy) - {
    AdjacentConvoy.TAG_OR_OWN_FLEET,
    AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND,
}
"""What the printed rules of 2000 and 2023 rule out: they say when an army goes by convoy, but not what becomes of it
when the convoy is broken."""


def _edition(name: str, unsettled: Iterable[str], **choices: Any) -> Rulebook:
    return replace(DATC, name=name, unsettled=frozenset(unsettled), **choices)


_1971 = _edition(
    "1971",
    SILENT_IN_ALL | {"convoyed_attack", "convoyed_origin", "declined_builds", "illegal_orders"},
    convoy_routes=ConvoyRoutes.ANY,
    paradox=Paradox.FLEETS_1971,
    adjacent_convoy=AdjacentConvoy.LAND_UNLESS_OPPOSITE,
    convoyed_origin=ConvoyedOrigin.CLOSED,
    dislodged_effect=DislodgedEffect.NEVER,
    removal=Removal.HOME_CENTRE,
)
_1982 = replace(
    _1971,
    name="1982",
    convoy_routes=ConvoyRoutes.ALL,
    paradox=Paradox.WATERS_1982,
    adjacent_convoy=AdjacentConvoy.INTENT,
)
_2000 = _edition(
    "2000",
    SILENT_IN_ALL | {"adjacent_convoy", "convoyed_origin", "illegal_orders"},
    ruled_out=ONLY_FALLBACK_OPEN,
    paradox=Paradox.NECESSARY_2000,
    convoyed_origin=ConvoyedOrigin.CLOSED,
    dislodged_effect=DislodgedEffect.NEVER,
    removal=Removal.COUNTRY,
)
_2023 = _edition(
    "2023",
    SILENT_IN_ALL | {"adjacent_convoy"},
    ruled_out=ONLY_FALLBACK_OPEN,
    paradox=Paradox.NECESSARY_2000,
    dislodged_effect=DislodgedEffect.NEVER,
)
_2025EE = replace(
    _2023,
    name="2025ee",
    unsettled=SILENT_IN_ALL - {"missing_kind", "several_orders", "too_many_builds", "too_many_removals"},
)
_DPTG = _edition(
    "dptg",
    SILENT_IN_ALL
    | {"convoy_routes", "convoyed_attack", "convoyed_origin", "named_route", "dislodged_effect"}
    | {"declined_builds", "illegal_orders"},
    paradox=Paradox.DPTG,
    adjacent_convoy=AdjacentConvoy.TAG,
    removal=Removal.OWN_WAY,
)
_SEED = _edition(
    "seed",
    {
        "convoyed_attack",
        "convoyed_origin",
        "impossible_coast",
        "wrong_coast",
        "irrelevant_coast",
        "inland_fleet",
        "undated_sets",
        "too_many_builds",
        "builds_in_one_place",
        "too_many_removals",
        "disorder_support",
        "implicit_orders",
        "perpetual_orders",
        "proxy_orders",
        "flying_dutchman",
        "rotation",
        "exchange",
    },
    convoy_routes=ConvoyRoutes.ANY,
    paradox=Paradox.FLEETS_1971,
    adjacent_convoy=AdjacentConvoy.LAND_UNLESS_OPPOSITE,
    convoyed_origin=ConvoyedOrigin.CLOSED,
    dislodged_effect=DislodgedEffect.NEVER,
    support_coast=SupportCoast.NO_MATTER,
    order_sets=OrderSets.FIRST,
    removal=Removal.COUNTRY,
    alphabet=Alphabet.FRENCH,
    disorder_dislodged=DisorderDislodged.REMOVED,
)

PROFILES: Mapping[str, Rulebook] = MappingProxyType(
    {book.name: book for book in (DATC, _1971, replace(_1971, name="1976"), _1982, _2000, _2023, _2025EE, _DPTG, _SEED)}
)
"""The rulebooks that have a name."""
