"""The equations with open orders: one formula for everything that the units of a position could be ordered to do.

Whichever orders are chosen, the models of that formula must be the consistent resolutions of those orders: the same as
trying all decisions finds (`plain_evaluator`), and, where there is only one, the same as adjudicating them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pytest
from plain_evaluator import Equations
from positions import Powers, position_of

from satdip.board import Board
from satdip.check.movement import MovementCheck, legal_orders
from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import TRUE, UNKNOWN
from satdip.encodings.rotations import add_rotations, cycles
from satdip.encodings.situation import ConvoyNode, HoldNode, MoveNode, Node, Situation, SupportNode
from satdip.movement import decide
from satdip.rulebook import DATC
from satdip.solver import Solver

Choice = Sequence[Node]
"""One candidate order for each unit."""
Working = frozenset[str]
"""The provinces of the units whose orders work."""


class OpenOrders:
    """A position, the formula of all its legal orders, and a solver for it."""

    def __init__(self, units: Powers, board: Board) -> None:
        self.board = board
        self.units = position_of(units, board).units
        check = MovementCheck(position_of(units, board), DATC)
        candidates = [(unit, order) for unit in self.units for order in legal_orders(check, unit)]
        self.situation = Situation(board, self.units, candidates)
        self.options = {
            unit.province: [node for node in self.situation.nodes if node.at == unit.province] for unit in self.units
        }
        self.formula = Formula()
        self.ordered = {node.index: self.formula.variable(f"ordered {node.order}") for node in self.situation.nodes}
        for options in self.options.values():
            self._exactly_one([self.ordered[node.index] for node in options])
        names = [f"{tag(node).rule} {node.order}" for node in self.situation.nodes]
        values = [TRUE if isinstance(node, HoldNode) else UNKNOWN for node in self.situation.nodes]
        self.x = ClauseReading.of(self.formula, values, names, ordered=self.ordered)
        assert_equations(self.x, self.situation.decisions(), equation, tag)
        add_rotations(self.x, self.formula, cycles(self.situation))
        self.solver = Solver(self.formula.clauses)

    def _exactly_one(self, literals: Sequence[int]) -> None:
        self.formula.add(literals)
        for number, literal in enumerate(literals):
            for other in literals[:number]:
                self.formula.add((-literal, -other))

    def models(self, choice: Choice) -> set[Working]:
        """Return what works in each model in which exactly these orders are given."""
        switch = self.formula.variable()  # turns the blocking clauses of this call on
        assumed = [switch, *(self.ordered[node.index] for node in choice)]
        found = set()
        while self.solver.solve(assumed):
            true = self.solver.model()
            working = [node for node in self.situation.decisions() if self.x.decision(node) in true]
            assert set(working) <= set(choice), "an order that was not given has no decision to make"
            found.add(frozenset(node.at for node in working))
            decisions = [self.x.decision(node) for node in choice if not isinstance(node, HoldNode)]
            self.solver.add([-switch, *(-literal if literal in true else literal for literal in decisions)])
        return found

    def possible_choices(self) -> set[tuple[int, ...]]:
        """Return every choice of orders that some model has, by their indices."""
        found = set()
        every = list(self.ordered.values())
        for model in self.solver.models(every):
            found.add(tuple(index for index, literal in self.ordered.items() if model[literal]))
        return found

    def draw(self, rng: random.Random) -> Choice:
        """Choose orders at random, most supports and convoys being for what others were chosen to do."""
        chosen: dict[str, Node] = {}
        for at in rng.sample(list(self.options), len(self.options)):
            options = self.options[at]
            moving = [node for node in chosen.values() if isinstance(node, MoveNode)]
            fitting = [node for move in moving for node in (*move.supports, *move.fleets) if node in options]
            actions = [node for node in options if not isinstance(node, SupportNode)]
            chosen[at] = rng.choice(rng.choice((fitting or actions, actions, options)))
        return [chosen[at] for at in self.options]

    def every(self) -> Iterator[Choice]:
        """Yield all choices of orders."""
        yield from product(*self.options.values())


def consistent(choice: Choice, board: Board) -> set[Working]:
    """Return what works in each consistent resolution of these orders, found by trying all decisions."""
    equations = Equations(board, ((node.piece.unit, node.order) for node in choice))
    active = [node.at for node in choice if not isinstance(node, HoldNode)]
    return {frozenset(at for at in active if works[at]) for works in equations.resolutions()}


def adjudicated(choice: Choice, board: Board) -> Working:
    """Return what works when these orders are adjudicated."""
    units = [node.piece.unit for node in choice]
    situation = Situation(board, units, [(node.piece.unit, node.order) for node in choice])
    values = decide(situation, DATC).values
    return frozenset(node.at for node in situation.decisions() if values[node.index] == TRUE)


def told(choice: Choice) -> str:
    """Return orders as text for the message of a failed test."""
    return "\n".join(f"{node.power}: {node.order}" for node in choice)


def compare(position: OpenOrders, choice: Choice) -> set[Working]:
    expected = consistent(choice, position.board)
    assert position.models(choice) == expected, told(choice)
    if len(expected) == 1:
        assert {adjudicated(choice, position.board)} == expected, told(choice)
    return expected


DATC_6F14: Powers = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}

POSITIONS: Mapping[str, tuple[Powers, int]] = {
    "the units of 6.F.14": (DATC_6F14, 2500),
    "a ring of three that a fleet can help to turn round": (
        {"FRANCE": ["A BEL", "F ENG"], "GERMANY": ["A HOL", "A RUH"], "ENGLAND": ["F NTH"]},
        800,
    ),
    "neighbours with a sea between them": ({"ENGLAND": ["F NTH", "A YOR", "A EDI"], "GERMANY": ["A LON"]}, 800),
    "three fleets round one another": ({"FRANCE": ["F MAO", "F IRI", "A GAS"], "ENGLAND": ["F ENG", "A WAL"]}, 800),
    "the two coasts of Spain": ({"FRANCE": ["F MAO", "A MAR"], "ITALY": ["F LYO", "F POR"]}, 800),
    "own units in the way": ({"FRANCE": ["A PAR", "A BUR", "A GAS"], "GERMANY": ["A MUN", "A RUH"]}, 800),
}


@pytest.mark.parametrize(("units", "draws"), POSITIONS.values(), ids=POSITIONS)
def test_the_models_of_any_orders_are_their_consistent_resolutions(units: Powers, draws: int, board: Board) -> None:
    position, rng = OpenOrders(units, board), random.Random(1)
    counts: Counter[int] = Counter()
    seen = set()
    while len(seen) < draws:
        choice = position.draw(rng)
        orders = tuple(node.index for node in choice)
        if orders not in seen:
            seen.add(orders)
            counts[len(compare(position, choice))] += 1
    assert counts[1] > draws // 2
    if units == DATC_6F14:
        assert min(counts[0], counts[2]) > 0, "among these orders there are paradoxes of both kinds"


@pytest.mark.long
def test_all_orders_of_the_units_of_6f14(board: Board) -> None:
    position = OpenOrders(DATC_6F14, board)
    answered = {tuple(node.index for node in choice) for choice in position.every() if compare(position, choice)}
    assert OpenOrders(DATC_6F14, board).possible_choices() == answered


def test_a_decision_that_was_not_made_is_true_only_for_holds(board: Board) -> None:
    """With every unit holding nothing works, although every order is a candidate."""
    position = OpenOrders(DATC_6F14, board)
    holds = [next(node for node in options if isinstance(node, HoldNode)) for options in position.options.values()]
    assert position.models(holds) == {frozenset()}


def test_every_kind_of_order_is_a_candidate(board: Board) -> None:
    kinds = Counter(type(node) for node in OpenOrders(DATC_6F14, board).situation.nodes)
    assert kinds[HoldNode] == 4
    # By hand: F ENG can bring the army from Brest to London, Wales, Picardy and Belgium.
    assert kinds[ConvoyNode] == 4
    assert kinds[MoveNode] > 20
    assert kinds[SupportNode] > 15
