"""How a rulebook came to its answer, knot by knot, with what is needed to check each step without a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from satdip.base.budget import UNLIMITED, Budget
from satdip.encodings.convoys import route
from satdip.encodings.paradoxes import BACKUPS, FALLBACKS, threatened_armies
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Ruling, ThreeValued
from satdip.encodings.rotations import cycles
from satdip.encodings.situation import MoveNode, Node, Situation
from satdip.lab.certify.clauses import Found, Model, Search, numbered
from satdip.rulebook import Paradox
from satdip.solving.closure import dependencies, sinks, sweep
from satdip.solving.decide import Verdict, decide
from satdip.solving.formula_of_phase import nothing_known

__all__ = ["Answer", "FirstStage", "Step", "answer"]

ENOUGH = 3
"""No rule asks how many resolutions a knot has, once it has three."""


@dataclass(frozen=True)
class Step:
    """One knot and what was made of it.

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
        steps: its knots.
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
        steps: the knots in the order in which they are settled.
        final: that the rules allow these values only; None when they give no answer.
    """

    verdict: Verdict
    first_stage: FirstStage | None
    steps: tuple[Step, ...]
    final: Found | None


def answer(situation: Situation, budget: Budget = UNLIMITED) -> Answer:
    """Follow the procedure of `satdip.solving.decide.decide`, keeping the evidence.

    Args:
        situation: the orders of a phase.
        budget: how long it may take.

    Raises:
        OutOfTime: the budget is used up.
        RuntimeError: it comes to something else than `decide`.
    """
    stage = None
    ruling = NO_RULING
    if situation.rules.paradox == Paradox.BILLE and situation.convoys:
        stage = _first_stage(situation, budget)
        ruling = Ruling(routes=stage.routes)
    work = _Work(situation, ruling, budget)
    work.run()
    verdict = decide(situation)
    if list(verdict.values) != work.values or verdict.ruling != work.ruling:
        raise RuntimeError("the steps lead to another answer")
    final = None if verdict.is_open else _final(verdict, budget)
    return Answer(verdict, stage, tuple(work.steps), final)


def _first_stage(situation: Situation, budget: Budget) -> FirstStage:
    armies = threatened_armies(ThreeValued(nothing_known(situation), situation.rules), situation)
    work = _Work(situation, Ruling(frozenset(m.index for m in armies)), budget)
    work.run()
    reading = ThreeValued(work.values, situation.rules)
    return FirstStage(tuple(armies), tuple(work.steps), {m.index: route(reading, m) for m in armies})


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


class _Work:
    """The procedure: closure, knots, paradox rule."""

    def __init__(self, situation: Situation, ruling: Ruling, budget: Budget) -> None:
        self.situation, self.ruling, self.budget = situation, ruling, budget
        self.values = nothing_known(situation)
        self.steps: list[Step] = []

    def run(self) -> None:
        """Settle knot after knot."""
        unanswered: set[tuple[int, ...]] = set()
        while undecided := self.close():
            knots = [knot for knot in sinks(dependencies(self.reading(), undecided)) if knot not in unanswered]
            if not knots:
                return
            for knot in knots:
                if not self.settle(tuple(self.situation.nodes[index] for index in knot)):
                    unanswered.add(knot)

    def reading(self) -> ThreeValued:
        return ThreeValued(self.values, self.situation.rules, self.ruling)

    def close(self) -> list[Node]:
        """Decide what follows; return what is left."""
        sweep(self.values, self.undecided(), self.reading())
        return self.undecided()

    def undecided(self) -> list[Node]:
        return [node for node in self.situation.decisions() if self.values[node.index] == UNKNOWN]

    def settle(self, nodes: tuple[Node, ...]) -> bool:
        """Settle a knot; False when the rules have no answer to it."""
        rings = list(cycles(self.situation, [node for node in nodes if isinstance(node, MoveNode)]))
        found = Search(self.situation, nodes, self.values, self.ruling, rings, self.budget).run(ENOUGH)
        models = [self._by_index(nodes, model) for model in found.models]
        if len(models) == 1:
            for index, value in models[0].items():
                self.values[index] = value
            self.steps.append(Step(nodes, found))
            return True
        rules = self.situation.rules
        backup = BACKUPS.get(rules.paradox) or FALLBACKS.get(rules.fallback)
        vetoes = backup(self.situation, nodes, models) - self.ruling.vetoes if backup is not None else frozenset()
        self.steps.append(Step(nodes, found, vetoes))
        self.ruling = replace(self.ruling, vetoes=self.ruling.vetoes | vetoes)
        return bool(vetoes)

    @staticmethod
    def _by_index(nodes: Sequence[Node], model: Model) -> dict[int, int]:
        return {node.index: TRUE if literal > 0 else FALSE for node, literal in zip(nodes, model, strict=True)}
