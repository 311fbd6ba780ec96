"""Explanations as values: what is claimed, the orders that force it, and the steps from these to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Any, Self

from satdip.check.result import Checked, Reason, Status
from satdip.lab.explain.freeing import Claim
from satdip.lab.naming import order_name
from satdip.notation import Notation
from satdip.phase.orders import Disband, Hold, Order, UnitRef
from satdip.phase.position import Unit
from satdip.phase.turn import Given, Turn
from satdip.telling.reasons import tell
from satdip.telling.speech import ENGLISH, Speech
from satdip.telling.tables import frame

__all__ = ["Explanation", "Statement", "Step", "StepKind"]


class StepKind(StrEnum):
    """Where a step comes from."""

    ORDER = "order"
    """The equation of an order."""
    UNIT = "unit"
    """What becomes of a unit, which follows from the attacks on it."""
    ROTATION = "rotation"
    """Units in a ring that move round (DATC 6.C)."""
    PARADOX = "paradox"
    """The rule that settles a convoy paradox, or leaves it open (DATC 4.A.2)."""
    CASES = "cases"
    """Orders that depend on one another, and only one way is consistent."""
    CHECK = "check"
    """The order was not followed."""
    COUNT = "count"
    """Winter: how many units a power may build or must remove."""


VERDICTS: Mapping[str, tuple[str, str]] = {
    "Move": ("{order} succeeds", "{order} fails"),
    "Support": ("{order} counts", "{order} is cut"),
    "Convoy": ("{order} is not disrupted", "{order} is disrupted"),
    "Retreat": ("{order} succeeds", "{order} fails"),
    "Build": ("{order} succeeds", "{order} fails"),
    "Disband": ("{order} succeeds", "{order} fails"),
    "Waive": ("{order} succeeds", "{order} fails"),
}
"""Kind of order -> what is said when it works, and when it does not."""

UNIT_VERDICTS = ("{unit} is dislodged", "{unit} is not dislodged")
FORCED = {
    True: (
        "{number:One|These {number}} of {followed} {followed:order|orders} {number:forces|force} it, "
        "and no fewer do: {orders}."
    ),
    False: "{number:One|These {number}} of {followed} {followed:order|orders} {number:forces|force} it: {orders}.",
}
NOT_FOLLOWED = {Status.ILLEGAL: "{order} is not followed", Status.VOID: "{order} does not count"}

STATEMENTS = tuple(
    dict.fromkeys(
        [
            *(told for both in VERDICTS.values() for told in both),
            *UNIT_VERDICTS,
            *FORCED.values(),
            *NOT_FOLLOWED.values(),
        ]
    )
)
"""Every sentence of these tables."""


@dataclass(frozen=True)
class Statement:
    """One thing that a step settles.

    Args:
        unit: the unit; None for an order about no unit.
        order: its order; None when the statement is about the unit.
        works: whether the order works, or the unit is dislodged; None where the rules give no answer.
        status: what the check said, for orders that are not followed.
        text: the order as it was written, when it is not followed.
    """

    unit: Unit | None
    order: Order | None
    works: bool | None
    status: Status = Status.LEGAL
    text: str = ""

    @classmethod
    def of_order(cls, unit: Unit | None, order: Order, works: bool) -> Self:
        """Return "the order works", or does not."""
        return cls(unit, order, works)

    @classmethod
    def of_unit(cls, unit: Unit, dislodged: bool) -> Self:
        """Return "the unit is dislodged", or is not."""
        return cls(unit, None, dislodged)

    @classmethod
    def of_removed(cls, unit: Unit) -> Self:
        """Return "the unit leaves the board"."""
        return cls(unit, Disband(UnitRef(unit.location, unit.kind)), works=True, status=Status.LEGAL, text="removed")

    @classmethod
    def of_entry(cls, entry: Checked) -> Self:
        """Return "the order is not followed"."""
        given = entry.given
        order = entry.action or (given.order if given is not None else None)
        as_written = given.text if given is not None and entry.action is None else ""
        return cls(entry.unit, order, False, entry.status, as_written)

    @classmethod
    def of_open(cls, entry: Checked) -> Self:
        """Return "the rules give no answer"."""
        return cls(entry.unit, entry.action, None)

    def tell(self, turn: Turn, speech: Speech) -> str:
        """Return the statement as a sentence without a full stop."""
        board = turn.position.board
        if self.works is None:
            return speech.say("the rules give no answer to {order}", order=self._order(turn, speech))
        if self.status != Status.LEGAL:
            order = self.text or self._order(turn, speech)
            return speech.say(NOT_FOLLOWED[self.status], order=order)
        if self.text and self.unit is not None:
            return speech.say("{unit} leaves the board", unit=speech.unit(self.unit, board))
        if self.order is None or isinstance(self.order, Hold):
            unit = speech.unit(self.unit, board) if self.unit else ""
            return speech.say(UNIT_VERDICTS[0 if self.works else 1], unit=unit)
        return speech.say(VERDICTS[type(self.order).__name__][0 if self.works else 1], order=self._order(turn, speech))

    def _order(self, turn: Turn, speech: Speech) -> str:
        if self.order is None:
            return ""
        return order_name(self.order, turn.position.board, Notation.DATC, speech.language)


@dataclass(frozen=True)
class Step:
    """One step of an explanation.

    Args:
        kind: where it comes from.
        statements: what it settles.
        because: numbers (from 1) of the earlier steps that it needs.
        orders: orders of others that matter here by having been given, whatever became of them.
        reasons: the facts.
    """

    kind: StepKind
    statements: tuple[Statement, ...]
    because: tuple[int, ...] = ()
    orders: tuple[Checked, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def tell(self, turn: Turn, speech: Speech = ENGLISH) -> str:
        """Return the step as a sentence, without a full stop."""
        reasons = "; ".join(tell(reason, turn.position.board, speech) for reason in self.reasons)
        said = ", ".join(statement.tell(turn, speech) for statement in self.statements)
        if self.kind == StepKind.PARADOX or not reasons:
            told = reasons or said
        else:
            told = speech.say("{statement}: {reasons}", statement=said, reasons=reasons)
        return told[:1].upper() + told[1:]


@dataclass(frozen=True)
class Explanation:
    """Why an order came out as it did.

    Args:
        turn: the phase.
        rules: name of the rulebook.
        unit: the unit in question; None for an order about no unit.
        given: the order in question as it was handed in; None for a unit that got none.
        claims: what is explained.
        formal: the same as the search had it; None where no search was needed.
        orders: the orders that force it, as they were handed in.
        followed: how many orders there are to choose from: those that were followed in the phase, and the one in
            question.
        minimal: whether certainly none of the orders can be left out.
        smallest: whether certainly no fewer orders force it.
        steps: from these orders to the claim.
    """

    turn: Turn
    rules: str
    unit: Unit | None
    given: Given | None
    claims: tuple[Statement, ...]
    formal: Claim | None
    orders: tuple[Checked, ...]
    followed: int
    minimal: bool
    smallest: bool
    steps: tuple[Step, ...]

    def claim(self, speech: Speech = ENGLISH) -> str:
        """Return what is explained as a sentence, without a full stop."""
        return speech.listed([statement.tell(self.turn, speech) for statement in self.claims], last="and")

    def order_names(self) -> list[str]:
        """Return the orders as the ``diplomacy`` package writes them, those that are not followed as written."""
        return [self._name(entry) for entry in self.orders]

    def _name(self, entry: Checked, notation: Notation = Notation.PACKAGE, language: str = "en") -> str:
        if entry.action is None:
            return entry.given.text if entry.given is not None else str(entry.unit)
        return order_name(entry.action, self.turn.position.board, notation, language)

    def to_json(self, speech: Speech = ENGLISH) -> dict[str, object]:
        """Return everything as plain JSON values (keys: docs/json.md)."""
        return {
            "rules": self.rules,
            "unit": None if self.unit is None else str(self.unit),
            "claim": self.claim(speech),
            "orders": self.order_names(),
            "followed": self.followed,
            "minimal": self.minimal,
            "smallest": self.smallest,
            "steps": [
                {
                    "kind": str(step.kind),
                    "settles": [statement.tell(self.turn, speech) for statement in step.statements],
                    "because": list(step.because),
                    "given": [self._name(entry) for entry in step.orders],
                    "reasons": [reason.code for reason in step.reasons],
                    "text": step.tell(self.turn, speech),
                }
                for step in self.steps
            ],
        }

    def tell(self, speech: Speech = ENGLISH) -> str:
        """Return the explanation as lines of text."""
        return "\n".join(self._lines(speech))

    def _lines(self, speech: Speech) -> Iterator[str]:
        yield f"{self.claim(speech)}."
        for number, step in enumerate(self.steps, start=1):
            yield f"  {number}. {step.tell(self.turn, speech)}."
        if len(self.orders) > 1 and self.claims[0].works is not None:
            names = "; ".join(self._name(entry, Notation.DATC, speech.language) for entry in self.orders)
            told = speech.say(FORCED[self.smallest], number=len(self.orders), followed=self.followed, orders=names)
            yield f"  {told}"

    def to_frame(self) -> Any:
        """Return one row per step as a ``pandas.DataFrame``: what it settles, why, and the earlier steps it needs.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame(
            {"step": number, "kind": str(step.kind), "because": list(step.because), "text": step.tell(self.turn)}
            for number, step in enumerate(self.steps, start=1)
        )

    def __str__(self) -> str:
        return self.tell()

    def _repr_html_(self) -> str:
        steps = "".join(f"<li>{escape(step.tell(self.turn))}.</li>" for step in self.steps)
        orders = escape("; ".join(self.order_names()))
        return f"<p><b>{escape(self.claim())}.</b></p><ol>{steps}</ol><p>{orders}</p>"
