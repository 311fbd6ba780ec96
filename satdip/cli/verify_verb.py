"""``satdip verify``: check a certificate."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from satdip.cli.common import echo_json, json_option
from satdip.cli.exits import DIFFERENT, DONE
from satdip.errors import InputError, Where
from satdip.messages import Message


@click.command(name="verify")
@click.argument("file", metavar="CERT|-")
@json_option
@click.pass_context
def command(ctx: click.Context, file: str, as_json: bool) -> None:
    """Check a certificate that `satdip certify` wrote, with none of the code that made it.

    Every order is judged and every equation evaluated again, and every refutation is replayed. Exit code 1 when
    something does not hold: one sentence says what.

    \b
    Example:
      satdip certify examples/pandin.txt -o pandin.json
      satdip verify pandin.json
    """
    from satdip.verify import verify

    text, source = _read(file)
    try:
        verdict = verify(text)
    except InputError as error:
        raise error.at(source=source) from None
    if as_json:
        echo_json(verdict.to_json())
    else:
        click.echo(str(verdict))
    ctx.exit(DONE if verdict.valid else DIFFERENT)


def _read(name: str) -> tuple[bytes, str]:
    """Return what a file or standard input holds, no more than shows that it is too large."""
    from satdip.verify import LARGEST

    if name == "-":
        return sys.stdin.buffer.read(LARGEST + 1), Message("standard input")
    try:
        with Path(name).open("rb") as file:
            return file.read(LARGEST + 1), name
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(Message("the file cannot be read: {reason}", reason=reason), Where(name)) from None
