"""Games as the ``diplomacy`` package saves them, as phase records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from satdip.base.errors import InputError, Where

__all__ = ["is_saved_game", "saved_phases"]

Json = Mapping[str, Any]


def is_saved_game(value: Json) -> bool:
    """Return whether a JSON object is a saved game: it has a list of phases, each with a state."""
    phases = value.get("phases")
    return isinstance(phases, list) and all(isinstance(p, Mapping) and "state" in p for p in phases)


def saved_phases(game: Json) -> Iterator[dict[str, Any]]:
    """Yield the phases of a saved game that were played, as records with what the package made of them.

    Args:
        game: ``{"id": ..., "map": ..., "phases": [{"name": ..., "state": ..., "orders": ..., "results": ...}]}``.

    Raises:
        InputError: the game is not sound.
    """
    phases = game["phases"]
    for number, (phase, following) in enumerate(zip_longest(phases, phases[1:])):
        try:
            if following is not None and phase["name"] != "COMPLETED":
                yield _record(game, phase, following)
        except (KeyError, TypeError, AttributeError) as error:
            what = f"this is no phase of a saved game of the diplomacy package: {type(error).__name__} {error}"
            raise InputError(what, Where(path=f"$.phases[{number}]")) from None


def _record(game: Json, phase: Json, following: Json) -> dict[str, Any]:
    state, after = phase["state"], following["state"]
    results = {unit: [str(word) for word in words] for unit, words in phase.get("results", {}).items()}
    record = {
        "game": str(game.get("id", "")),
        "map": str(game.get("map", "standard")),
        "engine": "diplomacy-package",
        "phase": phase["name"],
        "units": _standing(state),
        "centers": state["centers"],
        "orders": {power: orders for power, orders in phase["orders"].items() if orders},
        "results": results,
        "next_phase": following["name"],
        "next_units": _standing(after),
        "next_centers": after["centers"],
    }
    if phase["name"].endswith("R"):
        record["dislodged"] = {power: list(ways) for power, ways in state["retreats"].items() if ways}
        record["retreats"] = {unit: list(to) for ways in state["retreats"].values() for unit, to in ways.items()}
    if phase["name"].endswith("M"):
        driven = {unit for unit, words in results.items() if "dislodged" in words}
        record["next_dislodged"] = {
            power: [unit for unit in units if unit in driven] for power, units in record["units"].items()
        }
    return record


def _standing(state: Json) -> dict[str, list[str]]:
    """Return the units of a state without the dislodged ones, which have a star."""
    return {power: [unit for unit in units if unit[:1] != "*"] for power, units in state["units"].items()}
