"""Editions as named rulebooks, and how people name one: ``2023``, ``2023+4.A.2=d``, a TOML file.

Source: `../shared/datc/issues.json` names per issue which edition prescribes what (DATC 3.2, chapter 4). Where an
edition is silent the value is the DATC's preference and the field is listed as unsettled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from satdip.errors import InputError, Where
from satdip.messages import Message, joined
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

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PROFILES", "rulebook_named"]

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
    SILENT_IN_ALL | {"adjacent_convoy", "convoyed_origin", "illegal_orders"},  # silent on a fallback to the land route
    paradox=Paradox.NECESSARY_2000,
    convoyed_origin=ConvoyedOrigin.CLOSED,
    dislodged_effect=DislodgedEffect.NEVER,
    removal=Removal.COUNTRY,
)
_2023 = _edition(
    "2023",
    SILENT_IN_ALL | {"adjacent_convoy"},
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


def rulebook_named(text: str) -> Rulebook:
    """Return a rulebook as people name it.

    Args:
        text: a profile (``2023``), a profile with overrides (``2023+4.A.2=d+removal=country``), or the path of a
            TOML file with ``base = "2023"`` and a table ``[choices]`` of such overrides.

    Raises:
        InputError: there is no such profile, issue or choice; the sentence suggests the nearest.
    """
    if text.endswith(".toml"):
        from pathlib import Path  # loaded late, as all that only files and errors need

        return _from_file(Path(text))
    base, *overrides = text.split("+")
    choices: dict[str, str] = {}
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals:
            what = Message(
                "{text!r} is no choice; write the issue, = and the answer, as in {base}+4.A.2=d",
                text=override,
                base=base,
            )
            raise InputError(what)
        choices[key.strip()] = value.strip()
    profile = _profile(base.strip())
    return profile.override(choices) if choices else profile


def _profile(name: str) -> Rulebook:
    book = PROFILES.get(name.lower())
    if book is not None:
        return book
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), PROFILES, n=1)
    if near:
        raise InputError(Message("no rulebook is called {name!r}; did you mean {near!r}?", name=name, near=near[0]))
    raise InputError(Message("no rulebook is called {name!r}; there is {known}", name=name, known=joined(PROFILES)))


def _from_file(path: Path) -> Rulebook:
    import tomllib

    where = Where(str(path))
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", where) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is no TOML: {error}", where) from None
    unknown = sorted(set(table) - {"base", "name", "choices"})
    if unknown:
        raise InputError(f"unknown key {unknown[0]!r}; a rulebook has base, name and a table [choices]", where)
    base, name, choices = table.get("base", DATC.name), table.get("name", path.stem), table.get("choices", {})
    if not (isinstance(base, str) and isinstance(name, str) and isinstance(choices, dict)):
        raise InputError("base and name are texts and choices is a table of texts", where)
    flat = _flatten(choices)
    try:
        return replace(_profile(base).override(flat), name=name)
    except InputError as error:
        raise error.at(source=str(path)) from None


def _flatten(choices: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return section -> answer: TOML reads an unquoted ``4.A.2 = "d"`` as tables in tables."""
    flat: dict[str, str] = {}
    for key, value in choices.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = str(value)
    return flat
