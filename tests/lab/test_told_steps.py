"""Every step of an explanation is a claim: its numbers and names against an evaluator that shares nothing with it.

The evaluator (`plain_evaluator`, `edition_evaluator`) knows the orders and which of them worked. A plain number must be
the strength itself, one told with "at least" or "at most" a bound of it; whoever is named must have done what is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from reference import RefMap
from support.edition_evaluator import BY_THEMSELVES, EditionEquations
from support.plain_evaluator import Equations
from support.positions import draw, turn_of, unit_of

from satdip.board import Board, province_of
from satdip.check.result import Reason
from satdip.encodings.reading import TRUE
from satdip.lab.explain import Explanation, Step, StepKind, explain, explain_all, find_unit
from satdip.lab.phase import Movement
from satdip.notation import read_turn
from satdip.phase.orders import Hold
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, PROFILES, Allowance, ConvoyedAttack, NamedRoute, Rulebook
from satdip.telling.reasons import SENTENCES, Limit


class Told:
    """A phase as it came out, and what may be told of it.

    Args:
        turn: the phase.
        rules: the rulebook.
    """

    def __init__(self, turn: Turn, rules: Rulebook) -> None:
        movement = Movement.of(turn, rules)
        verdict, actions = movement.decide(), movement.checked.actions
        board = turn.position.board
        self.is_open = verdict.is_open
        self.works = {node.at: verdict.values[node.index] == TRUE for node in verdict.situation.nodes}
        by_equations = rules.paradox in BY_THEMSELVES
        self.x = EditionEquations(board, actions, rules) if by_equations else Equations(board, actions)
        if isinstance(self.x, EditionEquations):
            self.x.works = self.works
        self.driven = self.x.dislodged(self.works)

    def check(self, explanation: Explanation) -> Counter[str]:
        """Assert that every step is true; return the kinds of reasons that were checked."""
        checked: Counter[str] = Counter()
        for number, step in enumerate(explanation.steps, start=1):
            assert all(earlier < number for earlier in step.because)
            self.check_statements(step)
            for reason in step.reasons:
                test = CHECKS.get(reason.code.removesuffix("-at-most"))
                if test is not None and step.kind in (StepKind.ORDER, StepKind.UNIT):
                    unit = step.statements[0].unit
                    assert unit is not None
                    message = f"{explanation}\n{reason}"
                    assert test(self, unit.province, reason.details, reason), message
                    checked[reason.code] += 1
        return checked

    def check_statements(self, step: Step) -> None:
        for statement in step.statements:
            unit, order = statement.unit, statement.order
            if step.kind == StepKind.CHECK or unit is None or statement.works is None:
                continue
            if order is None or isinstance(order, Hold):
                assert (unit.province in self.driven) == statement.works
            else:
                assert self.works[unit.province] == statement.works

    # ------------------------------------------------------------------ strengths

    def fits(self, told: object, actual: int) -> bool:
        """Return whether a number that is told is the strength, or a bound of it."""
        if isinstance(told, Limit):
            return told.number <= actual if told.least else told.number >= actual
        return told == actual

    def attack(self, at: str, reason: Reason) -> bool:
        told, actual = reason.details["attack"], self.x.attack(self.works, at)
        if reason.code.endswith("-at-most"):
            return isinstance(told, int) and actual <= told
        named = [unit.province for unit in reason.details.get("supporters", ())]  # type: ignore[attr-defined]
        return self.fits(told, actual) and all(self.works[s] and s in self.x.backers(at) for s in named)

    def hold(self, at: str, details: Mapping[str, Any]) -> bool:
        province = details["unit"].province
        return province == self.x.target(at) and self.fits(details["hold"], self.x.hold(self.works, province))

    def guards(self, details: Mapping[str, Any]) -> bool:
        province = details["unit"].province
        named = [unit.province for unit in details.get("against", ())]
        return all(self.works[s] and s in self.x.backers(province) for s in named)


Check = Callable[[Told, str, Mapping[str, Any], Reason], bool]


def rival(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    other = d["unit"].province
    same = other in t.x.moves and t.x.target(other) == t.x.target(at)
    return same and t.attack(at, r) and t.guards(d) and t.fits(d["prevent"], t.x.prevent(t.works, other))


def opposite(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    other = d["unit"].province
    meets = t.x.head_to_head(at) == other
    return meets and t.attack(at, r) and t.guards(d) and t.fits(d["defend"], t.x.defend(t.works, other))


def dislodged_by(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    winner = d["unit"].province
    return t.driven[at] == winner and t.attack(winner, r) and t.fits(d["hold"], t.x.hold(t.works, at))


def cut(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    by = d["unit"].province
    foreign = t.x.power(by) != t.x.power(at) and t.x.target(by) == at
    reached = t.x.arrives(t.works, by) if isinstance(t.x, EditionEquations) else t.x.path(t.works, by)
    return foreign and reached and (by != t.x.zone(at) or t.works[by])


def no_effect(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    other = d["unit"].province
    into = province_of(d["place"])
    return t.x.target(other) == into and (not t.x.path(t.works, other) or t.x.prevent(t.works, other) == 0)


def useless(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    goal, supporters = d["unit"].province, [unit.province for unit in d["supporters"]]
    real = all(t.works[s] and s in t.x.backers(at) and t.x.power(s) == t.x.power(goal) for s in supporters)
    return t.x.target(at) == goal and real and bool(supporters)


def incomplete(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    fleets = {unit.province for unit in d["fleets"]}
    everything = {**t.works, **dict.fromkeys(fleets, True)}
    return fleets == set(t.x.matching_convoys(at)) and t.x.by_sea(at) and not t.x.path(everything, at)


def alone(t: Told, at: str, d: Mapping[str, Any], r: Reason) -> bool:
    goal = t.x.target(at)
    return goal not in t.x.units and t.x.attackers(goal) == [at]


CHECKS: Mapping[str, Check] = {
    "dislodges": lambda t, at, d, r: t.attack(at, r) and t.hold(at, d) and t.driven.get(t.x.target(at)) == at,
    "beats-hold": lambda t, at, d, r: t.attack(at, r) and d["hold"] >= t.x.hold(t.works, d["unit"].province),
    "beats": rival,
    "beats-opposite": opposite,
    "bounced": rival,
    "head-to-head": opposite,
    "held": lambda t, at, d, r: t.attack(at, r) and t.hold(at, d) and t.guards(d),
    "own-unit": lambda t, at, d, _r: (
        d["unit"].province == t.x.target(at)
        and t.x.power(d["unit"].province) == t.x.power(at)
        and not (d["unit"].province in t.x.moves and t.works[d["unit"].province] and t.x.head_to_head(at) is None)
    ),
    "own-support": useless,
    "vacated": lambda t, at, d, _r: d["unit"].province == t.x.target(at) and t.works[d["unit"].province],
    "moves-away": lambda t, at, _d, _r: at in t.x.moves and t.works[at],
    "no-effect": no_effect,
    "unopposed": alone,
    "unattacked": lambda t, at, _d, _r: not t.x.attackers(at),
    "attacks-fail": lambda t, at, _d, _r: not any(t.works[m] for m in t.x.attackers(at)),
    "enters": lambda t, at, d, _r: t.driven[at] == d["unit"].province,
    "dislodged-by": dislodged_by,
    "convoyed": lambda t, at, d, _r: (
        all(t.works[f.province] and f.province in t.x.matching_convoys(at) for f in d["fleets"]) and bool(d["fleets"])
    ),
    "convoy-broken": lambda t, at, d, _r: (
        all(not t.works[f.province] and f.province in t.x.matching_convoys(at) for f in d["fleets"])
        and not t.x.path(t.works, at)
    ),
    "no-convoy-ordered": lambda t, at, _d, _r: not t.x.matching_convoys(at) and not t.x.path(t.works, at),
    "convoy-incomplete": incomplete,
    "sea-by-order": lambda t, at, _d, _r: t.x.moves[at].via and t.x.by_sea(at),
    "sea-by-own-fleet": lambda t, at, d, _r: (
        t.x.by_sea(at) and all(f.power == t.x.power(at) and f.province in t.x.matching_convoys(at) for f in d["fleets"])
    ),
    "cut": cut,
    "cut-by-dislodging": lambda t, at, d, _r: t.driven.get(at) == d["unit"].province,
    "own-attack": lambda t, at, d, _r: t.x.power(d["unit"].province) == t.x.power(at),
    "attack-from-zone": lambda t, at, d, _r: d["unit"].province == t.x.zone(at) and not t.works[d["unit"].province],
}
"""Reason of a step about an order -> whether it is true of the unit in a province."""


def covered(name: str) -> bool:
    """Return whether the evaluators know a rulebook."""
    rules = PROFILES[name]
    usual = rules.convoyed_attack == ConvoyedAttack.START and rules.named_route == NamedRoute.IGNORED
    free = rules.exchange == rules.rotation == Allowance.ALLOWED
    return name == "datc" or (usual and free and rules.paradox in BY_THEMSELVES)


COVERED = [name for name in PROFILES if covered(name)]


def explained(rules: Rulebook, seeds: range, board: Board, ref_map: RefMap) -> Iterator[tuple[Told, Explanation]]:
    for seed in seeds:
        turn = turn_of(*draw("dense" if seed % 3 else "coherent", seed, ref_map), board)
        told = Told(turn, rules)
        if not told.is_open:
            for explanation in explain_all(turn, rules):
                yield told, explanation


@pytest.mark.parametrize("name", COVERED)
def test_every_step_is_true(name: str, board: Board, ref_map: RefMap) -> None:
    checked: Counter[str] = Counter()
    rules = DATC if name == "datc" else PROFILES[name]
    for told, explanation in explained(rules, range(3000, 3030 if name == "datc" else 3020), board, ref_map):
        checked += told.check(explanation)
    assert sum(checked.values()) > 300
    assert len(checked) >= 15


@pytest.mark.long
@pytest.mark.parametrize("name", COVERED)
def test_every_step_is_true_of_many_positions(name: str, board: Board, ref_map: RefMap) -> None:
    checked: Counter[str] = Counter()
    for told, explanation in explained(PROFILES[name], range(4000, 4060), board, ref_map):
        checked += told.check(explanation)
    assert len(checked) >= 20


@pytest.mark.parametrize(
    ("detail", "lie"),
    [
        ("attack", 3),
        ("prevent", 3),
        ("prevent", Limit(3, least=True)),
        ("unit", unit_of("GERMANY", "A RUH")),
        ("supporters", (unit_of("FRANCE", "A GAS"),)),
    ],
)
def test_a_false_step_is_found_out(detail: str, lie: object) -> None:
    turn = read_turn(
        "Germany: A Mun - Bur, A Ruh S A Mun - Bur\nFrance: A Par - Bur, A Gas S A Par - Bur\nItaly: A Pie H"
    )
    told, explanation = Told(turn, DATC), explain(turn, DATC, find_unit(turn, "A Mun"))
    assert told.check(explanation)["bounced"] == 1
    *steps, last = explanation.steps
    (reason,) = last.reasons
    changed = replace(last, reasons=(replace(reason, details={**reason.details, detail: lie}),))
    with pytest.raises(AssertionError):
        told.check(replace(explanation, steps=(*steps, changed)))


def test_the_checks_are_of_reasons_that_there_are() -> None:
    assert CHECKS.keys() <= SENTENCES.keys()
