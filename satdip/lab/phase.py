"""A movement phase with everything that the lab asks about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from satdip.base.errors import InputError
from satdip.check import CheckedOrders, check_movement
from satdip.encodings.situation import Situation
from satdip.phase.turn import Turn
from satdip.rulebook import Fallback, Paradox, Rulebook, RulebookLike, rulebook_of
from satdip.solving.decide import decide
from satdip.solving.verdict import Verdict

__all__ = ["Movement", "require_movement", "without_backup"]

EXEMPTING = (Paradox.FLEETS_1971, Paradox.WATERS_1982, Paradox.HAND, Paradox.NECESSARY_2000, Paradox.LITERAL_2000)
"""The paradox rules that are part of the equations."""


def require_movement(turn: Turn, what: str) -> None:
    """Refuse other phases than movement.

    Args:
        turn: the phase.
        what: what only a movement phase has, for the sentence.

    Raises:
        InputError: the phase is no movement phase.
    """
    if turn.position.phase.traits.in_order:
        raise InputError(f"{turn.position.phase} is no movement phase; {what}")


def without_backup(rules: RulebookLike) -> Rulebook:
    """Return a rulebook without the rule that settles what its equations leave open; exemptions stay."""
    rules = rulebook_of(rules)
    paradox = rules.paradox if rules.paradox in EXEMPTING else Paradox.NONE
    return replace(rules, paradox=paradox, fallback=Fallback.NONE)


@dataclass(frozen=True)
class Movement:
    """A movement phase: its checked orders, and what was decided.

    Args:
        turn: the phase.
        rules: the rulebook.
        checked: the orders after the check.
        situation: the orders, linked.
    """

    turn: Turn
    rules: Rulebook
    checked: CheckedOrders
    situation: Situation

    @classmethod
    def of(cls, turn: Turn, rules: RulebookLike) -> Movement:
        """Check and link the orders of a phase."""
        rules = rulebook_of(rules)
        checked = check_movement(turn, rules)
        position = turn.position
        situation = Situation(position.board, position.units, checked.actions, rules, checked.unsupportable)
        return cls(turn, rules, checked, situation)

    def decide(self) -> Verdict:
        """Find the resolution."""
        return decide(self.situation)
