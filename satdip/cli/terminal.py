"""The terminal: a rich console that stays readable in a pipe."""

from __future__ import annotations

import sys
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["console", "counting"]

PIPE_WIDTH = 120


class _Output(Console):
    """A console that leaves it to the command line what to do when the reader of a pipe went away."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


def console() -> Console:
    """Return a console for standard output; in a pipe it is wide and plain."""
    return _Output(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def counting(what: str, *, quiet: bool = False) -> Progress:
    """Return a progress bar on standard error; it shows only on a terminal."""
    err = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True)
