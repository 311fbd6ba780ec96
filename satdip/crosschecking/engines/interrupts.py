"""Moments in which Ctrl-C and a request to end have to wait."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

__all__ = ["uninterrupted"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off what a signal does until the end of the block.

    Programs that are started in it do not inherit this. Signals reach the main thread alone; in others there is nothing
    to put off.
    """
    if current_thread() is not main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    usual = {number: signal.getsignal(number) for number in SIGNALS}
    put_off = [number for number in SIGNALS if usual[number] not in (None, signal.SIG_IGN)]
    for number in put_off:
        signal.signal(number, lambda *of: came.append(of))
    try:
        yield
    finally:
        for number in put_off:
            signal.signal(number, usual[number])
        for signalled, frame in came:
            handler = usual[signal.Signals(signalled)]
            if callable(handler):
                handler(signalled, frame)
            else:
                os.kill(os.getpid(), signalled)
