"""The work on a few phases, wherever that is done: here, in another process, on another machine."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import parent_process
from threading import Thread, get_ident
from typing import Any

from satdip.base.errors import InputError
from satdip.base.pools import GRACE
from satdip.crosschecking.runs.failures import error_told
from satdip.crosschecking.runs.phase import LONGEST_RESULT, Opens, Phase, Session, Work

__all__ = ["chunks", "close_sessions", "opened", "result_line", "result_lines", "start_worker"]


@contextmanager
def opened(work: Work) -> Iterator[Session]:
    """Open work, and close it at the end."""
    session = _open(work)
    try:
        yield session
    finally:
        _close(session)


def result_line(session: Session, phase: Phase) -> str:
    """Return the result of a phase as a line of JSON.

    An error of the program's own is a result, too: ``error`` says what happened where, ``record`` is what the phase was
    made of. The run goes on with the next phase.

    Raises:
        InputError: the work says that there is something wrong with what the user gave.
    """
    try:
        return _line({"id": phase.id, **session(phase)})
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 -- whatever is wrong with one phase must not lose the others
        told = {"id": phase.id, "error": error_told(error)}
    try:
        return _line({**told, "record": phase.record})
    except Exception:  # noqa: BLE001 -- the record may be what cannot be written
        return _line(told)


def _line(value: Mapping[str, Any]) -> str:
    line = json.dumps(value, separators=(",", ":"), allow_nan=False) + "\n"
    if len(line) > LONGEST_RESULT:
        raise ValueError(f"the result has more than {LONGEST_RESULT} bytes")
    return line


def chunks(phases: Iterator[Phase], size: int) -> Iterator[tuple[Phase, ...]]:
    """Yield the phases in parcels that are worth sending."""
    while chunk := tuple(islice(phases, size)):
        yield chunk


# ---------------------------------------------------------------------- in a worker


_SESSIONS: dict[int, tuple[Work, Session]] = {}
"""Thread -> what it keeps open between parcels: state of a worker process, because engines are slow to start."""


def result_lines(work: Work, phases: Sequence[Phase]) -> list[str]:
    """Return the results of a parcel of phases as lines; what the work opens stays open for the next parcel."""
    thread = get_ident()
    kept = _SESSIONS.get(thread)
    if kept is None or kept[0] != work:
        if kept is not None:
            _close(kept[1])
        kept = _SESSIONS[thread] = work, _open(work)
    return [result_line(kept[1], phase) for phase in phases]


def close_sessions() -> None:
    """Close what the threads of this process keep open."""
    while _SESSIONS:
        _, (_, session) = _SESSIONS.popitem()
        with suppress(Exception):
            _close(session)


def start_worker() -> None:
    """Prepare a worker process: an interrupt is for the parent to handle, and without the parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _terminated)
    Thread(target=_end_with_parent, daemon=True).start()


def _terminated(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a pool that breaks sends it again, while engines are being closed
    _end()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # so that the main thread ends the engines and starts none again
        time.sleep(GRACE)
        _end()


def _end() -> None:
    """End this process at once, but not before its engines."""
    close_sessions()
    os._exit(1)


def _open(work: Work) -> Session:
    return work.open() if isinstance(work, Opens) else work


def _close(session: Session) -> None:
    close: Any = getattr(session, "close", None)
    if close is not None:
        close()
