"""ATTACK, HOLD, DEFEND and PREVENT (DATC 5.B.4 to 5.B.8; "The Math of Adjudication").

One function per strength. A strength is 1 plus the supports that count, or 0 where the unit has no such
strength at all; which supports count is what the four differ in.
"""

from __future__ import annotations

from typing import Final, TypeVar

from satdip.encodings.convoys import by_sea, comes_from, path
from satdip.encodings.reading import FALSE, Reading
from satdip.encodings.situation import MoveNode, Piece, SupportNode
from satdip.rulebook import Allowance, ConvoyedAttack, DislodgedEffect

__all__ = [
    "against",
    "attack",
    "defend",
    "head_to_head",
    "hold",
    "in_head_to_head",
    "prevent",
    "resistance",
    "with_supports",
]

S = TypeVar("S")

# Python finds members of enumerations slowly; these choices are asked for at every step.
FORBIDDEN: Final = Allowance.FORBIDDEN
LAST_FLEET: Final = ConvoyedAttack.LAST_FLEET
NEVER: Final = DislodgedEffect.NEVER


def with_supports(x: Reading[S], supports: tuple[SupportNode, ...]) -> S:
    """1 + successful supports."""
    return x.count(1, map(x.decision, supports))


def head_to_head(x: Reading[S], m: MoveNode, o: MoveNode) -> int:
    """H2H(m) = o: each is ordered to move to where the other comes from, and neither goes by convoy.

    Two variants: units that may never exchange places always meet (seed 002 VIII, read literally); by Brannan's
    rule a convoyed army comes from its last fleet and meets a unit that moves there (DATC 4.A.4, 6.F.30).
    """
    if x.rules.exchange is FORBIDDEN and o.dst == m.at:
        return x.ordered(o)
    if x.rules.convoyed_attack is LAST_FLEET:
        return x.all_of((x.ordered(o), comes_from(x, m, o.dst), comes_from(x, o, m.dst)))
    return x.all_of((x.ordered(o), -by_sea(x, m), -by_sea(x, o)))


def in_head_to_head(x: Reading[S], m: MoveNode) -> int:
    """Return whether `m` meets any opposite move head to head."""
    return x.any_of([head_to_head(x, m, o) for o in m.opposing + m.facing])


def attack(x: Reading[S], m: MoveNode) -> S:
    """ATTACK(m), the strength with which `m` attacks its destination.

    ```
    0                          if not PATH(m)
    1 + supports               if the destination is empty, or its unit leaves (and not towards m, head to head)
    0                          if the unit that stays there is of the same power
    1 + supports of others     otherwise: a power's support does not help to dislodge its own unit
    ```
    """
    supported = with_supports(x, m.supports)
    if m.target is not None:
        supported = x.choose(_vacated(x, m, m.target), supported, against(x, m, m.target))
    return x.choose(path(x, m), supported, x.strength(0))


def _vacated(x: Reading[S], m: MoveNode, target: Piece) -> int:
    """Return whether the unit at the destination moves away, other than head to head with `m`."""
    return x.any_of(
        [x.all_of((x.decision(o), -head_to_head(x, m, o))) if o in m.opposing else x.decision(o) for o in target.moves]
    )


def against(x: Reading[S], m: MoveNode, target: Piece) -> S:
    """Return the attack strength against a unit that stays."""
    power = target.unit.power
    if power == m.power:
        return x.strength(0)
    return with_supports(x, tuple([s for s in m.supports if s.power != power]))


def hold(x: Reading[S], piece: Piece | None) -> S:
    """HOLD(p), the strength with which whatever stands in a province resists.

    ```
    0                          if nothing stands there, or its unit moves away
    1                          if its unit was ordered to move and fails: no support in place for a mover
    1 + supports in place      otherwise, where its unit can be supported (DATC 4.D.9, 4.E.1)
    ```
    """
    if piece is None:
        return x.strength(0)
    stays = with_supports(x, piece.hold_supports if piece.supportable else ())
    if not piece.moves:
        return stays
    failed = x.choose(x.any_of([x.ordered(o) for o in piece.moves]), x.strength(1), stays)
    return x.choose(x.any_of(map(x.decision, piece.moves)), x.strength(0), failed)


def defend(x: Reading[S], o: MoveNode) -> S:
    """DEFEND(o), the strength of a move that defends itself in a head-to-head battle: 1 + supports of any power."""
    return with_supports(x, o.supports)


def prevent(x: Reading[S], m: MoveNode) -> S:
    """PREVENT(m), the strength with which `m` keeps others out of its destination.

    ```
    0                          if not PATH(m)
    0                          if it is beaten from there: it has no effect on where the winner came from
    1 + supports               otherwise, of any power
    ```
    """
    lost = x.any_of([_beaten_by(x, m, o) for o in m.opposing + m.facing])
    arrives = path(x, m) if lost == FALSE else x.all_of((path(x, m), -lost))
    return x.choose(arrives, with_supports(x, m.supports), x.strength(0))


def _beaten_by(x: Reading[S], m: MoveNode, o: MoveNode) -> int:
    """Return whether `o` beats `m` from where `m` wanted to go (DATC 4.A.7).

    In a head-to-head battle; or, as the rulebooks read literally, whenever it dislodges it (seed 002 IX.7).
    """
    if x.rules.dislodged_effect is NEVER:
        return x.all_of((x.decision(o), -x.decision(m)))
    return x.all_of((head_to_head(x, m, o), x.decision(o)))


def resistance(x: Reading[S], m: MoveNode) -> S:
    """Return what `m` must beat at its destination: DEFEND of its head-to-head opponent, else HOLD."""
    strength = hold(x, m.target)
    for o in m.opposing:
        strength = x.choose(head_to_head(x, m, o), defend(x, o), strength)
    return strength
