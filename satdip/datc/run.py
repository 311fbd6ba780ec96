"""Running the test cases under the preferred choices, under every other choice, and under other rulebooks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from satdip.adjudication import adjudicate_turn
from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.datc.compare import compare, compare_words, table_unit
from satdip.datc.table import Case, Facts, Variant
from satdip.notation import read_order
from satdip.phase.position import Phase, Position
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, Rulebook, RulebookLike, rulebook_of

__all__ = ["CaseReport", "VariantReport", "run_case", "run_variant"]


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


@dataclass(frozen=True)
class VariantReport:
    """How a case went under other choices.

    Args:
        variant: the choices and what they should give.
        differences: one sentence per rulebook and wrong flag or position.
    """

    variant: Variant
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every rulebook that the choice means gives the outcome, or rightly none."""
        return not self.differences


def run_case(case: Case, rules: RulebookLike = DATC, *, fold: bool = True) -> CaseReport:
    """Adjudicate the phases of a case and compare them with the preferred outcomes.

    Args:
        case: the case.
        rules: the rulebook, or its name; under another than the default the differences show what it changes.
        fold: see `satdip.adjudicate`.
    """
    rules, phases = rulebook_of(rules), case.facts["phases"]
    resolutions = _play(case, phases, rules, fold)
    differences: list[str] = []
    words: list[str] = []
    for phase, resolution in zip(phases, resolutions, strict=False):
        differences += [f"{rules.name} leaves it open"] if resolution.is_open else compare(phase, resolution)
        words += [] if resolution.is_open else compare_words(phase, resolution)
    return CaseReport(case, tuple(differences), tuple(words), tuple(resolutions))


def run_variant(variant: Variant, *, fold: bool = True) -> VariantReport:
    """Adjudicate a case under each rulebook that a choice means."""
    found = [f"{rules.name}: {text}" for rules in variant.rules for text in _differences(variant, rules, fold)]
    return VariantReport(variant, tuple(found))


def _differences(variant: Variant, rules: Rulebook, fold: bool) -> Iterable[str]:
    resolutions = _play(variant.case, variant.phases, rules, fold)
    if variant.is_open:
        if not resolutions[-1].is_open:
            yield "there is an answer, but these rules should have none"
        return
    for phase, resolution in zip(variant.phases, resolutions, strict=False):
        if resolution.is_open:
            yield "left open"
        elif phase.get("expect", True):
            yield from compare(phase, resolution)


def _play(case: Case, phases: Iterable[Facts], rules: Rulebook, fold: bool) -> list[Resolution]:
    """Adjudicate phase after phase, up to one that the rules leave open."""
    board = load_board("standard")
    position = _start(case, board)
    resolutions: list[Resolution] = []
    for phase in phases:
        orders = [Given(o["power"].upper(), read_order(o["order"], board).order, o["order"]) for o in phase["orders"]]
        resolution = adjudicate_turn(Turn(position, tuple(orders)), rules, fold=fold)
        resolutions.append(resolution)
        if resolution.is_open:
            break
        position = _with_destroyed(resolution)
    return resolutions


def _start(case: Case, board: Board) -> Position:
    units = tuple(table_unit(power, text) for power, texts in case.facts["units"].items() for text in texts)
    owned = case.facts.get("centres", {})
    centres = {power.upper(): frozenset(c.upper() for c in held) for power, held in owned.items()}
    phase = "W1901A" if case.facts["phases"][0]["phase"] == "adjustment" else "S1901M"
    return Position(board, Phase.parse(phase), units, (), centres)


def _with_destroyed(resolution: Resolution) -> Position:
    """Return the retreat position with the destroyed units in it: cases give orders to them (6.H.15)."""
    phase = resolution.position.phase
    if not resolution.dislodged:
        return resolution.following
    return replace(resolution.following, phase=phase.next(dislodged=True), dislodged=resolution.dislodged)
