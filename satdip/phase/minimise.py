"""Delta debugging of phases: the smallest sub-position that still shows something.

The algorithm is the minimising delta debugging of Zeller and Hildebrandt ("Simplifying and Isolating Failure-Inducing
Input", 2002): leave out halves, then quarters, and so on down to single parts; then make single orders simpler; and
again, until nothing changes. The result is minimal in this sense only: no single step makes it smaller.

>>> from satdip.adjudication import adjudicate_turn
>>> from satdip.notation import read_turn
>>> from satdip.rulebook import DATC
>>> turn = read_turn("France: A Paris - Burgundy, A Marseilles - Burgundy, F Brest H")
>>> smallest = minimise(turn, lambda turn: bool(adjudicate_turn(turn, DATC).contested))
>>> [str(unit) for unit in smallest.turn.position.units], smallest.finished
(['A PAR', 'A MAR'], True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum, auto
from typing import Any

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.board import province_of
from satdip.phase.orders import Disband, Hold, Order, Unclear, UnitRef, ordered_unit
from satdip.phase.position import Unit
from satdip.phase.turn import Given, Turn

__all__ = ["Minimised", "minimise", "restricted_to", "size"]


@dataclass(frozen=True)
class Minimised:
    """What is left of a phase.

    Args:
        turn: the smallest phase found.
        calls: how often the predicate was called.
        finished: whether no single step makes it smaller; false when the time was used up before that was known.
    """

    turn: Turn
    calls: int
    finished: bool


def minimise(turn: Turn, interesting: Callable[[Turn], bool], budget: Budget = UNLIMITED) -> Minimised:
    """Make a phase as small as single steps can make it while it stays interesting.

    The steps are: leave out a unit with its orders; an order whose unit has others, is ordered by another power or does
    not exist (in winter, any order); a proxy; a supply centre, in winter also together with a unit or an order of its
    power; let a unit hold, or a dislodged one disband, instead of what it was ordered; leave "via convoy", a route, a
    coast, a nationality or the order set out of an order.

    Args:
        turn: an interesting phase of any kind.
        interesting: what the result must keep; called once for each phase that is tried.
        budget: how long it may take; it is looked at before each call but the first.

    Raises:
        ValueError: the phase is not interesting to begin with.
    """
    if not interesting(turn):
        raise ValueError("the phase is not interesting to begin with")
    reduction = _Reduction(turn, interesting, budget)
    try:
        reduction.run()
    except OutOfTime:
        return Minimised(reduction.turn, reduction.calls, finished=False)
    return Minimised(reduction.turn, reduction.calls, finished=True)


def size(turn: Turn) -> int:
    """Return how large a phase is: its units, dislodged ones too, and the orders that are about none of them."""
    position = turn.position
    return len(position.units) + len(position.dislodged) + len(_parts(turn, _Part.LOOSE_ORDER))


def restricted_to(turn: Turn, provinces: Collection[str]) -> Turn:
    """Return a phase with only the units, dislodged ones too, that stand in some provinces, and their orders."""
    position = turn.position
    units = tuple(unit for unit in position.units if unit.province in provinces)
    dislodged = tuple(item for item in position.dislodged if item.unit.province in provinces)
    orders = tuple(given for given in turn.orders if _place(given) in provinces)
    return replace(turn, position=replace(position, units=units, dislodged=dislodged), orders=orders)


class _Part(Enum):
    """What can be left out, in the order in which it is tried: what makes the phase smaller first."""

    UNIT = auto()
    DISLODGED = auto()
    LOOSE_ORDER = auto()
    PROXY = auto()
    CENTRE = auto()


class _Reduction:
    """A phase that becomes smaller.

    Args:
        turn: the phase, known to be interesting; afterwards the smallest one so far.
        interesting: see `minimise`.
        budget: see `minimise`.
    """

    def __init__(self, turn: Turn, interesting: Callable[[Turn], bool], budget: Budget) -> None:
        self.turn, self.interesting, self.budget = turn, interesting, budget
        self.calls = 1
        self.known: dict[Hashable, bool] = {_key(turn): True}

    def run(self) -> None:
        """Take every step that can be taken.

        Raises:
            OutOfTime: the budget is used up.
        """
        before = None
        while self.turn is not before:
            before = self.turn
            for kind in _Part:
                self.leave_out(kind)
            self.leave_out_with_centres()
            self.simplify()

    def leave_out(self, kind: _Part) -> None:
        """Leave out all parts of a kind, or halves, quarters, ... of them, down to single ones."""
        base = self.turn
        kept = _parts(base, kind)
        chunk = len(kept)
        while chunk:
            start = 0
            while start < len(kept):
                rest = [*kept[:start], *kept[start + chunk :]]
                if self.takes(_with_only(base, kind, rest)):
                    kept = rest
                else:
                    start += chunk
            chunk //= 2

    def leave_out_with_centres(self) -> None:
        """Leave out single units and orders of a winter, each together with a centre of its power."""
        while any(map(self.takes, _with_a_pair_less(self.turn))):
            pass

    def simplify(self) -> None:
        """Make each order as simple as it can be."""
        for index in range(len(self.turn.orders)):
            while any(map(self.takes, _with_simpler_order(self.turn, index))):
                pass

    def takes(self, turn: Turn | None) -> bool:
        """Go on with a phase if it is interesting; one that cannot be is not."""
        if turn is None:
            return False
        key = _key(turn)
        if key not in self.known:
            self.budget.check()
            self.calls += 1
            self.known[key] = self.interesting(turn)
        if self.known[key]:
            self.turn = turn
        return self.known[key]


def _key(turn: Turn) -> Hashable:
    """Return what makes two phases of one minimisation the same."""
    position = turn.position
    centres = frozenset((power, centre) for power, owned in position.centres.items() for centre in owned)
    orders = tuple((given.power, given.order, given.order_set, given.perpetual) for given in turn.orders)
    return frozenset(position.units), frozenset(position.dislodged), centres, orders, turn.proxies


def _place(given: Given) -> str | None:
    """Return the province of the unit that an order names."""
    unit = ordered_unit(given.order)
    return None if unit is None else unit.province


# ---------------------------------------------------------------------- leaving parts out


def _parts(turn: Turn, kind: _Part) -> Sequence[Any]:
    """List the parts of a kind, as values or (orders, which may be alike) as numbers."""
    match kind:
        case _Part.UNIT:
            return turn.position.units
        case _Part.DISLODGED:
            return turn.position.dislodged
        case _Part.LOOSE_ORDER:
            return [index for index, given in enumerate(turn.orders) if _is_loose(given, turn)]
        case _Part.PROXY:
            return turn.proxies
        case _Part.CENTRE:
            return [(power, at) for power, owned in turn.position.centres.items() for at in sorted(owned)]


def _is_loose(given: Given, turn: Turn) -> bool:
    """Return whether an order can be left out by itself: it is not the one that its unit's owner gave."""
    unit = turn.position.acting.get(_place(given) or "")
    if turn.position.phase.traits.by_count or unit is None or unit.power != given.power:
        return True
    return Counter(map(_place, turn.orders))[unit.province] > 1


def _with_only(turn: Turn, kind: _Part, kept: Sequence[Any]) -> Turn | None:
    """Return a phase with only some of its parts of a kind; None for a position that cannot be."""
    position = turn.position
    match kind:
        case _Part.LOOSE_ORDER:
            gone = set(_parts(turn, kind)).difference(kept)
            return replace(turn, orders=tuple(given for i, given in enumerate(turn.orders) if i not in gone))
        case _Part.PROXY:
            return replace(turn, proxies=tuple(kept))
        case _Part.CENTRE:
            owned = {power: frozenset(at for holder, at in kept if holder == power) for power in position.centres}
            changes: dict[str, Any] = {"centres": {power: places for power, places in owned.items() if places}}
        case _Part.UNIT:
            changes = {"units": tuple(kept)}
        case _Part.DISLODGED:
            changes = {"dislodged": tuple(kept)}
    try:
        smaller = replace(turn, position=replace(position, **changes))
    except InputError:
        return None
    gone_from = turn.position.acting.keys() - smaller.position.acting.keys()
    return replace(smaller, orders=tuple(given for given in turn.orders if _place(given) not in gone_from))


def _with_a_pair_less(turn: Turn) -> Iterator[Turn | None]:
    """Yield a winter without a unit or an order and a centre of its power: what the power may build stays the same."""
    if not turn.position.phase.traits.by_count:
        return
    centres = _parts(turn, _Part.CENTRE)
    for power, centre in centres:
        fewer = _with_only(turn, _Part.CENTRE, [pair for pair in centres if pair != (power, centre)])
        if fewer is None:
            continue
        for kind in (_Part.UNIT, _Part.LOOSE_ORDER):
            parts = _parts(fewer, kind)
            for part in parts:
                if power == (part.power if kind == _Part.UNIT else fewer.orders[part].power):
                    yield _with_only(fewer, kind, [other for other in parts if other != part])


# ---------------------------------------------------------------------- simpler orders


def _with_simpler_order(turn: Turn, index: int) -> Iterator[Turn]:
    """Yield the phase with one order simpler, the simplest first."""
    given = turn.orders[index]
    unit = turn.position.acting.get(_place(given) or "")
    for order in _simpler(given.order, unit, turn.position.phase.traits.idle):
        yield _with_order(turn, index, replace(given, order=order, text="", notes=()))
    if given.order_set is not None or given.perpetual:
        yield _with_order(turn, index, replace(given, order_set=None, perpetual=False))


def _with_order(turn: Turn, index: int, given: Given) -> Turn:
    return replace(turn, orders=(*turn.orders[:index], given, *turn.orders[index + 1 :]))


def _simpler(order: Order, unit: Unit | None, idle: type[Hold | Disband] | None) -> Iterator[Order]:
    """Yield the order that asks least of its unit, then the order itself with one thing less written."""
    if unit is not None and idle is not None and not isinstance(order, idle):
        yield idle(UnitRef(unit.location, unit.kind))
    if isinstance(order, Unclear):  # its fields are prose
        return
    for name in (item.name for item in fields(order)):
        for less in _with_less(getattr(order, name), ordered=name == "unit"):
            changes: dict[str, Any] = {name: less}
            yield replace(order, **changes)


def _with_less(value: object, *, ordered: bool) -> Iterator[object]:
    """Yield what a field of an order may say instead: no words "via convoy", no route, no coast, no nationality.

    The ordered unit keeps its coast: many who write positions down tell by it where the unit stands.
    """
    match value:
        case True:
            yield False
        case (_, *_):
            yield ()
        case UnitRef(location, kind, power):
            if power is not None:
                yield UnitRef(location, kind)
            if "/" in location and not ordered:
                yield UnitRef(province_of(location), kind, power)
        case str() if "/" in value:
            yield province_of(value)
