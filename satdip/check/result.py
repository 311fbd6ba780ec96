"""Checked orders as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from satdip.orders import Order, UnitRef
from satdip.position import Unit
from satdip.rulebook import Rulebook, SeveralOrders
from satdip.turn import Given

__all__ = ["Checked", "CheckedOrders", "Illegal", "Reason", "Status", "one_order_a_unit", "reference"]


class Status(StrEnum):
    """What the check found (the words of DATC 4.E.2)."""

    LEGAL = "legal"
    VOID = "void"
    """Possible, but it does not match the orders of others: a support of something that was not ordered."""
    ILLEGAL = "illegal"
    """Not possible on this board, whatever the others order; the order is ignored (DATC 4.E.1)."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something happened, as data; `satdip.reasons.tell` makes a sentence of it.

    Args:
        code: which sentence, ``not-adjacent``.
        details: what goes into it: units, orders, numbers, and locations (as strings).
        issue: the DATC section that decided, where a rule choice did.
    """

    code: str
    details: Mapping[str, object] = field(default_factory=dict)
    issue: str | None = None


class Illegal(Exception):  # noqa: N818 -- it says that an order is illegal; it is no error of the program
    """Raised inside the check when an order turns out to be illegal; never leaves `satdip.check`."""

    def __init__(self, code: str, issue: str | None = None, **details: object) -> None:
        super().__init__(code)
        self.reason = Reason(code, details, issue)


@dataclass(frozen=True, slots=True)
class Checked:
    """One order after the check.

    Args:
        given: the order as handed in; None for a unit that got no order.
        unit: the unit on the board that it is about; None when there is none.
        action: the order with exact references, when it counts; None when it is ignored.
        status: legal, void or illegal.
        reason: why, unless it is plainly legal.
    """

    given: Given | None
    unit: Unit | None
    action: Order | None
    status: Status = Status.LEGAL
    reason: Reason | None = None


@dataclass(frozen=True)
class CheckedOrders:
    """All orders of a phase after the check.

    Args:
        entries: one per order handed in, in that order, then one per unit that got none.
        actions: (unit, what it does) for every unit of a movement phase.
        unsupportable: movement: provinces whose unit cannot be supported in place (DATC 4.D.9, 4.E.1).
        disorder: movement: powers in civil disorder: they have units and gave no order at all.
    """

    entries: tuple[Checked, ...]
    actions: tuple[tuple[Unit, Order], ...] = ()
    unsupportable: frozenset[str] = frozenset()
    disorder: frozenset[str] = frozenset()


def one_order_a_unit(entries: Sequence[Checked], rules: Rulebook) -> list[Checked]:
    """Keep one legal order for each unit; the others become illegal (DATC 4.D.3)."""
    legal: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        if entry.action is not None and entry.unit is not None:
            legal.setdefault(entry.unit.province, []).append(number)
    result = list(entries)
    for numbers in legal.values():
        for number in _not_counted(numbers, rules) if len(numbers) > 1 else ():
            entry = entries[number]
            reason = Reason("second-order", {"unit": entry.unit}, "4.D.3")
            result[number] = Checked(entry.given, entry.unit, None, Status.ILLEGAL, reason)
    return result


def _not_counted(numbers: Sequence[int], rules: Rulebook) -> Sequence[int]:
    match rules.several_orders:
        case SeveralOrders.FIRST:
            return numbers[1:]
        case SeveralOrders.LAST:
            return numbers[:-1]
        case SeveralOrders.NONE:
            return numbers


def reference(unit: Unit) -> UnitRef:
    """Return the exact reference to a unit."""
    return UnitRef(unit.location, unit.kind, unit.power)
