"""The paradox rules (DATC 4.A.2).

Two kinds. *Exemptions* are part of the equations: a convoyed army does not cut certain supports (1971, 1982, 2000).
*Backup rules* speak about a core that the equations leave undecided: they forbid some of its orders, as unit
clauses on F(order) (Szykman, All Hold, affect/cause, DPTG).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from satdip.board import UnitKind
from satdip.encodings.convoys import by_sea, ordered_route, path
from satdip.encodings.reading import FALSE, Reading
from satdip.encodings.situation import ConvoyNode, MoveNode, Node, Situation, SupportNode
from satdip.phase.orders import Support
from satdip.rulebook import Fallback, Paradox

__all__ = ["BACKUPS", "FALLBACKS", "convoyed_by", "exempt", "reaches", "threatened_armies"]

S = TypeVar("S")


# ---------------------------------------------------------------------- exemptions: X(s, m)


def exempt(x: Reading[S], s: SupportNode, m: MoveNode) -> int:
    """X(s, m): the paradox rule says that the convoyed army `m` cannot cut the support `s`.

    It overrides both halves of the cutting rule: not even an army that dislodges the supporter cuts (DATC 6.F.17).
    """
    rule = _EXEMPTIONS.get(x.rules.paradox)
    return FALSE if rule is None else x.all_of((by_sea(x, m), rule(x, s, m)))


def reaches(x: Reading[S], m: MoveNode) -> int:
    """Return whether an attack gets to the supporter, so that it cuts: PATH(m).

    The 2000 rulebook read literally exempts nothing and lets an army cut whatever becomes of its convoy, as long as
    a convoy is ordered at all.
    """
    if m.sea != FALSE and x.rules.paradox == Paradox.LITERAL_2000:
        return x.all_of((x.ordered(m), x.any_of((-by_sea(x, m), ordered_route(x, m)))))
    return path(x, m)


def _fleets_1971(x: Reading[S], s: SupportNode, m: MoveNode) -> int:
    """A fleet that supports a fleet's attack on one of the convoying fleets (1971 XII.5; seed 002 XII.5)."""
    if not (_is_fleet(s) and _supports_attack(s, by_fleet=True)):
        return FALSE
    return x.any_of([x.ordered(f) for f in m.fleets if f.at == s.zone])


def _waters_1982(x: Reading[S], s: SupportNode, m: MoveNode) -> int:  # noqa: ARG001 -- called as the others
    """A fleet that supports any action in a sea that holds a convoying fleet, whomever that convoys (1982 XII.5)."""
    if not _is_fleet(s):
        return FALSE
    return x.any_of([x.all_of((x.ordered(c), x.any_of([x.ordered(o) for o in c.carried]))) for c in s.convoys_in_zone])


def _necessary_2000(x: Reading[S], s: SupportNode, m: MoveNode) -> int:
    """A unit that supports an attack on a fleet without which the army has no ordered route (2000, 2023)."""
    if not _supports_attack(s, by_fleet=False):
        return FALSE
    attacked = [f for f in m.fleets if f.at == s.zone]
    return x.any_of([x.all_of((x.ordered(f), -ordered_route(x, m, without=f))) for f in attacked])


_EXEMPTIONS: Final[Mapping[Paradox, Callable[..., int]]] = {
    Paradox.FLEETS_1971: _fleets_1971,
    Paradox.WATERS_1982: _waters_1982,
    Paradox.HAND: _waters_1982,  # Hand says "under any circumstance", which is how the DATC reads 1982 (6.F.17)
    Paradox.NECESSARY_2000: _necessary_2000,
}


def _is_fleet(s: SupportNode) -> bool:
    return s.piece.unit.kind == UnitKind.FLEET


def _supports_attack(s: SupportNode, *, by_fleet: bool) -> bool:
    order = s.order
    attack = isinstance(order, Support) and order.destination is not None
    return attack and (not by_fleet or (isinstance(order, Support) and order.target.kind == UnitKind.FLEET))


# ---------------------------------------------------------------------- backup rules: F(order)

Vetoes = frozenset[int]


def _convoys(core: Iterable[Node]) -> list[ConvoyNode]:
    return [node for node in core if isinstance(node, ConvoyNode)]


def convoyed_by(situation: Situation, fleets: Iterable[ConvoyNode]) -> list[MoveNode]:
    """Return the moves that some of the fleets are ordered to convoy."""
    wanted = set(fleets)
    return [m for m in situation.moves if m.sea != FALSE and wanted.intersection(m.fleets)]


def _indices(nodes: Iterable[Node]) -> Vetoes:
    return frozenset(node.index for node in nodes)


def szykman(situation: Situation, core: Sequence[Node], models: Sequence[Mapping[int, int]]) -> Vetoes:  # noqa: ARG001
    """Szykman: the convoying fleets of the paradox execute a hold (DATC 4.A.2 f)."""
    return _indices(_convoys(core))


def all_hold(situation: Situation, core: Sequence[Node], models: Sequence[Mapping[int, int]]) -> Vetoes:  # noqa: ARG001
    """All Hold: the moves of the paradox fail, and the armies that its fleets convoy go nowhere (DATC 4.A.2 d)."""
    moves = [node for node in core if isinstance(node, MoveNode)]
    return _indices((*moves, *convoyed_by(situation, _convoys(core)), *_convoys(core)))


def affect_cause(situation: Situation, core: Sequence[Node], models: Sequence[Mapping[int, int]]) -> Vetoes:  # noqa: ARG001
    """Affect/cause: a convoyed attack that would affect an attack on its own fleets does not take place (4.A.2 e).

    In a core that is every army that its fleets convoy and that attacks one of its supporters; the fleets convoy on.
    """
    cut = {node.at for node in core if isinstance(node, SupportNode)}
    affecting = [m for m in convoyed_by(situation, _convoys(core)) if m.dst in cut]
    return _indices(affecting or _convoys(core))


def dptg(situation: Situation, core: Sequence[Node], models: Sequence[Mapping[int, int]]) -> Vetoes:
    """DPTG: of exactly two resolutions, the one in which all convoys of the core are disrupted; else All Hold."""
    convoys = _convoys(core)
    if len(models) == 2 and any(all(model[c.index] == FALSE for c in convoys) for model in models):
        return _indices(convoys)
    return all_hold(situation, core, models)


Backup = Callable[[Situation, Sequence[Node], Sequence[Mapping[int, int]]], Vetoes]

BACKUPS: Final[Mapping[Paradox, Backup]] = {
    Paradox.SZYKMAN: szykman,
    Paradox.ALL_HOLD: all_hold,
    Paradox.AFFECT_CAUSE: affect_cause,
    Paradox.DPTG: dptg,
}
"""The rules that settle a core; under the others a core that is left has no answer."""

FALLBACKS: Final[Mapping[Fallback, Backup]] = {Fallback.SZYKMAN: szykman, Fallback.ALL_HOLD: all_hold}
"""What the user may choose to settle a core that the rule of 4.A.2 leaves open."""


# ---------------------------------------------------------------------- Bille's two stages


def threatened_armies(x: Reading[S], situation: Situation) -> list[MoveNode]:
    """Return the armies that a fleet under attack is ordered to convoy (Bille).

    In the first stage these attacks are left out, which decides the fleets; then their routes are settled, and
    everything is adjudicated.
    """
    attacked = [
        c for c in situation.convoys if any(path(x, m) != FALSE for m in c.piece.attackers if m.power != c.power)
    ]
    return convoyed_by(situation, attacked)
