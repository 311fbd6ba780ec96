"""``satdip fuzz``: satdip against its own checks, on random phases."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.cli.common import COUNT, PROCESSES, echo_json, json_option, timeout_option
from satdip.cli.door import put
from satdip.cli.exits import DIFFERENT, DONE, INCOMPLETE

if TYPE_CHECKING:
    from satdip.base.budget import Budget
    from satdip.crosschecking.engines import Difference
    from satdip.crosschecking.fuzz import Checking, Finding, Report
    from satdip.crosschecking.runs import ResultStore

ALL = "all"
FOR_PHASES = 0.8
"""The part of a time limit that is for the phases; the rest is for making findings small."""


@click.command(name="fuzz")
@click.option("--kind", "kinds", metavar="KIND", multiple=True, help="A kind of phase; by default all take turns.")
@click.option("--count", type=COUNT, default=1000, show_default=True, help="How many phases.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of the first one.")
@click.option("--check", "names", metavar="NAME", multiple=True, help="A check; by default all of them.")
@click.option("--rules", metavar="NAME", multiple=True, default=("datc",), help="A rulebook, all or choices.")
@click.option("--jobs", type=PROCESSES, default=1, show_default=True, help="How many processes to use.")
@click.option("--output", type=click.Path(dir_okay=False), help="Keep the results of all phases in this file.")
@click.option("--resume", is_flag=True, help="Go on with the run whose results the file holds.")
@click.option("--quiet", is_flag=True, help="No progress on standard error.")
@json_option
@timeout_option
@click.pass_context
def command(
    ctx: click.Context,
    kinds: tuple[str, ...],
    count: int,
    seed: int,
    names: tuple[str, ...],
    rules: tuple[str, ...],
    jobs: int,
    output: str | None,
    resume: bool,
    quiet: bool,
    as_json: bool,
    budget: Budget,
) -> None:
    """Adjudicate random phases in several ways that must agree: satdip checks itself.

    Each disagreement is made as small as possible and printed as a phase record. KIND is uniform, coherent, dense,
    wanted, slips, retreats, winter or all; docs/fuzz.md lists the checks. A kind and a seed give the same phase always.
    --rules all is every edition, --rules choices the DATC's preferences with every other answer to a single issue.

    \b
    Examples:
      satdip fuzz --count 2000
      satdip fuzz --kind dense --kind slips --rules all --jobs 4 --output fuzz.jsonl
      satdip fuzz --check certificate --check folding --count 1000000 --timeout 600

    Exit code 1 when anything disagrees or satdip fails on a phase; 4, with what is known so far, when interrupted or
    out of time.
    """
    from satdip.crosschecking.fuzz import Checking, Phases, Report, checks_named, chosen_rules, kinds_named
    from satdip.crosschecking.runs import ConsoleProgress, Processes, Serial, Silent, read_results, run

    if resume and output is None:
        raise InputError("--resume goes on with the file of --output, which is missing")
    work = Checking(checks_named(names), chosen_rules(rules))
    chosen = kinds_named([kind for kind in kinds if kind != ALL])
    phases = Phases(chosen if ALL not in kinds else kinds_named(()), seed, count, _most_of(budget))
    parameters = {
        "kinds": list(phases.kinds),
        "seed": seed,
        "checks": [check.name for check in work.checks],
        "rules": [book.name for book in work.rules],
    }
    with _store(output, parameters, work, resume=resume) as store:
        progress = Silent() if quiet else ConsoleProgress()
        summary = run(phases, work, store, Serial() if jobs == 1 else Processes(jobs), progress, count)
        report = Report.of(read_results(store.path)[1], work.checks)
    report.complete = summary.complete and not phases.cut_short
    if summary.reason is not None:
        told = summary.sentence_without_output if output is None else summary.sentence
        put(f"satdip: {told}", err=True)
    else:
        work.minimise(report, budget)
    if as_json:
        echo_json(report.to_json())
    else:
        _show(report)
    ctx.exit(INCOMPLETE if not report.complete else DIFFERENT if report.findings or report.errors else DONE)


def _most_of(budget: Budget) -> Budget:
    from satdip.base.budget import UNLIMITED, Budget

    return UNLIMITED if budget.deadline is None else Budget.of(FOR_PHASES * (budget.deadline - time.monotonic()))


@contextmanager
def _store(output: str | None, parameters: dict[str, object], work: Checking, *, resume: bool) -> Iterator[ResultStore]:
    """Open the file of the results; one that nobody asked for is gone afterwards."""
    from satdip.crosschecking.runs import ResultStore

    with (
        TemporaryDirectory() as folder,
        ResultStore(output or Path(folder) / "results", parameters, resume=resume, check=work.check_result) as store,
    ):
        yield store


# ---------------------------------------------------------------------- text


def _show(report: Report) -> None:
    from rich.table import Table

    from satdip.cli.terminal import console

    table = Table("check", "agree", "disagree", "skipped", title=_phases(report.phases), title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, counts in report.counts.items():
        table.add_row(name, f"{counts.agree:,}", f"{counts.disagree:,}", f"{counts.skipped:,}")
    console().print(table)
    for finding in report.findings.values():
        put("\n" + "\n".join(_told(finding)))
    for error in report.errors:
        put(f"\n{error}")
    if not report.complete:
        put("\nThe run is not complete.")


def _told(finding: Finding) -> Iterator[str]:
    """Tell a finding; its record is on one line, to be pasted."""
    rules = ", ".join(finding.rules)
    yield f"{finding.check} disagrees about {finding.what} on {_phases(finding.phases)}, under {rules}"
    small = finding.smallest
    if small is None:
        yield f"  as on {', '.join(finding.sources)}"
        return
    for difference in small.differences:
        yield f"  {_difference(difference)}"
    how = "" if small.minimal else ", not made as small as possible" if small.differences else ", once and not again"
    yield f"  part of {small.source}{how}:"
    yield json.dumps(small.record)


def _phases(number: int) -> str:
    return english("{number:,} {number:phase|phases}", number=number)


def _difference(difference: Difference) -> str:
    if difference.what == "raised":
        return f"it raises {difference.at}: {' '.join(difference.engine)}"
    ours, other = (", ".join(words) or "nothing" for words in (difference.satdip, difference.engine))
    return f"{' '.join(filter(None, (difference.what, difference.at)))}: {ours}; by the check {other}"
