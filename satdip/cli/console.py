"""The console that the command line writes to."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console

__all__ = ["Output"]


class Output(Console):
    """A console that leaves it to the command line what to do when the reader of a pipe went away."""

    def on_broken_pipe(self) -> NoReturn:
        """Leave it to the command line."""
        raise BrokenPipeError
