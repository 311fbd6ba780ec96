"""satdip itself as an engine, under any rulebook."""

from __future__ import annotations

from importlib.metadata import version

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.crosschecking.engines.answer import Answer, FailureKind, answer_of, failed
from satdip.crosschecking.engines.question import Record
from satdip.notation import read_record
from satdip.rulebook import RulebookLike, rulebook_of

__all__ = ["SatdipEngine"]


class SatdipEngine:
    """The program itself.

    Args:
        rules: the rulebook, or its name; by default the one that each record names, else the preferences of the DATC.
    """

    def __init__(self, rules: RulebookLike | None = None) -> None:
        self.rules = None if rules is None else rulebook_of(rules)
        self.name = "satdip" if self.rules is None else f"satdip:{self.rules.name}"
        self.version = version("satdip")

    def adjudicate(self, record: Record) -> Answer:
        """Adjudicate one phase record (see `satdip.crosschecking.engines.base.Engine`)."""
        try:
            turn = read_record(record)
            return answer_of(adjudicate_turn(turn, rulebook_of(self.rules, turn.rules)))
        except InputError as error:
            return failed(FailureKind.UNSUPPORTED, str(error))

    def close(self) -> None:
        """There is nothing to end."""
