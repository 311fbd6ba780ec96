"""Errors of satdip's own in the work on a phase: recorded with the phase, counted, and told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

from satdip.base.messages import english
from satdip.base.printable import shown

__all__ = ["OwnError", "error_told", "own_errors"]

LONGEST_TEXT = 300
MOST_CALLS = 5
MOST_SOURCES = 5


@dataclass(frozen=True)
class OwnError:
    """One way in which the work on phases fails: a fault of the program, whatever the phases are.

    Args:
        text: kind and message of the exception.
        where: the last calls before it, as in ``satdip.solving.decide:resolve:17``, the innermost last.
        count: on how many phases.
        sources: the first of them.
    """

    text: str
    where: tuple[str, ...]
    count: int
    sources: tuple[str, ...]

    @classmethod
    def of(cls, error: Exception, source: str) -> OwnError:
        """Return what an exception on one phase is."""
        told = error_told(error)
        return cls(told["text"], tuple(told["where"]), 1, (source,))

    def to_json(self) -> dict[str, object]:
        """Return it as plain values (keys: docs/json.md)."""
        return {"text": self.text, "where": list(self.where), "count": self.count, "sources": list(self.sources)}

    def __str__(self) -> str:
        place = self.where[-1] if self.where else "an unknown place"
        told = "satdip itself failed on {count} {count:phase|phases}: {text}, in {place} ({sources})"
        sources = ", ".join(self.sources)
        return shown(english(told, count=self.count, text=self.text, place=place, sources=sources))


def error_told(error: Exception) -> dict[str, Any]:
    """Return an exception as plain values, the same wherever satdip is installed."""
    text = f"{type(error).__name__}: {error}".removesuffix(": ")
    calls = [
        f"{frame.f_globals.get('__name__', '?')}:{frame.f_code.co_name}:{line}"
        for frame, line in walk_tb(error.__traceback__)
    ]
    return {"text": text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}...", "where": calls[-MOST_CALLS:]}


def own_errors(results: Iterable[Mapping[str, Any]]) -> tuple[OwnError, ...]:
    """Count the results that are errors, the most frequent first."""
    counted: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for result in results:
        if (error := result.get("error")) is not None:
            counted.setdefault((error["text"], tuple(error["where"])), []).append(result["id"])
    found = sorted(counted.items(), key=lambda item: -len(item[1]))
    return tuple(OwnError(*key, len(ids), tuple(ids[:MOST_SOURCES])) for key, ids in found)
