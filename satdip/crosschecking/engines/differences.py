"""Where two answers to a phase differ, over what both of them say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from satdip.board import province_of
from satdip.crosschecking.engines.answer import Answer, answer_of
from satdip.resolve.resolution import Resolution

__all__ = ["Difference", "compare", "differences"]


@dataclass(frozen=True)
class Difference:
    """One thing that two answers say differently.

    Args:
        what: ``moves``, ``dislodged``, ``retreats``, ``disbanded``, ``units``, ``centers``; or ``answer`` where the
            rules of satdip leave the phase open and the engine decides it.
        at: the province, for ``units`` and ``centers`` the power.
        satdip: what satdip says: the place that the unit moves to, the province when it is in the set, the open
            retreats, the units or centres that only satdip has. Empty for nothing.
        engine: what the engine says, in the same way.
    """

    what: str
    at: str
    satdip: tuple[str, ...]
    engine: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return it as plain values."""
        return {"what": self.what, "at": self.at, "satdip": list(self.satdip), "engine": list(self.engine)}


def differences(resolution: Resolution, answer: Answer) -> tuple[Difference, ...]:
    """Compare an engine's answer with satdip's resolution.

    Args:
        resolution: satdip's.
        answer: the engine's; one with a failure says nothing, and differs in nothing.

    Returns:
        The differences over what the engine says, sorted by `Difference.what` as its list tells, then by place.
        Supply centres are not compared before the retreats of autumn, where engines count them at different times.
    """
    if answer.failure is not None:
        return ()
    if resolution.next is None:
        return (Difference("answer", "", (), ("one",)),)
    ours = answer_of(resolution)
    waiting = bool(resolution.next.dislodged)
    return tuple(d for d in compare(ours, answer) if not (waiting and d.what == "centers"))


def compare(first: Answer, second: Answer) -> tuple[Difference, ...]:
    """Compare two answers: the first takes satdip's part (see `differences`)."""
    return tuple(_compared(first, second))


def _compared(first: Answer, second: Answer) -> Iterator[Difference]:
    yield from _moves(first.moves, second.moves)
    for what in ("dislodged", "disbanded"):
        yield from _sets(what, getattr(first, what), getattr(second, what))
    yield from _tables("retreats", first.retreats, second.retreats)
    for what in ("units", "centers"):
        for d in _tables(what, getattr(first, what), getattr(second, what)):
            yield Difference(what, d.at, _without(d.satdip, d.engine), _without(d.engine, d.satdip))


def _moves(first: Mapping[str, str] | None, second: Mapping[str, str] | None) -> Iterator[Difference]:
    if first is None or second is None:
        return
    for at in sorted({*first, *second}):
        one, other = first.get(at), second.get(at)
        if one is None or other is None or not _same_place(one, other):
            yield Difference("moves", at, (one,) if one else (), (other,) if other else ())


def _same_place(one: str, other: str) -> bool:
    """Return whether two destinations are the same; a coast that only one of them names is no difference."""
    if "/" in one and "/" in other:
        return one == other
    return province_of(one) == province_of(other)


def _sets(what: str, first: frozenset[str] | None, second: frozenset[str] | None) -> Iterator[Difference]:
    if first is not None and second is not None:
        for at in sorted(first ^ second):
            yield Difference(what, at, (at,) if at in first else (), (at,) if at in second else ())


def _tables(
    what: str, first: Mapping[str, frozenset[str]] | None, second: Mapping[str, frozenset[str]] | None
) -> Iterator[Difference]:
    if first is not None and second is not None:
        for key in sorted({*first, *second}):
            one, other = first.get(key, frozenset()), second.get(key, frozenset())
            if one != other:
                yield Difference(what, key, tuple(sorted(one)), tuple(sorted(other)))


def _without(texts: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    left_out = set(others)
    return tuple(text for text in texts if text not in left_out)
