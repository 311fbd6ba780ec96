"""``satdip resolutions``: every consistent resolution."""

from __future__ import annotations

import click

from satdip.cli.common import chosen_rules, echo_json, json_option, read_input, rules_option
from satdip.errors import InputError


@click.command(name="resolutions")
@click.argument("file", metavar="FILE|-")
@click.option("--limit", type=click.IntRange(1), default=16, show_default=True, help="How many to list, at most.")
@rules_option
@json_option
def command(file: str, limit: int, rules: str | None, as_json: bool) -> None:
    """Find every consistent resolution of the orders in FILE, before any backup rule for paradoxes.

    Units in a ring may all move or all stay here. The kinds: unique; rotation; paradox-none (no resolution);
    paradox-several; mixed. The number is exact above the limit where the knots are independent.
    """
    from satdip.lab import resolutions
    from satdip.notation import read_turn
    from satdip.rulebook import DATC, rulebook_named

    rulebook = chosen_rules(rules)
    text, source = read_input(file)
    turn = read_turn(text, source=source)
    try:
        found = resolutions(turn, rulebook or rulebook_named(turn.rules or DATC.name), limit)
    except InputError as error:
        raise error.at(source=source) from None
    if as_json:
        echo_json(found.to_json())
    else:
        click.echo(str(found))
