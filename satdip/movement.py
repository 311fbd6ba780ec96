"""A movement phase: from checked orders to a decision for each of them.

1. *Closure*: read the equations over three truth values until nothing changes. Uncontested orders end here.
2. *Cores*: what is left undecided contains cycles. Each strongly connected component that depends on no other
   undecided one becomes a small formula, with the clauses that make rotations turn, and the solver counts its
   models. One model: that is the answer.
3. *Paradox rule*: none or several models. The rulebook's rule adds its clauses, and the closure goes on.

With `fold=False` nothing is simplified in Python: the solver computes the closure by unit propagation, and its
model of the whole formula is the answer. Both ways must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import DualRail, Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import FALSE, TRUE, UNKNOWN, Indexed, ThreeValued
from satdip.encodings.rotations import Cycle, add_rotations, cycles
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node, Situation
from satdip.rulebook import Rulebook
from satdip.solver import DEFAULT_SOLVER, models, propagated

__all__ = ["Core", "DecidedBy", "Verdict", "decide", "whole_formula"]


class DecidedBy(StrEnum):
    """What settled a decision."""

    FOLDING = "folding"
    SOLVER = "solver"
    ROTATION = "rotation"
    PARADOX_RULE = "paradox-rule"


@dataclass(frozen=True)
class Core:
    """Decisions that depend on each other in a cycle, and on nothing undecided outside.

    Args:
        nodes: the orders whose decisions they are.
        models: how many consistent resolutions the core has by itself, rotations turning: 0, 1, or 2 for "several".
        rotations: the rings of moves in it that turn.
        vetoed: the convoys that the paradox rule disrupted.
    """

    nodes: tuple[Node, ...]
    models: int
    rotations: tuple[Cycle, ...] = ()
    vetoed: tuple[ConvoyNode, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Every decision of a phase.

    Args:
        situation: the orders.
        values: order index -> TRUE or FALSE (a hold is TRUE).
        by: order index -> what decided it.
        cores: the cores that were met, in the order in which they were settled.
        vetoes: indices of the convoys that a paradox rule disrupted.
    """

    situation: Situation
    values: Sequence[int]
    by: Sequence[DecidedBy]
    cores: tuple[Core, ...]
    vetoes: frozenset[int]

    @cached_property
    def reading(self) -> ThreeValued:
        """The two-valued reading of the finished resolution: strengths are numbers in it."""
        return ThreeValued(self.values, self.vetoes)

    @cached_property
    def arrivals(self) -> Mapping[str, MoveNode]:
        """Province -> the move into it that succeeds."""
        return {m.dst: m for m in self.situation.moves if self.values[m.index] == TRUE}

    @cached_property
    def dislodged(self) -> Mapping[str, MoveNode]:
        """Province of a dislodged unit -> the move that dislodges it."""
        left = {m.at for m in self.arrivals.values()}
        pieces = self.situation.pieces
        return {at: m for at, m in self.arrivals.items() if at in pieces and at not in left}


def decide(situation: Situation, rules: Rulebook, *, fold: bool = True, solver: str = DEFAULT_SOLVER) -> Verdict:
    """Find the consistent resolution of a phase.

    Args:
        situation: the orders of the phase, one per unit.
        rules: decides what happens in a paradox.
        fold: decide by constant folding what can be decided so; else leave everything to the solver.
        solver: name of a PySAT solver.

    Raises:
        RuntimeError: the equations met something that the theory excludes under these rules.
    """
    work = _Work(situation, fold, solver)
    work.close()
    while work.open:
        for nodes in _sinks(work.reading(), work.open):
            work.settle(nodes, rules)
        work.close()
    if not fold:
        work.compare_with_whole_formula()
    return Verdict(situation, work.values, work.by, tuple(work.cores), frozenset(work.vetoes))


class _Work:
    """The decisions while they are being made."""

    def __init__(self, situation: Situation, fold: bool, solver: str) -> None:
        self.situation, self.fold, self.solver = situation, fold, solver
        self.values = _nothing_known(situation)
        self.by = [DecidedBy.FOLDING if fold else DecidedBy.SOLVER] * len(situation.nodes)
        self.cores: list[Core] = []
        self.vetoes: set[int] = set()
        self.open: list[Node] = situation.decisions()
        self._cause = self.by[0] if self.by else DecidedBy.FOLDING

    def reading(self) -> ThreeValued:
        return ThreeValued(self.values, frozenset(self.vetoes))

    def close(self) -> None:
        """Decide what the decisions made so far decide."""
        if self.fold:
            self._sweep()
        else:
            self._propagate()
        self.open = [node for node in self.open if self.values[node.index] == UNKNOWN]

    def _sweep(self) -> None:
        reading, undecided, before = self.reading(), self.open, -1
        while len(undecided) != before:
            before = len(undecided)
            for node in undecided:
                self.values[node.index] = equation(reading, node)
            undecided = [node for node in undecided if self.values[node.index] == UNKNOWN]

    def _propagate(self) -> None:
        formula = DualRail(fold=False)
        x = clause_reading(formula, self.situation, vetoes=frozenset(self.vetoes))
        decisions = self.situation.decisions()
        assert_equations(x, decisions, equation, tag)
        for node in decisions:
            if self.values[node.index] != UNKNOWN:
                formula.add((formula.rail(self.values[node.index] * x.decision(node)),))
        true = propagated(formula.clauses, self.solver)
        for node in decisions:
            literal = x.decision(node)
            known = TRUE if formula.rail(literal) in true else FALSE if formula.rail(-literal) in true else UNKNOWN
            self.values[node.index] = known

    def settle(self, nodes: tuple[Node, ...], rules: Rulebook) -> None:
        """Give a core its decisions, or let the paradox rule disrupt its convoys."""
        formula = Formula(fold=self.fold)
        x = clause_reading(formula, self.situation, self.values if self.fold else None, frozenset(self.vetoes))
        assert_equations(x, nodes, equation, tag)
        rings = add_rotations(x, formula, cycles(self.situation, [n for n in nodes if isinstance(n, MoveNode)]))
        if not self.fold:
            for node in self.situation.decisions():
                if self.values[node.index] != UNKNOWN:
                    formula.add((self.values[node.index] * x.decision(node),))
        found = models(formula.clauses, [x.decision(node) for node in nodes], limit=2, name=self.solver)
        if len(found) == 1:
            cause = DecidedBy.ROTATION if rings else DecidedBy.SOLVER
            for node in nodes:
                self.values[node.index] = TRUE if found[0][x.decision(node)] else FALSE
                self.by[node.index] = cause
            self.cores.append(Core(nodes, 1, tuple(rings)))
            return
        convoys = tuple(node for node in nodes if isinstance(node, ConvoyNode))
        if not convoys:
            raise RuntimeError(f"{len(found)} models of a core without a convoy: {', '.join(map(str, nodes))}")
        del rules  # the Szykman rule is the only one so far
        self.vetoes.update(node.index for node in convoys)
        for node in nodes:
            self.by[node.index] = DecidedBy.PARADOX_RULE
        self.cores.append(Core(nodes, len(found), tuple(rings), convoys))

    def compare_with_whole_formula(self) -> None:
        """Check that the resolution is the only model of the whole unfolded formula."""
        formula, x = whole_formula(self.situation, frozenset(self.vetoes), fold=False)
        decisions = self.situation.decisions()
        found = models(formula.clauses, [x.decision(node) for node in decisions], limit=2, name=self.solver)
        expected = {x.decision(node): self.values[node.index] == TRUE for node in decisions}
        if found != [expected]:
            raise RuntimeError("the closure and the whole formula disagree")


def clause_reading(
    formula: Formula, situation: Situation, values: Sequence[int] | None = None, vetoes: frozenset[int] = frozenset()
) -> ClauseReading:
    """Give every decision of a phase a variable, but for those whose value is known."""
    names = [f"{tag(node).rule} {node}" for node in situation.nodes]
    return ClauseReading.of(formula, names, values or _nothing_known(situation), vetoes=vetoes)


def _nothing_known(situation: Situation) -> list[int]:
    return [TRUE if isinstance(node, HoldNode) else UNKNOWN for node in situation.nodes]


def whole_formula(
    situation: Situation, vetoes: frozenset[int] = frozenset(), *, fold: bool = True
) -> tuple[Formula, ClauseReading]:
    """Return the formula of a whole phase, rotations included, and the reading that knows its variables."""
    formula = Formula(fold=fold)
    x = clause_reading(formula, situation, vetoes=vetoes)
    assert_equations(x, situation.decisions(), equation, tag)
    add_rotations(x, formula, cycles(situation))
    return formula, x


class _Traced(ThreeValued):
    """A reading that notes which undecided decisions an equation asks for."""

    __slots__ = ("asked",)

    def __init__(self, reading: ThreeValued) -> None:
        super().__init__(reading.values, reading.vetoes)
        self.asked: set[int] = set()

    def decision(self, node: Indexed) -> int:
        value = self.values[node.index]
        if value == UNKNOWN:
            self.asked.add(node.index)
        return value


def _sinks(reading: ThreeValued, undecided: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """Find the cores: strongly connected components that ask for no other undecided decision."""
    import networkx as nx  # loaded late: few phases have a core

    asks: nx.DiGraph[int] = nx.DiGraph()
    for node in undecided:
        traced = _Traced(reading)
        equation(traced, node)
        asks.add_node(node.index)
        asks.add_edges_from((node.index, other) for other in traced.asked)
    by_index = {node.index: node for node in undecided}
    condensed = nx.condensation(asks)
    for component in sorted(condensed.nodes, key=lambda c: min(condensed.nodes[c]["members"])):
        if condensed.out_degree(component) == 0:
            yield tuple(by_index[index] for index in sorted(condensed.nodes[component]["members"]))
