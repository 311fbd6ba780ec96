"""What is handed in: a position, and the orders that were given for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from satdip.base.errors import Where
from satdip.base.messages import Message
from satdip.base.values import Value
from satdip.phase.orders import Order, UnitRef
from satdip.phase.position import Position

__all__ = ["Given", "OrderSet", "Proxied", "ReadAs", "Remark", "Turn"]


@dataclass(frozen=True, slots=True)
class ReadAs(Value):
    """A misspelt word and how it was understood: "Piedmnot read as Piedmont"."""

    written: str
    read: str

    @property
    def sentence(self) -> Message:
        """What this note says."""
        return Message("{written} read as {read}", written=self.written, read=self.read)

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Remark(Value):
    """What was handed in and is not looked at, or is missing: nothing is passed over without a word.

    Args:
        what: the sentence.
        where: its place in the input.
    """

    what: str
    where: Where = field(default_factory=Where, compare=False)

    @property
    def sentence(self) -> str:
        """The sentence with its place."""
        place = self.where.words
        return Message("{place}: {message}", place=place, message=self.what) if place else self.what

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class OrderSet(Value):
    """One of the order sets that a power handed in for the same phase (DATC 4.D.1, 4.D.2).

    Args:
        number: its place in the sequence; without a known sequence it only tells the sets apart.
        date: when it was handed in, ``1901-03-02`` or ``1901-03-02 14:00``; None for a numbered set.
        in_sequence: whether it is known which sets came before it.
    """

    number: int = 0
    date: str | None = None
    in_sequence: bool = True

    def __str__(self) -> str:
        return self.date or (str(self.number) if self.in_sequence else "?")

    @property
    def place(self) -> tuple[str, int]:
        """What the sets of a power are sorted by."""
        return self.date or "", self.number


@dataclass(frozen=True, slots=True)
class Given(Value):
    """One order as it was handed in.

    Args:
        power: id of the power that gave it.
        order: what it says.
        text: the words as written; empty for an order made in Python.
        notes: misspelt words and how they were read.
        where: its place in the input.
        order_set: the set that it stands in, where its power handed in several.
        perpetual: whether it was given "until further notice" (DATC 4.E.4); it stands in no set then.
    """

    power: str
    order: Order
    text: str = ""
    notes: tuple[ReadAs, ...] = ()
    where: Where = field(default_factory=Where, compare=False)
    order_set: OrderSet | None = None
    perpetual: bool = False
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.power, self.text or self.order, self.order_set)))

    def __hash__(self) -> int:  # known beforehand: what is found out about an order is kept in tables
        return self._hash


@dataclass(frozen=True, slots=True)
class Proxied(Value):
    """A unit that another power may order (DATC 4.E.5).

    Args:
        power: id of the power that the unit belongs to.
        unit: the unit.
        holder: id of the power that may order it.
        notified: whether the game master was told before; else it is declared within the orders.
        order_set: the set that declares it, where its power handed in several.
        where: its place in the input.
    """

    power: str
    unit: UnitRef
    holder: str
    notified: bool = True
    order_set: OrderSet | None = None
    where: Where = field(default_factory=Where, compare=False)


@dataclass(frozen=True)
class Turn(Value):
    """One phase to adjudicate.

    Args:
        position: where everything stands.
        orders: the orders in the order they were given (the first legal ones count where a choice says so).
        rules: the rulebook that the input names; None for the default.
        extra: keys of a phase record that satdip does not know; they survive a round trip.
        proxies: the units that other powers may order.
        remarks: what the input has that is not looked at.
    """

    position: Position
    orders: tuple[Given, ...] = ()
    rules: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    proxies: tuple[Proxied, ...] = ()
    remarks: tuple[Remark, ...] = field(default=(), compare=False)

    @property
    def corrections(self) -> tuple[Remark, ...]:
        """How misspelt words of the orders were read, for output that does not show them beside the orders."""
        return tuple([Remark(note.sentence, given.where) for given in self.orders for note in given.notes])
