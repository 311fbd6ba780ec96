"""Worker processes that can be ended in the middle of their work."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.context import BaseContext
from typing import ParamSpec, TypeVar

__all__ = ["GRACE", "Pool", "leave_interrupts_to_the_parent"]

GRACE = 10.0
"""Seconds that a worker has for ending by itself before it is killed."""

P = ParamSpec("P")
R = TypeVar("R")


class Pool:
    """Processes that answer calls.

    Args:
        workers: how many.
        initializer: is called in each of them first.
        context: how they are started; None for the usual way of the platform.
    """

    def __init__(self, workers: int, initializer: Callable[[], object], context: BaseContext | None = None) -> None:
        self._others = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(workers, context, initializer)

    def submit(self, function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> Future[R]:
        """Hand in a call.

        Raises:
            BrokenProcessPool: a process has died.
        """
        return self._pool.submit(function, *arguments, **options)

    def stop(self) -> None:
        """End the processes, whatever they do.

        The thread of CPython that hands them their work may still be writing to a pipe that no process reads any more;
        with the reading end closed it gives up.
        """
        manager = getattr(self._pool, "_executor_manager_thread", None)
        calls = getattr(self._pool, "_call_queue", None)
        self._end_processes()
        self._pool.shutdown(wait=False, cancel_futures=True)
        if manager is None or calls is None:
            return
        manager.join(GRACE)
        if manager.is_alive():
            self._end_processes()  # one may have been started meanwhile
            with suppress(AttributeError, OSError):
                calls._reader.close()
            manager.join(GRACE)

    def _end_processes(self) -> None:
        mine = set(multiprocessing.active_children()) - self._others
        for process in mine:
            process.terminate()
        last = time.monotonic() + GRACE
        for process in mine:
            process.join(max(0.0, last - time.monotonic()))
            process.kill()  # one that waits for the queue of another may never notice that it was to end


def leave_interrupts_to_the_parent() -> None:
    """Let Ctrl-C, which a terminal sends to all processes, be for the parent to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
