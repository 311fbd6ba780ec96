"""What an engine says about a phase, as a value that can be compared and written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from satdip.phase.orders import Move, Retreat
from satdip.phase.position import Unit
from satdip.resolve.resolution import Resolution
from satdip.telling.serialise import units_by_power

__all__ = ["Answer", "Failure", "FailureKind", "answer_of", "failed"]


class FailureKind(StrEnum):
    """Why there is no answer."""

    CRASH = "crash"
    """The engine ended, raised, or grew over its memory limit."""
    TIMEOUT = "timeout"
    """No answer came in time."""
    NONSENSE = "nonsense"
    """What came is no answer to this phase: garbage, another id, places that are not on the map."""
    UNSUPPORTED = "unsupported"
    """The engine does not do such phases, or the record has no answer of it."""
    NO_ANSWER = "no-answer"
    """The engine says itself that it has none: a paradox that its rules leave open, an internal error."""
    GIVEN_UP = "given-up"
    """The engine was not asked: start after start before had given no answer."""


@dataclass(frozen=True)
class Failure:
    """Why an engine has no answer to a phase.

    Args:
        kind: what went wrong.
        text: the same in words; equal on every run, as far as it depends on satdip.
        printed: what the engine printed where an answer was expected, or its beginning.
        stderr: the last of what the engine wrote on its standard error. Like `printed` it may name times and processes,
            so both take no part in comparisons and are not in `Answer.to_json`.
    """

    kind: FailureKind
    text: str
    printed: str = field(default="", compare=False)
    stderr: str = field(default="", compare=False)


@dataclass(frozen=True)
class Answer:
    """What an engine says; None for what it does not say. Provinces and locations are ids of the map.

    Args:
        moves: province -> location or province, of the moves that succeed; in a retreat phase of the retreats.
        dislodged: movement phases: provinces whose units are dislodged.
        retreats: movement phases: province of a dislodged unit -> locations to which it may go. A unit without any
            may be left out.
        disbanded: provinces whose units leave the board in this phase; in a retreat phase those of dislodged units.
        units: power -> the units on the board after the phase (``A PAR``), without those that must retreat.
        centers: power -> the supply centres that it owns after the phase.
        failure: why the engine says nothing.
    """

    moves: Mapping[str, str] | None = None
    dislodged: frozenset[str] | None = None
    retreats: Mapping[str, frozenset[str]] | None = None
    disbanded: frozenset[str] | None = None
    units: Mapping[str, frozenset[str]] | None = None
    centers: Mapping[str, frozenset[str]] | None = None
    failure: Failure | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what is said as plain values, sorted: the keys of the line protocol (docs/engines.md)."""
        if self.failure is not None:
            return {"error": self.failure.text, "kind": str(self.failure.kind)}
        value: dict[str, Any] = {}
        if self.moves is not None:
            value["moves"] = dict(sorted(self.moves.items()))
        for key in ("dislodged", "disbanded"):
            if (provinces := getattr(self, key)) is not None:
                value[key] = sorted(provinces)
        for key in ("retreats", "units", "centers"):
            if (table := getattr(self, key)) is not None:
                value[key] = {name: sorted(table[name]) for name in sorted(table)}
        return value


def failed(kind: FailureKind, text: str, printed: str = "", stderr: str = "") -> Answer:
    """Return the answer of an engine that has none (arguments as of `Failure`)."""
    return Answer(failure=Failure(kind, text, printed, stderr))


def answer_of(resolution: Resolution) -> Answer:
    """Return what satdip says about a phase; a failure where the rules leave it open."""
    if resolution.next is None:
        return failed(FailureKind.NO_ANSWER, f"the rules {resolution.rules} leave {resolution.position.phase} open")
    done = [result for result in resolution.orders if result.success and result.unit is not None]
    moves = {
        result.unit.province: action.destination
        for result in done
        if result.unit is not None and isinstance(action := result.checked.action, Move | Retreat)
    }
    following = resolution.next
    return Answer(
        moves=moves,
        dislodged=frozenset(item.unit.province for item in resolution.dislodged),
        retreats={item.unit.province: item.retreats for item in resolution.dislodged if item.retreats},
        disbanded=_provinces(resolution.removed),
        units={power: frozenset(texts) for power, texts in units_by_power(following.units).items()},
        centers={power: owned for power, owned in following.centres.items() if owned} if following.centres else None,
    )


def _provinces(units: Iterable[Unit]) -> frozenset[str]:
    return frozenset(unit.province for unit in units)
