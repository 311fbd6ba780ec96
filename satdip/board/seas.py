"""What the check of a single order asks about the fleets at sea, as values.

Whether an order is possible depends on the order, on the units that it names, and for convoys on a question or two
about the other fleets. With the questions noted, what the check finds can be kept in a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["AskedSeas", "Question", "Seas"]


class Seas(ABC):
    """Whatever knows which convoys are possible (`satdip.board.waters.Waters`)."""

    @abstractmethod
    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Return whether some chain of fleets joins two coastal provinces.

        Args:
            start: province of the army.
            end: province that it is to reach.
            without: a sea whose fleet may not take part (DATC 6.D.31).
        """

    @abstractmethod
    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Return whether the fleet in `sea` is on a route from which no fleet can be left out (DATC 6.F.12, 6.G.19)."""


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


class AskedSeas(Seas):
    """Passes questions on, and notes them with their answers.

    Args:
        seas: finds whoever knows the answers; called when there is a question.
    """

    def __init__(self, seas: Callable[[], Seas]) -> None:
        self._seas = seas
        self.answered: list[tuple[Question, bool]] = []

    def has_route(self, start: str, end: str, without: str | None = None) -> bool:
        """Ask, and note the answer (arguments as of `Seas`)."""
        return self._noted(Question(start, end, without))

    def is_useful(self, sea: str, start: str, end: str) -> bool:
        """Ask, and note the answer (arguments as of `Seas`)."""
        return self._noted(Question(start, end, useful=sea))

    def _noted(self, question: Question) -> bool:
        answer = question.answer(self._seas())
        self.answered.append((question, answer))
        return answer
