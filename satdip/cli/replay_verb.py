"""``satdip replay``: recorded games."""

from __future__ import annotations

from collections import Counter

import click

from satdip.base.budget import Budget, OutOfTime
from satdip.base.printable import shown
from satdip.cli.common import MANY, chosen_rules, echo_json, json_option, rules_option, tell_incomplete, timeout_option
from satdip.cli.door import put
from satdip.cli.exits import DIFFERENT, DONE, INCOMPLETE
from satdip.games.replay import Comparison


@click.command(name="replay")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@json_option
@rules_option
@click.option(
    "--limit", type=click.IntRange(0, MANY), default=None, help="Keep at most so many differences in the output."
)
@timeout_option
@click.option("--quiet", is_flag=True, help="No progress on standard error.")
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    as_json: bool,
    rules: str | None,
    limit: int | None,
    budget: Budget,
    quiet: bool,
) -> None:
    """Replay recorded phases (JSON lines, gzip too) and compare the next positions.

    A phase agrees when the next units, the dislodged or removed units and, after autumn, the centres are those
    recorded. Unknown maps are skipped; retreat records without their movement record are unchecked. Exit code 1 when
    a phase differs; 4, with what is known so far, when interrupted or out of time.
    """
    from satdip.cli.terminal import counting
    from satdip.games.replay import Verdict, replay_file

    rulebook = chosen_rules(rules)
    counts: Counter[Verdict] = Counter()
    differences: list[Comparison] = []
    stopped: BaseException | None = None
    try:
        with counting("phases", quiet=quiet) as progress:
            task = progress.add_task("phases", total=None)
            for file in files:
                for comparison in replay_file(file, rulebook):
                    counts[comparison.verdict] += 1
                    if comparison.verdict == Verdict.DIFFER:
                        differences.append(comparison)
                    progress.advance(task)
                    budget.check()
    except (OutOfTime, KeyboardInterrupt) as interrupt:
        stopped = interrupt
    listed = differences if limit is None else differences[:limit]
    summary: dict[str, object] = {"phases": counts.total()}
    summary |= {str(verdict): counts[verdict] for verdict in Verdict}
    if as_json:
        echo_json(summary | {"complete": stopped is None, "differences": [_json(c) for c in listed]})
    else:
        put(", ".join(f"{name}: {count}" for name, count in summary.items()))
        for c in listed:
            put(shown(f"{c.source}, line {c.line}: {c.game} {c.phase} differs"))
            for name, both in c.details.items():
                put(shown(f"  {name}: recorded {_short(both['recorded'])}, satdip {_short(both['satdip'])}"))
        tell_incomplete(stopped)
    ctx.exit(INCOMPLETE if stopped else DIFFERENT if counts[Verdict.DIFFER] else DONE)


def _json(comparison: Comparison) -> dict[str, object]:
    return {
        "source": comparison.source,
        "line": comparison.line,
        "game": comparison.game,
        "phase": comparison.phase,
        **comparison.details,
    }


def _short(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {', '.join(map(str, v)) if isinstance(v, list) else v}" for key, v in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
