"""The orders of a movement phase, linked to each other the way the equations need them.

A `Situation` holds *candidate* orders: one per unit when the orders are given, several when they are open
(then a reading says by a literal which of them was given). Nothing here is decided; it only says which order
could matter to which: who supports whom, who moves where, which fleets offer a passage.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from satdip.board import Board, province_of
from satdip.check.waters import Waters
from satdip.orders import Convoy, Move, Order, Support
from satdip.position import Unit
from satdip.rulebook import DATC, ConvoyedAttack, ConvoyRoutes, NamedRoute, Rulebook, SupportCoast

__all__ = ["ConvoyNode", "HoldNode", "MoveNode", "Node", "Piece", "Situation", "SupportNode"]


@dataclass(slots=True, eq=False, repr=False)
class Piece:
    """A unit on the board and what can happen to it.

    Args:
        unit: the unit.
        moves: its candidate moves.
        hold_supports: candidate supports in place.
        attackers: candidate moves of other units into its province.
        supportable: whether it can be supported in place when it does not move (DATC 4.D.9, 4.E.1).
    """

    unit: Unit
    supportable: bool = True
    moves: list[MoveNode] = field(default_factory=list)
    hold_supports: list[SupportNode] = field(default_factory=list)
    attackers: list[MoveNode] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"Piece({self.unit.power} {self.unit})"


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """One candidate order.

    Args:
        index: its number in `Situation.nodes`; decisions are stored under it.
        piece: the unit that it is given to.
        power: that unit's power.
        at: that unit's province.
        order: the order itself.
    """

    index: int
    piece: Piece
    power: str
    at: str
    order: Order

    def __str__(self) -> str:
        return f"{self.piece.unit}"

    def __repr__(self) -> str:  # short: the links go round in circles
        return f"{type(self).__name__}({self.index}, {self.power} {self})"


@dataclass(slots=True, eq=False, repr=False)
class HoldNode(Node):
    """A hold: it decides nothing."""


@dataclass(slots=True, eq=False, repr=False)
class MoveNode(Node):
    """A move from province `at` to province `dst`.

    Args:
        dst: the attacked province.
        location: the exact destination, coast included.
        via: "via convoy" was written.
        by_land: the unit could go without a convoy.
        sea: whether it goes by convoy, where that does not depend on other orders: TRUE, FALSE or None.
        target: the unit that stands in `dst`, if any.
        supports: candidate supports of exactly this move.
        fleets: candidate convoy orders that match it.
        own_fleets: those of them by fleets of the same power.
        routes: with the 1971 rule on routes, the chains of candidate fleets none of whose fleets can be left out.
        opposing: candidate moves of the target to `at`: a head-to-head battle unless a convoy is involved.
        facing: with Brannan's rule, convoyed moves to `at` whose last fleet stands in `dst` (DATC 6.F.30).
        rivals: candidate moves into `dst` (this one among them).
    """

    dst: str
    location: str
    via: bool
    by_land: bool
    sea: int | None = None
    target: Piece | None = None
    supports: list[SupportNode] = field(default_factory=list)
    fleets: list[ConvoyNode] = field(default_factory=list)
    own_fleets: list[ConvoyNode] = field(default_factory=list)
    routes: list[tuple[ConvoyNode, ...]] = field(default_factory=list)
    facing: list[MoveNode] = field(default_factory=list)
    opposing: list[MoveNode] = field(default_factory=list)
    rivals: list[MoveNode] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.piece.unit} - {self.location}"


@dataclass(slots=True, eq=False, repr=False)
class SupportNode(Node):
    """A support.

    Args:
        zone: the province that it is directed to.
        convoys_in_zone: candidate convoy orders of a fleet there that match an army's move.
    """

    zone: str
    convoys_in_zone: list[ConvoyNode] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.piece.unit} S {self.zone}"


@dataclass(slots=True, eq=False, repr=False)
class ConvoyNode(Node):
    """A convoy order of a fleet in the sea `at`.

    Args:
        src: province of the army.
        dst: province that it is carried to.
        touches: the seas and coasts next to the fleet.
        carried: candidate moves that it matches.
    """

    src: str
    dst: str
    touches: frozenset[str]
    carried: list[MoveNode] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.piece.unit} C {self.src} - {self.dst}"


class Situation:
    """Candidate orders with their links.

    Args:
        board: the map.
        candidates: (unit, legal order) pairs; the order's references are exact (`satdip.check`). A unit without
            any candidate holds.
        units: every unit on the board.
        rules: the rulebook: it decides which supports and routes match.
        unsupportable: provinces whose unit cannot be supported in place.
    """

    def __init__(
        self,
        board: Board,
        units: Iterable[Unit],
        candidates: Iterable[tuple[Unit, Order]],
        rules: Rulebook = DATC,
        unsupportable: Collection[str] = (),
    ) -> None:
        self.board, self.rules = board, rules
        self.pieces: dict[str, Piece] = {
            unit.province: Piece(unit, unit.province not in unsupportable) for unit in units
        }
        self.moves: list[MoveNode] = []
        self.supports: list[SupportNode] = []
        self.convoys: list[ConvoyNode] = []
        self.moves_into: dict[str, list[MoveNode]] = {}
        nodes: list[Node] = []
        for unit, order in candidates:
            nodes.append(self._node(len(nodes), self.pieces[unit.province], order))
        self.nodes: Sequence[Node] = nodes
        self._link()

    def _node(self, index: int, piece: Piece, order: Order) -> Node:
        unit = piece.unit
        who = (index, piece, unit.power, unit.province, order)
        match order:
            case Move():
                dst = province_of(order.destination)
                by_land = order.destination in self.board.reach(unit.kind, unit.location)
                move = MoveNode(*who, dst=dst, location=order.destination, via=order.via, by_land=by_land)
                self.moves.append(move)
                self.moves_into.setdefault(dst, []).append(move)
                piece.moves.append(move)
                return move
            case Support():
                zone = order.target.province if order.destination is None else province_of(order.destination)
                support = SupportNode(*who, zone=zone)
                self.supports.append(support)
                return support
            case Convoy():
                dst, touches = province_of(order.destination), self.board.sea_neighbours[unit.province]
                convoy = ConvoyNode(*who, src=order.army.province, dst=dst, touches=touches)
                self.convoys.append(convoy)
                return convoy
            case _:
                return HoldNode(*who)

    def _link(self) -> None:
        for province, piece in self.pieces.items():
            piece.attackers = self.moves_into.get(province, piece.attackers)
        for move in self.moves:
            move.rivals = self.moves_into[move.dst]
            move.target = self.pieces.get(move.dst)
            if move.target is not None:
                move.opposing = [other for other in move.target.moves if other.dst == move.at]
        for support in self.supports:
            self._link_support(support)
        for convoy in self.convoys:
            self._link_convoy(convoy)
        carrying: dict[str, list[ConvoyNode]] = {}
        for convoy in self.convoys:
            if convoy.carried:
                carrying.setdefault(convoy.at, []).append(convoy)
        for support in self.supports if carrying else ():
            support.convoys_in_zone = carrying.get(support.zone, support.convoys_in_zone)
        for move in self.moves:
            self._settle_way(move)
            if move.fleets and self.rules.convoyed_attack == ConvoyedAttack.LAST_FLEET:
                self._link_last_fleets(move)

    def _link_support(self, support: SupportNode) -> None:
        order = support.order
        assert isinstance(order, Support)  # noqa: S101 -- says to the type checker what _node did
        supported = self.pieces.get(order.target.province)
        if supported is None:
            return
        if order.destination is None:
            supported.hold_supports.append(support)
            return
        for move in supported.moves:
            if self._supports(order.destination, move):
                move.supports.append(support)

    def _supports(self, goal: str, move: MoveNode) -> bool:
        """A support without a coast counts for both coasts; one with a coast must match (DATC 4.B.4, 6.B.9)."""
        if self.rules.support_coast == SupportCoast.NO_MATTER:
            return province_of(goal) == move.dst
        return goal in (move.location, move.dst)

    def _link_convoy(self, convoy: ConvoyNode) -> None:
        army = self.pieces.get(convoy.src)
        for move in army.moves if army is not None else ():
            if move.dst == convoy.dst and self._on_named_route(convoy, move):
                move.fleets.append(convoy)
                convoy.carried.append(move)
                if convoy.power == move.power:
                    move.own_fleets.append(convoy)

    def _on_named_route(self, convoy: ConvoyNode, move: MoveNode) -> bool:
        """An army that names its route takes no other (DATC 4.A.6 b, c)."""
        named = move.order.route if isinstance(move.order, Move) else ()
        return not named or self.rules.named_route == NamedRoute.IGNORED or convoy.at in named

    def _settle_way(self, move: MoveNode) -> None:
        """Find whether a move goes by convoy, as far as no other order matters to it."""
        if not move.by_land:
            move.sea = 1
        elif not move.via and not move.fleets:
            move.sea = -1
        if move.fleets and self.rules.convoy_routes == ConvoyRoutes.ANY:
            fleets = {fleet.at: fleet for fleet in move.fleets}
            chains = sorted(Waters(self.board, fleets).routes(move.at, move.dst))
            move.routes = [tuple(fleets[at] for at in chain) for chain in chains]

    def _link_last_fleets(self, move: MoveNode) -> None:
        """Link a convoyed move with attacks from its destination on its last fleet (Brannan's rule)."""
        for fleet in move.fleets:
            for other in move.target.moves if move.target is not None else ():
                if fleet.at == other.dst and move.dst in fleet.touches:
                    move.opposing.append(other)
                    other.facing.append(move)

    def __repr__(self) -> str:
        return f"Situation({', '.join(map(repr, self.nodes))})"

    def decisions(self) -> list[Node]:
        """Return the orders that have a decision: moves, supports, convoys."""
        return [node for node in self.nodes if not isinstance(node, HoldNode)]
