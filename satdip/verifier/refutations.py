"""Models of the equations, and refutations of further ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from satdip.verifier.equations import Equations
from satdip.verifier.rup import ProofStep, check_refutation
from satdip.verifier.shape import LONGEST, Wrong, fields, integers, tables
from satdip.verifier.truth import NO, OPEN, YES

__all__ = ["Lemma", "Refutation", "check_models", "read_model", "read_refutation"]

Clause = tuple[int, ...]
Model = Mapping[str, int]
Ring = tuple[str, ...]


@dataclass(frozen=True)
class Lemma:
    """A clause that follows from one law.

    Args:
        law: the decisions that the law is about: one for the equation of an order, several for the ring of moves.
        clause: what follows.
    """

    law: tuple[int, ...]
    clause: Clause


@dataclass(frozen=True)
class Refutation:
    """That some clauses have no model.

    Args:
        lemmas: clauses that follow from one law each.
        proof: a proof by reverse unit propagation.
    """

    lemmas: tuple[Lemma, ...]
    proof: tuple[ProofStep, ...]


# ---------------------------------------------------------------------- reading


def read_refutation(value: object, where: str, most: int) -> Refutation | None:
    """Read a refutation, or null.

    Args:
        value: the JSON value.
        where: what to call it.
        most: how many decisions there are.

    Raises:
        Wrong: it is something else.
    """
    if value is None:
        return None
    parts = fields(value, where, ("clauses", "proof"))
    lemmas = tables(parts["clauses"], f"{where}.clauses", lambda item, at: _lemma(item, at, most))
    keys = [(lemma.law, [(abs(literal), literal) for literal in lemma.clause]) for lemma in lemmas]
    if any(one >= other for one, other in pairwise(keys)):
        raise Wrong(f"{where}.clauses must be in order, each once: by what they follow from, then by their literals")
    return Refutation(lemmas, tables(parts["proof"], f"{where}.proof", lambda item, at: _proof_step(item, at, most)))


def _proof_step(value: object, where: str, most: int) -> ProofStep:
    parts = fields(value, where, ("literals", "hints"))
    clause = _clause(parts["literals"], f"{where}.literals", most)
    return ProofStep(clause, integers(parts["hints"], f"{where}.hints", LONGEST))


def _lemma(value: object, where: str, most: int) -> Lemma:
    parts = fields(value, where, ("from", "literals"))
    law = integers(parts["from"], f"{where}.from", most)
    if not law or min(law) < 0 or len(set(law)) < len(law):
        raise Wrong(f"{where}.from must hold the number of a decision, or those of a ring of moves")
    return Lemma(law, _clause(parts["literals"], f"{where}.literals", most))


def _clause(value: object, where: str, most: int) -> Clause:
    found = integers(value, where, most)
    variables = [abs(literal) for literal in found]
    if any(one >= other for one, other in pairwise(variables)):
        raise Wrong(f"{where} must be a clause in order: each decision once, the lower number first")
    return found


def read_model(value: object, where: str, inside: Mapping[str, int], most: int) -> Model:
    """Read a resolution: a list of the numbers of some decisions in order, the false ones negated.

    Raises:
        Wrong: it is something else.
    """
    found = integers(value, where, most)
    if [abs(literal) for literal in found] != list(inside.values()):
        numbers = ", ".join(map(str, inside.values()))
        raise Wrong(f"{where} must give a value to each of the decisions {numbers}, in order")
    return {at: YES if literal > 0 else NO for at, literal in zip(inside, found, strict=True)}


# ---------------------------------------------------------------------- checking


def check_models(
    x: Equations,
    inside: Mapping[str, int],
    models: Sequence[Model],
    refutation: Refutation | None,
    rings: Sequence[Ring],
    where: str,
    contrary: Clause | None = None,
) -> None:
    """Check that models satisfy the laws of some decisions, and the refutation of any further one.

    Args:
        x: the equations, with the values of what is known beforehand.
        inside: the decisions that are open: province -> number.
        models: their values, in order: the first decision in which two differ is true in the first.
        refutation: that there are no others; None when that is not claimed.
        rings: the rings of moves that must turn if they can.
        where: what to call all this.
        contrary: a further clause that the refutation may use: the contrary of what it is to show.

    Raises:
        Wrong: something does not hold.
    """
    keys = [[-model[at] for at in inside] for model in models]
    if any(one >= other for one, other in pairwise(keys)):
        raise Wrong(f"{where}: the resolutions must be in order, each once")
    known = dict(x.values)
    try:
        for number, model in enumerate(models):
            x.values = {**known, **model}
            _check_model(x, inside, rings, f"{where}, resolution {number + 1}")
        if refutation is not None:
            laws: dict[tuple[int, ...], Ring] = {(number,): (at,) for at, number in inside.items()}
            laws |= {_ring_name(ring, inside): ring for ring in rings}
            for number, lemma in enumerate(refutation.lemmas):
                _check_lemma(x, known, inside, laws, lemma, f"{where}, clause {number + 1}")
            assumed = [_blocking(model, inside) for model in models] + ([] if contrary is None else [contrary])
            clauses = [*(lemma.clause for lemma in refutation.lemmas), *assumed]
            check_refutation(clauses, refutation.proof, where)
    finally:
        x.values = known


def _ring_name(ring: Ring, inside: Mapping[str, int]) -> tuple[int, ...]:
    """Return the numbers of a ring's moves, each the one into the province of the next, the least first."""
    numbers = tuple(inside[at] for at in ring)
    first = numbers.index(min(numbers))
    return numbers[first:] + numbers[:first]


def _check_model(x: Equations, inside: Mapping[str, int], rings: Sequence[Ring], where: str) -> None:
    for at in inside:
        if x.right_side(at).value != x.values[at]:
            raise Wrong(f"{where} breaks the equation of {x.actions[at].verb} {x.actions[at]}")
    for ring in rings:
        if x.breaks_law(ring).value != NO:
            raise Wrong(f"{where} breaks the law of circular movement in {', '.join(ring)}")


def _check_lemma(
    x: Equations,
    known: Mapping[str, int],
    inside: Mapping[str, int],
    laws: Mapping[tuple[int, ...], Ring],
    lemma: Lemma,
    where: str,
) -> None:
    """Check that a clause follows from its law, and that none of its literals could be left out."""
    law = laws.get(lemma.law)
    if law is None:
        raise Wrong(f"{where} names no equation of an open decision and no ring of moves")
    by_number = {number: at for at, number in inside.items()}
    if any(abs(literal) not in by_number for literal in lemma.clause):
        raise Wrong(f"{where} speaks about a decision that is not among the open ones")
    opposite = {by_number[abs(literal)]: NO if literal > 0 else YES for literal in lemma.clause}
    x.values = {**known, **opposite}
    if not _contradicts(x, law):
        raise Wrong(f"{where} does not follow from {_named(x, law)}")
    for at in opposite:
        x.values = {**known, **{other: value for other, value in opposite.items() if other != at}}
        if _contradicts(x, law):
            raise Wrong(f"{where} says less than {_named(x, law)}: it holds without {x.actions[at]}")


def _contradicts(x: Equations, law: Ring) -> bool:
    """Return whether what is known contradicts a law, whatever the rest may be."""
    if len(law) > 1:
        return x.breaks_law(law).value == YES
    value = x.values.get(law[0], OPEN)
    return value != OPEN and x.right_side(law[0]).value == -value


def _named(x: Equations, law: Ring) -> str:
    if len(law) > 1:
        return f"the law of circular movement in {', '.join(law)}"
    return f"the equation of {x.actions[law[0]].verb} {x.actions[law[0]]}"


def _blocking(model: Model, inside: Mapping[str, int]) -> Clause:
    return tuple(-number if model[at] == YES else number for at, number in inside.items())
