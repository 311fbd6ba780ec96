"""Many phases: an iterator of phases in, an iterator of answers out, in the same order and in bounded memory."""

from __future__ import annotations

import gc
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from traceback import format_exception
from typing import IO, TYPE_CHECKING, TypeVar

from satdip.adjudication import adjudicate, adjudicate_turn
from satdip.base.errors import InputError
from satdip.notation import decode_record, decode_text, read_record, write_record
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import Rulebook, RulebookLike, rulebook_of
from satdip.telling.serialise import result_record, result_words

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Answer", "adjudicate_lines", "adjudicate_many", "answer_record", "collect_rarely", "numbered_lines"]

T = TypeVar("T")
A = TypeVar("A")

CHUNK = 64
"""How many phases a worker is given at a time; two such lots a worker are on their way."""

ALLOCATIONS = 100_000
"""How many new objects let the garbage collector look for circles, in a process that does nothing but adjudicate."""

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read as a record."""

Phase = str | Mapping[str, object] | Turn


def answer_record(resolution: Resolution) -> dict[str, object]:
    """Return a phase record with its outcome; one of a phase that the rules leave open has ``"open": true`` instead.

    See `satdip.telling.serialise.result_record`. ``remarks`` lists what was not looked at and how misspelt
    words were read, where there is anything.
    """
    if not resolution.is_open:
        record = result_record(resolution)
    else:
        rules = resolution.stated_rules or resolution.rules
        words = {"rules": rules, "results": result_words(resolution), "open": True}
        record = write_record(resolution.turn) | words
    if remarks := (*resolution.remarks, *resolution.turn.corrections):
        record["remarks"] = [str(remark) for remark in remarks]
    return record


def adjudicate_many(
    phases: Iterable[Phase],
    answer: Callable[[Resolution], T] = answer_record,  # type: ignore[assignment]
    *,
    rules: RulebookLike | None = None,
    workers: int = 1,
) -> Iterator[T]:
    """Adjudicate phases one after the other, or in several processes; each is read when its turn comes.

    Args:
        phases: texts, phase records or turns (see `satdip.adjudicate`).
        answer: what to make of each resolution; by default a phase record with its outcome. With several workers it
            is called in them: it must be a function of a module, and what it returns must be fit to be pickled.
        rules: the rulebook, or its name; by default the one that each phase names, else the preferences of the DATC.
        workers: how many processes; 1 starts none.

    Returns:
        One answer for each phase, in the order of the phases.

    Raises:
        InputError: a phase cannot be read; what came before it has been answered.
    """
    if isinstance(phases, str | Mapping | Turn):
        raise InputError("several phases are a list or another iterable of them; this is one")
    numbered = enumerate(phases, 1)
    return _in_order(numbered, partial(_answered, answer=answer, rules=_chosen(rules)), workers)


def _answered(numbered: tuple[int, Phase], answer: Callable[[Resolution], T], rules: Rulebook | None) -> T:
    number, phase = numbered
    try:
        return answer(adjudicate(phase, rules=rules))
    except InputError as error:
        raise error.at(source=f"phase {number}") from None


def _chosen(rules: RulebookLike | None) -> Rulebook | None:
    """Return the rulebook for all phases, looked up once; None where each names its own."""
    return None if rules is None else rulebook_of(rules)


# ---------------------------------------------------------------------- lines


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one line.

    Args:
        text: a line of JSON: the record with its outcome, or ``{"error": ..., "line": ...}``.
        failed: the line is no sound phase record.
        is_open: the rules give no answer.
    """

    text: str
    failed: bool = False
    is_open: bool = False


def adjudicate_lines(
    lines: Iterable[tuple[int, bytes]],
    *,
    rules: RulebookLike | None = None,
    fallback: str | None = None,
    lenient: bool = False,
    fold: bool = True,
    workers: int = 1,
) -> Iterator[Answer]:
    """Adjudicate phase records, a line of JSON each; a line that is none is answered by an error, and the rest goes on.

    Args:
        lines: the lines, each with its number (`numbered_lines`).
        rules: the rulebook, or its name; by default the one that each record names, else the preferences of the DATC.
        fallback: what decides a paradox that the rulebook leaves open.
        lenient: whether a text that is no order counts as no order, rather than being refused.
        fold: decide by constant folding what can be decided so.
        workers: how many processes.
    """
    work = partial(_line_answered, rules=_chosen(rules), fallback=fallback, lenient=lenient, fold=fold)
    return _in_order(lines, work, workers)


def numbered_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that say something, each with its number; of one that is too long only the beginning."""
    number = 0
    while data := file.readline(LONGEST_LINE + 1):
        number += 1
        rest = data
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE + 1)
        if not data.isspace():
            yield number, data


def _line_answered(
    numbered: tuple[int, bytes], rules: Rulebook | None, fallback: str | None, lenient: bool, fold: bool
) -> Answer:
    number, data = numbered
    try:
        if len(data) > LONGEST_LINE:
            raise InputError(f"a line of more than {LONGEST_LINE} bytes is no record")
        record = decode_record(decode_text(data.rstrip(b"\r\n")))
        turn = read_record(record, lenient=lenient)
        rulebook = rulebook_of(rules, turn.rules)
        if fallback is not None:
            rulebook = rulebook.override({"fallback": fallback})
        resolution = adjudicate_turn(turn, rulebook, fold=fold)
    except InputError as error:
        return Answer(json.dumps({"error": error.message, **_place(error), "line": number}), failed=True)
    return Answer(json.dumps(answer_record(resolution)), is_open=resolution.is_open)


def _place(error: InputError) -> dict[str, object]:
    """Return the place of an error within its line: the path of the field, or the column."""
    places = {"path": error.where.path, "column": error.where.column}
    return {name: place for name, place in places.items() if place is not None}


# ---------------------------------------------------------------------- workers


def collect_rarely() -> None:
    """Let the garbage collector of this process look for circles more rarely: adjudicating leaves none."""
    gc.set_threshold(ALLOCATIONS)


Done = tuple[list[T], Exception | None]
"""What came of some items, and what stopped it, if anything did."""


def _in_order(items: Iterable[A], work: Callable[[A], T], workers: int) -> Iterator[T]:
    """Yield what comes of each item, in the order of the items; never more of them are read than the workers need."""
    if workers <= 1:
        yield from map(work, items)
        return
    from satdip.base.pools import Pool

    items, failure = iter(items), None
    waiting: deque[Future[Done[T]]] = deque()
    pool = Pool(workers, _start_worker)
    try:
        while failure is None:
            chunk, failure = _up_to_a_failure(islice(items, CHUNK))
            if not chunk:
                break
            waiting.append(pool.submit(_all_done, work, chunk))
            if len(waiting) > 2 * workers:
                yield from _told(waiting.popleft().result())
        while waiting:
            yield from _told(waiting.popleft().result())
        if failure is not None:
            raise failure
    finally:
        pool.stop()


def _start_worker() -> None:
    from satdip.base.pools import leave_interrupts_to_the_parent

    leave_interrupts_to_the_parent()
    collect_rarely()


def _all_done(work: Callable[[A], T], items: list[A]) -> Done[T]:
    """Work on items up to one that fails: what came before it is not lost with it."""
    done, failure = _up_to_a_failure(map(work, items))
    if failure is not None and not isinstance(failure, InputError):
        failure.add_note("".join(format_exception(failure)))  # the traceback does not go from process to process
    return done, failure


def _up_to_a_failure(items: Iterator[T]) -> Done[T]:
    """Take items up to the end, or up to an exception."""
    taken: list[T] = []
    try:
        taken.extend(items)
    except Exception as error:  # noqa: BLE001 -- it is raised when what came before it has been answered
        return taken, error
    return taken, None


def _told(done: Done[T]) -> Iterator[T]:
    """Yield what was done, and raise what stopped it."""
    answers, failure = done
    yield from answers
    if failure is not None:
        raise failure
