"""The check of single orders, each of which is checked once and remembered.

Whether an order is possible depends on the order, on the units that it names, and for convoys on a question or two
about the fleets at sea. What is found is kept under the first two, as a tree of such questions (docs/speed.md).
"""

from __future__ import annotations

from collections.abc import Collection

from satdip.base.memory import kept, remember
from satdip.board import Board
from satdip.board.seas import AskedSeas, Question
from satdip.check.possible import Possible
from satdip.check.result import Checked
from satdip.phase.orders import Convoy, Hold, Move, Support
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Given
from satdip.rulebook import Rulebook

__all__ = ["MovementCheck"]


class MovementCheck(Possible):
    """The check of single orders against one position.

    Args:
        position: where everything stands.
        rules: the choices of DATC 4.B, 4.C and 4.E.
    """

    def __init__(self, position: Position, rules: Rulebook) -> None:
        super().__init__(position.board, rules, position.by_province)
        self._findings = _findings(position.board, rules)

    def examine(self, given: Given) -> Checked:
        """Return the order with exact references, or with the reason why it is illegal."""
        order, other = given.order, None
        if isinstance(order, Support):
            other = self.units.get(order.target.province)
        elif isinstance(order, Convoy):
            other = self.units.get(order.army.province)
        elif not isinstance(order, Move | Hold):
            return self.checked(given)
        unit = self.units.get(order.unit.province)
        key = (given, unit, other)
        known = self._findings.get(key)
        if known is None:
            known = _Finding()
            remember(self._findings, key, known)
        found = known
        while (checked := found.checked) is None:
            if (question := found.question) is None:
                checked = self._learn(known, given, [named for named in (unit, other) if named is not None])
                break
            found = found.after(question.answer(self.waters))
        return checked if checked.given is given else checked.of(given)

    def _learn(self, known: _Finding, given: Given, units: Collection[Unit]) -> Checked:
        """Check an order against the units that it names, and note what that depends on."""
        asked = AskedSeas(lambda: self.waters)
        checked = Possible(self.board, self.rules, {unit.province: unit for unit in units}, asked).checked(given)
        for question, answer in asked.answered:
            known.question = question
            known = known.after(answer)
        known.checked = checked
        return checked


class _Finding:
    """What the check finds of an order and the units that it names, or what it asks about the fleets at sea first."""

    __slots__ = ("_if_no", "_if_yes", "checked", "question")

    def __init__(self) -> None:
        self.checked: Checked | None = None
        self.question: Question | None = None
        self._if_yes: _Finding | None = None
        self._if_no: _Finding | None = None

    def after(self, answer: bool) -> _Finding:
        """Return what is found when the question has been answered."""
        found = self._if_yes if answer else self._if_no
        if found is None:
            found = _Finding()
            if answer:
                self._if_yes = found
            else:
                self._if_no = found
        return found


Named = tuple[Given, Unit | None, Unit | None]
"""An order and the units where it names some: the one that it is given to, and another."""


@kept(64)
def _findings(board: Board, rules: Rulebook) -> dict[Named, _Finding]:  # noqa: ARG001 -- the key
    """Return the table of single orders."""
    return {}
