"""satdip beside the ``diplomacy`` package, on the same phases in the same run.

Usage: ``python benchmarks/compare.py [--count N] [--write]``; ``--write`` puts the table into benchmarks/README.md.

Machines are noisy: only the ratios within one run mean anything. Processor time is measured; every phase is run by
both programs in turn, and the best of a few rounds counts.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from phases import Record, dense_phases, game_phases, random_phases

from satdip.adjudication import adjudicate_turn, resolve_movement
from satdip.check import check_movement
from satdip.encodings.situation import Situation
from satdip.movement import decide
from satdip.notation import read_record
from satdip.rulebook import DATC
from satdip.serialise import resolution_to_json, result_record

README = Path(__file__).with_name("README.md")
ROUNDS = 5


@dataclass
class Costs:
    """Microseconds per phase."""

    read: float = 0
    check: float = 0
    link: float = 0
    decide: float = 0
    adjudicate: float = 0
    end_to_end: float = 0
    once: float = 0
    told: float = 0
    process: float = 0
    whole: float = 0


def best(function: Callable[[], object]) -> float:
    """Return the shortest of a few runs, in microseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times) * 1e6


def measure(records: list[Record]) -> Costs:
    """Run both programs on each phase in turn."""
    from diplomacy import Game

    total = Costs(once=_each_once(records))
    for record in records:
        turn = read_record(record)
        checked = check_movement(turn, DATC)
        position = turn.position
        situation = Situation(position.board, position.units, checked.actions)
        total.read += best(lambda record=record: read_record(record))
        total.check += best(lambda turn=turn: check_movement(turn, DATC))
        total.link += best(lambda p=position, c=checked: Situation(p.board, p.units, c.actions))
        total.decide += best(lambda situation=situation: decide(situation))
        total.adjudicate += best(lambda turn=turn, checked=checked: resolve_movement(turn, checked, DATC))
        total.end_to_end += best(lambda record=record: result_record(adjudicate_turn(read_record(record), DATC)))
        total.told += best(lambda record=record: resolution_to_json(adjudicate_turn(read_record(record), DATC)))
        processes, wholes = [], []
        for _ in range(ROUNDS):
            start = time.process_time()
            game = Game()
            game.clear_units()
            for power, units in record["units"].items():
                game.set_units(power, units)
            for power, orders in record["orders"].items():
                game.set_orders(power, orders)
            ready = time.process_time()
            game.process()
            end = time.process_time()
            processes.append(end - ready)
            wholes.append(end - start)
        total.process += min(processes) * 1e6
        total.whole += min(wholes) * 1e6
    return Costs(**{name: value / len(records) for name, value in vars(total).items()})


def _each_once(records: list[Record]) -> float:
    """Return the microseconds for all records one after the other, each once: as in a stream, tables still filling."""
    adjudicate_turn(read_record(records[0]), DATC)  # modules and map are loaded before
    start = time.process_time()
    for record in records:
        result_record(adjudicate_turn(read_record(record), DATC))
    return (time.process_time() - start) * 1e6


def table(count: int) -> str:
    """Measure and return the table as Markdown."""
    columns = ["phases", "read", "check", "link", "decide", "adjudicate", "record to record", "each once"]
    columns += [
        "record to sentences",
        "package `process()`",
        "package whole",
        "ratio, adjudicate : `process()`",
        "ratio, end to end",
    ]
    rows = [f"| {' | '.join(columns)} |", "| --- " * len(columns) + "|"]
    for name, make in (("recorded games", game_phases), ("random, 34 units", random_phases), ("dense", dense_phases)):
        print(f"measuring {name} ...", file=sys.stderr)
        costs = measure(make(count))
        numbers = [f"{value:.0f}" for value in vars(costs).values()]
        ratios = [f"{costs.process / costs.adjudicate:.1f}x", f"{costs.whole / costs.end_to_end:.1f}x"]
        rows.append(f"| {name} | " + " | ".join([*numbers, *ratios]) + " |")
    machine = f"{platform.machine()}, Python {platform.python_version()}, diplomacy {version('diplomacy')}, one thread"
    return "\n".join([*rows, "", f"Microseconds per movement phase; {count} phases each; {machine}."])


def main() -> None:
    """Print the table, or write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="phases of each kind")
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    options = parser.parse_args()
    found = table(options.count)
    print(found)
    if options.write:
        text = README.read_text(encoding="utf-8")
        marked = re.sub(r"(?<=<!-- table -->\n).*?(?=\n<!-- end -->)", lambda _: found, text, flags=re.DOTALL)
        README.write_text(marked, encoding="utf-8")


if __name__ == "__main__":
    main()
