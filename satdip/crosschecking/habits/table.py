"""The parts that a reading of the rules may differ in: other choices of the rulebook, and habits of engines."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from satdip.crosschecking.engines import Answer
from satdip.crosschecking.habits import aftermath, arrivals, edits
from satdip.crosschecking.habits.edits import Edit
from satdip.phase.orders import Move, UnitRef
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Choice, Issue, issues

__all__ = ["Habit", "OtherChoice", "Part", "choice_slug", "choices", "habits", "part_named", "written"]

Rewrite = Callable[[Turn, Answer], Turn | None]
"""How an engine seems to have read a phase of retreats or a winter; None when this makes no difference."""
Aftermath = Callable[[Resolution, Answer, Answer], Answer | None]
"""What an engine with some answer makes of satdip's; None when this makes no difference."""

BORDERS = (("SIL", "GAL"), ("KIE", "BAL"), ("NTH", "SKA"), ("ADR", "ALB"))
"""The borders that the map of one engine lacks."""

EDITS: Mapping[str, Edit] = {
    "missing-borders": edits.without_borders(*BORDERS),
    "pathless-army-vanishes": edits.pathless_army_vanishes,
    "convoyed-army-vanishes": edits.convoyed_army_vanishes,
    "own-unit-dislodged": edits.own_unit_is_dislodged,
    "via-nobody-convoys": edits.land_when_nobody_convoys,
    "via-incomplete-route": edits.land_when_route_is_incomplete,
    "own-fleet-incomplete-route": edits.land_despite_own_fleet,
    "foreign-fleets-convoy": edits.foreign_fleets_convoy,
    "land-after-disruption": edits.land_after_disruption,
    "exchange-without-convoy": edits.exchange_without_convoy,
    "support-to-own-place": edits.support_to_own_place,
    "coast-in-support-dropped": edits.coast_in_support_is_dropped,
    "own-support-counts": edits.own_support_counts,
    "convoy-was-in-danger": arrivals.convoy_was_in_danger,
    "own-side-does-not-defend": edits.own_side_does_not_defend,
    "mover-does-not-defend": edits.mover_does_not_defend,
    "cut-from-another-coast": edits.cut_from_another_coast,
    "pathless-army-blocks": edits.pathless_army_blocks,
    "leaving-unit-dislodged": edits.leaving_unit_is_dislodged,
    "rings-stand-still": edits.rings_stand_still,
    "ring-member-vanishes": edits.ring_member_vanishes,
    "convoy-cuts-too-early": arrivals.convoy_cuts_too_early,
    "convoy-given-up-too-early": arrivals.convoy_given_up_too_early,
    "own-support-disrupts": edits.own_support_disrupts,
    "paradox-seen": edits.convoy_gives_way,
    "own-support-keeps-convoy": edits.own_support_keeps_convoy,
    "paradox-not-seen": edits.convoy_stands,
    "paradox-spreads": edits.every_convoy_gives_way,
    "convoy-does-not-cut": edits.convoy_does_not_cut,
    "convoy-does-not-dislodge": arrivals.convoy_does_not_dislodge,
    "guess-kept": arrivals.guess_is_kept,
}
REWRITES: Mapping[str, Rewrite] = {
    "retreat-not-open": aftermath.retreats_reopened,
    "centres-by-occupation": aftermath.centres_by_occupation,
    "carried-out-first": aftermath.carried_out_first,
    "disorder-by-ids": aftermath.named_by_ids,
    "disorder-by-alphabet": aftermath.removed_by_alphabet,
}
AFTERMATHS: Mapping[str, Aftermath] = {
    "convoy-does-not-dislodge": arrivals.two_in_one_province,
    "retreats-unfiltered-after-convoy": aftermath.retreats_unfiltered,
    "retreats-into-standoffs": aftermath.retreats_into_standoffs,
    "retreats-to-parts": aftermath.retreats_to_parts,
    "words-against-units": aftermath.words_against_units,
    "centres-awarded": aftermath.centres_awarded,
}

LIKELIEST = ("4.A.3",)
"""The issues of which nearly all disagreements of engines are."""
LIKELY = ("4.A.1", "4.A.2", "4.A.4", "4.A.5", "4.A.7", "4.B.4", "4.D.8", "fallback", "VIII-rotation", "VIII-exchange")
"""Issues that matter although every order is written in full, and that engines are known to answer differently."""
WORDS: Mapping[str, Callable[[Turn], bool]] = {
    "4.A.6": lambda turn: any(isinstance(given.order, Move) and given.order.route for given in turn.orders),
    "4.C.1": lambda turn: any(ref.kind is None for ref in _named(turn, "unit", "target", "army")),
    "4.C.5": lambda turn: any(ref.power is not None for ref in _named(turn, "target", "army")),
}
"""Issues about words that phase records leave out: with other choices hardly any order would count. For each whether a
phase is written so that it shows anything of how they are answered."""


def _named(turn: Turn, *roles: str) -> Iterator[UnitRef]:
    """Yield the units that orders name in some roles."""
    for given in turn.orders:
        refs = (getattr(given.order, role, None) for role in roles)
        yield from (ref for ref in refs if isinstance(ref, UnitRef))


@dataclass(frozen=True)
class Habit:
    """One thing that an engine does otherwise than any choice of a rulebook says.

    Args:
        slug: its name.
        title: what an engine with this habit does, in a sentence.
        datc: the sections of the DATC that decide.
        why: why the rules see it otherwise.
        doubt: how readily it explains an answer by chance, from 0.
        edit: the orders of a movement phase as the engine reads them.
        rewrite: the same for retreats and winters.
        aftermath: what the engine makes of the outcome.
    """

    slug: str
    title: str
    datc: tuple[str, ...]
    why: str
    doubt: int = 0
    edit: Edit | None = None
    rewrite: Rewrite | None = None
    aftermath: Aftermath | None = None


@dataclass(frozen=True)
class OtherChoice:
    """Another answer to one issue than the rulebook has.

    Args:
        issue: the issue.
        choice: the answer.
    """

    issue: Issue
    choice: Choice

    @property
    def slug(self) -> str:
        """Its name, as it is written after the name of a rulebook: ``4.A.3=tag``."""
        return choice_slug(self.issue, self.choice)

    @property
    def title(self) -> str:
        """What it says."""
        return f"{self.issue.title}: {self.choice.meaning}"

    @property
    def datc(self) -> tuple[str, ...]:
        """The section of the DATC."""
        return (self.issue.section,)

    @property
    def doubt(self) -> int:
        """How unlikely it is that an engine makes this choice, from 0."""
        section = self.issue.section
        return 0 if section in LIKELIEST else 1 if section in LIKELY else 4 if section in WORDS else 3

    def applies(self, asked: Turn) -> bool:
        """Return whether the rule applies to an order of a phase, as the phase is told to an engine.

        What is never written cannot be missed: where no order names a route, an engine that stops a convoy does not do
        so for want of a named route.
        """
        return WORDS[self.issue.section](asked) if self.issue.section in WORDS else True

    @property
    def why(self) -> str:
        """What kind of disagreement this is."""
        return f"A choice of interpretation: with {self.slug} satdip gives the engine's answer."


Part = Habit | OtherChoice


def choice_slug(issue: Issue, choice: Choice) -> str:
    """Return ``4.A.3=tag``."""
    return f"{issue.section}={choice.slug}"


@cache
def habits() -> Mapping[str, Habit]:
    """Return the habits by name, in the order in which several are applied."""
    text = (files("satdip") / "data" / "habits.toml").read_text(encoding="utf-8")
    return {entry["slug"]: _habit(**entry) for entry in tomllib.loads(text)["habit"]}


def _habit(slug: str, does: str, datc: list[str], rule: str, doubt: int = 0) -> Habit:
    way: dict[str, Any] = {
        name: table[slug]
        for name, table in (("edit", EDITS), ("rewrite", REWRITES), ("aftermath", AFTERMATHS))
        if slug in table
    }
    return Habit(slug, does, tuple(datc), " ".join(rule.split()), doubt, **way)


@cache
def choices() -> Mapping[str, OtherChoice]:
    """Return every choice of every issue by its name."""
    found = (OtherChoice(issue, choice) for issue in issues() for choice in issue.choices)
    return {part.slug: part for part in found}


def part_named(slug: str) -> Part:
    """Return the choice or habit of that name."""
    return habits().get(slug) or choices()[slug]


def written(slugs: Iterable[str]) -> str:
    """Return the name of several together."""
    return " + ".join(slugs)
