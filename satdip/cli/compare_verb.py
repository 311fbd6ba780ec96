"""``satdip compare``: rulebooks side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.cli.common import PROCESSES, echo_json, json_option, read_input, tell_remarks, timeout_option
from satdip.cli.exits import DIFFERENT, DONE, INCOMPLETE

if TYPE_CHECKING:
    from satdip.base.budget import Budget
    from satdip.phase.turn import Turn
    from satdip.rulebook import Rulebook


@click.command(name="compare")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--rules", "names", metavar="NAME", multiple=True, help="A rulebook; give the option twice or more often."
)
@click.option("--all", "everything", is_flag=True, help="Show also what is the same under all of them.")
@json_option
@timeout_option
@click.option("--jobs", type=PROCESSES, default=1, show_default=True, help="How many processes to use.")
@click.option("--quiet", is_flag=True, help="No progress on standard error.")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    names: tuple[str, ...],
    everything: bool,
    as_json: bool,
    budget: Budget,
    jobs: int,
    quiet: bool,
) -> None:
    """Compare what rulebooks make of the same orders, and name the choices that make the difference.

    One FILE with one phase (an order sheet, a phase record; - is standard input) gives the outcomes side by side.
    JSON lines, gzip too, or several files give a table: how often the rulebooks differ, by which choices, and the
    smallest position that shows each kind of difference.

    \b
    Examples:
      satdip compare examples/paradox.txt --rules 1971 --rules datc+4.A.2=d
      satdip compare games.jsonl.gz --rules 1971 --rules 1982 --rules 2023

    Exit code 1 when rulebooks differ; 4, with what is known so far, when interrupted or out of time.
    """
    from satdip.lab.compare.reading import read_file
    from satdip.phase.turn import Turn

    books = _rulebooks(names)
    if len(files) == 1:
        found = _standard_input() if files[0] == "-" else read_file(files[0])
        if isinstance(found, Turn):
            tell_remarks((*found.remarks, *found.corrections))
            ctx.exit(_one_phase(found, books, files[0], everything=everything, as_json=as_json))
    ctx.exit(_corpus(files, books, budget, jobs, quiet=quiet, everything=everything, as_json=as_json))


def _rulebooks(names: tuple[str, ...]) -> tuple[Rulebook, ...]:
    from satdip.lab.compare.phase import chosen_rulebooks

    try:
        return chosen_rulebooks(names)
    except InputError as error:
        raise error.at(source="--rules") from None


def _standard_input() -> Turn:
    from satdip.notation import read_turn

    text, source = read_input("-")
    return read_turn(text, source=source)


def _one_phase(turn: Turn, books: tuple[Rulebook, ...], source: str, *, everything: bool, as_json: bool) -> int:
    from satdip.cli.terminal import console
    from satdip.lab.compare.phase import compare

    try:
        found = compare(turn, books)
    except InputError as error:
        raise error.at(source=source) from None
    if as_json:
        echo_json(found.to_json())
    else:
        console().print(found.show(all_orders=everything))
    return DIFFERENT if found.differ else DONE


def _corpus(
    files: tuple[str, ...],
    books: tuple[Rulebook, ...],
    budget: Budget,
    jobs: int,
    *,
    quiet: bool,
    everything: bool,
    as_json: bool,
) -> int:
    from satdip.cli.terminal import console, counting
    from satdip.lab.compare.corpus import compare_corpus

    with counting("compared", quiet=quiet) as bar:
        task = bar.add_task("phases", total=None)

        def progress(what: str, done: int, of: int | None) -> None:
            bar.update(task, description=what, completed=done, total=of)

        found = compare_corpus(files, books, budget=budget, jobs=jobs, progress=progress)
    if as_json:
        echo_json(found.to_json())
    else:
        console().print(found.show(all_pairs=everything))
    return INCOMPLETE if not found.complete else DIFFERENT if found.differ else DONE
