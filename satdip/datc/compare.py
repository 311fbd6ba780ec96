"""Comparing a resolution with what the table says of a phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from satdip.board import UnitKind, province_of
from satdip.datc.table import Facts
from satdip.phase.position import Unit
from satdip.resolve.resolution import OrderResult, Outcome, Resolution

__all__ = ["compare", "compare_words", "table_unit"]

FLAGS = ("dislodged", "destroyed", "disbanded")


def table_unit(power: str, text: str) -> Unit:
    """Return the unit that the table writes as ``F stp/nc``."""
    kind, _, location = text.partition(" ")
    return Unit(power.upper(), UnitKind(kind), location.upper())


def compare(phase: Facts, resolution: Resolution) -> Iterable[str]:
    """Yield a sentence for every flag or position that is not as the table says."""
    for fact, result in zip(phase["orders"], resolution.orders, strict=False):
        expected, flags = Outcome(fact["expect"][0]), fact["expect"][1:]
        if result.success != expected.success:
            yield f"{fact['order']}: {result.outcome}, not {expected}"
        found = [flag for flag in FLAGS if getattr(result, flag)]
        if found != flags and phase["phase"] != "adjustment":  # a removal is its own outcome there
            yield f"{fact['order']}: {' '.join(found) or 'stays'}, not {' '.join(flags) or 'stays'}"
    wanted = Counter(_expected_units(phase, resolution))
    after = Counter(resolution.following.units)
    yield from (f"{unit.power} {unit} is missing afterwards" for unit in wanted - after)
    yield from (f"{unit.power} {unit} stands there afterwards" for unit in after - wanted)
    automatic = sorted([unit.power, str(unit)] for unit in resolution.automatic)
    if automatic != sorted([power.upper(), unit.upper()] for power, unit in phase.get("automatic", [])):
        yield f"removed by civil disorder: {automatic}"
    yield from _compare_retreats(phase, resolution)


def _expected_units(phase: Facts, resolution: Resolution) -> Iterable[Unit]:
    """Return the units after the phase, worked out from the outcomes that the table states."""
    facts = list(zip(phase["orders"], resolution.orders, strict=False))
    gone = {_place(fact) for fact in phase["orders"] if _leaves(fact)}
    gone |= {unit.upper()[2:] for _, unit in phase.get("automatic", [])}
    arrived = {_place(fact): _destination(result) for fact, result in facts if _arrives(fact)}
    position = resolution.position
    acting = [item.unit for item in position.dislodged] or position.units
    for unit in acting:
        if unit.location not in gone:
            yield replace(unit, location=arrived.get(unit.location, unit.location))
    if position.dislodged:
        yield from position.units
    for fact in phase["orders"]:
        if fact["order"].startswith("Build") and fact["expect"][0] == Outcome.SUCCEEDS:
            unit = table_unit(fact["power"], fact["unit"])
            inland = not position.board.stands(unit.kind, unit.location)
            yield replace(unit, kind=UnitKind.ARMY) if inland else unit  # 4.C.4 b: an army is built instead


def _place(fact: Facts) -> str:
    return str(fact["unit"][2:].upper())


def _leaves(fact: Facts) -> bool:
    if "dislodged" in fact["expect"] or "disbanded" in fact["expect"]:
        return True
    return bool(fact["order"].startswith("Disband") and fact["expect"][0] == Outcome.SUCCEEDS)


def _arrives(fact: Facts) -> bool:
    return " - " in fact["order"] and fact["expect"][0] == Outcome.SUCCEEDS


def _destination(result: OrderResult) -> str:
    action = result.checked.action
    return getattr(action, "destination", "") if action is not None else ""


def _compare_retreats(phase: Facts, resolution: Resolution) -> Iterable[str]:
    open_to = {item.unit: item.retreats or frozenset() for item in resolution.position.dislodged}
    for power, text, opened, closed in phase.get("retreats", []):
        retreats = open_to.get(table_unit(power, text), frozenset())
        provinces = {*retreats, *map(province_of, retreats)}
        yield from (f"{text} may retreat to {at}" for at in opened if at.upper() not in provinces)
        yield from (f"{text} may not retreat to {at}" for at in closed if at.upper() in provinces)


def compare_words(phase: Facts, resolution: Resolution) -> Iterable[str]:
    """Yield a sentence for every outcome word that differs although success is right."""
    for fact, result in zip(phase["orders"], resolution.orders, strict=False):
        expected = fact["expect"][0]
        if result.outcome != expected and result.success == Outcome(expected).success:
            yield f"{fact['order']}: {result.outcome}, the table says {expected}"
