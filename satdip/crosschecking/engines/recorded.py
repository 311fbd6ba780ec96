"""Recorded answers as an engine: what a corpus says that some program answered.

Two shapes are read. Generated phases (``expected_by``: engine -> index into ``answers``; ``parlance_by_rule``: rule ->
answer; ``expected``: the answer agreed on) and recorded games (``engine``, ``results``, ``next_units`` ...).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from satdip.base.errors import InputError, Where
from satdip.crosschecking.engines.answer import Answer, Failure, FailureKind, failed
from satdip.crosschecking.engines.question import Record, phase_key, question
from satdip.crosschecking.engines.reading import read_answer
from satdip.notation import read_lines
from satdip.phase.orders import Move, Retreat
from satdip.phase.position import Position, Season
from satdip.phase.turn import Turn

__all__ = ["RecordedAnswers"]

BY_RULE = "parlance/"
"""Before the name of a paradox rule: ``parlance/szykman``."""
SUCCESS = {
    "diplomacy-package": frozenset({(), ("",)}),
    "backstabbr": frozenset({("SUCCEEDS",)}),
    "webDiplomacy": frozenset({("ok",)}),
}
"""Engine -> the words that it has for an order that succeeds; of backstabbr the first word counts."""


class RecordedAnswers:
    """The recorded answers of an engine.

    Args:
        program: the engine as the corpus calls it: ``godip``; ``parlance/szykman`` for one of the answers by rule;
            ``expected`` for the one agreed on. Empty: whatever engine a recorded game was played with.
        files: where the answers are, to be found by what the phase is (`phase_key`); without files each record is
            asked for its own.

    Raises:
        InputError: a file cannot be read, or a record in it is not sound.
    """

    def __init__(self, program: str = "", files: Iterable[str | Path] = ()) -> None:
        self.program, self.files = program, tuple(map(str, files))
        self.name = ":".join(filter(None, ("recorded", program)))
        self.version = ""
        self._answers = dict(self._read())

    def adjudicate(self, record: Record) -> Answer:
        """Look the answer up (see `satdip.crosschecking.engines.base.Engine`)."""
        try:
            if not self.files:
                return self._recorded(record)
            found = self._answers.get(phase_key(record))
        except InputError as error:
            return failed(FailureKind.UNSUPPORTED, str(error))
        return self._nothing() if found is None else found

    def close(self) -> None:
        """There is nothing to end."""

    def _read(self) -> Iterator[tuple[str, Answer]]:
        """Yield the answers of the files with the keys of their phases."""
        for file in self.files:
            for line, record in read_lines(file):
                try:
                    answer = self._recorded(record)
                    if answer.failure is None or answer.failure.kind != FailureKind.UNSUPPORTED:
                        yield phase_key(record), answer
                except InputError as error:
                    raise error.at(source=file, line=line) from None

    def _nothing(self) -> Answer:
        return failed(FailureKind.UNSUPPORTED, f"no answer of {self.program or 'any engine'} is recorded")

    def _recorded(self, record: Record) -> Answer:
        """Return the answer that a record holds.

        Raises:
            InputError: record or answer are not sound.
        """
        answer = self._listed(record)
        if answer is not None:
            return _listed_answer(answer, question(record).position)
        engine = record.get("engine")
        if isinstance(engine, str) and self.program in ("", engine) and record.get("next_units") is not None:
            return _game_answer(record, engine, question(record).turn)
        return self._nothing()

    def _listed(self, record: Record) -> Any:
        """Return the answer to a generated phase, None where there is none."""
        if self.program == "expected":
            return record.get("expected")
        if self.program.startswith(BY_RULE):
            return _table(record, "parlance_by_rule").get(self.program.removeprefix(BY_RULE))
        index, answers = _table(record, "expected_by").get(self.program), record.get("answers", [])
        if index is None:
            return None
        if not isinstance(index, int) or not isinstance(answers, list) or not 0 <= index < len(answers):
            raise InputError("the index of an answer is expected here", Where(path=f"$.expected_by.{self.program}"))
        return answers[index]


def _listed_answer(value: Any, position: Position) -> Answer:
    if not isinstance(value, Mapping):
        raise InputError("an answer is an object with moves and dislodged", Where(path="$.answers"))
    if value.get("error"):
        return Answer(failure=Failure(FailureKind.NO_ANSWER, str(value["error"])))
    return read_answer(value, position)


def _game_answer(record: Record, engine: str, turn: Turn) -> Answer:
    """Return what a recorded game says about a phase: the next position, and the moves where it has results."""
    position, phase = turn.position, turn.position.phase
    value: dict[str, Any] = {"units": record["next_units"]}
    if phase.traits.may_dislodge:
        value["dislodged"] = _dislodged(record)
    if phase.season == Season.FALL and str(record.get("next_phase", "W"))[:1] in ("W", "S", "C"):
        value["centers"] = record.get("next_centers")
    if not phase.traits.by_count and engine in SUCCESS and (results := _results(record)):
        value["moves"] = _moves(turn, results, engine)
    return read_answer(value, position)


def _dislodged(record: Record) -> list[str] | None:
    """Return the dislodged units; None where units were destroyed and nothing but guesses tells which (``removed``)."""
    if not _table(record, "removed"):
        return [unit for units in _lists(record, "next_dislodged").values() for unit in units]
    results = _results(record)
    return [unit for unit, words in results.items() if "dislodged" in words] if results else None


def _moves(turn: Turn, results: Mapping[str, tuple[str, ...]], engine: str) -> dict[str, str]:
    """Return the moves that succeed by the recorded words."""
    acting = {item.unit for item in turn.position.dislodged} or set(turn.position.units)
    words = {unit.province: results[str(unit)] for unit in acting if str(unit) in results}
    moves: dict[str, str] = {}
    for given in turn.orders:
        if isinstance(given.order, Move | Retreat) and (said := words.get(given.order.unit.province)) is not None:
            told = said[:1] if engine == "backstabbr" else said
            if told in SUCCESS[engine]:
                moves[given.order.unit.province] = given.order.destination
    return moves


def _results(record: Record) -> Mapping[str, tuple[str, ...]]:
    """Return the words that a game records for each unit."""
    return {unit: tuple(map(str, words)) for unit, words in _lists(record, "results").items()}


def _lists(record: Record, key: str) -> Mapping[str, list[Any]]:
    table = _table(record, key)
    for name, value in table.items():
        if not isinstance(value, list):
            raise InputError("a list of texts is expected here", Where(path=f"$.{key}.{name}"))
    return table


def _table(record: Record, key: str) -> Mapping[str, Any]:
    value = record.get(key, {})
    if not isinstance(value, Mapping):
        raise InputError("an object is expected here", Where(path=f"$.{key}"))
    return value
