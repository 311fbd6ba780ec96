"""Helpers of the tests: the verbs of the command line, and sheets of orders to give them."""

from __future__ import annotations

import click

from satdip.cli import cli

__all__ = ["OPEN", "SHEET", "VERBS", "has_json"]

SHEET = b"France:\n  A Paris - Burgundy\n  A Marseilles Supports A Paris - Burgundy\nGermany:\n  A Munich - Burgundy\n"

OPEN = b"""
England: F Edinburgh - North Sea; F London Supports F Edinburgh - North Sea
France: A Brest - London; F English Channel Convoys A Brest - London
Germany: F Belgium Supports F Picardy - English Channel; F Picardy - English Channel
Russia: A Norway - Belgium; F North Sea Convoys A Norway - Belgium
"""
"""Two convoys, each of which would cut the support against the other (as in 6.F.22): two consistent resolutions."""


def all_verbs() -> dict[str, click.Command]:
    """Return every verb of the command line, also those within others (``map show``)."""
    context = click.Context(cli)
    found: dict[str, click.Command] = {}
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": command.commands[inner] for inner in sorted(command.commands)}
    return found


VERBS = all_verbs()


def has_json(verb: str) -> bool:
    return any("--json" in option.opts for option in VERBS[verb].params)
