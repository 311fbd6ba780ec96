"""Implicit orders: what the supports and convoys of a power say about its units without an order (DATC 4.E.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from satdip.board import province_of
from satdip.check.result import Checked, Reason
from satdip.phase.orders import Convoy, Hold, Move, Order, Support, UnitRef
from satdip.phase.position import Unit
from satdip.phase.turn import Given

__all__ = ["implicit_orders"]


def implicit_orders(
    entries: Sequence[Checked], idle: Iterable[Unit], examine: Callable[[Given], Checked]
) -> Iterator[Checked]:
    """Yield an entry for each unit without an order about which the orders of its own power say something.

    Args:
        entries: the checked orders, one that counts for each unit at most; only the legal ones are looked at.
        idle: the units without an order.
        examine: the check of a single order.

    Returns:
        The implied orders, checked; without an order where the orders imply different ones.
    """
    for unit in idle:
        sources = [entry for entry in entries if _names(entry, unit)]
        orders = _without_less_exact({order for entry in sources if (order := _implied(entry.action)) is not None})
        by = tuple(entry.unit for entry in sources)
        if len(orders) == 1:
            basis = (Reason("implicit", {"units": by}, "4.E.3"),)
            found = examine(Given(unit.power, orders[0]))
            yield found.of(found.given, basis)
        elif orders:
            yield Checked(None, unit, None, basis=(Reason("implicit-contradictory", {"units": by}, "4.E.3"),))


def _names(entry: Checked, unit: Unit) -> bool:
    """Return whether a legal support or convoy of a unit's own power is about the unit."""
    if entry.given is None or entry.given.power != unit.power:
        return False
    match entry.action:
        case Support(target=UnitRef() as subject) | Convoy(army=UnitRef() as subject):
            return subject.province == unit.province
        case _:
            return False


def _implied(action: Order | None) -> Hold | Move | None:
    """Return the order that a support or convoy is about; by convoy what is convoyed."""
    match action:
        case Support(target=target, destination=None):
            return Hold(replace(target, power=None))
        case Support(target=target, destination=str() as goal):
            return Move(replace(target, power=None), goal)
        case Convoy(army=army, destination=goal):
            return Move(replace(army, power=None), goal, via=True)
        case _:
            return None


def _without_less_exact(orders: set[Hold | Move]) -> list[Hold | Move]:
    """Leave out moves that another one says more exactly: with the coast, or by convoy."""

    def says_more(more: Hold | Move, less: Hold | Move) -> bool:
        if more == less or not (isinstance(more, Move) and isinstance(less, Move)):
            return False
        exact = less.destination in (more.destination, province_of(more.destination))
        return exact and more.via >= less.via

    return [order for order in orders if not any(says_more(other, order) for other in orders)]
