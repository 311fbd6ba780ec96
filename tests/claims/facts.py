"""What a claim is checked against: the phase, the rulebook, and what became of each order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from claims.field import Field
from satdip.board import Board
from satdip.check.result import Reason
from satdip.phase.orders import Hold, Order, UnitRef
from satdip.phase.position import PhaseKind, Position, Unit
from satdip.resolve.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import ConvoyedAttack, Paradox, Rulebook
from satdip.telling.reasons import tell

__all__ = ["Check", "Claim", "Facts"]


class Facts:
    """A resolution as facts.

    Args:
        resolution: the outcome of a phase.
        rules: its rulebook.
    """

    def __init__(self, resolution: Resolution, rules: Rulebook) -> None:
        self.resolution, self.rules = resolution, rules
        self.turn = resolution.turn
        self.position: Position = resolution.position
        self.board: Board = resolution.position.board
        self.results: Sequence[OrderResult] = resolution.orders
        retreating = self.position.phase.kind == PhaseKind.RETREATS
        standing = [item.unit for item in self.position.dislodged] if retreating else self.position.units
        self.units: Mapping[str, Unit] = {unit.province: unit for unit in standing}
        """Province -> the unit that gets orders there in this phase."""

    @cached_property
    def of_unit(self) -> Mapping[str, OrderResult]:
        """Province -> the result of the order that its unit follows; one that follows none has another."""
        found = {r.unit.province: r for r in self.results if r.unit is not None and r.checked.is_of_unit}
        return found | {r.unit.province: r for r in self.results if r.unit is not None and r.checked.action is not None}

    @cached_property
    def follows(self) -> Mapping[str, Order]:
        """Province -> the order that its unit follows: a hold where it follows none."""
        orders: dict[str, Order] = {}
        for at, unit in self.units.items():
            result = self.of_unit.get(at)
            action = None if result is None else result.checked.action
            orders[at] = action or Hold(UnitRef(unit.location, unit.kind, unit.power))
        return orders

    @property
    def is_measured(self) -> bool:
        """Whether strengths can be told here: not in an open phase, nor where a rule settles routes beforehand."""
        rules = self.rules
        plain = rules.convoyed_attack == ConvoyedAttack.START and rules.paradox != Paradox.BILLE
        return plain and not self.resolution.is_open

    @cached_property
    def field(self) -> Field:
        """The orders that are followed, and what became of them."""
        works = {at: not isinstance(order, Hold) and self.of_unit[at].success for at, order in self.follows.items()}
        works |= {at: True for at, order in self.follows.items() if isinstance(order, Hold)}
        forbidden = {unit.province for core in self.resolution.paradoxes for unit in (*core.disrupted, *core.failed)}
        actions = [(unit, self.follows[at]) for at, unit in self.units.items()]
        return Field(self.board, actions, self.rules, works, forbidden, self.unsupportable)

    @cached_property
    def idle_powers(self) -> frozenset[str]:
        """The powers that have units and handed in nothing that counts, and gave no proxy."""
        handed_in = {r.checked.given.power for r in self.results if r.checked.given is not None and not _idle(r)}
        handed_in |= {proxy.power for proxy in self.turn.proxies if self.rules.proxy_orders.slug != "forbidden"}
        return frozenset(unit.power for unit in self.position.units) - handed_in

    @cached_property
    def unsupportable(self) -> frozenset[str]:
        """Where nobody can be supported in place: in civil disorder (4.D.9), after an impossible move (4.E.1)."""
        found = set()
        for at, unit in self.units.items():
            if self.rules.disorder_support.slug == "fails" and unit.power in self.idle_powers:
                found.add(at)
            followed = self.of_unit[at].checked.action is not None
            if self.rules.illegal_orders.slug == "still-moves" and not followed and self.tries_to_move(at):
                found.add(at)
        return frozenset(found)

    def tries_to_move(self, at: str) -> bool:
        """Return whether an impossible order of a unit's own is a move."""
        own = [r.checked for r in self.results if r.unit == self.units[at] and r.checked.is_of_unit]
        heard = [
            entry
            for entry in own
            if entry.given is not None and (entry.reason is None or entry.reason.code not in NOT_HEARD)
        ]
        return any(type(entry.given.order).__name__ == "Move" for entry in heard if entry.given is not None)


NOT_HEARD = frozenset(
    {
        *("sets-unordered", "set-overtaken", "set-passed-over", "set-replaced", "ordered-by-proxy"),
        *("perpetual-superseded", "perpetual-forbidden"),
    }
)
"""Why an order is not even looked at."""


def _idle(result: OrderResult) -> bool:
    """Return whether an order is a perpetual one that does not count."""
    given, reason = result.checked.given, result.checked.reason
    assert given is not None
    return given.perpetual and reason is not None and reason.code in NOT_HEARD


@dataclass(frozen=True)
class Claim:
    """One reason for one result.

    Args:
        facts: what is so.
        result: the result that the reason is given for.
        reason: the claim.
    """

    facts: Facts
    result: OrderResult
    reason: Reason

    def __getitem__(self, key: str) -> object:
        return self.reason.details[key]

    def __str__(self) -> str:
        given = self.result.checked.given
        order = "no order" if given is None else given.text or given.order
        told = tell(self.reason, self.facts.board)
        return f"{self.reason.code} of {self.result.power} {order} ({self.result.outcome}): {told}"

    @property
    def unit(self) -> Unit:
        """The unit that the reason names."""
        unit = self["unit"]
        assert isinstance(unit, Unit)
        return unit

    @property
    def at(self) -> str:
        """The province of the unit that the result is about."""
        assert self.result.unit is not None
        return self.result.unit.province

    @property
    def outcome(self) -> Outcome:
        """What became of the order."""
        return self.result.outcome

    @property
    def order(self) -> Order:
        """The order as it was handed in."""
        assert self.result.checked.given is not None
        return self.result.checked.given.order

    @property
    def power(self) -> str:
        """The power that handed it in."""
        assert self.result.checked.given is not None
        return self.result.checked.given.power

    def provinces(self, key: str) -> list[str]:
        """Return where the units of a list stand; all of them must stand on the board."""
        units = self[key]
        assert isinstance(units, tuple)
        return sorted(unit.province for unit in units)

    @property
    def names_what_there_is(self) -> bool:
        """Whether the units that the reason names stand where it says, and places and powers are on the map."""
        facts = self.facts
        there = {*facts.position.units, *(item.unit for item in facts.position.dislodged)}
        known = {*facts.board.provinces, *facts.board.fleet, *facts.board.powers}
        for key, value in self.reason.details.items():
            units = [value] if isinstance(value, Unit) else value if isinstance(value, tuple) else ()
            if not all(unit in there for unit in units if isinstance(unit, Unit)):
                return False
            if key in ("place", "power") and value not in known:
                return False
        return True


Check = Callable[[Claim], bool]
"""Whether a claim is true."""
