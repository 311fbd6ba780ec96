"""What became of one order: a word, and the reasons when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from satdip.check.result import Checked, Reason, Status
from satdip.phase.position import Unit
from satdip.solving.verdict import DecidedBy

__all__ = ["OrderResult", "Outcome"]


class Outcome(StrEnum):
    """What became of an order, in the words of DATC 4.E.2."""

    STANDS = "stands"
    DISLODGED = "dislodged"
    SUCCEEDS = "succeeds"
    FAILS = "fails"
    GIVEN = "given"
    CUT = "cut"
    AVAILABLE = "available"
    DISRUPTED = "disrupted"
    INVALID = "invalid"
    """Possible, but it does not match what the others were ordered."""
    ILLEGAL = "illegal"
    """Not possible on this board, or it does not count; the order is ignored."""
    OPEN = "open"
    """The rules give no answer: a paradox that the rulebook does not settle."""

    @property
    def success(self) -> bool:
        """Whether the order did what it says."""
        return self in (Outcome.STANDS, Outcome.SUCCEEDS, Outcome.GIVEN, Outcome.AVAILABLE)


class OrderResult:
    """What became of one order; two are equal when they say the same, whatever the reasons.

    Args:
        checked: the order after the check; its ``given`` is None for a unit that got none.
        power: who gave it (or whose unit got none).
        outcome: what became of it.
        why: works out the reasons when somebody asks for them; it is handed the result.
        decided_by: what settled it.
        dislodged: the unit was driven from its place.
        destroyed: it was, and has nowhere to go.
        disbanded: the unit leaves the board in this phase (retreats, removals, dislodged in civil disorder).
    """

    # No dataclass: there is one for every order of every phase, and compiled it is made in no time.
    __slots__ = ("_reasons", "checked", "decided_by", "destroyed", "disbanded", "dislodged", "outcome", "power", "why")

    def __init__(
        self,
        checked: Checked,
        power: str,
        outcome: Outcome,
        why: Callable[[OrderResult], tuple[Reason, ...]],
        decided_by: DecidedBy = DecidedBy.FOLDING,
        dislodged: bool = False,
        destroyed: bool = False,
        disbanded: bool = False,
    ) -> None:
        self.checked: Final = checked
        self.power: Final = power
        self.outcome: Final = outcome
        self.why: Final = why
        self.decided_by: Final = decided_by
        self.dislodged: Final = dislodged
        self.destroyed: Final = destroyed
        self.disbanded: Final = disbanded
        self._reasons: tuple[Reason, ...] | None = None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why, the decisive reason first; empty where nothing stood in the way."""
        if self._reasons is None:
            self._reasons = self.why(self)
        return self._reasons

    @property
    def unit(self) -> Unit | None:
        """The unit on the board that the order is about."""
        return self.checked.unit

    @property
    def success(self) -> bool:
        """Whether the order did what it says."""
        return self.outcome.success

    @property
    def counts(self) -> bool:
        """Whether the order was followed at all."""
        return self.checked.status != Status.ILLEGAL

    def _said(self) -> tuple[object, ...]:
        driven = (self.dislodged, self.destroyed, self.disbanded)
        return (self.checked, self.power, self.outcome, self.decided_by, *driven)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OrderResult) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash((self.checked.unit, self.power, self.outcome))

    def __repr__(self) -> str:
        checked, power, outcome, decided_by, *driven = self._said()
        return f"OrderResult({checked!r}, {power!r}, {outcome!r}, {decided_by!r}, {driven!r})"
