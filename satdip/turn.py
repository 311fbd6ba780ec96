"""What is handed in: a position, and the orders that were given for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from satdip.errors import Where
from satdip.orders import Order
from satdip.position import Position

__all__ = ["Given", "ReadAs", "Turn"]


@dataclass(frozen=True, slots=True)
class ReadAs:
    """A misspelt word and how it was understood: "Piedmnot read as Piedmont"."""

    written: str
    read: str

    def __str__(self) -> str:
        return f"{self.written} read as {self.read}"


@dataclass(frozen=True, slots=True)
class Given:
    """One order as it was handed in.

    Args:
        power: id of the power that gave it.
        order: what it says.
        text: the words as written; empty for an order made in Python.
        notes: misspelt words and how they were read.
        where: its place in the input.
    """

    power: str
    order: Order
    text: str = ""
    notes: tuple[ReadAs, ...] = ()
    where: Where = field(default_factory=Where)


@dataclass(frozen=True)
class Turn:
    """One phase to adjudicate.

    Args:
        position: where everything stands.
        orders: the orders in the order they were given (the first legal ones count where a choice says so).
        rules: the rulebook that the input names; None for the default.
        extra: keys of a phase record that satdip does not know; they survive a round trip.
    """

    position: Position
    orders: tuple[Given, ...] = ()
    rules: str | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
