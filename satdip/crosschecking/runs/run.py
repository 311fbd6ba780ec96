"""A long run: every phase of a source, once, whatever happens in between."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import cast

from satdip.base.errors import InputError, Where
from satdip.base.messages import english
from satdip.crosschecking.runs.executors import Serial
from satdip.crosschecking.runs.phase import Executor, Phase, RunFailed, Work
from satdip.crosschecking.runs.progress import Progress, Silent
from satdip.crosschecking.runs.store import ResultStore

__all__ = ["Summary", "run"]


@dataclass(frozen=True)
class Summary:
    """How a run ended.

    Args:
        done: how many results the output holds.
        new: how many of them this run added.
        reason: why it ended before the last phase; None when it did not.
    """

    done: int
    new: int
    reason: str | None = None

    @property
    def complete(self) -> bool:
        """Whether every phase has its result."""
        return self.reason is None

    @property
    def sentence(self) -> str:
        """What to tell the user who keeps the output."""
        if self.reason is None:
            return english("{done} {done:phase is|phases are} done", done=self.done)
        kept = english("{done} {done:phase is|phases are} done and kept", done=self.done)
        return f"{self.reason}; {kept}, the same command with --resume goes on"

    @property
    def sentence_without_output(self) -> str:
        """What to tell the user who keeps no output."""
        if self.reason is None:
            return self.sentence
        done = english("{done} {done:phase is|phases are} done and not kept", done=self.done)
        return f"{self.reason}; {done}: a run with --output can be resumed"


def run(
    source: Iterable[Phase],
    work: Work,
    store: ResultStore,
    executor: Executor | None = None,
    progress: Progress | None = None,
    total: int | None = None,
) -> Summary:
    """Do what is not done yet.

    The verb opens the store with what the results depend on (source, engines, rulebook) as its parameters, calls this,
    prints `Summary.sentence` on standard error and exits with 4 when the run is not complete::

        with ResultStore(output, parameters, resume=resume) as store:
            summary = run(phases, work, store, executor, ConsoleProgress(), total)

    Ctrl-C, a full disk, workers that keep dying and a cluster that is gone end the run with a summary; what is done
    is kept.

    Args:
        source: the phases, in an order that is the same every time.
        work: what is done with each.
        store: where the results go. Phases that have one are passed over.
        executor: where the work is done; by default in this process. It has no influence on the results.
        progress: who is told how far it is; by default nobody.
        total: how many phases there are, where that is known.

    Raises:
        InputError: the source is not that of the results which are there; or source, work or cluster say so.
    """
    progress = progress or Silent()
    phases = _not_done(iter(source), store)
    before = store.count
    reason = None
    progress.start(total, before)
    try:
        lines = (executor or Serial()).lines(work, phases)
        with closing(cast("Generator[list[str], None, None]", lines)):
            for some in lines:
                store.append(some)
                progress.advance(len(some))
        store.checkpoint()
    except KeyboardInterrupt as interrupt:
        reason = str(interrupt) or "interrupted"
    except RunFailed as error:
        reason = error.sentence
    finally:
        progress.stop()
    return Summary(store.count, store.count - before, reason)


def _not_done(phases: Iterator[Phase], store: ResultStore) -> Iterator[Phase]:
    """Pass over the phases that have a result, and return the others."""
    for line, name in enumerate(store.ids(), start=2):
        phase = next(phases, None)
        if phase is None or phase.id != name:
            there = "the source has ended" if phase is None else f"the source has {phase.id!r}"
            what = f"this is the result of {name!r}, where {there}: the source is not the same; choose another file"
            raise InputError(what, Where(str(store.path), line))
    return phases
