"""Helpers of the tests: units and orders in the notation of phase records, as satdip's values and back."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from reference import RefMap
from reference.generate import coherent, dense, uniform

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, UnitKind, province_of
from satdip.notation import read_order
from satdip.phase.position import Phase, Position, Unit
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import OrderResult, Resolution
from satdip.rulebook import DATC, PROFILES, Rulebook
from satdip.rulebook.rulebook import issues
from satdip.solving.solver import DEFAULT_SOLVER
from satdip.solving.verdict import DecidedBy

__all__ = [
    "GENERATORS",
    "Drawn",
    "Powers",
    "assert_same_without_folding",
    "describe",
    "draw",
    "given_of",
    "position_after",
    "position_of",
    "reference_map",
    "retreat_orders",
    "rivalries",
    "rulebooks",
    "turn_of",
    "unit_of",
    "units_named",
]

Powers = Mapping[str, Sequence[str]]
"""Power -> texts: its units (``A PAR``) or its orders (``A PAR - BUR``)."""

Drawn = tuple[Powers, Powers]
"""Units and orders of a random position."""

GENERATORS: Mapping[str, Callable[[random.Random, RefMap], Drawn]] = {
    "dense": dense,
    "coherent": coherent,
    "uniform": uniform,
}


@cache
def reference_map() -> RefMap:
    """Return the standard map as the reference adjudicator sees it."""
    with (Path(__file__).parents[2] / "maps" / "standard.toml").open("rb") as file:
        return RefMap.from_tables(tomllib.load(file)["provinces"])


def draw(generator: str, seed: int, ref_map: RefMap) -> Drawn:
    """Return a random position with orders, the same one for the same seed."""
    return GENERATORS[generator](random.Random(seed), ref_map)


def unit_of(power: str, text: str) -> Unit:
    """Return the unit ``F STP/SC`` of a power."""
    return Unit(power, UnitKind(text[0]), text[2:])


def units_named(orders: Powers) -> Powers:
    """Return the units that orders are written for."""
    return {power: list(dict.fromkeys(" ".join(t.split()[:2]) for t in texts)) for power, texts in orders.items()}


def position_of(units: Powers, board: Board, phase: str = "S1901M") -> Position:
    """Return a position with these units."""
    standing = tuple(unit_of(power, text) for power, texts in units.items() for text in texts)
    return Position(board, Phase.parse(phase), standing)


def given_of(orders: Powers, board: Board) -> tuple[Given, ...]:
    """Return orders as they are handed in."""
    return tuple(Given(power, read_order(text, board).order, text) for power, texts in orders.items() for text in texts)


def turn_of(units: Powers, orders: Powers, board: Board) -> Turn:
    """Return a movement phase with its orders."""
    return Turn(position_of(units, board), given_of(orders, board))


def position_after(resolution: Resolution) -> Position:
    """Return the next position of a phase that the rules decide."""
    assert resolution.next is not None, "the rules leave a paradox open"
    return resolution.next


def rivalries(position: Position) -> set[str]:
    """Provinces to which more than one unit may retreat."""
    free = Counter(at for item in position.dislodged for at in {province_of(at) for at in item.retreats or ()})
    return {at for at, times in free.items() if times > 1}


def retreat_orders(rng: random.Random, position: Position) -> Powers:
    """Orders to dislodged units: most of them possible, some not, some to foreign units, some left out."""
    powers = sorted({item.unit.power for item in position.dislodged})
    wanted = rivalries(position)
    likely = sorted(at for item in position.dislodged for at in item.retreats or ())
    orders: dict[str, list[str]] = {}
    for item in position.dislodged:
        near = sorted(position.board.reach(item.unit.kind, item.unit.location))
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2))):
            best = [at for at in near if province_of(at) in wanted] or sorted(item.retreats or ())
            goal = rng.choice(best if rng.random() < 0.7 else [*near, *likely])
            if rng.random() < 0.15:
                goal = province_of(goal)
            action = "D" if rng.random() < 0.1 else f"{rng.choice('-R')} {goal}"
            power = rng.choice(powers) if rng.random() < 0.05 else item.unit.power
            orders.setdefault(power, []).append(f"{item.unit} {action}")
    return orders


@cache
def rulebooks() -> Mapping[str, Rulebook]:
    """Return name -> rulebook: the editions, and the preferences of the DATC with every single other choice."""
    singles = {
        f"{issue.section} {choice.slug}": DATC.override({issue.field: choice.slug})
        for issue in issues()
        for choice in issue.choices
        if choice != DATC.choice(issue)
    }
    return {**PROFILES, **singles}


def describe(units: Powers, orders: Powers) -> str:
    """Return a position with its orders as text for the message of a failed test; it can be pasted into Python."""
    return f"\nunits = {units!r}\norders = {orders!r}"


def assert_same_without_folding(turn: Turn, rules: Rulebook = DATC, solver: str = DEFAULT_SOLVER) -> None:
    """Assert that the solver alone comes to the same resolution, and that it was the solver."""
    one, other = adjudicate_turn(turn, rules), adjudicate_turn(turn, rules, fold=False, solver=solver)
    assert all(result.decided_by != DecidedBy.FOLDING for result in other.orders if result.counts)
    same_cause = tuple(_decided(r, o.decided_by) for r, o in zip(other.orders, one.orders, strict=True))
    assert replace(other, orders=same_cause) == one


def _decided(result: OrderResult, by: DecidedBy) -> OrderResult:
    """Return the same result, decided by something else."""
    driven = (result.dislodged, result.destroyed, result.disbanded)
    return OrderResult(result.checked, result.power, result.outcome, result.why, by, *driven)
