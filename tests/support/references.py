"""A resolution in the words of the reference adjudicator."""

from __future__ import annotations

from dataclasses import asdict

from reference import RefResult

from satdip.phase.orders import Convoy, Move, Order, Retreat, Support
from satdip.resolve.resolution import OrderResult, Resolution

__all__ = ["arrivals", "as_reference", "facts", "followed", "own_results"]


def own_results(resolution: Resolution) -> dict[str, list[OrderResult]]:
    """Location of a unit -> the results of the orders that its own power gave it, or of its having none."""
    results: dict[str, list[OrderResult]] = {unit.location: [] for unit in resolution.position.units}
    results |= {item.unit.location: [] for item in resolution.position.dislodged}
    for result in resolution.orders:
        if result.unit is not None and result.power == result.unit.power:
            results[result.unit.location].append(result)
    return results


def followed(resolution: Resolution, kind: type[Order]) -> dict[str, OrderResult]:
    """Location -> the result of the order that the unit follows, if that is of the given kind."""
    every = ((at, result) for at, results in own_results(resolution).items() for result in results)
    return {at: result for at, result in every if isinstance(result.checked.action, kind)}


def arrivals(resolution: Resolution, kind: type[Move | Retreat]) -> dict[str, str]:
    """From -> to for the orders of a kind that succeed."""
    return {
        at: result.checked.action.destination
        for at, result in followed(resolution, kind).items()
        if isinstance(result.checked.action, Move | Retreat) and result.success
    }


def as_reference(resolution: Resolution) -> RefResult:
    def legal(results: list[OrderResult]) -> bool:
        given = [result.counts for result in results if result.checked.given is not None]
        return any(given) or not given

    return RefResult(
        moves=arrivals(resolution, Move),
        dislodged={item.unit.location: item.retreats or frozenset() for item in resolution.dislodged},
        supports={at: result.success for at, result in followed(resolution, Support).items()},
        convoys={at: result.success for at, result in followed(resolution, Convoy).items()},
        legal={at: legal(results) for at, results in own_results(resolution).items()},
        contested=resolution.contested,
        rotations=tuple(frozenset(unit.location for unit in ring) for ring in resolution.rotations),
        paradoxes=tuple(frozenset(unit.location for unit in core.units) for core in resolution.paradoxes),
    )


def facts(result: RefResult) -> dict[str, object]:
    """Its fields; what has no order is a set."""
    return {key: set(value) if isinstance(value, tuple) else value for key, value in asdict(result).items()}
