"""The three pipes of a child process, each served by a thread, so that who asks waits no longer than it wants."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Thread
from typing import IO

__all__ = ["KEPT", "LONGEST_ANSWER", "Pipes"]

LONGEST_ANSWER = 1 << 20  # bytes; an answer with everything in it has some thousand
KEPT = 1 << 10  # bytes of what a program printed that are kept, to be shown with its failures
AT_ONCE = 1 << 16
WRITTEN_AT_ONCE = getattr(select, "PIPE_BUF", AT_ONCE)  # so much can be written without waiting when a pipe is ready
THREAD = "pipe of an engine"
LOOK = 0.5  # seconds between two looks whether the process is left


class Pipes:
    """What goes into a process and what comes out of it.

    A helper that the process has left behind may hold the other end of a pipe for as long as it lives: no thread is
    ever waited for. Each closes its pipe when that ends, or soon after `leave`; where the system cannot wait for a pipe
    and a clock at once, with the first byte after that.

    Args:
        process: a process that was started with three pipes, not buffered.

    Raises:
        ValueError: one of the pipes is missing.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        if stdin is None or stdout is None or stderr is None:
            raise ValueError("the process was started without pipes")
        self._news = Condition()
        self._input, self._output, self._stderr = bytearray(), bytearray(), b""
        self._is_last = self._is_left = self._output_ended = self._stderr_ended = False
        for serve, pipe in ((self._write, stdin), (self._read, stdout), (self._drain, stderr)):
            Thread(target=_served, args=(serve, pipe), daemon=True, name=THREAD).start()

    # ------------------------------------------------------------------ for the one who asks

    def send(self, data: bytes) -> None:
        """Put data into the process, as fast as it reads."""
        with self._news:
            self._input += data
            self._news.notify_all()

    def line(self, seconds: float) -> bytes | None:
        """Return the next line, with its end; None when there is none within so many seconds."""
        with self._news:
            self._news.wait_for(lambda: self._line_end() or self._is_over(), seconds)
            end = self._line_end()
            if not end:
                return None
            found = bytes(self._output[:end])
            del self._output[:end]
            self._news.notify_all()
            return found

    @property
    def is_over(self) -> bool:
        """Whether no line can come any more: the output has ended, or what comes is too long for an answer."""
        with self._news:
            return not self._line_end() and self._is_over()

    @property
    def is_flooded(self) -> bool:
        """Whether a line was begun that is too long for an answer."""
        with self._news:
            return not self._line_end() and len(self._output) >= LONGEST_ANSWER

    @property
    def pending(self) -> bytes:
        """The beginning of what has come and was not taken as a line."""
        with self._news:
            return bytes(self._output[:KEPT])

    def last_words(self, seconds: float) -> bytes:
        """Return the end of what came on standard error, once that has ended or after so many seconds."""
        with self._news:
            self._news.wait_for(lambda: self._stderr_ended, seconds)
            return self._stderr

    def end_input(self) -> None:
        """Tell the process that nothing more comes, once it has read what was sent; forget what it still prints."""
        with self._news:
            self._is_last = True
            self._output.clear()
            self._news.notify_all()

    def leave(self) -> None:
        """Read nothing more, and let the threads end when they can."""
        with self._news:
            self._is_last = self._is_left = True
            self._input.clear()
            self._output.clear()
            self._news.notify_all()

    def _line_end(self) -> int:
        """Return where the first line ends, after its line end; 0 where none has come yet."""
        return self._output.find(b"\n", 0, LONGEST_ANSWER) + 1

    def _is_over(self) -> bool:
        return self._output_ended or len(self._output) >= LONGEST_ANSWER

    # ------------------------------------------------------------------ the threads

    def _write(self, pipe: int) -> None:
        is_ready = self._waiter(pipe, "POLLOUT")
        while True:
            with self._news:
                self._news.wait_for(lambda: self._input or self._is_last)
                data = bytes(self._input[:WRITTEN_AT_ONCE])
            if not data or not is_ready():
                return
            written = os.write(pipe, data)
            with self._news:
                del self._input[:written]

    def _read(self, pipe: int) -> None:
        is_ready = self._waiter(pipe, "POLLIN")
        try:
            while is_ready() and (data := os.read(pipe, AT_ONCE)):
                with self._news:
                    if not self._is_last:
                        self._output += data
                        self._news.notify_all()
                    self._news.wait_for(lambda: self._is_left or len(self._output) < LONGEST_ANSWER)
                    if self._is_left:
                        return
        finally:
            with self._news:
                self._output_ended = True
                self._news.notify_all()

    def _drain(self, pipe: int) -> None:
        is_ready = self._waiter(pipe, "POLLIN")
        try:
            while is_ready() and (data := os.read(pipe, AT_ONCE)):
                self._stderr = (self._stderr + data)[-KEPT:]
        finally:
            with self._news:
                self._stderr_ended = True
                self._news.notify_all()

    def _waiter(self, pipe: int, event: str) -> Callable[[], bool]:
        """Return a function that waits for a pipe, and returns false when the process is left before."""
        if not hasattr(select, "poll"):
            return lambda: not self._is_left
        poll = select.poll()
        poll.register(pipe, getattr(select, event))

        def is_ready() -> bool:
            while not self._is_left:
                if poll.poll(1000 * LOOK):
                    return True
            return False

        return is_ready


def _served(serve: Callable[[int], None], pipe: IO[bytes]) -> None:
    """Serve a pipe until it ends, and close it."""
    with suppress(OSError), pipe:  # an OSError where nobody is at its other end any more
        serve(pipe.fileno())
