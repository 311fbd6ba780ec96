"""satdip beside the packages ``diplomacy`` and ``pydip``, on the same phases in the same run.

Usage: ``python benchmarks/compare.py [--count N] [--once N] [--write]``; ``--write`` puts the table into
benchmarks/README.md, in the place for the satdip that was measured: plain Python or compiled.

Machines are noisy: only the ratios within one run mean anything. Processor time is measured, in two ways.

*best*: every phase is run by all programs in turn, and the best of a few rounds counts: its texts and orders are known
to the program by then.

*once*: after warming up on other phases, each program goes through the same list of phases, as it would through a
stream: every phase once, none of them seen before. The programs take turns after every hundred phases. The records are
in memory, and the garbage collector leaves alone what is there when the clock starts, the benchmark's own data above
all; it works as ever on what the programs make.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from pages import README, edition, machine, markdown, write
from peers import PEERS, Peer
from phases import KINDS, Kind, Record

from satdip.adjudication import adjudicate_turn
from satdip.check import check_movement
from satdip.encodings.situation import Situation
from satdip.notation import read_record
from satdip.resolve.movement import resolve_movement
from satdip.rulebook import DATC
from satdip.solving.decide import decide
from satdip.telling.serialise import resolution_to_json, result_record

ROUNDS = 5
TURN = 100
"""How many phases of a stream a program is given before it is another's turn."""

READ, CHECK, LINK, DECIDE, ADJUDICATE = "read", "check", "link", "decide", "adjudicate"
TURN_IN, WRITE, RECORD, SENTENCES = "check and adjudicate", "write", "record to record", "record to sentences"
OWN = (READ, CHECK, LINK, DECIDE, ADJUDICATE, TURN_IN, WRITE, RECORD, SENTENCES)

Costs = dict[str, float]
"""Name of a row -> microseconds per phase."""


def called(peer: Peer) -> str:
    """Return the row of a package's adjudication alone."""
    return f"{peer.name}, `{peer.call}`"


def whole(peer: Peer) -> str:
    """Return the row of a package's whole path."""
    return f"{peer.name}, whole path"


def beside_whole(peer: Peer) -> str:
    """Return the row of satdip that does what a package does on its whole path."""
    return RECORD if peer.reads else TURN_IN


# ---------------------------------------------------------------------- the best of a few rounds


def best(function: Callable[[], object]) -> float:
    """Return the shortest of a few runs, in seconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def best_of_rounds(records: list[Record]) -> Costs:
    """Run all programs on each phase in turn."""
    total: Costs = defaultdict(float)
    for record in records:
        _own_rounds(record, total)
        for peer in PEERS:
            calls, wholes = [], []
            task = peer.translated(record)
            for _ in range(ROUNDS):
                times = timed(peer, task)
                calls.append(times[0])
                wholes.append(times[1])
            total[called(peer)] += min(calls)
            total[whole(peer)] += min(wholes)
    return per_phase(total, len(records))


def _own_rounds(record: Record, total: Costs) -> None:
    turn = read_record(record)
    checked = check_movement(turn, DATC)
    board, units = turn.position.board, turn.position.units
    situation = Situation(board, units, checked.actions, DATC, checked.unsupportable)
    resolution = resolve_movement(turn, checked, DATC)
    total[READ] += best(lambda: read_record(record))
    total[CHECK] += best(lambda: check_movement(turn, DATC))
    total[LINK] += best(lambda: Situation(board, units, checked.actions, DATC, checked.unsupportable))
    total[DECIDE] += best(lambda: decide(situation))
    total[ADJUDICATE] += best(lambda: resolve_movement(turn, checked, DATC))
    total[TURN_IN] += best(lambda: adjudicate_turn(turn, DATC))
    total[WRITE] += best(lambda: result_record(resolution))
    total[RECORD] += best(lambda: result_record(adjudicate_turn(read_record(record), DATC)))
    total[SENTENCES] += best(lambda: resolution_to_json(adjudicate_turn(read_record(record), DATC)))


def timed(peer: Peer, task: Any) -> tuple[float, float]:
    """Return the seconds that a package takes to adjudicate, and those of its whole path."""
    start = time.process_time()
    adjudicate = peer.ready(task)
    ready = time.process_time()
    adjudicate()
    end = time.process_time()
    return end - ready, end - start


# ---------------------------------------------------------------------- each phase once


def each_once(before: list[Record], measured: list[Record]) -> Costs:
    """Let each program go through the same phases, in turns, after warming up on others."""
    _programs(before, defaultdict(float))
    total: Costs = defaultdict(float)
    gc.collect()
    gc.freeze()
    for first in range(0, len(measured), TURN):
        _programs(measured[first : first + TURN], total)
    gc.unfreeze()
    return per_phase(total, len(measured))


def _programs(records: list[Record], total: Costs) -> None:
    """Let all programs run, one after the other, satdip first: the translation for pydip uses its reader."""
    gc.collect()  # nobody inherits another's garbage
    _own_stream(records, total)
    for peer in PEERS:
        tasks = [peer.translated(record) for record in records]
        gc.collect()
        _peer_stream(peer, tasks, total)


def _own_stream(records: Iterable[Record], total: Costs) -> None:
    for record in records:
        start = time.process_time()
        turn = read_record(record)
        read = time.process_time()
        checked = check_movement(turn, DATC)
        ready = time.process_time()
        resolution = resolve_movement(turn, checked, DATC)
        resolved = time.process_time()
        result_record(resolution)
        end = time.process_time()
        total[READ] += read - start
        total[CHECK] += ready - read
        total[ADJUDICATE] += resolved - ready
        total[TURN_IN] += resolved - read
        total[WRITE] += end - resolved
        total[RECORD] += end - start


def _peer_stream(peer: Peer, tasks: Iterable[Any], total: Costs) -> None:
    for task in tasks:
        call, path = timed(peer, task)
        total[called(peer)] += call
        total[whole(peer)] += path


def per_phase(total: Costs, count: int) -> Costs:
    """Turn the seconds of some phases into microseconds for each."""
    return {name: 1e6 * seconds / count for name, seconds in total.items()}


# ---------------------------------------------------------------------- what is written


def both(kind: Kind, count: int, once: int) -> tuple[Costs, Costs]:
    """Measure a kind of phases in both ways."""
    stream = kind.stream(once)
    streamed = each_once(stream.before, stream.measured)  # first: nothing of it may have been seen
    return best_of_rounds(kind.few(count)), streamed


def table(found: dict[str, tuple[Costs, Costs]]) -> str:
    """Return the measurements as a table of Markdown, ratios below."""
    columns = [costs for pair in found.values() for costs in pair]
    names = [*OWN, *(row(peer) for peer in PEERS for row in (called, whole))]
    rows = [[name, *(f"{costs[name]:.0f}" if name in costs else "" for costs in columns)] for name in names]
    for peer in PEERS:
        for row, own in ((called(peer), ADJUDICATE), (whole(peer), beside_whole(peer))):
            rows.append([f"{row} : {own}", *(f"**{costs[row] / costs[own]:.1f}x**" for costs in columns)])
    heads = [f"{name}, {way}" for name in found for way in ("best", "once")]
    return markdown(["microseconds a phase", *heads], rows)


def main() -> None:
    """Print the table, or write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="phases of each kind for the best of a few rounds")
    parser.add_argument("--once", type=int, default=700, help="phases of each kind to be run once")
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    options = parser.parse_args()
    measured = {}
    for name, kind in KINDS.items():
        print(f"measuring {name} ...", file=sys.stderr)
        measured[name] = both(kind, options.count, options.once)
    said = (
        f"Best of {ROUNDS} rounds: {options.count} phases of each kind; once: {options.once}. "
        f"One thread; {machine('python-sat', *(peer.name for peer in PEERS))}."
    )
    found = f"{table(measured)}\n\n{said}"
    print(found)
    if options.write:
        write(README, f"compare, {edition()}", found)


if __name__ == "__main__":
    main()
