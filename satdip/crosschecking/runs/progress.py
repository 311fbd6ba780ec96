"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from satdip.base.messages import english

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

__all__ = ["ConsoleProgress", "Progress", "Silent"]


class Progress(Protocol):
    """Who is told how far a run is."""

    def start(self, total: int | None, done: int) -> None:
        """Begin, with some phases done by earlier runs; `total` is None where nobody has counted."""
        ...

    def advance(self, count: int) -> None:
        """Tell that so many more phases are done."""
        ...

    def stop(self) -> None:
        """End, whether everything is done or not."""
        ...


class Silent:
    """Tells nobody."""

    def start(self, total: int | None, done: int) -> None:
        """Do nothing."""

    def advance(self, count: int) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""


class ConsoleProgress:
    """Tells the phases done, the rate and the time left.

    Args:
        console: where; by default standard error.
        every: seconds between two lines, where the console is no terminal.
    """

    def __init__(self, console: Console | None = None, every: float = 30.0) -> None:
        from rich.console import Console  # loaded late: it is slow

        self._console = console or Console(stderr=True)
        self._every = every
        self._bar: tuple[Bar, TaskID] | None = None
        self._total: int | None = None
        self._before = self._new = self._first = 0
        self._started = self._told = time.monotonic()

    def start(self, total: int | None, done: int) -> None:
        """Begin (see `Progress.start`)."""
        self._total, self._before, self._new, self._first = total, done, 0, 0
        self._told = time.monotonic()
        if self._console.is_terminal:
            from rich.progress import BarColumn, TextColumn
            from rich.progress import Progress as Bar

            bar = Bar(BarColumn(), TextColumn("{task.description}"), console=self._console, transient=True)
            self._bar = bar, bar.add_task(self._sentence(), total=total, completed=done)
            bar.start()

    def advance(self, count: int) -> None:
        """Tell of more phases (see `Progress.advance`)."""
        if not self._first:  # the clock starts here: the engines had to start before
            self._first, self._started = count, time.monotonic()
        self._new += count
        if self._bar is not None:
            bar, task = self._bar
            bar.update(task, advance=count, description=self._sentence())
        elif time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            self._console.print(self._sentence(), highlight=False, soft_wrap=True)

    def stop(self) -> None:
        """End (see `Progress.stop`)."""
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None

    def _sentence(self) -> str:
        """Return ``1,200 of 5,000 phases, 85 a second, 0:00:44 left``; the rate is that of this run alone."""
        done, total = self._before + self._new, self._total
        told = "{done:,} {done:phase|phases}" if total is None else "{done:,} of {total:,} {total:phase|phases}"
        parts = [english(told, done=done, total=total)]
        seconds = time.monotonic() - self._started
        if self._new > self._first and seconds > 0:
            rate = (self._new - self._first) / seconds
            parts.append(f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.1f} a second")
            if total is not None:
                parts.append(f"{timedelta(seconds=round(max(0, total - done) / rate))} left")
        return ", ".join(parts)
