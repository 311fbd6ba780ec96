"""What a resolution says as a table that can be compared, whatever sequence things are listed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from satdip.crosschecking.engines import Difference
from satdip.phase.orders import ordered_unit
from satdip.phase.position import Unit
from satdip.resolve.movement import MOST_LISTED
from satdip.resolve.resolution import OrderResult, Resolution

__all__ = ["Facts", "Told", "compact", "compared", "facts", "facts_with_reasons"]

Facts = Mapping[tuple[str, str], tuple[str, ...]]
"""(What is told, about whom) -> in words. What says nothing is not there."""
Told = tuple[str, str, Sequence[str]]
"""What is told, about whom, and some of the words."""


def facts(resolution: Resolution, names: Mapping[str, str] | None = None) -> Facts:
    """Return everything that a resolution says but the reasons, in words that do not depend on any sequence.

    Args:
        resolution: the resolution.
        names: power -> what to call it instead.
    """
    return compact(_facts(resolution, names or {}))


def compact(told: Iterable[Told]) -> Facts:
    """Make a table of what is told; what is told in parts is put together."""
    table: dict[tuple[str, str], tuple[str, ...]] = {}
    for what, at, words in told:
        if words:
            table[what, at] = (*table.get((what, at), ()), *words)
    return table


def _facts(resolution: Resolution, names: Mapping[str, str]) -> Iterator[Told]:
    def told(units: Sequence[Unit]) -> list[str]:
        return sorted(f"{names.get(unit.power, unit.power)} {unit}" for unit in units)

    for result in resolution.orders:
        power = names.get(result.power, result.power)
        yield "order", f"{power} {_subject(result)}", [_words(result)]
    yield "answer", "", ["open"] if resolution.is_open else []
    for item in resolution.dislodged:
        (unit,) = told([item.unit])
        yield "retreats", unit, ["dislodged", *sorted(item.retreats or ())]
        yield "attacker", unit, [item.attacker_from] if item.attacker_from else []
    yield "contested", "", sorted(resolution.contested)
    for what, units in (("removed", resolution.removed), ("automatic", resolution.automatic)):
        yield what, "", told(units)
    yield "built", "", told(resolution.built)
    for core in resolution.paradoxes:
        at = ", ".join(told(core.units))
        yield "paradox", at, [str(core.resolutions), *(["left open"] if core.left_open else [])]
        yield "disrupted", at, told(core.disrupted)
        yield "failed", at, told(core.failed)
    for ring in resolution.rotations:
        first = ring.index(min(ring, key=str))
        yield "rotation", " ".join(map(str, (*ring[first:], *ring[:first]))), ["turns"]
    if len(resolution.consistent) < MOST_LISTED:  # of more it is left open which ones are listed
        yield "consistent", "", sorted(_written(one.moves, one.dislodged) for one in resolution.consistent)
    yield "winner", "", [names.get(resolution.winner, resolution.winner)] if resolution.winner else []
    if (after := resolution.next) is not None:
        yield "next", "phase", [str(after.phase)]
        yield "next", "units", told(after.units)
        yield "next", "dislodged", told([item.unit for item in after.dislodged])
        for power, owned in after.centres.items():
            yield "next", f"centers of {names.get(power, power)}", sorted(owned)


def _subject(result: OrderResult) -> str:
    """Return what an order is about: the unit, else where there should be one."""
    if result.unit is not None:
        return str(result.unit)
    given = result.checked.given
    named = None if given is None else ordered_unit(given.order)
    return "" if named is None else named.location


def _words(result: OrderResult) -> str:
    marks = [mark for mark in ("dislodged", "destroyed", "disbanded") if getattr(result, mark)]
    return " ".join([str(result.outcome), *(mark for mark in marks if mark != str(result.outcome))])


def _written(moves: Mapping[Unit, str], dislodged: Sequence[Unit]) -> str:
    return f"{sorted(f'{unit} - {to}' for unit, to in moves.items())} {sorted(map(str, dislodged))}"


def facts_with_reasons(resolution: Resolution) -> Facts:
    """Return the facts with why each order came out as it did."""
    reasons = {
        ("reasons", f"{number}: {result.power} {_subject(result)}"): tuple(
            f"{reason.code} {dict(reason.details)}" for reason in result.reasons
        )
        for number, result in enumerate(resolution.orders, 1)
    }
    return {**facts(resolution), **reasons}


def compared(one: Facts, other: Facts) -> tuple[Difference, ...]:
    """Return the differences of two tables of facts."""
    keys = [*one, *(key for key in other if key not in one)]
    return tuple(
        Difference(*key, one.get(key, ()), other.get(key, ())) for key in keys if one.get(key) != other.get(key)
    )
