"""Any program as an engine: one JSON phase record a line to it, one JSON answer a line from it (docs/engines.md)."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.crosschecking.engines.answer import Answer, FailureKind, failed
from satdip.crosschecking.engines.child import Child, ChildFailed, printed
from satdip.crosschecking.engines.interrupts import uninterrupted
from satdip.crosschecking.engines.question import Question, Record, question
from satdip.crosschecking.engines.reading import read_answer
from satdip.crosschecking.extras import optional
from satdip.notation import decode_record, decode_text
from satdip.notation.prose import quoted

__all__ = ["CommandEngine", "Limits", "command_words"]

OF_THE_PHASE = (FailureKind.UNSUPPORTED, FailureKind.NO_ANSWER)
"""The failures that a sound engine tells of; after any other it is started again."""


@dataclass(frozen=True)
class Limits:
    """What an engine in a process of its own may take.

    Args:
        seconds: for one phase.
        start: seconds that the first phase may take more, while the program starts.
        phases: after so many it is started again, in case it leaks; None for never.
        memory: bytes of resident memory above which it is started again (needs psutil); None for any number.
        starts: it is given up after so many starts in a row without an answer; None for never.
    """

    seconds: float = 10.0
    start: float = 20.0
    phases: int | None = 5000
    memory: int | None = None
    starts: int | None = 5


class CommandEngine:
    """A program that speaks the line protocol.

    It is started with the first phase. When it crashes, hangs or answers nonsense on a phase, it is started again and,
    unless it was fresh, asked once more: so what is recorded about a phase does not depend on the phases before, nor
    on how a run is split over workers, as long as the engine answers at all. When start after start gives no answer, it
    is given up: it is not asked any more. An engine is used by one thread at a time; a copy in another process (it can
    be pickled) starts a program of its own.

    Args:
        name: what reports call it.
        words: the program and its arguments; no shell sees them.
        version: its version, where that is known.
        limits: what it may take.

    Raises:
        InputError: there is a memory limit, but no psutil.
    """

    def __init__(self, name: str, words: Sequence[str], version: str = "", limits: Limits | None = None) -> None:
        self.name, self.version = name, version
        self.words, self.limits = tuple(words), limits or Limits()
        self.starts = 0
        """How many times the program was started."""
        self._in_vain = 0
        """How many of these, the last ones, gave no answer."""
        self._child: Child | None = None
        self._id = 0
        if self.limits.memory is not None:
            optional("psutil", "engines")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.words, self.version, self.limits)

    def adjudicate(self, record: Record) -> Answer:
        """Ask the program (see `satdip.crosschecking.engines.base.Engine`)."""
        try:
            asked = question(record)
        except InputError as error:
            return failed(FailureKind.UNSUPPORTED, str(error))
        if self.limits.starts is not None and self._in_vain >= self.limits.starts:
            return failed(
                FailureKind.GIVEN_UP,
                english("{starts} {starts:start|starts} in a row gave no answer", starts=self._in_vain),
            )
        try:
            answer, fresh = self._asked(asked)
            return answer if fresh or _is_sound(answer) else self._asked(asked)[0]
        except BaseException:  # interrupted in the middle of an exchange: what comes next would be out of step
            self._end(patience=0)
            raise

    def close(self) -> None:
        """End the program."""
        self._end()

    def _end(self, patience: float = 2.0) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.close(patience)

    def _asked(self, asked: Question) -> tuple[Answer, bool]:
        """Ask once; return also whether the program was fresh."""
        try:
            child = self._ready()
        except ChildFailed as error:
            self._in_vain += 1
            return failed(error.kind, error.text), True
        fresh = not child.answered
        answer = self._exchange(child, asked)
        if _is_sound(answer):
            self._in_vain = 0
        else:
            self._in_vain += fresh
            self._end(patience=0)
        return answer, fresh

    def _ready(self) -> Child:
        """Return the program, started again when it is due."""
        limits, child = self.limits, self._child
        if child is not None:
            worn_out = limits.phases is not None and child.answered >= limits.phases
            if worn_out or child.too_large:
                self.close()
        if self._child is None:
            with uninterrupted():  # else a program could be started that nobody knows of, and nobody ends
                self._child = Child(self.words, limits.memory)
            self.starts += 1
        return self._child

    def _exchange(self, child: Child, asked: Question) -> Answer:
        self._id += 1
        line = json.dumps({"id": self._id, **asked.record}, separators=(",", ":")).encode() + b"\n"
        limits = self.limits
        try:
            data = child.ask(line, limits.seconds if child.answered else limits.seconds + limits.start)
        except ChildFailed as error:
            text = error.text
            if error.kind == FailureKind.TIMEOUT:
                text = f"no answer within {limits.seconds:g} {'second' if limits.seconds == 1 else 'seconds'}"
            return failed(error.kind, text, error.printed, child.stderr)
        try:
            value = decode_record(decode_text(data.rstrip(b"\r\n")))
            if value.get("id") != self._id or value["id"] is True:
                raise InputError("the answer has the id of another phase, or none")
            return read_answer(value, asked.position)
        except InputError as error:
            return failed(FailureKind.NONSENSE, error.message, printed(data), child.stderr)


def _is_sound(answer: Answer) -> bool:
    return answer.failure is None or answer.failure.kind in OF_THE_PHASE


def command_words(command: str) -> tuple[str, ...]:
    """Split a command as a shell would, without running one.

    Args:
        command: ``python my_engine.py --strict``.

    Raises:
        InputError: it cannot be split, is empty, or its program is not found.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"the command {quoted(command)} cannot be split into words: {error}") from None
    if not words:
        raise InputError("the command of an engine is empty; write one as in 'command:python my_engine.py'")
    if shutil.which(words[0]) is None:
        raise InputError(f"the program {quoted(words[0])} of an engine is not found")
    return tuple(words)
