"""``satdip verify``: check a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.cli.common import echo_json, json_option, read_input, timeout_option
from satdip.cli.door import put
from satdip.cli.exits import DIFFERENT, DONE

if TYPE_CHECKING:
    from satdip.base.budget import Budget


@click.command(name="verify")
@click.argument("file", metavar="CERT|-")
@timeout_option
@json_option
@click.pass_context
def command(ctx: click.Context, file: str, budget: Budget, as_json: bool) -> None:  # noqa: ARG001 -- the alarm is enough
    """Check a certificate that `satdip certify` wrote, with none of the code that made it.

    Every order is judged and every equation evaluated again, and every refutation is replayed. Exit code 1 when
    something does not hold: one sentence says what; 4 when the time was not enough to say either.

    \b
    Example:
      satdip certify examples/pandin.txt -o pandin.json
      satdip verify pandin.json
    """
    from satdip.verifier import LARGEST, verify

    text, source = read_input(file, LARGEST)
    try:
        verdict = verify(text)
    except InputError as error:
        raise error.at(source=source) from None
    if as_json:
        echo_json(verdict.to_json())
    else:
        put(str(verdict))
    ctx.exit(DONE if verdict.valid else DIFFERENT)
