"""Order sets in sheets and records: which of several sets of a power orders stand in (DATC 4.D.1, 4.D.2).

A set has a number, a date, or a question mark where nobody knows its place in the sequence: ``France (set 2):``,
``France (1901-03-02 14:00):``, ``France (set ?):``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message
from satdip.board import Board
from satdip.board.names import Name
from satdip.notation.prose import quoted
from satdip.notation.sheet.pieces import Piece
from satdip.notation.words.lexicon import squash
from satdip.phase.turn import OrderSet

__all__ = ["SetsSeen", "in_sequence", "read_date", "set_in_heading", "split_heading"]

_HEADING = re.compile(r"([^(\[,]+?)\s*(?:[(\[]([^()\[\]]+)[)\]]|,\s*(.+))")
_PLACE = re.compile(r"(?P<word>[^\d?]*)(?P<number>0*[1-9]\d{0,5}|\?)")
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d))?")
_DAY = len("1901-03-02")

_KINDS = {
    "none": Message("orders that stand in no set"),
    "number": Message("numbered order sets"),
    "date": Message("dated order sets"),
    "unknown": Message("order sets of unknown sequence"),
}

T = TypeVar("T")


def split_heading(name: Piece) -> tuple[Piece, Piece] | None:
    """Return the power and the set of ``France (set 2)`` or ``France, 1901-03-02``; None where no set is named."""
    found = _HEADING.fullmatch(name.text)
    if found is None:
        return None
    return name.cut(*found.span(1)), name.cut(*found.span(2 if found[2] else 3))


def set_in_heading(text: str, set_word: str) -> OrderSet | None:
    """Return the set that a heading names, or None when the text names none.

    Args:
        text: ``set 2``, ``set ?``, ``2``, ``?``, or a date.
        set_word: the word for a set in the language of the sheet; the English one is understood in all.

    Raises:
        InputError: it looks like a date, but is none.
    """
    if text[:4].isdecimal() and "-" in text:
        return OrderSet(date=read_date(text))
    found = _PLACE.fullmatch(text)
    if found is None or squash(found["word"]) not in ("", "set", "orderset", squash(set_word)):
        return None
    return OrderSet(in_sequence=False) if found["number"] == "?" else OrderSet(int(found["number"]))


def read_date(text: str) -> str:
    """Return a date in its plain form: ``1901-03-02`` or ``1901-03-02 14:00``.

    Raises:
        InputError: it is none.
    """
    found = _DATE.fullmatch(text)
    try:
        if found is not None:
            date = " ".join(filter(None, found.groups()))
            datetime.fromisoformat(date)
            return date
    except ValueError:
        pass
    what = Message("{text} is no date; write it as in 1901-03-02 or 1901-03-02 14:00", text=quoted(text))
    raise InputError(what)


@dataclass
class SetsSeen:
    """The order sets of each power, as far as they were read.

    Args:
        board: the map, for the names of powers.
        sets: power id -> its sets, each with its place in the input.
        kinds: power id -> how its sets are told apart.
        filled: the sets that hold something.
        days: (power, day of a dated set) -> whether the time of day is known too.
    """

    board: Board
    sets: dict[str, dict[OrderSet, Where]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    filled: set[tuple[str, OrderSet | None]] = field(default_factory=set)
    days: dict[tuple[str, str], bool] = field(default_factory=dict)

    def open(self, power: str, order_set: OrderSet, where: Where) -> OrderSet:
        """Note that a set begins, and return it; sets of unknown sequence are counted to tell them apart.

        Raises:
            InputError: the set is there already, or the sets of the power cannot be compared.
        """
        sets = self.sets.setdefault(power, {})
        if not order_set.in_sequence:
            order_set = OrderSet(len(sets) + 1, in_sequence=False)
        self._note(power, order_set, where)
        if order_set in sets:
            line = sets[order_set].line if where.column else None
            told = {"power": self._name(power), "set": str(order_set)}
            if line:
                raise InputError(Message("{power} has set {set} already, in line {line}", line=line, **told), where)
            raise InputError(Message("{power} has set {set} already", **told), where)
        if order_set.date is not None:
            self._note_day(power, order_set.date, where)
        sets[order_set] = where
        return order_set

    def use(self, power: str, order_set: OrderSet | None, where: Where) -> None:
        """Note that an order or a proxy stands in a set, or in none.

        Raises:
            InputError: other orders of the power stand in sets of another kind.
        """
        self._note(power, order_set, where)
        self.filled.add((power, order_set))

    def close(self) -> None:
        """Refuse sets that hold nothing.

        Raises:
            InputError: there is one.
        """
        for power, sets in self.sets.items():
            for order_set, where in sets.items():
                if (power, order_set) not in self.filled:
                    told = {"power": self._name(power), "set": str(order_set)}
                    raise InputError(Message("set {set} of {power} holds no order; leave it out", **told), where)

    def _note(self, power: str, order_set: OrderSet | None, where: Where) -> None:
        kind = _kind(order_set)
        other = self.kinds.setdefault(power, kind)
        if other != kind:
            what = Message(
                "{power} has {first} and {second}; write a number with every set, or a date, or a question mark",
                power=self._name(power),
                first=_KINDS[other],
                second=_KINDS[kind],
            )
            raise InputError(what, where)

    def _note_day(self, power: str, date: str, where: Where) -> None:
        """Refuse a second set of one day where the time of day of either is not known."""
        day, timed = date[:_DAY], ":" in date
        if (power, day) in self.days and not (timed and self.days[power, day]):
            what = Message(
                "it is not clear which set of {day} came first; write the time of day too, as in 1901-03-02 14:00",
                day=day,
            )
            raise InputError(what, where)
        self.days[power, day] = timed

    def _name(self, power: str) -> str:
        return Name(power, self.board)


def _kind(order_set: OrderSet | None) -> str:
    if order_set is None:
        return "none"
    if not order_set.in_sequence:
        return "unknown"
    return "date" if order_set.date else "number"


def in_sequence(items: Iterable[T], place: Callable[[T], tuple[str, OrderSet | None]]) -> list[T]:
    """Return orders in the sequence in which they were given: the sets of a power together, the earliest first.

    Args:
        items: the orders as they stand in the input.
        place: the power and the set of an order.
    """
    items = list(items)
    in_sets: dict[str, list[T]] = {}
    for item in items:
        power, order_set = place(item)
        if order_set is not None:
            in_sets.setdefault(power, []).append(item)
    if not in_sets:
        return items
    result: list[T] = []
    for item in items:
        power, order_set = place(item)
        if order_set is None:
            result.append(item)
        else:
            result += sorted(in_sets.pop(power, ()), key=lambda one: _sequence(place(one)[1]))
    return result


def _sequence(order_set: OrderSet | None) -> tuple[str, int]:
    return ("", 0) if order_set is None else order_set.place
