"""Orders that match each other: a support or a convoy of what another unit was not ordered to do is void."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from satdip.board import UnitKind, province_of
from satdip.board.waters import Waters
from satdip.check.possible import Possible
from satdip.check.result import Checked, Reason, Status
from satdip.phase.orders import Convoy, Move, Order, Support
from satdip.phase.position import Unit
from satdip.rulebook import (
    AdjacentConvoy,
    SupportCoast,
)

__all__ = ["Matching"]

# Python finds members of enumerations slowly, and these are asked for at every order.
ARMY: Final = UnitKind.ARMY
NO_MATTER: Final = SupportCoast.NO_MATTER


class Matching:
    """Which legal orders match what the others were ordered.

    Args:
        actions: province -> what its unit does.
        check: the check of the position.
        unsupportable: provinces whose unit cannot be supported in place.
    """

    def __init__(self, actions: Mapping[str, Order], check: Possible, unsupportable: Collection[str] = ()) -> None:
        self.actions, self.check, self.unsupportable = actions, check, unsupportable
        self.convoys: dict[tuple[str, str], list[Convoy]] = {}
        for action in actions.values():
            if isinstance(action, Convoy):
                self.convoys.setdefault((action.army.province, action.destination), []).append(action)

    def mark(self, entry: Checked, action: Order) -> Checked:
        """Return the order, void when what it says does not match."""
        reason = self._uncarried(action) if isinstance(action, Move) else self._mismatch(action)
        if reason is None:
            return entry
        return Checked(entry.given, entry.unit, action, Status.VOID, reason, entry.basis)

    def _mismatch(self, action: Order) -> Reason | None:
        """Return why a support or convoy does not match what the other unit does."""
        if isinstance(action, Support):
            target, goal = action.target.province, action.destination
            if goal is not None:
                return None if self._supported_goes(target, goal) else self._reason("support-mismatch", target, goal)
            if target in self.unsupportable:
                return self._reason("unsupportable", target)
            return self._reason("supported-unit-moves", target) if isinstance(self.actions[target], Move) else None
        if isinstance(action, Convoy):
            army, goal = action.army.province, action.destination
            return None if self._goes(army, goal) else self._reason("convoy-mismatch", army, goal)
        return None

    def _reason(self, code: str, province: str, goal: str | None = None) -> Reason:
        return _mismatched(code, self.check.units[province], goal)

    def _supported_goes(self, province: str, goal: str) -> bool:
        """Return whether a unit makes the move that a support names (DATC 4.B.4)."""
        action = self.actions[province]
        if self.check.rules.support_coast is NO_MATTER and isinstance(action, Move):
            return action.dst == province_of(goal)
        return self._goes(province, goal)

    def _goes(self, province: str, goal: str) -> bool:
        """Return whether a unit moves to `goal`; a goal without a coast fits every coast."""
        action = self.actions[province]
        return isinstance(action, Move) and goal in (action.destination, action.dst)

    def _uncarried(self, move: Move) -> Reason | None:
        """Return why no convoy orders carry a move that goes by convoy; None where they do, or it goes by land."""
        start, goal = move.unit.province, move.destination
        convoys = self.convoys.get((start, goal), ()) if self.convoys else ()
        if not ((move.via or convoys) and self._bound_to_convoy(move, convoys)):
            return None
        if not convoys:
            return self._reason("no-convoy-ordered", start, goal)
        named = set(move.route)
        seas = [convoy.unit.province for convoy in convoys if not named or convoy.unit.province in named]
        if Waters(self.check.board, seas).has_route(start, goal):
            return None
        units = self.check.units
        fleets = tuple([units[convoy.unit.province] for convoy in convoys])
        code, issue = ("off-named-route", "4.A.6") if named else ("convoy-incomplete", None)
        return Reason(code, {"unit": units[start], "place": goal, "fleets": fleets}, issue)

    def _bound_to_convoy(self, move: Move, convoys: Sequence[Convoy]) -> bool:
        """Return whether the army has no way by land, or the rules close it."""
        kind = move.unit.kind
        if kind != ARMY or move.destination not in self.check.board.army[move.unit.location]:
            return kind == ARMY
        own_fleet = any(convoy.unit.power == move.unit.power for convoy in convoys)
        match self.check.rules.adjacent_convoy:
            case AdjacentConvoy.TAG_OR_OWN_FLEET:
                return move.via or own_fleet
            case AdjacentConvoy.TAG:
                return move.via
            case _:
                return False


@lru_cache(maxsize=1 << 14)
def _mismatched(code: str, unit: Unit, goal: str | None) -> Reason:
    return Reason(code, {"unit": unit} if goal is None else {"unit": unit, "place": goal})
