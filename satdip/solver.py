"""The only door to PySAT.

Clauses go in, models, closures and answers come out, always projected to the variables that the caller names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from types import TracebackType
from typing import Any, Self

__all__ = ["DEFAULT_SOLVER", "Solver", "models", "propagated"]

DEFAULT_SOLVER = "glucose4"
"""The quickest to create and to propagate on formulas of our size."""

Clauses = Iterable[Sequence[int]]


@cache
def _known_solvers() -> frozenset[str]:
    from pysat.solvers import SolverNames

    return frozenset(alias for names in vars(SolverNames).values() if isinstance(names, tuple) for alias in names)


class Solver:
    """A PySAT solver as a context manager.

    Args:
        clauses: the formula, as sequences of non-zero integers.
        name: a PySAT solver name.

    Raises:
        ValueError: PySAT knows no solver of that name.
    """

    def __init__(self, clauses: Clauses = (), name: str = DEFAULT_SOLVER) -> None:
        from pysat.solvers import Solver as PySolver  # loaded late: most phases need no solver

        if name not in _known_solvers():
            raise ValueError(f"{name!r} is no solver of PySAT")
        self._solver: Any = PySolver(name=name, bootstrap_with=[list(clause) for clause in clauses])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Decide satisfiability under assumptions."""
        return bool(self._solver.solve(assumptions=list(assumptions)))

    def model(self) -> frozenset[int]:
        """Return the literals that are true in the model that `solve` found."""
        return frozenset(self._solver.get_model() or ())

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
    clauses: Clauses, variables: Sequence[int], limit: int | None = None, name: str = DEFAULT_SOLVER
) -> list[dict[int, bool]]:
    """Return at most `limit` models of a formula, projected to `variables`."""
    with Solver(clauses, name) as solver:
        found = []
        for model in solver.models(variables):
            found.append(model)
            if len(found) == limit:
                break
        return found


def propagated(clauses: Clauses, name: str = DEFAULT_SOLVER) -> frozenset[int]:
    """Return what unit propagation derives from the clauses, unit clauses included."""
    longer: list[Sequence[int]] = []
    units: list[Sequence[int]] = []
    for clause in clauses:
        (units if len(clause) == 1 else longer).append(clause)
    with Solver(longer, name) as solver:
        return solver.propagate([literal for unit in units for literal in unit])
