"""Working on phases in this process, or in several processes of this machine."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context

from satdip.base.pools import Pool
from satdip.crosschecking.runs.phase import Phase, RunFailed, Work
from satdip.crosschecking.runs.worker import chunks, opened, result_line, result_lines, start_worker

__all__ = ["Processes", "Serial"]

TRIES = 3
"""So often a parcel is worked on that ends its worker when it is worked on alone."""


class Serial:
    """One phase after the other, in this process."""

    def lines(self, work: Work, phases: Iterator[Phase]) -> Iterator[list[str]]:
        """Work on phases (see `satdip.crosschecking.runs.phase.Executor`)."""
        with opened(work) as session:
            for phase in phases:
                yield [result_line(session, phase)]


@dataclass
class _Parcel:
    """Phases that are worked on together; `future` is None while nobody does."""

    phases: tuple[Phase, ...]
    future: Future[list[str]] | None = None
    tries: int = 0

    def result(self) -> list[str] | None:
        """Wait for the lines; None when a worker has died."""
        try:
            return None if self.future is None else self.future.result()
        except BrokenProcessPool:
            return None

    def forget_if_lost(self) -> None:
        """Drop a future that will never have a result."""
        if self.future is not None and not (self.future.done() and self.future.exception() is None):
            self.future = None


class Processes:
    """Several processes of this machine.

    When one of them dies, the parcels in hand that have no result are worked on again one by one, so that the one which
    kills its worker is found; then all go on.

    Args:
        workers: how many processes; by default one for each core.
        parcel: how many phases a worker gets at a time.
        ahead: how many parcels for each worker may be in hand: results that wait for an earlier one are kept in memory.
    """

    def __init__(self, workers: int | None = None, parcel: int = 8, ahead: int = 8) -> None:
        self.workers = workers or os.cpu_count() or 1
        self.parcel, self.ahead = parcel, ahead

    def lines(self, work: Work, phases: Iterator[Phase]) -> Iterator[list[str]]:
        """Work on phases (see `satdip.crosschecking.runs.phase.Executor`)."""
        source = chunks(phases, self.parcel)
        waiting: deque[_Parcel] = deque()
        suspects = 0
        pool = _Pool(self.workers)
        try:
            while True:
                while not suspects and len(waiting) < self.workers * self.ahead and (chunk := next(source, None)):
                    waiting.append(_Parcel(chunk, pool.hand_in(work, chunk)))
                if not waiting:
                    return
                first = waiting[0]
                if first.future is None:
                    first.tries += 1
                    first.future = pool.hand_in(work, first.phases)
                lines = first.result()
                if lines is None:
                    if first.tries >= TRIES:
                        what = f"the phases from {first.phases[0].id} to {first.phases[-1].id} end every worker process"
                        raise RunFailed(what)
                    pool.stop()
                    pool = _Pool(self.workers)
                    suspects = len(waiting)
                    for parcel in waiting:
                        parcel.forget_if_lost()
                    continue
                waiting.popleft()
                suspects = max(0, suspects - 1)
                yield lines
        finally:
            pool.stop()


class _Pool(Pool):
    """The workers of a run."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, start_worker, get_context("spawn"))  # a fork would inherit the lock on the output

    def hand_in(self, work: Work, phases: tuple[Phase, ...]) -> Future[list[str]] | None:
        """Hand a parcel in; None when a worker has died."""
        try:
            return self.submit(result_lines, work, phases)
        except BrokenProcessPool:
            return None
