"""Replaying a clausal refutation by reverse unit propagation, with hints.

A clause may be added when assuming the opposite of all its literals makes unit propagation run into a contradiction.
The hints name the clauses that propagate, one after the other, and last the one that is contradicted: the format LRAT
(Cruz-Filipe et al. 2017). Nothing is searched for, and nothing may be idle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satdip.verifier.shape import Wrong

__all__ = ["ProofStep", "check_refutation"]

Clause = tuple[int, ...]


@dataclass(frozen=True)
class ProofStep:
    """One clause of a proof.

    Args:
        clause: its literals.
        hints: the numbers of the clauses that show it: those of the formula count from 1, the steps go on counting.
    """

    clause: Clause
    hints: tuple[int, ...]


def check_refutation(clauses: Sequence[Clause], steps: Sequence[ProofStep], where: str) -> None:
    """Check that steps refute a formula.

    Args:
        clauses: the formula.
        steps: the proof; its last clause is empty.
        where: what to call it.

    Raises:
        Wrong: a step does not follow, or something is of no use.
    """
    if not steps or steps[-1].clause or not all(step.clause for step in steps[:-1]):
        raise Wrong(f"{where}: a proof ends with the empty clause, its only one")
    known = list(clauses)
    for number, step in enumerate(steps, 1):
        problem = _problem(known, step)
        if problem is not None:
            raise Wrong(f"{where}: step {number} of the proof does not follow: {problem}")
        known.append(step.clause)
    used = {hint for step in steps for hint in step.hints}
    useless = [number for number in range(1, len(known)) if number not in used]
    if useless:
        raise Wrong(f"{where}: clause {useless[0]} is not used in the proof")


def _problem(known: Sequence[Clause], step: ProofStep) -> str | None:
    """Return why a step does not follow from the clauses known so far."""
    if not step.hints or not all(0 < hint <= len(known) for hint in step.hints):
        return "its hints must name earlier clauses"
    true = {-literal for literal in step.clause}
    needed: set[int] = set()
    for place, hint in enumerate(step.hints):
        clause = known[hint - 1]
        left = [literal for literal in clause if -literal not in true]
        last = place == len(step.hints) - 1
        if len(left) != (0 if last else 1) or any(literal in true for literal in left):
            return f"clause {hint} does not {'contradict' if last else 'propagate'} there"
        needed.update(-literal for literal in clause)
        true.update(left)
    return None if true <= needed else "a literal or a hint is of no use"
