"""The phases that the benchmarks run on."""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
Record = dict[str, Any]

DROIDIPPY = tuple(f"droidippy_{number}" for number in (1, 2, 3, 4))
GAMES = (*DROIDIPPY, "package_dipnet_press", "package_mit", "dipcc", "backstabbr")
"""The corpora of whole games on the standard map."""
PHASES_A_GAME = 17
"""About so many movement phases has a game of these corpora."""
WARM_UP = 800
"""How many phases a program has seen before those of a stream are measured."""
PARADOXES = ("paradoxes", "cycle", "interlocked", "pandin", "cut-chain")
"""The hard families whose phases are undecided without a solver, or nothing but convoys that wait for each other."""

__all__ = ["KINDS", "Kind", "Record", "Stream", "dense_phases", "game_phases", "paradox_phases", "random_phases"]


@dataclass(frozen=True)
class Stream:
    """Phases to be adjudicated one after the other, each once.

    Args:
        before: phases to warm up on; none of them is measured.
        measured: the phases to measure.
    """

    before: list[Record]
    measured: list[Record]


@dataclass(frozen=True)
class Kind:
    """A kind of phases.

    Args:
        few: returns some phases, to be run again and again.
        stream: returns at most so many phases to be run once, and others to warm up on.
    """

    few: Callable[[int], list[Record]]
    stream: Callable[[int], Stream]


def _records(path: Path) -> Iterator[Record]:
    with gzip.open(path, "rb") as lines:
        yield from map(json.loads, lines)


def _movement(name: str) -> Iterator[Record]:
    return (r for r in _records(SHARED / "games" / f"{name}.jsonl.gz") if r["phase"].endswith("M"))


# ---------------------------------------------------------------------- recorded games


def game_phases(count: int) -> list[Record]:
    """Return movement phases of recorded games, spread over a corpus."""
    return list(islice(_movement("droidippy_1"), 0, count * 5, 5))


def game_stream(count: int) -> Stream:
    """Return whole games spread over all corpora; what is measured are other games than what comes before."""
    games = [
        list(phases) for name in GAMES for _, phases in groupby(_movement(name), key=lambda record: record["game"])
    ]
    step = len(games) * PHASES_A_GAME // max(count, WARM_UP)
    before, measured = (chain.from_iterable(games[first::step]) for first in (0, step // 2))
    return Stream(list(islice(before, WARM_UP)), list(islice(measured, count)))


# ---------------------------------------------------------------------- random orders


def random_phases(count: int) -> list[Record]:
    """Return random legal orders for 34 units."""
    return list(islice(_random(), count))


def random_stream(count: int) -> Stream:
    """Return the first phases of the corpus of random orders to warm up on, and those that come after them."""
    records = list(islice(_random(), WARM_UP + count))
    return Stream(records[:WARM_UP], records[WARM_UP:])


def _random() -> Iterator[Record]:
    return _records(SHARED / "peers" / "random_phases.jsonl.gz")


# ---------------------------------------------------------------------- fights for convoys


def dense_phases(count: int, seed: int = 1) -> list[Record]:
    """Return dense convoy fights; about two thirds of them hold a paradox or a circular movement."""
    if str(ROOT / "tests") not in sys.path:
        sys.path.append(str(ROOT / "tests"))
    import tomllib

    from reference import RefMap
    from reference.generate import dense

    tables = tomllib.loads((ROOT / "maps" / "standard.toml").read_text(encoding="utf-8"))
    map_, rng = RefMap.from_tables(tables["provinces"]), random.Random(seed)
    positions = (dense(rng, map_) for _ in range(count))
    return [{"phase": "S1901M", "units": units, "orders": orders} for units, orders in positions]


def dense_stream(count: int) -> Stream:
    """Return dense convoy fights of two other seeds."""
    return Stream(dense_phases(WARM_UP, seed=2), dense_phases(count, seed=3))


def paradox_phases(sizes: int = 10) -> list[Record]:
    """Return the phases of families of paradoxes, of every size up to one, on maps of their own."""
    from satdip.generate import FAMILIES
    from satdip.notation import write_record

    families = [FAMILIES[name] for name in PARADOXES]
    return [write_record(family.make(size).turn) for family in families for size in range(1, sizes + 1)]


KINDS: Mapping[str, Kind] = {
    "recorded games": Kind(game_phases, game_stream),
    "random, 34 units": Kind(random_phases, random_stream),
    "dense": Kind(dense_phases, dense_stream),
}
"""The phases that all programs are given."""
