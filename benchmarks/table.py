"""One table of what each step costs, of satdip, of the packages of PyPI and of the solvers of PySAT.

Usage: ``python benchmarks/table.py [--json FILE] [--write]``; ``--write`` puts the table into benchmarks/README.md, in
the place for the satdip that was measured: plain Python or compiled. It runs benchmarks/test_speed.py with
pytest-benchmark, in processor time where a row does not say otherwise; ``--json`` takes the record of a run instead.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pages import README, edition, machine, markdown, write

SPEED = Path(__file__).with_name("test_speed.py")
BASE = "adjudicate"
"""The row that is 1.0x in each column."""
THROUGHPUT = ("record to record", "whole path")
"""Rows with one of these words also tell phases a second."""

Cells = dict[str, dict[str, float]]
"""Row -> kind of phases -> microseconds a phase."""


def run(record: Path) -> None:
    """Run the benchmarks.

    Args:
        record: the file that gets pytest-benchmark's record.

    Raises:
        SystemExit: one of them failed.
    """
    import pytest

    options = ["--benchmark-only", "--benchmark-timer=time.process_time", "--benchmark-columns=min"]
    code = pytest.main([str(SPEED), *options, f"--benchmark-json={record}", "-p", "no:cacheprovider"])
    if code != pytest.ExitCode.OK:
        raise SystemExit(int(code))


def cells(benchmarks: Iterable[Mapping[str, Any]]) -> Cells:
    """Return the microseconds a phase, the least of the rounds, by row and kind in the order in which they ran."""
    found: Cells = {}
    for benchmark in benchmarks:
        about = benchmark["extra_info"]
        found.setdefault(about["row"], {})[about["kind"]] = 1e6 * benchmark["stats"]["min"] / about["phases"]
    return found


def table(found: Cells) -> str:
    """Return them as a table of Markdown: microseconds, and how many times the base row that is."""
    kinds = list(dict.fromkeys(kind for row in found.values() for kind in row))
    rows = []
    for name, row in found.items():
        told = [_told(row[kind], found[BASE][kind], name) if kind in row else "" for kind in kinds]
        rows.append([name, *told])
    return markdown(["microseconds a phase", *kinds], rows)


def _told(cost: float, base: float, name: str) -> str:
    number = f"{cost:.0f}" if cost >= 10 else f"{cost:.1f}"
    ratio = cost / base
    told = f"{number}, {ratio:.1f}x" if ratio >= 0.095 else f"{number}, {ratio:.2f}x"
    return f"{told}, {1e6 / cost:.0f}/s" if any(word in name for word in THROUGHPUT) else told


def main() -> None:
    """Print the table, or write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="the record of a run, instead of a new one")
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        record: Path = options.json or Path(folder) / "benchmarks.json"
        if options.json is None:
            run(record)
        found = cells(json.loads(record.read_text(encoding="utf-8"))["benchmarks"])
    said = f"The least of a few rounds. {machine('python-sat', 'diplomacy', 'pydip', 'pytest-benchmark')}."
    text = f"{table(found)}\n\n{said}"
    print(text)
    if options.write:
        write(README, f"steps, {edition()}", text)


if __name__ == "__main__":
    main()
