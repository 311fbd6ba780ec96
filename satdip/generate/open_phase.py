"""A position whose units may be ordered anything legal, as one formula: what the solver searches in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from satdip.board import Board
from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import UNKNOWN
from satdip.encodings.situation import Node, Situation
from satdip.generate.options import Options
from satdip.phase.orders import Order
from satdip.phase.position import Unit
from satdip.solving.formula_of_phase import nothing_known
from satdip.solving.solver import Solver

__all__ = ["OpenPhase"]


class OpenPhase:
    """The formula of all orders of some units: a variable says whether an order was given.

    Args:
        board: the map.
        units: province -> the unit there; others are not on the board.
    """

    def __init__(self, board: Board, units: Mapping[str, Unit]) -> None:
        options = Options(board, units)
        candidates = [(unit, order) for unit in units.values() for order in options.orders(unit)]
        self.situation = Situation(board, units.values(), candidates)
        self.formula = Formula()
        self.ordered = {node.index: self.formula.variable() for node in self.situation.nodes}
        self._choices: dict[str, list[Node]] = {}
        for node in self.situation.nodes:
            self._choices.setdefault(node.at, []).append(node)
        for nodes in self._choices.values():
            self._exactly_one([self.ordered[node.index] for node in nodes])

    def _exactly_one(self, literals: Sequence[int]) -> None:
        self.formula.add(literals)
        for number, literal in enumerate(literals):
            for other in literals[:number]:
                self.formula.add((-literal, -other))

    def resolution(self, known: Mapping[int, int] | None = None) -> ClauseReading:
        """Add a resolution of the orders: new decisions that satisfy the equations.

        Args:
            known: order index -> TRUE or FALSE, decisions that are laid down instead; their equations need not hold.
        """
        laid_down = known or {}
        values = [laid_down.get(index, value) for index, value in enumerate(nothing_known(self.situation))]
        x = ClauseReading.of(self.formula, values, ordered=self.ordered)
        free = [node for node in self.situation.decisions() if values[node.index] == UNKNOWN]
        assert_equations(x, free, equation, tag)
        return x

    def search(self, goal: int, rng: Random, most: int) -> Iterator[list[tuple[Unit, Order]]]:
        """Yield choices of orders with which a literal can be true, at most `most` of them, each once.

        As many orders as possible are drawn at random before the solver chooses the rest.
        """
        self.formula.add((goal,))
        with Solver(self.formula.clauses) as solver:
            for _ in range(most):
                wishes = [self.ordered[rng.choice(nodes).index] for nodes in self._choices.values()]
                rng.shuffle(wishes)
                while not solver.solve(wishes):
                    if not wishes:
                        return
                    _drop(wishes, solver.core())
                model = solver.model()
                chosen = [node for node in self.situation.nodes if self.ordered[node.index] in model]
                yield [(node.piece.unit, node.order) for node in chosen]
                solver.add([-self.ordered[node.index] for node in chosen])


def _drop(wishes: list[int], core: Collection[int]) -> None:
    """Give up the last of the wishes that contradict each other; all of them when none is to blame."""
    blamed = [wish for wish in wishes if wish in core]
    if blamed:
        wishes.remove(blamed[-1])
    else:
        wishes.clear()
