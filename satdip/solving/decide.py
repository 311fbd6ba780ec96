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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from satdip.base.budget import UNLIMITED, Budget
from satdip.encodings.convoys import route
from satdip.encodings.paradoxes import BACKUPS, FALLBACKS, threatened_armies
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Ruling, ThreeValued
from satdip.encodings.rotations import Cycle
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation
from satdip.rulebook import Paradox
from satdip.solving.closure import asked, propagate, sinks, sweep, uncontested
from satdip.solving.formula_of_phase import completed, nothing_known, part_formula, whole_formula
from satdip.solving.solver import DEFAULT_SOLVER, models, recurring_models

__all__ = [
    "Core",
    "DecidedBy",
    "Verdict",
    "consistent_values",
    "decide",
]

NOTHING_FIXED: Final[Mapping[int, int]] = MappingProxyType({})


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
    """

    situation: Situation
    values: list[int]
    by: Sequence[DecidedBy]
    cores: tuple[Core, ...] = ()
    ruling: Ruling = NO_RULING
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
        """Tell whether a unit stands in a province after the moves."""
        return province in self.arrivals or (province in self.situation.pieces and province not in self.left)

    def leaves_open(self, node: Node) -> bool:
        """Tell whether an open paradox decides what becomes of an order or, for a hold, of its unit."""
        if isinstance(node, HoldNode) and node.at not in self.dislodged:
            return any(self.values[m.index] == UNKNOWN for m in node.piece.attackers)
        return self.values[node.index] == UNKNOWN


def decide(
    situation: Situation,
    *,
    fold: bool = True,
    solver: str = DEFAULT_SOLVER,
    budget: Budget = UNLIMITED,
    fixed: Mapping[int, int] = NOTHING_FIXED,
) -> Verdict:
    """Find the consistent resolution of a phase under the situation's rulebook.

    Args:
        situation: the orders of the phase, one per unit.
        fold: decide by constant folding what can be decided so; else leave everything to the solver.
        solver: name of a PySAT solver.
        budget: how long the solver may take.
        fixed: only with `fold`: orders that come out in a given way, whatever their equations say: index -> value.

    Raises:
        OutOfTime: the budget is used up.
        RuntimeError: the equations met something that the theory excludes under these rules.
    """
    ruling = NO_RULING
    if situation.rules.paradox == Paradox.BILLE and situation.convoys:
        ruling = _bille_routes(situation, fold, solver, budget, fixed)
    work = _Work(situation, ruling, fold, solver, budget, fixed)
    work.run()
    if not fold:
        work.compare_with_whole_formula()
    return Verdict(situation, work.values, work.by, tuple(work.cores), work.ruling)


def _bille_routes(situation: Situation, fold: bool, solver: str, budget: Budget, fixed: Mapping[int, int]) -> Ruling:
    """Settle the routes over attacked fleets as Bille does: first without the armies that these fleets carry."""
    undecided = ThreeValued(nothing_known(situation), situation.rules)
    armies = threatened_armies(undecided, situation)
    first = _Work(situation, Ruling(frozenset(m.index for m in armies)), fold, solver, budget, fixed)
    first.run()
    reading = ThreeValued(first.values, situation.rules)
    routes = {m.index: route(reading, m) for m in armies}
    if UNKNOWN in routes.values():
        raise RuntimeError("Bille's first stage left a route undecided")
    return Ruling(routes=routes)


class _Work:
    """The decisions while they are being made."""

    def __init__(
        self,
        situation: Situation,
        ruling: Ruling,
        fold: bool,
        solver: str,
        budget: Budget,
        fixed: Mapping[int, int],
    ) -> None:
        self.situation, self.fold, self.solver, self.budget = situation, fold, solver, budget
        self.rules, self.ruling = situation.rules, ruling
        self.values = uncontested(situation) if fold else nothing_known(situation)
        for index, value in fixed.items():
            self.values[index] = value
        self.by = [DecidedBy.FOLDING if fold else DecidedBy.SOLVER] * len(situation.nodes)
        self.cores: list[Core] = []
        # Supports first: most of them ask for nothing, and all else asks for them.
        nodes: list[Node] = [*situation.supports, *situation.convoys, *situation.moves]
        self.open = [node for node in nodes if self.values[node.index] == UNKNOWN]

    def reading(self) -> ThreeValued:
        return ThreeValued(self.values, self.rules, self.ruling)

    def run(self) -> None:
        """Close, settle the cores, and go on until nothing is left that the rules decide."""
        self.close()
        unanswered: set[int] = set()
        while self.open:
            cores = [core for core in sinks(asked(self.reading(), self.open)) if core[0] not in unanswered]
            if not cores:
                return
            for core in cores:
                if not self.settle(tuple(self.situation.nodes[index] for index in core)):
                    unanswered.update(core)
            self.close()

    def close(self) -> None:
        """Decide what the decisions made so far decide."""
        if self.fold:
            sweep(self.values, self.open, self.reading())
        else:
            propagate(self.values, self.situation, self.ruling, self.solver)
        self.open = [node for node in self.open if self.values[node.index] == UNKNOWN]

    def settle(self, nodes: tuple[Node, ...]) -> bool:
        """Give a core its decisions, or apply the paradox rule; False when the rules give no answer."""
        found, rings = self._models(nodes)
        if len(found) == 1:
            cause = DecidedBy.ROTATION if rings else DecidedBy.SOLVER
            for node in nodes:
                self.values[node.index] = found[0][node.index]
                self.by[node.index] = cause
            self.cores.append(Core(nodes, 1, rings))
            return True
        backup = BACKUPS.get(self.rules.paradox) or FALLBACKS.get(self.rules.fallback)
        vetoes = backup(self.situation, nodes, found) - self.ruling.vetoes if backup is not None else frozenset()
        forbidden = tuple(self.situation.nodes[index] for index in sorted(vetoes))
        self.cores.append(Core(nodes, min(len(found), 2), rings, forbidden, left_open=not forbidden))
        for node in nodes:
            self.by[node.index] = DecidedBy.PARADOX_RULE if forbidden else DecidedBy.NOTHING
        self.ruling = replace(self.ruling, vetoes=self.ruling.vetoes | vetoes)
        return bool(forbidden)

    def _models(self, nodes: tuple[Node, ...]) -> tuple[list[dict[int, int]], tuple[Cycle, ...]]:
        """Return up to three models of a core, index -> value, and its rings that can turn."""
        formula, x, rings = part_formula(self.situation, nodes, self.values, self.ruling, fold=self.fold)
        variables = [x.decision(node) for node in nodes]
        found = recurring_models(formula.clauses, variables, 3, self.solver, self.budget)
        by_index = [{n.index: TRUE if model[x.decision(n)] else FALSE for n in nodes} for model in found]
        return by_index, rings

    def compare_with_whole_formula(self) -> None:
        """Check that the resolution is the only model of the whole unfolded formula; an open phase has no such one."""
        if self.open:
            return
        formula, x = whole_formula(self.situation, self.ruling, fold=False)
        decided = self.situation.decisions()
        found = models(
            formula.clauses, [x.decision(node) for node in decided], limit=2, name=self.solver, budget=self.budget
        )
        expected = {x.decision(node): self.values[node.index] == TRUE for node in decided}
        if found != [expected]:
            raise RuntimeError("the closure and the whole formula disagree")


def consistent_values(verdict: Verdict, limit: int) -> list[list[int]]:
    """Return the consistent resolutions of what a verdict leaves undecided: values by order index.

    Args:
        verdict: a verdict, open or not.
        limit: how many to look for.
    """
    situation, open_nodes = verdict.situation, [n for n in verdict.situation.nodes if not verdict.values[n.index]]
    formula, x, _ = part_formula(situation, open_nodes, verdict.values, verdict.ruling)
    found = models(formula.clauses, [x.decision(node) for node in open_nodes], limit=limit)
    return [completed(verdict.values, open_nodes, x, model) for model in found]
