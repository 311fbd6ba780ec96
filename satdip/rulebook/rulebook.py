"""`Rulebook`: one field per issue of DATC chapter 4, and how to write one down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from satdip.base.errors import InputError
from satdip.base.messages import Message, joined
from satdip.base.printable import short
from satdip.base.values import Value
from satdip.rulebook.choices import (
    AdjacentConvoy,
    Allowance,
    Alphabet,
    BuildCoast,
    BuildKind,
    Choice,
    ConvoyedAttack,
    ConvoyedOrigin,
    ConvoyRoutes,
    CountedOrders,
    DislodgedEffect,
    DisorderDislodged,
    DisorderSupport,
    Fallback,
    FlyingDutchman,
    IllegalOrders,
    ImpossibleCoast,
    InlandFleet,
    IrrelevantCoast,
    LeftOut,
    MissingCoast,
    NamedRoute,
    OrderSets,
    Paradox,
    Proxy,
    Removal,
    SeveralOrders,
    SupportCoast,
    TwoCoasts,
    UndatedSets,
    Wrong,
    WrongCoast,
)

__all__ = ["DATC", "Issue", "Rulebook", "issues"]


@dataclass(frozen=True, slots=True)
class Issue:
    """A question that rulebooks answer differently.

    Args:
        field: name of the field of `Rulebook`.
        section: section of the DATC, ``4.A.2``, or of the seed text.
        title: what it is about.
        choices: the possible answers.
    """

    field: str
    section: str
    title: str
    choices: tuple[Choice, ...]

    def choice(self, text: str) -> Choice:
        """Return the answer of that slug or DATC letter.

        Raises:
            InputError: there is none; the sentence lists them.
        """
        for choice in self.choices:
            if text.lower() in (choice.slug, choice.letter):
                return choice
        what = Message(
            "{text!r} is no choice of {section}, {title}; there is {known}",
            text=short(text),
            section=self.section,
            title=Message(self.title),
            known=joined(c.slug if c.letter is None else f"{c.slug} ({c.letter})" for c in self.choices),
        )
        raise InputError(what)


def _issue(section: str, title: str, default: Choice) -> Any:
    return field(default=default, metadata={"section": section, "title": title})


@dataclass(frozen=True)
class Rulebook(Value):
    """A full set of answers to the DATC's chapter 4; the defaults are the preferences of DATC 3.2.

    Args:
        name: where the set comes from: a profile, with its overrides.
        unsettled: fields that the edition does not settle: their values are ours.
        ruled_out: answers to these that the edition does rule out, where it says something, but not enough.
    """

    name: str = "datc"
    unsettled: frozenset[str] = frozenset()
    ruled_out: frozenset[Choice] = frozenset()
    convoy_routes: ConvoyRoutes = _issue("4.A.1", "several convoy routes", ConvoyRoutes.ALL)
    paradox: Paradox = _issue("4.A.2", "convoy paradoxes", Paradox.SZYKMAN)
    fallback: Fallback = _issue("fallback", "paradoxes that the rule leaves open", Fallback.NONE)
    adjacent_convoy: AdjacentConvoy = _issue("4.A.3", "convoy to a neighbour", AdjacentConvoy.TAG_OR_OWN_FLEET)
    convoyed_attack: ConvoyedAttack = _issue("4.A.4", "origin of a convoyed attack", ConvoyedAttack.START)
    convoyed_origin: ConvoyedOrigin = _issue("4.A.5", "retreat to a convoyed attacker's origin", ConvoyedOrigin.OPEN)
    named_route: NamedRoute = _issue("4.A.6", "naming the convoy route", NamedRoute.IGNORED)
    dislodged_effect: DislodgedEffect = _issue(
        "4.A.7", "effect of a dislodged unit", DislodgedEffect.UNLESS_HEAD_TO_HEAD
    )
    two_coasts: TwoCoasts = _issue("4.B.1", "no coast named, two possible", TwoCoasts.FAILS)
    missing_coast: MissingCoast = _issue("4.B.2", "no coast named, one possible", MissingCoast.TAKEN)
    impossible_coast: ImpossibleCoast = _issue("4.B.3", "impossible coast named", ImpossibleCoast.ILLEGAL)
    support_coast: SupportCoast = _issue("4.B.4", "coast in a support", SupportCoast.EITHER)
    wrong_coast: WrongCoast = _issue("4.B.5", "wrong coast where none is needed", WrongCoast.IGNORED)
    irrelevant_coast: IrrelevantCoast = _issue("4.B.6", "irrelevant coast", IrrelevantCoast.IGNORED)
    build_coast: BuildCoast = _issue("4.B.7", "coast in a build", BuildCoast.REQUIRED)
    missing_kind: LeftOut = _issue("4.C.1", "unit kind left out", LeftOut.LEGAL)
    wrong_kind: Wrong = _issue("4.C.2", "wrong unit kind", Wrong.IGNORED)
    build_kind: BuildKind = _issue("4.C.3", "unit kind left out in a build", BuildKind.REQUIRED_ON_COASTS)
    inland_fleet: InlandFleet = _issue("4.C.4", "fleet built inland", InlandFleet.FAILS)
    missing_nationality: LeftOut = _issue("4.C.5", "nationality left out in a support", LeftOut.LEGAL)
    wrong_nationality: Wrong = _issue("4.C.6", "wrong nationality in a support", Wrong.IGNORED)
    order_sets: OrderSets = _issue("4.D.1", "several order sets", OrderSets.LATEST_UNLESS_PARTIAL)
    undated_sets: UndatedSets = _issue("4.D.2", "several order sets, sequence unknown", UndatedSets.COMBINED)
    several_orders: SeveralOrders = _issue("4.D.3", "several orders to one unit", SeveralOrders.FIRST)
    too_many_builds: CountedOrders = _issue("4.D.4", "too many builds", CountedOrders.FIRST)
    builds_in_one_place: CountedOrders = _issue("4.D.5", "several builds in one province", CountedOrders.FIRST)
    too_many_removals: CountedOrders = _issue("4.D.6", "too many removals", CountedOrders.FIRST)
    declined_builds: Allowance = _issue("4.D.7", "declining builds", Allowance.ALLOWED)
    removal: Removal = _issue("4.D.8", "removal in civil disorder", Removal.OWNED_CENTRE)
    alphabet: Alphabet = _issue("alphabet", "the alphabet of removals", Alphabet.ENGLISH)
    disorder_support: DisorderSupport = _issue("4.D.9", "support in civil disorder", DisorderSupport.SUCCEEDS)
    disorder_dislodged: DisorderDislodged = _issue(
        "disorder", "dislodged in civil disorder", DisorderDislodged.RETREATS
    )
    illegal_orders: IllegalOrders = _issue("4.E.1", "impossible moves", IllegalOrders.IGNORED)
    implicit_orders: Allowance = _issue("4.E.3", "implicit orders", Allowance.FORBIDDEN)
    perpetual_orders: Allowance = _issue("4.E.4", "perpetual orders", Allowance.FORBIDDEN)
    proxy_orders: Proxy = _issue("4.E.5", "proxy orders", Proxy.FORBIDDEN)
    flying_dutchman: FlyingDutchman = _issue("4.E.6", "a unit that should not be there", FlyingDutchman.REMOVED)
    rotation: Allowance = _issue("VIII-rotation", "circular movement", Allowance.ALLOWED)
    exchange: Allowance = _issue("VIII-exchange", "exchange of places by convoy", Allowance.ALLOWED)

    def __hash__(self) -> int:  # quick: tables are kept by rulebook, and equal ones have one name
        return hash(self.name)

    def choice(self, issue: Issue) -> Choice:
        """Return this rulebook's answer to an issue."""
        answer: Choice = getattr(self, issue.field)
        return answer

    def settles(self, issue: Issue) -> bool:
        """Return whether the edition itself answers an issue."""
        return issue.field not in self.unsettled

    def open_answers(self, issue: Issue) -> tuple[Choice, ...]:
        """Return the answers beside this rulebook's that the edition leaves open: none to an issue that it settles."""
        if self.settles(issue):
            return ()
        used = self.choice(issue)
        return tuple(choice for choice in issue.choices if choice != used and choice not in self.ruled_out)

    def override(self, choices: Mapping[str, str]) -> Rulebook:
        """Return the rulebook with some answers replaced.

        Args:
            choices: section (``4.A.2``) or field name -> slug or DATC letter.

        Raises:
            InputError: there is no such issue or choice; the sentence suggests the nearest.
        """
        changes: dict[str, Any] = {}
        for key, text in choices.items():
            issue = issue_named(key)
            changes[issue.field] = issue.choice(text)
        name = "+".join([self.name, *(f"{key}={text}" for key, text in choices.items())])
        return replace(self, name=name, unsettled=self.unsettled - set(changes), **changes)


DATC: Final = Rulebook()
"""The preferences of DATC 3.2."""


def issues() -> tuple[Issue, ...]:
    """Return every issue, in the order of the DATC."""
    found = []
    for item in fields(Rulebook):
        if "section" in item.metadata:
            choices: tuple[Choice, ...] = tuple(getattr(DATC, item.name).__class__)
            found.append(Issue(item.name, item.metadata["section"], item.metadata["title"], choices))
    return tuple(found)


def issue_named(key: str) -> Issue:
    """Return the issue of that section or field name.

    Raises:
        InputError: there is none; the sentence suggests the nearest.
    """
    known = {name: issue for issue in issues() for name in (issue.section.lower(), issue.field)}
    wanted = key.strip().lower().replace("-", "_") if key.strip().lower() not in known else key.strip().lower()
    if wanted in known:
        return known[wanted]
    from difflib import get_close_matches  # loaded late: only errors need it

    near = get_close_matches(short(key.lower()), known, n=1)
    if near:
        nearest = near[0].upper() if near[0][0].isdigit() else near[0]
        raise InputError(Message("no issue is called {name!r}; did you mean {near}?", name=short(key), near=nearest))
    raise InputError(Message("no issue is called {name!r}; write one as in 4.A.2", name=short(key)))
