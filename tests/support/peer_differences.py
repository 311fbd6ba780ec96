"""Why the answers of other engines to generated positions differ from satdip's.

The corpus (`peers/random_phases.jsonl.gz` and its two sisters) holds, per phase, the distinct answers and which engine
gave which. A difference is explained by habits of the engine: the smallest set of them which, with the orders rewritten
or the rulebook changed accordingly, makes satdip give the engine's answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import province_of
from satdip.crosschecking.habits import Habit, Moved, Part, Sheet, choices, habits, moved_of
from satdip.notation import read_record
from satdip.rulebook import DATC, Choice

__all__ = ["ENGINES", "HABITS", "differences", "explain", "read_with"]

Record = Mapping[str, Any]

LAND = ("via-nobody-convoys", "via-incomplete-route", "own-fleet-incomplete-route")

ENGINES: Mapping[str, Sequence[str]] = {
    "diplomacy": (
        *LAND,
        "land-after-disruption",
        "own-support-counts",
        "own-support-disrupts",
        "paradox-rule-1982",
        "convoy-does-not-cut",
    ),
    "dipcc": (
        *LAND,
        "tag-required",
        "land-after-disruption",
        "paradox-seen",
        "own-support-keeps-convoy",
        "paradox-not-seen",
    ),
    "godip": (*LAND, "own-side-does-not-defend", "convoy-does-not-cut"),
    "jdip": (
        *LAND,
        "tag-required",
        "foreign-fleets-convoy",
        "exchange-without-convoy",
        "own-side-does-not-defend",
        "pathless-army-blocks",
        "paradox-rule-1982",
        "convoy-does-not-cut",
    ),
    "teddriggs": ("own-fleet-incomplete-route", "foreign-fleets-convoy", "land-after-disruption"),
    "parlance": ("own-fleet-incomplete-route",),
    "parlance_d": (),
    "pydip": ("own-fleet-incomplete-route", "tag-required", "cut-from-another-coast"),
    "webdiplomacy": (*LAND, "tag-required"),
    "roganbot": (*LAND, "tag-required", "paradox-spreads"),
    "jsdiplomacy": (
        "missing-borders",
        "pathless-army-vanishes",
        "own-unit-dislodged",
        *LAND,
        "tag-required",
        "foreign-fleets-convoy",
        "land-after-disruption",
        "mover-does-not-defend",
        "leaving-unit-dislodged",
        "rings-stand-still",
        "own-support-disrupts",
        "paradox-rule-1982",
        "convoy-does-not-cut",
    ),
    "dreact": ("paradox-seen", "exchange-without-convoy"),
}
"""Engine -> the habits it is known or suspected to have, the likeliest first."""


CHOSEN = {"tag-required": "4.A.3=tag", "paradox-rule-1982": "4.A.2=1982"}
"""Habits that are choices of the rulebook."""

HABITS: Mapping[str, Part] = {
    name: choices()[CHOSEN[name]] if name in CHOSEN else habits()[name]
    for name in dict.fromkeys(name for names in ENGINES.values() for name in names)
}
"""The habits, by the names of the table of oddities."""


def differences(record: Record) -> Iterator[tuple[str, Sheet, Moved]]:
    """Yield the engines whose answer to a phase is not satdip's: the name, the orders and the engine's answer."""
    sheet = Sheet(read_record(record))
    ours = sheet.resolved
    for engine, index in record["expected_by"].items():
        if index is None or record["answers"][index].get("error"):
            continue
        theirs = _answer(record["answers"][index])
        if theirs != ours:
            yield engine, sheet, theirs


def explain(engine: str, sheet: Sheet, theirs: Moved, limit: int = 3) -> tuple[str, ...] | None:
    """Name the habits that explain an engine's answer.

    Args:
        engine: the engine.
        sheet: the orders.
        theirs: the engine's answer.
        limit: try at most so many habits together.

    Returns:
        The smallest set of habits; None when there is none.
    """
    for size in range(1, limit + 1):
        for names in combinations(ENGINES[engine], size):
            if read_with(names, sheet, theirs) == theirs:
                return names
    return None


def read_with(names: Sequence[str], sheet: Sheet, theirs: Moved, *, needed: bool = True) -> Moved | None:
    """Adjudicate as an engine with some habits.

    Args:
        names: the habits.
        sheet: the orders.
        theirs: the engine's answer, from which some habits tell where they apply.
        needed: return None where one of the habits makes no difference.
    """
    rules: dict[str, Choice] = {}
    for name in names:
        habit = HABITS[name]
        if not isinstance(habit, Habit):
            rules[habit.issue.field] = habit.choice
        elif habit.edit is not None:
            edited = habit.edit(sheet, theirs)
            if edited is None and needed:
                return None
            sheet = edited or sheet
    return moved_of(adjudicate_turn(sheet.turn, replace(DATC, name="habits", **rules)))  # type: ignore[arg-type]


def _answer(answer: Record) -> Moved:
    moves = {province_of(at): province_of(to) for at, to in answer["moves"].items()}
    return Moved(moves, frozenset(map(province_of, answer["dislodged"])))
