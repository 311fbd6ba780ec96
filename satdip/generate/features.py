"""Features that a phase can have, each written once: as a literal to ask the solver for, and as a test of a verdict.

Most are functions over a reading of the equations, like the equations themselves: over literals they ask, over the
values of a finished resolution they tell. Features of a convoy paradox compare two resolutions and ask the verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TypeVar

from satdip.encodings.convoys import by_sea, ordered_route, path
from satdip.encodings.movement import equation
from satdip.encodings.reading import FALSE, TRUE, Reading
from satdip.encodings.rotations import cycles
from satdip.encodings.situation import ConvoyNode, MoveNode, Piece, Situation, SupportNode
from satdip.encodings.strengths import attack, defend, head_to_head, hold, prevent, with_supports
from satdip.generate.open_phase import OpenPhase
from satdip.solving.verdict import Verdict

__all__ = ["FEATURES", "Feature"]

S = TypeVar("S")
Shape = Callable[[Reading[S], Situation], int]
"""Says whether a resolution has a feature."""


@dataclass(frozen=True)
class Feature:
    """A feature of a phase.

    Args:
        name: what it is called.
        about: one line on it.
        ask: returns the literal "the orders have it" of an open phase.
        holds: tells whether an adjudicated phase has it.
        by_sea: whether a convoy takes part.
    """

    name: str
    about: str
    ask: Callable[[OpenPhase, Random], int]
    holds: Callable[[Verdict], bool]
    by_sea: bool = False


def _shaped(name: str, about: str, shape: Callable[..., int], *, by_sea: bool = False) -> Feature:
    """Return the feature that a function over a reading describes."""

    def ask(phase: OpenPhase, rng: Random) -> int:  # noqa: ARG001 -- other features draw
        return shape(phase.resolution(), phase.situation)

    def holds(verdict: Verdict) -> bool:
        return not verdict.is_open and shape(verdict.reading, verdict.situation) == TRUE

    return Feature(name, about, ask, holds, by_sea)


# ---------------------------------------------------------------------- battles


def _beleaguered(x: Reading[S], situation: Situation) -> int:
    """Two units attack a third, and either alone would dislodge it, but nobody gets in (rulebook; DATC 6.E)."""
    return x.any_of(_besieged(x, piece, a, b) for piece, a, b in _sieges(situation))


def _beleaguered_self_support(x: Reading[S], situation: Situation) -> int:
    """The same with a support of one of the attacks by the garrison's own power that is given."""
    return x.any_of(
        x.all_of((_besieged(x, piece, a, b), x.any_of(x.decision(s) for s in _own(piece, a))))
        for piece, one, other in _sieges(situation)
        for a, b in ((one, other), (other, one))
    )


def _sieges(situation: Situation) -> Iterator[tuple[Piece, MoveNode, MoveNode]]:
    for piece in situation.pieces.values():
        for a, b in combinations(piece.attackers, 2):
            if a.piece is not b.piece:
                yield piece, a, b


def _own(piece: Piece, m: MoveNode) -> list[SupportNode]:
    return [s for s in m.supports if s.power == piece.unit.power and s.piece is not piece]


def _besieged(x: Reading[S], piece: Piece, a: MoveNode, b: MoveNode) -> int:
    strong = (x.greater(attack(x, m), hold(x, piece)) for m in (a, b))
    stays = (-x.ordered(m) for m in piece.moves)
    return x.all_of((*strong, *stays, *(-x.decision(m) for m in piece.attackers)))


def _head_to_head_third(x: Reading[S], situation: Situation) -> int:
    """A unit would win its head-to-head battle, but a third one stands it off (DATC 6.E)."""
    return x.any_of(
        x.all_of(
            (
                path(x, m),
                head_to_head(x, m, o),
                x.greater(attack(x, m), defend(x, o)),
                path(x, c),
                -x.greater(attack(x, m), prevent(x, c)),
            )
        )
        for m in situation.moves
        for o in m.opposing
        for c in m.rivals
        if c.piece is not m.piece
    )


def _self_dislodgement(x: Reading[S], situation: Situation) -> int:
    """A move would dislodge a unit if it were not of the same power (DATC 6.D.10)."""
    return x.any_of(
        x.all_of(
            (
                path(x, m),
                *(-x.ordered(o) for o in m.target.moves),
                x.greater(with_supports(x, m.supports), hold(x, m.target)),
            )
        )
        for m in situation.moves
        if m.target is not None and m.target.unit.power == m.power
    )


def _cut_from_the_front(x: Reading[S], situation: Situation) -> int:
    """A support is cut by the unit that it is directed against, because that dislodges the supporter (DATC 6.D.17)."""
    return x.any_of(
        x.all_of(
            (
                x.ordered(s),
                x.any_of(x.ordered(supported) for supported in _supported_moves(situation, s)),
                x.decision(m),
                *(-path(x, other) for other in s.piece.attackers if other.piece is not m.piece),
            )
        )
        for s in situation.supports
        for m in s.piece.attackers
        if m.at == s.zone and m.power != s.power
    )


def _supported_moves(situation: Situation, s: SupportNode) -> list[MoveNode]:
    return [m for m in situation.moves_into.get(s.zone, ()) if s in m.supports]


# ---------------------------------------------------------------------- rings and convoys


def _rotation(x: Reading[S], situation: Situation) -> int:
    """Three or more units move round in a ring (DATC 6.C.1)."""
    rings = (ring for ring in cycles(situation) if len(ring) > 2)
    return x.any_of(x.all_of(x.decision(m) for m in ring) for ring in rings)


def _rotation_with_convoy(x: Reading[S], situation: Situation) -> int:
    """The same with a member that goes by convoy (DATC 6.C.4)."""
    return x.any_of(
        x.all_of((*(x.decision(m) for m in ring), x.any_of(by_sea(x, m) for m in ring if m.fleets)))
        for ring in cycles(situation)
        if len(ring) > 2 and any(m.fleets for m in ring)
    )


def _exchange(x: Reading[S], situation: Situation) -> int:
    """Two units change places, one of them by convoy at least (DATC 6.G)."""
    return x.any_of(x.all_of((x.decision(m), x.decision(o))) for m in situation.moves for o in m.opposing)


def _harmless_landing(x: Reading[S], situation: Situation) -> int:
    """A convoy is disrupted, so the support given where it would land is not cut (DATC 6.F.4)."""
    return x.any_of(
        x.all_of((x.ordered(m), by_sea(x, m), ordered_route(x, m), -path(x, m), x.decision(s), x.ordered(supported)))
        for s in situation.supports
        for m in s.piece.attackers
        if m.fleets and m.power != s.power and m.at != s.zone
        for supported in _supported_moves(situation, s)
    )


# ---------------------------------------------------------------------- convoy paradoxes


def _ask_two_models(phase: OpenPhase, rng: Random) -> int:  # noqa: ARG001 -- as `Feature.ask` is called
    """An army arrives in one resolution and not in another of the same orders."""
    if not _knots(phase.situation):
        return FALSE
    x, y = phase.resolution(), phase.resolution()
    return x.any_of(x.all_of((path(x, m), -path(y, m))) for m in phase.situation.moves if m.fleets)


def _ask_no_model(phase: OpenPhase, rng: Random) -> int:
    """A convoy whose fleet is dislodged if it holds, and is not dislodged if it does not hold.

    Where everything else follows from that convoy there is no resolution then; whether it does, the check of the hit
    tells.
    """
    knots = _knots(phase.situation)
    if not knots:
        return FALSE
    c = rng.choice(knots)
    held, broken = phase.resolution({c.index: TRUE}), phase.resolution({c.index: FALSE})
    return held.all_of((held.ordered(c), -equation(held, c), equation(broken, c)))


def _knots(situation: Situation) -> list[ConvoyNode]:
    """Return convoys of armies to where a unit could support something in a sea of convoys that is attacked."""
    return [
        c
        for c in situation.convoys
        if situation.pieces[c.at].attackers
        and any(
            s.at == c.dst and any(other.carried for other in s.convoys_in_zone) and s.power != m.power
            for m in c.carried
            for s in situation.supports
        )
    ]


def _has_core(models: Callable[[int], bool]) -> Callable[[Verdict], bool]:
    """Return the test for a core with convoys and such a number of models."""
    return lambda verdict: any(
        models(core.models) and any(isinstance(node, ConvoyNode) for node in core.nodes) for core in verdict.cores
    )


FEATURES: Mapping[str, Feature] = {
    feature.name: feature
    for feature in (
        _shaped("beleaguered-garrison", "two equal attacks, each strong enough to dislodge", _beleaguered),
        _shaped(
            "beleaguered-self-support",
            "the same, with a support of an attack by the garrison's own power",
            _beleaguered_self_support,
        ),
        _shaped("head-to-head-third-party", "a head-to-head winner that a third unit stands off", _head_to_head_third),
        _shaped("self-dislodgement", "an attack that would dislodge a unit of the same power", _self_dislodgement),
        _shaped("cut-from-the-front", "a support cut by the unit it is against, which dislodges", _cut_from_the_front),
        _shaped("circular-movement", "three or more units that move round", _rotation),
        _shaped("circular-convoy", "a circular movement with a convoyed member", _rotation_with_convoy, by_sea=True),
        _shaped("exchange", "two units that change places by convoy", _exchange, by_sea=True),
        _shaped("harmless-landing", "a disrupted convoy that cuts no support", _harmless_landing, by_sea=True),
        Feature(
            "two-model-core",
            "a convoy paradox with two resolutions",
            _ask_two_models,
            _has_core(lambda models: models > 1),
            by_sea=True,
        ),
        Feature(
            "core-without-models",
            "a convoy paradox without a resolution",
            _ask_no_model,
            _has_core(lambda models: models == 0),
            by_sea=True,
        ),
    )
}
"""The features by name."""
