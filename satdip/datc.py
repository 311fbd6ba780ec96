"""The Diplomacy Adjudicator Test Cases, run on satdip itself.

The table (`satdip/data/datc-3.2.json`) holds orders and outcomes of DATC 3.2. A case passes when success,
dislodged, destroyed, disbanded and the resulting positions are right; the outcome words are compared apart.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, UnitKind, province_of
from satdip.mapfile import load_board
from satdip.notation import read_order
from satdip.position import Phase, Position, Unit
from satdip.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import DATC, Rulebook
from satdip.turn import Given, Turn

__all__ = ["Case", "CaseReport", "cases", "run_case", "section_of", "version"]

FLAGS = ("dislodged", "destroyed", "disbanded")
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """One test case.

    Args:
        id: ``6.F.14``.
        facts: its entry in the table.
    """

    id: str
    facts: Facts


@dataclass(frozen=True)
class CaseReport:
    """How a case went.

    Args:
        case: the case.
        differences: one sentence per wrong flag or position; empty when it passes.
        words: one sentence per outcome word that differs although success is right.
        resolutions: the result of each of its phases.
    """

    case: Case
    differences: tuple[str, ...]
    words: tuple[str, ...]
    resolutions: tuple[Resolution, ...]

    @property
    def passed(self) -> bool:
        """Whether the case passes."""
        return not self.differences


@cache
def _table() -> Facts:
    text = (files("satdip") / "data" / "datc-3.2.json").read_text(encoding="utf-8")
    table: Facts = json.loads(text)
    return table


def version() -> str:
    """Return the version of the DATC that the table holds."""
    return str(_table()["version"])


def cases() -> tuple[Case, ...]:
    """Return the cases in the order of the document."""
    return tuple(Case(facts["id"], facts) for facts in _table()["cases"])


def section_of(case_id: str) -> str:
    """Return ``6.F`` of ``6.F.14``."""
    return case_id.rpartition(".")[0]


def run_case(case: Case, rules: Rulebook = DATC, *, fold: bool = True) -> CaseReport:
    """Adjudicate the phases of a case and compare them with the table.

    Args:
        case: the case.
        rules: the rulebook; the table's outcomes are those of the DATC's preferences.
        fold: see `satdip.adjudicate`.
    """
    board = load_board("standard")
    position = _start(case, board)
    differences: list[str] = []
    words: list[str] = []
    resolutions: list[Resolution] = []
    for phase in case.facts["phases"]:
        orders = [Given(o["power"].upper(), read_order(o["order"], board).order, o["order"]) for o in phase["orders"]]
        resolution = adjudicate_turn(Turn(position, tuple(orders)), rules, fold=fold)
        resolutions.append(resolution)
        differences += _compare(phase, resolution)
        words += _words(phase, resolution)
        position = _with_destroyed(resolution)
    return CaseReport(case, tuple(differences), tuple(words), tuple(resolutions))


def _start(case: Case, board: Board) -> Position:
    units = tuple(_unit(power, text) for power, texts in case.facts["units"].items() for text in texts)
    owned = case.facts.get("centres", {})
    centres = {power.upper(): frozenset(c.upper() for c in held) for power, held in owned.items()}
    phase = "W1901A" if case.facts["phases"][0]["phase"] == "adjustment" else "S1901M"
    return Position(board, Phase.parse(phase), units, (), centres)


def _unit(power: str, text: str) -> Unit:
    kind, _, location = text.partition(" ")
    return Unit(power.upper(), UnitKind(kind), location.upper())


def _with_destroyed(resolution: Resolution) -> Position:
    """Return the retreat position with the destroyed units in it: cases give orders to them (6.H.15)."""
    phase = resolution.position.phase
    if not resolution.dislodged:
        return resolution.following
    return replace(resolution.following, phase=phase.next(dislodged=True), dislodged=resolution.dislodged)


# ---------------------------------------------------------------------- comparing


def _compare(phase: Facts, resolution: Resolution) -> Iterable[str]:
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
            yield _unit(fact["power"], fact["unit"])


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
        retreats = open_to.get(_unit(power, text), frozenset())
        provinces = {*retreats, *map(province_of, retreats)}
        yield from (f"{text} may retreat to {at}" for at in opened if at.upper() not in provinces)
        yield from (f"{text} may not retreat to {at}" for at in closed if at.upper() in provinces)


def _words(phase: Facts, resolution: Resolution) -> Iterable[str]:
    for fact, result in zip(phase["orders"], resolution.orders, strict=False):
        expected = fact["expect"][0]
        if result.outcome != expected and result.success == Outcome(expected).success:
            yield f"{fact['order']}: {result.outcome}, the table says {expected}"
