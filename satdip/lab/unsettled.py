"""What an edition does not settle, and whether that mattered to a result.

A rulebook answers every issue; for some of them the edition itself is silent, and the answer is ours. Whether that
was of any weight for a phase is found by adjudicating it again under each other answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.phase.orders import Move, Retreat
from satdip.phase.turn import Turn
from satdip.resolve.resolution import OrderResult, Resolution
from satdip.rulebook import Choice, Issue, Rulebook, RulebookLike, issues, rulebook_of
from satdip.telling.speech import ENGLISH, Speech

__all__ = ["Mattered", "choices_that_mattered", "mattered_to_json", "tell_mattered"]


@dataclass(frozen=True, slots=True)
class Mattered:
    """An issue that an edition does not settle and on which a result depends.

    Args:
        issue: the issue.
        used: the answer that the rulebook uses, which is ours.
        would_differ: the other answers under which the result would be another.
    """

    issue: Issue
    used: Choice
    would_differ: tuple[Choice, ...]


def choices_that_mattered(turn: Turn, rules: RulebookLike) -> tuple[Mattered, ...]:
    """Return what the edition does not settle and what mattered to the result of a phase, in the order of the DATC.

    Each answer is changed by itself, to the others that the edition leaves open. The result is another when something
    else happens on the board: other units move, are dislodged, retreat, leave or are built; or when the rules give an
    answer where they gave none, or leave other resolutions open. A support that is refused changes nothing by itself.

    Args:
        turn: the phase.
        rules: the rulebook, or its name, under which it is adjudicated.
    """
    rules = rulebook_of(rules)
    if not rules.unsettled:
        return ()
    return tuple(_mattering(turn, rules))


def _mattering(turn: Turn, rules: Rulebook) -> Iterator[Mattered]:
    result = _result(adjudicate_turn(turn, rules))
    for issue in issues():
        if rules.settles(issue):
            continue
        used = rules.choice(issue)
        others = rules.open_answers(issue)
        telling = tuple(choice for choice in others if _result(_under(turn, rules, issue, choice)) != result)
        if telling:
            yield Mattered(issue, used, telling)


def _under(turn: Turn, rules: Rulebook, issue: Issue, choice: Choice) -> Resolution:
    changed: dict[str, Any] = {issue.field: choice}
    return adjudicate_turn(turn, replace(rules, **changed))


def _result(resolution: Resolution) -> tuple[object, ...]:
    """Return what happens on the board."""
    after = resolution.next
    return (
        None if after is None else (after.phase, frozenset(after.units), after.centres),
        frozenset(result.unit for result in resolution.orders if _moves(result)),
        frozenset((item.unit, item.retreats) for item in resolution.dislodged),
        frozenset(resolution.removed),
        {(frozenset(c.moves.items()), frozenset(c.dislodged)) for c in resolution.consistent},
    )


def _moves(result: OrderResult) -> bool:
    """Return whether a unit moves or retreats, to wherever."""
    return result.success and isinstance(result.checked.action, Move | Retreat)


def tell_mattered(mattered: Mattered, rules: Rulebook, speech: Speech = ENGLISH) -> str:
    """Return a sentence about an issue that mattered."""
    issue, used = mattered.issue, mattered.used
    slugs = [speech.say("{text!r}", text=choice.slug) for choice in mattered.would_differ]
    others = slugs[0]
    for slug in slugs[1:]:
        others = speech.say("{most} or {last}", most=others, last=slug)
    return speech.say(
        "Not settled by the {rules} rules, and it mattered: {section} {title}: "
        "we use {used!r} ({meaning}); under {others} the result is another.",
        rules=rules.name,
        section=issue.section,
        title=speech.say(issue.title),
        used=used.slug,
        meaning=speech.say(used.meaning).rstrip("."),
        others=others,
    )


def mattered_to_json(mattered: Mattered, speech: Speech = ENGLISH) -> dict[str, object]:
    """Return the same as plain values; the keys are documented in ``docs/json.md``."""
    return {
        "section": mattered.issue.section,
        "title": speech.say(mattered.issue.title),
        "used": mattered.used.slug,
        "would_differ": [choice.slug for choice in mattered.would_differ],
    }
