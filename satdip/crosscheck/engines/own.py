"""satdip itself as an engine, under any rulebook."""

from __future__ import annotations

from importlib.metadata import version

from satdip.adjudication import adjudicate_turn
from satdip.crosscheck.engines.answer import Answer, FailureKind, answer_of, failed
from satdip.crosscheck.engines.question import Record
from satdip.errors import InputError
from satdip.notation import read_record
from satdip.rulebook import DATC, Rulebook, rulebook_named

__all__ = ["SatdipEngine"]


class SatdipEngine:
    """The program itself.

    Args:
        rules: the rulebook; by default the one that each record names, else the preferences of the DATC.
    """

    def __init__(self, rules: Rulebook | None = None) -> None:
        self.rules = rules
        self.name = "satdip" if rules is None else f"satdip:{rules.name}"
        self.version = version("satdip")

    def adjudicate(self, record: Record) -> Answer:
        """Adjudicate one phase record (see `satdip.crosscheck.engines.base.Engine`)."""
        try:
            turn = read_record(record)
            return answer_of(adjudicate_turn(turn, self.rules or rulebook_named(turn.rules or DATC.name)))
        except InputError as error:
            return failed(FailureKind.UNSUPPORTED, str(error))

    def close(self) -> None:
        """There is nothing to end."""
