"""The result of a phase: per order an outcome with its reasons, and the next position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from satdip.check.result import Checked, Reason, Status
from satdip.errors import NoAnswer
from satdip.movement import DecidedBy
from satdip.position import Dislodged, Position, Unit
from satdip.turn import Turn

__all__ = ["Consistent", "OrderResult", "Outcome", "ParadoxCore", "Resolution"]


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


@dataclass(frozen=True, init=False)
class OrderResult:
    """What became of one order.

    Args:
        checked: the order after the check; its ``given`` is None for a unit that got none.
        power: who gave it (or whose unit got none).
        outcome: what became of it.
        why: works out the reasons when somebody asks for them.
        decided_by: what settled it.
        dislodged: the unit was driven from its place.
        destroyed: it was, and has nowhere to go.
        disbanded: the unit leaves the board in this phase (retreats, removals).
    """

    checked: Checked
    power: str
    outcome: Outcome
    why: Callable[[], tuple[Reason, ...]] = field(default=tuple, repr=False, compare=False)
    decided_by: DecidedBy = DecidedBy.FOLDING
    dislodged: bool = False
    destroyed: bool = False
    disbanded: bool = False

    def __init__(
        self,
        checked: Checked,
        power: str,
        outcome: Outcome,
        why: Callable[[], tuple[Reason, ...]] = tuple,
        decided_by: DecidedBy = DecidedBy.FOLDING,
        dislodged: bool = False,
        destroyed: bool = False,
        disbanded: bool = False,
    ) -> None:
        # Fields of a frozen value set all at once: there is one for every order of every phase.
        self.__dict__.update(
            checked=checked,
            power=power,
            outcome=outcome,
            why=why,
            decided_by=decided_by,
            dislodged=dislodged,
            destroyed=destroyed,
            disbanded=disbanded,
        )

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why, the decisive reason first; empty where nothing stood in the way."""
        return self.why()

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


@dataclass(frozen=True)
class ParadoxCore:
    """A convoy paradox.

    Args:
        units: the units whose orders depend on each other in a cycle.
        resolutions: how many consistent resolutions the core has by itself: 0, or 2 for "two or more".
        disrupted: the fleets whose convoys the rule disrupted.
        failed: the units whose moves the rule let fail.
        left_open: the rulebook has no answer.
    """

    units: tuple[Unit, ...]
    resolutions: int
    disrupted: tuple[Unit, ...] = ()
    failed: tuple[Unit, ...] = ()
    left_open: bool = False


@dataclass(frozen=True)
class Consistent:
    """One consistent resolution of orders that the rules leave open.

    Args:
        moves: the units that move, with their destinations.
        dislodged: the units that are dislodged.
    """

    moves: Mapping[Unit, str]
    dislodged: tuple[Unit, ...]


@dataclass(frozen=True)
class Resolution:
    """The outcome of a phase.

    Args:
        turn: what was adjudicated.
        rules: name of the rulebook.
        orders: one result per order handed in, in that order, then one per unit that got none.
        next: the position of the phase that follows; None when the rules give no answer.
        consistent: when the rules give no answer: the consistent resolutions, as many as were asked for.
        dislodged: movement phases: the units driven from their places, with their open retreats.
        contested: movement phases: provinces that a stand-off left empty.
        removed: units that leave the board: destroyed, disbanded, or removed by civil disorder.
        automatic: winter: the units among `removed` that nobody ordered to go.
        built: winter: new units.
        paradoxes: movement phases: the cores that a paradox rule settled, or left open.
        rotations: movement phases: the rings of units that moved round.
    """

    turn: Turn
    rules: str
    orders: tuple[OrderResult, ...]
    next: Position | None
    consistent: tuple[Consistent, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[str] = frozenset()
    removed: tuple[Unit, ...] = ()
    automatic: tuple[Unit, ...] = ()
    built: tuple[Unit, ...] = ()
    paradoxes: tuple[ParadoxCore, ...] = ()
    rotations: tuple[tuple[Unit, ...], ...] = ()
    winner: str | None = None

    @cached_property
    def _by_unit(self) -> Mapping[Unit, OrderResult]:
        """Unit -> the result of its order: of the one that counts, where it got several."""
        own = [(r.unit, r) for r in self.orders if r.unit is not None and r.checked.is_of_unit]
        return dict(reversed(own)) | {unit: r for unit, r in own if r.checked.action is not None}

    @property
    def is_open(self) -> bool:
        """Whether the rules leave the phase without an answer."""
        return self.next is None

    @property
    def following(self) -> Position:
        """The position of the phase that follows.

        Raises:
            NoAnswer: the rules leave the phase open.
        """
        if self.next is None:
            raise NoAnswer(self.rules, str(self.position.phase))
        return self.next

    @property
    def position(self) -> Position:
        """The position that was adjudicated."""
        return self.turn.position

    def result_of(self, unit: Unit) -> OrderResult | None:
        """Return what became of a unit's order, or None when it had none to get."""
        return self._by_unit.get(unit)
