"""The terminal: a rich console that stays readable in a pipe."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["console", "counting"]

PIPE_WIDTH = 120


def console() -> Console:
    """Return a console for standard output; in a pipe it is wide and plain."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def counting(what: str, *, quiet: bool = False) -> Progress:
    """Return a progress bar on standard error; it shows only on a terminal."""
    err = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True)
