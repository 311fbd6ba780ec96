"""From a solver's proof to one that needs no search: every step with hints, nothing in it idle (LRAT)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from satdip.verifier.rup import ProofStep

__all__ = ["Unjustified", "hinted"]

Clause = tuple[int, ...]
SHORT = 60  # steps of a proof that are tried one by one


class Unjustified(RuntimeError):  # noqa: N818 -- it says what is the matter
    """A step of a proof does not follow."""


def hinted(clauses: Sequence[Clause], steps: Iterable[Clause]) -> tuple[ProofStep, ...]:
    """Return a proof with hints.

    Steps that are of no use are left out, and so are the literals of a step that are not needed to show it.

    Args:
        clauses: the formula.
        steps: a proof by reverse unit propagation, the last clause empty.

    Raises:
        Unjustified: a step does not follow.
    """
    left = _shortest(clauses, list(steps))
    while True:
        shown = _shown(clauses, left)
        shorter = [step.clause for step in _needed(len(clauses), shown)]
        if shorter == left:
            return tuple(shown)
        left = shorter


def _shortest(clauses: Sequence[Clause], steps: list[Clause]) -> list[Clause]:
    """Leave out every step without which the rest still is a proof; of a long proof only all or nothing."""
    if _holds(clauses, [()]):
        return [()]
    for number in reversed(range(len(steps) - 1)) if len(steps) <= SHORT else ():
        shorter = steps[:number] + steps[number + 1 :]
        if _holds(clauses, shorter):
            steps = shorter
    return steps


def _holds(clauses: Sequence[Clause], steps: Iterable[Clause]) -> bool:
    try:
        _shown(clauses, steps)
    except Unjustified:
        return False
    return True


def _shown(clauses: Sequence[Clause], steps: Iterable[Clause]) -> list[ProofStep]:
    """Return each step with hints, without the literals that these do not use."""
    propagation = _Propagation()
    for clause in clauses:
        propagation.add(clause)
    shown = []
    for step in steps:
        hints = propagation.hints(step)
        used = {-literal for hint in hints for literal in propagation.clauses[hint - 1]}
        clause = tuple(sorted((literal for literal in step if -literal in used), key=abs))
        shown.append(ProofStep(clause, hints))
        propagation.add(clause)
        if not clause:
            break
    return shown


def _needed(first: int, steps: Sequence[ProofStep]) -> list[ProofStep]:
    """Return the steps on which the last one rests; `first` clauses come before them."""
    needed = {first + len(steps)}
    for number in range(first + len(steps), first, -1):
        if number in needed:
            needed.update(steps[number - first - 1].hints)
    return [step for number, step in enumerate(steps, first + 1) if number in needed]


class _Propagation:
    """Clauses with two watched literals each, and why each literal is true."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = []
        self._watched_by: dict[int, list[int]] = {}
        self._short: list[int] = []
        self._order: list[list[int]] = []

    def add(self, clause: Clause) -> None:
        """Add a clause."""
        number = len(self.clauses)
        self.clauses.append(clause)
        self._order.append(list(clause))
        if len(clause) < 2:
            self._short.append(number)
        for literal in clause[:2] if len(clause) > 1 else ():
            self._watched_by.setdefault(literal, []).append(number)

    def hints(self, clause: Clause) -> tuple[int, ...]:
        """Return the numbers (from 1) of the clauses that propagate, up to the one that is contradicted.

        Raises:
            Unjustified: propagation does not come to a contradiction.
        """
        reason: dict[int, int | None] = {-literal: None for literal in clause}
        trail = list(reason)
        conflict = self._start(reason, trail)
        done = 0
        while conflict is None and done < len(trail):
            conflict = self._visit(-trail[done], reason, trail)
            done += 1
        if conflict is None:
            raise Unjustified("the solver's proof does not hold")
        return self._chain(conflict, reason, trail)

    def _start(self, reason: dict[int, int | None], trail: list[int]) -> int | None:
        """Propagate the unit clauses; return the number of a clause that is contradicted."""
        for number in self._short:
            clause = self.clauses[number]
            if not clause or -clause[0] in reason:
                return number
            if clause[0] not in reason:
                reason[clause[0]] = number
                trail.append(clause[0])
        return None

    def _visit(self, false: int, reason: dict[int, int | None], trail: list[int]) -> int | None:
        """Look at the clauses that watch a literal which has become false."""
        watching, kept = self._watched_by.pop(false, []), []
        conflict = None
        for number in watching:
            order = self._order[number]
            if order[0] == false:
                order[0], order[1] = order[1], order[0]
            if conflict is None and order[0] not in reason and self._watch_another(number, reason):
                continue
            kept.append(number)
            if conflict is not None or order[0] in reason:
                continue
            if -order[0] in reason:
                conflict = number
            else:
                reason[order[0]] = number
                trail.append(order[0])
        self._watched_by[false] = kept
        return conflict

    def _watch_another(self, number: int, reason: dict[int, int | None]) -> bool:
        order = self._order[number]
        for place in range(2, len(order)):
            if -order[place] not in reason:
                order[1], order[place] = order[place], order[1]
                self._watched_by.setdefault(order[1], []).append(number)
                return True
        return False

    def _chain(self, conflict: int, reason: dict[int, int | None], trail: list[int]) -> tuple[int, ...]:
        """Return what the contradiction rests on, in the sequence in which it propagated."""
        wanted = {-literal for literal in self.clauses[conflict]}
        chain = [conflict]
        for literal in reversed(trail):
            why = reason[literal]
            if literal in wanted and why is not None:
                chain.append(why)
                wanted.update(-other for other in self.clauses[why] if other != literal)
        return tuple(number + 1 for number in reversed(chain))
