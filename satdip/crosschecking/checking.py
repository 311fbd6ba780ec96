"""A cross-check from beginning to end: the run over all phases, then an example for each group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.crosschecking.engines import Engine, Limits
from satdip.crosschecking.findings import Finding, bare_finding, found_in
from satdip.crosschecking.results import check_result
from satdip.crosschecking.runs import ConsoleProgress, Executor, OwnError, Phase, ResultStore, Silent, read_results, run
from satdip.crosschecking.sources import Source, sources_named
from satdip.crosschecking.summary import Crosscheck, EngineInfo
from satdip.crosschecking.tally import Group, tally
from satdip.crosschecking.work import CrossCheck, distinct_engines
from satdip.rulebook import Rulebook, RulebookLike, rulebook_of

__all__ = ["check"]

Tell = Callable[[str], object]


def check(
    sources: Sequence[str],
    engines: Sequence[str],
    output: str | Path | None = None,
    *,
    rules: RulebookLike | None = None,
    limit: int | None = None,
    resume: bool = False,
    executor: Executor | None = None,
    seconds_per_phase: float = 10.0,
    most_starts: int | None = Limits.starts,
    seconds_to_minimise: float | None = 60.0,
    tell: Tell = lambda _: None,
    quiet: bool = True,
) -> Crosscheck:
    """Ask engines about phases, and make findings of their disagreements.

    An interrupt ends the run, or the minimising, and what is known so far is returned.

    Args:
        sources: where the phases come from (`satdip.crosschecking.sources.source_named`).
        engines: the texts that name the engines (`satdip.crosschecking.engines.engine_named`).
        output: the file for the results; None to keep none.
        rules: the rulebook, or its name; None for the one that each record names, else the preferences of the DATC.
        limit: at most so many phases of each source.
        resume: go on with the results in the file, which may be anyone's: what is no result is refused.
        executor: where the work is done; by default in this process.
        seconds_per_phase: how long an engine may take for an answer.
        most_starts: an engine is given up after so many starts in a row without an answer; None for never.
        seconds_to_minimise: how long each example may be made smaller; 0 for not at all, None for as long as it takes.
        tell: is given sentences about how it goes.
        quiet: whether to show no progress on standard error.

    Raises:
        InputError: there is no such source, engine or rulebook, no phase could be compared, or the file cannot be
            written.
    """
    book = None if rules is None else _rulebook(rules)
    called = rules if isinstance(rules, str) else None if book is None else book.name
    found = sources_named(sources, limit)
    work = CrossCheck(tuple(engines), book, Limits(seconds=seconds_per_phase, starts=most_starts))
    asked = {engine.name: engine for engine in distinct_engines(engines, work.limits)}
    infos = tuple(EngineInfo(engine.name, engine.version) for engine in asked.values())
    parameters = {
        "sources": list(sources),
        "limit": limit,
        "engines": [[text, info.name, info.version] for text, info in zip(engines, infos, strict=True)],
        "rules": called,
        "seconds_per_phase": seconds_per_phase,
        "most_starts": most_starts,
    }
    progress = Silent() if quiet else ConsoleProgress()
    with TemporaryDirectory() as folder:
        kept = output or Path(folder) / "results.jsonl"
        refuse = partial(check_result, engines=tuple(asked))
        with ResultStore(kept, parameters, resume=resume, check=refuse) as store:
            done = run(_phases(found), work, store, executor, progress, _total(found))
        if not done.complete:
            tell(done.sentence_without_output if output is None else done.sentence)
        counted = tally(partial(_results, kept), asked)
    if done.complete and not counted.phases and not counted.errors:
        reasons = "; ".join(counted.skipped) or "there is none"
        raise InputError(f"no phase could be compared: {reasons}")
    try:
        groups = _Findings(asked, book, seconds_to_minimise if done.complete else 0, tell)
        findings = groups.of(counted.groups)
    finally:
        for engine in asked.values():
            engine.close()
    counted = replace(counted, errors=(*counted.errors, *groups.errors))
    return Crosscheck(tuple(sources), infos, called, counted, findings, done.complete and not groups.interrupted)


class _Findings:
    """Makes findings of groups; after an interrupt without making the examples smaller.

    Its ``errors`` are those of satdip's own; an example that they concern is shown as it was found.
    """

    def __init__(
        self, engines: Mapping[str, Engine], rules: Rulebook | None, seconds: float | None, tell: Tell
    ) -> None:
        self.engines, self.rules, self.seconds, self.tell = engines, rules, seconds, tell
        self.interrupted = False
        self.errors: list[OwnError] = []

    def of(self, groups: Sequence[Group]) -> tuple[Finding, ...]:
        """Return the findings, in the order of the groups."""
        return tuple(self._finding(number, group, len(groups)) for number, group in enumerate(groups, start=1))

    def _finding(self, number: int, group: Group, total: int) -> Finding:
        if self.seconds != 0:
            phases = english("{number} {number:phase|phases}", number=group.count)
            self.tell(f"finding {number} of {total}: {group.engine}, {group.reason.slug}, {phases}")
        try:
            return found_in(group, self.engines, self.rules, self.seconds)
        except KeyboardInterrupt:
            self.interrupted, self.seconds = True, 0
            self.tell("interrupted; the examples that are left are not minimised")
            return found_in(group, self.engines, self.rules, 0)
        except Exception as error:  # noqa: BLE001 -- whatever is wrong with one example must not lose the others
            self.errors.append(OwnError.of(error, group.smallest[0]["id"]))
            return bare_finding(group, self.rules)


def _phases(sources: Sequence[Source]) -> Iterator[Phase]:
    return chain.from_iterable(source.make() for source in sources)


def _total(sources: Sequence[Source]) -> int | None:
    totals = [source.total for source in sources]
    return None if None in totals else sum(total for total in totals if total is not None)


def _results(output: str | Path) -> Iterator[dict[str, Any]]:
    return read_results(output)[1]


def _rulebook(name: RulebookLike) -> Rulebook:
    try:
        return rulebook_of(name)
    except InputError as error:
        raise error.at(source="--rules") from None
