"""Helpers of the tests: what a table says of a phase, compared with its resolution.

A table states only what matters to its case; what it does not state is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from satdip.phase.orders import Move, Retreat
from satdip.phase.position import Unit
from satdip.resolve.resolution import Resolution

__all__ = ["FACTS", "facts", "listed", "wrong"]

FACTS = frozenset({"moves", "dislodged", "retreats", "outcomes", "removed", "automatic", "built", "open"})
"""What can be stated: see `facts`."""


def facts(resolution: Resolution) -> dict[str, Any]:
    """Return what a resolution says, in the words of the tables.

    Returns:
        moves: the moves and retreats that succeed, as ``PAR - BUR``.
        dislodged: the units that are driven out.
        retreats: dislodged unit -> the locations to which it may go.
        outcomes: unit -> what became of its order.
        removed, automatic, built: units.
        open: how many consistent resolutions the rules leave; None when they give an answer.
    """
    return {
        "moves": set(_arrivals(resolution)),
        "dislodged": set(map(str, (item.unit for item in resolution.dislodged))),
        "retreats": {str(item.unit): set(item.retreats or ()) for item in resolution.dislodged},
        "outcomes": {
            str(unit): str(result.outcome)
            for unit in _acting(resolution)
            if (result := resolution.result_of(unit)) is not None
        },
        "removed": set(map(str, resolution.removed)),
        "automatic": set(map(str, resolution.automatic)),
        "built": set(map(str, resolution.built)),
        "open": len(resolution.consistent) if resolution.is_open else None,
    }


def wrong(resolution: Resolution, stated: Mapping[str, Any]) -> list[str]:
    """Return a sentence for everything stated that is not so; what is not stated to be open must have an answer.

    Args:
        resolution: the resolution of a phase.
        stated: some of the keys of `facts`; sets are written as lists with commas.
    """
    unknown = stated.keys() - FACTS
    assert not unknown, f"{unknown} is nothing that can be stated"
    found = facts(resolution)
    return [
        f"{key}: {found[key]!r}, not {expected!r}"
        for key, value in {"open": None, **stated}.items()
        if not _same(found[key], expected := _read(key, value))
    ]


def listed(text: str) -> set[str]:
    """Return the items of a list with commas; none for an empty text."""
    return set(filter(None, text.split(", ")))


def _read(key: str, value: Any) -> Any:
    match key:
        case "open" | "outcomes":
            return value
        case "retreats":
            return {unit: listed(places) for unit, places in value.items()}
        case _:
            return listed(value)


def _same(found: Any, expected: Any) -> bool:
    """Compare; of units only those that are stated."""
    if isinstance(expected, dict):
        return all(found.get(key) == value for key, value in expected.items())
    return bool(found == expected)


def _arrivals(resolution: Resolution) -> Iterable[str]:
    for result in resolution.orders:
        action = result.checked.action
        if result.success and isinstance(action, Move | Retreat) and result.unit is not None:
            yield f"{result.unit.province} - {action.destination}"


def _acting(resolution: Resolution) -> list[Unit]:
    position = resolution.position
    return [*position.units, *(item.unit for item in position.dislodged)]
