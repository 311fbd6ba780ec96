"""Certificates of movement phases: what is claimed about their resolutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from satdip.base.messages import english
from satdip.verifier.aftermath import moved_and_dislodged, result_of
from satdip.verifier.equations import Equations
from satdip.verifier.header import Header, refused_to_json
from satdip.verifier.legality import Followed, movement_actions
from satdip.verifier.paradox import IN_EQUATIONS, Step, answer, bille_armies
from satdip.verifier.refutations import Refutation, check_models, read_model, read_refutation
from satdip.verifier.shape import Checked, Wrong, fields, integers, items, same, tables
from satdip.verifier.truth import OPEN

__all__ = ["PARTS", "check_movement"]

PARTS = ("holding", "decisions", "claims")
"""The keys that a certificate of a movement phase has beside those of all certificates."""


def check_movement(header: Header, certificate: Mapping[str, Any]) -> Checked:
    """Check a certificate of a movement phase.

    Returns:
        A sentence for each claim.

    Raises:
        Wrong: something in it does not hold.
    """
    followed = movement_actions(header.units, header.given, header.taking_part, header.atlas, header.choices)
    same(certificate["refused"], refused_to_json(followed.refused), "refused")
    holding = [f"{a.unit.power} {a}" for a in followed.actions if a.verb == "HOLD"]
    same(certificate["holding"], holding, "holding")
    decisions = [f"{a.verb} {a.unit.power} {a}" for a in followed.actions if a.verb != "HOLD"]
    same(certificate["decisions"], decisions, "decisions")
    claims = _Claims(header, followed)
    stated = items(certificate["claims"], "claims")
    kinds = [claim.get("claim") if isinstance(claim, dict) else None for claim in stated]
    if not kinds or kinds not in _SEQUENCES:
        raise Wrong(f"claims must be some of {', '.join(_KINDS)}, in this sequence")
    return Checked([_KINDS[kind](claims, stated[number], f"claims[{number}]") for number, kind in enumerate(kinds)])


class _Claims:
    """The orders of a phase, against which claims are checked.

    Args:
        header: the position and the rulebook.
        followed: what every unit does.
    """

    def __init__(self, header: Header, followed: Followed) -> None:
        self.header, self.followed = header, followed
        acting = [action.at for action in followed.actions if action.verb != "HOLD"]
        self.variables = {at: number for number, at in enumerate(acting, 1)}
        self.place = {number: at for at, number in self.variables.items()}

    def equations(self, *, with_backup: bool) -> Equations:
        """Return the equations, with nothing known; a paradox rule that comes after them is left out on demand."""
        choices = dict(self.header.choices)
        if not with_backup and choices["paradox"] not in IN_EQUATIONS:
            choices["paradox"] = "none"
        return Equations(self.followed.actions, self.followed.unsupportable, self.header.atlas, choices)

    def model(self, value: object, where: str) -> Mapping[str, int]:
        """Read values for all decisions."""
        return read_model(value, where, self.variables, self.most)

    def refutation(self, value: object, where: str) -> Refutation | None:
        """Read a refutation or null."""
        return read_refutation(value, where, self.most)

    @property
    def most(self) -> int:
        """How many decisions there are."""
        return len(self.variables)

    def provinces(self, value: object, where: str) -> tuple[str, ...]:
        """Read a list of numbers of decisions, in order."""
        found = integers(value, where, self.most)
        if any(number < 0 for number in found) or list(found) != sorted(set(found)):
            raise Wrong(f"{where} must hold numbers of decisions, in order")
        return tuple(self.place[number] for number in found)

    # ------------------------------------------------------------------ the claims

    def resolutions(self, value: object, where: str) -> str:
        """Check a claim about the consistent resolutions before any backup rule; rings may turn or stay."""
        parts = fields(value, where, ("claim", "complete", "resolutions", "refutation"))
        models = tables(parts["resolutions"], f"{where}.resolutions", self.model)
        refutation = self.refutation(parts["refutation"], f"{where}.refutation")
        same(parts["complete"], refutation is not None, f"{where}.complete")
        x = self.equations(with_backup=False)
        check_models(x, self.variables, models, refutation, (), where)
        least = "exactly" if refutation is not None else "at least"
        return english("{least} {number} consistent {number:resolution|resolutions}", least=least, number=len(models))

    def forced(self, value: object, where: str) -> str:
        """Check the claim that a decision is the same in every consistent resolution."""
        parts = fields(value, where, ("claim", "decision", "refutation"))
        (stated,) = integers([parts["decision"]], f"{where}.decision", self.most)
        refutation = self.refutation(parts["refutation"], f"{where}.refutation")
        if refutation is None:
            raise Wrong(f"{where}.refutation must show that the contrary is impossible")
        x, at = self.equations(with_backup=False), self.place[abs(stated)]
        check_models(x, self.variables, (), refutation, (), where, contrary=(-stated,))
        works = "works" if stated > 0 else "fails"
        return f"{x.actions[at].verb} {x.actions[at]} {works} in every consistent resolution"

    def answer(self, value: object, where: str) -> str:
        """Check a claim about what the rulebook makes of the phase."""
        parts = fields(value, where, ("claim", "first_stage", "steps", "values", "refutation", "result"))
        x = self.equations(with_backup=True)
        if x.choices["paradox"] == "bille" and x.convoys:
            x.settled_routes = self._first_stage(parts["first_stage"], f"{where}.first_stage")
        else:
            same(parts["first_stage"], None, f"{where}.first_stage")
        steps = tables(parts["steps"], f"{where}.steps", self._step)
        decided = answer(x, self.variables, steps, f"{where}.steps")
        values = [number * x.values.get(at, OPEN) or None for at, number in self.variables.items()]
        same(parts["values"], values, f"{where}.values")
        refutation = self.refutation(parts["refutation"], f"{where}.refutation")
        if not decided:
            same(parts["refutation"], None, f"{where}.refutation")
            same(parts["result"], None, f"{where}.result")
            return "the rules give no answer"
        if refutation is None:
            raise Wrong(f"{where}.refutation must show that the rules allow no other values")
        known, x.values = x.values, {}
        check_models(x, self.variables, (known,), refutation, x.rings(x.moves), where)
        x.values = known
        powers = {unit.power for unit in self.header.units}
        same(parts["result"], result_of(x, powers - self.header.taking_part), f"{where}.result")
        moved, dislodged = moved_and_dislodged(x, known)
        told = (
            "the rules allow one resolution: {moved} {moved:unit moves|units move}, {driven} {driven:is|are} dislodged"
        )
        return english(told, moved=len(moved), driven=len(dislodged))

    def _first_stage(self, value: object, where: str) -> dict[str, int]:
        """Check Bille's first stage, without the armies that fleets under attack carry; return what it settles."""
        parts = fields(value, where, ("left_out", "steps", "routes"))
        x = self.equations(with_backup=True)
        armies = [at for at in self.variables if at in bille_armies(x)]
        if list(self.provinces(parts["left_out"], f"{where}.left_out")) != armies:
            raise Wrong(f"{where}.left_out must be the armies that fleets under attack are ordered to convoy")
        x.vetoes = frozenset(armies)
        answer(x, self.variables, tables(parts["steps"], f"{where}.steps", self._step), f"{where}.steps")
        x.vetoes = frozenset()
        routes = {at: x.route(at).value for at in armies}
        if OPEN in routes.values():
            raise Wrong(f"{where} leaves a route undecided")
        same(parts["routes"], [self.variables[at] * value for at, value in routes.items()], f"{where}.routes")
        return routes

    def _step(self, value: object, where: str) -> Step:
        parts = fields(value, where, ("core", "resolutions", "refutation", "vetoes"))
        core = self.provinces(parts["core"], f"{where}.core")
        inside = {at: self.variables[at] for at in core}

        def model(item: object, at: str) -> Mapping[str, int]:
            return read_model(item, at, inside, self.most)

        return Step(
            core,
            tables(parts["resolutions"], f"{where}.resolutions", model),
            self.refutation(parts["refutation"], f"{where}.refutation"),
            self.provinces(parts["vetoes"], f"{where}.vetoes"),
        )


_KINDS: Mapping[str, Callable[[_Claims, object, str], str]] = {
    "resolutions": _Claims.resolutions,
    "answer": _Claims.answer,
    "forced": _Claims.forced,
}
_SEQUENCES = [[kind for number, kind in enumerate(_KINDS) if mask >> number & 1] for mask in range(1, 1 << len(_KINDS))]
