"""A position that is being made: units by province, and the orders that they have so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from satdip.board import Board, UnitKind, province_of
from satdip.phase.orders import Convoy, Hold, Move, Order, Support, UnitRef
from satdip.phase.position import Phase, Position, Unit
from satdip.phase.turn import Given, Turn

__all__ = ["PHASE", "Draft"]

PHASE = Phase.parse("S1901M")
"""The phase of generated positions; movement does not ask which one it is."""


@dataclass
class Draft:
    """A position that is being made. Orders refer to units by their provinces."""

    board: Board
    units: dict[str, Unit] = field(default_factory=dict)
    orders: dict[str, Order] = field(default_factory=dict)

    # ------------------------------------------------------------------ units

    def army(self, power: str, at: str) -> None:
        """Put an army somewhere."""
        self.units[at] = Unit(power, UnitKind.ARMY, at)

    def fleet(self, power: str, at: str) -> None:
        """Put a fleet somewhere; `at` names the coast where there are several."""
        self.units[province_of(at)] = Unit(power, UnitKind.FLEET, at)

    def shuffle(self, rng: Random) -> None:
        """Put the units, and so their orders, into another sequence."""
        units = list(self.units.items())
        rng.shuffle(units)
        self.units = dict(units)

    def free(self, places: Iterable[str]) -> list[str]:
        """Return those of some locations whose province has no unit, sorted."""
        return sorted(place for place in places if province_of(place) not in self.units)

    def ref(self, at: str) -> UnitRef:
        """Return the reference to the unit in a province."""
        unit = self.units[at]
        return UnitRef(unit.location, unit.kind)

    # ------------------------------------------------------------------ orders

    def hold(self, at: str) -> None:
        """Order a unit to hold."""
        self.orders[at] = Hold(self.ref(at))

    def move(self, at: str, goal: str, *, via: bool = False) -> None:
        """Order a unit to move."""
        self.orders[at] = Move(self.ref(at), goal, via=via)

    def support(self, at: str, subject: str) -> None:
        """Order a unit to support what another was ordered: its move, or that it stays."""
        order = self.orders.get(subject)
        goal = order.destination if isinstance(order, Move) else None
        self.orders[at] = Support(self.ref(at), self.ref(subject), goal)

    def convoy(self, seas: Iterable[str], army: str) -> None:
        """Order fleets to carry an army where it was ordered to go."""
        order = self.orders[army]
        if isinstance(order, Move):
            for sea in seas:
                self.orders[sea] = Convoy(self.ref(sea), self.ref(army), order.destination)

    def turn(self, extra: Mapping[str, object] | None = None) -> Turn:
        """Return the finished position with its orders, power by power: as a phase record has them."""
        units = sorted(self.units.values(), key=lambda unit: unit.power)
        position = Position(self.board, PHASE, tuple(units))
        given = (Given(unit.power, self.orders[unit.province]) for unit in units if unit.province in self.orders)
        return Turn(position, tuple(given), extra=extra or {})
