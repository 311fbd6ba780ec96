"""Which orders count, and why: order sets (DATC 4.D.1, 4.D.2), perpetual and proxy orders (4.E.4, 4.E.5).

This comes before the check of single orders: an order that does not count is not looked at further. Implicit orders
(4.E.3) follow from checked ones, see `satdip.check.implicit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from satdip.check.result import Checked, Reason, Status
from satdip.check.units import allowance
from satdip.phase.orders import Build, Disband, Order, Waive, ordered_unit
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Given, OrderSet, Proxied, Turn
from satdip.rulebook import Allowance, OrderSets, Proxy, Rulebook, UndatedSets

__all__ = ["Counted", "check_counted", "counted_orders", "is_plain", "taking_part"]


@dataclass(frozen=True, slots=True)
class Counted:
    """Whether an order counts.

    Args:
        given: the order as handed in.
        counts: whether it does.
        reasons: why it does, or does not; empty for an order of which nobody would ask.
        owner: id of the power that the unit belongs to, where another one orders it by proxy.
    """

    given: Given
    counts: bool = True
    reasons: tuple[Reason, ...] = ()
    owner: str | None = None


def is_plain(turn: Turn) -> bool:
    """Return whether every order of a turn counts: there are no order sets, perpetual orders or proxies."""
    return not turn.proxies and not any(given.order_set or given.perpetual for given in turn.orders)


def counted_orders(turn: Turn, rules: Rulebook) -> tuple[Counted, ...]:
    """Say of each order that was handed in whether it counts.

    Args:
        turn: the orders of a phase of any kind, and the proxies.
        rules: the choices of DATC 4.D.1, 4.D.2, 4.E.4 and 4.E.5.

    Returns:
        One entry for each of `Turn.orders`, in that order.
    """
    if is_plain(turn):
        return tuple(map(Counted, turn.orders))
    sets, units = _sets(turn, rules), turn.position.acting
    entries = [_by_set(number, given, sets) for number, given in enumerate(turn.orders)]
    entries = _by_proxy(entries, _Proxies(turn.proxies, sets, rules), units)
    return tuple(_perpetual(entries, sets, rules))


def check_counted(counted: Iterable[Counted], position: Position, examine: Callable[[Given], Checked]) -> list[Checked]:
    """Check the orders that count one by one; the others are illegal without further ado.

    Args:
        counted: the orders, after `counted_orders`.
        position: where everything stands.
        examine: the check of a single order; a proxy order is put to it as one of the power that owns the unit.

    Returns:
        One entry for each order, in the same sequence.
    """
    units = position.acting
    return [_checked(entry, units, examine) for entry in counted]


def taking_part(turn: Turn, counted: Iterable[Counted], rules: Rulebook) -> frozenset[str]:
    """Return the powers that are not in civil disorder: they handed in orders, or have perpetual ones or proxies.

    Args:
        turn: the orders of a phase, and the proxies.
        counted: its orders, after `counted_orders`.
        rules: the rulebook that they were counted by.
    """
    powers = {entry.given.power for entry in counted if entry.counts or not entry.given.perpetual}
    if turn.proxies:
        proxies = _Proxies(turn.proxies, _sets(turn, rules), rules)
        powers |= {proxy.power for proxy in turn.proxies if proxies.refusal(proxy) is None}
    return frozenset(powers)


def _checked(entry: Counted, units: Mapping[str, Unit], examine: Callable[[Given], Checked]) -> Checked:
    given = entry.given
    if not entry.counts:
        return Checked(given, units.get(_place(given.order) or ""), None, Status.ILLEGAL, entry.reasons[0])
    found = examine(given if entry.owner is None else replace(given, power=entry.owner))
    return found.of(given, entry.reasons) if entry.reasons else found


def _place(order: Order) -> str | None:
    """Return the province of the unit that an order is given to, if it names one."""
    unit = ordered_unit(order)
    return None if unit is None else unit.province


# ---------------------------------------------------------------------- order sets


@dataclass(frozen=True, slots=True)
class _Item:
    """What a set says about a unit: an order, or (without an order) that another power may give it one.

    Args:
        order_set: the set.
        place: the province of the unit, where one is named.
        order: the order.
        number: which order of the turn it is; a set may say the same twice, as in declining two builds.
    """

    order_set: OrderSet
    place: str | None
    order: Order | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class _Judged:
    """Whether something in a set counts, and why."""

    counts: bool
    reason: Reason


class _Sets:
    """The order sets of one power; what is true of a set as a whole is found out once.

    Args:
        power: its id.
        items: what the sets say.
        position: where everything stands.
        rules: the choices of DATC 4.D.1 and 4.D.2.
    """

    def __init__(self, power: str, items: Sequence[_Item], position: Position, rules: Rulebook) -> None:
        self.power, self.position, self.rules = power, position, rules
        self.contents: dict[OrderSet, list[_Item]] = {}
        for item in items:
            self.contents.setdefault(item.order_set, []).append(item)
        self.sequence = sorted(self.contents, key=lambda one: one.place)
        self.several = len(self.sequence) > 1
        self.in_sequence = all(one.in_sequence for one in self.sequence)
        self.spare = allowance(position, power)
        choice = rules.order_sets if self.several and self.in_sequence else None
        self.complete = self._last_complete() if choice == OrderSets.COMBINED_UNLESS_REPLACED else None
        partial = choice == OrderSets.LATEST_UNLESS_PARTIAL
        self.left_open = frozenset(self._left_open()) if partial else frozenset[_Item]()

    @property
    def all_hold(self) -> bool:
        """Whether no order of the power counts, since nobody knows which set came last (DATC 4.D.2)."""
        return self.several and not self.in_sequence and self.rules.undated_sets == UndatedSets.HOLD

    def judge(self, item: _Item) -> _Judged | None:
        """Return whether what a set says counts; None when there are no other sets."""
        if not self.several:
            return None
        if self.all_hold:
            return _Judged(False, self._reason("sets-unordered", "4.D.2"))
        if not self.in_sequence:
            return _Judged(True, self._reason("sets-combined", "4.D.2"))
        latest = self.sequence[-1]
        match self.rules.order_sets:
            case OrderSets.COMBINED:
                return _Judged(True, self._reason("sets-combined"))
            case OrderSets.COMBINED_UNLESS_REPLACED:
                return self._unless_replaced(item)
            case OrderSets.LATEST_UNLESS_PARTIAL if item.order_set != latest:
                if item in self.left_open:
                    return _Judged(True, self._reason("set-remains", of=item.order_set))
                return _Judged(False, self._reason("set-overtaken"))
            case OrderSets.LATEST | OrderSets.LATEST_UNLESS_PARTIAL:
                return self._only(latest, item, "set-latest")
            case OrderSets.FIRST:
                return self._only(self.sequence[0], item, "set-first")

    def _only(self, counting: OrderSet, item: _Item, code: str) -> _Judged:
        """Judge by the one set that counts."""
        if item.order_set == counting:
            return _Judged(True, self._reason(code, of=counting))
        return _Judged(False, self._reason("set-passed-over", of=counting))

    def _unless_replaced(self, item: _Item) -> _Judged:
        complete = self.complete
        if complete is not None and item.order_set.place < complete.place:
            return _Judged(False, self._reason("set-replaced", of=complete))
        if complete is not None and item.order_set == complete:
            return _Judged(True, self._reason("set-complete", of=complete))
        if complete is not None:
            return _Judged(True, self._reason("sets-since-complete", of=complete))
        return _Judged(True, self._reason("sets-combined"))

    def _last_complete(self) -> OrderSet | None:
        """Return the last set that leaves nothing open that the power has to decide in this phase."""
        adjusting = self.position.phase.traits.by_count
        own = {place for place, unit in self.position.acting.items() if unit.power == self.power}
        for order_set in reversed(self.sequence):
            items = self.contents[order_set]
            spoken_of = {item.place for item in items}
            if self._decisions(items) >= abs(self.spare) if adjusting else own <= spoken_of:
                return order_set
        return None

    def _left_open(self) -> list[_Item]:
        """Return what the earlier sets say about things that no later set speaks of."""
        adjusting = self.position.phase.traits.by_count
        spoken_of: set[str | None] = set() if adjusting else {None}
        room, found = abs(self.spare), list[_Item]()
        for order_set in reversed(self.sequence):
            items = self.contents[order_set]
            if order_set != self.sequence[-1]:
                items = [item for item in items if item.place not in spoken_of]
                if adjusting:
                    proxies = [item for item in items if item.order is None]
                    items = proxies + [item for item in items if self._decisions([item])][:room]
                found += items
            room = max(0, room - self._decisions(items))
            spoken_of |= {item.place for item in items} - ({None} if adjusting else set())
        return found

    def _decisions(self, items: Sequence[_Item]) -> int:
        """Count the builds and waived builds, or else the removals, that the power has to decide in winter."""
        wanted = (Build, Waive) if self.spare > 0 else Disband
        places = {item.place for item in items if isinstance(item.order, wanted) and item.place is not None}
        return len(places) + sum(isinstance(item.order, Waive) for item in items if self.spare > 0)

    def _reason(self, code: str, issue: str = "4.D.1", of: OrderSet | None = None) -> Reason:
        details: dict[str, object] = {"power": self.power}
        return Reason(code, details if of is None else details | {"set": str(of)}, issue)


def _sets(turn: Turn, rules: Rulebook) -> Mapping[str, _Sets]:
    """Return the order sets of every power that has any."""
    items: dict[str, list[_Item]] = {}
    for number, given in enumerate(turn.orders):
        if given.order_set is not None:
            items.setdefault(given.power, []).append(_item(given, given.order_set, number))
    for proxy in turn.proxies:
        if proxy.order_set is not None:
            items.setdefault(proxy.power, []).append(_Item(proxy.order_set, proxy.unit.province))
    return {power: _Sets(power, found, turn.position, rules) for power, found in items.items()}


def _item(given: Given, order_set: OrderSet, number: int) -> _Item:
    return _Item(order_set, _place(given.order), given.order, number)


def _by_set(number: int, given: Given, sets: Mapping[str, _Sets]) -> Counted:
    """Judge an order, the one of that number, by the set that it stands in."""
    judged = None
    if given.order_set is not None:
        judged = sets[given.power].judge(_item(given, given.order_set, number))
    return Counted(given) if judged is None else Counted(given, judged.counts, (judged.reason,))


# ---------------------------------------------------------------------- proxy orders


class _Proxies:
    """The units that another power may order (DATC 4.E.5).

    Args:
        proxies: all that were given.
        sets: the order sets by power: a proxy counts as the set that declares it does.
        rules: the choice of DATC 4.E.5.
    """

    def __init__(self, proxies: Sequence[Proxied], sets: Mapping[str, _Sets], rules: Rulebook) -> None:
        self.sets, self.rules = sets, rules
        self.held: dict[tuple[str, str, str], str | None] = {}
        """(holder, power, province) -> `refusal` of what the holder was given; None where one proxy counts."""
        for proxy in proxies:
            key, refusal = (proxy.holder, proxy.power, proxy.unit.province), self.refusal(proxy)
            if refusal is None:
                self.held[key] = None
            else:
                self.held.setdefault(key, refusal)

    def refusal(self, proxy: Proxied) -> str | None:
        """Return the code of the reason why a proxy does not count, or None when it does."""
        if self.rules.proxy_orders == Proxy.FORBIDDEN:
            return "proxy-forbidden"
        if proxy.notified:
            return None
        if self.rules.proxy_orders == Proxy.NOTIFIED:
            return "proxy-not-notified"
        judged = None
        if proxy.order_set is not None:
            judged = self.sets[proxy.power].judge(_Item(proxy.order_set, proxy.unit.province))
        return None if judged is None or judged.counts else "proxy-set-passed-over"


def _by_proxy(entries: Sequence[Counted], proxies: _Proxies, units: Mapping[str, Unit]) -> list[Counted]:
    """Judge the orders to units of other powers; what their own power orders does not count beside a proxy order."""
    judged = [_as_proxy_order(entry, proxies, units) for entry in entries]
    holders = {
        _place(entry.given.order): entry.given.power
        for entry in judged
        if entry.counts and entry.owner is not None and not entry.given.perpetual
    }
    for number, entry in enumerate(judged):
        unit = units.get(_place(entry.given.order) or "")
        if unit is not None and entry.counts and entry.given.power == unit.power and unit.province in holders:
            reason = Reason("ordered-by-proxy", {"unit": unit, "power": holders[unit.province]}, "4.E.5")
            judged[number] = Counted(entry.given, False, (reason,))
    return judged


def _as_proxy_order(entry: Counted, proxies: _Proxies, units: Mapping[str, Unit]) -> Counted:
    unit = units.get(_place(entry.given.order) or "")
    if unit is None or not entry.counts or unit.power == entry.given.power:
        return entry
    key = (entry.given.power, unit.power, unit.province)
    if key not in proxies.held:
        return entry
    details, refusal = {"unit": unit, "power": unit.power}, proxies.held[key]
    if refusal is not None:
        return Counted(entry.given, False, (Reason(refusal, details, "4.E.5"),))
    return replace(entry, reasons=(Reason("proxy", details, "4.E.5"), *entry.reasons), owner=unit.power)


# ---------------------------------------------------------------------- perpetual orders


def _perpetual(entries: Sequence[Counted], sets: Mapping[str, _Sets], rules: Rulebook) -> Iterator[Counted]:
    """Judge the perpetual orders: one counts when its unit got no other order that does (DATC 4.E.4)."""
    ordered = {_place(entry.given.order) for entry in entries if entry.counts and not entry.given.perpetual} - {None}
    for entry in entries:
        given = entry.given
        if not (given.perpetual and entry.counts):
            yield entry
        elif rules.perpetual_orders == Allowance.FORBIDDEN:
            yield Counted(given, False, (Reason("perpetual-forbidden", {}, "4.E.4"),))
        elif (found := sets.get(given.power)) is not None and found.all_hold:
            yield Counted(given, False, (Reason("sets-unordered", {"power": given.power}, "4.D.2"),))
        elif _place(given.order) in ordered:
            yield Counted(given, False, (Reason("perpetual-superseded", {}, "4.E.4"),))
        else:
            yield replace(entry, reasons=(Reason("perpetual", {}, "4.E.4"), *entry.reasons))
