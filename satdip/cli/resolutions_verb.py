"""``satdip resolutions``: every consistent resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.cli.common import COUNT, echo_json, json_option, map_option, one_phase, rules_option, timeout_option
from satdip.cli.door import put
from satdip.cli.exits import DONE, INCOMPLETE

if TYPE_CHECKING:
    from collections.abc import Callable

    from satdip.base.budget import Budget
    from satdip.board import Board


@click.command(name="resolutions")
@click.argument("file", metavar="FILE|-")
@click.option("--limit", type=COUNT, default=16, show_default=True, help="How many to list, at most.")
@rules_option
@map_option
@timeout_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    limit: int,
    rules: str | None,
    boards: Callable[[str], Board],
    budget: Budget,
    as_json: bool,
) -> None:
    """Find every consistent resolution of the orders in FILE, before any backup rule for paradoxes.

    Units in a ring may all move or all stay here. The kinds: unique; rotation; paradox-none (no resolution);
    paradox-several; mixed. The number is exact above the limit where the knots are independent.

    \b
    Example:
      satdip resolutions examples/pandin.txt
    """
    from satdip.lab import resolutions

    turn, rulebook, source = one_phase(file, rules, boards)
    try:
        found = resolutions(turn, rulebook, limit, budget)
    except InputError as error:
        raise error.at(source=source) from None
    if as_json:
        echo_json(found.to_json())
    else:
        put(str(found))
    ctx.exit(DONE if found.complete else INCOMPLETE)
