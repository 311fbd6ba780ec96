"""The command line of the tools: ``python -m tools``."""

from __future__ import annotations

from pathlib import Path

import click

from tools.geometry.command import geometry
from tools.slips.command import slips


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def tools() -> None:
    """What makes and checks the files that are shipped, and the tests."""


@tools.command()
def catalogue() -> None:
    """Bring the message catalogues up to date and compile them (needs babel)."""
    from tools import catalogue as maker

    maker.write_all()


@tools.command()
def prepared() -> None:
    """Work out again what shipped texts amount to: maps, lexicons, the grammar."""
    from tools import prepared as maker

    maker.write()


@tools.command("rules-page")
def rules_page() -> None:
    """Write the lists of docs/rules.md that follow from the program."""
    from tools import rules_page as maker

    maker.write()


@tools.command("datc-facts")
@click.argument("cases", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def datc_facts(cases: Path) -> None:
    """Write the table of test cases from the corpus beside the project (CASES: its cases.json)."""
    from tools import datc_facts as maker

    maker.write(cases)


@tools.command()
def pictures() -> None:
    """Draw the pictures of the documentation."""
    from tools import pictures as maker

    maker.write()


@tools.command()
def notebook() -> None:
    """Write and run the notebook (needs nbformat, nbclient and ipykernel)."""
    from tools import notebook as maker

    maker.write()


tools.add_command(geometry)
tools.add_command(slips)

if __name__ == "__main__":
    tools(prog_name="python -m tools")
