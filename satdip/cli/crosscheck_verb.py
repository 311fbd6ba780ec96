"""``satdip crosscheck``: other adjudicators beside satdip."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.base.files import write_files
from satdip.base.printable import shown
from satdip.cli.common import COUNT, MANY, PROCESSES, SECONDS, Seconds, echo_json, json_option
from satdip.cli.door import put
from satdip.cli.exits import DIFFERENT, DONE, INCOMPLETE

if TYPE_CHECKING:
    from satdip.crosschecking.runs import Executor
    from satdip.crosschecking.summary import Crosscheck


@click.command(name="crosscheck")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("--engine", "engines", metavar="E", multiple=True, required=True, help="Whom to ask; may be repeated.")
@click.option("--rules", metavar="NAME", help="The rulebook; by default the one that a record names, else the DATC's.")
@click.option("--limit", type=COUNT, metavar="N", help="At most N phases of each source.")
@click.option("--output", type=click.Path(dir_okay=False), metavar="FILE.jsonl", help="Where to keep the results.")
@click.option("--resume", is_flag=True, help="Go on with the results in --output.")
@click.option("--report", type=click.Path(dir_okay=False), metavar="FILE.html", help="Write a report with pictures.")
@click.option("--jobs", type=PROCESSES, default=1, show_default=True, help="How many processes to use.")
@click.option("--dask", metavar="ADDRESS", help="Use the cluster of a Dask scheduler, as in tcp://host:8786.")
@click.option(
    "--timeout-per-phase", type=SECONDS, metavar="SECONDS", default=10.0, show_default=True, help="For an answer."
)
@click.option(
    "--give-up",
    type=click.IntRange(0, MANY),
    metavar="N",
    default=5,
    show_default=True,
    help="Give an engine up after N starts in a row without an answer; 0 for never.",
)
@click.option(
    "--minimise",
    type=Seconds(min=0),
    metavar="SECONDS",
    default=60.0,
    show_default=True,
    help="How long each example may be made smaller; 0 for not at all.",
)
@json_option
@click.option("--quiet", is_flag=True, help="No progress on standard error.")
@click.pass_context
def command(
    ctx: click.Context,
    sources: tuple[str, ...],
    engines: tuple[str, ...],
    rules: str | None,
    limit: int | None,
    output: str | None,
    resume: bool,
    report: str | None,
    jobs: int,
    dask: str | None,
    timeout_per_phase: float,
    give_up: int,
    minimise: float,
    as_json: bool,
    quiet: bool,
) -> None:
    """Ask other adjudicators about many phases; explain, group and minimise where they disagree with satdip.

    An engine is diplomacy, pydip, satdip:RULES, recorded:NAME or command:PROGRAM (docs/engines.md). A SOURCE is a file
    of phase records or saved games (JSON lines, gzip too), datc for the test cases, or random:KIND:COUNT[:SEED].

    \b
    Examples:
      satdip crosscheck --engine diplomacy --engine pydip datc
      satdip crosscheck --engine recorded:godip peers.jsonl.gz --report godip.html
      satdip crosscheck --engine pydip random:dense:100000 --jobs 4 --output run.jsonl

    Exit code 1 when an engine disagrees or fails, or satdip itself fails on a phase; 4, with what is known so far,
    when interrupted.
    """
    from satdip.crosschecking.checking import check

    if resume and output is None:
        raise InputError("--resume goes on with the results of --output, which is not given")
    if report is not None:
        _check_place(report)
    with _interrupted_by_termination():
        found = check(
            sources,
            engines,
            output,
            rules=rules,
            limit=limit,
            resume=resume,
            executor=_executor(jobs, dask),
            seconds_per_phase=timeout_per_phase,
            most_starts=give_up or None,
            seconds_to_minimise=minimise,
            tell=_nobody if quiet else _on_standard_error,
            quiet=quiet,
        )
    _print(found, as_json)
    if report is not None:
        _write_report(found, report)
    ctx.exit(INCOMPLETE if not found.complete else DIFFERENT if found.differ else DONE)


@contextmanager
def _interrupted_by_termination() -> Iterator[None]:
    """Take SIGTERM for an interrupt: ended at once, the command would leave its engines behind."""
    if current_thread() is not main_thread():
        yield
        return

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _executor(jobs: int, dask: str | None) -> Executor:
    from satdip.crosschecking.runs import Cluster, Processes, Serial

    if dask is not None:
        return Cluster(dask, jobs if jobs > 1 else None)
    return Processes(jobs) if jobs > 1 else Serial()


def _print(found: Crosscheck, as_json: bool) -> None:
    from satdip.cli.terminal import console

    if as_json:
        echo_json(found.to_json())
    else:
        console().print(found)


def _check_place(report: str) -> None:
    """Refuse a report that could not be written, before anything is done for it."""
    if not Path(report).resolve().parent.is_dir():
        raise InputError(f"--report: there is no folder for {report}")


def _write_report(found: Crosscheck, report: str) -> None:
    from satdip.crosschecking.report import html_report

    try:
        write_files([(report, html_report(found))])
    except InputError as error:
        raise InputError(f"--report: {error}") from None


def _on_standard_error(sentence: str) -> None:
    put(f"satdip: {shown(sentence)}", err=True)


def _nobody(_: str) -> None:
    """Tell nobody."""
