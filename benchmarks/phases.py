"""The phases that the benchmarks run on."""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
Record = dict[str, Any]

__all__ = ["dense_phases", "game_phases", "random_phases"]


def _records(path: Path) -> Iterator[Record]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def game_phases(count: int) -> list[Record]:
    """Return movement phases of recorded games, spread over a corpus."""
    movement = (r for r in _records(SHARED / "games" / "droidippy_1.jsonl.gz") if r["phase"].endswith("M"))
    return list(islice(movement, 0, count * 5, 5))


def random_phases(count: int) -> list[Record]:
    """Return random legal orders for 34 units."""
    return list(islice(_records(SHARED / "peers" / "random_phases.jsonl.gz"), count))


def dense_phases(count: int) -> list[Record]:
    """Return dense convoy fights; about two thirds of them hold a paradox or a circular movement."""
    sys.path.insert(0, str(ROOT / "tests"))
    import tomllib

    from reference import RefMap
    from reference.generate import dense

    tables = tomllib.loads((ROOT / "maps" / "standard.toml").read_text(encoding="utf-8"))
    map_, rng = RefMap.from_tables(tables["provinces"]), random.Random(1)
    positions = (dense(rng, map_) for _ in range(count))
    return [{"phase": "S1901M", "units": units, "orders": orders} for units, orders in positions]
