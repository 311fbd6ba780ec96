"""Why an order came out as it did: the fewest orders that force it, and the steps from these to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from satdip.base.budget import UNLIMITED, Budget
from satdip.base.errors import InputError
from satdip.base.messages import Message
from satdip.check.result import Checked
from satdip.lab.explain.explanation import Explanation
from satdip.lab.explain.movement import MovementReasons
from satdip.lab.explain.orderly import OrderlyReasons
from satdip.lab.phase import Movement
from satdip.notation import read_order
from satdip.phase.orders import Unclear, UnitRef, ordered_unit
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.rulebook import RulebookLike, rulebook_of
from satdip.telling.speech import ENGLISH, Speech
from satdip.telling.tables import frame

__all__ = ["Explanations", "explain", "explain_all", "find_unit"]

MOST_BESIDE = 200
"""How many orders more than a map has provinces are explained at once."""


@dataclass(frozen=True)
class Explanations:
    """The explanations of several orders of a phase, in the order in which they were handed in.

    Args:
        turn: the phase.
        listed: the explanations.
        complete: whether there is one for each order; else the time was used up.
    """

    turn: Turn
    listed: tuple[Explanation, ...]
    complete: bool = True

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def to_json(self, speech: Speech = ENGLISH) -> dict[str, object]:
        """Return everything as plain JSON values (keys: docs/json.md)."""
        return {"explanations": [one.to_json(speech) for one in self.listed], "complete": self.complete}

    def tell(self, speech: Speech = ENGLISH) -> str:
        """Return the explanations as lines of text."""
        return "\n\n".join(one.tell(speech) for one in self.listed)

    def to_frame(self) -> Any:
        """Return one row per explanation as a ``pandas.DataFrame``: the claim, and the orders that force it.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame(
            {"claim": one.claim(), "orders": ", ".join(one.order_names()), "number": len(one.orders)} for one in self
        )

    def __str__(self) -> str:
        return self.tell()

    def _repr_html_(self) -> str:
        return "".join(one._repr_html_() for one in self.listed)


def explain(turn: Turn, rules: RulebookLike, unit: Unit, budget: Budget = UNLIMITED) -> Explanation:
    """Explain what became of the order of a unit.

    Args:
        turn: the phase.
        rules: the rulebook, or its name (see `satdip.rulebook.rulebook_of`).
        unit: the unit, as it stands in the position.
        budget: how long the search for the fewest orders may take; then a minimal set is given.

    Raises:
        InputError: nothing becomes of this unit in this phase.
        OutOfTime: not even a minimal set was found in time.
    """
    reasons = _reasons(turn, rules)
    entries = [entry for entry in _entries(reasons) if entry.unit == unit and entry.is_of_unit]
    if entries:  # of several orders to one unit, the one that counts
        return reasons.explain(next((e for e in entries if e.action is not None), entries[0]), budget)
    if isinstance(reasons, OrderlyReasons) and unit in reasons.resolution.automatic:
        return reasons.automatic(unit, budget)
    raise InputError(f"nothing becomes of {unit} in {turn.position.phase}")


def explain_all(turn: Turn, rules: RulebookLike, budget: Budget = UNLIMITED) -> Iterator[Explanation]:
    """Explain what became of every order, and of every unit without one, as they come in the resolution.

    Raises:
        InputError: there are far more orders than there could be units.
        OutOfTime: the time was used up before all were explained.
    """
    reasons = _reasons(turn, rules)
    entries = _entries(reasons)
    most = MOST_BESIDE + len(turn.position.board.provinces)
    if len(entries) > most:
        told = {"number": len(entries), "most": most}
        raise InputError(
            Message("these are {number} orders, and at most {most} are explained at once here; name a unit", **told)
        )
    for entry in entries:
        budget.check()
        yield reasons.explain(entry, budget)


def _reasons(turn: Turn, rules: RulebookLike) -> MovementReasons | OrderlyReasons:
    if turn.position.phase.traits.in_order:
        return OrderlyReasons(turn, rulebook_of(rules))
    return MovementReasons(Movement.of(turn, rules))


def _entries(reasons: MovementReasons | OrderlyReasons) -> Sequence[Checked]:
    return reasons.movement.checked.entries if isinstance(reasons, MovementReasons) else reasons.entries()


def find_unit(turn: Turn, text: str) -> Unit:
    """Return the unit that a text names: a unit, a place, or an order, in any notation.

    Raises:
        InputError: it names no unit that something becomes of in this phase.
    """
    position = turn.position
    units = [*position.units, *(item.unit for item in position.dislodged)]
    wanted = _reference(text, turn)
    found = [unit for unit in position.acting.values() if wanted is not None and wanted.province == unit.province]
    if wanted is not None and wanted.kind is not None:
        found = [unit for unit in found if unit.kind == wanted.kind]
    if found:
        return found[0]
    known = ", ".join(str(unit) for unit in units)
    raise InputError(f"{text!r} names no unit of this phase; the units are {known}")


def _reference(text: str, turn: Turn) -> UnitRef | None:
    board = turn.position.board
    for attempt in (text, f"{text} H"):  # a unit or a place is read as if it held
        try:
            order = read_order(attempt, board).order
        except InputError:
            continue
        unit = ordered_unit(order)
        if unit is not None and not (isinstance(order, Unclear) and attempt == text):
            return unit
    return None
