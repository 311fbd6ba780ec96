"""A child process that answers lines with lines, and is ended when it takes too long or grows too large."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import IO, Any

from satdip.crosscheck.engines.answer import FailureKind
from satdip.crosscheck.extras import optional

__all__ = ["LONGEST_ANSWER", "Child", "ChildFailed"]

LONGEST_ANSWER = 1 << 20  # bytes; an answer with everything in it has some thousand
KEPT_STDERR = 1 << 12
LOOK = 0.05  # seconds between two looks at the clock
LOOK_AT_MEMORY = 0.5
TIME_TO_END = 1.0  # seconds, once its output has ended


class ChildFailed(Exception):  # noqa: N818 -- what failed is not this program
    """The child gave no answer.

    Args:
        kind: why.
        text: the same in words.
    """

    def __init__(self, kind: FailureKind, text: str) -> None:
        self.kind, self.text = kind, text
        super().__init__(text)


class Child:
    """A running command, started without a shell, in a process group of its own.

    A watching thread ends the whole group at the deadline of a question, or when the group holds too much memory; all
    reading and writing is plain and blocking, and sees the end of the pipes then.

    Its ``answered`` counts answers; ``too_large`` tells whether it holds more memory than it may.

    Args:
        words: the program and its arguments.
        memory: how many bytes the process and its children may hold, as far as the system counts them as resident;
            None for any number. It needs psutil.

    Raises:
        ChildFailed: it cannot be started.
        InputError: there is a memory limit, but no psutil.
    """

    def __init__(self, words: Sequence[str], memory: int | None = None) -> None:
        self.answered, self.too_large = 0, False
        self._memory, self._psutil = memory, None if memory is None else optional("psutil", "engines")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- no shell; the user named the program
                words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ChildFailed(FailureKind.CRASH, f"{words[0]} cannot be started: {reason}") from None
        self._lock, self._over = Lock(), Event()
        self._deadline: float | None = None
        self._ended_for: ChildFailed | None = None
        self._stderr = b""
        self._threads = [Thread(target=work, daemon=True) for work in (self._watch, self._drain)]
        for thread in self._threads:
            thread.start()

    @property
    def stderr(self) -> str:
        """The end of what it wrote on standard error."""
        return self._stderr.decode("utf-8", "replace").strip()

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line, wait for a line.

        Args:
            line: the question, with its line end.
            seconds: how long an answer may take.

        Raises:
            ChildFailed: there was none; the child is not to be asked again.
        """
        with self._lock:
            self._deadline = time.monotonic() + seconds
        stdin, stdout = self._pipes
        try:
            stdin.write(line)
            stdin.flush()
            answer = stdout.readline(LONGEST_ANSWER)
        except OSError:  # it does not read any more
            answer = b""
        with self._lock:
            self._deadline = None
            if self._ended_for is not None:
                raise self._ended_for
        if not answer.endswith(b"\n"):
            raise self._broken_off(answer)
        self.answered += 1
        return answer

    def close(self, patience: float = 2.0) -> None:
        """End it.

        Args:
            patience: seconds between the end of its input and the end of the whole process group; 0 in the middle of an
                exchange, when what is still to be sent might never be read.
        """
        stdin, stdout = self._pipes
        if not patience:
            self._kill()
        with suppress(OSError):
            stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self._kill()
        self._process.wait()
        self._over.set()
        for thread in self._threads:
            thread.join()
        stdout.close()
        if self._process.stderr is not None:
            self._process.stderr.close()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the process was started without pipes")
        return stdin, stdout

    def _broken_off(self, answer: bytes) -> ChildFailed:
        if len(answer) == LONGEST_ANSWER:
            return ChildFailed(FailureKind.NONSENSE, f"a line of more than {LONGEST_ANSWER} bytes")
        try:
            code = self._process.wait(TIME_TO_END)
        except subprocess.TimeoutExpired:
            return ChildFailed(FailureKind.CRASH, "it closed its output")
        if code >= 0:
            return ChildFailed(FailureKind.CRASH, f"it ended with exit code {code}")
        names = {item.value: item.name for item in signal.Signals}
        return ChildFailed(FailureKind.CRASH, f"it was ended by {names.get(-code, f'signal {-code}')}")

    # ------------------------------------------------------------------ watching

    def _watch(self) -> None:
        next_look_at_memory = 0.0
        while not self._over.wait(LOOK):
            now = time.monotonic()
            if self._memory is not None and now > next_look_at_memory:
                next_look_at_memory = now + LOOK_AT_MEMORY
                self.too_large = self._resident() > self._memory
            with self._lock:
                if self._deadline is None:
                    continue
                if now > self._deadline:
                    self._end(ChildFailed(FailureKind.TIMEOUT, "no answer in time"))
                elif self.too_large:
                    self._end(ChildFailed(FailureKind.CRASH, f"it took more than {self._memory} bytes of memory"))

    def _end(self, reason: ChildFailed) -> None:
        self._ended_for = self._ended_for or reason
        self._kill()

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

    def _drain(self) -> None:
        pipe = self._process.stderr
        while pipe is not None and (data := os.read(pipe.fileno(), KEPT_STDERR)):
            self._stderr = (self._stderr + data)[-KEPT_STDERR:]
