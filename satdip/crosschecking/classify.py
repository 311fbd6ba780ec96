"""Why an engine's answer differs: the smallest sets of other choices and habits under which satdip gives it too.

Tried are single choices of the rulebook and single habits, the likeliest first, then several together. Several
sets may explain one phase; which of them stands for it is settled over all phases of an engine
(`satdip.crosschecking.grouping`): a reason that explains many phases is likelier than one that explains this one alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdip.crosschecking.engines import Answer, Difference, answer_of
from satdip.crosschecking.habits import Habit, OtherChoice, Part, Reader, Told, choices, habits, part_named, written
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook

__all__ = ["UNEXPLAINED", "Cause", "Reason", "causes", "first_kind", "reason_of", "single_choices"]

Cause = tuple[str, ...]
"""Names of choices and habits that together explain an answer."""

KINDS = ("answer", "moves", "dislodged", "retreats", "disbanded", "units", "centers")
"""What answers differ in, causes before consequences."""
UNEXPLAINED = "unexplained"
MOST_PARTS = 4
MOST_EXTENDED = 8
"""How many sets of one size are made larger, when none of them is enough."""
_Some = tuple[int, ...]
"""Numbers of parts."""

DOUBTS = 5
"""The doubts of choices and habits are smaller."""
BY_CHANCE = 3
"""Habits of this doubt never keep others from being tried."""


@dataclass(frozen=True)
class Reason:
    """A cause in words.

    Args:
        cause: the names of its parts; empty when nothing explains the answers.
        title: what it is.
        datc: the sections of the DATC that decide.
        why: how the rules see it.
    """

    cause: Cause
    title: str
    datc: tuple[str, ...]
    why: str

    @property
    def slug(self) -> str:
        """Its name."""
        return written(self.cause) or UNEXPLAINED


def reason_of(cause: Cause, kind: str) -> Reason:
    """Return a cause in words.

    Args:
        cause: names of choices and habits.
        kind: what differs first (see `first_kind`).
    """
    if not cause:
        why = "No single choice of the rulebook and no known habit gives this answer, nor do several together."
        return Reason((), f"unexplained: {kind}", (), why)
    parts = [part_named(slug) for slug in cause]
    sections = tuple(dict.fromkeys(section for part in parts for section in part.datc))
    return Reason(cause, " And: ".join(part.title for part in parts), sections, " ".join(part.why for part in parts))


def first_kind(differences: Iterable[Difference]) -> str:
    """Return what answers differ in first: the other differences follow from it, mostly."""
    return min((d.what for d in differences), key=KINDS.index)


def causes(reader: Reader, answer: Answer, asked: Turn | None = None) -> tuple[Cause, ...]:
    """Explain an answer that is not satdip's.

    Args:
        reader: reads the phase, under some rulebook.
        answer: the engine's answer.
        asked: what the engine was asked, where choices about words that it never saw are no causes; None for any.

    Returns:
        The sets that explain it, all of the smallest size for which one was found; () when there is none.
    """
    parts: list[Part] = [*_choices(reader.rules, asked), *habits().values()]
    loose = [habit for habit in habits().values() if habit.doubt >= BY_CHANCE]
    by_chance = tuple((habit.slug,) for habit in loose if reader.explains((habit,), answer))
    for doubt in range(DOUBTS):
        tried = (part for part in parts if part.doubt == doubt and part not in loose)
        found = tuple((part.slug,) for part in tried if reader.explains((part,), answer))
        if found:
            return (*found, *by_chance)
    if by_chance:
        return by_chance
    return tuple(_together(reader, answer, asked))


def single_choices(reader: Reader, answer: Answer, asked: Turn | None = None) -> tuple[str, ...]:
    """Return the names of all single choices under which satdip gives an answer (arguments as of `causes`)."""
    return tuple(part.slug for part in _choices(reader.rules, asked) if reader.explains((part,), answer))


def _choices(rules: Rulebook, asked: Turn | None) -> Iterator[OtherChoice]:
    """Yield the choices that a rulebook does not make, and an engine can."""
    for part in choices().values():
        if rules.choice(part.issue) != part.choice and (asked is None or part.applies(asked)):
            yield part


def _together(reader: Reader, answer: Answer, asked: Turn | None) -> Iterator[Cause]:
    """Yield the smallest sets of several parts that explain an answer, searching where the most is explained already.

    Looked for first are sets that grow part by part, each changing something; then those of which two parts change
    something together only.
    """
    pool: list[Part] = [
        *habits().values(),
        *_choices(reader.rules, asked),
    ]  # habits in the order in which they are applied
    for silent in (False, True):
        found = [[pool[number] for number in some] for some in _grown(reader, answer, pool, silent=silent)]
        if found:
            yield from (tuple(part.slug for part in some) for some in found if _are_needed(some, reader, answer))
            return


def _are_needed(some: Sequence[Part], reader: Reader, answer: Answer) -> bool:
    """Return whether every choice among some parts changes something about what differs."""
    without = ([part for part in some if part != choice] for choice in some if isinstance(choice, OtherChoice))
    return not any(reader.explains(rest, answer) for rest in without)


def _grown(reader: Reader, answer: Answer, pool: Sequence[Part], *, silent: bool) -> list[_Some]:
    """Return the smallest sets of parts that explain an answer.

    A part may apply only where another one does too, so each set is a smaller one and one part more that changes
    something.

    Args:
        reader: reads the phase.
        answer: the engine's answer.
        pool: the parts.
        silent: whether the first of them need change nothing, as long as it is a habit that applies.
    """
    numbers: Sequence[int] = range(len(pool))
    level: dict[_Some, Told] = {(): Told(answer_of(reader.resolution))}
    for size in range(1, MOST_PARTS + 1):
        wider: dict[_Some, Told] = {}
        for some, before in level.items():
            for one in numbers:
                more = tuple(sorted({*some, one}))
                if one in some or more in wider:
                    continue
                told = reader.read([pool[number] for number in more], answer)
                if told is None:
                    continue
                changed = reader.nameless(told.answer) != reader.nameless(before.answer)
                if changed or (silent and size == 1 and isinstance(pool[one], Habit)):
                    wider[more] = told
        left = {some: reader.left(told, answer) for some, told in wider.items()}
        found = sorted(some for some in wider if not left[some])
        if found:
            return found
        most = len(wider) if silent and size == 1 else MOST_EXTENDED
        best = sorted(wider, key=lambda some: (left[some], some))[:most]
        level = {some: wider[some] for some in best}
        if size == 1:  # a choice that changes nothing by itself hardly does beside something else
            numbers = [n for n in numbers if isinstance(pool[n], Habit) or (n,) in wider]
    return []
