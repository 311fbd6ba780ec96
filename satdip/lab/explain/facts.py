"""The facts that make a decision follow, as reasons that can be told.

They are read with nothing known but what the step needs, so that a strength is an interval there: a sentence says "at
most" where the reason holds whatever else happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdip.check.result import Reason
from satdip.encodings.convoys import by_sea, path
from satdip.encodings.movement import cut_by, dislodged
from satdip.encodings.paradoxes import exempt
from satdip.encodings.reading import FALSE, TRUE, ThreeValued, vetoed
from satdip.encodings.situation import ConvoyNode, MoveNode, Node, Piece, SupportNode
from satdip.encodings.strengths import attack, defend, head_to_head, hold, prevent
from satdip.lab.explain.freeing import FreedReading
from satdip.position import Unit

__all__ = ["facts_of_decision", "facts_of_unit"]


def facts_of_decision(x: FreedReading, node: Node, works: bool, real: ThreeValued) -> tuple[Reason, ...]:
    """Return why the order of a unit works, or does not.

    Args:
        x: a reading in which this is decided.
        node: the order.
        works: the decision.
        real: the reading of the resolution.
    """
    match node:
        case MoveNode():
            return tuple(_moves(x, node)) if works else tuple(_stays(x, node, real))
        case SupportNode():
            return tuple(_given(x, node)) if works else tuple(_cut(x, node))
        case ConvoyNode() if vetoed(x, node) == TRUE:
            return (Reason("paradox-disrupts", {"unit": node.piece.unit}, "4.A.2"),)
        case _:
            return facts_of_unit(x, node.piece, driven=not works)


def facts_of_unit(x: FreedReading, piece: Piece, *, driven: bool) -> tuple[Reason, ...]:
    """Return why a unit is dislodged, or is not."""
    if driven:
        winner = next(m for m in piece.attackers if x.decision(m) == TRUE)
        return (_dislodged_by(x, winner, piece),)
    if any(x.decision(m) == TRUE for m in piece.moves):
        return (Reason("moves-away", {"unit": piece.unit}),)
    if not piece.attackers:
        return (Reason("unattacked", {"place": piece.unit.location}),)
    return (Reason("attacks-fail", {"units": _units(piece.attackers)}),)


def _dislodged_by(x: FreedReading, winner: MoveNode, piece: Piece) -> Reason:
    strength, held = attack(x, winner), hold(x, piece)
    if strength[0] == strength[1] and held[0] == held[1]:
        details = {"unit": winner.piece.unit, "attack": strength[0], "hold": held[0]}
        return Reason("dislodged-by", details | _helped(x, winner, piece))
    return Reason("enters", {"unit": winner.piece.unit})


# ---------------------------------------------------------------------- moves


def _moves(x: FreedReading, m: MoveNode) -> Iterator[Reason]:
    strength = attack(x, m)[0]
    told = False
    if by_sea(x, m) == TRUE and m.fleets:
        yield Reason("convoyed", {"fleets": _units([f for f in m.fleets if x.decision(f) == TRUE])})
        told = True
    for reason in _beaten(x, m, strength):
        told = True
        yield reason
    if not told:
        yield Reason("unopposed", {"place": m.location})


def _beaten(x: FreedReading, m: MoveNode, strength: int) -> Iterator[Reason]:
    helped = _helped(x, m, m.target)
    if m.target is not None:
        unit = m.target.unit
        opposite = next((o for o in m.target.moves if o in m.opposing and head_to_head(x, m, o) == TRUE), None)
        if any(x.decision(o) == TRUE for o in m.target.moves):
            yield Reason("vacated", {"unit": unit})
        elif opposite is not None:
            details = {"unit": unit, "attack": strength, "defend": defend(x, opposite)[1]}
            yield Reason("beats-opposite", details | helped)
        else:
            yield Reason("dislodges", {"unit": unit, "attack": strength, "hold": hold(x, m.target)[1]} | helped)
    for c in m.rivals:
        if c is m:
            continue
        rival = prevent(x, c)[1]
        if rival:
            yield Reason("beats", {"unit": c.piece.unit, "attack": strength, "prevent": rival} | helped)
        else:
            yield Reason("no-effect", {"unit": c.piece.unit, "place": m.dst})


def _stays(x: FreedReading, m: MoveNode, real: ThreeValued) -> Iterator[Reason]:
    if vetoed(x, m) == TRUE:
        yield Reason("paradox-fails", {"unit": m.piece.unit}, "4.A.2")
    elif path(x, m) == FALSE:
        yield from _no_path(x, m)
    else:
        yield from list(_obstacles(x, m, real))[:1] or [Reason("too-weak", {"place": m.location})]


def _no_path(x: FreedReading, m: MoveNode) -> Iterator[Reason]:
    broken = _units([f for f in m.fleets if x.decision(f) == FALSE])
    if broken:
        yield Reason("convoy-broken", {"unit": m.piece.unit, "fleets": broken})
    else:
        yield Reason("no-convoy-ordered", {"unit": m.piece.unit, "place": m.location})


def _obstacles(x: FreedReading, m: MoveNode, real: ThreeValued) -> Iterator[Reason]:
    """Yield everything that certainly is too strong for a move."""
    most = attack(x, m)[1]
    facing = [o for o in (*m.opposing, *m.facing) if head_to_head(x, m, o) == TRUE]
    if m.target is not None and m.target.unit.power == m.power and facing:
        yield Reason("own-unit", {"unit": m.target.unit})
    for o in facing:
        if most <= defend(x, o)[0]:
            against = {"unit": o.piece.unit, "defend": defend(x, o)[0], "against": _sure(x, o)}
            yield _weak("head-to-head", x, m, real, against)
    if m.target is not None and not facing:
        yield from _held(x, m, m.target, real)
    for c in m.rivals:
        if c is not m and most <= prevent(x, c)[0]:
            against = {"unit": c.piece.unit, "prevent": prevent(x, c)[0], "against": _sure(x, c)}
            yield _weak("bounced", x, m, real, against)


def _held(x: FreedReading, m: MoveNode, target: Piece, real: ThreeValued) -> Iterator[Reason]:
    if attack(x, m)[1] > hold(x, target)[0]:
        return
    if target.unit.power == m.power:
        yield Reason("own-unit", {"unit": target.unit})
        return
    supporters = () if target.moves else _units([s for s in target.hold_supports if x.decision(s) == TRUE])
    yield _weak("held", x, m, real, {"unit": target.unit, "hold": hold(x, target)[0], "against": supporters})


# ---------------------------------------------------------------------- supports


def _given(x: FreedReading, s: SupportNode) -> Iterator[Reason]:
    if not s.piece.attackers:
        yield Reason("unattacked", {"place": s.piece.unit.location})
    for m in s.piece.attackers:
        who = {"unit": m.piece.unit}
        if m.power == s.power:
            yield Reason("own-attack", who)
        elif m.sea != FALSE and exempt(x, s, m) == TRUE:
            yield Reason("exempted", who, "4.A.2")
        elif path(x, m) == FALSE:
            yield Reason("no-effect", who | {"place": s.at})
        else:
            yield Reason("attack-from-zone", who | {"place": s.zone})


def _cut(x: FreedReading, s: SupportNode) -> Iterator[Reason]:
    for m in s.piece.attackers:
        if cut_by(x, s, m) == TRUE:
            driven = x.decision(m) == TRUE and dislodged(x, s.piece) == TRUE
            yield Reason("cut-by-dislodging" if driven else "cut", {"unit": m.piece.unit})
            return
    yield Reason("cut-somehow", {"units": _units(s.piece.attackers)})


# ---------------------------------------------------------------------- strengths


def _weak(code: str, x: FreedReading, m: MoveNode, real: ThreeValued, against: dict[str, object]) -> Reason:
    """Tell the attack strength of a move, or the greatest that it can have, and the supports that it may owe it to."""
    most: int = attack(x, m)[1]
    possible = [s for s in m.supports if x.decision(s) != FALSE]
    if m.target is not None and most <= len(possible):
        possible = [s for s in possible if s.power != m.target.unit.power]
    bound = "" if attack(real, m)[1] == most else "-at-most"
    return Reason(code + bound, {"attack": most, "supporters": _units(possible)} | against)


def _helped(x: FreedReading, m: MoveNode, target: Piece | None) -> dict[str, object]:
    """Name the supports that certainly count in ATTACK(m)."""
    sure = [s for s in m.supports if x.decision(s) == TRUE]
    if target is not None and attack(x, m)[0] <= len(sure):
        sure = [s for s in sure if s.power != target.unit.power]
    return {"supporters": _units(sure)}


def _sure(x: FreedReading, m: MoveNode) -> tuple[Unit, ...]:
    return _units([s for s in m.supports if x.decision(s) == TRUE])


def _units(nodes: Sequence[Node]) -> tuple[Unit, ...]:
    return tuple(node.piece.unit for node in nodes)
