"""What `satdip.lab.compare.corpus` finds: how often rulebooks differ, by which choices, and the smallest examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from satdip.base.messages import english
from satdip.lab.compare.choices import PairDifference, tell_causes
from satdip.lab.compare.smallest import SmallPosition, on_one_line
from satdip.telling.tables import as_text, frame, html_table, rich_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CorpusComparison", "CorpusDifference"]

LARGEST_TOLD = 12  # orders of a position that is told although the time was too short to minimise it
HEADINGS = ("", "Rulebooks", "Choices (first / second)", "What differs", "Phases", "Orders")


@dataclass(frozen=True)
class CorpusDifference:
    """A way in which two rulebooks differ on phases of a corpus.

    Args:
        pair: the rulebooks, what differs, and by which choices.
        phases: on how many phases.
        sources: the first of them, ``FILE:LINE``.
        smallest: the smallest position found that shows it.
    """

    pair: PairDifference
    phases: int
    sources: tuple[str, ...]
    smallest: SmallPosition

    def to_json(self) -> dict[str, object]:
        """Return it as plain values; the keys are documented in ``docs/json.md``."""
        return {
            **self.pair.to_json(),
            "phases": self.phases,
            "sources": list(self.sources),
            "smallest": self.smallest.to_json(),
        }


@dataclass(frozen=True)
class CorpusComparison:
    """Several rulebooks over a corpus.

    Args:
        rules: the names of the rulebooks.
        phases: how many phases were read.
        skipped: how many of them are on maps that satdip does not know.
        differ: on how many phases any two of the rulebooks differ.
        pairs: names of two rulebooks -> on how many phases they differ.
        differences: the ways in which they differ, by pair, the most frequent first.
        complete: whether all phases were read and all smallest positions were minimised.
    """

    rules: tuple[str, ...]
    phases: int
    skipped: int
    differ: int
    pairs: Mapping[tuple[str, str], int]
    differences: tuple[CorpusDifference, ...]
    complete: bool

    def to_json(self) -> dict[str, object]:
        """Return everything as plain values; the keys are documented in ``docs/json.md``."""
        return {
            "rules": list(self.rules),
            "phases": self.phases,
            "skipped": self.skipped,
            "differ": self.differ,
            "complete": self.complete,
            "pairs": [
                {"first": first, "second": second, "phases": phases} for (first, second), phases in self.pairs.items()
            ],
            "differences": [difference.to_json() for difference in self.differences],
        }

    def to_frame(self) -> Any:
        """Return the ways to differ as a ``pandas.DataFrame``, one row each.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame(
            {
                "first": difference.pair.first,
                "second": difference.pair.second,
                "choices": tell_causes(difference.pair.causes),
                "differences": ", ".join(difference.pair.kinds),
                "phases": difference.phases,
                "size": difference.smallest.size,
                "smallest": on_one_line(difference.smallest.turn),
                "source": difference.smallest.source,
            }
            for difference in self.differences
        )

    def show(self, *, all_pairs: bool = False) -> RenderableType:
        """Return the comparison as rich prints it: the counts, a table, the smallest positions.

        Args:
            all_pairs: whether to count also for the pairs of rulebooks that do not differ.
        """
        from rich.console import Group
        from rich.text import Text

        counts = [Text(line) for line in self._counts(all_pairs=all_pairs)]
        if not self.differences:
            return Group(*counts)
        return Group(*counts, Text(), rich_table(HEADINGS, self._rows()), Text(), *map(Text, self._positions()))

    def __rich__(self) -> RenderableType:
        return self.show()

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        from html import escape

        counts = "".join(f"<p>{escape(line)}</p>" for line in self._counts(all_pairs=False))
        positions = "".join(f"<p>{escape(line)}</p>" for line in self._positions())
        return counts + html_table(HEADINGS, self._rows()) + positions

    # ------------------------------------------------------------------ words

    def _counts(self, *, all_pairs: bool) -> Iterator[str]:
        verdict = "differ" if self.differ else "agree" if self.phases > self.skipped else "nothing to compare"
        incomplete = "" if self.complete else "; incomplete"
        told = "{differ} of {phases} {phases:phase|phases} {differ:differs|differ}, {skipped} skipped"
        counts = english(told, differ=self.differ, phases=self.phases, skipped=self.skipped)
        yield f"{verdict}: {counts}{incomplete}"
        for (first, second), phases in self.pairs.items():
            if phases or all_pairs:
                yield f"{first} and {second}: {phases}"

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for number, difference in enumerate(self.differences, start=1):
            pair = difference.pair
            kinds, causes = ", ".join(pair.kinds), tell_causes(pair.causes)
            orders = str(difference.smallest.size)
            yield str(number), f"{pair.first} / {pair.second}", causes, kinds, str(difference.phases), orders

    def _positions(self) -> Iterator[str]:
        for number, difference in enumerate(self.differences, start=1):
            found = difference.smallest
            told = on_one_line(found.turn)
            if not found.minimal:
                told = f"not minimised: {told if found.size <= LARGEST_TOLD else 'too large to show'}"
            more = "" if difference.phases <= len(difference.sources) else ", ..."
            yield f"{number}. {told}\n   (part of {found.source}; in {_listed(difference.sources)}{more})"


def _listed(sources: Iterable[str]) -> str:
    """Return sources with the name of each file once: ``FILE:LINE, LINE, FILE:LINE``."""
    told, before = [], ""
    for source in sources:
        file, colon, line = source.rpartition(":")
        told.append(line if colon and file == before else source)
        before = file
    return ", ".join(told)
