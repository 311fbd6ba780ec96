"""How other engines read the same orders: choices of the rulebook that they make, and habits that no rulebook has."""

from __future__ import annotations

from satdip.crosschecking.habits.sheet import Moved, Sheet, moved_of
from satdip.crosschecking.habits.table import Habit, OtherChoice, Part, choices, habits, part_named, written
from satdip.crosschecking.habits.told import Reader, Told, moved_in

__all__ = [
    "Habit",
    "Moved",
    "OtherChoice",
    "Part",
    "Reader",
    "Sheet",
    "Told",
    "choices",
    "habits",
    "moved_in",
    "moved_of",
    "part_named",
    "written",
]
