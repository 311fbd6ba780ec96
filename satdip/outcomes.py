"""From decisions to outcomes: the word and the reasons for each order of a movement phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from satdip.check.result import Checked, Reason, Status
from satdip.encodings.convoys import by_sea, path
from satdip.encodings.movement import cut_by
from satdip.encodings.reading import TRUE, ThreeValued
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node, Piece, SupportNode
from satdip.encodings.strengths import attack, defend, head_to_head, hold, prevent, with_supports
from satdip.movement import DecidedBy, Verdict
from satdip.position import Unit
from satdip.results import OrderResult, Outcome

__all__ = ["Outcomes"]

# Python finds members of enumerations slowly, and these are asked for at every order.
LEGAL: Final = Status.LEGAL
DISLODGED: Final = Outcome.DISLODGED
STANDS: Final = Outcome.STANDS
ILLEGAL: Final = Outcome.ILLEGAL


class Outcomes:
    """The outcomes of a finished verdict.

    Args:
        verdict: every decision of the phase.
        retreats: province of a dislodged unit -> where it may retreat.
    """

    def __init__(self, verdict: Verdict, retreats: Mapping[str, frozenset[str]]) -> None:
        self.verdict = verdict
        self.x: ThreeValued = verdict.reading
        self.retreats = retreats

    def of(self, entries: Iterable[Checked]) -> list[OrderResult]:
        """Return the results of checked orders."""
        why = self._reasons  # bound once: every result keeps it
        return [self._of(entry, why) for entry in entries]

    def _of(self, entry: Checked, why: Callable[[OrderResult], tuple[Reason, ...]]) -> OrderResult:
        unit, given = entry.unit, entry.given
        if unit is None or not entry.is_of_unit:
            return OrderResult(entry, given.power if given is not None else "", ILLEGAL, _given_reasons)
        node, retreats = self._order_of(unit), self.retreats.get(unit.province)
        return OrderResult(
            entry,
            unit.power if given is None else given.power,
            self._outcome(node) if entry.status is LEGAL else _CHECKED_OUTCOMES[entry.status],
            why,
            self.verdict.by[node.index],
            dislodged=retreats is not None,
            destroyed=retreats is not None and not retreats,
        )

    def _order_of(self, unit: Unit) -> Node:
        node = self.verdict.situation.pieces[unit.province].order
        assert node is not None  # noqa: S101 -- every unit has one: a hold, if nothing else
        return node

    def _outcome(self, node: Node) -> Outcome:
        if self.verdict.is_open and self.verdict.leaves_open(node):
            return Outcome.OPEN
        if isinstance(node, HoldNode):
            return DISLODGED if node.at in self.verdict.dislodged else STANDS
        does, does_not = _WORDS[type(node)]
        return does if self.verdict.values[node.index] == TRUE else does_not

    # ------------------------------------------------------------------ reasons

    def _reasons(self, result: OrderResult) -> tuple[Reason, ...]:
        """Return why an order came out as it did, and why its unit was dislodged."""
        entry, unit = result.checked, result.unit
        assert unit is not None  # noqa: S101 -- `_of` has told the others apart
        node = self._order_of(unit)
        why = (entry.reason,) if entry.reason is not None else tuple(self._why_decided(node, result.outcome))
        return (*why, *self._dislodged_by(node.piece), *entry.basis)

    def _why_decided(self, node: Node, outcome: Outcome) -> Iterator[Reason]:
        if outcome == Outcome.OPEN:
            yield Reason("open")
        elif isinstance(node, MoveNode) and not self.verdict.is_open:
            # In an open phase strengths may still depend on what the rules leave open.
            yield from self._why_succeeds(node) if outcome == Outcome.SUCCEEDS else self._why_fails(node)
        elif isinstance(node, SupportNode):
            yield from self._why_cut(node)
        elif isinstance(node, ConvoyNode):
            yield from self._why_disrupted(node)

    def _why_succeeds(self, m: MoveNode) -> Iterator[Reason]:
        if self.verdict.by[m.index] == DecidedBy.ROTATION:
            yield Reason("rotates", {"unit": m.piece.unit})
        strength = attack(self.x, m)[0]
        if m.target is not None and m.dst in self.verdict.dislodged:
            held = hold(self.x, m.target)[0]
            yield Reason("dislodges", {"unit": m.target.unit, "attack": strength, "hold": held} | self._helped(m))
        for c in self._rivals(m):
            rival = prevent(self.x, c)[0]
            if rival:
                yield Reason("beats", {"unit": c.piece.unit, "attack": strength, "prevent": rival} | self._helped(m))

    def _why_fails(self, m: MoveNode) -> Iterator[Reason]:
        if path(self.x, m) != TRUE:
            yield from self._why_no_path(m)
            return
        strength = attack(self.x, m)[0]
        helped = self._helped(m)
        for o in m.opposing:
            if head_to_head(self.x, m, o) == TRUE and strength <= defend(self.x, o)[0]:
                against = {"unit": o.piece.unit, "attack": strength, "defend": defend(self.x, o)[0]}
                yield Reason("head-to-head", against | helped | {"against": self._supporters(o)})
        if m.target is not None and m.dst not in self.verdict.dislodged:
            yield from self._why_held(m, m.target, strength)
        for c in self._rivals(m):
            rival = prevent(self.x, c)[0]
            if strength <= rival:
                bounced = {"unit": c.piece.unit, "attack": strength, "prevent": rival}
                yield Reason("bounced", bounced | helped | {"against": self._supporters(c)})

    def _why_held(self, m: MoveNode, target: Piece, strength: int) -> Iterator[Reason]:
        """Reasons in the unit that stays at the destination."""
        if any(self.x.decision(o) == TRUE for o in target.moves):
            return
        if target.unit.power == m.power:
            yield Reason("own-unit", {"unit": target.unit})
            return
        held = hold(self.x, target)[0]
        facing = any(head_to_head(self.x, m, o) == TRUE for o in target.moves if o in m.opposing)
        if strength <= held and not facing:
            supporters = tuple(s.piece.unit for s in target.hold_supports if self.x.decision(s) == TRUE)
            against: tuple[Unit, ...] = () if target.moves else supporters
            details = {"unit": target.unit, "attack": strength, "hold": held, "against": against}
            yield Reason("held", details | self._helped(m))
        own_side = [s for s in m.supports if s.power == target.unit.power and self.x.decision(s) == TRUE]
        if own_side:
            yield Reason("own-support", {"unit": target.unit, "supporters": tuple(s.piece.unit for s in own_side)})

    def _why_no_path(self, m: MoveNode) -> Iterator[Reason]:
        if by_sea(self.x, m) == TRUE and not m.fleets:
            yield Reason("no-convoy-ordered", {"unit": m.piece.unit, "place": m.location})
        broken = tuple(f.piece.unit for f in m.fleets if self.x.decision(f) != TRUE)
        if broken:
            yield Reason("convoy-broken", {"unit": m.piece.unit, "fleets": broken})

    def _why_cut(self, s: SupportNode) -> Iterator[Reason]:
        for m in s.piece.attackers:
            if cut_by(self.x, s, m) == TRUE:
                code = "cut-by-dislodging" if m.at == s.zone else "cut"
                yield Reason(code, {"unit": m.piece.unit})

    def _why_disrupted(self, c: ConvoyNode) -> Iterator[Reason]:
        if c.index in self.verdict.ruling.vetoes:
            yield Reason("paradox-disrupts", {"unit": c.piece.unit}, "4.A.2")

    def _dislodged_by(self, piece: Piece) -> tuple[Reason, ...]:
        winner = self.verdict.dislodged.get(piece.unit.province)
        if winner is None:
            return ()
        details = {"unit": winner.piece.unit, "attack": attack(self.x, winner)[0], "hold": hold(self.x, piece)[0]}
        return (Reason("dislodged-by", details | self._helped(winner)),)

    # ------------------------------------------------------------------ who helped

    def _rivals(self, m: MoveNode) -> Iterator[MoveNode]:
        return (c for c in m.rivals if c is not m)

    def _supporters(self, m: MoveNode) -> tuple[Unit, ...]:
        return tuple(s.piece.unit for s in m.supports if self.x.decision(s) == TRUE)

    def _helped(self, m: MoveNode) -> dict[str, object]:
        """Name the supports that counted in ATTACK(m)."""
        supporters = self._supporters(m)
        if attack(self.x, m)[0] < with_supports(self.x, m.supports)[0] and m.target is not None:
            supporters = tuple(unit for unit in supporters if unit.power != m.target.unit.power)
        return {"supporters": supporters}


_WORDS: Final[Mapping[type[Node], tuple[Outcome, Outcome]]] = {
    MoveNode: (Outcome.SUCCEEDS, Outcome.FAILS),
    SupportNode: (Outcome.GIVEN, Outcome.CUT),
    ConvoyNode: (Outcome.AVAILABLE, Outcome.DISRUPTED),
}
_CHECKED_OUTCOMES: Final = {Status.ILLEGAL: Outcome.ILLEGAL, Status.VOID: Outcome.INVALID}


def _given_reasons(result: OrderResult) -> tuple[Reason, ...]:
    entry = result.checked
    return entry.basis if entry.reason is None else (entry.reason, *entry.basis)
