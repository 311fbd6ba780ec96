"""A phase under a rulebook."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from satdip.adjudication import adjudicate_turn
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Rulebook

__all__ = ["Ruled"]


@dataclass(frozen=True)
class Ruled:
    """A phase under a rulebook.

    Args:
        turn: the phase.
        rules: the rulebook.
    """

    turn: Turn
    rules: Rulebook

    @cached_property
    def resolution(self) -> Resolution:
        """What satdip says, in the usual way."""
        return adjudicate_turn(self.turn, self.rules)
