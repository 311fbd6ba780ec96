"""The smallest position that shows how two rulebooks differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Self

from satdip.base.budget import Budget, OutOfTime
from satdip.board import Board, province_of
from satdip.lab.compare.choices import PairDifference, Trials, differ_so
from satdip.lab.compare.effects import effect, results_by_key
from satdip.lab.compare.reading import Item, read_item
from satdip.notation import Notation, write_order, write_record
from satdip.phase.minimise import minimise, restricted_to, size
from satdip.phase.orders import UnitRef, ordered_unit
from satdip.phase.position import Unit
from satdip.phase.turn import Given, Turn
from satdip.rulebook import Rulebook

__all__ = ["SmallPosition", "on_one_line", "smallest_position"]

MOST_MINIMISED = 3
"""How many of the candidates are minimised: those that are the smallest after the first pass."""


@dataclass(frozen=True)
class SmallPosition:
    """A position that shows how two rulebooks differ.

    Args:
        turn: the position with its orders.
        source: the phase of which it is a part, ``FILE:LINE``.
        minimal: whether no single order can be left out or simplified; false when the time was used up before.
    """

    turn: Turn
    source: str
    minimal: bool

    @classmethod
    def of(cls, item: Item) -> Self:
        """Return a whole phase, without what its record tells beside."""
        turn = read_item(item)
        if turn is None:
            raise ValueError(f"{item.place} is on an unknown map")
        return cls(replace(turn, rules=None, extra={}), item.place, minimal=False)

    def on_the_board_of(self, items: Iterable[Item]) -> Self:
        """Return the same position on the board of the phase that it is a part of: another process has a copy."""
        whole = next(self.of(item).turn for item in items if item.place == self.source)
        position = replace(self.turn.position, board=whole.position.board)
        return replace(self, turn=replace(self.turn, position=position))

    @property
    def size(self) -> int:
        """How many units it has, and orders that are about none of them."""
        return size(self.turn)

    def to_json(self) -> dict[str, object]:
        """Return it as plain values; the keys are documented in ``docs/json.md``."""
        return {
            "size": self.size,
            "minimal": self.minimal,
            "source": self.source,
            "record": write_record(self.turn),
        }


def smallest_position(
    wanted: PairDifference, first: Rulebook, second: Rulebook, items: Sequence[Item], budget: Budget
) -> SmallPosition:
    """Return the smallest part of some phases that shows the same difference, by the same choices.

    A quick first pass keeps of each phase only the neighbourhood of the orders that differ; the smallest few are
    minimised then.

    Args:
        wanted: the difference.
        first: the first rulebook.
        second: the second.
        items: phases that show it, at least one.
        budget: how long it may take.
    """

    def shows(turn: Turn) -> bool:
        return differ_so(Trials(turn), first, second, wanted)

    found = list(map(SmallPosition.of, items))
    try:
        for number, candidate in enumerate(found):
            found[number] = replace(candidate, turn=_neighbourhood(candidate.turn, first, second, wanted, budget))
        found.sort(key=_rank)
        for number, candidate in enumerate(found[:MOST_MINIMISED]):
            done = minimise(candidate.turn, shows, budget)
            found[number] = replace(candidate, turn=done.turn, minimal=done.finished)
    except OutOfTime:
        pass
    return min(found, key=_rank)


def _rank(found: SmallPosition) -> tuple[int, bool, int]:
    return found.size, not found.minimal, len(on_one_line(found.turn))


# ---------------------------------------------------------------------- the first pass


def _neighbourhood(turn: Turn, first: Rulebook, second: Rulebook, wanted: PairDifference, budget: Budget) -> Turn:
    """Return the units whose orders differ, with as many rings of neighbours round them as the difference needs."""
    if turn.position.phase.traits.in_order:
        return turn
    touched = _touched(turn)
    near = set(_at_issue(turn, first, second))
    while near:
        budget.check()
        smaller = restricted_to(turn, near)
        if differ_so(Trials(smaller), first, second, wanted):
            return smaller
        reached = set[str]().union(*(touched[at] for at in near))
        wider = near | {at for at, places in touched.items() if places & reached}
        if wider == near:
            break
        near = wider
    return turn


def _at_issue(turn: Turn, first: Rulebook, second: Rulebook) -> Iterator[str]:
    """Yield the provinces of the units to which different things happen."""
    trials = Trials(turn)
    one, other = trials.under(first), trials.under(second)
    results, others = results_by_key(one), results_by_key(other)
    for key in results.keys() | others.keys():
        if effect(results.get(key)) != effect(others.get(key)):
            unit = key if isinstance(key, Unit) else ordered_unit(turn.orders[key].order)
            if unit is not None:
                yield unit.province
    for item in {*one.dislodged} ^ {*other.dislodged}:
        yield item.unit.province


def _touched(turn: Turn) -> dict[str, set[str]]:
    """Return province of a unit -> the provinces that its orders name, its own among them."""
    touched = {unit.province: {unit.province} for unit in turn.position.units}
    for given in turn.orders:
        unit = ordered_unit(given.order)
        if unit is not None and unit.province in touched:
            touched[unit.province].update(_named(given))
    return touched


def _named(given: Given) -> Iterator[str]:
    for name in (item.name for item in fields(given.order)):
        value = getattr(given.order, name)
        if isinstance(value, UnitRef):
            yield value.province
        elif name == "destination" and value is not None:
            yield province_of(value)


# ---------------------------------------------------------------------- words


def on_one_line(turn: Turn) -> str:
    """Return a position with its orders in one line: ``ENGLAND: F LON H, A WAL; FRANCE: A BRE - LON VIA``.

    Units without orders stand there by themselves; other phases than movement tell their name, and winter the centres.
    """
    board, position = turn.position.board, turn.position
    ordered = {unit.province for given in turn.orders if (unit := ordered_unit(given.order)) is not None}
    entries = [(given.power, write_order(given.order, Notation.PACKAGE, board)) for given in turn.orders]
    idle = (*position.units, *(item.unit for item in position.dislodged))
    entries += [(unit.power, str(unit)) for unit in idle if unit.province not in ordered]
    told = _by_power(entries, board)
    if position.phase.traits.orders_tell_units:
        return told
    centres = _by_power([(power, at) for power, owned in position.centres.items() for at in sorted(owned)], board)
    return f"{position.phase}: {told}" + (f" (centres: {centres})" if centres else "")


def _by_power(entries: Iterable[tuple[str, str]], board: Board) -> str:
    """Return what belongs to powers, by power in the order of the map."""
    powers = list(board.powers)
    ordered = sorted(entries, key=lambda entry: powers.index(entry[0]))
    groups = groupby(ordered, key=lambda entry: entry[0])
    return "; ".join(f"{power}: {', '.join(text for _, text in group)}" for power, group in groups)
