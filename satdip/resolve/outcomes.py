"""From decisions to outcomes: the word and the reasons for each order of a movement phase."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from satdip.board.waters import Waters
from satdip.check.result import Checked, Reason, Status
from satdip.encodings.convoys import comes_from, path
from satdip.encodings.movement import cut_by
from satdip.encodings.paradoxes import BACKUPS
from satdip.encodings.reading import FALSE, TRUE, ThreeValued, vetoed
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node, Piece, SupportNode
from satdip.encodings.strengths import attack, defend, head_to_head, hold, prevent
from satdip.phase.position import Unit
from satdip.resolve.results import OrderResult, Outcome
from satdip.solving.verdict import Verdict

__all__ = ["Outcomes"]

# Python finds members of enumerations slowly, and these are asked for at every order.
LEGAL: Final = Status.LEGAL
VOID: Final = Status.VOID
NOWHERE: Final[frozenset[str]] = frozenset()
DISLODGED: Final = Outcome.DISLODGED
STANDS: Final = Outcome.STANDS
ILLEGAL: Final = Outcome.ILLEGAL


class Outcomes:
    """The outcomes of a finished verdict.

    Args:
        verdict: every decision of the phase.
        retreats: province of a dislodged unit -> where it may retreat; None where that is open.
        removed: the powers whose dislodged units are removed because they are in civil disorder.
    """

    def __init__(
        self, verdict: Verdict, retreats: Mapping[str, frozenset[str] | None], removed: Collection[str] = ()
    ) -> None:
        self.verdict = verdict
        self.x: ThreeValued = verdict.reading
        self.retreats = retreats
        self.removed = removed

    def of(self, entries: Iterable[Checked]) -> list[OrderResult]:
        """Return the results of checked orders."""
        why = self._reasons  # bound once: every result keeps it
        return [self._of(entry, why) for entry in entries]

    def _of(self, entry: Checked, why: Callable[[OrderResult], tuple[Reason, ...]]) -> OrderResult:
        unit, given = entry.unit, entry.given
        if unit is None or not entry.is_of_unit:
            return OrderResult(entry, given.power if given is not None else "", ILLEGAL, _given_reasons)
        node, dislodged = self._order_of(unit), unit.province in self.retreats
        removed = dislodged and unit.power in self.removed
        return OrderResult(
            entry,
            unit.power if given is None else given.power,
            self._outcome(node) if entry.status is LEGAL else _CHECKED_OUTCOMES[entry.status],
            why,
            self.verdict.by[node.index],
            dislodged=dislodged,
            destroyed=dislodged and not removed and self.retreats[unit.province] == NOWHERE,
            disbanded=removed,
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
        if entry.reason is None:
            why = tuple(self._why_decided(node, result.outcome))
        elif entry.status == VOID and isinstance(node, MoveNode):
            why = (entry.reason, *self._why_by_sea(node))
        else:
            why = (entry.reason,)
        return (*why, *self._why_dislodged(node.piece), *entry.basis)

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
        if any(m in ring for ring in self.verdict.rotations):
            yield Reason("rotates", {"unit": m.piece.unit})
        strength, helped = attack(self.x, m)[0], self._helped(m)
        if m.target is not None and m.dst in self.verdict.dislodged:
            opponent = self._opponent(m)
            if opponent is None:
                held = {"hold": hold(self.x, m.target)[0], "against": self._holders(m.target)}
                yield Reason("dislodges", {"unit": m.target.unit, "attack": strength} | held | helped)
            else:
                against = {"defend": defend(self.x, opponent)[0], "against": self._supporters(opponent)}
                yield Reason("dislodges-opposite", {"unit": m.target.unit, "attack": strength} | against | helped)
        for c in self._rivals(m):
            rival = prevent(self.x, c)[0]
            if rival:
                beaten = {"unit": c.piece.unit, "attack": strength, "prevent": rival, "against": self._supporters(c)}
                yield Reason("beats", beaten | helped)
        yield from self._useless_supports(m)

    def _why_fails(self, m: MoveNode) -> Iterator[Reason]:
        if vetoed(self.x, m) == TRUE:
            yield Reason("paradox-fails", {"unit": m.piece.unit}, self._paradox_issue)
        elif path(self.x, m) != TRUE:
            yield from self._why_no_path(m)
            yield from self._why_by_sea(m)
        elif (occupant := self._occupant(m)) is not None and occupant.unit.power == m.power:
            yield Reason("own-unit", {"unit": occupant.unit})
        else:
            yield from self._why_stopped(m)
            yield from self._useless_supports(m)

    def _why_stopped(self, m: MoveNode) -> Iterator[Reason]:
        """Yield what is as strong as an attack that gets to its destination."""
        strength, helped = attack(self.x, m)[0], self._helped(m)
        facing = [o for o in (*m.opposing, *m.facing) if head_to_head(self.x, m, o) == TRUE]
        for o in facing:
            if strength <= defend(self.x, o)[0]:
                against = {"unit": o.piece.unit, "attack": strength, "defend": defend(self.x, o)[0]}
                yield Reason("head-to-head", against | helped | {"against": self._supporters(o)})
        occupant = self._occupant(m)
        if occupant is not None and self._opponent(m) is None and strength <= (held := hold(self.x, occupant)[0]):
            details = {"unit": occupant.unit, "attack": strength, "hold": held, "against": self._holders(occupant)}
            yield Reason("held", details | helped)
        for c in self._rivals(m):
            rival = prevent(self.x, c)[0]
            if strength <= rival:
                bounced = {"unit": c.piece.unit, "attack": strength, "prevent": rival}
                yield Reason("bounced", bounced | helped | {"against": self._supporters(c)})

    def _useless_supports(self, m: MoveNode) -> Iterator[Reason]:
        """Yield the supports that do not count in an attack, because the unit that stays is of their own power."""
        occupant = self._occupant(m)
        if occupant is not None:
            useless = tuple(unit for unit in self._supporters(m) if unit.power == occupant.unit.power)
            if useless:
                yield Reason("own-support", {"unit": occupant.unit, "supporters": useless})

    def _why_no_path(self, m: MoveNode) -> Iterator[Reason]:
        """Yield why the convoy of an army is broken."""
        waters = Waters(self.verdict.situation.board, [f.at for f in m.fleets])
        broken = [f for f in m.fleets if self.x.decision(f) != TRUE and waters.is_useful(f.at, m.at, m.dst)]
        if self.x.ruling.routes.get(m.index) is not None:
            yield Reason("convoy-settled", {"unit": m.piece.unit}, "4.A.2")
        else:
            yield Reason("convoy-broken", {"unit": m.piece.unit, "fleets": tuple(f.piece.unit for f in broken)})

    def _why_by_sea(self, m: MoveNode) -> Iterator[Reason]:
        """Yield why an army whose convoy fails does not go by land (DATC 4.A.3)."""
        if m.by_land and m.via:
            yield Reason("sea-by-order", {"unit": m.piece.unit}, "4.A.3")
        elif m.by_land:
            own = tuple(f.piece.unit for f in m.own_fleets)
            yield Reason("sea-by-own-fleet", {"unit": m.piece.unit, "fleets": own}, "4.A.3")

    def _why_cut(self, s: SupportNode) -> Iterator[Reason]:
        for m in s.piece.attackers:
            if cut_by(self.x, s, m) != TRUE:
                continue
            if comes_from(self.x, m, s.zone) == TRUE:
                yield Reason("cut-by-dislodging", {"unit": m.piece.unit})
            else:
                by_letter = "4.A.2" if path(self.x, m) == FALSE else None  # 2000, read literally
                yield Reason("cut", {"unit": m.piece.unit}, by_letter)

    def _why_disrupted(self, c: ConvoyNode) -> Iterator[Reason]:
        if c.index in self.verdict.ruling.vetoes:
            yield Reason("paradox-disrupts", {"unit": c.piece.unit}, self._paradox_issue)

    @property
    def _paradox_issue(self) -> str | None:
        """The section that settles paradoxes: none where the user's own choice does."""
        return "4.A.2" if self.verdict.situation.rules.paradox in BACKUPS else None

    def _why_dislodged(self, piece: Piece) -> Iterator[Reason]:
        winner = self.verdict.dislodged.get(piece.unit.province)
        if winner is None:
            return
        if self.verdict.is_open:
            yield Reason("enters", {"unit": winner.piece.unit})
        else:
            yield self._how_dislodged(winner, piece)
            yield from self._useless_supports(winner)
        if piece.unit.power in self.removed:
            yield Reason("disorder-removed", {"unit": piece.unit})

    def _how_dislodged(self, winner: MoveNode, piece: Piece) -> Reason:
        opponent = self._opponent(winner)
        details = {"unit": winner.piece.unit, "attack": attack(self.x, winner)[0]} | self._helped(winner)
        if opponent is None:
            held = {"hold": hold(self.x, piece)[0], "against": self._holders(piece)}
            return Reason("dislodged-by", details | held)
        held = {"defend": defend(self.x, opponent)[0], "against": self._supporters(opponent)}
        return Reason("dislodged-by-opposite", details | held)

    # ------------------------------------------------------------------ who helped

    def _rivals(self, m: MoveNode) -> Iterator[MoveNode]:
        return (c for c in m.rivals if c is not m)

    def _opponent(self, m: MoveNode) -> MoveNode | None:
        """Return the move out of the destination that meets a move head to head."""
        moves = () if m.target is None else m.target.moves
        return next((o for o in moves if o in m.opposing and head_to_head(self.x, m, o) == TRUE), None)

    def _occupant(self, m: MoveNode) -> Piece | None:
        """Return the unit that an attack must drive out; one that leaves is in the way head to head only."""
        if m.target is None or (m.dst in self.verdict.left and self._opponent(m) is None):
            return None
        return m.target

    def _supporters(self, m: MoveNode) -> tuple[Unit, ...]:
        return self._working(m.supports)

    def _holders(self, piece: Piece) -> tuple[Unit, ...]:
        """Name the supports that count in HOLD."""
        return () if piece.moves or not piece.supportable else self._working(piece.hold_supports)

    def _helped(self, m: MoveNode) -> dict[str, object]:
        """Name the supports that counted in ATTACK(m)."""
        supporters, occupant = self._supporters(m), self._occupant(m)
        if occupant is not None:
            supporters = tuple(unit for unit in supporters if unit.power != occupant.unit.power)
        return {"supporters": supporters}

    def _working(self, supports: Iterable[SupportNode]) -> tuple[Unit, ...]:
        return tuple(s.piece.unit for s in supports if self.x.decision(s) == TRUE)


_WORDS: Final[Mapping[type[Node], tuple[Outcome, Outcome]]] = {
    MoveNode: (Outcome.SUCCEEDS, Outcome.FAILS),
    SupportNode: (Outcome.GIVEN, Outcome.CUT),
    ConvoyNode: (Outcome.AVAILABLE, Outcome.DISRUPTED),
}
_CHECKED_OUTCOMES: Final = {Status.ILLEGAL: Outcome.ILLEGAL, Status.VOID: Outcome.INVALID}


def _given_reasons(result: OrderResult) -> tuple[Reason, ...]:
    entry = result.checked
    return entry.basis if entry.reason is None else (entry.reason, *entry.basis)
