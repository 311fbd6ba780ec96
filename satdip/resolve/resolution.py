"""The result of a phase: what became of each order, and the next position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from satdip.base.errors import NoAnswer
from satdip.base.messages import Message
from satdip.phase.position import Dislodged, Position, Season, Unit
from satdip.phase.turn import Remark, Turn
from satdip.resolve.results import OrderResult, Outcome

__all__ = ["Consistent", "OrderResult", "Outcome", "ParadoxCore", "Resolution"]


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
        contested: movement phases: provinces that a stand-off left empty; retreat phases: those that several units
            tried to retreat to.
        removed: units that leave the board: destroyed, disbanded, or removed by civil disorder.
        automatic: the units among `removed` that civil disorder takes: in winter, or when they are dislodged.
        built: winter: new units.
        paradoxes: movement phases: the cores that a paradox rule settled, or left open.
        rotations: movement phases: the rings of units that moved round.
        stated_rules: a name by which `satdip.rulebook.rulebook_named` finds the same choices again.
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
    stated_rules: str = ""

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
    def remarks(self) -> tuple[Remark, ...]:
        """What the input has that was not looked at, and that a winter was passed over because no centre is stated."""
        phase, after = self.position.phase, self.next
        if after is None or phase.season != Season.FALL or after.phase.season != Season.SPRING or after.centres:
            return self.turn.remarks
        what = Message("no supply centres are stated, so the winter of {year} is passed over", year=phase.year)
        return (*self.turn.remarks, Remark(what))

    @property
    def position(self) -> Position:
        """The position that was adjudicated."""
        return self.turn.position

    def result_of(self, unit: Unit) -> OrderResult | None:
        """Return what became of a unit's order, or None when it had none to get."""
        return self._by_unit.get(unit)
