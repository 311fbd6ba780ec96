"""Checked orders as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from satdip.base.values import Value
from satdip.phase.orders import Order, UnitRef
from satdip.phase.position import Unit
from satdip.phase.turn import Given
from satdip.rulebook import Rulebook, SeveralOrders

__all__ = ["Checked", "CheckedOrders", "Illegal", "Reason", "Status", "one_order_a_unit", "reference"]


class Status(StrEnum):
    """What the check found (the words of DATC 4.E.2)."""

    LEGAL = "legal"
    VOID = "void"
    """Possible, but it does not match the orders of others: a support of something that was not ordered."""
    ILLEGAL = "illegal"
    """Not possible on this board, whatever the others order; the order is ignored (DATC 4.E.1)."""

    __hash__ = str.__hash__  # as equality is that of strings; the enumeration's own is slow


@dataclass(frozen=True, slots=True)
class Reason(Value):
    """Why something happened, as data; `satdip.telling.reasons.tell` makes a sentence of it.

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


class Checked:
    """One order after the check.

    Args:
        given: the order as handed in; None for a unit that got no order.
        unit: the unit on the board that it is about; None when there is none.
        action: the order with exact references, when it counts; None when it is ignored.
        status: legal, void or illegal.
        reason: why, unless it is plainly legal.
        basis: why it counts at all, where that needs saying: one of several sets, perpetual, by proxy, implied.
    """

    # No dataclass: there are some for every order of every phase, and compiled they are made in no time.
    __slots__ = ("action", "basis", "given", "is_of_unit", "reason", "status", "unit")

    def __init__(
        self,
        given: Given | None,
        unit: Unit | None,
        action: Order | None,
        status: Status = Status.LEGAL,
        reason: Reason | None = None,
        basis: tuple[Reason, ...] = (),
    ) -> None:
        self.given: Final = given
        self.unit: Final = unit
        self.action: Final = action
        self.status: Final = status
        self.reason: Final = reason
        self.basis: Final = basis
        self.is_of_unit: Final = unit is not None and (given is None or given.power == unit.power or action is not None)
        """Whether this tells what its unit was ordered: by its power, by a proxy that counts, or nothing."""

    def of(self, given: Given | None, basis: tuple[Reason, ...] | None = None) -> Checked:
        """Return the same finding about an order that was handed in otherwise, or that counts for another reason."""
        basis = self.basis if basis is None else basis
        return Checked(given, self.unit, self.action, self.status, self.reason, basis)

    def _said(self) -> tuple[object, ...]:
        return self.given, self.unit, self.action, self.status, self.reason, self.basis

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Checked) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash((self.given, self.unit, self.action, self.status))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Checked, self._said()

    def __repr__(self) -> str:
        return f"Checked{self._said()!r}"

    @property
    def decides_for(self) -> str:
        """The power whose units it is about: its own, or that of a unit ordered by proxy."""
        if self.unit is not None and self.is_of_unit:
            return self.unit.power
        return self.given.power if self.given is not None else ""


@dataclass(frozen=True)
class CheckedOrders(Value):
    """All orders of a phase after the check.

    Args:
        entries: one per order handed in, in that order, then one per unit that got none: implied orders among them.
        actions: (unit, what it does) for every unit of a movement phase.
        unsupportable: movement: provinces whose unit cannot be supported in place (DATC 4.D.9, 4.E.1).
        disorder: movement: powers in civil disorder: they have units and gave no order at all.
    """

    entries: tuple[Checked, ...]
    actions: tuple[tuple[Unit, Order], ...] = ()
    unsupportable: frozenset[str] = frozenset()
    disorder: frozenset[str] = frozenset()


def one_order_a_unit(entries: Sequence[Checked], rules: Rulebook) -> list[Checked]:
    """Keep one legal order for each unit; others that differ become illegal (DATC 4.D.3).

    Where sets whose sequence is not known contradict each other, no order is the first or the last (DATC 4.D.2).
    """
    places = [entry.unit.province for entry in entries if entry.action is not None and entry.unit is not None]
    if len(set(places)) == len(places):
        return list(entries)
    legal: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        if entry.action is not None and entry.unit is not None:
            legal.setdefault(entry.unit.province, []).append(number)
    result = list(entries)
    for numbers in legal.values():
        if len(numbers) == 1:
            continue
        unit = entries[numbers[0]].unit
        if _contradictory([entries[number] for number in numbers]):
            dropped, reason = numbers, Reason("sets-contradict", {"unit": unit}, "4.D.2")
        else:
            dropped = _not_counted(numbers, entries, rules)
            reason = Reason("second-order", {"unit": unit}, "4.D.3")
        for number in dropped:
            result[number] = Checked(entries[number].given, unit, None, Status.ILLEGAL, reason)
    return result


def _contradictory(entries: Sequence[Checked]) -> bool:
    """Return whether sets whose sequence is not known order one unit differently."""
    sets = {entry.given.order_set for entry in entries if entry.given is not None}
    unknown = len(sets) > 1 and all(one is not None and not one.in_sequence for one in sets)
    return unknown and len({entry.action for entry in entries}) > 1


def _not_counted(numbers: list[int], entries: Sequence[Checked], rules: Rulebook) -> list[int]:
    if len({entries[number].action for number in numbers}) == 1:
        return numbers[1:]  # the same order twice is followed
    match rules.several_orders:
        case SeveralOrders.FIRST:
            return numbers[1:]
        case SeveralOrders.LAST:
            return numbers[:-1]
        case SeveralOrders.NONE:
            return numbers


@lru_cache(maxsize=1 << 14)
def reference(unit: Unit) -> UnitRef:
    """Return the exact reference to a unit."""
    return UnitRef(unit.location, unit.kind, unit.power)
