"""The command line of the tools: ``python -m tools``."""

from __future__ import annotations

import click

from tools.geometry.command import geometry
from tools.slips.command import slips


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def tools() -> None:
    """What makes and checks the files that are shipped, and the tests."""


tools.add_command(geometry)
tools.add_command(slips)

if __name__ == "__main__":
    tools(prog_name="python -m tools")
