"""How a rulebook came to its answer, core by core, with what is needed to check each step without a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satdip.base.budget import UNLIMITED, Budget
from satdip.encodings.reading import FALSE, TRUE, Ruling
from satdip.encodings.rotations import Cycle, cycles
from satdip.encodings.situation import MoveNode, Node, Situation
from satdip.lab.certify.clauses import Found, Model, Search, numbered
from satdip.rulebook import Paradox
from satdip.solving.decide import ENOUGH, CoreModel, decide
from satdip.solving.formula_of_phase import nothing_known
from satdip.solving.verdict import Core, Verdict

__all__ = ["Answer", "FirstStage", "Step", "answer"]


@dataclass(frozen=True)
class Step:
    """One core and what was made of it.

    Args:
        nodes: the orders whose decisions depend on each other.
        found: its resolutions by itself, rings turning, and that there are no others.
        vetoes: the orders that the paradox rule forbids, by index.
    """

    nodes: tuple[Node, ...]
    found: Found
    vetoes: frozenset[int] = frozenset()


@dataclass(frozen=True)
class FirstStage:
    """Bille's first stage.

    Args:
        left_out: the armies that fleets under attack carry.
        steps: its cores.
        routes: their routes as it settles them: order index -> TRUE or FALSE.
    """

    left_out: tuple[MoveNode, ...]
    steps: tuple[Step, ...]
    routes: dict[int, int]


@dataclass(frozen=True)
class Answer:
    """What the rulebook makes of a phase.

    Args:
        verdict: every decision.
        first_stage: Bille's first stage, under his rule.
        steps: the cores in the order in which they are settled.
        final: that the rules allow these values only; None when they give no answer.
    """

    verdict: Verdict
    first_stage: FirstStage | None
    steps: tuple[Step, ...]
    final: Found | None


def answer(situation: Situation, budget: Budget = UNLIMITED) -> Answer:
    """Decide a phase as `satdip.solving.decide.decide` does, keeping the evidence for each core.

    Args:
        situation: the orders of a phase.
        budget: how long it may take.

    Raises:
        OutOfTime: the budget is used up.
        RuntimeError: the whole phase has other resolutions than the steps lead to.
    """
    evidence: list[Found] = []

    def searched(
        situation: Situation, nodes: tuple[Node, ...], values: Sequence[int], ruling: Ruling
    ) -> tuple[list[CoreModel], tuple[Cycle, ...]]:
        rings = tuple(cycles(situation, [node for node in nodes if isinstance(node, MoveNode)]))
        found = Search(situation, nodes, values, ruling, rings, budget).run(ENOUGH)
        evidence.append(found)
        return [_by_index(nodes, model) for model in found.models], rings

    verdict = decide(situation, core_models=searched)
    number_of_first = len(verdict.first_cores)
    first = None
    if situation.rules.paradox == Paradox.BILLE and situation.convoys:
        routes = dict(verdict.ruling.routes)
        armies = tuple(node for index in routes if isinstance(node := situation.nodes[index], MoveNode))
        first = FirstStage(armies, _steps(verdict.first_cores, evidence[:number_of_first]), routes)
    final = None if verdict.is_open else _final(verdict, budget)
    return Answer(verdict, first, _steps(verdict.cores, evidence[number_of_first:]), final)


def _steps(cores: Sequence[Core], evidence: Sequence[Found]) -> tuple[Step, ...]:
    return tuple(
        Step(core.nodes, found, frozenset(node.index for node in core.vetoed))
        for core, found in zip(cores, evidence, strict=True)
    )


def _by_index(nodes: Sequence[Node], model: Model) -> CoreModel:
    return {node.index: TRUE if literal > 0 else FALSE for node, literal in zip(nodes, model, strict=True)}


def _final(verdict: Verdict, budget: Budget) -> Found:
    """Refute every other resolution of the whole phase; a ring turns when no rule forbids one of its moves."""
    situation, ruling = verdict.situation, verdict.ruling
    free = [ring for ring in cycles(situation) if not any(m.index in ruling.vetoes for m in ring)]
    search = Search(situation, situation.decisions(), nothing_known(situation), ruling, free, budget)
    found = search.run(limit=2)
    number = numbered(situation)
    expected = tuple(number[node.index] * verdict.values[node.index] for node in situation.decisions())
    if found.models != (expected,):
        raise RuntimeError("the rules allow other values than the steps lead to")
    return found
