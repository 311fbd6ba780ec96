"""Orders that are handed in from Python: by power, as texts or as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from satdip.base.errors import InputError
from satdip.notation.reading import read_order
from satdip.notation.record.fields import power_of
from satdip.phase.orders import Order
from satdip.phase.position import Position
from satdip.phase.turn import Given

__all__ = ["orders_given"]


def orders_given(orders: object, position: Position) -> Iterator[Given]:
    """Yield the orders for a position.

    Args:
        orders: power -> a list of orders, as text in any notation or as order values.
        position: the position that they are for.

    Raises:
        InputError: this is something else, a power is none or is there twice, or a text is no order.
    """
    if not isinstance(orders, Mapping):
        raise InputError('orders are listed by power, as in {"FRANCE": ["A PAR - BUR"]}')
    seen: dict[str, object] = {}
    for name, several in orders.items():
        power = power_of(str(name), position.board)
        if seen.setdefault(power, name) != name:
            raise InputError(f"{power} is there twice, also as {seen[power]!r}")
        if isinstance(several, str) or not isinstance(several, Iterable):
            raise InputError(f'the orders of {power} are a list, as in ["A PAR - BUR"]')
        for order in several:
            yield _given(power, order, position)


def _given(power: str, order: object, position: Position) -> Given:
    if isinstance(order, Order):
        return Given(power, order)
    if not isinstance(order, str):
        raise InputError(f"an order of {power} is a text or an order value, not {order!r}")
    understood = read_order(order, position.board)
    return Given(power, understood.order, order, understood.notes)
