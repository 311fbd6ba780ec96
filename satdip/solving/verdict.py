"""What a movement phase comes to: a value for every decision, what settled it, and the cores met on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from satdip.encodings.reading import NO_RULING, TRUE, UNKNOWN, Ruling, ThreeValued
from satdip.encodings.rotations import Cycle
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation

__all__ = ["Core", "DecidedBy", "Verdict"]


class DecidedBy(StrEnum):
    """What settled a decision."""

    FOLDING = "folding"
    SOLVER = "solver"
    ROTATION = "rotation"
    PARADOX_RULE = "paradox-rule"
    NOTHING = "nothing"
    """The rules give no answer."""


@dataclass(frozen=True)
class Core:
    """Decisions that depend on each other in a cycle, and on nothing undecided outside.

    Args:
        nodes: the orders whose decisions they are.
        models: how many consistent resolutions the core has by itself, rotations turning: 0, 1, or 2 for "several".
        rotations: the rings of moves in it that can turn.
        vetoed: the orders that the paradox rule forbids: the convoys that it disrupts, the moves that it lets fail.
        left_open: the rules give no answer.
    """

    nodes: tuple[Node, ...]
    models: int
    rotations: tuple[Cycle, ...] = ()
    vetoed: tuple[Node, ...] = ()
    left_open: bool = False


@dataclass(frozen=True)
class Verdict:
    """Every decision of a phase.

    Args:
        situation: the orders.
        values: order index -> TRUE or FALSE (a hold is TRUE); UNKNOWN where the rules give no answer.
        by: order index -> what decided it.
        cores: the cores that were met, in the order in which they were settled.
        ruling: what the paradox rule laid down.
        first_cores: the cores of Bille's first stage, which only settles routes.
    """

    situation: Situation
    values: list[int]
    by: Sequence[DecidedBy]
    cores: tuple[Core, ...] = ()
    ruling: Ruling = NO_RULING
    first_cores: tuple[Core, ...] = ()
    is_open: bool = field(init=False)
    """Whether the rules leave a paradox without an answer."""
    reading: ThreeValued = field(init=False, repr=False, compare=False)
    """The reading of the finished resolution: two-valued, and strengths are numbers, unless it is open."""
    arrivals: Mapping[str, MoveNode] = field(init=False, repr=False)
    """Province -> the move into it that succeeds."""
    left: frozenset[str] = field(init=False, repr=False)
    """The provinces whose unit moves away."""
    dislodged: Mapping[str, MoveNode] = field(init=False, repr=False)
    """Province of a dislodged unit -> the move that dislodges it."""

    def __post_init__(self) -> None:
        situation, values = self.situation, self.values
        arrivals = {m.dst: m for m in situation.moves if values[m.index] == TRUE}
        left = frozenset([m.at for m in arrivals.values()])
        driven = {at: m for at, m in arrivals.items() if at in situation.pieces and at not in left}
        is_open = any(core.left_open for core in self.cores)
        if is_open:  # a unit whose own move is open may leave before it is driven out
            leaving = {m.at for m in situation.moves if values[m.index] == UNKNOWN}
            driven = {at: m for at, m in driven.items() if at not in leaving}
        object.__setattr__(self, "is_open", is_open)
        object.__setattr__(self, "reading", ThreeValued(values, situation.rules, self.ruling))
        object.__setattr__(self, "arrivals", arrivals)
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "dislodged", driven)

    @property
    def rotations(self) -> tuple[Cycle, ...]:
        """The rings of moves in the cores all of which succeed."""
        rings = [ring for core in self.cores for ring in core.rotations]
        return tuple([ring for ring in rings if all(self.values[m.index] == TRUE for m in ring)])

    def is_taken(self, province: str) -> bool:
        """Return whether a unit stands in a province after the moves."""
        return province in self.arrivals or (province in self.situation.pieces and province not in self.left)

    def leaves_open(self, node: Node) -> bool:
        """Return whether an open paradox decides what becomes of an order or, for a hold, of its unit."""
        if isinstance(node, HoldNode) and node.at not in self.dislodged:
            return any(self.values[m.index] == UNKNOWN for m in node.piece.attackers)
        return self.values[node.index] == UNKNOWN
