"""Certificates: what is so about a phase, with all that is needed to check it without satdip's encoder and solver.

`certify` makes one; `satdip.verifier` checks it. The format is described in ``docs/certificates.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.check import check_orders
from satdip.encodings.movement import tag
from satdip.encodings.reading import FALSE, TRUE
from satdip.encodings.situation import HoldNode, Node, Situation
from satdip.lab.certify.acyclic import PARTS
from satdip.lab.certify.answer import Answer, FirstStage, Step, answer
from satdip.lab.certify.clauses import Found, Rests, Search, numbered
from satdip.lab.certify.header import header_of, in_sequence
from satdip.lab.naming import order_name
from satdip.lab.phase import Movement, without_backup
from satdip.phase.turn import Turn
from satdip.resolve.aftermath import contested, driven_out, moved_units
from satdip.rulebook import Rulebook, RulebookLike, rulebook_of
from satdip.solving.formula_of_phase import nothing_known
from satdip.telling.serialise import units_by_power
from satdip.verifier import Verdict, verify

__all__ = ["CLAIMS", "Certificate", "certify"]

CLAIMS = ("resolutions", "answer")
"""What a certificate claims unless it is told otherwise."""

Json = dict[str, object]


@dataclass(frozen=True)
class Certificate:
    """A certificate.

    Args:
        data: everything it says, as plain JSON values.
        verdict: what the verifier says about it: it was asked.
        rests: claim -> what it rests on; claims without a refutation are left out.
        complete: whether it claims all that it was asked for; else the time was used up.
    """

    data: Mapping[str, object]
    verdict: Verdict
    rests: Mapping[str, Rests] = field(default_factory=dict, repr=False)
    complete: bool = True

    def to_json(self) -> Mapping[str, object]:
        """Return the certificate itself (format: docs/certificates.md)."""
        return self.data

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"certificate of {self.data['phase']}, map {self.data['map']}"
        yield from self.verdict.claims
        for claim, rests in self.rests.items():
            clauses, steps = len(rests.refutation.lemmas), len(rests.refutation.proof)
            rests_on = (
                "{claim}: rests on a refutation of {clauses} {clauses:clause|clauses} in {steps} {steps:step|steps}"
            )
            yield english(rests_on, claim=claim, clauses=clauses, steps=steps)
        yield from (f"assumed: {sentence}" for sentence in self.verdict.assumed)
        if not self.complete:
            yield "the time was used up before everything was shown"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def certify(
    turn: Turn,
    rules: RulebookLike,
    claims: Collection[str] | None = None,
    forced: str | None = None,
    limit: int = 64,
    budget: Budget = UNLIMITED,
) -> Certificate:
    """Certify what is so about a phase.

    Args:
        turn: the phase.
        rules: the rulebook, or its name.
        claims: ``resolutions``, all consistent resolutions before any backup rule; ``answer``, what the rulebook makes
            of the phase; None for both. Only movement phases have these.
        forced: an order, or its unit as in ``F WAL``, whose decision is the same in every consistent resolution.
        limit: how many resolutions to list; when there are more, no more than that is claimed.
        budget: how long it may take; then, or when interrupted, the certificate has the claims that are shown by then.

    Raises:
        InputError: this phase cannot be certified, or the order is not forced; the sentence says why.
        OutOfTime: the budget was used up before anything was shown.
    """
    rules = rulebook_of(rules)
    chosen = _chosen(claims, turn)
    turn = in_sequence(turn)
    if turn.position.phase.traits.in_order:
        return _of_values(turn, rules, forced)
    work = _Movement(turn, rules, limit, budget)
    data = header_of(turn, rules, work.movement.checked) | work.orders()
    makers: list[Callable[[], Json]] = [maker for claim, maker in work.makers.items() if claim in chosen]
    if forced is not None:
        makers.append(partial(work.forced, forced))
    stated: list[Json] = []
    try:
        for maker in makers:
            stated.append(maker())  # noqa: PERF401 -- what is stated by then counts when the time is used up
    except (OutOfTime, KeyboardInterrupt):
        work.complete = False
        if not stated:
            raise
    data["claims"] = stated
    return Certificate(data, _agreed(data), work.rests, work.complete)


def _chosen(claims: Collection[str] | None, turn: Turn) -> Collection[str]:
    """Return the claims that are asked for."""
    if claims is None:
        return CLAIMS
    if isinstance(claims, str) or not {*claims} <= {*CLAIMS}:
        raise InputError(f"the claims to choose from are {' and '.join(CLAIMS)}, not {claims!r}")
    if turn.position.phase.traits.in_order:
        raise InputError(f"{turn.position.phase} is no movement phase; only those have claims to choose")
    return claims


def _of_values(turn: Turn, rules: Rulebook, forced: str | None) -> Certificate:
    """Return the certificate of a phase whose values speak for themselves."""
    if forced is not None:
        raise InputError(f"{turn.position.phase} is no movement phase; only decisions about movement are forced")
    checked = check_orders(turn, rules)
    data = header_of(turn, rules, checked) | PARTS[turn.position.phase.kind](turn, rules, checked)
    return Certificate(data, _agreed(data))


def _agreed(data: Json) -> Verdict:
    """Return the verdict on a new certificate, which must be that it is valid."""
    verdict = verify(data)
    if not verdict.valid:
        raise RuntimeError(f"the verifier does not agree: {verdict.problem}")
    return verdict


class _Movement:
    """The claims about a movement phase."""

    def __init__(self, turn: Turn, rules: Rulebook, limit: int, budget: Budget) -> None:
        self.turn, self.rules, self.limit, self.budget = turn, rules, limit, budget
        self.movement = Movement.of(turn, rules)
        self.number = numbered(self.movement.situation)
        self.rests: dict[str, Rests] = {}
        self.complete = True
        self.makers = {"resolutions": self.resolutions, "answer": self.answer}

    def orders(self) -> Json:
        """Return what every unit does."""
        board, nodes = self.turn.position.board, self.movement.situation.nodes
        return {
            "holding": [f"{n.power} {order_name(n.order, board)}" for n in nodes if isinstance(n, HoldNode)],
            "decisions": [
                f"{tag(n).rule} {n.power} {order_name(n.order, board)}" for n in nodes if not isinstance(n, HoldNode)
            ],
        }

    # ------------------------------------------------------------------ claims about the equations

    @cached_property
    def bare(self) -> Situation:
        """The orders under the equations without any backup rule."""
        return Movement.of(self.turn, without_backup(self.rules)).situation

    def _search(self) -> Search:
        """Return the equations without any backup rule; rings may turn or stay."""
        return Search(self.bare, self.bare.decisions(), nothing_known(self.bare), budget=self.budget)

    def resolutions(self) -> Json:
        """Claim the consistent resolutions."""
        found = self._search().run(self.limit + 1, partial=True)
        self.complete = found.refutation is not None or len(found.models) > self.limit
        listed = found.models[: self.limit]
        if found.refutation is not None:
            self.rests["resolutions"] = Rests(found.refutation, self.bare)
        return {
            "claim": "resolutions",
            "complete": found.refutation is not None,
            "resolutions": [list(model) for model in listed],
            "refutation": _refutation(found),
        }

    def forced(self, name: str) -> Json:
        """Claim that a decision is the same in every resolution.

        Raises:
            InputError: it is not, there is no such order, or no resolution at all.
        """
        number, search = self._decision(name), self._search()
        of_value = {value: search.run(1, [(value * number,)]) for value in (TRUE, FALSE)}
        possible = [value for value, found in of_value.items() if found.models]
        if len(possible) != 1:
            what = "differs between resolutions" if possible else "is in no resolution: there is none"
            raise InputError(f"{name!r} is not forced: it {what}")
        contrary = of_value[-possible[0]]
        if contrary.refutation is not None:
            self.rests["forced"] = Rests(contrary.refutation, self.bare)
        return {"claim": "forced", "decision": possible[0] * number, "refutation": _refutation(contrary)}

    def _decision(self, name: str) -> int:
        board, nodes = self.turn.position.board, self.movement.situation.decisions()
        wanted = " ".join(name.upper().split())
        for node in nodes:
            if wanted in (str(node.piece.unit), node.at, order_name(node.order, board).upper()):
                return self.number[node.index]
        known = ", ".join(str(node.piece.unit) for node in nodes)
        raise InputError(f"no order is called {name!r}; name one by its unit: {known}")

    # ------------------------------------------------------------------ the answer

    def answer(self) -> Json:
        """Claim what the rulebook makes of the phase."""
        found = answer(self.movement.situation, self.budget)
        verdict = found.verdict
        values = verdict.values
        if found.final is not None and found.final.refutation is not None:
            self.rests["answer"] = Rests(found.final.refutation, verdict.situation, verdict.ruling, turning=True)
        return {
            "claim": "answer",
            "first_stage": None if found.first_stage is None else self._first_stage(found.first_stage),
            "steps": [self._step(step) for step in found.steps],
            "values": [number * values[index] or None for index, number in self.number.items()],
            "refutation": None if found.final is None else _refutation(found.final),
            "result": None if found.final is None else self._result(found),
        }

    def _first_stage(self, stage: FirstStage) -> Json:
        return {
            "left_out": self._numbers(stage.left_out),
            "steps": [self._step(step) for step in stage.steps],
            "routes": [self.number[index] * value for index, value in sorted(stage.routes.items())],
        }

    def _step(self, step: Step) -> Json:
        nodes = self.movement.situation.nodes
        return {
            "core": self._numbers(step.nodes),
            "resolutions": [list(model) for model in step.found.models],
            "refutation": _refutation(step.found),
            "vetoes": self._numbers([nodes[index] for index in step.vetoes]),
        }

    def _result(self, found: Answer) -> Json:
        """Return what follows from the decisions."""
        verdict = found.verdict
        stand_offs = contested(verdict)
        driven = driven_out(verdict, stand_offs, self.movement.checked.disorder)
        moves = sorted(verdict.arrivals.values(), key=lambda m: m.at)
        return {
            "moves": {str(m.piece.unit): m.location for m in moves},
            "units": units_by_power(moved_units(verdict)),
            "contested": sorted(stand_offs),
            "dislodged": [
                {
                    "power": item.unit.power,
                    "unit": str(item.unit),
                    "attacker_from": item.attacker_from,
                    "retreats": sorted(item.retreats or ()),
                }
                for item in sorted(driven, key=lambda item: item.unit.province)
            ],
        }

    # ------------------------------------------------------------------ helpers

    def _numbers(self, nodes: Sequence[Node]) -> list[int]:
        return sorted(self.number[node.index] for node in nodes)


def _refutation(found: Found) -> Json | None:
    """Return a refutation as a certificate has it."""
    if found.refutation is None:
        return None
    return {
        "clauses": [{"from": list(lemma.law), "literals": list(lemma.clause)} for lemma in found.refutation.lemmas],
        "proof": [{"literals": list(step.clause), "hints": list(step.hints)} for step in found.refutation.proof],
    }
