"""What the check of a single order asks about the fleets at sea, as values.

Whether an order is possible depends on the order, on the units that it names, and for convoys on a question or two
about the other fleets. With the questions as values, what the check finds can be kept in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Question", "Seas", "ToldSeas", "Unanswered"]


class Seas(Protocol):
    """Whatever knows which convoys are possible (`satdip.check.waters.Waters`)."""

    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Tell whether some chain of fleets joins two coastal provinces, if need be without one of them."""
        ...

    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Tell whether the fleet in `sea` is on a route from which no fleet can be left out."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """One question about the fleets at sea.

    Args:
        start: province of the army.
        end: province that it is to reach.
        without: a sea whose fleet may not take part.
        useful: the sea whose fleet must be of use for a route; None where any route will do.
    """

    start: str
    end: str
    without: str | None = None
    useful: str | None = None

    def answer(self, seas: Seas) -> bool:
        """Ask somebody who knows."""
        if self.useful is not None:
            return seas.is_useful(self.useful, self.start, self.end)
        return seas.has_route(self.start, self.end, self.without)


class Unanswered(Exception):  # noqa: N818 -- it is no error
    """Raised where the answers at hand do not suffice.

    Args:
        question: what is to be answered next.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class ToldSeas:
    """Seas of which nothing is known but the answers to the questions that are asked first.

    Args:
        answers: in the sequence of the questions.
    """

    def __init__(self, answers: Sequence[bool]) -> None:
        self._answers = list(reversed(answers))

    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Return the next answer (arguments as of `Seas`)."""
        return self._next(Question(start, end, without))

    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Return the next answer (arguments as of `Seas`)."""
        return self._next(Question(start, end, useful=sea))

    def _next(self, question: Question) -> bool:
        if not self._answers:
            raise Unanswered(question)
        return self._answers.pop()
