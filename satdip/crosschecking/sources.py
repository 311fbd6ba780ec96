"""Where the phases of a run come from: files, the test cases, generators; each phase under a name of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError, Where
from satdip.base.intake import read_file, reading, unpacked
from satdip.base.printable import short
from satdip.board import province_of
from satdip.board.mapfile import load_board, map_names
from satdip.crosschecking.records import game_phases, is_daide, is_game, read_daide
from satdip.crosschecking.runs import Phase
from satdip.notation import decode_record, decode_text, read_lines, read_record, read_turn, write_record
from satdip.notation.record.decoding import has_json_lines
from satdip.phase.position import Dislodged
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC

__all__ = ["Source", "source_named", "sources_named", "whole_record"]

Json = Mapping[str, Any]

LARGEST_FILE = 1 << 26  # bytes of a file that is read as a whole
LONGEST_COUNT = 12  # digits of a number of phases, or of a seed
RULES = (DATC, DATC.override({"4.A.3": "tag-or-own-fleet-else-land"}), DATC.override({"4.A.3": "tag"}))
"""The rulebooks by which recorded games are played: under which of them a unit was dislodged tells its retreats."""


@dataclass(frozen=True)
class Source:
    """Phases in an order that is the same every time.

    Args:
        name: what the user wrote.
        make: makes the phases anew.
        total: how many there are, where that is known.
    """

    name: str
    make: Callable[[], Iterator[Phase]]
    total: int | None = None

    def limited(self, most: int | None) -> Source:
        """Return the source with at most so many phases."""
        if most is None:
            return self
        make = self.make
        return Source(self.name, lambda: islice(make(), most), None if self.total is None else min(self.total, most))


def source_named(text: str) -> Source:
    """Return the source that a text names.

    Args:
        text: ``datc``, the test cases; ``random:KIND:COUNT`` or ``random:KIND:COUNT:SEED``, what ``satdip generate``
            makes; or a file: JSON lines of phase records or of games (gzip too), a single game or record, a log of
            DAIDE messages, an order sheet. Games are those that the ``diplomacy`` package saves, and those of
            webDiplomacy.

    Raises:
        InputError: there is no such source.
    """
    if text == "datc":
        return Source(text, _test_cases)
    if text.startswith("random:"):
        return _random(text)
    path = Path(text)
    if not os.path.isfile(text):  # noqa: PTH113 -- no error of a name that cannot be one
        raise InputError(f"no source is called {short(text)!r}: it is no file, not datc, and no random:KIND:COUNT")
    return Source(text, lambda: _numbered(text, _of_file(path)), _count(path))


# ---------------------------------------------------------------------- records as they are sent to the workers


def whole_record(value: Json) -> Json:
    """Return the phase record of a phase, made or completed where its source left that to the worker.

    Args:
        value: `Phase.record`: a record as ``record``, with the movement record before it as ``before`` where it is a
            phase of retreats that does not say which are open; or ``random`` and ``seed`` of a generated phase.

    Raises:
        InputError: the record is not sound, or there is no such generator.
    """
    if "random" in value:
        return write_record(replace(_generator(value["random"])(Random(value["seed"])), extra={}))  # noqa: S311
    record: Json = value["record"]
    before: Json | None = value.get("before")
    return record if before is None else _with_retreats(record, before)


def _with_retreats(record: Json, before: Json) -> Json:
    """Say which retreats the movement phase before left open, by the rulebook under which it gives these units."""
    if record.get("map", "standard") not in map_names():
        return record
    turn = read_record(record)
    position, driven = turn.position, {item.unit for item in turn.position.dislodged}
    chosen: Resolution | None = None
    for resolution in (adjudicate_turn(read_record(before), rules) for rules in RULES):
        if resolution.next is not None and driven <= {item.unit for item in resolution.dislodged}:
            chosen = chosen or resolution
            if set(resolution.next.units) == set(position.units):
                chosen = resolution
                break
    if chosen is None:
        return record
    taken, known = {unit.province for unit in position.units}, {item.unit: item for item in chosen.dislodged}
    dislodged = tuple(_without(known[item.unit], taken) for item in position.dislodged)
    return write_record(replace(turn, position=replace(position, dislodged=dislodged)))


def _without(item: Dislodged, taken: Container[str]) -> Dislodged:
    """Close the retreats to provinces where units of the record stand."""
    return replace(item, retreats=frozenset(at for at in item.retreats or () if province_of(at) not in taken))


# ---------------------------------------------------------------------- files


def _numbered(name: str, found: Iterable[tuple[str, Json]]) -> Iterator[Phase]:
    """Name phases by the file and their place in it; give phases of retreats the movement phase before."""
    before: Json | None = None
    for place, record in found:
        value = {"record": record}
        phase = str(record.get("phase", ""))
        open_ways = phase.endswith("R") and record.get("retreats") is None
        if open_ways and before is not None and before.get("game", "") == record.get("game", ""):
            value["before"] = before
        before = record if phase.endswith("M") else None
        yield Phase(f"{name}{place}", value)


def _of_file(path: Path) -> Iterator[tuple[str, Json]]:
    """Yield the records of a file, each with its place there: ``:17``, ``:17/3``, or nothing."""
    if not has_json_lines(path, LARGEST_FILE):
        yield from _of_one(path)
        return
    empty = True
    for line, record in read_lines(path):
        empty = False
        try:
            if is_game(record):
                yield from ((f":{line}/{number}", phase) for number, phase in enumerate(game_phases(record), 1))
            else:
                yield f":{line}", record
        except InputError as error:
            raise error.at(source=str(path), line=line) from None
    if empty:
        raise InputError("there is no phase record in this file; write one JSON object a line", Where(str(path)))


def _of_one(path: Path) -> Iterator[tuple[str, Json]]:
    """Yield the phases of a file that is one saved game, one record or one order sheet."""
    source = str(path)
    data = read_file(path, LARGEST_FILE)
    if len(data) > LARGEST_FILE:
        raise InputError(f"the file is larger than {LARGEST_FILE} bytes; write one JSON object a line", Where(source))
    if data.lstrip().startswith(b"{"):
        value = decode_record(decode_text(data, source), source)
        if is_game(value):
            try:
                yield from ((f"/{number}", phase) for number, phase in enumerate(game_phases(value), 1))
            except InputError as error:
                raise error.at(source=source) from None
            return
        yield "", value
        return
    text = decode_text(data, source)
    if is_daide(text):
        yield from ((f"/{number}", record) for number, record in enumerate(read_daide(text, source), 1))
        return
    yield "", write_record(read_turn(text, source))


def _count(path: Path) -> int | None:
    """Count the phases of a file of records; None where its lines may be games."""
    if not has_json_lines(path, LARGEST_FILE):
        return None
    count = 0
    try:
        for _, record in islice(read_lines(path), 1):
            if is_game(record):
                return None
        with reading(path), unpacked(path) as file:
            count = sum(not line.isspace() for line in iter(partial(file.readline, LARGEST_FILE), b""))
    except InputError:
        return None
    return count


# ---------------------------------------------------------------------- test cases and generators


def _test_cases() -> Iterator[Phase]:
    """Yield the phases of the test cases, as satdip plays them under the preferences of the DATC."""
    from satdip.datc import cases, run_case

    for case in cases():
        resolutions = run_case(case).resolutions
        for number, resolution in enumerate(resolutions, start=1):
            name = f"datc:{case.id}" + (f"/{number}" if len(resolutions) > 1 else "")
            yield Phase(name, {"record": write_record(resolution.turn)})


def _random(text: str) -> Source:
    kind, *numbers = text.split(":")[1:]
    if len(numbers) not in (1, 2) or not all(map(_is_count, numbers)):
        raise InputError(f"{short(text)!r} is no generator; write random:KIND:COUNT or random:KIND:COUNT:SEED")
    _generator(kind)
    count, first = int(numbers[0]), int(numbers[1]) if len(numbers) == 2 else 0
    if not count:
        raise InputError(f"{text!r} makes no phases; write how many, as in random:{kind}:1000")

    def make() -> Iterator[Phase]:
        for seed in range(first, first + count):
            yield Phase(f"random:{kind}:{seed}", {"random": kind, "seed": seed})

    return Source(text, make, count)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_COUNT


def _generator(kind: str) -> Callable[[Random], Turn]:
    from satdip.generate import FEATURES, GENERATORS, wanted

    if kind not in GENERATORS and kind not in FEATURES:
        known = ", ".join([*GENERATORS, *FEATURES])
        raise InputError(f"nothing is generated by the name {kind!r}; there is {known}")
    board, generator = load_board("standard"), GENERATORS.get(kind) or wanted(kind)
    return lambda rng: generator(board, rng)


def sources_named(texts: Sequence[str], most: int | None = None) -> tuple[Source, ...]:
    """Return the sources that some texts name, each with at most so many phases.

    Raises:
        InputError: one names none, or two are the same.
    """
    for text in texts:
        if list(texts).count(text) > 1:
            raise InputError(f"the source {text!r} is there twice")
    return tuple(source_named(text).limited(most) for text in texts)
