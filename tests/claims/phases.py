"""Random phases of every kind, with orders as careless people write them: most of them possible, many of them not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from support.positions import given_of, retreat_orders

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, UnitKind, province_of
from satdip.generate import GENERATORS
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef, Waive
from satdip.phase.position import Phase, Position, Unit
from satdip.phase.turn import Given, OrderSet, Proxied, Turn
from satdip.rulebook import Rulebook

__all__ = ["phase"]


def phase(board: Board, seed: int, rules: Rulebook) -> Turn:
    """Return the phase of a number: mostly movement, every sixth of retreats and every sixth of winter."""
    rng = Random(seed)
    match seed % 6:
        case 4:
            return _retreats(board, rng, rules)
        case 5:
            return _winter(board, rng)
        case _:
            return _movement(board, rng)


def _drawn(board: Board, rng: Random) -> Turn:
    kind = rng.choice(("dense", "dense", "coherent", "coherent", "uniform"))
    turn = GENERATORS[kind](board, rng)
    return replace(turn, position=replace(turn.position, phase=Phase.parse(rng.choice(("S1901M", "F1901M")))))


def _movement(board: Board, rng: Random) -> Turn:
    turn = _drawn(board, rng)
    orders = list(turn.orders)
    style = rng.random()
    if style < 0.5:
        orders = [_careless(rng, board, turn.position, given) if rng.random() < 0.1 else given for given in orders]
    if style < 0.35:
        silent = (
            set(rng.sample(sorted({given.power for given in orders}), 1)) if rng.random() < 0.3 and orders else set()
        )
        orders = [given for given in orders if given.power not in silent and rng.random() > 0.03]
    if rng.random() < 0.15:
        return _in_sets(rng, replace(turn, orders=tuple(orders)))
    return replace(turn, orders=tuple(orders))


def _anywhere(rng: Random, board: Board) -> str:
    return rng.choice([*board.provinces, *board.fleet])


def _careless(rng: Random, board: Board, position: Position, given: Given) -> Given:
    """Return an order with something wrong, left out or changed."""
    order = given.order
    ref: UnitRef = getattr(order, "unit", UnitRef("PAR"))
    other = rng.choice(position.units)
    wrong: list[Callable[[], Order]] = [
        lambda: Move(ref, _anywhere(rng, board), via=rng.random() < 0.3),
        lambda: Move(ref, rng.choice(sorted(board.reach(other.kind, other.location))), via=rng.random() < 0.5),
        lambda: Support(ref, UnitRef(other.location, other.kind), rng.choice([None, _anywhere(rng, board)])),
        lambda: Convoy(ref, UnitRef(other.location, other.kind), _anywhere(rng, board)),
        lambda: Hold(UnitRef(_anywhere(rng, board), rng.choice([*UnitKind, None]))),
        lambda: Hold(UnitRef(ref.location, rng.choice([*UnitKind, None]))),
        lambda: Disband(ref),
        lambda: _changed(rng, board, order),
        lambda: _changed(rng, board, order),
        lambda: _changed(rng, board, order),
    ]
    power = other.power if rng.random() < 0.05 else given.power
    return Given(power, rng.choice(wrong)())


def _changed(rng: Random, board: Board, order: Order) -> Order:
    match order:
        case Move():
            goal = province_of(order.destination) if rng.random() < 0.5 else order.destination
            route = tuple(rng.sample([p for p in board.provinces if board.is_sea(p)], 1)) if rng.random() < 0.3 else ()
            return replace(order, destination=goal, via=not order.via, route=route)
        case Support(destination=str()) if rng.random() < 0.3:
            return replace(order, destination=None)
        case Support():
            return replace(order, target=_named(rng, board, order.target))
        case Convoy():
            return replace(order, army=_named(rng, board, order.army))
        case _:
            return order


def _named(rng: Random, board: Board, ref: UnitRef) -> UnitRef:
    power = rng.choice([None, ref.power, *board.powers])
    return replace(ref, power=power, kind=rng.choice([ref.kind, None, *UnitKind]))


def _in_sets(rng: Random, turn: Turn) -> Turn:
    """Return a phase with order sets, perpetual orders and proxies."""
    dated = rng.random() < 0.7
    powers = sorted({given.power for given in turn.orders})
    orders: list[Given] = []
    for given in turn.orders:
        sets = sorted(rng.sample((1, 2, 3), rng.choice((1, 1, 2))))
        for number in sets if rng.random() < 0.8 else ():
            order = given.order if rng.random() < 0.7 else Hold(getattr(given.order, "unit", UnitRef("PAR")))
            orders.append(replace(given, order=order, order_set=OrderSet(number, in_sequence=dated)))
        if rng.random() < 0.1:
            orders.append(replace(given, perpetual=True))
    proxies: list[Proxied] = []
    for unit in rng.sample(turn.position.units, min(3, len(turn.position.units))):
        holder = rng.choice(powers)
        if holder != unit.power:
            one = OrderSet(rng.choice((1, 2, 3)), in_sequence=dated) if rng.random() < 0.5 else None
            ref = UnitRef(unit.location, unit.kind)
            proxies.append(Proxied(unit.power, ref, holder, notified=one is None, order_set=one))
            if rng.random() < 0.8:
                orders.append(Given(holder, Hold(ref), order_set=OrderSet(1, in_sequence=dated)))
    return replace(turn, orders=tuple(orders), proxies=tuple(proxies))


def _retreats(board: Board, rng: Random, rules: Rulebook) -> Turn:
    """Return the retreats after a movement phase in which many are dislodged; some say nothing about them."""
    for _ in range(20):
        after = adjudicate_turn(_drawn(board, rng), rules).next
        if after is not None and after.dislodged:
            break
    else:
        return _movement(board, rng)
    orders = list(given_of(retreat_orders(rng, after), board))
    for item in after.dislodged:
        if rng.random() < 0.15:
            wrong = [Move(UnitRef(item.unit.location), _anywhere(rng, board), via=rng.random() < 0.5)]
            orders.append(Given(item.unit.power, rng.choice([*wrong, Hold(UnitRef(item.unit.location))])))
        if item.attacker_from is not None and rng.random() < 0.1:
            orders.append(Given(item.unit.power, Retreat(UnitRef(item.unit.location), item.attacker_from)))
    if rng.random() < 0.1:
        orders.append(Given(rng.choice(sorted(board.powers)), Retreat(UnitRef(_anywhere(rng, board)), "PAR")))
    rng.shuffle(orders)
    return Turn(after, tuple(orders))


def _winter(board: Board, rng: Random) -> Turn:
    """Return a winter of two or three powers that own more or less than they have units."""
    powers = rng.sample(sorted(board.powers), rng.randint(2, 3))
    places = rng.sample(sorted(board.provinces), rng.randint(0, 10))
    units = [
        Unit(rng.choice(powers), kind, rng.choice(sorted(at))) for p in places for kind, at in [_stand(rng, board, p)]
    ]
    free = sorted(board.centres)
    rng.shuffle(free)
    centres = {power: set(board.powers[power].home) if rng.random() < 0.7 else set() for power in powers}
    taken = set().union(*centres.values())
    for at in free[: rng.randint(0, 8)]:
        if at not in taken:
            centres[rng.choice(powers)].add(at)
    for power in powers:
        centres[power] -= {at for at in centres[power] if rng.random() < 0.1}
    position = Position(board, Phase.parse("W1901A"), tuple(units), (), {p: frozenset(c) for p, c in centres.items()})
    orders: list[Given] = []
    for power in powers:
        homes = sorted(board.powers[power].home)
        own = [unit for unit in units if unit.power == power]
        for _ in range(rng.randint(0, 5)):
            home = rng.choice(homes if rng.random() < 0.85 else sorted(board.provinces))
            coast = rng.choice([home, *(at for at in board.fleet if province_of(at) == home)])
            kind = rng.choice([*UnitKind, *UnitKind, None])
            orders.append(Given(power, Build(UnitRef(coast, kind))))
        orders += [Given(power, Disband(UnitRef(unit.location))) for unit in own if rng.random() < 0.5]
        if rng.random() < 0.2:
            orders.append(Given(power, Waive()))
        if rng.random() < 0.1:
            orders.append(Given(power, Disband(UnitRef(_anywhere(rng, board)))))
    rng.shuffle(orders)
    turn = Turn(position, tuple(orders))
    if rng.random() < 0.1:
        return replace(turn, orders=tuple(replace(g, order_set=OrderSet(rng.choice((1, 2)))) for g in turn.orders))
    return turn


def _stand(rng: Random, board: Board, province: str) -> tuple[UnitKind, list[str]]:
    kinds = [kind for kind in UnitKind if board.locations(kind, province)]
    kind = rng.choice(kinds)
    return kind, list(board.locations(kind, province))
