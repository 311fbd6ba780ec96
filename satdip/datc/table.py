"""The table of test cases: orders and outcomes of DATC 3.2, and what its words for choices mean."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from satdip.rulebook import DATC, Rulebook

__all__ = ["Case", "Facts", "Variant", "cases", "section_of", "variants", "version"]

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
class Variant:
    """What a case says about other choices than the preferred ones.

    Args:
        case: the case.
        choice: the choice in the words of the table.
        rules: the rulebooks that it means; empty when the orders cannot be written under such rules.
        phases: the phases to adjudicate, with the outcomes to expect; those with ``"expect": False`` are not compared.
        is_open: the rules have no answer.
    """

    case: Case
    choice: str
    rules: tuple[Rulebook, ...]
    phases: tuple[Facts, ...]
    is_open: bool = False

    @property
    def applicable(self) -> bool:
        """Whether the orders can be written under such rules."""
        return bool(self.rules)


@cache
def _table() -> Facts:
    text = (files("satdip") / "data" / "datc-3.2.json").read_text(encoding="utf-8")
    table: Facts = json.loads(text)
    return table


@cache
def _choices() -> Mapping[str, tuple[Rulebook, ...]]:
    text = (files("satdip") / "data" / "datc-choices.toml").read_text(encoding="utf-8")
    meanings = tomllib.loads(text)
    return {words: tuple(DATC.override(choices) for choices in sets) for words, sets in meanings.items()}


def version() -> str:
    """Return the version of the DATC that the table holds."""
    return str(_table()["version"])


def cases() -> tuple[Case, ...]:
    """Return the cases in the order of the document."""
    return tuple(Case(facts["id"], facts) for facts in _table()["cases"])


def section_of(case_id: str) -> str:
    """Return ``6.F`` of ``6.F.14``."""
    return case_id.rpartition(".")[0]


def variants(case: Case) -> Iterator[Variant]:
    """Return what a case says about other choices: its alternatives, and the choices with the same outcome."""
    meanings = _choices()
    for alternative in case.facts.get("alternatives", ()):
        rules, phases = meanings[alternative["choice"]], case.facts["phases"]
        if alternative["expect"] is None:
            yield Variant(case, alternative["choice"], rules, tuple(phases), alternative["because"] == "open")
        else:
            yield Variant(case, alternative["choice"], rules, tuple(_replaced(phases, alternative)))
    for choice in case.facts.get("same_outcome", ()):
        yield Variant(case, choice, meanings[choice], tuple(case.facts["phases"]))


def _replaced(phases: list[Facts], alternative: Facts) -> Iterator[Facts]:
    """Return the phases up to the one whose outcomes the alternative states; only that one is compared."""
    for phase in phases:
        if phase["phase"] != alternative["phase"]:
            yield {**phase, "expect": False}
            continue
        orders = [
            {**order, "expect": expect} for order, expect in zip(phase["orders"], alternative["expect"], strict=True)
        ]
        yield {"phase": phase["phase"], "orders": orders, "automatic": alternative.get("automatic", [])}
        return
