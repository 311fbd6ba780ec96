"""Claims of certificates for other checkers: a formula as DIMACS CNF, and its refutation as DRAT and as LRAT.

Two encodings. *Orders*: the certificate's own clauses about decisions. *Gates*: the equations as satdip's encoder
writes them, with a variable for every gate. Either formula has the clauses that rule out the known resolutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdip.base.budget import UNLIMITED, Budget
from satdip.encodings.clauses import assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.situation import Node
from satdip.lab.certify.clauses import Clause, Rests, numbered
from satdip.lab.certify.proof import hinted
from satdip.lab.naming import order_name
from satdip.solving.formula_of_phase import clause_reading, whole_formula
from satdip.solving.solver import refutation
from satdip.verifier.rup import ProofStep

__all__ = ["ENCODINGS", "Exported", "exported"]

ENCODINGS = ("orders", "gates")


@dataclass(frozen=True)
class Exported:
    """A formula and its refutation, as text.

    Args:
        cnf: DIMACS CNF; its comments say what the variables are and where the clauses come from.
        proof: its clauses in the format DRAT.
        lrat: the same in the format LRAT, with hints.
    """

    cnf: str
    proof: str
    lrat: str


def exported(rests: Rests, title: str, encoding: str = "orders", budget: Budget = UNLIMITED) -> Exported:
    """Write down what a claim rests on.

    Args:
        rests: the refutation and what it is about.
        title: one line that says what is refuted.
        encoding: ``orders`` or ``gates``.
        budget: how long refuting the gates may take.

    Raises:
        OutOfTime: the budget is used up.
    """
    return _gates(rests, title, budget) if encoding == "gates" else _orders(rests, title)


def _name(node: Node, rests: Rests) -> str:
    return f"{tag(node).rule} {node.power} {order_name(node.order, rests.situation.board)}"


def _orders(rests: Rests, title: str) -> Exported:
    number, refuted = numbered(rests.situation), rests.refutation
    names = {number[node.index]: _name(node, rests) for node in rests.situation.decisions()}
    laws = [names[lemma.law[0]] if len(lemma.law) == 1 else _ring(lemma.law) for lemma in refuted.lemmas]
    sources = [*laws, *("ruled out" for _ in refuted.assumed)]
    clauses = [*(lemma.clause for lemma in refuted.lemmas), *refuted.assumed]
    return _text(title, names.items(), sources, len(names), clauses, refuted.proof)


def _ring(law: Sequence[int]) -> str:
    return f"circular movement of {', '.join(map(str, law))}"


def _gates(rests: Rests, title: str, budget: Budget) -> Exported:
    situation = rests.situation
    if rests.turning:
        formula, x = whole_formula(situation, rests.ruling)
    else:
        formula = Formula()
        x = clause_reading(formula, situation, ruling=rests.ruling)
        assert_equations(x, situation.decisions(), equation, tag)
    number = numbered(situation)
    literal = {number[node.index]: x.decision(node) for node in situation.decisions()}
    assumed = [tuple(literal[abs(n)] * (1 if n > 0 else -1) for n in clause) for clause in rests.refutation.assumed]
    clauses = [*formula.clauses, *assumed]
    steps = refutation(clauses, budget=budget)
    if steps is None:
        raise RuntimeError("the gates have a resolution that the clauses about orders have not")
    sources = [*map(str, formula.tags), *("ruled out" for _ in assumed)]
    named = [(1, "true"), *((x.decision(node), _name(node, rests)) for node in situation.decisions())]
    return _text(title, named, sources, formula.variables, clauses, hinted(clauses, steps))


def _text(
    title: str,
    names: Iterable[tuple[int, str]],
    sources: Sequence[str],
    variables: int,
    clauses: Sequence[Clause],
    proof: Sequence[ProofStep],
) -> Exported:
    """Write comments first, all of them: some checkers know none behind the header."""

    def lines() -> Iterator[str]:
        yield f"c {title}"
        yield from (f"c {number} {name}" for number, name in names)
        yield from (f"c clause {number}: {source}" for number, source in enumerate(sources, 1))
        yield f"p cnf {variables} {len(clauses)}"
        yield from map(_line, clauses)

    numbered_steps = enumerate(proof, len(clauses) + 1)
    return Exported(
        "".join(f"{line}\n" for line in lines()),
        "".join(f"{_line(step.clause)}\n" for step in proof),
        "".join(f"{number} {_line(step.clause)} {_line(step.hints)}\n" for number, step in numbered_steps),
    )


def _line(numbers: Clause) -> str:
    return " ".join(map(str, (*numbers, 0)))
