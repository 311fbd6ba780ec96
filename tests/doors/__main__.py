"""Runs many cases: ``python -m tests.doors --cases 200000 --seed 1``."""

from __future__ import annotations

import faulthandler
import re
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import click

from .case import Case
from .judging import Outcome, faults
from .running import House
from .verbs import VERBS, case

HANGING = 120


def drawn(seed: int, number: int, verb: str | None, *, alone: bool) -> Case:
    """Return the case of a seed and a number."""
    return case(Random(f"{seed}/{number}/{verb or ''}"), verb, alone=alone)


@click.command()
@click.option("--cases", "count", type=click.IntRange(1), default=1000, show_default=True, help="How many cases.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where chance begins.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="The number of the first case.")
@click.option("--only", type=click.IntRange(0), help="Only the case of this number, with all that it printed.")
@click.option("--verb", type=click.Choice(sorted(VERBS)), help="Only this verb.")
@click.option("--processes", is_flag=True, help="Each case as a process of its own.")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("doors-found"),
    show_default=True,
    help="Where to keep the cases that fail.",
)
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="Cases to keep of a kind of fault.")
def run(
    count: int, seed: int, first: int, only: int | None, verb: str | None, processes: bool, keep: Path, most: int
) -> None:
    """Drive the command line with mutated input. Exit code 1 when a case fails.

    A case is told by its number, as long as the corpus and the generators are the same: --seed 1 --only 4711 runs it
    again.
    """
    with House() as house:
        if only is not None:
            chosen = drawn(seed, only, verb, alone=processes)
            outcome = house.start(chosen) if processes else house.run(chosen)
            _show(chosen, outcome)
            sys.exit(1 if faults(chosen, outcome) else 0)
        failed, codes, verbs, slowest, largest = Counter[str](), Counter[str](), Counter[str](), (0.0, 0), (0, 0)
        begun = time.monotonic()
        for number in range(first, first + count):
            chosen = drawn(seed, number, verb, alone=processes)
            faulthandler.dump_traceback_later(HANGING, exit=True)
            outcome = house.start(chosen) if processes else house.run(chosen)
            faulthandler.cancel_dump_traceback_later()
            codes[str(outcome.code)] += 1
            verbs[chosen.verb or "satdip"] += 1
            slowest, largest = max(slowest, (outcome.seconds, number)), max(largest, (outcome.size, number))
            if found := faults(chosen, outcome):
                kind = re.sub(r"[\d.]+ (seconds|MB)", r"long: \1", f"{chosen.verb}: {found[0]}")
                kind = re.sub(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|\b\d+\b", "_", kind)[:160]
                failed[kind] += 1
                if failed[kind] == 1:
                    click.echo(f"{number}: {'; '.join(found)}\n{chosen}\n")
                if failed[kind] <= most:
                    chosen.keep(keep / f"{seed}-{number}", found)
            if sys.stderr.isatty() and not number % 50:
                click.echo(f"\r{number - first:,} of {count:,}", nl=False, err=True)
    for kind, times in failed.most_common():
        click.echo(f"{times:6}  {kind}")
    minutes = (time.monotonic() - begun) / 60
    click.echo(f"{count:,} cases in {minutes:.1f} minutes, {failed.total():,} failed in {len(failed)} ways")
    click.echo(f"exit codes: {_listed(codes)}\nverbs: {_listed(verbs)}")
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    click.echo(f"the process that tried them held {held} MB at most")
    click.echo(f"longest: {slowest[0]:.2f} s (case {slowest[1]}); largest: {largest[0] >> 20} MB (case {largest[1]})")
    sys.exit(1 if failed else 0)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name}: {count:,}" for name, count in sorted(counts.items()))


def _show(chosen: Case, outcome: Outcome) -> None:
    click.echo(f"{chosen}\n\nexit code {outcome.code}, {outcome.seconds:.2f} s, {outcome.size >> 20} MB")
    for name, text in (("standard output", outcome.out), ("standard error", outcome.err), ("raised", outcome.raised)):
        if text:
            click.echo(f"--- {name}\n{text}")
    for fault in faults(chosen, outcome):
        click.echo(f"*** {fault}")


if __name__ == "__main__":
    run()
