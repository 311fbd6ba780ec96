"""The checks: other ways to a resolution, all of which must agree.

A check takes a phase that was adjudicated, comes to the result in another way, and says where that differs. What is the
same code in both ways is not checked: the certificate shares none (`satdip.verifier`), the laws share all but what they
vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.crosschecking.engines import Difference
from satdip.crosschecking.fuzz.case import Case, compared_values
from satdip.crosschecking.fuzz.facts import compared, facts, facts_with_reasons
from satdip.crosschecking.fuzz.laws import again, apart, in_reverse, renamed, written_down
from satdip.phase.orders import Move
from satdip.resolve.resolution import Outcome, Resolution
from satdip.solving.verdict import DecidedBy
from satdip.telling.serialise import units_by_power

__all__ = ["CHECKS", "SOLVERS", "Check", "checks_named", "disagreements"]

SOLVERS = ("cadical195", "glucose3", "lingeling", "minisat22")
"""Solvers that are compared with the one that satdip uses."""
NO_PROPAGATION = frozenset({"lingeling"})
"""Those that PySAT cannot ask for unit propagation, so that a movement phase cannot be left to them as a whole."""


@dataclass(frozen=True)
class Check:
    """Another way to the resolution of a phase. It is sent to workers: `differs` can be pickled and compared.

    Args:
        name: what reports call it.
        about: what it does, in a few words.
        differs: returns where the other way differs; None for a case that it has nothing to say about.
    """

    name: str
    about: str
    differs: Callable[[Case], Sequence[Difference] | None]


def disagreements(check: Check, case: Case) -> Sequence[Difference] | None:
    """Ask a check; an exception of the program is a disagreement about ``raised``."""
    try:
        return check.differs(case)
    except Exception as error:  # noqa: BLE001 -- whatever goes wrong is what is looked for
        return (Difference("raised", type(error).__name__, (), (str(error),)),)


def checks_named(names: Sequence[str]) -> tuple[Check, ...]:
    """Return checks by name, all of them for no name.

    Raises:
        InputError: there is no such check.
    """
    for name in names:
        if name not in CHECKS:
            raise InputError(f"no check is called {name!r}; the checks are {', '.join(CHECKS)}")
    return tuple(check for check in CHECKS.values() if check.name in names or not names)


# ---------------------------------------------------------------------- the solver


def _without_folding(case: Case) -> Sequence[Difference]:
    other = adjudicate_turn(case.turn, case.rules, fold=False)
    return compared(facts_with_reasons(case.resolution), facts_with_reasons(other))


@dataclass(frozen=True)
class _OtherSolver:
    """The resolution by another solver: of everything, where it can be asked for unit propagation."""

    name: str

    def __call__(self, case: Case) -> Sequence[Difference] | None:
        fold = self.name in NO_PROPAGATION and not case.traits.in_order
        if fold and all(result.decided_by == DecidedBy.FOLDING for result in case.resolution.orders):
            return None  # nothing is asked of the solver
        return compared(case.facts, facts(adjudicate_turn(case.turn, case.rules, fold=fold, solver=self.name)))


# ---------------------------------------------------------------------- the certificate


def _certified(case: Case) -> Sequence[Difference] | None:
    """Certify the answer, let the verifier derive it again, and compare what it agrees to with the resolution."""
    from satdip.lab import certify

    try:
        data: Any = certify(case.turn, case.rules, claims=("answer",)).data  # it raises what the verifier objects to
    except InputError:
        return None
    ours = _as_certified(case.resolution)
    if case.traits.in_order:
        return compared_values(ours, data["result"])
    (answer,) = data["claims"]
    if case.resolution.is_open or answer["result"] is None:
        found = compared_values({"open": case.resolution.is_open}, {"open": answer["result"] is None})
    else:
        found = compared_values(ours, answer["result"])
    return (*found, *_decisions(case.resolution, data["decisions"], answer["values"]))


def _as_certified(resolution: Resolution) -> dict[str, object]:
    """Return what a certificate states as the result, from a resolution."""
    after = resolution.next
    moves = ((r.unit, r.checked.action) for r in resolution.orders if r.success and r.checked.is_of_unit)
    return {
        "units": units_by_power(after.units if after else ()),
        "contested": sorted(resolution.contested),
        "moves": {str(unit): action.destination for unit, action in moves if isinstance(action, Move)},
        "dislodged": [
            {
                "power": item.unit.power,
                "unit": str(item.unit),
                "attacker_from": item.attacker_from,
                "retreats": sorted(item.retreats or ()),
            }
            for item in sorted(resolution.dislodged, key=lambda item: item.unit.province)
        ],
        "built": units_by_power(resolution.built),
        "removed": units_by_power(resolution.removed),
        "automatic": units_by_power(resolution.automatic),
    }


def _decisions(resolution: Resolution, decisions: Sequence[str], values: Sequence[int | None]) -> Iterator[Difference]:
    """Compare whether orders work."""
    results = {f"{unit.power} {unit}": resolution.result_of(unit) for unit in resolution.position.units}
    for text, value in zip(decisions, values, strict=True):
        _, power, kind, place, *_ = text.split()
        result = results.get(unit := f"{power} {kind} {place}")
        works = None if value is None else value > 0
        if result is None or not _fits(works, result.outcome):
            said = () if result is None else (str(result.outcome),)
            yield Difference("order", unit, said, ({None: "open", True: "works", False: "fails"}[works],))


def _fits(works: bool | None, outcome: Outcome) -> bool:
    """Return whether a decision stands behind an outcome; whether an order works that matches nothing tells nothing."""
    if outcome in (Outcome.ILLEGAL, Outcome.INVALID):
        return True
    return works == (None if outcome == Outcome.OPEN else outcome.success)


# ---------------------------------------------------------------------- all of them


CHECKS: Mapping[str, Check] = {
    check.name: check
    for check in (
        Check("folding", "the solver alone, nothing decided by folding; the reasons too", _without_folding),
        *(Check(name, f"the solver {name} instead of the usual one", _OtherSolver(name)) for name in SOLVERS),
        Check("certificate", "the answer certified, and derived again by the independent verifier", _certified),
        Check("again", "the same phase once more, word for word", again),
        Check("written", "the phase written down and read, as a record and as a sheet", written_down),
        Check("sequence", "units and orders listed in reverse", in_reverse),
        Check("names", "the powers change their names", renamed),
        Check("apart", "units that have nothing to do with each other, adjudicated apart", apart),
    )
}
