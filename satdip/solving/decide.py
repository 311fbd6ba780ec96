"""A movement phase: from checked orders to a decision for each of them.

1. *Closure*: read the equations over three truth values until nothing changes. Uncontested orders end here.
2. *Cores*: what is left undecided contains cycles. Each strongly connected component that depends on no other
   undecided one becomes a small formula, with the clauses that make rotations turn, and the solver counts its
   models. One model: that is the answer.
3. *Paradox rule*: none or several models. The rulebook's rule adds its clauses, and the closure goes on.

With `fold=False` nothing is simplified in Python: the solver computes the closure by unit propagation, and its
model of the whole formula is the answer. Both ways must agree. Whoever wants evidence for each core hands in a way of
settling cores of their own (`CoreModels`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from satdip.base.budget import UNLIMITED, Budget
from satdip.encodings.convoys import route
from satdip.encodings.paradoxes import BACKUPS, FALLBACKS, threatened_armies
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Ruling, ThreeValued
from satdip.encodings.rotations import Cycle
from satdip.encodings.situation import Node, Situation
from satdip.rulebook import Paradox
from satdip.solving.closure import asked, propagate, sweep, uncontested
from satdip.solving.components import cores
from satdip.solving.formula_of_phase import completed, nothing_known, part_formula, whole_formula
from satdip.solving.solver import DEFAULT_SOLVER, models, recurring_models
from satdip.solving.verdict import Core, DecidedBy, Verdict

__all__ = ["ENOUGH", "CoreModel", "CoreModels", "consistent_values", "decide"]

ENOUGH = 3
"""No rule asks how many resolutions a core has, once it has three."""
NOTHING_FIXED: Final[Mapping[int, int]] = MappingProxyType({})

CoreModel = dict[int, int]
"""One resolution of a core: order index -> TRUE or FALSE."""

CoreModels = Callable[[Situation, tuple[Node, ...], Sequence[int], Ruling], tuple[list[CoreModel], tuple[Cycle, ...]]]
"""Finds up to `ENOUGH` resolutions of a core, and its rings of moves that can turn; given the situation, the orders of
the core, the values of all orders so far, and what the paradox rule has laid down."""


def decide(
    situation: Situation,
    *,
    fold: bool = True,
    solver: str = DEFAULT_SOLVER,
    budget: Budget = UNLIMITED,
    fixed: Mapping[int, int] = NOTHING_FIXED,
    core_models: CoreModels | None = None,
) -> Verdict:
    """Find the consistent resolution of a phase under the situation's rulebook.

    Args:
        situation: the orders of the phase, one per unit.
        fold: decide by constant folding what can be decided so; else leave everything to the solver.
        solver: name of a PySAT solver.
        budget: how long the solver may take.
        fixed: only with `fold`: orders that come out in a given way, whatever their equations say: index -> value.
        core_models: finds the resolutions of a core; by default the solver counts the models of its formula.

    Raises:
        OutOfTime: the budget is used up.
        RuntimeError: the equations met something that the theory excludes under these rules.
    """

    def counted(
        situation: Situation, nodes: tuple[Node, ...], values: Sequence[int], ruling: Ruling
    ) -> tuple[list[CoreModel], tuple[Cycle, ...]]:
        formula, x, rings = part_formula(situation, nodes, values, ruling, fold=fold)
        variables = [x.decision(node) for node in nodes]
        found = recurring_models(formula.clauses, variables, ENOUGH, solver, budget)
        return [{n.index: TRUE if model[x.decision(n)] else FALSE for n in nodes} for model in found], rings

    way = _Way(fold, solver, fixed, core_models or counted)
    ruling, first_cores = NO_RULING, tuple[Core, ...]()
    if situation.rules.paradox == Paradox.BILLE and situation.convoys:
        ruling, first_cores = _bille_routes(situation, way)
    work = _Work(situation, ruling, way)
    work.run()
    if not fold:
        work.compare_with_whole_formula(budget)
    return Verdict(situation, work.values, work.by, tuple(work.cores), work.ruling, first_cores)


@dataclass(frozen=True)
class _Way:
    """How the decisions are made (arguments of `decide`)."""

    fold: bool
    solver: str
    fixed: Mapping[int, int]
    core_models: CoreModels


def _bille_routes(situation: Situation, way: _Way) -> tuple[Ruling, tuple[Core, ...]]:
    """Settle the routes over attacked fleets as Bille does: first without the armies that these fleets carry."""
    undecided = ThreeValued(nothing_known(situation), situation.rules)
    armies = threatened_armies(undecided, situation)
    first = _Work(situation, Ruling(frozenset(m.index for m in armies)), way)
    first.run()
    reading = ThreeValued(first.values, situation.rules)
    routes = {m.index: route(reading, m) for m in armies}
    if UNKNOWN in routes.values():
        raise RuntimeError("Bille's first stage left a route undecided")
    return Ruling(routes=routes), tuple(first.cores)


class _Work:
    """The decisions while they are being made."""

    def __init__(self, situation: Situation, ruling: Ruling, way: _Way) -> None:
        self.situation, self.way = situation, way
        self.rules, self.ruling = situation.rules, ruling
        self.values = uncontested(situation) if way.fold else nothing_known(situation)
        for index, value in way.fixed.items():
            self.values[index] = value
        self.by = [DecidedBy.FOLDING if way.fold else DecidedBy.SOLVER] * len(situation.nodes)
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
            found = [core for core in cores(asked(self.reading(), self.open)) if core[0] not in unanswered]
            if not found:
                return
            for core in found:
                if not self.settle(tuple(self.situation.nodes[index] for index in core)):
                    unanswered.update(core)
            self.close()

    def close(self) -> None:
        """Decide what the decisions made so far decide."""
        if self.way.fold:
            sweep(self.values, self.open, self.reading())
        else:
            propagate(self.values, self.situation, self.ruling, self.way.solver)
        self.open = [node for node in self.open if self.values[node.index] == UNKNOWN]

    def settle(self, nodes: tuple[Node, ...]) -> bool:
        """Give a core its decisions, or apply the paradox rule; False when the rules give no answer."""
        found, rings = self.way.core_models(self.situation, nodes, self.values, self.ruling)
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

    def compare_with_whole_formula(self, budget: Budget) -> None:
        """Check that the resolution is the only model of the whole unfolded formula; an open phase has no such one."""
        if self.open:
            return
        formula, x = whole_formula(self.situation, self.ruling, fold=False)
        decided = self.situation.decisions()
        found = models(
            formula.clauses, [x.decision(node) for node in decided], limit=2, name=self.way.solver, budget=budget
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
