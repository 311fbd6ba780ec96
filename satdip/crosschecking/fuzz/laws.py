"""Laws: what may be changed about a phase so that the result stays the same, or changes in a known way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import UnitKind, province_of
from satdip.crosschecking.engines import Difference
from satdip.crosschecking.fuzz.case import Case, compared_values
from satdip.crosschecking.fuzz.facts import Facts, Told, compact, compared, facts
from satdip.notation import read_record, read_sheet, write_record, write_sheet
from satdip.phase.minimise import restricted_to
from satdip.phase.orders import Move, Order, Support, Unclear, UnitRef, ordered_unit
from satdip.phase.position import Position
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.telling.serialise import resolution_to_json

__all__ = ["again", "apart", "groups", "in_reverse", "renamed", "written_down"]


def _resolved(case: Case, turn: Turn, names: Mapping[str, str] | None = None) -> tuple[Difference, ...]:
    """Compare with the resolution of another form of the phase."""
    return compared(case.facts, facts(adjudicate_turn(turn, case.rules), names))


def again(case: Case) -> Sequence[Difference]:
    """The same phase has the same resolution, with the same reasons in the same sequence."""
    one, other = (resolution_to_json(adjudicate_turn(case.turn, case.rules)) for _ in range(2))
    return compared_values(one, other)


def written_down(case: Case) -> Sequence[Difference]:
    """A phase says the same as a phase record and as an order sheet."""
    record, sheet = read_record(write_record(case.turn)), read_sheet(write_sheet(case.turn))
    return (*_resolved(case, record), *_resolved(case, sheet))


def in_reverse(case: Case) -> Sequence[Difference] | None:
    """In which sequence units and orders are listed does not matter, where each unit has one order."""
    turn = case.turn
    several = any(number > 1 for number in case.orders_of_units.values())
    if several or case.traits.by_count or _has_sets(turn):
        return None
    position = replace(turn.position, units=turn.position.units[::-1], dislodged=turn.position.dislodged[::-1])
    return _resolved(case, replace(turn, position=position, orders=turn.orders[::-1]))


def renamed(case: Case) -> Sequence[Difference] | None:
    """Who is who does not matter before winter: the powers change their names, the first with the last and so on."""
    turn = case.turn
    if case.traits.by_count or _has_sets(turn):
        return None
    powers = sorted(turn.position.board.powers)
    new = dict(zip(powers, reversed(powers), strict=True))
    position = replace(
        turn.position,
        units=tuple(replace(unit, power=new[unit.power]) for unit in turn.position.units),
        dislodged=tuple(
            replace(item, unit=replace(item.unit, power=new[item.unit.power])) for item in turn.position.dislodged
        ),
        centres={new[power]: owned for power, owned in turn.position.centres.items()},
    )
    orders = tuple(
        replace(given, power=new[given.power], order=_with_powers(given.order, new)) for given in turn.orders
    )
    return _resolved(case, replace(turn, position=position, orders=orders), new)


def _with_powers(order: Order, new: Mapping[str, str]) -> Order:
    changes: dict[str, Any] = {
        item.name: replace(ref, power=new[ref.power])
        for item in fields(order)
        if isinstance(ref := getattr(order, item.name), UnitRef) and ref.power is not None
    }
    return replace(order, **changes) if changes else order


def _has_sets(turn: Turn) -> bool:
    return bool(turn.proxies) or any(given.order_set is not None or given.perpetual for given in turn.orders)


def apart(case: Case) -> Sequence[Difference] | None:
    """Units that have nothing to do with each other can be adjudicated apart.

    Only the retreats of a unit may be fewer on the whole board: where others stand then, or have stood each other off.
    """
    turn = case.turn
    standing = {unit.province for unit in turn.position.units}
    ordered = {ref.province for given in turn.orders if (ref := ordered_unit(given.order)) is not None}
    all_have_orders = ordered == standing == set(case.orders_of_units)  # else powers may be in civil disorder
    if case.traits.in_order or not all_have_orders or _has_sets(turn):
        return None
    by_themselves = list(groups(turn))
    if len(by_themselves) == 1:
        return None
    parts = [adjudicate_turn(restricted_to(turn, group), case.rules) for group in by_themselves]
    whole, together = _of_groups(case.facts), _of_groups(compact(_all_facts(parts)))
    return (*compared(whole, together), *_retreats_apart(case.resolution, parts))


def _all_facts(parts: Iterable[Resolution]) -> Iterator[Told]:
    return ((*key, words) for part in parts for key, words in facts(part).items())


def _of_groups(table: Facts) -> Facts:
    """Return the facts that groups of units decide by themselves: not whether a dislodged unit has a place to go to."""
    kept = ("order", "contested", "paradox", "disrupted", "failed", "rotation", "answer")
    return {
        key: tuple(sorted({word.removesuffix(" destroyed") for word in words}))
        for key, words in table.items()
        if key[0] in kept
    }


def _retreats_apart(whole: Resolution, parts: Sequence[Resolution]) -> Iterator[Difference]:
    if whole.next is None:
        return
    closed = whole.contested.union(unit.province for unit in whole.next.units)
    found = {item.unit: item for part in parts for item in part.dislodged}
    for item in whole.dislodged:
        alone = found.pop(item.unit, None)
        free = frozenset(at for at in (alone and alone.retreats) or () if province_of(at) not in closed)
        if alone is None or free != item.retreats or alone.attacker_from != item.attacker_from:
            yield Difference("retreats", str(item.unit), tuple(sorted(item.retreats or ())), tuple(sorted(free)))
    for unit in found:
        yield Difference("retreats", str(unit), (), ("dislodged",))


def groups(turn: Turn) -> Iterator[frozenset[str]]:
    """Yield the provinces of units that may have to do with each other: named in one order, or about convoys."""
    import networkx as nx  # loaded late: it is slow

    linked: nx.Graph[str] = nx.Graph()
    for given in turn.orders:
        named = list(_named(given.order))
        linked.add_edges_from(zip(named, named[1:] or named, strict=False))
        if _may_sail(given.order, turn.position):
            linked.add_edge(named[0], "")  # no province has this name: it stands for the fleets at sea
    for unit in turn.position.units:
        linked.add_node(unit.province)
        if unit.kind == UnitKind.FLEET and turn.position.board.is_sea(unit.province):
            linked.add_edge(unit.province, "")
    standing = frozenset(unit.province for unit in turn.position.units)
    components = (standing.intersection(component) for component in nx.connected_components(linked))
    yield from sorted(filter(None, components), key=sorted)


def _named(order: Order) -> Iterator[str]:
    """Yield the provinces that an order names."""
    for value in (getattr(order, item.name) for item in fields(order)):
        match value:
            case UnitRef():
                yield value.province
            case str() if value and not isinstance(order, Unclear):
                yield province_of(value)
            case (*places,):
                yield from map(str, places)


def _may_sail(order: Order, position: Position) -> bool:
    """Return whether an order is about an army that goes, or would go, by convoy."""
    mover = order.target if isinstance(order, Support) else ordered_unit(order)
    goal = getattr(order, "destination", None)
    if mover is None or goal is None:
        return False
    by_land = province_of(goal) in position.board.army.get(mover.province, ())
    return not by_land or (isinstance(order, Move) and (order.via or bool(order.route)))
