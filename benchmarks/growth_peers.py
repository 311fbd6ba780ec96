"""How the cost of the PyPI packages grows with size, for every hard family, and where they give up.

Usage: ``python benchmarks/growth_peers.py [--most ORDERS] [--seconds S] [--points FILE] [--write]``; ``--write`` puts
the tables into docs/growth.md and the plot into docs/pictures/growth-peers.svg (it needs matplotlib).

Sizes double until a package answers wrongly, fails, or takes longer than ``--seconds`` of processor time from the
orders to the results; where it answered wrongly or failed, the size from which it does is searched between the last
two. Every measurement has a process of its own with a limit of memory. Reading the map and placing the units is not
measured, but it must end within twice ``--seconds``.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from growth import fresh, slope, told
from pages import GROWTH, markdown, write
from peer_maps import PACKAGES

from satdip.generate import FAMILIES, Family

PICTURE = GROWTH.parent / "pictures" / "growth-peers.svg"
PEERS = ("diplomacy", "pydip")
ROUNDS = 3
QUICK = 2.0
"""Seconds up to which a round is repeated."""
MEMORY = 6 << 30
"""Bytes of address space for one process."""
TIMEOUT, SLOW_MAP, WRONG = "timeout", "slow map", "wrong"


@dataclass(frozen=True)
class Point:
    """One size of a family, given to one package.

    Args:
        size: the family's own measure.
        orders: how many orders.
        seconds: processor time from orders to results, the least of a few rounds; None if it failed.
        failure: None where the answer is right; else what went wrong: an exception's name, or one of the words above.
    """

    size: int
    orders: int
    seconds: float | None
    failure: str | None


# ---------------------------------------------------------------------- one measurement, in a process of its own


class TimeUp(BaseException):
    """Raised when the time is used up; no ``except Exception`` of a package holds it up."""


class Watch:
    """Looks at a clock every second.

    A timer of processor time would make the clock of processor time coarse.
    """

    def __init__(self) -> None:
        self._clock, self._end = time.monotonic, math.inf
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, 1, 1)

    def allow(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow some seconds from now on."""
        self._clock, self._end = clock, clock() + seconds

    def _look(self, *_: object) -> None:
        if self._clock() > self._end:
            self._end = math.inf
            raise TimeUp


def child(package: str, family: Family, shape: str, size: int, seconds: float) -> dict[str, object]:
    """Measure, and return the values of a `Point`."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    watch = Watch()
    best: float | None = None
    stage, orders = SLOW_MAP, len(family.make(size, shape).turn.orders)
    try:
        for _ in range(ROUNDS):
            instance = fresh(family, size, shape)
            stage, began = SLOW_MAP, time.monotonic()
            watch.allow(2 * seconds)  # by the clock on the wall: it may wait for processes of its own
            run = PACKAGES[package](instance.turn)
            gc.collect()
            watch.allow(seconds, time.process_time)
            stage, start = TIMEOUT, time.process_time()
            results = run()
            taken = time.process_time() - start
            watch.allow(math.inf)
            found, answer = results(), instance.answer
            if (found.moves, found.dislodged) != (answer.moves, answer.dislodged):
                return {"size": size, "orders": orders, "seconds": taken, "failure": WRONG}
            best = taken if best is None else min(best, taken)
            if time.monotonic() - began > QUICK:
                break
    except TimeUp:
        return {"size": size, "orders": orders, "seconds": None, "failure": stage}
    except Exception as error:  # noqa: BLE001 -- whatever a package raises is what it does at this size
        watch.allow(math.inf)
        return {"size": size, "orders": orders, "seconds": None, "failure": type(error).__name__}
    return {"size": size, "orders": orders, "seconds": best, "failure": None}


def measure(package: str, family: Family, shape: str, size: int, seconds: float) -> Point:
    """Measure one size in a process of its own, which has a home of its own: ``diplomacy`` keeps its tables there."""
    with tempfile.TemporaryDirectory() as home:
        answer = Path(home) / "answer.json"
        words = [sys.executable, __file__, "--child", package, family.name, shape, str(size), str(answer)]
        quiet = subprocess.DEVNULL  # packages print; and a pipe would stay open as long as any process of theirs lives
        process = subprocess.Popen(
            [*words, "--seconds", str(seconds)],
            env=os.environ | {"HOME": home},
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            start_new_session=True,
        )
        failure = "no end"
        try:
            code = process.wait(20 * seconds)
            if code == 0:
                return Point(**json.loads(answer.read_text(encoding="utf-8")))
            failure = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        except subprocess.TimeoutExpired:
            pass
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # it may have left processes
            process.wait()
    return Point(size, len(family.make(size, shape).turn.orders), None, failure)


# ---------------------------------------------------------------------- sizes


def shape_of(family: Family) -> str:
    """Return the kind of map: a ring where there is one, as it has the fewest ways from sea to sea."""
    return "ring" if "ring" in family.maps else next(iter(family.maps))


def grow(package: str, family: Family, most: int, seconds: float) -> list[Point]:
    """Measure doubling sizes, until it goes wrong or there are enough orders."""
    size = max(2, family.least)
    points: list[Point] = []
    while not points or (points[-1].failure is None and 2 * points[-1].orders <= most):
        points.append(measure(package, family, shape_of(family), size, seconds))
        print(f"  {package} {family.name} {points[-1]}", file=sys.stderr)
        size *= 2
    return points


def narrowed(package: str, family: Family, points: list[Point], seconds: float) -> list[Point]:
    """Replace the last size by about the first at which the package fails or is wrong; time runs out gradually."""
    if points[-1].failure in (None, TIMEOUT, SLOW_MAP) or len(points) < 2:
        return points
    right, failed = points[-2].size, points[-1]
    while failed.size - right > max(1, right // 16):
        tried = measure(package, family, shape_of(family), (right + failed.size) // 2, seconds)
        print(f"  {package} {family.name} {tried}", file=sys.stderr)
        if tried.failure is None:
            right = tried.size
        else:
            failed = tried
    return [*points[:-1], failed]


# ---------------------------------------------------------------------- what is written


def told_failure(point: Point, seconds: float) -> str:
    """Say what happens at a size."""
    at = f"at size {point.size}, {point.orders} orders"
    if point.failure is None:
        return "not met"
    if point.failure == TIMEOUT:
        return f"more than {seconds:.0f} s {at}"
    if point.failure == SLOW_MAP:
        return f"map not read in {2 * seconds:.0f} s {at}"
    return f"{'wrong answer' if point.failure == WRONG else point.failure} {at}"


def table(package: str, found: dict[str, dict[str, list[Point]]], seconds: float) -> str:
    """Return one package's table as Markdown."""
    columns = ["family", "map", "largest right", "orders", "ms", "satdip, ms", "exponent", "end"]
    rows = []
    for name, of in found.items():
        right = [p for p in of[package] if p.failure is None]
        own = {p.size: p.seconds for p in of["satdip"]}
        cells: list[object] = [name, shape_of(FAMILIES[name])]
        if right:
            last = right[-1]
            cells += [last.size, last.orders, told_ms(last.seconds), told_ms(own.get(last.size))]
        else:
            cells += ["none", "", "", ""]
        exponent = slope([(p.orders, p.seconds) for p in right if p.seconds is not None])
        cells += [told(exponent), told_failure(of[package][-1], seconds)]
        rows.append(cells)
    return markdown(columns, rows)


def told_ms(seconds: float | None) -> str:
    """Return milliseconds as they are printed."""
    return "" if seconds is None else f"{1000 * seconds:.{0 if seconds >= 0.01 else 1}f}"


def plot(found: dict[str, dict[str, list[Point]]]) -> None:
    """Draw a small plot for each family."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "satdip"
    width = 4
    figure, grid = pyplot.subplots(
        -(-len(found) // width), width, figsize=(11, 10), sharex=True, sharey=True, layout="constrained"
    )
    panels = list(grid.flat)
    for axes, (name, of) in zip(panels, found.items(), strict=False):
        for package, marker in (("satdip", "o"), ("diplomacy", "s"), ("pydip", "^")):
            right = [p for p in of[package] if p.failure is None]
            line = axes.loglog(
                [p.orders for p in right], [p.seconds for p in right], marker=marker, ms=3, label=package
            )
            failed = of[package][-1]
            if failed.failure is not None and right:
                axes.plot([failed.orders], [right[-1].seconds], "x", color=line[0].get_color())
        axes.set_title(name, fontsize=9)
        axes.grid(visible=True, which="major", alpha=0.3)
    for axes in panels[len(found) :]:
        axes.set_axis_off()
    panels[0].legend(fontsize=7)
    figure.supxlabel("orders (a cross: where it gives up)")
    figure.supylabel("seconds of processor time")
    figure.savefig(PICTURE, metadata={"Date": None})


def tables(found: dict[str, dict[str, list[Point]]], seconds: float) -> str:
    """Return both tables as Markdown."""
    parts = [f"### {package} {version(package)}\n\n{table(package, found, seconds)}" for package in PEERS]
    return "\n\n".join(parts)


def kept(path: Path | None) -> dict[str, dict[str, list[Point]]]:
    """Read what an interrupted run has measured."""
    if path is None or not path.exists():
        return {}
    families = json.loads(path.read_text(encoding="utf-8"))
    return {
        name: {package: [Point(**p) for p in points] for package, points in of.items()} for name, of in families.items()
    }


def keep(path: Path | None, found: dict[str, dict[str, list[Point]]]) -> None:
    """Write down what has been measured so far."""
    if path is not None:
        values = {
            name: {package: [vars(p) for p in points] for package, points in of.items()} for name, of in found.items()
        }
        path.write_text(json.dumps(values), encoding="utf-8")


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print the tables, and write them if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=20_000, help="orders")
    parser.add_argument("--seconds", type=float, default=60, help="processor time for one phase")
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES), help="only this family; may be repeated")
    parser.add_argument("--points", type=Path, help="file that keeps what was measured; a run goes on from it")
    parser.add_argument("--write", action="store_true", help="write docs/growth.md and the plot")
    parser.add_argument("--child", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args(words)
    if options.child:
        package, name, shape, size, answer = options.child
        values = child(package, FAMILIES[name], shape, int(size), options.seconds)
        Path(answer).write_text(json.dumps(values), encoding="utf-8")
        os._exit(0)  # threads of a package that was interrupted would hold the end up
    found = kept(options.points)
    for name in options.family or FAMILIES:
        family, of = FAMILIES[name], found.setdefault(name, {})
        for package in PACKAGES:
            if package not in of:
                points = grow(package, family, options.most, options.seconds)
                of[package] = narrowed(package, family, points, options.seconds)
                keep(options.points, found)
    found = {name: found[name] for name in FAMILIES if name in found}
    both = tables(found, options.seconds)
    print(both)
    if options.write:
        write(GROWTH, "peers", both)
        plot(found)


if __name__ == "__main__":
    main()
