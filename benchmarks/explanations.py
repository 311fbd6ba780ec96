"""How large explanations are and how long they take: every order of the test cases, and of random phases.

Usage: ``python benchmarks/explanations.py [--write]``; ``--write`` puts the table into benchmarks/README.md.

Times are told as multiples of adjudicating the same phase in the same run: only ratios mean something.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pages import README, markdown, write
from phases import dense_phases, random_phases

from satdip.adjudication import adjudicate_turn
from satdip.datc import cases
from satdip.datc.run import run_case
from satdip.lab.explain import explain_all
from satdip.notation import read_record
from satdip.phase.turn import Turn
from satdip.rulebook import DATC


@dataclass
class Measured:
    """Sizes in orders, times as multiples of adjudicating the phase."""

    sizes: list[int]
    ratios: list[float]
    smallest: int = 0


def measure(turns: Iterable[Turn]) -> Measured:
    """Explain every order of some phases."""
    found = Measured([], [])
    for turn in turns:
        start = time.perf_counter()
        adjudicate_turn(turn, DATC)
        adjudicated = time.perf_counter() - start
        start = time.perf_counter()
        for explanation in explain_all(turn, DATC):
            end = time.perf_counter()
            found.sizes.append(len(explanation.orders))
            found.ratios.append((end - start) / adjudicated)
            found.smallest += explanation.smallest
            start = time.perf_counter()
    return found


def test_cases() -> Iterator[Turn]:
    """Yield the phases of the test cases."""
    for case in cases():
        yield from (resolution.turn for resolution in run_case(case).resolutions)


def table() -> str:
    """Measure and return the table as Markdown."""
    columns = ["phases", "orders explained", "certainly smallest", "orders needed, average", "at most"]
    columns += ["one explanation : adjudicating the phase, average", "worst"]
    rows = list[list[object]]()
    measure(islice(test_cases(), 5))  # loads what is loaded late
    sources = {
        "test cases": test_cases(),
        "random, 34 units": (read_record(record) for record in random_phases(100)),
        "dense": (read_record(record) for record in dense_phases(300)),
    }
    for name, turns in sources.items():
        found = measure(turns)
        number = len(found.sizes)
        cells = [number, found.smallest, f"{sum(found.sizes) / number:.2f}", max(found.sizes)]
        cells += [f"{sum(found.ratios) / number:.1f}x", f"{max(found.ratios):.0f}x"]
        rows.append([name, *cells])
    return markdown(columns, rows)


def main() -> None:
    """Print the table, or write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    options = parser.parse_args()
    found = table()
    print(found)
    if options.write:
        write(README, "explanations", found)


if __name__ == "__main__":
    main()
