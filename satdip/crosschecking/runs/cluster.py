"""Working on phases over a cluster, through Dask."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

from satdip.base.errors import InputError
from satdip.crosschecking.extras import optional
from satdip.crosschecking.runs.phase import Phase, RunFailed, Work
from satdip.crosschecking.runs.worker import chunks, close_sessions, result_lines

__all__ = ["Cluster"]

LOCAL = "local"
WAIT = 20
"""Seconds for a scheduler to answer, and for its first worker to be there."""


class Cluster:
    """A Dask cluster, whose workers have this version of satdip and the engines installed.

    Dask works again on the parcels of a worker that is killed.

    Args:
        address: of the scheduler, ``tcp://host:8786``; ``local`` starts a cluster of processes here.
        workers: how many, for ``local``; by default one for each core.
        parcel: how many phases a worker gets at a time.
        ahead: how many parcels for each thread of the workers may be in hand.

    Raises:
        InputError: Dask is not installed.
    """

    def __init__(self, address: str, workers: int | None = None, parcel: int = 8, ahead: int = 8) -> None:
        self.address, self.workers = address, workers or os.cpu_count() or 1
        self.parcel, self.ahead = parcel, ahead
        self._dask: Any = optional("distributed", "cluster")

    def lines(self, work: Work, phases: Iterator[Phase]) -> Iterator[list[str]]:
        """Work on phases (see `satdip.crosschecking.runs.phase.Executor`).

        Raises:
            InputError: no scheduler answers at the address, or it has no workers.
        """
        source = chunks(phases, self.parcel)
        waiting: deque[Any] = deque()
        with ExitStack() as stack:
            client = self._client(stack)
            stack.callback(_clean_up, client, waiting)
            threads = sum(client.nthreads().values())
            while True:
                while len(waiting) < threads * self.ahead and (chunk := next(source, None)):
                    waiting.append(client.submit(result_lines, work, chunk, pure=False))
                if not waiting:
                    return
                try:
                    lines: list[str] = waiting[0].result()
                except self._dask.KilledWorker:
                    raise RunFailed("some phases end every worker of the cluster that gets them") from None
                except (self._dask.CancelledError, self._dask.comm.CommClosedError) as error:
                    raise RunFailed(f"the cluster at {self.address} is gone: {error}") from None
                waiting.popleft()
                yield lines

    def _client(self, stack: ExitStack) -> Any:
        address: Any = self.address
        if address == LOCAL:
            cluster = self._dask.LocalCluster(n_workers=self.workers, threads_per_worker=1, dashboard_address=None)
            address = stack.enter_context(cluster)
        try:
            client = stack.enter_context(self._dask.Client(address, timeout=WAIT))
        except (OSError, ValueError) as error:
            what = f"no Dask scheduler answers at {self.address!r}: {error}; write tcp://host:port, or local"
            raise InputError(what) from None
        try:
            client.wait_for_workers(1, timeout=WAIT)
        except self._dask.TimeoutError:
            raise InputError(f"the Dask cluster at {self.address!r} has no workers") from None
        return client


def _clean_up(client: Any, waiting: Iterable[Any]) -> None:
    """Take back what is not done, and end the engines; a cluster that is gone has nothing to clean up."""
    with suppress(Exception):
        client.cancel(list(waiting))
        client.run(close_sessions)
