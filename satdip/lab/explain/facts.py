"""The facts that make a decision follow, as reasons that can be told.

They are read with nothing known but what the step needs, so that a strength is an interval there: a sentence says "at
most" where the reason holds whatever else happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satdip.check.result import Reason
from satdip.encodings.convoys import by_sea, path
from satdip.encodings.movement import cut_by, dislodged
from satdip.encodings.paradoxes import exempt
from satdip.encodings.reading import FALSE, TRUE, Interval, ThreeValued, vetoed
from satdip.encodings.situation import ConvoyNode, MoveNode, Node, Piece, SupportNode
from satdip.encodings.strengths import attack, defend, head_to_head, hold, prevent, with_supports
from satdip.lab.explain.freeing import FreedReading
from satdip.phase.position import Unit
from satdip.telling.reasons import Limit

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
            return tuple(_moves(x, node, real)) if works else tuple(_stays(x, node, real))
        case SupportNode():
            return tuple(_given(x, node)) if works else tuple(_cut(x, node))
        case ConvoyNode() if vetoed(x, node) == TRUE:
            return (Reason("paradox-disrupts", {"unit": node.piece.unit}, "4.A.2"),)
        case _:
            return facts_of_unit(x, node.piece, real, driven=not works)


def facts_of_unit(x: FreedReading, piece: Piece, real: ThreeValued, *, driven: bool) -> tuple[Reason, ...]:
    """Return why a unit is dislodged, or is not (arguments as `facts_of_decision`)."""
    if driven:
        winner = next(m for m in piece.attackers if x.decision(m) == TRUE)
        return (_dislodged_by(x, winner, piece),)
    if any(x.decision(m) == TRUE for m in piece.moves):
        return (Reason("moves-away", {"unit": piece.unit}),)
    if not piece.attackers:
        return (Reason("unattacked", {"place": piece.unit.location}),)
    if all(x.decision(m) == FALSE for m in piece.attackers):
        return (Reason("attacks-fail", {"units": _units(piece.attackers)}),)
    failing = [m for m in piece.attackers if real.decision(m) != TRUE]
    return (Reason("attacks-fail", {"units": _units(failing)}),) if failing == list(piece.attackers) else ()


def _dislodged_by(x: FreedReading, winner: MoveNode, piece: Piece) -> Reason:
    strength, held = attack(x, winner), hold(x, piece)
    if strength[0] == strength[1] and held[0] == held[1]:
        details = {"unit": winner.piece.unit, "attack": strength[0], "hold": held[0]}
        return Reason("dislodged-by", details | _helped(x, winner, piece))
    return Reason("enters", {"unit": winner.piece.unit})


# ---------------------------------------------------------------------- moves


def _moves(x: FreedReading, m: MoveNode, real: ThreeValued) -> Iterator[Reason]:
    told = False
    if by_sea(x, m) == TRUE and m.fleets:
        yield Reason("convoyed", {"fleets": _units([f for f in m.fleets if x.decision(f) == TRUE])})
        told = True
    for reason in _beaten(x, m, real):
        told = True
        yield reason
    if not told:
        yield Reason("unopposed", {"place": m.location})


def _beaten(x: FreedReading, m: MoveNode, real: ThreeValued) -> Iterator[Reason]:
    strong = {"attack": at_least(attack(x, m), attack(real, m))} | _helped(x, m, m.target)
    if m.target is not None:
        yield from _overcome(x, m, m.target, real, strong)
    for c in m.rivals:
        if c is m:
            continue
        if prevent(x, c)[1]:
            rival = at_most(prevent(x, c), prevent(real, c))
            yield Reason("beats", {"unit": c.piece.unit, "prevent": rival} | strong)
        else:
            yield Reason("no-effect", {"unit": c.piece.unit, "place": m.dst})


def _overcome(
    x: FreedReading, m: MoveNode, target: Piece, real: ThreeValued, strong: dict[str, object]
) -> Iterator[Reason]:
    """Yield how a move gets past the unit at its destination."""
    unit = target.unit
    opposite = next((o for o in target.moves if o in m.opposing and head_to_head(x, m, o) == TRUE), None)
    if any(x.decision(o) == TRUE for o in target.moves):
        yield Reason("vacated", {"unit": unit})
        return
    if opposite is not None:
        defence = at_most(defend(x, opposite), defend(real, opposite))
        yield Reason("beats-opposite", {"unit": unit, "defend": defence} | strong)
    elif any(real.decision(o) == TRUE for o in target.moves):
        yield Reason("beats-hold", {"unit": unit, "hold": hold(x, target)[1]} | strong)
    else:
        yield Reason("dislodges", {"unit": unit, "hold": at_most(hold(x, target), hold(real, target))} | strong)
    yield from _own_support(m, target, real)


def _own_support(m: MoveNode, target: Piece, real: ThreeValued) -> Iterator[Reason]:
    """Yield which supports that are given do not count against a unit, as it is of their own power."""
    own = [s for s in m.supports if s.power == target.unit.power and real.decision(s) == TRUE]
    if own and target.unit.power != m.power:
        yield Reason("own-support", {"unit": target.unit, "supporters": _units(own)})


def _stays(x: FreedReading, m: MoveNode, real: ThreeValued) -> Iterator[Reason]:
    if vetoed(x, m) == TRUE:
        yield Reason("paradox-fails", {"unit": m.piece.unit}, "4.A.2")
    elif path(x, m) == FALSE:
        yield from _no_path(x, m)
    else:
        yield from next(_obstacles(x, m, real), (Reason("too-weak", {"place": m.location}),))


def _no_path(x: FreedReading, m: MoveNode) -> Iterator[Reason]:
    who = {"unit": m.piece.unit}
    broken = _units([f for f in m.fleets if x.decision(f) == FALSE])
    if m.index in x.ruling.routes:
        yield Reason("convoy-settled", who, "4.A.2")
    elif broken:
        yield Reason("convoy-broken", who | {"fleets": broken})
    elif m.fleets:
        yield Reason("convoy-incomplete", who | {"fleets": _units(m.fleets), "place": m.location})
    else:
        yield Reason("no-convoy-ordered", who | {"place": m.location})
    if m.by_land and m.via:
        yield Reason("sea-by-order", who, "4.A.3")
    elif m.by_land:
        yield Reason("sea-by-own-fleet", who | {"fleets": _units(m.own_fleets)}, "4.A.3")


def _obstacles(x: FreedReading, m: MoveNode, real: ThreeValued) -> Iterator[tuple[Reason, ...]]:
    """Yield everything that certainly is too strong for a move, each with what has to be said beside it."""
    most = attack(x, m)[1]
    facing = [o for o in (*m.opposing, *m.facing) if head_to_head(x, m, o) == TRUE]
    if m.target is not None and m.target.unit.power == m.power and facing:
        yield (Reason("own-unit", {"unit": m.target.unit}),)
    for o in facing:
        if most <= defend(x, o)[0]:
            strength = at_least(defend(x, o), defend(real, o))
            against = {"unit": o.piece.unit, "defend": strength, "against": _sure(x, o)}
            yield _weak("head-to-head", x, m, real, against), *_uncounted(m, real)
    if m.target is not None and not facing:
        yield from _held(x, m, m.target, real)
    for c in m.rivals:
        if c is not m and most <= prevent(x, c)[0]:
            strength = at_least(prevent(x, c), prevent(real, c))
            against = {"unit": c.piece.unit, "prevent": strength, "against": _sure(x, c)}
            yield _weak("bounced", x, m, real, against), *_uncounted(m, real)


def _held(x: FreedReading, m: MoveNode, target: Piece, real: ThreeValued) -> Iterator[tuple[Reason, ...]]:
    if attack(x, m)[1] > hold(x, target)[0]:
        return
    if target.unit.power == m.power:
        yield (Reason("own-unit", {"unit": target.unit}),)
        return
    supporters = () if target.moves else _units([s for s in target.hold_supports if x.decision(s) == TRUE])
    strength = at_least(hold(x, target), hold(real, target))
    against = {"unit": target.unit, "hold": strength, "against": supporters}
    yield _weak("held", x, m, real, against), *_uncounted(m, real)


def _uncounted(m: MoveNode, real: ThreeValued) -> Iterator[Reason]:
    """Yield which given supports the attack strength of a move leaves out."""
    if m.target is not None and attack(real, m)[1] < with_supports(real, m.supports)[0]:
        yield from _own_support(m, m.target, real)


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


def at_least(known: Interval, real: Interval) -> Limit | int:
    """Return the least value that a strength can have: as a number where it is the one that it has."""
    return known[0] if known[0] == real[0] == real[1] else Limit(known[0], least=True)


def at_most(known: Interval, real: Interval) -> Limit | int:
    """Return the greatest value that a strength can have: as a number where it is the one that it has."""
    return known[1] if known[1] == real[0] == real[1] else Limit(known[1], least=False)


def _weak(code: str, x: FreedReading, m: MoveNode, real: ThreeValued, against: Mapping[str, object]) -> Reason:
    """Tell the attack strength of a move, or the greatest that it can have, and the supports that it may owe it to."""
    most: int = attack(x, m)[1]
    possible = [s for s in m.supports if x.decision(s) != FALSE]
    if m.target is not None and most <= len(possible):
        possible = [s for s in possible if s.power != m.target.unit.power]
    bound = "" if attack(real, m) == (most, most) else "-at-most"
    return Reason(code + bound, {"attack": most, "supporters": _units(possible), **against})


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
