"""Rulebooks: every choice of interpretation is a field, every edition a value.

Each field answers one issue of chapter 4 of the DATC. Its type is an enumeration whose members are the possible
answers; a member knows its slug, the DATC's letter (where there is one) and what it means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from enum import Enum
from types import MappingProxyType
from typing import Any

from satdip.errors import InputError

__all__ = [
    "DATC",
    "PROFILES",
    "AdjacentConvoy",
    "Choice",
    "ConvoyRoutes",
    "ConvoyedOrigin",
    "CountedOrders",
    "DislodgedEffect",
    "ImpossibleCoast",
    "IrrelevantCoast",
    "MissingCoast",
    "MissingKind",
    "Paradox",
    "Rulebook",
    "SeveralOrders",
    "SupportCoast",
    "WrongCoast",
    "WrongKind",
    "rulebook_named",
]


class Choice(Enum):
    """One answer to an issue; the value is (slug, DATC letter or None, what it means)."""

    @property
    def slug(self) -> str:
        """The name that people write."""
        return str(self.value[0])

    @property
    def letter(self) -> str | None:
        """The letter in the DATC, None where it gives none."""
        return None if self.value[1] is None else str(self.value[1])

    @property
    def meaning(self) -> str:
        """One sentence."""
        return str(self.value[2])


class ConvoyRoutes(Choice):
    """4.A.1: several convoy routes."""

    ALL = ("all", "b", "A convoy fails only when every ordered route is broken.")


class Paradox(Choice):
    """4.A.2: convoy paradoxes."""

    SZYKMAN = ("szykman", "f", "The convoys of a paradox are disrupted; everything else is adjudicated as usual.")


class AdjacentConvoy(Choice):
    """4.A.3: convoying to an adjacent province."""

    TAG_OR_OWN_FLEET = (
        "tag-or-own-fleet",
        "d",
        'By convoy when "via convoy" is written or a fleet of the same power convoys; then never by land.',
    )


class ConvoyedOrigin(Choice):
    """4.A.5: retreat to where a convoyed attacker came from."""

    CLOSED = ("closed", "a", "A unit may not retreat to where its attacker came from, even if that came by convoy.")
    OPEN = ("open", "b", "A unit dislodged by a convoyed army may retreat to where that army came from.")


class DislodgedEffect(Choice):
    """4.A.7: a dislodged unit's effect on where its attacker came from."""

    UNLESS_HEAD_TO_HEAD = ("unless-head-to-head", "b", "It has no effect there only after a head-to-head battle.")


class MissingCoast(Choice):
    """4.B.2: no coast named, one possible."""

    TAKEN = ("taken", "a", "The fleet moves to the only coast that it can reach.")
    FAILS = ("fails", "b", "The move fails.")


class ImpossibleCoast(Choice):
    """4.B.3: a coast named that cannot be reached while another can."""

    CORRECTED = ("corrected", "a", "The coast is ignored; the fleet moves to the coast that it can reach.")
    ILLEGAL = ("illegal", "b", "The order is illegal.")


class SupportCoast(Choice):
    """4.B.4: a support that names no coast."""

    REQUIRED = ("required", "a", "Illegal when the supported fleet could go to either coast.")
    OWN_ONLY = ("own-only", "b", "Legal only for a unit of the same power.")
    EITHER = ("either", "c", "Legal, and counts for both coasts.")


class WrongCoast(Choice):
    """4.B.5: a wrong coast where none is needed (the place of a unit)."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    IGNORED = ("ignored", "b", "The coast is ignored.")


class IrrelevantCoast(Choice):
    """4.B.6: a coast that does not exist or cannot matter."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    IGNORED = ("ignored", "b", "The coast is ignored.")


class MissingKind(Choice):
    """4.C.1, 4.C.5: something left out that the position tells."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    LEGAL = ("legal", "b", "The order is still legal.")


class WrongKind(Choice):
    """4.C.2, 4.C.6: something stated wrongly that the position corrects."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    IGNORED = ("ignored", "b", "What the order says is ignored; the order is still legal.")


class SeveralOrders(Choice):
    """4.D.3: several legal orders to one unit."""

    FIRST = ("first", "a", "The first legal order counts.")
    LAST = ("last", "b", "The last legal order counts.")
    NONE = ("none", "c", "None of them counts.")


class CountedOrders(Choice):
    """4.D.4 to 4.D.6: more builds or removals than there may be."""

    NONE = ("none", "a", "None of them counts.")
    FIRST = ("first", "b", "The first legal ones count.")
    LAST = ("last", "c", "The last legal ones count.")


def _issue(section: str, title: str, default: Choice) -> Any:
    return field(default=default, metadata={"section": section, "title": title})


@dataclass(frozen=True)
class Rulebook:
    """A full set of answers to the DATC's chapter 4.

    The defaults are the preferences of DATC 3.2. `name` says where the set comes from.
    """

    name: str = "datc"
    convoy_routes: ConvoyRoutes = _issue("4.A.1", "several convoy routes", ConvoyRoutes.ALL)
    paradox: Paradox = _issue("4.A.2", "convoy paradoxes", Paradox.SZYKMAN)
    adjacent_convoy: AdjacentConvoy = _issue("4.A.3", "convoy to a neighbour", AdjacentConvoy.TAG_OR_OWN_FLEET)
    convoyed_origin: ConvoyedOrigin = _issue("4.A.5", "retreat to a convoyed attacker's origin", ConvoyedOrigin.OPEN)
    dislodged_effect: DislodgedEffect = _issue(
        "4.A.7", "effect on the attacker's origin", DislodgedEffect.UNLESS_HEAD_TO_HEAD
    )
    missing_coast: MissingCoast = _issue("4.B.2", "no coast named, one possible", MissingCoast.TAKEN)
    impossible_coast: ImpossibleCoast = _issue("4.B.3", "impossible coast named", ImpossibleCoast.ILLEGAL)
    support_coast: SupportCoast = _issue("4.B.4", "support without a coast", SupportCoast.EITHER)
    wrong_coast: WrongCoast = _issue("4.B.5", "wrong coast where none is needed", WrongCoast.IGNORED)
    irrelevant_coast: IrrelevantCoast = _issue("4.B.6", "irrelevant coast", IrrelevantCoast.IGNORED)
    missing_kind: MissingKind = _issue("4.C.1", "unit kind left out", MissingKind.LEGAL)
    wrong_kind: WrongKind = _issue("4.C.2", "wrong unit kind", WrongKind.IGNORED)
    missing_nationality: MissingKind = _issue("4.C.5", "nationality left out", MissingKind.LEGAL)
    wrong_nationality: WrongKind = _issue("4.C.6", "wrong nationality", WrongKind.IGNORED)
    several_orders: SeveralOrders = _issue("4.D.3", "several orders to one unit", SeveralOrders.FIRST)
    too_many_builds: CountedOrders = _issue("4.D.4", "too many builds", CountedOrders.FIRST)
    builds_in_one_place: CountedOrders = _issue("4.D.5", "several builds in one province", CountedOrders.FIRST)
    too_many_removals: CountedOrders = _issue("4.D.6", "too many removals", CountedOrders.FIRST)

    def choices(self) -> dict[str, Choice]:
        """Return the DATC section -> the choice made there."""
        return {f.metadata["section"]: getattr(self, f.name) for f in fields(self) if "section" in f.metadata}


DATC = Rulebook()
"""The preferences of DATC 3.2."""

PROFILES: Mapping[str, Rulebook] = MappingProxyType({DATC.name: DATC})
"""The rulebooks that have a name."""


def rulebook_named(name: str) -> Rulebook:
    """Return the rulebook of that name.

    Raises:
        InputError: there is none; the sentence suggests the nearest.
    """
    if name in PROFILES:
        return PROFILES[name]
    near = get_close_matches(name, PROFILES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(PROFILES)}"
    raise InputError(f"no rulebook is called {name!r}; {hint}")
