"""Refutations in clauses about decisions alone, each of which follows from one equation.

The solver proposes values for the decisions. Where they break an equation, they are made unknown one by one for as long
as the three-valued reading still contradicts it; the opposite of what is left is a clause. So it goes on until no
proposal is left: a formula that people can read, without any gates, found by counterexamples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.encodings.formula import BrokenClauses
from satdip.encodings.movement import equation
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Ruling, ThreeValued
from satdip.encodings.rotations import Cycle, add_rotations
from satdip.encodings.situation import Node, Situation
from satdip.lab.certify.proof import Unjustified, hinted
from satdip.solving.solver import Solver, minimal_core, refutation
from satdip.verifier.rup import ProofStep

__all__ = ["Clause", "Found", "Lemma", "Model", "Refutation", "Rests", "Search", "numbered"]

Clause = tuple[int, ...]
Model = tuple[int, ...]


def numbered(situation: Situation) -> dict[int, int]:
    """Return order index -> number of its decision, from 1."""
    return dict(zip((node.index for node in situation.decisions()), count(1)))


@dataclass(frozen=True, order=True)
class Lemma:
    """A clause that follows from one law.

    Args:
        law: the decisions that the law is about: one for the equation of an order, several for a ring of moves.
        clause: what follows; a literal is the number of a decision or its negation.
    """

    law: tuple[int, ...]
    clause: Clause


@dataclass(frozen=True)
class Refutation:
    """That some clauses have no model.

    Args:
        lemmas: clauses that follow from one law each; none of them can be left out.
        assumed: the clauses that rule out the known resolutions, and the contrary of what is to be shown.
        proof: a proof by reverse unit propagation with hints, in which nothing is idle.
    """

    lemmas: tuple[Lemma, ...]
    assumed: tuple[Clause, ...]
    proof: tuple[ProofStep, ...]


@dataclass(frozen=True)
class Rests:
    """What a claim rests on.

    Args:
        refutation: of the contrary.
        situation: the orders, under the rules of the claim.
        ruling: what a paradox rule has laid down.
        turning: whether rings of moves must turn if they can.
    """

    refutation: Refutation
    situation: Situation
    ruling: Ruling = NO_RULING
    turning: bool = False


@dataclass(frozen=True)
class Found:
    """What a search found.

    Args:
        models: resolutions, each a list of literals.
        refutation: that there are no others; None when the search stopped at its limit.
    """

    models: tuple[Model, ...]
    refutation: Refutation | None


class Search:
    """The laws of some decisions of a phase.

    Args:
        situation: the orders.
        nodes: the decisions that are open.
        values: order index -> value of the others; UNKNOWN for the open ones.
        ruling: what a paradox rule has laid down.
        rings: the rings of moves that must turn if they can.
        budget: how long all searches may take.
    """

    def __init__(
        self,
        situation: Situation,
        nodes: Sequence[Node],
        values: Sequence[int],
        ruling: Ruling = NO_RULING,
        rings: Iterable[Cycle] = (),
        budget: Budget = UNLIMITED,
    ) -> None:
        self.nodes, self.known, self.budget = nodes, tuple(values), budget
        self.values = list(values)
        self.reading = ThreeValued(self.values, situation.rules, ruling)
        number = numbered(situation)
        self.number = {node.index: number[node.index] for node in nodes}
        self.laws: dict[tuple[int, ...], Node | Cycle] = {(self.number[node.index],): node for node in nodes}
        for ring in rings:
            numbers = tuple(self.number[m.index] for m in ring)
            first = numbers.index(min(numbers))
            self.laws[numbers[first:] + numbers[:first]] = ring

    def run(self, limit: int, contrary: Collection[Clause] = (), *, partial: bool = False) -> Found:
        """Look for the resolutions, and refute any further one.

        Args:
            limit: stop when so many are found.
            contrary: clauses that are assumed beside the laws.
            partial: return what is found when the budget is used up, if there is anything.

        Raises:
            OutOfTime: the budget is used up.
        """
        models: list[Model] = []
        try:
            lemmas = self._explored(limit, contrary, models)
            if lemmas is None:
                return Found(_in_order(models), None)
            assumed = (*(tuple(-literal for literal in model) for model in _in_order(models)), *contrary)
            return Found(_in_order(models), self._refuted(lemmas, assumed))
        except OutOfTime:
            if not (partial and models):
                raise
            return Found(_in_order(models), None)

    def _explored(self, limit: int, contrary: Collection[Clause], models: list[Model]) -> list[Lemma] | None:
        """Fill `models`; return the clauses that leave no further one, None when the limit is reached first."""
        lemmas = dict.fromkeys(self._by_closure())
        with Solver([*(lemma.clause for lemma in lemmas), *contrary], budget=self.budget) as solver:
            while len(models) < limit:
                if not solver.solve():
                    return list(lemmas)
                model = self._proposed(solver.model())
                broken = list(self._broken_laws(model))
                for lemma in broken:
                    lemmas[lemma] = None
                    solver.add(lemma.clause)
                if not broken:
                    models.append(model)
                    if not model:
                        return list(lemmas)
                    solver.add([-literal for literal in model])
        return None

    # ------------------------------------------------------------------ clauses

    def _proposed(self, true: frozenset[int]) -> Model:
        return tuple(number if number in true else -number for number in self.number.values())

    def _assume(self, literals: Mapping[int, int]) -> None:
        """Make decisions known: order index -> value; the other open ones are unknown."""
        self.values[:] = self.known
        for index, value in literals.items():
            self.values[index] = value

    def _broken_laws(self, model: Model) -> Iterator[Lemma]:
        assumed = {index: TRUE if literal > 0 else FALSE for index, literal in zip(self.number, model, strict=True)}
        self._assume(assumed)
        broken = [law for law in self.laws if self._contradicted(law)]
        for law in broken:
            yield self._lemma(law, assumed)

    def _contradicted(self, law: tuple[int, ...]) -> bool:
        """Return whether what is known contradicts a law, whatever the rest may be."""
        subject = self.laws[law]
        if isinstance(subject, Node):
            value = self.values[subject.index]
            return value != UNKNOWN and equation(self.reading, subject) == -value
        broken = BrokenClauses()
        add_rotations(self.reading, broken, iter((subject,)))
        return broken.yes

    def _lemma(self, law: tuple[int, ...], assumed: Mapping[int, int]) -> Lemma:
        """Return a clause that follows from a law, from values that contradict it."""
        self._assume(assumed)
        needed = dict(assumed)
        for index, value in assumed.items():
            self.values[index] = UNKNOWN
            if self._contradicted(law):
                del needed[index]
            else:
                self.values[index] = value
        return Lemma(law, tuple(sorted((-value * self.number[index] for index, value in needed.items()), key=abs)))

    def _by_closure(self) -> Iterator[Lemma]:
        """Yield clauses by which unit propagation decides what the orders decide by themselves."""
        decided: dict[int, int] = {}
        waiting = list(self.nodes)
        before = -1
        while len(waiting) != before:
            before = len(waiting)
            for node in waiting:
                self._assume(decided)
                value = equation(self.reading, node)
                if value != UNKNOWN:
                    yield self._lemma((self.number[node.index],), {**decided, node.index: -value})
                    decided[node.index] = value
            waiting = [node for node in waiting if node.index not in decided]

    # ------------------------------------------------------------------ refutation

    def _refuted(self, lemmas: Iterable[Lemma], assumed: tuple[Clause, ...]) -> Refutation:
        """Return a refutation in which nothing can be left out."""
        if () in assumed:
            return Refutation((), assumed, (ProofStep((), (1 + assumed.index(()),)),))
        core = minimal_core({lemma: [lemma.clause] for lemma in lemmas}, assumed, self.budget)
        if core is None:
            raise RuntimeError("the solver takes back what it said")
        kept = tuple(sorted(core, key=lambda lemma: (lemma.law, [(abs(lit), lit) for lit in lemma.clause])))
        clauses = [*(lemma.clause for lemma in kept), *assumed]
        return Refutation(kept, assumed, self._proof(clauses))

    def _proof(self, clauses: list[Clause]) -> tuple[ProofStep, ...]:
        try:
            return hinted(clauses, [()])  # unit propagation alone is enough, as a rule
        except Unjustified:
            return hinted(clauses, refutation(clauses, budget=self.budget) or ())


def _in_order(models: Iterable[Model]) -> tuple[Model, ...]:
    """Sort resolutions: the first decision in which two differ is true in the first."""
    return tuple(sorted(models, key=lambda model: [-literal for literal in model]))
