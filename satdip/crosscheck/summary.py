"""A whole cross-check as a value: for the terminal, as JSON, for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdip.crosscheck.findings import Finding
from satdip.crosscheck.smallest import By
from satdip.crosscheck.tally import Tally
from satdip.frames import as_text, rich_table
from satdip.lab.compare.smallest import told_in_a_line
from satdip.messages import english

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Crosscheck", "EngineInfo", "shown"]

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
        """Whether any engine disagrees, or fails."""
        return bool(self.tally.disagree or self.tally.engine_failures)

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
            "skipped": dict(tally.skipped),
            "complete": self.complete,
            "engines": [
                {"name": info.name, "version": info.version, **vars(tally.engines[info.name])} for info in self.engines
            ],
            "failures": [failed.to_json() for failed in tally.failures],
            "groups": [finding.to_json() for finding in self.findings],
        }

    def __rich__(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        lines = [Text(line) for line in self.counts()]
        if self.findings:
            lines.append(Text())
            return Group(*lines, rich_table(HEADINGS, self.rows()), Text(), *map(Text, self._examples()))
        return Group(*lines)

    def __str__(self) -> str:
        return as_text(self)

    # ------------------------------------------------------------------ words

    def counts(self) -> Iterator[str]:
        """Yield the counts as sentences."""
        tally = self.tally
        verdict = "disagree" if tally.disagree else "agree" if tally.agree else "nothing to compare"
        incomplete = "" if self.complete else "; incomplete"
        skipped = sum(tally.skipped.values())
        told = (
            "of {phases} {phases:phase|phases} {agree} {agree:agrees|agree}, {differ} {differ:disagrees|disagree}; "
            "{failures} engine {failures:failure|failures}, {skipped} {skipped:phase|phases} skipped"
        )
        numbers = {"phases": tally.phases, "agree": tally.agree, "differ": tally.disagree, "skipped": skipped}
        yield f"{verdict}: {english(told, **numbers, failures=tally.engine_failures)}{incomplete}"
        for info in self.engines:
            counts = tally.engines[info.name]
            told = (
                "{agree} {agree:agrees|agree}, {differ} {differ:disagrees|disagree}, {failed} {failed:failure|failures}"
            )
            numbers = {"agree": counts.agree, "differ": counts.disagree, "failed": counts.failures}
            yield f"{shown(str(info))}: {english(told, **numbers)}, {counts.unsupported} not supported"
        for failed in tally.failures:
            where = shown(", ".join(failed.sources))
            yield f"{shown(failed.engine)} failed on {failed.count}, {failed.kind}: {shown(failed.text)} ({where})"
        for reason, count in tally.skipped.items():
            yield f"skipped {count}: {shown(reason)}"

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
            told = told_in_a_line(small.turn)
            if small.by == By.NOBODY and finding.size > LARGEST_TOLD:
                told = "too large to show"
            yield f"{number}. {reason.title}{datc}\n   {MINIMISED[small.by]}{shown(told)}"
            yield "".join(f"   {line}\n" for line in sides(finding)).rstrip("\n")
            yield f"   (part of {shown(finding.source)}; in {shown(', '.join(finding.group.sources))})"


def sides(finding: Finding) -> Iterator[str]:
    """Yield the differences of an example as lines: what satdip says, what the engine says."""
    for difference in finding.differences:
        ours, theirs = (", ".join(side) or "nothing" for side in (difference.satdip, difference.engine))
        at = f" {difference.at}" if difference.at else ""
        yield f"{difference.what}{at}: satdip {shown(ours)}, engine {shown(theirs)}"


def shown(text: str) -> str:
    """Return a text on one line, with everything that is not printable escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
