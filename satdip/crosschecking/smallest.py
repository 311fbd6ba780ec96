"""The smallest phase on which an engine still disagrees for the same reason."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.base.budget import Budget
from satdip.board import province_of
from satdip.crosschecking.classify import Cause, causes, first_kind
from satdip.crosschecking.engines import Answer, Difference, Engine, differences
from satdip.crosschecking.habits import Part, Reader, Told, part_named
from satdip.crosschecking.work import as_told
from satdip.notation import write_record
from satdip.phase.minimise import minimise
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook

__all__ = ["By", "Small", "smallest"]

Ask = Callable[[Turn], Answer | None]


class By(StrEnum):
    """Who was asked about the smaller phases."""

    ENGINE = "engine"
    READING = "reading"
    """satdip with the choices and habits that explain the engine's answer: recorded engines cannot be asked."""
    NOBODY = "nobody"
    """The phase is as it was found."""


@dataclass(frozen=True)
class Small:
    """A phase on which an engine disagrees.

    Args:
        turn: the phase.
        answer: what the engine says, or the reading that stands for it.
        by: who was asked.
        minimal: whether no single order or unit can be left out or simplified.
    """

    turn: Turn
    answer: Answer
    by: By = By.NOBODY
    minimal: bool = False


def smallest(turn: Turn, rules: Rulebook, answer: Answer, cause: Cause, engine: Engine | None, budget: Budget) -> Small:
    """Make a disagreement as small as single steps can make it.

    A smaller phase counts when the answers differ in the same kind of thing first, and the same cause explains the
    engine's; where there is no cause, when there is still none.

    Args:
        turn: the phase.
        rules: the rulebook.
        answer: the engine's answer.
        cause: what explains it; () for nothing.
        engine: whom to ask; None for one that cannot be asked.
        budget: how long it may take.
    """
    turn = replace(turn, rules=None, extra={})
    parts = tuple(map(part_named, cause))
    if engine is None and not parts:
        return Small(turn, answer)
    ask = _reading(answer, rules, parts) if engine is None else _asking(engine)
    kind = first_kind(differences(adjudicate_turn(turn, rules), answer))
    said: dict[int, Answer] = {}

    def still(smaller: Turn) -> bool:
        told = ask(smaller)
        if told is None or not _differ_in(kind, differences(adjudicate_turn(smaller, rules), told)):
            return False
        reader = Reader(smaller, rules)
        explained = reader.explains(parts, told) if parts else not causes(reader, told, as_told(engine, smaller))
        if explained:
            said[id(smaller)] = told
            kept.append(smaller)
        return explained

    kept: list[Turn] = []  # keeps the ids of `said` from being used again
    if not still(turn):
        return Small(turn, answer)
    done = minimise(turn, still, budget)
    by = By.READING if engine is None else By.ENGINE
    return Small(done.turn, said[id(done.turn)], by, done.finished)


def _differ_in(kind: str, found: Collection[Difference]) -> bool:
    return bool(found) and first_kind(found) == kind


def _asking(engine: Engine) -> Ask:
    """Return a function that asks an engine."""

    def ask(turn: Turn) -> Answer | None:
        answer = engine.adjudicate(write_record(turn))
        return None if answer.failure is not None else answer

    return ask


def _reading(whole: Answer, rules: Rulebook, parts: tuple[Part, ...]) -> Ask:
    """Return a function that answers as a reading of the rules does.

    Some habits look at the answer to see where they apply. Of a smaller phase there is none: that of the whole phase,
    as far as its units are there, is read again until it is the answer of its own reading.
    """

    def ask(turn: Turn) -> Answer | None:
        reader = Reader(turn, rules)
        answer = _restricted(whole, turn)
        for _ in range(3):
            told = reader.read(parts, answer)
            if told is None:
                return None
            answer = _as_much(told, whole)
            if reader.explains(parts, answer):
                return answer
        return None

    return ask


def _as_much(told: Told, whole: Answer) -> Answer:
    """Return what comes out of a reading, as far as the engine said anything of the kind."""
    unsaid: dict[str, Any] = {
        item.name: None for item in fields(Answer) if item.name != "failure" and getattr(whole, item.name) is None
    }
    if not told.named:
        unsaid |= {"units": None, "centers": None}
    return replace(told.answer, **unsaid)


def _restricted(answer: Answer, turn: Turn) -> Answer:
    """Return what an answer says about the units of a phase."""
    position = turn.position
    if not position.phase.traits.may_dislodge or answer.moves is None:
        return answer
    there = {unit.province for unit in position.units}
    moves = {at: province_of(to) for at, to in (answer.moves or {}).items() if at in there}
    return Answer(moves=moves, dislodged=(answer.dislodged or frozenset()) & there)
