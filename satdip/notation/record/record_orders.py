"""The orders of a phase record: plain ones, order sets, perpetual orders and proxies.

::

    "orders": {"ITALY": ["A VEN H"]},
    "order_sets": {"FRANCE": [{"set": 1, "orders": ["A PAR - BUR"]}, {"set": 2, "orders": ["A PAR H"]}]},
    "perpetual": {"FRANCE": ["F BRE H"]},
    "proxies": {"ENGLAND": {"A LON": "FRANCE"}}

A set has a number, a ``date``, or "?" where its place in the sequence is not known; it may hold ``proxies`` of its own,
those of which the game master was not told before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from satdip.base.errors import InputError, Where
from satdip.base.memory import Shelf, kept, remember
from satdip.board import Board
from satdip.notation.assembly import Named, as_retreat
from satdip.notation.prose import quoted, short
from satdip.notation.reading import read_order, read_unit, unit_of_no_order
from satdip.notation.record.fields import by_power, in_field, power_of, text_lists, text_of, texts_of, wrong_type
from satdip.notation.record.record_texts import exact_order
from satdip.notation.sheet.order_sets import SetsSeen, in_sequence, read_date
from satdip.notation.writer import Notation, write_order, write_unit
from satdip.phase.orders import Unclear
from satdip.phase.position import Phase
from satdip.phase.turn import Given, OrderSet, Proxied, Turn

__all__ = ["ORDER_KEYS", "OrdersReader", "orders_of"]

ORDER_KEYS: Final = ("orders", "order_sets", "perpetual", "proxies")
"""The keys of a record that this module reads and writes."""

_SET_KEYS: Final = frozenset({"set", "date", "orders", "proxies"})


# ---------------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class OrdersReader:
    """How the orders of a record are read.

    Args:
        board: the map.
        phase: the phase that the orders are for.
        where: the place of the record.
        lenient: whether a text that is no order counts as no order, rather than being refused.
        units_told: whether the record tells which units there are; else it may turn out which order is at fault.
        unread: the units of texts that were no orders: there they are, all the same.
    """

    board: Board
    phase: Phase
    where: Where
    lenient: bool
    units_told: bool
    unread: list[Named] = field(default_factory=list)

    def read(self, record: Mapping[str, object]) -> tuple[tuple[Given, ...], tuple[Proxied, ...]]:
        """Return the orders and the proxies of a record.

        Raises:
            InputError: a field is not sound; the error has its path.
        """
        orders: list[Given] = []
        for power, path, texts in text_lists(record, "orders", self.board):
            orders += self._orders(power, texts, path)
        if not any(key in record for key in ORDER_KEYS[1:]):
            return tuple(orders), ()
        seen, proxies = SetsSeen(self.board), list[Proxied]()
        for given in orders:
            seen.use(given.power, None, given.where)
        for power, path, value in by_power(record, "order_sets", self.board):
            for in_set, declared in self._sets(power, value, path, seen):
                orders += in_set
                proxies += declared
        orders = in_sequence(orders, lambda given: (given.power, given.order_set))
        for power, path, texts in text_lists(record, "perpetual", self.board):
            orders += self._orders(power, texts, path, perpetual=True)
        for power, path, value in by_power(record, "proxies", self.board):
            proxies += self._proxies(power, value, path, notified=True)
        return tuple(orders), tuple(proxies)

    def _orders(
        self, power: str, texts: list[str], path: str, order_set: OrderSet | None = None, *, perpetual: bool = False
    ) -> list[Given]:
        orders: list[Given] = []
        retreats = self.phase.traits.dislodged_act
        shelf = _known_orders(self.board)
        known = shelf.table(power, path, retreats)
        for text in texts:
            given = known.get(text)
            if given is None:
                try:
                    given = _given(power, text, path, self.board, retreats)
                    shelf.remember(known, text, given)
                except InputError as error:
                    given = Given(power, self._not_followed(power, text, path, texts, error), text, (), _where(path))
            orders.append(given)
        source, line = self.where.source, self.where.line
        if self.units_told and order_set is None and not perpetual and source is None and line is None:
            return orders
        places = [path if self.units_told else f"{path}[{index}]" for index in range(len(orders))]
        return [
            Given(power, given.order, given.text, given.notes, Where(source, line, None, place), order_set, perpetual)
            for given, place in zip(orders, places, strict=True)
        ]

    def _not_followed(self, power: str, text: str, path: str, texts: list[str], error: InputError) -> Unclear:
        """Return what a lenient reading makes of a text that is no order; else refuse it."""
        at = f"{path}[{texts.index(text)}]"
        if not self.lenient:
            raise in_field(error, at) from None
        told = self.units_told or not self.phase.traits.orders_tell_units
        try:
            unit = unit_of_no_order(text, error, self.board, units_told=told)
        except InputError as unknown:
            raise in_field(unknown, at) from None
        if unit is not None:
            self.unread.append(Named(unit.power or power, unit, Where(self.where.source, self.where.line, None, at)))
        return Unclear(text, error.message)

    def _sets(
        self, power: str, value: object, path: str, seen: SetsSeen
    ) -> Iterator[tuple[list[Given], list[Proxied]]]:
        """Yield the orders and the proxies of each set of a power."""
        if not isinstance(value, list):
            raise wrong_type("a list of order sets", value, path)
        for index, entry in enumerate(value):
            at = f"{path}[{index}]"
            if not isinstance(entry, Mapping):
                raise wrong_type("an object", entry, at)
            for key in entry.keys() - _SET_KEYS:
                raise InputError(
                    f"{quoted(key)} is no key of an order set; it has 'set' or 'date', 'orders' and 'proxies'",
                    Where(path=at),
                )
            order_set = _place(entry, at)
            if order_set is not None:
                order_set = seen.open(power, order_set, Where(path=at))
            elif len(value) > 1:
                raise InputError(
                    "of several order sets each has its place: write 'set': 1, 'set': '?' or 'date'", Where(path=at)
                )
            orders = self._orders(power, texts_of(entry.get("orders", []), f"{at}.orders"), f"{at}.orders", order_set)
            proxies = list(self._proxies(power, entry.get("proxies", {}), f"{at}.proxies", order_set))
            for where in (*(given.where for given in orders), *(proxy.where for proxy in proxies)):
                seen.use(power, order_set, where)
            yield orders, proxies
        seen.close()

    def _proxies(
        self, power: str, value: object, path: str, order_set: OrderSet | None = None, *, notified: bool = False
    ) -> Iterator[Proxied]:
        """Yield the proxies of a power: an object, from the unit to the power that may order it."""
        units: set[str] = set()
        if not isinstance(value, Mapping):
            raise wrong_type("an object", value, path)
        for name in value:
            at = f'{path}["{short(name)}"]'
            try:
                found = read_unit(name, self.board)
            except InputError as error:
                raise in_field(error, at) from None
            if found.notes or found.unit.power not in (None, power):
                raise InputError(f"{quoted(name)} is no unit of {power}", Where(path=at))
            if not isinstance(value[name], str):
                raise wrong_type("the id of a power", value[name], at)
            holder = power_of(value[name], self.board, at)
            if holder == power:
                raise InputError("a power orders its own units without a proxy", Where(path=at))
            if found.unit.province in units:
                raise InputError(f"there are two proxies for the unit in {found.unit.province}", Where(path=at))
            units.add(found.unit.province)
            yield Proxied(
                power, found.unit, holder, notified, order_set, Where(self.where.source, self.where.line, None, at)
            )


@kept(64)
def _known_orders(board: Board) -> Shelf[str, Given]:  # noqa: ARG001 -- the key
    """Return the tables of plain orders by their texts, one for a power in a field: the same come again and again."""
    return Shelf()


def _given(power: str, text: str, path: str, board: Board, retreats: bool) -> Given:
    """Return a plain order of a record."""
    exact = exact_order(text, board)
    if exact is None:
        found = read_order(text, board)
        return Given(power, as_retreat(found.order) if retreats else found.order, text, found.notes, _where(path))
    order = as_retreat(exact) if retreats else exact
    given = Given(power, order, text, (), _where(path))
    if order is exact:
        remember(_known_texts(board), given, text)  # it will be written as it was read
    return given


@lru_cache(maxsize=64)
def _where(path: str) -> Where:
    return Where(path=path)


def _place(entry: Mapping[str, object], path: str) -> OrderSet | None:
    """Return the set that an object is, by its number or date; None where it has neither."""
    number, date = entry.get("set"), text_of(entry, "date", path)
    if number is not None and date is not None:
        raise InputError("an order set has a number or a date, not both", Where(path=path))
    if date is not None:
        try:
            return OrderSet(date=read_date(date))
        except InputError as error:
            raise error.at(path=f"{path}.date") from None
    if number is None:
        return None
    if number == "?":
        return OrderSet(in_sequence=False)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 1_000_000:
        raise InputError(
            "an order set has a number from 1 on, or '?' where its place is not known", Where(path=f"{path}.set")
        )
    return OrderSet(number)


# ---------------------------------------------------------------------- writing


def orders_of(turn: Turn) -> dict[str, object]:
    """Return the fields of a record that hold the orders of a turn; those beside ``orders`` only where they are needed.

    A power that declares proxies within plain orders is written with one set, which needs no number.
    """
    if not turn.proxies and not any(given.order_set or given.perpetual for given in turn.orders):
        return {"orders": _lists(turn.orders, turn.position.board)}
    declaring = {proxy.power for proxy in turn.proxies if not proxy.notified and proxy.order_set is None}
    plain = [given for given in turn.orders if not given.perpetual and _is_plain(given, declaring)]
    in_sets = [given for given in turn.orders if not given.perpetual and not _is_plain(given, declaring)]
    declared = [proxy for proxy in turn.proxies if not proxy.notified]
    fields: dict[str, object] = {"orders": _lists(plain, turn.position.board)}
    order_sets: dict[str, list[object]] = {}
    places = [(given.power, given.order_set) for given in in_sets]
    places += [(proxy.power, proxy.order_set) for proxy in declared]
    for power, order_set in in_sequence(dict.fromkeys(places), lambda place: place):
        orders = [given for given in in_sets if (given.power, given.order_set) == (power, order_set)]
        proxies = [proxy for proxy in declared if (proxy.power, proxy.order_set) == (power, order_set)]
        entry = {**_number(order_set), "orders": _lists(orders, turn.position.board).get(power, [])}
        if proxies:
            entry["proxies"] = _holders(proxies, turn.position.board).get(power)
        order_sets.setdefault(power, []).append(entry)
    perpetual = _lists((given for given in turn.orders if given.perpetual), turn.position.board)
    notified = _holders((proxy for proxy in turn.proxies if proxy.notified), turn.position.board)
    beside = {"order_sets": order_sets, "perpetual": perpetual, "proxies": notified}
    return fields | {key: value for key, value in beside.items() if value}


def _is_plain(given: Given, declaring: set[str]) -> bool:
    return given.order_set is None and given.power not in declaring


def _number(order_set: OrderSet | None) -> dict[str, object]:
    if order_set is None:
        return {}
    if order_set.date is not None:
        return {"date": order_set.date}
    return {"set": order_set.number if order_set.in_sequence else "?"}


def _lists(orders: Iterable[Given], board: Board) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    known = _known_texts(board)
    for given in orders:
        text = known.get(given)
        if text is None:
            text = write_order(given.order, Notation.PACKAGE, board)
            remember(known, given, text)
        lists.setdefault(given.power, []).append(text)
    return lists


@kept(64)
def _known_texts(board: Board) -> dict[Given, str]:  # noqa: ARG001 -- the key
    """Return the table of how orders are written."""
    return {}


def _holders(proxies: Iterable[Proxied], board: Board) -> dict[str, dict[str, str]]:
    tables: dict[str, dict[str, str]] = {}
    for proxy in proxies:
        tables.setdefault(proxy.power, {})[write_unit(proxy.unit, Notation.PACKAGE, board)] = proxy.holder
    return tables
