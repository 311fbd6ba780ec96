"""Movement orders rewritten so that the rules give what another engine gives: one function per habit of an engine.

Each function takes the orders and the answer that the engine gave, and returns the orders as the engine seems to have
read them, or None where this habit makes no difference. satdip then adjudicates them by the rules; when that gives the
engine's answer, the habit explains it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from satdip.board import province_of
from satdip.crosschecking.habits.sheet import Moved, Sheet, named_places, standing
from satdip.phase.orders import Convoy, Hold, Order, Support

__all__ = ["Edit", "by_land", "stranded", "strange_supporters"]

Edit = Callable[[Sheet, Moved], Sheet | None]
"""How an engine seems to have read the orders; None when this makes no difference."""

MOST_ARMIES = 6
"""Convoyed armies of which all sets are tried."""


# ---------------------------------------------------------------------- by land or by sea (DATC 4.A.3)


def by_land(sheet: Sheet, armies: Iterable[str]) -> Sheet | None:
    """Take "via convoy" and the convoys away from these armies."""
    changed: dict[str, Order] = {}
    for at in armies:
        changed |= {sea: Hold(standing(sheet.units[sea])) for sea in sheet.convoys(at)}
        changed[at] = replace(sheet.moves[at], via=False)
    return sheet.ordered(changed)


def land_when_nobody_convoys(sheet: Sheet, _: Moved) -> Sheet | None:
    """The words "via convoy" count for nothing when no fleet was ordered to convoy."""
    via = (at for at, move in sheet.moves.items() if move.via and sheet.near(at))
    return by_land(sheet, [at for at in via if not sheet.convoys(at)])


def land_when_route_is_incomplete(sheet: Sheet, _: Moved) -> Sheet | None:
    """The words "via convoy" count for nothing when the fleets ordered to convoy make no whole route."""
    via = (at for at, move in sheet.moves.items() if move.via and sheet.near(at))
    return by_land(sheet, [at for at in via if sheet.convoys(at) and not sheet.carried(at)])


def land_despite_own_fleet(sheet: Sheet, _: Moved) -> Sheet | None:
    """An own fleet's convoy order counts for nothing when the fleets ordered to convoy make no whole route."""
    plain = (at for at, move in sheet.moves.items() if not move.via and sheet.near(at))
    return by_land(sheet, [at for at in plain if sheet.own_fleets(at) and not sheet.carried(at)])


def land_after_disruption(sheet: Sheet, _: Moved) -> Sheet | None:
    """An army whose convoy is broken by the loss of a fleet goes by land after all."""
    lost = sheet.resolved.dislodged
    meant = (at for at in sheet.moves if sheet.near(at) and sheet.by_sea(at) and sheet.carried(at))
    return by_land(sheet, [at for at in meant if not sheet.carried(at, lost)])


def foreign_fleets_convoy(sheet: Sheet, _: Moved) -> Sheet | None:
    """A whole route of foreign fleets carries an army that did not ask for it."""
    plain = (at for at, move in sheet.moves.items() if not move.via and sheet.near(at))
    taken = [at for at in plain if not sheet.own_fleets(at) and sheet.carried(at)]
    return sheet.ordered({at: replace(sheet.moves[at], via=True) for at in taken})


def exchange_without_convoy(sheet: Sheet, _: Moved) -> Sheet | None:
    """Two units change places when one of them says "via convoy", though nobody convoys."""
    via = (at for at, move in sheet.moves.items() if move.via and sheet.near(at) and not sheet.convoys(at))
    changing = [at for at in via if sheet.goal(sheet.goal(at)) == at]
    result: Sheet | None = None
    for at in changing:
        base = result or sheet
        result = base.joined(f"SEA{at}", at)
    return result


# ---------------------------------------------------------------------- convoys that are not there, or in a paradox


def _pathless(sheet: Sheet) -> Iterator[str]:
    """Find the armies that have to go by sea and are not carried by an intact convoy."""
    lost = sheet.resolved.dislodged
    return (at for at in sheet.moves if sheet.by_sea(at) and not sheet.carried(at, lost))


def pathless_army_blocks(sheet: Sheet, answer: Moved) -> Sheet | None:
    """An army that no convoy carries still keeps others out of its destination."""
    ours = sheet.resolved.moves
    blocked = {
        rival
        for at in _pathless(sheet)
        for rival in sheet.attackers(sheet.goal(at))
        if rival != at and rival in ours and rival not in answer.moves
    }
    return sheet.holding(blocked)


def pathless_army_vanishes(sheet: Sheet, answer: Moved) -> Sheet | None:
    """An army that no convoy carries is treated as if it were not there: others walk in and do not dislodge it."""
    entered = set(answer.moves.values()) - set(answer.moves) - answer.dislodged
    return sheet.without([at for at in _pathless(sheet) if at in entered and not sheet.near(at)])


def convoyed_army_vanishes(sheet: Sheet, answer: Moved) -> Sheet | None:
    """An army with a convoy that does not arrive is treated as if it were not there: others walk in all the same."""
    entered = set(answer.moves.values()) - set(answer.moves) - answer.dislodged
    return sheet.without([at for at in sheet.moves if at in entered and sheet.by_sea(at) and sheet.carried(at)])


def _cutting(sheet: Sheet, answer: Moved) -> Iterator[str]:
    """Find the armies that go by sea against a unit that supports, and that the engine does not let in."""
    carried = (at for at in sheet.moves if sheet.by_sea(at) and sheet.convoys(at) and at not in answer.moves)
    return (at for at in carried if isinstance(sheet.orders.get(sheet.goal(at)), Support))


def convoy_does_not_cut(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A convoyed army does not cut the support of the unit that it attacks."""
    return sheet.holding(_cutting(sheet, answer))


def stranded(sheet: Sheet, armies: Collection[str]) -> Sheet | None:
    """Take these armies' convoys away, and leave them without another way; None when there are no armies."""
    fleets = {sea: Hold(standing(sheet.units[sea])) for at in armies for sea in sheet.convoys(at)}
    return sheet.ordered({**fleets, **{at: replace(sheet.moves[at], via=True) for at in armies}})


def convoy_gives_way(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A paradox is seen, and the convoys of some armies that attack supporting units fail.

    Which ones, the answer tells: those without which it comes out, or all that arrive by the rules, or all.
    """
    armies = sorted(_cutting(sheet, answer))
    stopped = [at for at in armies if at in sheet.resolved.moves]
    plain = stranded(sheet, stopped or armies)
    if plain is None or plain.resolved == answer or len(armies) > MOST_ARMIES:
        return plain
    for number in range(1, len(armies)):
        for some in combinations(armies, number):
            fewer = stranded(sheet, some)
            if fewer is not None and fewer.resolved == answer:
                return fewer
    return plain


def every_convoy_gives_way(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A paradox is seen, and convoys that are no part of it fail too."""
    armies = (at for at in sheet.moves if sheet.by_sea(at) and at not in answer.moves)
    return sheet.holding({sea for at in armies for sea in sheet.convoys(at)})


def convoy_stands(sheet: Sheet, _: Moved) -> Sheet | None:
    """A paradox is not seen: the convoyed army cuts the support of the attack on its own convoy."""
    cut = set()
    for at in sheet.moves:
        goal = sheet.goal(at)
        order = sheet.orders.get(goal)
        if sheet.by_sea(at) and isinstance(order, Support) and order.destination is not None:
            cut |= {goal} if province_of(order.destination) in sheet.convoys(at) else set()
    return sheet.holding(cut)


# ---------------------------------------------------------------------- supports against an own unit


def _against_own(sheet: Sheet, at: str) -> list[str]:
    """Return the supporters of a move whose power owns the unit that is attacked."""
    target = sheet.units.get(sheet.goal(at))
    if target is None or target.power == sheet.units[at].power:
        return []
    return [place for place in sheet.supporters(at) if sheet.units[place].power == target.power]


def _bystander(sheet: Sheet, places: Iterable[str]) -> str | None:
    """Return a power that owns none of the units in these provinces and attacks none of them."""
    concerned = {sheet.units[at].power for at in places if at in sheet.units}
    concerned |= {sheet.units[m].power for at in places for m in sheet.attackers(at)}
    return next((power for power in sheet.board.powers if power not in concerned), None)


def strange_supporters(sheet: Sheet, movers: Iterable[str]) -> Sheet | None:
    """Give the supporters of moves against a unit of their own power to a power that has no part in it.

    Where a unit of that power attacks a supporter too, which would cut a stranger's support, it is the unit attacked
    that is given away.
    """
    powers: dict[str, str] = {}
    for at in movers:
        goal = sheet.goal(at)
        own = _against_own(sheet, at)
        if any(_pushed(sheet, place, goal) for place in own):
            power = _bystander(sheet, (*own, goal, at, *sheet.supporters(at)))
            powers |= {goal: power} if power is not None else {}
            continue
        for place in own:
            power = _bystander(sheet, (place, goal))
            if power is not None:
                powers[place] = power
    return sheet.recoloured(powers)


def support_to_own_place(sheet: Sheet, _: Moved) -> Sheet | None:
    """The support of a move of a unit to its own province counts as support in place."""
    odd = {
        place: order
        for place, order in sheet.orders.items()
        if isinstance(order, Support) and order.destination is not None and order.target.province in sheet.units
    }
    return sheet.ordered(
        {
            place: replace(order, destination=None)
            for place, order in odd.items()
            if province_of(order.destination or "") == order.target.province
        }
    )


def _pushed(sheet: Sheet, place: str, goal: str) -> bool:
    """Return whether units of its own power, but for the one in `goal`, attack a unit or support an attack."""
    attackers = set(sheet.attackers(place)) - {goal}
    pushing = attackers.union(*(sheet.supporters(at) for at in sheet.attackers(place)))
    return any(sheet.units[at].power == sheet.units[place].power for at in pushing)


def own_support_counts(sheet: Sheet, _: Moved) -> Sheet | None:
    """Support helps a convoyed army to dislodge a unit of the supporter's own power: one of the two is a stranger.

    That is the supporter, or the unit attacked where the supporter's own power pushes the supporter, too; where it is
    the unit attacked that moves so, and in vain, it is read as holding.
    """
    powers: dict[str, str] = {}
    idle: set[str] = set()
    for at in (at for at in sheet.moves if sheet.by_sea(at)):
        goal = sheet.goal(at)
        own = _against_own(sheet, at)
        pushed = [place for place in own if _pushed(sheet, place, goal)]
        if pushed and not sheet.carried(at, sheet.resolved.dislodged):
            continue  # it does not arrive, and strangers would make others arrive
        idle |= {goal for place in own if sheet.goal(goal) == place and not pushed}
        strangers = [goal] if pushed else own
        power = _bystander(sheet, (*own, goal, *((at, *sheet.supporters(at)) if pushed else ())))
        powers |= dict.fromkeys(strangers, power) if power is not None else {}
    return (sheet.holding(idle) or sheet).recoloured(powers)


def own_support_disrupts(sheet: Sheet, _: Moved) -> Sheet | None:
    """A convoy counts as disrupted where its fleet would be dislodged if its own power's supports counted."""
    fleets = {sea for sea, order in sheet.orders.items() if isinstance(order, Convoy)}
    attacks = [at for at in sheet.moves if sheet.goal(at) in fleets and _against_own(sheet, at)]
    counted = strange_supporters(sheet, attacks)
    if counted is None:
        return None
    return sheet.holding(counted.resolved.dislodged & {sheet.goal(at) for at in attacks})


def own_support_keeps_convoy(sheet: Sheet, answer: Moved) -> Sheet | None:
    """An attack on a convoying fleet fails altogether when a unit of the fleet's own power supports it too."""
    fleets = {sea for sea, order in sheet.orders.items() if isinstance(order, Convoy)} - answer.dislodged
    return sheet.holding([at for at in sheet.moves if sheet.goal(at) in fleets and _against_own(sheet, at)])


def own_side_does_not_defend(sheet: Sheet, _: Moved) -> Sheet | None:
    """In a head-to-head battle a support does not defend a move against a unit of the supporter's own power."""
    facing = (at for at in sheet.moves if not sheet.by_sea(at) and sheet.goal(sheet.goal(at)) == at)
    return sheet.holding({place for at in facing for place in _against_own(sheet, at)})


def mover_does_not_defend(sheet: Sheet, answer: Moved) -> Sheet | None:
    """In a head-to-head battle the supports of the unit that is dislodged do not count in its defence."""
    beaten = (at for at in sheet.moves if at in answer.dislodged and answer.moves.get(sheet.goal(at)) == at)
    return sheet.holding({place for at in beaten for place in sheet.supporters(at)})


def own_unit_is_dislodged(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A supported move dislodges a unit of its own power: the mover is a stranger."""
    powers: dict[str, str] = {}
    for at in sheet.moves:
        goal = sheet.goal(at)
        target = sheet.units.get(goal)
        own = target is not None and target.power == sheet.units[at].power
        if own and answer.moves.get(at) == goal in answer.dislodged:
            power = _bystander(sheet, (at, goal))
            powers |= {at: power} if power is not None else {}
    return sheet.recoloured(powers)


# ---------------------------------------------------------------------- supports that are cut, rings, borders


def cut_from_another_coast(sheet: Sheet, _: Moved) -> Sheet | None:
    """A support is cut by the unit that it is directed against, where the two stand on different parts of the province.

    The engine compares names: an army in a coastal province, a fleet on its coast and a fleet on another coast differ.
    """
    cut = []
    for place, order in sheet.orders.items():
        if not isinstance(order, Support) or order.destination is None or order.target.province not in sheet.units:
            continue
        zone, supported = province_of(order.destination), sheet.units[order.target.province]
        facing = sheet.goal(zone) == place and sheet.units[zone].power != sheet.units[place].power
        if facing and (sheet.units[zone].kind, sheet.units[zone].location) != (supported.kind, order.destination):
            cut.append(place)
    return sheet.holding(cut)


def coast_in_support_is_dropped(sheet: Sheet, _: Moved) -> Sheet | None:
    """A fleet that supports a fleet's move names the coast to which that goes, whatever is written."""
    changed: dict[str, Order] = {}
    for place, order in sheet.orders.items():
        if not isinstance(order, Support) or order.destination is None or sheet.is_army(place):
            continue
        move = sheet.moves.get(order.target.province)
        if move is None or order.zone != province_of(move.destination) or sheet.is_army(order.target.province):
            continue
        if order.destination not in (order.zone, move.destination):
            changed[place] = replace(order, destination=move.destination)
    return sheet.ordered(changed)


def rings_stand_still(sheet: Sheet, answer: Moved) -> Sheet | None:
    """Units that move round in a ring stay where they are."""
    return sheet.holding([at for ring in sheet.rings() for at in ring if at not in answer.moves])


def leaving_unit_is_dislodged(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A unit that moves away is dislodged by the attack on the province that it leaves.

    Whether it still keeps others out of where it was to go, the answer tells.
    """
    leaving = answer.dislodged & set(sheet.resolved.moves)
    rivals = {at for mover in leaving for at in sheet.attackers(sheet.goal(mover)) if at not in answer.moves}
    return sheet.holding(leaving | rivals)


def ring_member_vanishes(sheet: Sheet, answer: Moved) -> Sheet | None:
    """A unit that is ordered to move in a ring and fails lets others in as if it had left.

    It still keeps out those that are ordered to the same province, unless they have more support.
    """
    entered = set(answer.moves.values()) - set(answer.moves) - answer.dislodged
    failed = {at for at in entered if at in sheet.moves and at in sheet.followed(at)}
    weaker = {
        rival
        for at in failed
        for rival in sheet.attackers(sheet.goal(at))
        if rival not in failed and len(sheet.supporters(rival)) <= len(sheet.supporters(at))
    }
    return (sheet.holding(weaker) or sheet).without(failed)


def without_borders(*missing: tuple[str, str]) -> Edit:
    """Return an edit: the engine's map lacks these borders."""
    pairs = [frozenset(pair) for pair in missing]

    def edit(sheet: Sheet, _: Moved) -> Sheet | None:
        def cut(table: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
            return {
                at: frozenset(to for to in there if frozenset((province_of(at), province_of(to))) not in pairs)
                for at, there in table.items()
            }

        crossed = {frozenset((at, place)) for at, order in sheet.orders.items() for place in named_places(order)}
        if crossed.isdisjoint(pairs):
            return None
        return sheet.on(replace(sheet.board, army=cut(sheet.board.army), fleet=cut(sheet.board.fleet)))

    return edit
