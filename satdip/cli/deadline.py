"""``--timeout``: a budget for what looks at the clock, and an alarm for what does not."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from satdip.base.budget import Alarm, Budget

__all__ = ["limited"]

LATE = 0.15
"""Seconds after its time until a command is interrupted: what looks at the clock has ended by itself by then."""

AGAIN = 1.0
"""Seconds from then until it is interrupted once more: what is known has long been told by then."""

PART = 0.1
"""Both as parts of the time, for longer times."""

SOON = 0.01
"""Seconds until it is interrupted where it cannot be now."""

IMPORTING = "<frozen importlib"

LONGEST = 1e8
"""Seconds, some years: an alarm cannot be set for much longer."""


@contextmanager
def limited(seconds: float | None) -> Iterator[Budget]:
    """Limit the time of a block, whatever it does.

    Reading, checking and telling do not look at the clock, and need not. The alarm rings a second time for a block
    that does not come to an end after the first. Where the platform has no alarms there is the budget alone.

    Args:
        seconds: how long it may take, by the clock on the wall; None for no limit.

    Raises:
        Alarm: the time is used up, and was not noticed in the block.
    """
    budget = Budget.of(seconds)
    has_alarm = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not has_alarm:
        yield budget
        return
    late, again = max(LATE, PART * seconds), min(max(AGAIN, PART * seconds), LONGEST)

    def ring(_number: int, frame: FrameType | None) -> None:
        """Interrupt what is going on; within an import, where other exceptions are made of it, a moment later."""
        if _is_importing(frame):
            signal.setitimer(signal.ITIMER_REAL, SOON, again)
        else:
            raise Alarm

    def unheard(raised: sys.UnraisableHookArgs) -> None:
        """Let an alarm ring again that rang where nothing can be raised, as while an object dies."""
        if raised.exc_type is Alarm:
            signal.setitimer(signal.ITIMER_REAL, SOON, again)
        else:
            unraisable(raised)

    before, unraisable = signal.signal(signal.SIGALRM, ring), sys.unraisablehook
    sys.unraisablehook = unheard
    signal.setitimer(signal.ITIMER_REAL, min(seconds + late, LONGEST), again)
    try:
        yield budget
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = unraisable


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None and not frame.f_code.co_filename.startswith(IMPORTING):
        frame = frame.f_back
    return frame is not None
