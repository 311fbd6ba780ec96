"""The door through which the command line prints: what came from outside is shown there, never sent raw."""

from __future__ import annotations

import click

from satdip.base.printable import shown_lines

__all__ = ["put"]


def put(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text, on standard error if so wanted; tables go through `satdip.cli.console` instead.

    Args:
        text: the lines; a character that would do more than to be seen is shown as an escape.
        err: print it on standard error.
        nl: end it with a line end.
    """
    click.echo(shown_lines(str(text)), err=err, nl=nl)
