"""Why the answers of other engines to generated positions differ from satdip's.

The corpus (`peers/random_phases.jsonl.gz` and its two sisters) holds, per phase, the distinct answers and which engine
gave which. A difference is explained by habits of the engine: the smallest set of them which, with the orders rewritten
or the rulebook changed accordingly, makes satdip give the engine's answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import order_edits as edits
from order_edits import Edit
from order_sheet import Answer, Sheet

from satdip.board import province_of
from satdip.notation import read_record
from satdip.rulebook import DATC, AdjacentConvoy, Choice, Paradox

__all__ = ["ENGINES", "HABITS", "Habit", "differences", "explain", "read_with"]

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Habit:
    """One thing that an engine does otherwise.

    Args:
        edit: the orders as the engine reads them; None when only the rulebook changes.
        rules: rulebook fields -> the engine's choice.
    """

    edit: Edit | None = None
    rules: Mapping[str, Choice] = field(default_factory=dict)


BORDERS = (("SIL", "GAL"), ("KIE", "BAL"), ("NTH", "SKA"), ("ADR", "ALB"))
"""The borders that jsdiplomacy's map lacks."""

HABITS: Mapping[str, Habit] = {
    "via-nobody-convoys": Habit(edits.land_when_nobody_convoys),
    "via-incomplete-route": Habit(edits.land_when_route_is_incomplete),
    "own-fleet-incomplete-route": Habit(edits.land_despite_own_fleet),
    "tag-required": Habit(rules={"adjacent_convoy": AdjacentConvoy.TAG}),
    "land-after-disruption": Habit(edits.land_after_disruption),
    "foreign-fleets-convoy": Habit(edits.foreign_fleets_convoy),
    "exchange-without-convoy": Habit(edits.exchange_without_convoy),
    "own-support-counts": Habit(edits.own_support_counts),
    "own-support-disrupts": Habit(edits.own_support_disrupts),
    "own-side-does-not-defend": Habit(edits.own_side_does_not_defend),
    "mover-does-not-defend": Habit(edits.mover_does_not_defend),
    "own-unit-dislodged": Habit(edits.own_unit_is_dislodged),
    "cut-from-another-coast": Habit(edits.cut_from_another_coast),
    "pathless-army-blocks": Habit(edits.pathless_army_blocks),
    "pathless-army-vanishes": Habit(edits.pathless_army_vanishes),
    "convoy-does-not-cut": Habit(edits.convoy_does_not_cut),
    "paradox-rule-1982": Habit(rules={"paradox": Paradox.WATERS_1982}),
    "paradox-seen": Habit(edits.convoy_gives_way),
    "paradox-not-seen": Habit(edits.convoy_stands),
    "paradox-spreads": Habit(edits.every_convoy_gives_way),
    "own-support-keeps-convoy": Habit(edits.own_support_keeps_convoy),
    "leaving-unit-dislodged": Habit(edits.leaving_unit_is_dislodged),
    "rings-stand-still": Habit(edits.rings_stand_still),
    "missing-borders": Habit(edits.without_borders(*BORDERS)),
}
"""The habits, by the names of the table of oddities."""

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


def differences(record: Record) -> Iterator[tuple[str, Sheet, Answer]]:
    """Yield the engines whose answer to a phase is not satdip's: the name, the orders and the engine's answer."""
    sheet = Sheet(read_record(record))
    ours = sheet.resolve()
    for engine, index in record["expected_by"].items():
        if index is None or record["answers"][index].get("error"):
            continue
        theirs = _answer(record["answers"][index])
        if theirs != ours:
            yield engine, sheet, theirs


def explain(engine: str, sheet: Sheet, theirs: Answer, limit: int = 3) -> tuple[str, ...] | None:
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


def read_with(names: Sequence[str], sheet: Sheet, theirs: Answer, *, needed: bool = True) -> Answer | None:
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
        rules |= habit.rules
        if habit.edit is not None:
            edited = habit.edit(sheet, theirs)
            if edited is None and needed:
                return None
            sheet = edited or sheet
    return sheet.resolve(replace(DATC, name="habits", **rules))  # type: ignore[arg-type]


def _answer(answer: Record) -> Answer:
    moves = {province_of(at): province_of(to) for at, to in answer["moves"].items()}
    return Answer(moves, frozenset(map(province_of, answer["dislodged"])))
