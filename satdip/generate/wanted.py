"""Phases with a wanted feature, found by the solver in small random positions, and checked before they go out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from satdip.base.errors import InputError
from satdip.board import Board, UnitKind
from satdip.check import check_movement
from satdip.encodings.reading import FALSE
from satdip.encodings.situation import Situation
from satdip.generate.draft import Draft
from satdip.generate.features import FEATURES
from satdip.generate.open_phase import OpenPhase
from satdip.generate.random_turns import Generator
from satdip.phase.turn import Turn
from satdip.rulebook import DATC
from satdip.solving.decide import decide
from satdip.solving.verdict import Verdict

__all__ = ["TRIES", "verdict_on", "wanted"]

TRIES = 200
"""Positions that are tried before the search is given up."""
CHECKED = 6
"""Orders that are checked in one position."""
UNITS = (5, 8)
"""The least and the greatest number of units."""


def wanted(feature: str) -> Generator:
    """Return the generator of phases with a feature.

    Args:
        feature: a name of `FEATURES`.

    Returns:
        A function of a map and a random generator. It raises an `InputError` when the map is so small or so poor in
        borders that no position with that feature is found.

    Raises:
        InputError: there is no such feature.
    """
    if feature not in FEATURES:
        raise InputError(f"no feature is called {feature!r}; the features are {', '.join(FEATURES)}")
    sought = FEATURES[feature]

    def generate(board: Board, rng: Random) -> Turn:
        for _ in range(TRIES):
            draft = _cluster(board, rng, by_sea=sought.by_sea)
            phase = OpenPhase(board, draft.units)
            goal = sought.ask(phase, rng)
            for orders in phase.search(goal, rng, CHECKED) if goal != FALSE else ():
                draft.orders = {unit.province: order for unit, order in orders}
                turn = draft.turn({"feature": feature})
                if sought.holds(verdict_on(turn)):
                    return turn
        raise InputError(f"no position with {feature} was found on {board.name}")

    return generate


def verdict_on(turn: Turn) -> Verdict:
    """Adjudicate a phase under the rules that the DATC prefers, and return all decisions."""
    checked = check_movement(turn, DATC)
    position = turn.position
    return decide(Situation(position.board, position.units, checked.actions, DATC, checked.unsupportable))


def _cluster(board: Board, rng: Random, *, by_sea: bool) -> Draft:
    """Put units of a few powers side by side: round a sea with a fleet when a convoy is wanted."""
    draft = Draft(board)
    powers = rng.sample(sorted(board.powers), min(3, len(board.powers)))
    seas = sorted(board.sea_neighbours)
    places = [rng.choice(seas if by_sea and seas else sorted(board.provinces))]
    number = min(rng.randint(*UNITS), len(board.provinces))
    while len(draft.units) < number and places:
        at = places.pop(0)
        _put(draft, rng, at, powers, by_sea=by_sea)
        near = draft.free(board.neighbours[at])
        places += [p for p in rng.sample(near, min(len(near), 7)) if p not in places]
    return draft


def _put(draft: Draft, rng: Random, province: str, powers: Sequence[str], *, by_sea: bool) -> None:
    kinds = [kind for kind in UnitKind if draft.board.locations(kind, province)]
    kind = rng.choice(kinds)
    if by_sea and len(kinds) > 1 and not any(unit.kind == UnitKind.ARMY for unit in draft.units.values()):
        kind = UnitKind.ARMY
    at = rng.choice(draft.board.locations(kind, province))
    (draft.army if kind == UnitKind.ARMY else draft.fleet)(rng.choice(powers), at)
