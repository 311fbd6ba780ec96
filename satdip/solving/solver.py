"""The only door to PySAT.

Clauses go in; models, closures, cores, proofs and answers come out, models always projected to the variables that the
caller names. No call takes longer than its budget: solvers work in slices of conflicts and look at the clock, and at
interrupts, between them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import TracebackType
from typing import Any, Self, TypeVar

from satdip.base.budget import UNLIMITED, Budget, OutOfTime

__all__ = [
    "DEFAULT_SOLVER",
    "PROOF_SOLVER",
    "Solver",
    "minimal_core",
    "models",
    "propagated",
    "recurring_models",
    "refutation",
    "satisfying",
    "smallest_core",
]

DEFAULT_SOLVER = "glucose4"
"""The quickest to create and to propagate on formulas of our size."""

PROOF_SOLVER = "cadical195"
"""Writes proofs that strict checkers accept."""

SLICE = 2000
"""Conflicts between two looks at the clock: some hundredths of a second."""

SMALL = 256
"""Clauses of the largest formula whose models are remembered: four thousand of them take some 40 MB at most."""

WITHOUT_SLICES = ("lgl", "lingeling")
"""The one solver that cannot be told to stop after so many conflicts: no budget and no interrupt reaches it."""

Clauses = Iterable[Sequence[int]]
K = TypeVar("K")


@cache
def _known_solvers() -> frozenset[str]:
    from pysat.solvers import SolverNames

    return frozenset(alias for names in vars(SolverNames).values() if isinstance(names, tuple) for alias in names)


class Solver:
    """A PySAT solver as a context manager.

    Args:
        clauses: the formula, as sequences of non-zero integers.
        name: a PySAT solver name.
        budget: how long all its work may take.
        proof: keep a proof (not every solver can).

    Raises:
        ValueError: PySAT knows no solver of that name.
    """

    def __init__(
        self, clauses: Clauses = (), name: str = DEFAULT_SOLVER, budget: Budget = UNLIMITED, *, proof: bool = False
    ) -> None:
        from pysat.solvers import Solver as PySolver  # loaded late: most phases need no solver

        if name not in _known_solvers():
            raise ValueError(f"{name!r} is no solver of PySAT")
        self.budget = budget
        self._has_slices = name not in WITHOUT_SLICES
        options = {"with_proof": True} if proof else {}
        self._solver: Any = PySolver(name=name, bootstrap_with=[list(clause) for clause in clauses], **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Decide satisfiability under assumptions.

        Raises:
            OutOfTime: the budget is used up.
        """
        assumed = list(assumptions)
        if not self._has_slices:
            return bool(self._solver.solve(assumptions=assumed))
        while True:
            self.budget.check()
            self._solver.conf_budget(SLICE)
            answer = self._solver.solve_limited(assumptions=assumed)
            if answer is not None:
                return bool(answer)

    def model(self) -> frozenset[int]:
        """Return the literals that are true in the model that `solve` found."""
        return frozenset(self._solver.get_model() or ())

    def core(self) -> frozenset[int]:
        """Return assumptions that, together with the clauses, made `solve` say no."""
        return frozenset(self._solver.get_core() or ())

    def proof(self) -> tuple[str, ...]:
        """Return the lines of the DRUP proof, after `solve` without assumptions said no."""
        return tuple(self._solver.get_proof() or ())

    def models(self, variables: Sequence[int]) -> Iterator[dict[int, bool]]:
        """Enumerate the models, each one once as seen on `variables`.

        The blocking clauses stay in the solver: it is used up afterwards.
        """
        while self.solve():
            true = self.model()
            found = {variable: variable in true for variable in variables}
            yield found
            self.add([-variable if value else variable for variable, value in found.items()])

    def propagate(self, assumptions: Sequence[int]) -> frozenset[int]:
        """Return the literals that unit propagation derives from the assumptions, these included.

        PySAT reports nothing that the clauses imply by themselves: pass unit clauses as assumptions.
        """
        _, literals = self._solver.propagate(assumptions=list(assumptions))
        return frozenset(literals)


def models(
    clauses: Clauses,
    variables: Sequence[int],
    limit: int | None = None,
    name: str = DEFAULT_SOLVER,
    budget: Budget = UNLIMITED,
) -> list[dict[int, bool]]:
    """Return at most `limit` models of a formula, projected to `variables`."""
    with Solver(clauses, name, budget) as solver:
        found = []
        for model in solver.models(variables):
            found.append(model)
            if len(found) == limit:
                break
        return found


def recurring_models(
    clauses: Sequence[tuple[int, ...]], variables: Sequence[int], limit: int, name: str, budget: Budget
) -> list[dict[int, bool]]:
    """Return what `models` does; the models of small formulas are remembered.

    Variables are numbered in the sequence of the orders, so the same local fight is the same formula wherever it stands
    on the map, and the same few come again all over a corpus.
    """
    if budget.is_limited or len(clauses) > SMALL:
        return models(clauses, variables, limit, name, budget)
    return list(_remembered(tuple(clauses), tuple(variables), limit, name))


@lru_cache(maxsize=1 << 12)
def _remembered(
    clauses: tuple[tuple[int, ...], ...], variables: tuple[int, ...], limit: int, name: str
) -> tuple[dict[int, bool], ...]:
    return tuple(models(clauses, variables, limit, name))


def propagated(clauses: Clauses, name: str = DEFAULT_SOLVER) -> frozenset[int]:
    """Return what unit propagation derives from the clauses, unit clauses included."""
    longer: list[Sequence[int]] = []
    units: list[Sequence[int]] = []
    for clause in clauses:
        (units if len(clause) == 1 else longer).append(clause)
    with Solver(longer, name) as solver:
        return solver.propagate([literal for unit in units for literal in unit])


def refutation(
    clauses: Clauses, name: str = PROOF_SOLVER, budget: Budget = UNLIMITED
) -> tuple[tuple[int, ...], ...] | None:
    """Refute a formula: return the clauses of a DRUP proof, the last one empty; None when it has a model.

    Every clause follows by unit propagation from the formula and the clauses before it. What the solver deletes on
    the way is left out: more clauses to propagate with do no harm.
    """
    with Solver(clauses, name, budget, proof=True) as solver:
        if solver.solve():
            return None
        lines = solver.proof()
    steps = [tuple(map(int, line.split()[:-1])) for line in lines if not line.startswith("d")]
    return (*steps, ()) if not steps or steps[-1] else tuple(steps)


def satisfying(
    clauses: Clauses,
    assumptions: Sequence[int],
    budget: Budget = UNLIMITED,
    refine: Callable[[frozenset[int]], Clauses] | None = None,
) -> frozenset[int] | None:
    """Return a model of a formula under assumptions, None when there is none.

    Args:
        clauses: the formula.
        assumptions: literals.
        budget: how long it may take.
        refine: looks at each model, and returns clauses that it should have known of, none when the model is right.
    """
    with _Grouped({literal: [(literal,)] for literal in assumptions}, clauses, budget, refine) as grouped:
        return grouped.model() if grouped.satisfiable(list(dict.fromkeys(assumptions))) else None


def minimal_core(groups: Mapping[K, Clauses], hard: Clauses = (), budget: Budget = UNLIMITED) -> frozenset[K] | None:
    """Return groups of clauses that contradict each other and `hard`, none of which can be left out (a MUS).

    Args:
        groups: name -> clauses.
        hard: clauses that always hold.
        budget: how long it may take.

    Returns:
        Names of groups; None when the whole formula has a model.
    """
    with _Grouped(groups, hard, budget) as grouped:
        return grouped.minimal(groups)


def smallest_core(
    groups: Mapping[K, Clauses],
    hard: Clauses = (),
    budget: Budget = UNLIMITED,
    refine: Callable[[frozenset[int]], Clauses] | None = None,
) -> tuple[frozenset[K], bool] | None:
    """Return as few groups as can contradict each other and `hard` (a smallest MUS).

    The implicit hitting set search of OptUx (Ignatiev et al., "Smallest MUS Extraction with Minimal Hitting Set
    Dualization", 2015), with PySAT's `Hitman`, and a budget: when that is used up, a minimal set still comes out.

    Args:
        groups: name -> clauses.
        hard: clauses that always hold.
        budget: how long it may take.
        refine: looks at each model, and returns clauses that it should have known of, none when the model is right;
            with it each group must be a single literal.

    Returns:
        The names, and whether there are certainly no fewer; None when the whole formula has a model.

    Raises:
        OutOfTime: not even a minimal set was found in time.
    """
    from pysat.examples.hitman import Hitman

    with _Grouped(groups, hard, budget, refine) as grouped:
        found = grouped.minimal(groups)
        if found is None or len(found) <= 1:
            return None if found is None else (found, True)
        try:
            with Hitman(htype="sorted") as hitman:
                while True:
                    budget.check()
                    chosen = frozenset(hitman.get() or ())
                    if len(chosen) == len(found):  # a minimal set of the size of the bound
                        return found, True
                    if not grouped.satisfiable(chosen):
                        return chosen, True
                    hitman.hit(grouped.correction(chosen))
        except (OutOfTime, KeyboardInterrupt):
            return found, False


class _Grouped(Solver):
    """A solver that knows groups of clauses, each behind a selector; a single literal is its own."""

    def __init__(
        self,
        groups: Mapping[Any, Clauses],
        hard: Clauses,
        budget: Budget,
        refine: Callable[[frozenset[int]], Clauses] | None = None,
    ) -> None:
        hard = [tuple(clause) for clause in hard]
        soft = {name: [tuple(clause) for clause in clauses] for name, clauses in groups.items()}
        several = {name: clauses for name, clauses in soft.items() if len(clauses) != 1 or len(clauses[0]) != 1}
        every = [*hard, *(clause for clauses in soft.values() for clause in clauses)]
        first = 1 + max((abs(literal) for clause in every for literal in clause), default=0)
        if several and refine is not None:
            raise ValueError("new clauses may have new variables: with them each group must be a single literal")
        self._selector = dict(zip(several, range(first, first + len(several)), strict=True))
        self._selector |= {name: clauses[0][0] for name, clauses in soft.items() if name not in several}
        self._name = {selector: name for name, selector in self._selector.items()}
        guarded = [(-self._selector[name], *clause) for name, clauses in several.items() for clause in clauses]
        super().__init__([*hard, *guarded], budget=budget)
        self._refine = refine

    def satisfiable(self, names: Collection[Any]) -> bool:
        """Return whether these groups have a model together."""
        assumed = [self._selector[name] for name in names]
        while self.solve(assumed):
            missing = list(self._refine(self.model())) if self._refine is not None else []
            if not missing:
                return True
            for clause in missing:
                self.add(clause)
        return False

    def minimal(self, names: Iterable[K]) -> frozenset[K] | None:
        """Return a minimal unsatisfiable subset, None when there is none (deletion, with core trimming)."""
        if self.satisfiable(list(names)):
            return None
        candidates: list[K] = sorted((self._name[s] for s in self.core()), key=str)
        needed: list[K] = []
        while candidates:
            tried = candidates.pop()
            if self.satisfiable([*needed, *candidates]):
                needed.append(tried)
            else:
                core = {self._name[s] for s in self.core()}
                candidates = [name for name in candidates if name in core]
        return frozenset(needed)

    def correction(self, names: Collection[Any]) -> list[Any]:
        """Return groups without which the rest has a model, `names` being among the rest (a correction set)."""
        model, left, missing = self.model(), [name for name in self._selector if name not in names], []
        kept: list[Any] = list(names)
        for name in left:
            if self._selector[name] in model:
                kept.append(name)
            elif self.satisfiable([*kept, name]):
                kept.append(name)
                model = self.model()
            else:
                missing.append(name)
        return missing
