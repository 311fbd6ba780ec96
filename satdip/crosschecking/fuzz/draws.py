"""Phases to fuzz with, drawn by name and seed: those of `satdip.generate`, with slips, and of the other seasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.board import Board, UnitKind, province_of
from satdip.board.mapfile import load_board
from satdip.generate import FEATURES, GENERATORS, Generator, wanted
from satdip.phase.orders import Build, Disband, Order, Retreat, Support, UnitRef, Waive
from satdip.phase.position import Dislodged, Phase, Position, Unit
from satdip.phase.turn import Given, Turn
from satdip.rulebook import DATC

__all__ = ["KINDS", "drawn", "kinds_named"]

TRIES = 200
"""Fights that are looked at for dislodged units."""


def drawn(kind: str, seed: int) -> Turn:
    """Return a phase on the standard map, the same one for the same kind and seed.

    Args:
        kind: one of `KINDS`.
        seed: where chance begins.

    Raises:
        InputError: there is no such kind.
    """
    kinds_named([kind])
    return KINDS[kind](load_board("standard"), Random(seed), seed)  # noqa: S311 -- chance that can be repeated


def kinds_named(names: Sequence[str]) -> tuple[str, ...]:
    """Return kinds of phase by name, all of them for no name.

    Raises:
        InputError: there is no such kind.
    """
    for name in names:
        if name not in KINDS:
            raise InputError(f"no kind of phase is called {name!r}; the kinds are {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in names or not names)


def _wanted(board: Board, rng: Random, seed: int) -> Turn:
    """Return a phase with a feature, each in its turn."""
    return wanted(list(FEATURES)[seed % len(FEATURES)])(board, rng)


# ---------------------------------------------------------------------- slips


def _slips(board: Board, rng: Random, _seed: int) -> Turn:
    """Return a fight in which some orders are wrong, there twice, given by the wrong power, or missing."""
    turn = GENERATORS[rng.choice(("coherent", "dense", "dense"))](board, rng)
    orders: list[Given] = []
    for given in turn.orders:
        orders += _slipped(given, turn.position, rng) if rng.random() < 0.3 else [given]
    return replace(turn, orders=tuple(orders))


def _slipped(given: Given, position: Position, rng: Random) -> Iterator[Given]:
    powers, kept = sorted(position.board.powers), rng.random()
    if kept < 0.1:
        return
    if kept < 0.2:
        given = replace(given, power=rng.choice(powers))
    elif kept < 0.3:
        yield given
    for _ in range(rng.choice((0, 1, 1, 2))):
        given = replace(given, order=_changed(given.order, position.board, rng))
    yield given


def _changed(order: Order, board: Board, rng: Random) -> Order:
    """Change one thing in an order."""
    names = [name for name in ("unit", "target", "army", "destination", "via") if hasattr(order, name)]
    name = rng.choice(names)
    value = getattr(order, name)
    match value:
        case UnitRef():
            changed: Any = _changed_unit(value, board, rng)
        case bool():
            changed = not value
        case None:
            changed = rng.choice(sorted(board.provinces))
        case _:
            changed = _changed_place(value, board, rng)
            if isinstance(order, Support) and rng.random() < 0.2:
                changed = None
    changes: dict[str, Any] = {name: changed}
    return replace(order, **changes)


def _changed_unit(ref: UnitRef, board: Board, rng: Random) -> UnitRef:
    chance = rng.random()
    if chance < 0.3:
        return replace(ref, kind=None)
    if chance < 0.5:
        return replace(ref, kind=UnitKind.FLEET if ref.kind == UnitKind.ARMY else UnitKind.ARMY)
    if chance < 0.7:
        return replace(ref, power=rng.choice(sorted(board.powers)))
    return replace(ref, location=_changed_place(ref.location, board, rng))


def _changed_place(place: str, board: Board, rng: Random) -> str:
    """Leave a coast out, name one, or name a neighbour instead."""
    province = province_of(place)
    coasts = [at for at in board.fleet if "/" in at and province_of(at) == province]
    if (coasts or "/" in place) and rng.random() < 0.7:
        return rng.choice([province, *coasts])
    return rng.choice(sorted(board.neighbours.get(province, ())) or [province])


# ---------------------------------------------------------------------- the other seasons


def _retreats(board: Board, rng: Random, _seed: int) -> Turn:
    """Return a retreat phase after a fight; where several units may go to one province, rather there."""
    for _ in range(TRIES):
        after = adjudicate_turn(GENERATORS["dense"](board, rng), DATC).next
        driven = () if after is None else after.dislodged
        wanted_by = Counter(at for item in driven for at in {province_of(at) for at in item.retreats or ()})
        shared = {at for at, number in wanted_by.items() if number > 1}
        if after is not None and driven and (shared or rng.random() < 0.2):
            orders = [given for item in driven for given in _retreat(item, after, shared, rng)]
            return Turn(after, tuple(orders))
    raise InputError(f"no fight with a dislodged unit was found on {board.name}")


def _retreat(item: Dislodged, position: Position, shared: Collection[str], rng: Random) -> Iterator[Given]:
    """Yield what a dislodged unit is ordered: once, twice or not at all, and rarely something impossible."""
    possible = sorted(item.retreats or ())
    crowded = [at for at in possible if province_of(at) in shared]
    near = sorted(position.board.reach(item.unit.kind, item.unit.location))
    for _ in range(rng.choice((0, 1, 1, 1, 1, 2))):
        goals = rng.choices((crowded or possible, possible, near), (4, 1, 1))[0]
        ref = UnitRef(item.unit.location, item.unit.kind)
        order: Order = Disband(ref) if not goals or rng.random() < 0.1 else Retreat(ref, rng.choice(goals))
        yield Given(item.unit.power, _changed(order, position.board, rng) if rng.random() < 0.1 else order)


def _winter(board: Board, rng: Random, _seed: int) -> Turn:
    """Return a winter in which most powers have units to build or to remove, with too many orders, or too few."""
    powers = sorted(board.powers)
    owner = {at: rng.choice(powers) for at in sorted(board.centres)}
    owner |= {at: power for power in powers for at in board.powers[power].home if rng.random() < 0.8}
    centres = {power: frozenset(at for at, holder in owner.items() if holder == power) for power in powers}
    units: list[Unit] = []
    for province in rng.sample(sorted(board.provinces), rng.randint(10, 40)):
        places = [(kind, at) for kind in UnitKind for at in board.locations(kind, province)]
        units.append(Unit(rng.choice(powers), *rng.choice(places)))
    position = Position(board, Phase.parse("W1901A"), tuple(units), (), centres)
    return Turn(position, tuple(given for power in powers for given in _adjustments(power, position, rng)))


def _adjustments(power: str, position: Position, rng: Random) -> Iterator[Given]:
    """Yield what a power orders in winter: about as much as it has to, and sometimes the wrong things."""
    board, owned = position.board, sorted(position.centres[power])
    units = [unit for unit in position.units if unit.power == power]
    spare = len(owned) - len(units)
    homes = [at for at in board.powers[power].home if position.unit_at(at) is None]
    for _ in range(max(0, abs(spare) + rng.randint(-2, 2))):
        if (spare > 0) == (rng.random() < 0.1) and units:
            unit = rng.choice(units if rng.random() < 0.9 else position.units)
            yield Given(power, Disband(UnitRef(unit.location, unit.kind)))
        elif rng.random() < 0.1:
            yield Given(power, Waive())
        else:
            at = rng.choice(homes if homes and rng.random() < 0.9 else sorted(board.provinces))
            kind = rng.choice((*UnitKind, None) if rng.random() < 0.2 else tuple(UnitKind))
            place = rng.choice(board.locations(kind, at) or (at,)) if kind and rng.random() < 0.8 else at
            yield Given(power, Build(UnitRef(place, kind)))


Draw = Callable[[Board, Random, int], Turn]


def _of(generator: Generator) -> Draw:
    return lambda board, rng, _seed: generator(board, rng)


KINDS: Mapping[str, Draw] = {
    **{name: _of(generator) for name, generator in GENERATORS.items()},
    "wanted": _wanted,
    "slips": _slips,
    "retreats": _retreats,
    "winter": _winter,
}
"""Kind of phase -> what draws one."""
