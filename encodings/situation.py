"""The orders of a movement phase, linked to each other the way the equations need them.

A `Situation` holds *candidate* orders: one per unit when the orders are given, several when they are open
(then a reading says by a literal which of them was given). Nothing here is decided; it only says which order
could matter to which: who supports whom, who moves where, which fleets offer a passage.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from satdip.board import Board, UnitKind
from satdip.board.waters import Waters
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed
from satdip.phase.orders import Convoy, Move, Order, Support
from satdip.phase.position import Unit
from satdip.rulebook import DATC, ConvoyedAttack, ConvoyRoutes, NamedRoute, Rulebook, SupportCoast

__all__ = ["ConvoyNode", "HoldNode", "MoveNode", "Node", "Piece", "Situation", "SupportNode"]

# Python finds members of enumerations slowly, and these are asked for at every order.
FLEET: Final = UnitKind.FLEET
NO_MATTER: Final = SupportCoast.NO_MATTER


class Piece:
    """A unit on the board and what can happen to it.

    Args:
        unit: the unit.
        order: its order; one of them where it has several candidates.
        moves: its candidate moves.
        hold_supports: candidate supports in place.
        attackers: candidate moves of other units into its province.
        supportable: whether it can be supported in place when it does not move (DATC 4.D.9, 4.E.1).
    """

    __slots__ = ("attackers", "hold_supports", "moves", "order", "supportable", "unit")

    def __init__(self, unit: Unit, supportable: bool = True) -> None:
        self.unit = unit
        self.supportable = supportable
        self.order: Node | None = None
        self.moves: tuple[MoveNode, ...] = ()
        self.hold_supports: tuple[SupportNode, ...] = ()
        self.attackers: tuple[MoveNode, ...] = ()

    def __repr__(self) -> str:
        return f"Piece({self.unit.power} {self.unit})"


class Node(Indexed):
    """One candidate order.

    Args:
        index: its number in `Situation.nodes`; decisions are stored under it.
        piece: the unit that it is given to.
        power: that unit's power.
        at: that unit's province.
        order: the order itself.
    """

    __slots__ = ("at", "order", "piece", "power")

    def __init__(self, index: int, piece: Piece, order: Order) -> None:
        super().__init__(index)
        piece.order = self
        self.piece = piece
        self.power = piece.unit.power
        self.at = piece.unit.province
        self.order = order

    def __str__(self) -> str:
        return f"{self.piece.unit}"

    def __repr__(self) -> str:  # short: the links go round in circles
        return f"{type(self).__name__}({self.index}, {self.power} {self})"


class HoldNode(Node):
    """A hold: it decides nothing."""

    __slots__ = ()


class MoveNode(Node):
    """A move from province `at` to province `dst`.

    Args:
        dst: the attacked province.
        location: the exact destination, coast included.
        via: "via convoy" was written.
        by_land: the unit could go without a convoy.
        sea: whether it goes by convoy, where that does not depend on other orders; else UNKNOWN.
        target: the unit that stands in `dst`, if any.
        supports: candidate supports of exactly this move.
        fleets: candidate convoy orders that match it.
        own_fleets: those of them by fleets of the same power.
        routes: with the 1971 rule on routes, the chains of candidate fleets none of whose fleets can be left out.
        opposing: candidate moves of the target to `at`: a head-to-head battle unless a convoy is involved.
        facing: with Brannan's rule, convoyed moves to `at` whose last fleet stands in `dst` (DATC 6.F.30).
        rivals: candidate moves into `dst` (this one among them).
    """

    __slots__ = (
        "by_land",
        "dst",
        "facing",
        "fleets",
        "location",
        "opposing",
        "own_fleets",
        "rivals",
        "routes",
        "sea",
        "supports",
        "target",
        "via",
    )

    def __init__(self, index: int, piece: Piece, order: Move, by_land: bool) -> None:
        super().__init__(index, piece, order)
        self.dst = order.dst
        self.location = order.destination
        self.via = order.via
        self.by_land = by_land
        self.sea = TRUE if not by_land else UNKNOWN if order.via else FALSE
        self.target: Piece | None = None
        self.supports: tuple[SupportNode, ...] = ()
        self.fleets: tuple[ConvoyNode, ...] = ()
        self.own_fleets: tuple[ConvoyNode, ...] = ()
        self.routes: tuple[tuple[ConvoyNode, ...], ...] = ()
        self.facing: tuple[MoveNode, ...] = ()
        self.opposing: tuple[MoveNode, ...] = ()
        self.rivals: tuple[MoveNode, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether it goes by land to an empty province, and touches no other order."""
        return self.target is None and self.sea == FALSE and len(self.rivals) == 1 and not self.supports

    def __str__(self) -> str:
        return f"{self.piece.unit} - {self.location}"


class SupportNode(Node):
    """A support.

    Args:
        zone: the province that it is directed to.
        target: the unit that it is given to; None when no unit is there.
        convoys_in_zone: candidate convoy orders of a fleet there that match an army's move.
    """

    __slots__ = ("convoys_in_zone", "target", "zone")

    def __init__(self, index: int, piece: Piece, order: Support) -> None:
        super().__init__(index, piece, order)
        self.zone = order.zone
        self.target: Piece | None = None
        self.convoys_in_zone: tuple[ConvoyNode, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether nobody attacks the supporting unit."""
        return not self.piece.attackers

    def __str__(self) -> str:
        return f"{self.piece.unit} S {self.zone}"


class ConvoyNode(Node):
    """A convoy order of a fleet in the sea `at`.

    Args:
        src: province of the army.
        dst: province that it is carried to.
        touches: the seas and coasts next to the fleet.
        carried: candidate moves that it matches.
    """

    __slots__ = ("carried", "dst", "src", "touches")

    def __init__(self, index: int, piece: Piece, order: Convoy, touches: frozenset[str]) -> None:
        super().__init__(index, piece, order)
        self.src = order.army.province
        self.dst = order.dst
        self.touches = touches
        self.carried: tuple[MoveNode, ...] = ()

    @property
    def is_alone(self) -> bool:
        """Whether nobody attacks the fleet."""
        return not self.piece.attackers

    def __str__(self) -> str:
        return f"{self.piece.unit} C {self.src} - {self.dst}"


class Situation:
    """Candidate orders with their links, which hold as long as the situation is kept.

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
        self.pieces: dict[str, Piece] = {}
        self.moves: list[MoveNode] = []
        self.supports: list[SupportNode] = []
        self.convoys: list[ConvoyNode] = []
        self.moves_into: dict[str, list[MoveNode]] = {}
        for unit in units:
            self.pieces[unit.province] = Piece(unit, unit.province not in unsupportable)
        self.nodes: Sequence[Node] = [
            self._node(index, self.pieces[unit.province], order) for index, (unit, order) in enumerate(candidates)
        ]
        self._link_moves()
        self._link_supports()
        if self.convoys:
            self._link_convoys()

    def _node(self, index: int, piece: Piece, order: Order) -> Node:
        unit = piece.unit
        if isinstance(order, Move):
            by_land = unit.kind == FLEET or order.destination in self.board.army[unit.location]
            move = MoveNode(index, piece, order, by_land)
            self.moves.append(move)
            return move
        if isinstance(order, Support):
            support = SupportNode(index, piece, order)
            self.supports.append(support)
            return support
        if isinstance(order, Convoy):
            convoy = ConvoyNode(index, piece, order, self.board.sea_neighbours[unit.province])
            self.convoys.append(convoy)
            return convoy
        return HoldNode(index, piece, order)

    def _link_moves(self) -> None:
        leaving: dict[str, list[MoveNode]] = {}
        for move in self.moves:
            self.moves_into.setdefault(move.dst, []).append(move)
            leaving.setdefault(move.at, []).append(move)
        for at, moves in leaving.items():
            self.pieces[at].moves = tuple(moves)
        for dst, moves in self.moves_into.items():
            target, arriving = self.pieces.get(dst), tuple(moves)
            for move in arriving:
                move.rivals, move.target = arriving, target
            if target is not None:
                target.attackers = arriving
                for move in arriving if target.moves else ():
                    move.opposing = tuple([other for other in target.moves if other.dst == move.at])

    def _link_supports(self) -> None:
        in_place: dict[str, list[SupportNode]] = {}
        of_moves: dict[str, list[SupportNode]] = {}
        for support in self.supports:
            order = support.order
            assert isinstance(order, Support)  # noqa: S101 -- says to the type checker what _node did
            support.target = self.pieces.get(order.target.province)
            table = in_place if order.destination is None else of_moves
            table.setdefault(order.target.province, []).append(support)
        for at, supports in in_place.items():
            if at in self.pieces:
                self.pieces[at].hold_supports = tuple(supports)
        for at, supports in of_moves.items():
            for move in self.pieces[at].moves if at in self.pieces else ():
                move.supports = tuple([support for support in supports if self._supports(support.order, move)])

    def _supports(self, support: Order, move: MoveNode) -> bool:
        """A support without a coast counts for both coasts; one with a coast must match (DATC 4.B.4, 6.B.9)."""
        assert isinstance(support, Support)  # noqa: S101
        if self.rules.support_coast is NO_MATTER:
            return support.zone == move.dst
        return support.destination in (move.location, move.dst)

    def _link_convoys(self) -> None:
        convoying: dict[tuple[str, str], list[ConvoyNode]] = {}
        for convoy in self.convoys:
            convoying.setdefault((convoy.src, convoy.dst), []).append(convoy)
        for (src, dst), convoys in convoying.items():
            for move in self.pieces[src].moves if src in self.pieces else ():
                if move.dst == dst:
                    self._link_fleets(move, tuple([convoy for convoy in convoys if self._on_named_route(convoy, move)]))
        carrying: dict[str, list[ConvoyNode]] = {}
        for convoy in self.convoys:
            if convoy.carried:
                carrying.setdefault(convoy.at, []).append(convoy)
        for support in self.supports if carrying else ():
            support.convoys_in_zone = tuple(carrying.get(support.zone, ()))

    def _link_fleets(self, move: MoveNode, fleets: tuple[ConvoyNode, ...]) -> None:
        """Link a move with the fleets that offer it a passage."""
        if not fleets:
            return
        move.fleets = fleets
        move.own_fleets = tuple([fleet for fleet in fleets if fleet.power == move.power])
        for fleet in fleets:
            fleet.carried = (*fleet.carried, move)
        if move.by_land:
            move.sea = UNKNOWN  # by land or by sea: that depends on the orders to these fleets
        if self.rules.convoy_routes == ConvoyRoutes.ANY:
            by_sea = {fleet.at: fleet for fleet in fleets}
            chains = sorted(Waters(self.board, by_sea).routes(move.at, move.dst))
            move.routes = tuple([tuple([by_sea[at] for at in chain]) for chain in chains])
        if self.rules.convoyed_attack == ConvoyedAttack.LAST_FLEET:
            self._link_last_fleets(move)

    def _on_named_route(self, convoy: ConvoyNode, move: MoveNode) -> bool:
        """An army that names its route takes no other (DATC 4.A.6 b, c)."""
        named = move.order.route if isinstance(move.order, Move) else ()
        return not named or self.rules.named_route == NamedRoute.IGNORED or convoy.at in named

    def _link_last_fleets(self, move: MoveNode) -> None:
        """Link a convoyed move with attacks from its destination on its last fleet (Brannan's rule)."""
        for fleet in move.fleets:
            for other in move.target.moves if move.target is not None else ():
                if fleet.at == other.dst and move.dst in fleet.touches:
                    move.opposing = (*move.opposing, other)
                    other.facing = (*other.facing, move)

    def __del__(self) -> None:
        """Take apart the links that go round in circles: then no garbage collector has to look for them."""
        for piece in self.pieces.values():
            piece.order = None
            piece.moves = piece.attackers = ()
            piece.hold_supports = ()
        for move in self.moves:
            move.rivals = move.opposing = move.facing = ()
        for convoy in self.convoys:
            convoy.carried = ()

    def __repr__(self) -> str:
        return f"Situation({', '.join(map(repr, self.nodes))})"

    def decisions(self) -> list[Node]:
        """Return the orders that have a decision: moves, supports, convoys."""
        return [node for node in self.nodes if not isinstance(node, HoldNode)]
