"""The standard streams of the command line: a fault of theirs is one sentence, and a reader that leaves is no fault."""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from satdip.base.errors import InputError
from satdip.base.messages import Message

__all__ = ["OutputLost", "ReaderGone", "drop_output", "guarded_streams", "standard_input"]


class ReaderGone(Exception):  # noqa: N818 -- nobody did anything wrong
    """The reader of standard output went away. It is no OSError: click would make exit code 1 of that."""


class OutputLost(Exception):  # noqa: N818 -- the fault lies outside
    """Standard output cannot be written.

    Args:
        reason: why, as the system says it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"standard output cannot be written: {reason}")


class _In(io.FileIO):
    """Standard input. It waits for a writer that is slow, also where the descriptor would not."""

    def readinto(self, room: object) -> int:
        """Read bytes.

        Raises:
            InputError: they cannot be read.
        """
        try:
            while (found := super().readinto(room)) is None:  # type: ignore[arg-type]
                select.select([self.fileno()], [], [])
        except OSError as error:
            raise InputError(Message("standard input cannot be read: {reason}", reason=_reason(error))) from None
        return found


class _Out(io.FileIO):
    """Standard output. Its faults are told from those of files, and it waits for a reader that is slow."""

    def write(self, data: object) -> int:
        """Write bytes.

        Raises:
            ReaderGone: nobody reads any more.
            OutputLost: they cannot be written.
        """
        try:
            while (written := super().write(data)) is None:  # type: ignore[arg-type]
                select.select([], [self.fileno()], [])
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            raise OutputLost(_reason(error)) from None
        return written


class _Err(io.FileIO):
    """Standard error. Where that cannot be written either, there is nobody left to tell."""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write bytes, or not."""
        with suppress(OSError):
            return super().write(data) or len(data)
        return len(data)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Let the faults of the standard streams be told as what they are.

    A descriptor that is closed is taken, so that no file that is opened later gets its number.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    null = os.open(os.devnull, os.O_RDWR)
    while null <= 2:  # the lowest number that is free
        null = os.open(os.devnull, os.O_RDWR)
    os.close(null)
    sys.stdin, sys.stdout, sys.stderr = _over(sys.stdin, _In), _over(sys.stdout, _Out), _over(sys.stderr, _Err)
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _over(stream: IO[str] | None, raw: type[io.FileIO]) -> IO[str]:
    """Return a stream over the same descriptor; what is no file of the system stays as it is, as does None."""
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(
        getattr(stream.buffer, "raw", stream.buffer), io.FileIO
    ):
        return stream  # type: ignore[return-value]
    if raw is _In:
        return io.TextIOWrapper(io.BufferedReader(raw(stream.fileno(), "rb", closefd=False)), stream.encoding)
    stream.flush()
    buffer = io.BufferedWriter(raw(stream.fileno(), "wb", closefd=False))
    # what the terminal cannot show is no reason to fail
    return io.TextIOWrapper(buffer, stream.encoding, "backslashreplace", line_buffering=stream.line_buffering)


def drop_output() -> None:
    """Let what is left to be written vanish."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def standard_input() -> IO[bytes]:
    """Return standard input.

    Raises:
        InputError: it is closed.
    """
    if sys.stdin is None:
        raise InputError(Message("standard input is closed"))
    return sys.stdin.buffer
