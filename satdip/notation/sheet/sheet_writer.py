"""Writing order sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from satdip.base.errors import InputError
from satdip.board.mapfile import stated_name
from satdip.notation.sheet.order_sets import in_sequence
from satdip.notation.sheet.sheet import read_sheet
from satdip.notation.words.lexicon import lexicon
from satdip.notation.writer import Notation, write_order, write_place, write_power, write_unit
from satdip.phase.orders import Order, Unclear, ordered_unit
from satdip.phase.position import Dislodged, Unit
from satdip.phase.turn import Given, OrderSet, Proxied, Turn

__all__ = ["write_sheet"]


def write_sheet(turn: Turn, notation: Notation = Notation.DATC, language: str = "en") -> str:
    """Write a turn as an order sheet.

    Units are left to the orders where these tell them; else there is a ``units:`` line. What a sheet has no place
    for is left out: the unknown keys of a phase record, and how misspelt words were read.

    Args:
        turn: the turn.
        notation: how orders are written.
        language: the language of the long form and of the headers.

    Returns:
        A text that `read_sheet` reads as the same turn; leniently, when some line of the turn was no order.

    Raises:
        InputError: the map is one of the user's own, which no sheet can name.
    """
    writer = _SheetWriter(turn, notation, language)
    if turn.position.phase.traits.orders_tell_units:
        text = writer.text(stated=False)
        if _reads_back(text, turn, language):
            return text
    return writer.text(stated=True)


def _reads_back(text: str, turn: Turn, language: str) -> bool:
    """Return whether a sheet without stated units is read as the same units and orders."""
    try:
        read = read_sheet(text, language=language, lenient=True, boards=lambda _: turn.position.board)
    except InputError:
        return False
    powers = [given.power for given in in_sequence(turn.orders, lambda given: (given.power, given.order_set))]
    return read.position.units == turn.position.units and [given.power for given in read.orders] == powers


class _SheetWriter:
    """The lines of a sheet."""

    def __init__(self, turn: Turn, notation: Notation, language: str) -> None:
        self.turn, self.position, self.board = turn, turn.position, turn.position.board
        self.notation, self.language, self.lexicon = notation, language, lexicon(language)

    def text(self, *, stated: bool) -> str:
        """Return the sheet; `stated` tells whether a header line states the units."""
        return "".join(f"{line}\n" for line in (*self.headers(stated=stated), *self.body(stated=stated)))

    def header(self, key: str, value: str) -> str:
        return f"{self.lexicon.header_names[key]}: {value or self.lexicon.writing['none']}"

    def headers(self, *, stated: bool) -> Iterator[str]:
        if self.language != "en":
            yield self.header("language", self.language)
        yield self.header("map", stated_name(self.board))
        if self.turn.rules is not None:
            yield self.header("rules", self.turn.rules)
        yield self.header("phase", str(self.position.phase))
        if self.position.centres:
            owners = (f"{self.power(power)} {self.places(owned)}" for power, owned in self.position.centres.items())
            yield self.header("centres", "; ".join(owners))
        if stated:
            groups = groupby(self.position.units, key=lambda unit: unit.power)
            yield self.header("units", "; ".join(f"{self.power(p)} {self.units(units)}" for p, units in groups))
        for item in self.position.dislodged:
            yield self.header("dislodged", self.dislodged(item))
        if self.position.phase.traits.dislodged_act and not self.position.dislodged:
            yield self.header("dislodged", "")
        notified = [proxy for proxy in self.turn.proxies if proxy.notified]
        if notified:
            yield self.header("proxies", "; ".join(f"{self.power(p.power)} {self.proxy(p)}" for p in notified))

    def body(self, *, stated: bool) -> Iterator[str]:
        """Yield the orders under their powers; where no header states the units, also those without an order."""
        ordered = {unit.province for given in self.turn.orders if (unit := ordered_unit(given.order))}
        idle = [] if stated else [unit for unit in self.position.units if unit.province not in ordered]
        entries = [((given.power, given.order_set), self.line(given)) for given in self.turn.orders]
        entries += [
            ((proxy.power, proxy.order_set), self.header("proxy", self.proxy(proxy)))
            for proxy in self.turn.proxies
            if not proxy.notified
        ]
        entries = in_sequence(entries, lambda entry: entry[0])
        entries += [((unit.power, None), self.unit(unit)) for unit in idle]
        if not stated:  # a power's units without orders stand under its first heading
            powers = list(dict.fromkeys(power for (power, _), _ in entries))
            entries.sort(key=lambda entry: powers.index(entry[0][0]))
        for (power, order_set), group in groupby(entries, key=lambda entry: entry[0]):
            yield self.heading(power, order_set)
            yield from (f"  {line}" for _, line in group)

    def heading(self, power: str, order_set: OrderSet | None) -> str:
        if order_set is None:
            return f"{self.power(power)}:"
        place = order_set.date or f"{self.lexicon.writing['set']} {order_set}"
        return f"{self.power(power)} ({place}):"

    def line(self, given: Given) -> str:
        text = self.order(given.order)
        return self.header("perpetual", text) if given.perpetual else text

    def proxy(self, proxy: Proxied) -> str:
        unit = replace(proxy.unit, power=None)
        holder = self.power(proxy.holder)
        return f"{write_unit(unit, self.notation, self.board, self.language)} {self.lexicon.writing['to']} {holder}"

    def order(self, order: Order) -> str:
        text = write_order(order, self.notation, self.board, self.language)
        return re.sub(r"[,;:#\s]+", " ", text).strip() if isinstance(order, Unclear) else text

    def dislodged(self, item: Dislodged) -> str:
        words = self.lexicon.writing
        text = f"{self.power(item.unit.power)} {self.unit(item.unit)}"
        if item.attacker_from is not None:
            text += f" {words['from']} {self.place(item.attacker_from)}"
        if item.retreats is not None:
            text += f"; {words['retreats']} {self.places(item.retreats)}"
        return text

    def units(self, units: Iterable[Unit]) -> str:
        return ", ".join(map(self.unit, units))

    def unit(self, unit: Unit) -> str:
        return write_unit(unit, self.notation, self.board, self.language)

    def places(self, locations: Iterable[str]) -> str:
        return ", ".join(map(self.place, sorted(locations))) or self.lexicon.writing["none"]

    def place(self, location: str) -> str:
        return write_place(location, self.notation, self.board, self.language)

    def power(self, power: str) -> str:
        return write_power(power, self.notation, self.board, self.language)
