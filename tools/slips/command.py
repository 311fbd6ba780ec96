"""``python -m tools slips``: plant slips one by one, and count those that no test sees."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from random import Random

import click

from tools.slips.hunting import Copy, Verdict, order
from tools.slips.planting import Slip
from tools.slips.table import AREAS, Area, all_slips, equivalents, kills, known, note


@click.command()
@click.option(
    "--area", "names", type=click.Choice(sorted(AREAS)), multiple=True, help="A part of the code; by default all."
)
@click.option("--file", "files", metavar="FILE", multiple=True, help="Only slips in this source file.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only so many, drawn by their names.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("slips.jsonl"),
    show_default=True,
    help="Keeps what became of each; a run goes on with it.",
)
@click.option(
    "--quick", is_flag=True, help="Only the quick tests; without it, what lived through them meets the others."
)
@click.option("--again", is_flag=True, help="Try those once more that lived.")
@click.option("--no-trial", is_flag=True, help="Do not run the tests without any slip first.")
@click.option(
    "--jobs", type=click.IntRange(1, 2), default=1, show_default=True, help="How many copies of the project to use."
)
@click.option("--list", "only_list", is_flag=True, help="List the slips, and plant none.")
def slips(
    names: tuple[str, ...],
    files: tuple[str, ...],
    sample: int | None,
    seed: int,
    results: Path,
    quick: bool,
    again: bool,
    no_trial: bool,
    jobs: int,
    only_list: bool,
) -> None:
    """Plant slips of the pen one by one: operators, negations, comparisons, constants. The tests must see each.

    Exit code 1 when one lives that tools/slips/equivalent.toml does not list; 4 when interrupted: the same command
    goes on then.
    """
    chosen = [(area, slip) for area in (AREAS[name] for name in names or AREAS) for slip in all_slips(area)]
    chosen = [(area, slip) for area, slip in chosen if not files or slip.file in files]
    if sample is not None and sample < len(chosen):
        chosen = [chosen[index] for index in sorted(Random(seed).sample(range(len(chosen)), sample))]
    excused = equivalents()
    if only_list:
        for area, slip in chosen:
            click.echo(f"{area.name}: {slip}{' (equivalent)' if slip in excused else ''}")
        click.echo(f"{len(chosen):,} slips, {sum(slip in excused for _, slip in chosen):,} of them equivalent")
        return
    verdicts = known(results)
    if again:
        verdicts = {slip: verdict for slip, verdict in verdicts.items() if not verdict.lived}
    due = [
        (area, slip)
        for area, slip in chosen
        if slip not in excused
        and (slip not in verdicts or (verdicts[slip].lived and not verdicts[slip].thorough and not quick))
    ]
    complete = _hunt(due, verdicts, results, jobs, quick=quick, trial=not no_trial)
    found = {slip: verdicts.get(slip) for _, slip in chosen if slip not in excused}
    sys.exit(_told(found, len(chosen), complete=complete))


def _hunt(
    due: list[tuple[Area, Slip]], verdicts: dict[Slip, Verdict], results: Path, jobs: int, *, quick: bool, trial: bool
) -> bool:
    """Plant the slips, after a trial without any, and return whether all were planted."""
    if not due:
        return True
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="slips-"))
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(min(jobs, len(due))):
            place = Path(folder) / str(number)
            place.mkdir()
            copies.put(stack.enter_context(closing(Copy(place))))
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        if trial:
            first = copies.get()
            _try_without({area.name: area for area, _ in due}.values(), first, quick=quick)
            copies.put(first)

        def one(area: Area, slip: Slip) -> None:
            tests: list[str] = [] if slip in verdicts else order(slip, area.quick, kills(verdicts))
            if not quick:
                tests += order(slip, area.thorough, kills(verdicts))
            copy = copies.get()
            try:
                verdict = Verdict(slip, copy.killer(slip, tests), not quick)
            finally:
                copies.put(copy)
            verdicts[slip] = verdict
            note(results, verdict)
            if verdict.lived:
                click.echo(f"lived: {slip}")
            if sys.stderr.isatty():
                click.echo(f"\r{sum(s in verdicts for _, s in due):,} of {len(due):,}", nl=False, err=True)

        waiting = [pool.submit(one, area, slip) for area, slip in due]
        try:
            for future in waiting:
                future.result()
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
            return False
    return True


def _try_without(areas: Iterable[Area], copy: Copy, *, quick: bool) -> None:
    for area in areas:
        if failing := copy.failing(area.quick if quick else (*area.quick, *area.thorough)):
            raise click.ClickException(f"the tests of {area.name} fail without any slip: {failing}")


def _told(found: dict[Slip, Verdict | None], chosen: int, *, complete: bool) -> int:
    """Print the counts, and return the exit code."""
    killers = Counter(verdict.killer.split("::")[0] for verdict in found.values() if verdict and not verdict.lived)
    lived = [slip for slip, verdict in found.items() if verdict and verdict.lived]
    planted = sum(verdict is not None for verdict in found.values())
    for name, count in killers.most_common():
        click.echo(f"{count:6}  {name}")
    click.echo(
        f"{chosen:,} slips: {chosen - len(found):,} equivalent (tools/slips/equivalent.toml), {planted:,} planted, "
        f"{killers.total():,} seen, {len(lived):,} lived"
    )
    for slip in lived:
        click.echo(f"lived: {slip}")
    if not complete or planted < len(found):
        return 4
    return 1 if lived else 0
