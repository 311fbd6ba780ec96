"""Folding changes nothing: the same resolution as from the whole unfolded formula; and a stream keeps to its memory."""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from threading import Thread
from typing import IO, Any

import pytest

from satdip.adjudication import adjudicate_turn
from satdip.board.mapfile import load_board
from satdip.generate import GENERATORS
from satdip.notation import read_lines, read_record, write_record
from satdip.phase.turn import Turn
from satdip.resolve.resolution import OrderResult, Resolution
from satdip.rulebook import DATC, Rulebook
from satdip.solving.verdict import DecidedBy

Named = tuple[str, Any]
"""The name of a phase, and what makes it: a record, or the generator and the seed."""

GAMES = (
    "backstabbr",
    "dipcc",
    "droidippy_1",
    "droidippy_2",
    "droidippy_3",
    "droidippy_4",
    "droidippy_hard",
    "package_agpl",
    "package_dipnet_press",
    "package_mit",
    "webdiplomacy",
)
"""All games on the standard map; `variants_godip` has other maps, which satdip does not know."""

PEERS = ("paradox_phases", "random_phases", "random_phases_noadjvia")
CORPORA = (*(f"games/{name}" for name in GAMES), *(f"peers/{name}" for name in PEERS))

RANDOM = 200_000
"""How many random phases a long run compares, each of the generators a third of them."""

WORKERS = int(os.environ.get("SATDIP_TEST_WORKERS", os.cpu_count() or 1))
CHUNK = 250
"""How many phases a worker is given at a time."""


# ---------------------------------------------------------------------- the comparison


def facts(resolution: Resolution) -> dict[str, Any]:
    """Return all that a resolution says, but what decided each order."""
    said = {field.name: getattr(resolution, field.name) for field in fields(resolution)}
    return said | {"orders": [_said(result) for result in resolution.orders]}


def _said(result: OrderResult) -> tuple[Any, ...]:
    driven = (result.dislodged, result.destroyed, result.disbanded)
    return (result.checked, result.power, result.outcome, result.reasons, *driven)


def differences(turn: Turn) -> list[str]:
    """Return the fields in which folding makes a difference.

    The other way computes the closure by unit propagation, and a fresh solver is given the whole unfolded formula: the
    resolution must be its only model (`satdip.solving.decide`).
    """
    folded, solved = adjudicate_turn(turn, DATC), adjudicate_turn(turn, DATC, fold=False)
    assert all(result.decided_by != DecidedBy.FOLDING for result in solved.orders if result.counts)
    one, other = facts(folded), facts(solved)
    return [name for name, value in one.items() if value != other[name]]


def failures(phases: Iterable[Named], read: Callable[[Any], Turn]) -> list[str]:
    """Compare phases; whatever goes wrong is told with the name of the phase."""
    found = []
    for name, what in phases:
        try:
            unlike = differences(read(what))
        except Exception as error:  # noqa: BLE001 -- a phase that breaks something is a difference too
            unlike = [repr(error)]
        if unlike:
            found.append(f"{name}: {', '.join(unlike)}")
    return found


def generated(seeded: tuple[str, int]) -> Turn:
    """Return a random phase of the standard map."""
    generator, seed = seeded
    return GENERATORS[generator](load_board("standard"), random.Random(seed))


def seeds(generator: str, numbers: Iterable[int]) -> Iterator[Named]:
    yield from ((f"{generator}, seed {seed}", (generator, seed)) for seed in numbers)


def recorded(path: Path, start: int = 0, stop: int | None = None, step: int = 1) -> Iterator[Named]:
    """Yield records of a file."""
    yield from ((f"{path.name}, line {line}", record) for line, record in islice(read_lines(path), start, stop, step))


# ---------------------------------------------------------------------- some of each, in every run


@pytest.mark.parametrize("name", CORPORA)
def test_some_recorded_phases_are_the_same_without_folding(name: str, shared: Path) -> None:
    phases = list(recorded(shared / f"{name}.jsonl.gz", 5, 1000, 40 if name.startswith("games") else 12))
    assert phases
    assert not failures(phases, read_record)


@pytest.mark.parametrize("generator", GENERATORS)
def test_some_random_phases_are_the_same_without_folding(generator: str) -> None:
    assert not failures(seeds(generator, range(RANDOM, RANDOM + 100)), generated)


# ---------------------------------------------------------------------- the comparison itself


def test_what_goes_wrong_is_told_with_the_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the solver is given fewer orders, the fields that differ are named, and no others."""
    both = {"units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}}
    both["orders"] = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    adjudicated = adjudicate_turn

    def forgetful(turn: Turn, rules: Rulebook, *, fold: bool = True) -> Resolution:
        return adjudicated(turn if fold else replace(turn, orders=turn.orders[:1]), rules, fold=fold)

    assert not failures([("one", both)], read_record)
    monkeypatch.setattr(sys.modules[__name__], "adjudicate_turn", forgetful)
    assert failures([("one", both)], read_record) == ["one: turn, orders, next, contested"]
    assert failures([("two", {})], lambda record: record["units"]) == ["two: KeyError('units')"]


# ---------------------------------------------------------------------- all of them, in a long run


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Processes that compare phases; they are started afresh, so that nothing is shared with what ran before."""
    with get_context("spawn").Pool(WORKERS, gc.disable) as pool:
        yield pool


def chunk_failures(phases: Sequence[Named], read: Callable[[Any], Turn]) -> tuple[int, list[str]]:
    """Compare a chunk of phases in a worker; return how many they were, and the failures."""
    found = failures(phases, read)
    gc.collect()  # once in a chunk is enough, and much cheaper
    return len(phases), found


def chunks(phases: Iterable[Named]) -> Iterator[list[Named]]:
    phases = iter(phases)
    while chunk := list(islice(phases, CHUNK)):
        yield chunk


def compare_all(
    pool: Pool, phases: Iterable[Named], read: Callable[[Any], Turn], capsys: pytest.CaptureFixture[str]
) -> int:
    """Compare phases in the processes of a pool; return how many there were."""
    compared, wrong = 0, []
    for number, found in pool.imap_unordered(partial(chunk_failures, read=read), chunks(phases)):
        compared += number
        wrong += found
        with capsys.disabled():
            sys.stdout.write(f"\r{compared} phases compared, {len(wrong)} differ")
            sys.stdout.flush()
    assert not wrong, "\n".join(["folding makes a difference", *wrong[:20]])
    return compared


@pytest.mark.long
@pytest.mark.parametrize("name", CORPORA)
def test_every_recorded_phase_is_the_same_without_folding(
    name: str, shared: Path, pool: Pool, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shared / f"{name}.jsonl.gz"
    assert compare_all(pool, recorded(path), read_record, capsys) == sum(1 for _ in read_lines(path))


@pytest.mark.long
@pytest.mark.parametrize("generator", GENERATORS)
def test_many_random_phases_are_the_same_without_folding(
    generator: str, pool: Pool, capsys: pytest.CaptureFixture[str]
) -> None:
    share = -(-RANDOM // len(GENERATORS))
    assert compare_all(pool, seeds(generator, range(share)), generated, capsys) == share


# ---------------------------------------------------------------------- the memory of a stream

PHASES, EARLY = 1_000_000, 100_000
GROWTH = 1.2
"""How much of the early peak of memory the last one may be.

What is kept of phases is in tables (`lru_cache`, `satdip.base.memory`) of units, orders, phases and texts, and each
has a greatest size. By the early phase the stream has shown far more texts than the greatest table holds; what comes
later takes their places.
"""


def endless(rng: random.Random) -> Iterator[bytes]:
    """Yield lines for a stream: parts of generated phases, with other powers and years and orders never seen before.

    Most are the units of one power. Two of these have orders with a text of their own, in a spelling that only the
    parser of free text reads. Every 25th is a whole phase, so that the solver and the tables of convoys have work too.
    """
    board = load_board("standard")
    base: list[Any] = [
        write_record(generated(("coherent" if seed % 3 == 0 else "dense", seed))) for seed in range(3000)
    ]
    powers, places = sorted(board.powers), sorted(board.provinces)
    for number in count():
        record = base[number * 7 % len(base)]
        own = sorted(record["units"])
        kept = own if number % 25 == 0 else [rng.choice(own)]
        names = dict(zip(kept, rng.sample(powers, len(kept)), strict=True))
        units = {names[power]: record["units"][power] for power in kept}
        orders = {names[power]: list(record["orders"][power]) for power in kept}
        if len(kept) == 1:
            [power] = names.values()
            for at, unit in enumerate(units[power][:2]):
                goals = " - ".join(rng.sample(places, 2))
                orders[power][at] = f"{unit.lower()} s {rng.choice('af')} {goals}"
        phase = f"{'SF'[number % 2]}{1901 + number % 8000}M"  # years have four digits
        yield json.dumps({"id": number, "phase": phase, "units": units, "orders": orders}).encode() + b"\n"


def peak_memory(process: int) -> int:
    """Return the greatest resident memory that a process has had, in KiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")))


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read from /proc")
def test_a_stream_of_a_million_phases_stays_flat_in_memory(capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "satdip", "adjudicate", "--stream", "-"]
    peaks: dict[int, int] = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        feeder = Thread(target=feed, args=(process.stdin, islice(endless(random.Random(0)), PHASES)), daemon=True)
        feeder.start()
        for number, answer in enumerate(islice(process.stdout, PHASES), 1):
            assert not answer.startswith(b'{"error"'), answer
            if number % EARLY == 0:
                peaks[number] = peak_memory(process.pid)
                with capsys.disabled():
                    sys.stdout.write(f"\n{number} phases, at most {peaks[number] >> 10} MiB")
                    sys.stdout.flush()
        feeder.join()
        process.stdin.close()
    assert process.returncode == 0
    assert peaks[PHASES] <= GROWTH * peaks[EARLY]


def feed(pipe: IO[bytes], lines: Iterable[bytes]) -> None:
    """Write lines until there are none left, or nobody reads any more."""
    with suppress(BrokenPipeError):
        pipe.writelines(lines)
        pipe.flush()
