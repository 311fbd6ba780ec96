"""The equations with open orders: one formula for everything that the units of a position could be ordered to do.

Whichever orders are chosen, the models of that formula must be the consistent resolutions of those orders: the same as
trying all decisions finds (`plain_evaluator`), and, where there is only one, the same as adjudicating them. Under every
other rulebook they must be the models of the formula that is written for those orders alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice, product

import pytest
from support.plain_evaluator import Equations
from support.positions import Drawn, Powers, draw, position_of, reference_map, rulebooks, turn_of

from satdip.board import Board
from satdip.check import check_movement
from satdip.check.legal_orders import legal_orders
from satdip.check.remembered import MovementCheck
from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.paradoxes import BACKUPS
from satdip.encodings.reading import TRUE
from satdip.encodings.rotations import add_rotations, cycles
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation, SupportNode
from satdip.phase.orders import Order
from satdip.phase.position import Unit
from satdip.rulebook import DATC, PROFILES, Paradox, Rulebook
from satdip.solving.decide import decide
from satdip.solving.formula_of_phase import nothing_known, whole_formula
from satdip.solving.solver import Solver, models

Choice = Sequence[Node]
"""One candidate order for each unit."""
Working = frozenset[str]
"""The provinces of the units whose orders work."""


class OpenOrders:
    """A position, the formula of all its legal orders, and a solver for it."""

    def __init__(self, units: Powers, board: Board, rules: Rulebook = DATC) -> None:
        self.board, self.rules = board, rules
        position = position_of(units, board)
        check = MovementCheck(position, rules)
        candidates = [(unit, order) for unit in position.units for order in legal_orders(check, unit)]
        self.situation = Situation(board, position.units, candidates, rules)
        self.options = {at: [n for n in self.situation.nodes if n.at == at] for at in self.situation.pieces}
        self.formula = Formula()
        self.ordered = {node.index: self.formula.variable() for node in self.situation.nodes}
        for options in self.options.values():
            self._exactly_one([self.ordered[node.index] for node in options])
        values = nothing_known(self.situation)
        self.x = ClauseReading.of(self.formula, values, ordered=self.ordered, rules=rules)
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
            assert set(working) <= set(choice), "an order that was not given does not work"
            found.add(frozenset(node.at for node in working))
            decisions = [self.x.decision(node) for node in choice if not isinstance(node, HoldNode)]
            self.solver.add([-switch, *(-literal if literal in true else literal for literal in decisions)])
        return found

    def possible_choices(self) -> set[tuple[int, ...]]:
        """Return every choice of orders that some model has, by their indices."""
        every = self.solver.models(list(self.ordered.values()))
        return {tuple(index for index, literal in self.ordered.items() if model[literal]) for model in every}

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

    def draw_several(self, number: int, rng: random.Random) -> list[Choice]:
        """Choose orders at random, each choice once."""
        drawn: dict[tuple[int, ...], Choice] = {}
        while len(drawn) < number:
            choice = self.draw(rng)
            drawn[tuple(node.index for node in choice)] = choice
        return list(drawn.values())

    def every(self) -> Iterator[Choice]:
        """Yield all choices of orders."""
        yield from product(*self.options.values())

    def closed(self, choice: Choice) -> Situation:
        """Return the situation in which these orders are given and no others are possible."""
        return Situation(self.board, [node.piece.unit for node in choice], orders_of(choice), self.rules)


def orders_of(choice: Choice) -> list[tuple[Unit, Order]]:
    return [(node.piece.unit, node.order) for node in choice]


def told(choice: Choice) -> str:
    """Return orders as text for the message of a failed test."""
    return "\n".join(f"{node.power}: {node.order}" for node in choice)


def consistent(choice: Choice, board: Board) -> set[Working]:
    """Return what works in each consistent resolution of these orders, found by trying all decisions."""
    equations = Equations(board, orders_of(choice))
    active = [node.at for node in choice if not isinstance(node, HoldNode)]
    return {frozenset(at for at in active if works[at]) for works in equations.resolutions()}


def adjudicated(situation: Situation) -> Working:
    """Return what works when the orders are adjudicated."""
    values = decide(situation).values
    return frozenset(node.at for node in situation.decisions() if values[node.index] == TRUE)


def models_of_given_orders(situation: Situation) -> set[Working]:
    """Return what works in each model of the formula of given orders."""
    formula, x = whole_formula(situation)
    nodes = situation.decisions()
    found = models(formula.clauses, [x.decision(node) for node in nodes])
    return {frozenset(node.at for node in nodes if model[x.decision(node)]) for model in found}


# ---------------------------------------------------------------------- under the rules that the DATC prefers


def compare(position: OpenOrders, choice: Choice) -> set[Working]:
    expected = consistent(choice, position.board)
    assert position.models(choice) == expected, told(choice)
    if len(expected) == 1:
        assert {adjudicated(position.closed(choice))} == expected, told(choice)
    return expected


DATC_6F14: Powers = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}

POSITIONS: Mapping[str, Powers] = {
    "the units of 6.F.14": DATC_6F14,
    "a fleet more, for a paradox without a resolution": {**DATC_6F14, "ENGLAND": ["F LON", "F WAL", "F IRI"]},
    "a ring of three with a sea beside it": {
        "FRANCE": ["A BEL", "F ENG"],
        "GERMANY": ["A HOL", "A RUH"],
        "ENGLAND": ["F NTH"],
    },
    "neighbours with a sea between them": {"ENGLAND": ["F NTH", "A YOR", "A EDI"], "GERMANY": ["A LON"]},
    "three fleets round one another": {"FRANCE": ["F MAO", "F IRI", "A GAS"], "ENGLAND": ["F ENG", "A WAL"]},
    "the two coasts of Spain": {"FRANCE": ["F MAO", "A MAR"], "ITALY": ["F LYO", "F POR"]},
    "own units in the way": {"FRANCE": ["A PAR", "A BUR", "A GAS"], "GERMANY": ["A MUN", "A RUH"]},
}


@pytest.mark.parametrize("units", POSITIONS.values(), ids=POSITIONS)
def test_the_models_of_any_orders_are_their_consistent_resolutions(units: Powers, board: Board) -> None:
    position = OpenOrders(units, board)
    for choice in position.draw_several(2500 if units == DATC_6F14 else 800, random.Random(1)):
        compare(position, choice)


def choose(position: OpenOrders, *wanted: str) -> Choice:
    """Return orders as they are written here: ``WAL-ENG``, ``LON S WAL-ENG``, ``ENG C BRE-LON``; the others hold."""
    orders: dict[str, Node] = {}
    for at, nodes in position.options.items():
        orders[at] = next(node for node in nodes if isinstance(node, HoldNode))
    for text in wanted:
        *helper, move = text.split()
        start, goal = move.split("-")
        moves = [n for n in position.options[start] if isinstance(n, MoveNode) and n.dst == goal]
        if not helper:
            orders[start] = moves[0]
            continue
        at, verb = helper
        matching = [n for m in moves for n in (m.supports if verb == "S" else m.fleets) if n.at == at]
        orders[at] = matching[0]
    return list(orders.values())


def test_a_paradox_is_among_the_choices(board: Board) -> None:
    """6.F.14 itself, and the same without its convoy."""
    position = OpenOrders(DATC_6F14, board)
    orders = ["LON S WAL-ENG", "WAL-ENG", "BRE-LON"]
    assert len(compare(position, choose(position, *orders, "ENG C BRE-LON"))) == 2
    assert compare(position, choose(position, *orders)) == {frozenset({"LON", "WAL"})}


def fights(number: int, first: int) -> Iterator[Drawn]:
    """Yield dense positions of few units, with their orders."""
    drawn = (draw("dense", seed, reference_map()) for seed in count(first))
    return islice((d for d in drawn if sum(map(len, d[0].values())) <= 7), number)


def choices_like(orders: Sequence[Order], position: OpenOrders, number: int, rng: random.Random) -> Iterator[Choice]:
    """Yield given orders, and others in which some units do something else."""
    given = [node for node in position.situation.nodes if node.order in orders]
    yield given
    for _ in range(number - 1):
        yield [rng.choice(position.options[node.at]) if rng.random() < 0.2 else node for node in given]


def actions(drawn: Drawn, rules: Rulebook, board: Board) -> list[Order]:
    """Return what every unit does."""
    return [order for _, order in check_movement(turn_of(*drawn, board), rules).actions]


def test_orders_of_a_fight_and_others_like_them(board: Board) -> None:
    numbers: Counter[int] = Counter()
    rng = random.Random(3)
    for drawn in fights(60, 0):
        position = OpenOrders(drawn[0], board)
        for choice in choices_like(actions(drawn, DATC, board), position, 20, rng):
            expected = models_of_given_orders(position.closed(choice))
            assert position.models(choice) == expected, told(choice)
            numbers[len(expected)] += 1
        compare(position, choice)
    assert min(numbers[0], numbers[1], numbers[2]) > 5, f"too few choices with 0, 1 or 2 resolutions: {numbers}"


@pytest.mark.long
def test_all_orders_of_the_units_of_6f14(board: Board) -> None:
    position = OpenOrders(DATC_6F14, board)
    answered = {tuple(node.index for node in choice) for choice in position.every() if compare(position, choice)}
    assert OpenOrders(DATC_6F14, board).possible_choices() == answered


# ---------------------------------------------------------------------- under every other rulebook

IN_EQUATIONS = (
    "convoy_routes",
    "adjacent_convoy",
    "convoyed_attack",
    "dislodged_effect",
    "support_coast",
    "rotation",
    "exchange",
)
"""The issues, besides paradoxes, whose answers change the equations."""


def equations_under(rules: Rulebook) -> tuple[object, ...]:
    """Return the answers that shape the equations; a backup rule waits until these have left something open."""
    exemption = None if rules.paradox in {*BACKUPS, Paradox.NONE, Paradox.BILLE} else rules.paradox
    return exemption, *(getattr(rules, field) for field in IN_EQUATIONS)


def different_rulebooks() -> dict[str, Rulebook]:
    """Return name -> rulebook: one for every form that the equations have, but that of the DATC's preferences."""
    found = {equations_under(DATC): DATC.name}
    for name, rules in rulebooks().items():
        found.setdefault(equations_under(rules), name)
    return {name: rulebooks()[name] for name in found.values() if name != DATC.name}


RULEBOOKS = different_rulebooks()


@pytest.mark.parametrize("rules", RULEBOOKS.values(), ids=RULEBOOKS)
def test_open_orders_have_the_models_of_given_orders(rules: Rulebook, board: Board) -> None:
    rng = random.Random(2)
    for units in POSITIONS.values():
        position = OpenOrders(units, board, rules)
        for choice in position.draw_several(20, rng):
            assert position.models(choice) == models_of_given_orders(position.closed(choice)), told(choice)
    for drawn in fights(4, 100):
        position = OpenOrders(drawn[0], board, rules)
        for choice in choices_like(actions(drawn, rules, board), position, 20, rng):
            assert position.models(choice) == models_of_given_orders(position.closed(choice)), told(choice)


@pytest.mark.parametrize(
    ("rules", "units", "orders", "moves"),
    [
        pytest.param(
            "1971",
            {"ITALY": ["A SPA", "F WES", "F LYO", "F TYS"], "FRANCE": ["F MAR", "F PIE"]},
            ["SPA-TUN", "WES C SPA-TUN", "LYO C SPA-TUN", "MAR-LYO", "PIE S MAR-LYO"],
            {"SPA", "MAR"},
            id="a fleet of a route that is not ordered in full breaks nothing (1971 XII.4)",
        ),
        pytest.param(
            "1982",
            {"ENGLAND": ["A LON", "F NTH"], "GERMANY": ["F DEN", "F HEL"], "RUSSIA": ["A PRU", "F BAL"]},
            ["NTH C LON-NWY", "DEN S HEL-NTH", "HEL-NTH", "PRU-DEN", "BAL C PRU-DEN"],
            set(),
            id="a fleet whose army stays at home convoys nobody (1982 XII.5)",
        ),
    ],
)
def test_what_other_units_could_have_done_does_not_matter(
    rules: str, units: Powers, orders: list[str], moves: set[str], board: Board
) -> None:
    position = OpenOrders(units, board, PROFILES[rules])
    choice = choose(position, *orders)
    [working] = position.models(choice)
    assert {node.at for node in choice if isinstance(node, MoveNode)} & working == moves
    assert {working} == models_of_given_orders(position.closed(choice))
