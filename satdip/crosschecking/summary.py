"""A whole cross-check as a value: for the terminal, as JSON, for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdip.base.messages import english
from satdip.base.printable import shown
from satdip.crosschecking.engines import FailureKind
from satdip.crosschecking.findings import Finding
from satdip.crosschecking.smallest import By
from satdip.crosschecking.tally import Failed, Tally
from satdip.lab.compare.smallest import on_one_line
from satdip.telling.tables import as_text, rich_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Crosscheck", "EngineInfo", "sides"]

HEADINGS = ("", "Engine", "Class", "Differs", "Phases", "Units", "Consistent")
MINIMISED = {By.ENGINE: "", By.READING: "(by the reading that explains it) ", By.NOBODY: "(not minimised) "}
LARGEST_TOLD = 14
"""Units of an example that is told although it was not minimised."""


@dataclass(frozen=True)
class EngineInfo:
    """An engine of a run: its name, and its version where that is known."""

    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}".strip()


@dataclass(frozen=True)
class Crosscheck:
    """A cross-check.

    Args:
        sources: where the phases come from.
        engines: the engines.
        rules: name of the rulebook; None for the one that each record names.
        tally: the counts.
        findings: the groups of disagreements.
        complete: whether every phase was compared and every example minimised; else it was interrupted.
    """

    sources: tuple[str, ...]
    engines: tuple[EngineInfo, ...]
    rules: str | None
    tally: Tally
    findings: tuple[Finding, ...]
    complete: bool

    @property
    def differ(self) -> bool:
        """Whether any engine disagrees or fails, or satdip itself fails."""
        return bool(self.tally.disagree or self.tally.engine_failures or self.tally.errors)

    def to_json(self) -> dict[str, object]:
        """Return everything as plain values (keys: docs/json.md)."""
        tally = self.tally
        return {
            "sources": list(self.sources),
            "rules": self.rules,
            "phases": tally.phases,
            "agree": tally.agree,
            "disagree": tally.disagree,
            "engine_failures": tally.engine_failures,
            "own_errors": tally.own_errors,
            "skipped": dict(tally.skipped),
            "complete": self.complete,
            "engines": [
                {"name": info.name, "version": info.version, **vars(tally.engines[info.name])} for info in self.engines
            ],
            "failures": [failed.to_json() for failed in tally.failures],
            "errors": [error.to_json() for error in tally.errors],
            "grouped": tally.grouped,
            "groups": [finding.to_json() for finding in self.findings],
        }

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        lines = [Text(line) for line in self.counts()]
        if self.findings:
            lines.append(Text())
            table = rich_table(HEADINGS, self.rows())
            return Group(*lines, table, *map(Text, self.notes()), Text(), *map(Text, self._examples()))
        return Group(*lines)

    def __str__(self) -> str:
        return as_text(self)

    # ------------------------------------------------------------------ words

    def counts(self) -> Iterator[str]:
        """Yield the counts as sentences."""
        tally = self.tally
        verdict = "agree" if tally.agree else "nothing to compare"
        if tally.disagree or tally.errors:
            verdict = "disagree" if tally.disagree else "satdip itself failed"
        incomplete = "" if self.complete else "; incomplete"
        skipped = sum(tally.skipped.values())
        told = (
            "of {phases} {phases:phase|phases} {agree} {agree:agrees|agree}, {differ} {differ:disagrees|disagree}; "
            "{failures} engine {failures:failure|failures}, {skipped} {skipped:phase|phases} skipped"
        )
        numbers = {"phases": tally.phases, "agree": tally.agree, "differ": tally.disagree, "skipped": skipped}
        yield f"{verdict}: {english(told, **numbers, failures=tally.engine_failures)}{incomplete}"
        yield from map(str, tally.errors)
        for info in self.engines:
            counts = tally.engines[info.name]
            told = (
                "{agree} {agree:agrees|agree}, {differ} {differ:disagrees|disagree}, {failed} {failed:failure|failures}"
            )
            numbers = {"agree": counts.agree, "differ": counts.disagree, "failed": counts.failures}
            yield f"{shown(str(info))}: {english(told, **numbers)}, {counts.unsupported} not supported"
        for failed in tally.failures:
            yield from _failed(failed)
        for reason, count in tally.skipped.items():
            yield f"{english('skipped {count} {count:phase|phases}', count=count)}: {shown(reason)}"

    def notes(self) -> Iterator[str]:
        """Yield what is to be known about the numbers of the findings."""
        tally = self.tally
        if tally.grouped > tally.disagree:
            told = (
                "The numbers of phases add up to {grouped}, although {differ} {differ:disagrees|disagree}: a phase "
                "counts for every engine that disagrees about it, and under each of several causes."
            )
            yield english(told, grouped=tally.grouped, differ=tally.disagree)

    def rows(self) -> Iterator[Sequence[str]]:
        """Yield the table of findings."""
        words = {True: "yes", False: "no", None: "-"}
        for number, finding in enumerate(self.findings, start=1):
            group = finding.group
            yield (
                str(number),
                shown(group.engine),
                group.reason.slug,
                group.kind,
                str(group.count),
                str(finding.size),
                words[finding.consistent],
            )

    def _examples(self) -> Iterator[str]:
        for number, finding in enumerate(self.findings, start=1):
            small, reason = finding.example, finding.group.reason
            datc = f" (DATC {', '.join(reason.datc)})" if reason.datc else ""
            told = on_one_line(small.turn)
            if small.by == By.NOBODY and finding.size > LARGEST_TOLD:
                told = "too large to show"
            yield f"{number}. {reason.title}{datc}\n   {MINIMISED[small.by]}{shown(told)}"
            yield "".join(f"   {line}\n" for line in sides(finding)).rstrip("\n")
            yield f"   (part of {shown(finding.source)}; in {shown(', '.join(finding.group.sources))})"


def _failed(failed: Failed) -> Iterator[str]:
    """Yield how an engine failed, and what it printed then."""
    where = ", ".join(failed.sources)
    told = "{engine} failed on {count} {count:phase|phases}, {kind}: {text} ({where})"
    if failed.kind == FailureKind.GIVEN_UP:
        told = "{engine} was given up, {text}: {count} {count:phase was|phases were} not asked of it ({where})"
    yield shown(
        english(told, engine=failed.engine, count=failed.count, kind=failed.kind, text=failed.text, where=where)
    )
    for what, text in (("it printed", failed.printed), ("on standard error", failed.stderr)):
        if text:
            yield f"  {what}: {shown(text)}"


def sides(finding: Finding) -> Iterator[str]:
    """Yield the differences of an example as lines: what satdip says, what the engine says."""
    for difference in finding.differences:
        ours, theirs = (", ".join(side) or "nothing" for side in (difference.satdip, difference.engine))
        at = f" {difference.at}" if difference.at else ""
        yield f"{difference.what}{at}: satdip {shown(ours)}, engine {shown(theirs)}"
