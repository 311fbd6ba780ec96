"""Several rulebooks over many phases: where they differ, how often, by which choices, and the smallest examples."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.lab.compare.choices import PairDifference, Trials, compare_pair
from satdip.lab.compare.phase import chosen_rulebooks
from satdip.lab.compare.reading import Item, items, read_item
from satdip.lab.compare.smallest import SmallPosition, smallest_position
from satdip.lab.compare.table import CorpusComparison, CorpusDifference
from satdip.phase.minimise import size
from satdip.phase.turn import Turn
from satdip.rulebook import Rulebook, RulebookLike

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["compare_corpus"]

R = TypeVar("R")
Progress = Callable[[str, int, int | None], object]
"""Is told what is counted (``phases``, ``positions``), how many are done, and of how many, where that is known."""

CHUNK = 16  # phases that are handed to a process at a time
FOR_READING = 0.8  # the part of a time limit that is for the phases; the rest is for the smallest positions
MOST_CANDIDATES = 12  # phases with the fewest units that are kept for each kind of difference
MOST_SOURCES = 5  # phases that are named for each kind of difference


def _nobody(what: str, done: int, of: int | None) -> None:
    """Show no progress."""


def compare_corpus(
    phases: Iterable[str | Path | Turn],
    rulebooks: Iterable[RulebookLike],
    *,
    budget: Budget = UNLIMITED,
    jobs: int = 1,
    progress: Progress = _nobody,
) -> CorpusComparison:
    """Compare rulebooks over many phases; interrupted, or when the time is up, say what is known so far.

    Phases on maps that satdip does not know are skipped. Where a record does not say which retreats are open, those are
    that the position leaves open.

    Args:
        phases: turns, and files: JSON lines of phase records (gzip too), order sheets, single records.
        rulebooks: two or more, or their names.
        budget: how long it may take; a fifth of the time is kept for the smallest positions.
        jobs: how many processes to use. With more than one, a script needs ``if __name__ == "__main__":``.
        progress: is called after every few phases, and after each position.

    Raises:
        InputError: a rulebook is none, a file cannot be read, or a record is not sound.
    """
    books = {book.name: book for book in chosen_rulebooks(rulebooks)}
    tally, interrupted = _Tally(tuple(books.values())), False
    chunks = _Chunks(items(phases), 1 if jobs == 1 else CHUNK, _for_reading(budget))
    try:
        tally.read(chunks, jobs, progress)
    except KeyboardInterrupt:
        interrupted = True
    ways = tally.ways()
    smallest = [] if interrupted else list(_minimised(ways, books, budget, jobs, progress))
    complete = not (interrupted or chunks.cut_short) and all(found.minimal for found in smallest)
    differences = [
        CorpusDifference(pair, seen.phases, tuple(seen.sources), found)
        for (pair, seen), found in zip(ways, [*smallest, *map(_at_hand, ways[len(smallest) :])], strict=True)
    ]
    return CorpusComparison(
        rules=tuple(books),
        phases=tally.phases,
        skipped=tally.skipped,
        differ=tally.differ,
        pairs=tally.pairs(),
        differences=tuple(differences),
        complete=complete and len(smallest) == len(ways),
    )


def _for_reading(budget: Budget) -> Budget:
    if budget.deadline is None:
        return budget
    return Budget.of(FOR_READING * (budget.deadline - time.monotonic()))


# ---------------------------------------------------------------------- counting


@dataclass
class _Seen:
    """The phases on which two rulebooks differ in one way: how many, the first, and those with the fewest units."""

    phases: int = 0
    sources: list[str] = field(default_factory=list)
    sized: list[tuple[int, Item]] = field(default_factory=list)

    def add(self, item: Item, units: int) -> None:
        self.phases += 1
        if len(self.sources) < MOST_SOURCES:
            self.sources.append(item.place)
        self.sized.append((units, item))
        self.sized.sort(key=lambda entry: entry[0])  # it is stable: of phases alike in size the first are kept
        del self.sized[MOST_CANDIDATES:]

    @property
    def candidates(self) -> tuple[Item, ...]:
        return tuple(item for _, item in self.sized)


Compared = tuple[int, tuple[PairDifference, ...]]
"""How many units a phase has, and how the rulebooks differ on it."""

Way = tuple[PairDifference, _Seen]


class _Tally:
    """What is known of a corpus so far.

    Args:
        books: the rulebooks.
    """

    def __init__(self, books: Sequence[Rulebook]) -> None:
        self.books = books
        self.phases = self.skipped = self.differ = 0
        self.seen: dict[PairDifference, _Seen] = {}

    def read(self, chunks: _Chunks, jobs: int, progress: Progress) -> None:
        """Compare and count phases."""
        tasks = ((chunk, self.books) for chunk in chunks)
        with closing(_in_order(_compared, tasks, jobs)) as results:
            for (chunk, _), compared in results:
                for item, one in zip(chunk, compared, strict=True):
                    self.add(item, one)
                progress("phases", self.phases, None)

    def add(self, item: Item, compared: Compared | None) -> None:
        """Count a phase; None for one that was skipped."""
        self.phases += 1
        if compared is None:
            self.skipped += 1
            return
        units, pairs = compared
        self.differ += bool(pairs)
        for pair in pairs:
            self.seen.setdefault(pair, _Seen()).add(item, units)

    def pairs(self) -> dict[tuple[str, str], int]:
        """Return names of two rulebooks -> on how many phases they differ."""
        counts = {(one.name, other.name): 0 for one, other in combinations(self.books, 2)}
        for pair, seen in self.seen.items():
            counts[pair.first, pair.second] += seen.phases
        return counts

    def ways(self) -> list[Way]:
        """Return the ways in which rulebooks differ, by pair, the most frequent first."""
        order = {names: number for number, names in enumerate(self.pairs())}
        return sorted(self.seen.items(), key=lambda way: (order[way[0].first, way[0].second], -way[1].phases))


class _Chunks:
    """Items, a few at a time, while there is time; `cut_short` tells whether some were left.

    Args:
        found: the items.
        number: how many at a time.
        budget: how much time there is.
    """

    def __init__(self, found: Iterator[Item], number: int, budget: Budget) -> None:
        self.found, self.number, self.budget = found, number, budget
        self.cut_short = False

    def __iter__(self) -> Iterator[list[Item]]:
        while chunk := list(islice(self.found, self.number)):
            try:
                self.budget.check()
            except OutOfTime:
                self.cut_short = True
                return
            yield chunk


def _compared(chunk: Sequence[Item], books: Sequence[Rulebook]) -> list[Compared | None]:
    """Compare the rulebooks on a few phases; None for one on an unknown map."""
    return [_on_one(turn, books, item) if (turn := read_item(item)) is not None else None for item in chunk]


def _on_one(turn: Turn, books: Sequence[Rulebook], item: Item) -> Compared:
    trials = Trials(turn)
    try:
        found = [compare_pair(trials, one, other) for one, other in combinations(books, 2)]
    except InputError as error:  # such a phase can be read, but nothing can follow it
        raise error.at(source=item.source, line=item.line) from None
    return size(turn), tuple(pair for pair in found if pair is not None)


# ---------------------------------------------------------------------- the smallest positions


def _minimised(
    ways: Sequence[Way], books: Mapping[str, Rulebook], budget: Budget, jobs: int, progress: Progress
) -> Iterator[SmallPosition]:
    """Yield the smallest position for each way to differ; fewer when interrupted."""
    tasks = ((pair, books[pair.first], books[pair.second], seen.candidates, budget) for pair, seen in ways)
    try:
        with closing(_in_order(smallest_position, tasks, jobs)) as results:
            for number, ((_, _, _, candidates, _), found) in enumerate(results, start=1):
                yield found if jobs == 1 else found.on_the_board_of(candidates)
                progress("positions", number, len(ways))
    except KeyboardInterrupt:
        return


def _at_hand(way: Way) -> SmallPosition:
    """Return a position as it is: the phase with the fewest units."""
    return SmallPosition.of(way[1].candidates[0])


# ---------------------------------------------------------------------- processes


def _in_order(
    function: Callable[..., R], tasks: Iterable[tuple[Any, ...]], jobs: int
) -> Generator[tuple[tuple[Any, ...], R], None, None]:
    """Yield each task, the arguments of a call, with its result, in the order of the tasks."""
    if jobs == 1:
        yield from ((task, function(*task)) for task in tasks)
        return
    from multiprocessing import get_context

    from satdip.base.pools import Pool, leave_interrupts_to_the_parent

    # Processes start anew: one that is forked while a thread shows progress may hang.
    pool = Pool(jobs, leave_interrupts_to_the_parent, get_context("spawn"))
    waiting: deque[tuple[tuple[Any, ...], Future[R]]] = deque()
    try:
        for task in tasks:
            waiting.append((task, pool.submit(function, *task)))
            if len(waiting) > 2 * jobs:
                done, future = waiting.popleft()
                yield done, future.result()
        for done, future in waiting:
            yield done, future.result()
    finally:
        pool.stop()
