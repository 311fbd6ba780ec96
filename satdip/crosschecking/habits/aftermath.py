"""What engines do otherwise in retreats and in winter."""

from __future__ import annotations

from dataclasses import replace

from satdip.board import Board, province_of
from satdip.crosschecking.engines import Answer
from satdip.phase.orders import Build, Disband, Move, Retreat, UnitRef
from satdip.phase.position import Unit
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import Resolution

__all__ = [
    "carried_out_first",
    "centres_awarded",
    "centres_by_occupation",
    "named_by_ids",
    "removed_by_alphabet",
    "retreats_into_standoffs",
    "retreats_reopened",
    "retreats_to_parts",
    "retreats_unfiltered",
    "words_against_units",
]


def retreats_unfiltered(resolution: Resolution, ours: Answer, theirs: Answer) -> Answer | None:
    """Open every neighbour to units that convoyed armies dislodged, where the engine does.

    Args:
        resolution: satdip's.
        ours: the same as an answer.
        theirs: the engine's answer.

    Returns:
        The answer with these retreats; None where the engine opens all neighbours to no such unit.
    """
    board, told = resolution.position.board, theirs.retreats or {}
    wide = {
        unit.province: near
        for unit in _driven_by_convoys(resolution)
        if told.get(unit.province) == (near := board.reach(unit.kind, unit.location))
    }
    if not wide:
        return None
    gone = frozenset(ours.disbanded or ()).difference(wide)
    return replace(ours, retreats={**(ours.retreats or {}), **wide}, disbanded=gone, centers=None)


def retreats_into_standoffs(resolution: Resolution, ours: Answer, theirs: Answer) -> Answer | None:
    """Open provinces that a stand-off left empty, where the engine does; arguments as above."""
    told, known = theirs.retreats or {}, ours.retreats or {}
    driven = {item.unit.province: known.get(item.unit.province, frozenset()) for item in resolution.dislodged}
    wide = {
        at: told[at]
        for at, ways in driven.items()
        if ways < told.get(at, frozenset()) and resolution.contested.issuperset(map(province_of, told[at] - ways))
    }
    if not wide:
        return None
    gone = frozenset(ours.disbanded or ()).difference(wide)
    return replace(ours, retreats={**known, **wide}, disbanded=gone, centers=None)


def retreats_to_parts(resolution: Resolution, ours: Answer, theirs: Answer) -> Answer | None:
    """Let units retreat to one province by different names of it: of a coast, or of the land; arguments as above."""
    if not resolution.position.phase.traits.dislodged_act or theirs.moves is None or ours.units is None:
        return None
    moves, units = dict(ours.moves or {}), {power: set(texts) for power, texts in ours.units.items()}
    parts: dict[str, set[str]] = {}
    for result in resolution.orders:
        action, unit = result.checked.action, result.unit
        if isinstance(action, Retreat) and unit is not None and unit.province in theirs.moves and not result.success:
            text = f"{unit.kind} {action.destination}"
            parts.setdefault(province_of(action.destination), set()).add(text)
            moves[unit.province] = action.destination
            units.setdefault(unit.power, set()).add(text)
    if not any(len(texts) > 1 for texts in parts.values()):
        return None
    gone = frozenset(ours.disbanded or ()).difference(moves)
    return replace(ours, moves=moves, units={p: frozenset(texts) for p, texts in units.items()}, disbanded=gone)


def words_against_units(resolution: Resolution, ours: Answer, theirs: Answer) -> Answer | None:
    """Take the engine's word for retreats although the units stand where the rules put them; arguments as above."""
    retreats = resolution.position.phase.traits.dislodged_act
    if not retreats or ours.units != theirs.units or theirs.moves is None or ours.moves == theirs.moves:
        return None
    return replace(ours, moves=theirs.moves)


def centres_awarded(_: Resolution, ours: Answer, theirs: Answer) -> Answer | None:
    """Give a power centres on which units of others stand, where the engine does; arguments as above."""
    if ours.centers is None or theirs.centers is None or theirs.units is None:
        return None
    holders = {province_of(text[2:]): power for power, texts in theirs.units.items() for text in texts}
    odd = any(holders.get(at, power) != power for power, owned in theirs.centers.items() for at in owned)
    return replace(ours, centers=theirs.centers) if odd else None


def centres_by_occupation(turn: Turn, _: Answer) -> Turn | None:
    """Count the centres of a winter anew: units own those where they stand."""
    position = turn.position
    if not position.phase.traits.by_count:
        return None
    holders = {unit.province: unit.power for unit in position.units if unit.province in position.board.centres}
    owned = {power: {at for at in held if holders.get(at, power) == power} for power, held in position.centres.items()}
    for at, power in holders.items():
        owned.setdefault(power, set()).add(at)
    centres = {power: frozenset(held) for power, held in owned.items() if held}
    if centres == dict(position.centres):
        return None
    return replace(turn, position=replace(position, centres=centres))


def _driven_by_convoys(resolution: Resolution) -> list[Unit]:
    """Return the units that convoyed armies dislodged."""
    convoyed = {
        province_of(action.destination)
        for result in resolution.orders
        if result.success and isinstance(action := result.checked.action, Move) and action.via
    }
    return [item.unit for item in resolution.dislodged if item.unit.province in convoyed]


def retreats_reopened(turn: Turn, answer: Answer) -> Turn | None:
    """Open to dislodged units the neighbours to which they retreat by the engine's answer."""
    position = turn.position
    if not position.phase.traits.dislodged_act or answer.moves is None:
        return None
    dislodged = []
    for item in position.dislodged:
        unit, goal = item.unit, answer.moves.get(item.unit.province)
        near = position.board.reach(unit.kind, unit.location) & {goal or unit.location}
        dislodged.append(replace(item, retreats=(item.retreats or frozenset()) | near))
    if tuple(dislodged) == position.dislodged:
        return None
    return replace(turn, position=replace(position, dislodged=tuple(dislodged)))


def carried_out_first(turn: Turn, answer: Answer) -> Turn | None:
    """Give first the builds and removals that were carried out."""
    if not turn.position.phase.traits.by_count or answer.units is None:
        return None
    after = answer.units

    def carried_out(given: Given) -> bool:
        order = given.order
        text = f"{order.unit.kind} {order.unit.location}" if isinstance(order, Build | Disband) else ""
        return (text in after.get(given.power, ())) == isinstance(order, Build)

    orders = tuple(sorted(turn.orders, key=carried_out, reverse=True))
    return None if orders == turn.orders else replace(turn, orders=orders)


def named_by_ids(turn: Turn, _: Answer) -> Turn | None:
    """Name the provinces by their ids, so that the alphabet of the ids breaks ties."""
    if not turn.position.phase.traits.by_count:
        return None
    board = turn.position.board
    names = {id_: replace(province, name=id_) for id_, province in board.provinces.items()}
    renamed: Board = replace(board, provinces=names)
    return replace(turn, position=replace(turn.position, board=renamed))


def removed_by_alphabet(turn: Turn, _: Answer) -> Turn | None:
    """Let every power order the removal of its units by the alphabet of the places, after what it ordered itself."""
    position = turn.position
    if not position.phase.traits.by_count:
        return None
    names = position.board.provinces
    units = sorted(position.units, key=lambda unit: names[unit.province].name.lower())
    short = [unit for unit in units if _in_excess(turn, unit.power)]
    more = tuple(Given(unit.power, Disband(UnitRef(unit.location, unit.kind))) for unit in short)
    return replace(turn, orders=turn.orders + more) if more else None


def _in_excess(turn: Turn, power: str) -> bool:
    """Return whether a power has more units than centres."""
    number = sum(unit.power == power for unit in turn.position.units)
    return number > len(turn.position.centres.get(power, ()))
