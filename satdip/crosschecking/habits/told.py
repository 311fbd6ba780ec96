"""A phase as somebody reads it who makes other choices, or has habits of an engine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import province_of
from satdip.crosschecking.engines import Answer, answer_of, compare
from satdip.crosschecking.habits.sheet import Moved, Sheet
from satdip.crosschecking.habits.table import Habit, OtherChoice, Part
from satdip.crosschecking.ruled import Ruled
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook

__all__ = ["Reader", "Told", "moved_in"]


def moved_in(answer: Answer) -> Moved:
    """Return what an answer says of a movement phase, in provinces."""
    moves = {at: province_of(to) for at, to in (answer.moves or {}).items()}
    return Moved(moves, answer.dislodged or frozenset())


def _are_choices(parts: Iterable[Part]) -> bool:
    return all(isinstance(part, OtherChoice) for part in parts)


@dataclass(frozen=True)
class Told:
    """What comes out when a phase is read in some way.

    Args:
        answer: the outcome.
        named: whether it says who owns the units; some habits change that.
    """

    answer: Answer
    named: bool = True


@dataclass(frozen=True)
class Reader(Ruled):
    """Reads one phase in many ways."""

    def read(self, parts: Iterable[Part], answer: Answer) -> Told | None:
        """Adjudicate with other choices and habits.

        Args:
            parts: the choices and habits, these in the order in which they are applied.
            answer: the engine's answer, from which some habits tell where they apply.

        Returns:
            What comes out; None where one of the habits makes no difference, or the rules give no answer.
        """
        parts = tuple(parts)
        key = tuple(part.slug for part in parts), None if _are_choices(parts) else json.dumps(answer.to_json())
        if key not in self._known:
            self._known[key] = self._read(parts, answer)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[object, Told | None]:
        """What has come out so far: engines often give the same answer."""
        return {}

    def _read(self, parts: tuple[Part, ...], answer: Answer) -> Told | None:
        changes: dict[str, Any] = {part.issue.field: part.choice for part in parts if isinstance(part, OtherChoice)}
        rules = replace(self.rules, **changes)
        habits = [part for part in parts if isinstance(part, Habit)]
        turn = self._rewritten(rules, habits, answer)
        if turn is None:
            return None
        resolution = adjudicate_turn(turn, rules)
        told: Answer | None = answer_of(resolution)
        for habit in habits:
            if habit.aftermath is not None and told is not None:
                told = habit.aftermath(resolution, told, answer)
        if told is None or resolution.next is None:
            return None
        waiting = bool(resolution.next.dislodged)  # see `satdip.crosschecking.engines.differences`
        if waiting or turn.position.centres != self.turn.position.centres:
            told = replace(told, centers=None)
        if any(habit.edit is not None for habit in habits):
            return Told(self.nameless(told), named=False)
        return Told(told)

    def left(self, told: Told, answer: Answer) -> int:
        """Return in how many things an answer still differs from what comes out of a reading."""
        return len(compare(told.answer, answer if told.named else self.nameless(answer)))

    def explains(self, parts: Iterable[Part], answer: Answer) -> bool:
        """Return whether an engine's answer is what comes out with other choices and habits (see `read`)."""
        told = self.read(parts, answer)
        return told is not None and not self.left(told, answer)

    def nameless(self, answer: Answer) -> Answer:
        """Return an answer without owners, and without units where the map has no place."""
        if answer.units is None:
            return replace(answer, centers=None)
        board = self.turn.position.board
        texts = (text for units in answer.units.values() for text in units)
        there = frozenset(text for text in texts if province_of(text[2:]) in board.provinces)
        return replace(answer, units={"": there}, centers=None)

    def _rewritten(self, rules: Rulebook, habits: Iterable[Habit], answer: Answer) -> Turn | None:
        """Return the orders as an engine with these habits reads them; None when one makes no difference."""
        in_order = self.turn.position.phase.traits.in_order
        turn = self.turn
        for habit in habits:
            rewritten: Turn | None = turn
            if habit.edit is not None:
                sheet = None if in_order else habit.edit(Sheet(turn, rules), moved_in(answer))
                rewritten = None if sheet is None else sheet.turn
            elif habit.rewrite is not None:
                rewritten = habit.rewrite(turn, answer)
            if rewritten is None:
                return None
            turn = rewritten
        return turn
