"""Single orders of a movement phase: possible or illegal, and why (DATC 4.B, 4.C, 4.E.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from satdip.board import Board, UnitKind, province_of
from satdip.board.seas import Seas
from satdip.board.waters import Waters
from satdip.check.result import Checked, Illegal, Status, reference
from satdip.check.units import find_ordered, find_target, place_without_coast
from satdip.phase.orders import Convoy, Hold, Move, Order, Support, Unclear
from satdip.phase.position import Unit
from satdip.phase.turn import Given
from satdip.rulebook import (
    AdjacentConvoy,
    ImpossibleCoast,
    MissingCoast,
    NamedRoute,
    Rulebook,
    SupportCoast,
)

__all__ = ["MovementOrder", "Possible"]

MovementOrder = Hold | Move | Support | Convoy
"""The orders of a movement phase."""

TAGLESS: Final = (AdjacentConvoy.LAND_UNLESS_OPPOSITE, AdjacentConvoy.INTENT)
"""The rules that know no "via convoy": the words are ignored."""

# Python finds members of enumerations slowly, and these are asked for at every order.
ARMY: Final = UnitKind.ARMY
FLEET: Final = UnitKind.FLEET


class Possible:
    """Which orders are possible where some units stand.

    Args:
        board: the map.
        rules: the choices of DATC 4.B, 4.C and 4.E.
        units: the units by province.
        seas: what is known of the fleets at sea; by default it follows from the units.
    """

    def __init__(self, board: Board, rules: Rulebook, units: Mapping[str, Unit], seas: Seas | None = None) -> None:
        self.board = board
        self.rules = rules
        self.units = units
        self._seas = seas

    @property
    def waters(self) -> Seas:
        """The fleets at sea."""
        if self._seas is None:
            seas = self.board.sea_neighbours
            self._seas = Waters(
                self.board, [at for at, unit in self.units.items() if at in seas and unit.kind == FLEET]
            )
        return self._seas

    def checked(self, given: Given) -> Checked:
        """Return the order with exact references, or with the reason why it is illegal."""
        order, unit = given.order, None
        try:
            if isinstance(order, Unclear):
                unit = self.units.get(order.unit.province) if order.unit is not None else None
                raise Illegal("unclear", why=order.why, meanings=order.meanings)
            if not isinstance(order, MovementOrder):
                raise Illegal("wrong-phase", phase="movement")
            unit = self.units.get(order.unit.province)
            unit = find_ordered(order.unit, given.power, self.units, self.rules)
            return Checked(given, unit, self.exact(unit, order))
        except Illegal as found:
            return Checked(given, unit, None, Status.ILLEGAL, found.reason)

    def exact(self, unit: Unit, order: MovementOrder) -> Order:
        """Return a unit's order with exact references; a move by sea alone has `via` set.

        Raises:
            Illegal: the order is not possible on this board.
        """
        match order:
            case Hold():
                return Hold(reference(unit))
            case Move():
                return self._move(unit, order)
            case Support():
                return self._support(unit, order)
            case Convoy():
                return self._convoy(unit, order)

    # ------------------------------------------------------------------ moves

    def _move(self, unit: Unit, order: Move) -> Move:
        goal = place_without_coast(order.destination, self.board, unit.kind, self.rules)
        if province_of(goal) == unit.province:
            raise Illegal("same-place", unit=unit)
        if unit.kind == FLEET:
            if order.via:
                raise Illegal("fleet-by-convoy", unit=unit)
            return Move(reference(unit), self._sail(unit, goal))
        by_land = goal in self.board.reach(unit.kind, unit.location)
        way = self.rules.adjacent_convoy
        if by_land and (not order.via or way in TAGLESS):
            return Move(reference(unit), goal, route=self._route(unit, order, needed=False))
        try:
            self._need_convoy(unit, goal)
        except Illegal:
            if by_land and way == AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND:
                return Move(reference(unit), goal)
            raise
        return Move(reference(unit), goal, via=True, route=self._route(unit, order, needed=True))

    def _route(self, unit: Unit, order: Move, *, needed: bool) -> tuple[str, ...]:
        """Return the named convoy route, as far as the rulebook knows such a thing (DATC 4.A.6)."""
        if needed and not order.route and self.rules.named_route == NamedRoute.REQUIRED:
            raise Illegal("route-missing", issue="4.A.6", unit=unit)
        return () if self.rules.named_route == NamedRoute.IGNORED else order.route

    def _sail(self, unit: Unit, goal: str) -> str:
        """Return the exact place to which a fleet moves (DATC 4.B.1 to 4.B.3)."""
        if goal in self.board.reach(unit.kind, unit.location):
            return goal
        province = province_of(goal)
        coasts = self.board.coasts_reached(unit.location, province)
        if not coasts:
            raise Illegal("out-of-reach", unit=unit, place=goal)
        if goal != province:
            if self.rules.impossible_coast == ImpossibleCoast.ILLEGAL:
                raise Illegal("impossible-coast", issue="4.B.3", unit=unit, place=goal)
        elif len(coasts) > 1:
            raise Illegal("coast-missing", issue="4.B.1", unit=unit, place=goal)
        elif self.rules.missing_coast == MissingCoast.FAILS:
            raise Illegal("coast-missing", issue="4.B.2", unit=unit, place=goal)
        return coasts[0]

    def _need_convoy(self, army: Unit, goal: str, without: str | None = None) -> None:
        """Refuse an army's move by sea for which this board has no possible route (DATC 4.E.1)."""
        ashore = goal in self.board.army and self.board.is_coast(army.province) and self.board.is_coast(goal)
        if not ashore:
            by_land = goal in self.board.reach(army.kind, army.location)
            raise Illegal("convoy-impossible" if by_land else "out-of-reach", unit=army, place=goal)
        if not self.waters.has_route(army.province, goal):
            raise Illegal("no-route", issue="4.E.1", unit=army, place=goal)
        if without is not None and not self.waters.has_route(army.province, goal, without):
            raise Illegal("needed-for-convoy", issue="4.E.1", unit=army, place=goal)

    # ------------------------------------------------------------------ supports

    def _support(self, unit: Unit, order: Support) -> Support:
        target = find_target(order.target, unit.power, self.units, self.rules)
        if target == unit:
            raise Illegal("self-support", unit=unit)
        if order.destination is None:
            self._check_reach(unit, target.province)
            return Support(reference(unit), reference(target))
        goal = place_without_coast(order.destination, self.board, target.kind, self.rules)
        if province_of(goal) == target.province:
            raise Illegal("same-place", unit=target)
        self._check_reach(unit, province_of(goal))
        return Support(reference(unit), reference(target), self._supported_goal(unit, target, goal))

    def _check_reach(self, unit: Unit, zone: str) -> None:
        """Refuse a support of what the unit could not reach itself without a convoy (rulebook; DATC 6.B.4)."""
        if zone not in self.board.reach_provinces(unit.kind, unit.location):
            raise Illegal("support-out-of-reach", unit=unit, place=zone)

    def _supported_goal(self, unit: Unit, target: Unit, goal: str) -> str:
        """Return where the supported move goes, as exactly as the support says."""
        if target.kind == ARMY:
            if goal not in self.board.reach(target.kind, target.location):
                self._need_convoy(target, goal, without=unit.province)
            return goal
        if goal in self.board.reach(target.kind, target.location):
            return goal
        if self.rules.support_coast == SupportCoast.NO_MATTER:
            if self.board.coasts_reached(target.location, province_of(goal)):
                return province_of(goal)
            raise Illegal("out-of-reach", unit=target, place=goal)
        coasts = self.board.coasts_reached(target.location, goal)
        if len(coasts) > 1:
            own_only = self.rules.support_coast == SupportCoast.OWN_ONLY and target.power != unit.power
            if own_only or self.rules.support_coast == SupportCoast.REQUIRED:
                raise Illegal("support-coast-missing", issue="4.B.4", unit=target, place=goal)
            return goal
        return self._sail(target, goal)

    # ------------------------------------------------------------------ convoys

    def _convoy(self, unit: Unit, order: Convoy) -> Convoy:
        if unit.kind != FLEET or not self.board.is_sea(unit.province):
            raise Illegal("no-fleet-at-sea", unit=unit)
        army = find_target(order.army, unit.power, self.units, self.rules)
        if army.kind != ARMY:
            raise Illegal("convoyed-fleet", unit=army)
        goal = place_without_coast(order.destination, self.board, army.kind, self.rules)
        if goal == army.province:
            raise Illegal("same-place", unit=army)
        self._need_convoy(army, goal)
        if not self.waters.is_useful(unit.province, army.province, goal):
            raise Illegal("useless-fleet", issue="4.E.1", unit=unit, army=army, place=goal)
        return Convoy(reference(unit), reference(army), goal)
