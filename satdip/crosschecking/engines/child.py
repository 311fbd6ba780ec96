"""A child process that answers lines with lines, and is ended when it takes too long or grows too large."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from satdip.crosschecking.engines.answer import FailureKind
from satdip.crosschecking.engines.pipes import KEPT, LONGEST_ANSWER, Pipes
from satdip.crosschecking.extras import optional

__all__ = ["Child", "ChildFailed", "printed"]

LOOK = 0.05  # seconds between two looks at what the process does
LOOK_AT_MEMORY = 0.5
TIME_TO_END = 1.0  # seconds between the end of its output and its own, or the other way round
TIME_TO_DIE = 5.0  # seconds that the system may take for killing it
LAST_WORDS = 0.2  # seconds for the rest of its standard error, once it has ended


class ChildFailed(Exception):  # noqa: N818 -- what failed is not this program
    """The child gave no answer.

    Args:
        kind: why.
        text: the same in words.
        printed: what it printed instead of an answer, or its beginning.
    """

    def __init__(self, kind: FailureKind, text: str, printed: str = "") -> None:
        self.kind, self.text, self.printed = kind, text, printed
        super().__init__(text)


class Child:
    """A running command, started without a shell, in a process group of its own.

    Nothing that it does, or leaves undone, makes anyone wait beyond a deadline. At its end the whole group is killed; a
    process that has left the group, as a daemon does, lives on, and nobody waits for it.

    Its ``answered`` counts answers.

    Args:
        words: the program and its arguments.
        memory: how many bytes the process and its children may hold, as far as the system counts them as resident;
            None for any number. It needs psutil.

    Raises:
        ChildFailed: it cannot be started.
        InputError: there is a memory limit, but no psutil.
    """

    def __init__(self, words: Sequence[str], memory: int | None = None) -> None:
        self.answered = 0
        self._memory, self._psutil = memory, None if memory is None else optional("psutil", "engines")
        self._looked_at_memory, self._was_too_large = 0.0, False
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- no shell; the user named the program
                words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ChildFailed(FailureKind.CRASH, f"{words[0]} cannot be started: {reason}") from None
        self._pipes = Pipes(self._process)

    @property
    def stderr(self) -> str:
        """The end of what it wrote on standard error."""
        ended = self._process.poll() is not None
        return printed(self._pipes.last_words(LAST_WORDS if ended else 0.0))

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line, wait for a line.

        Args:
            line: the question, with its line end.
            seconds: how long an answer may take.

        Raises:
            ChildFailed: there was none; the child is not to be asked again.
        """
        deadline = time.monotonic() + seconds
        ended: float | None = None  # when the process was first seen to have ended
        self._pipes.send(line)
        while (answer := self._pipes.line(min(LOOK, deadline - time.monotonic()))) is None:
            now = time.monotonic()
            if ended is None and self._process.poll() is not None:
                ended = now
            if self._pipes.is_over or (ended is not None and now > ended + TIME_TO_END):
                raise self._broken_off()
            if self.too_large:
                raise self._failed(FailureKind.CRASH, f"it took more than {self._memory} bytes of memory")
            if now > deadline:
                raise self._failed(FailureKind.TIMEOUT, "no answer in time")
        self.answered += 1
        return answer

    @property
    def too_large(self) -> bool:
        """Whether it holds more memory than it may."""
        if self._memory is not None and time.monotonic() > self._looked_at_memory + LOOK_AT_MEMORY:
            self._looked_at_memory = time.monotonic()
            self._was_too_large = self._resident() > self._memory
        return self._was_too_large

    def close(self, patience: float = 2.0) -> None:
        """End it.

        Args:
            patience: seconds between the end of its input and the end of the whole process group; 0 in the middle of an
                exchange, when what is still to be sent might never be read.
        """
        if patience:
            self._pipes.end_input()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        self._kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(TIME_TO_DIE)
        self._pipes.leave()

    def _broken_off(self) -> ChildFailed:
        if self._pipes.is_flooded:
            return self._failed(FailureKind.NONSENSE, f"a line of more than {LONGEST_ANSWER} bytes")
        try:
            code = self._process.wait(TIME_TO_END)
        except subprocess.TimeoutExpired:
            return self._failed(FailureKind.CRASH, "it closed its output")
        if code >= 0:
            return self._failed(FailureKind.CRASH, f"it ended with exit code {code}")
        names = {item.value: item.name for item in signal.Signals}
        return self._failed(FailureKind.CRASH, f"it was ended by {names.get(-code, f'signal {-code}')}")

    def _failed(self, kind: FailureKind, text: str) -> ChildFailed:
        return ChildFailed(kind, text, printed(self._pipes.pending))

    def _kill(self) -> None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _resident(self) -> int:
        if self._psutil is None:
            return 0
        total = 0
        with suppress(self._psutil.Error):
            root: Any = self._psutil.Process(self._process.pid)
            for process in (root, *root.children(recursive=True)):
                with suppress(self._psutil.Error):
                    total += process.memory_info().rss
        return total


def printed(data: bytes) -> str:
    """Return the beginning of what a program printed as text, whatever it is."""
    return data[:KEPT].decode("utf-8", "backslashreplace").strip()
