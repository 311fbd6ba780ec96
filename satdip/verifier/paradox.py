"""How a rulebook comes to an answer: closure, knots, paradox rule (DATC 4.A.2), checked step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from satdip.verifier.equations import Equations
from satdip.verifier.refutations import Refutation, check_models
from satdip.verifier.shape import Wrong
from satdip.verifier.truth import NO

__all__ = ["IN_EQUATIONS", "Step", "answer", "bille_armies"]

IN_EQUATIONS = ("1971", "1982", "hand", "2000", "2000-literal")
"""The paradox rules that are part of the equations; the others come after them."""

Models = Sequence[Mapping[str, int]]


@dataclass(frozen=True)
class Step:
    """One knot and what was made of it, as a certificate states it.

    Args:
        core: the provinces of the units whose orders depend on each other.
        models: consistent resolutions of the knot by itself, rings turning: all of them, or three.
        refutation: that there are no others; None when it is not claimed.
        vetoes: the orders that the rule forbids.
    """

    core: tuple[str, ...]
    models: tuple[Mapping[str, int], ...]
    refutation: Refutation | None
    vetoes: tuple[str, ...]


# ---------------------------------------------------------------------- the rules


def _convoys(x: Equations, core: Sequence[str]) -> set[str]:
    return {at for at in core if at in x.convoys}


def _carried(x: Equations, fleets: set[str]) -> set[str]:
    """The armies that some of the fleets are ordered to convoy."""
    return {at for at in x.moves if x.could_sail(at) and fleets.intersection(x.carriers(at))}


def _szykman(x: Equations, core: Sequence[str], models: Models) -> set[str]:  # noqa: ARG001 -- called as the others
    """The convoys of the knot are disrupted."""
    return _convoys(x, core)


def _all_hold(x: Equations, core: Sequence[str], models: Models) -> set[str]:  # noqa: ARG001
    """The moves of the knot fail, its convoys too, and so do the armies that these carry."""
    convoys = _convoys(x, core)
    return {at for at in core if at in x.moves} | convoys | _carried(x, convoys)


def _affect_cause(x: Equations, core: Sequence[str], models: Models) -> set[str]:  # noqa: ARG001
    """The armies carried by the knot that attack one of its supporters do not move; if there are none, as Szykman."""
    convoys = _convoys(x, core)
    supporters = {at for at in core if at in x.supports}
    return {at for at in _carried(x, convoys) if x.goal(at) in supporters} or convoys


def _dptg(x: Equations, core: Sequence[str], models: Models) -> set[str]:
    """Of exactly two resolutions the one that disrupts all convoys of the knot; else All Hold."""
    convoys = _convoys(x, core)
    if len(models) == 2 and any(all(model[at] == NO for at in convoys) for model in models):
        return convoys
    return _all_hold(x, core, models)


RULES: Mapping[str, Callable[[Equations, Sequence[str], Models], set[str]]] = {
    "szykman": _szykman,
    "all-hold": _all_hold,
    "affect-cause": _affect_cause,
    "dptg": _dptg,
}
ENOUGH = 3
"""So many models of a knot are as good as more: no rule asks for the exact number above two."""


# ---------------------------------------------------------------------- the procedure


def answer(x: Equations, variables: Mapping[str, int], steps: Sequence[Step], where: str) -> bool:
    """Follow the steps to the answer; `x` knows its decisions and vetoes afterwards.

    Args:
        x: the equations, with what is known beforehand.
        variables: province -> number of its decision.
        steps: the knots as stated, round by round.
        where: what to call them.

    Returns:
        Whether the rules decide everything.

    Raises:
        Wrong: a step is not what the rules say.
    """
    undecided = x.close([at for at in variables if at not in x.values])
    unanswered: set[tuple[str, ...]] = set()
    done = 0
    while undecided:
        knots = [core for core in x.knots(undecided) if core not in unanswered]
        if not knots:
            break
        for core in knots:
            if done == len(steps) or steps[done].core != core:
                raise Wrong(f"{where}[{done}] must be the knot of the units in {', '.join(core)}")
            if not _settle(x, variables, steps[done], f"{where}[{done}]"):
                unanswered.add(core)
            done += 1
        undecided = x.close([at for at in undecided if at not in x.values])
    if done < len(steps):
        raise Wrong(f"{where}[{done}] is one too many: the knots before leave none that has to be settled")
    return not undecided


def _settle(x: Equations, variables: Mapping[str, int], step: Step, where: str) -> bool:
    """Check a step and carry it out; False when the rules have no answer to the knot."""
    inside = {at: variables[at] for at in step.core}
    check_models(x, inside, step.models, step.refutation, x.rings(step.core), where)
    if step.refutation is None and len(step.models) != ENOUGH:
        raise Wrong(f"{where} states neither {ENOUGH} resolutions of the knot nor a refutation of further ones")
    if step.refutation is not None and len(step.models) >= ENOUGH:
        raise Wrong(f"{where}: of a knot with {ENOUGH} resolutions a refutation of further ones says too much")
    if len(step.models) == 1:
        if step.vetoes:
            raise Wrong(f"{where}: the knot has one resolution, so no rule forbids anything")
        x.values |= step.models[0]
        return True
    rule = RULES.get(x.choices["paradox"]) or RULES.get(x.choices["fallback"])
    vetoes = set() if rule is None else rule(x, step.core, step.models) - x.vetoes
    if set(step.vetoes) != vetoes:
        names = ", ".join(sorted(vetoes)) or "no province"
        raise Wrong(f"{where}: the rule forbids the orders of the units in {names}")
    x.vetoes |= vetoes
    return bool(vetoes)


def bille_armies(x: Equations) -> set[str]:
    """The armies that a fleet under attack is ordered to convoy: Bille's first stage leaves them out."""
    attacked = {
        fleet
        for fleet in x.convoys
        if any(x.path(m).value != NO for m in x.attackers(fleet) if x.power(m) != x.power(fleet))
    }
    return _carried(x, attacked)
