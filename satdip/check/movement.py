"""The orders of a movement phase, compared with its position (DATC 4.B, 4.C, 4.D.3, 4.E)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from satdip.check.implicit import implicit_orders
from satdip.check.matching import Matching
from satdip.check.remembered import MovementCheck
from satdip.check.result import Checked, CheckedOrders, one_order_a_unit, reference
from satdip.check.sets import check_counted, counted_orders, is_plain, taking_part
from satdip.phase.orders import Hold, Move, Order
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Turn
from satdip.rulebook import (
    Allowance,
    DisorderSupport,
    IllegalOrders,
    Rulebook,
)

__all__ = ["check_movement"]


def check_movement(turn: Turn, rules: Rulebook) -> CheckedOrders:
    """Compare the orders of a movement phase with its position.

    Returns:
        Each order with its status and reason, and what every unit does: a unit without a legal order holds.
    """
    check = MovementCheck(turn.position, rules)
    if is_plain(turn):
        entries = one_order_a_unit([check.examine(given) for given in turn.orders], rules)
        heard, powers = tuple(entries), frozenset([given.power for given in turn.orders])
    else:
        counted = counted_orders(turn, rules)
        entries = one_order_a_unit(check_counted(counted, turn.position, check.examine), rules)
        heard = tuple(entry for one, entry in zip(counted, entries, strict=True) if one.counts)
        powers = taking_part(turn, counted, rules)
    entries += _without_orders(heard, entries, check)
    actions: dict[str, Order] = {
        entry.unit.province: entry.action for entry in entries if entry.action is not None and entry.unit is not None
    }
    disorder = frozenset([unit.power for unit in turn.position.units if unit.power not in powers])
    unsupportable = _unsupportable(heard, actions, turn.position, disorder, rules)
    for at, unit in check.units.items():
        if at not in actions:
            actions[at] = _holding(unit)
    matching = Matching(actions, check, unsupportable)
    entries = [entry if entry.action is None else matching.mark(entry, entry.action) for entry in entries]
    acting = tuple([(unit, actions[at]) for at, unit in check.units.items()])
    return CheckedOrders(tuple(entries), acting, unsupportable, disorder)


@lru_cache(maxsize=1 << 14)
def _holding(unit: Unit) -> Hold:
    return Hold(reference(unit))


@lru_cache(maxsize=1 << 14)
def _silent(unit: Unit) -> Checked:
    return Checked(None, unit, None)


def _without_orders(heard: Sequence[Checked], entries: Sequence[Checked], check: MovementCheck) -> list[Checked]:
    """Return an entry for each unit without an order: with an implied one where the rules allow that (DATC 4.E.3).

    Args:
        heard: the orders that count.
        entries: all orders; a unit whose orders do not count has its entry among them.
        check: the check of the position.
    """
    implied: dict[Unit | None, Checked] = {}
    if check.rules.implicit_orders == Allowance.ALLOWED:
        ordered = {entry.unit for entry in heard if entry.is_of_unit}
        silent = [unit for unit in check.units.values() if unit not in ordered]
        implied = {entry.unit: entry for entry in implicit_orders(heard, silent, check.examine)}
    own = {entry.unit.province for entry in entries if entry.unit is not None and entry.is_of_unit}
    units = [unit for at, unit in check.units.items() if at not in own or unit in implied]
    return [implied.get(unit) or _silent(unit) for unit in units] if implied else list(map(_silent, units))


def _unsupportable(
    entries: Sequence[Checked],
    ordered: Collection[str],
    position: Position,
    disorder: Collection[str],
    rules: Rulebook,
) -> frozenset[str]:
    """Return where supports in place do not count: civil disorder (DATC 4.D.9), impossible moves (4.E.1)."""
    found: list[str] = []
    if rules.disorder_support == DisorderSupport.FAILS:
        found += [unit.province for unit in position.units if unit.power in disorder]
    if rules.illegal_orders == IllegalOrders.STILL_MOVES:
        for entry in entries:
            tried = entry.given is not None and isinstance(entry.given.order, Move) and entry.action is None
            if tried and entry.unit is not None and entry.is_of_unit and entry.unit.province not in ordered:
                found.append(entry.unit.province)
    return frozenset(found)
