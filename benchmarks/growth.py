"""How cost grows with size, for every hard family.

Usage: ``python benchmarks/growth.py [--most ORDERS] [--seconds S] [--write]``; ``--write`` puts the table into
docs/growth.md and the plot into docs/pictures/growth.svg (it needs matplotlib).

Sizes double until a phase has more than half of ``--most`` orders, or until twice its processor time would be more than
``--seconds``. Every round begins with a new board and a new phase: tables that are filled once do not make small sizes
look cheap. The exponent is the slope of log(time) over log(orders), by least squares over the sizes that take long
enough to measure.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context

from pages import GROWTH, markdown, write

from satdip.adjudication import adjudicate_turn
from satdip.board.seamaps import named
from satdip.check import check_movement
from satdip.encodings.situation import Situation
from satdip.generate import FAMILIES, Family, Instance
from satdip.lab import resolutions
from satdip.notation import read_record, write_record
from satdip.phase.turn import Turn
from satdip.rulebook import DATC
from satdip.solving.formula_of_phase import whole_formula
from satdip.telling.serialise import result_record

PICTURE = GROWTH.parent / "pictures" / "growth.svg"
ROUNDS = 3
LONG = 3.0
"""Seconds from which a round is not repeated: the machine's noise is small beside it."""
SHORTEST = 0.01
"""Seconds below which a measurement says nothing about growth."""
LARGEST_FORMULA = 1000
"""Orders up to which the clauses of the whole formula are counted: they are not needed to adjudicate."""


@dataclass(frozen=True)
class Point:
    """One size of a family.

    Args:
        size: the family's own measure.
        orders: how many orders.
        seconds: processor time of adjudicating, the least of a few rounds.
        whole: processor time from a phase record to the record of the result.
        counting: processor time of counting the consistent resolutions.
        clauses: of the whole folded formula; None where it was not written.
        memory: bytes at the peak for each order.
    """

    size: int
    orders: int
    seconds: float
    whole: float
    counting: float
    clauses: int | None
    memory: float


def fresh(family: Family, size: int, shape: str | None = None) -> Instance:
    """Make a phase on a board of which nothing has been looked up yet."""
    named.cache_clear()
    return family.make(size, shape)


def timed(make: Callable[[], Turn], function: Callable[[Turn], object]) -> float:
    """Return the least processor time of a few rounds, each on a new phase; of one where that takes long."""
    best = math.inf
    for _ in range(ROUNDS):
        turn = make()
        gc.collect()
        start = time.process_time()
        function(turn)
        best = min(best, time.process_time() - start)
        if best > LONG:
            break
    return best


def measure(family: Family, size: int) -> Point:
    """Measure one size of a family, and check its answer."""
    instance = fresh(family, size)
    turn, orders = instance.turn, len(instance.turn.orders)
    found = resolutions(turn, DATC, limit=1)
    exponent = instance.answer.exponent
    if found.count != (0 if exponent is None else 2**exponent):
        raise RuntimeError(f"{family.name} of size {size} has {found.count} resolutions")
    clauses = None
    if orders <= LARGEST_FORMULA:
        checked = check_movement(turn, DATC)
        position = turn.position
        formula, _ = whole_formula(Situation(position.board, position.units, checked.actions, DATC))
        clauses = len(formula.clauses)
    record = write_record(turn)

    def new() -> Turn:
        return fresh(family, size).turn

    del instance, turn, found
    seconds = timed(new, lambda turn: adjudicate_turn(turn, DATC))
    counting = timed(new, lambda turn: resolutions(turn, DATC, limit=1))
    whole = timed(new, lambda _: result_record(adjudicate_turn(read_record(record), DATC)))
    turn = new()
    tracemalloc.start()
    adjudicate_turn(turn, DATC)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Point(size, orders, seconds, whole, counting, clauses, peak / orders)


def grow(family: Family, most: int, limit: float) -> Iterator[Point]:
    """Measure doubling sizes."""
    size = 4
    while True:
        point = measure(family, size)
        yield point
        if 2 * point.orders > most or point.seconds > limit / 2:
            return
        size *= 2


def measured(name: str, most: int, limit: float) -> list[Point]:
    """Measure a family, in a process of its own."""
    measure(FAMILIES[name], 4)  # loads what is loaded late
    return list(grow(FAMILIES[name], most, limit))


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the exponent of a power law through some points."""
    logs = [(math.log(x), math.log(y)) for x, y in points if y >= SHORTEST]
    if len(logs) < 3:
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def told(exponent: float | None) -> str:
    """Return an exponent as it is printed."""
    return "too quick to tell" if exponent is None else f"{exponent:.2f}"


def table(found: dict[str, list[Point]]) -> str:
    """Return the measurements as Markdown."""
    columns = ["family", "largest", "orders", "ms"]
    columns += ["exponent, adjudicating", "exponent, record to record", "exponent, counting"]
    columns += ["clauses an order", "KiB an order"]
    rows = []
    for name, points in found.items():
        last = points[-1]
        adjudicating = slope([(p.orders, p.seconds) for p in points])
        whole = slope([(p.orders, p.whole) for p in points])
        counting = slope([(p.orders, p.counting) for p in points])
        written = [p.clauses / p.orders for p in points if p.clauses is not None]
        cells = [name, last.size, last.orders, f"{1000 * last.seconds:.0f}"]
        cells += [told(adjudicating), told(whole), told(counting)]
        cells += [
            f"{written[0]:.1f} to {written[-1]:.1f}",
            f"{points[0].memory / 1024:.1f} to {last.memory / 1024:.1f}",
        ]
        rows.append(cells)
    return markdown(columns, rows)


def plot(found: dict[str, list[Point]]) -> None:
    """Draw time over orders, both in powers of ten."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "satdip"
    figure, axes = pyplot.subplots(figsize=(8, 5.5))
    for name, points in found.items():
        axes.loglog([p.orders for p in points], [p.seconds for p in points], marker=".", label=name)
    axes.set_xlabel("orders")
    axes.set_ylabel("seconds of processor time")
    axes.legend(fontsize=7, ncols=2)
    axes.grid(visible=True, which="major", alpha=0.3)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    """Measure, print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=20_000, help="orders")
    parser.add_argument("--seconds", type=float, default=60, help="processor time for one phase")
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES), help="only this family; may be repeated")
    parser.add_argument("--write", action="store_true", help="write docs/growth.md and the plot")
    options = parser.parse_args()
    found: dict[str, list[Point]] = {}
    for name in options.family or FAMILIES:
        print(f"measuring {name} ...", file=sys.stderr)
        with get_context("spawn").Pool(1) as alone:  # garbage of one family would be walked through for the next
            found[name] = alone.apply(measured, (name, options.most, options.seconds))
    told_all = table(found)
    print(told_all)
    if options.write:
        write(GROWTH, "growth", told_all)
        plot(found)


if __name__ == "__main__":
    main()
