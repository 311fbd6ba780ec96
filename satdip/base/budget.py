"""How long a computation may take."""

from __future__ import annotations

import time
from dataclasses import dataclass

__all__ = ["UNLIMITED", "Alarm", "Budget", "OutOfTime"]


class OutOfTime(Exception):  # noqa: N818 -- nothing is wrong: what is known so far still counts
    """The time that a computation was given is used up."""


class Alarm(KeyboardInterrupt):
    """The same, where nobody looked at the clock: an interrupt that came by itself."""

    def __str__(self) -> str:
        return "the time is used up"


@dataclass(frozen=True)
class Budget:
    """A point in time at which a computation stops.

    Args:
        deadline: in seconds on the monotonic clock; None for no limit.
    """

    deadline: float | None = None

    @classmethod
    def of(cls, seconds: float | None) -> Budget:
        """Return a budget that starts now; None for no limit."""
        return UNLIMITED if seconds is None else cls(time.monotonic() + seconds)

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit."""
        return self.deadline is not None

    def check(self) -> None:
        """Go on, or stop.

        Raises:
            OutOfTime: the time is used up.
        """
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise OutOfTime


UNLIMITED = Budget()
