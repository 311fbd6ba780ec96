"""Every reason that `adjudicate` gives is a claim, and true: see `claims`."""

from __future__ import annotations

import ast
import logging
import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from multiprocessing import Pool
from pathlib import Path

import pytest
from claims import CHECKS, ISSUES, claims_of, is_true, problems
from claims.facts import Claim
from claims.movement import MEASURED
from claims.phases import phase
from support.positions import rulebooks

import satdip
from satdip.adjudication import adjudicate_turn
from satdip.board.mapfile import load_board
from satdip.datc import cases, run_case
from satdip.notation import read_turn
from satdip.phase.position import Unit
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, PROFILES, Rulebook, issues, rulebook_named
from satdip.telling.reasons import SENTENCES

LOG = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(satdip.__file__).parent
BOARD = load_board("standard")
SEEDS = 300
"""Phases of a default run, each under one rulebook of each kind."""
LONG = 20_000
"""Phases of a long run, each under every profile."""

TOLD = tomllib.loads((ROOT / "tests" / "data" / "reasons.toml").read_text(encoding="utf-8"))["told"]


# ---------------------------------------------------------------------- the claims


def falsehoods(seed: int, rules: Rulebook) -> Iterator[str]:
    """Yield what is not true, or not told, of a phase."""
    for problem in problems(adjudicate_turn(phase(BOARD, seed, rules), rules), rules):
        yield f"phase {seed} under {rules.name}: {problem}"


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_reasons_are_true(name: str) -> None:
    assert [told for seed in range(SEEDS // 3) for told in falsehoods(seed, PROFILES[name])] == []


def test_reasons_are_true_whatever_is_chosen() -> None:
    """Each single choice of DATC chapter 4, in some phases of each kind."""
    books = list(rulebooks().values())
    assert [told for seed in range(SEEDS) for told in falsehoods(seed, books[seed % len(books)])] == []


@pytest.mark.long
def test_reasons_are_true_in_a_long_run() -> None:
    names = sorted(PROFILES)
    with Pool(min(2, os.cpu_count() or 1)) as pool:
        found = pool.imap_unordered(_under_all_profiles, range(LONG), chunksize=50)
        told = Counter[str]()
        for false, codes in found:
            assert false == []
            told += codes
    assert len(names) == 9
    LOG.info("%d phases under %d profiles: %d claims of %d codes", LONG, len(names), told.total(), len(told))


def _under_all_profiles(seed: int) -> tuple[list[str], Counter[str]]:
    """Return what is false of a phase under any profile, and how often each code was told."""
    codes = Counter[str]()
    found: list[str] = []
    for rules in PROFILES.values():
        resolution = adjudicate_turn(phase(BOARD, seed, rules), rules)
        found += [f"phase {seed} under {rules.name}: {told}" for told in problems(resolution, rules)]
        codes += Counter(claim.reason.code for claim in claims_of(resolution, rules))
    return found, codes


# ---------------------------------------------------------------------- tables of phases


@cache
def known_phases() -> tuple[tuple[Resolution, Rulebook], ...]:
    """Return the DATC, the cases for each choice of chapter 4, and the small phases above, each with its rulebook."""
    found = [(resolution, DATC) for case in cases() for resolution in run_case(case).resolutions]
    sections = {issue.field: issue.section for issue in issues()}
    for file in ("choices_matter.toml", "order_sets.toml"):
        for case in tomllib.loads((ROOT / "tests" / "data" / file).read_text(encoding="utf-8"))["case"]:
            for slug in case["results"]:
                rules = rulebook_named(case.get("base", "datc")).override({sections[case["field"]]: slug})
                found.append((adjudicate_turn(read_turn(case["sheet"]), rules), rules))
    for case in TOLD:
        rules = rulebook_named(case.get("rules", "datc"))
        found.append((adjudicate_turn(read_turn(case["sheet"]), rules), rules))
    return tuple(found)


def test_reasons_are_true_in_known_phases() -> None:
    """The DATC's own preferences are tried with what its cases ask for, so only those under them are looked at."""
    assert [told for resolution, rules in known_phases() for told in problems(resolution, rules)] == []


@pytest.mark.parametrize("case", TOLD, ids=[case["code"] for case in TOLD])
def test_a_reason_is_told(case: dict[str, str]) -> None:
    rules = rulebook_named(case.get("rules", "datc"))
    resolution = adjudicate_turn(read_turn(case["sheet"]), rules)
    assert case["code"] in {reason.code for result in resolution.orders for reason in result.reasons}
    assert problems(resolution, rules) == []


# ---------------------------------------------------------------------- no code without a check, no check that says yes


def codes_in(folder: Path) -> set[str]:
    """Return the codes that the modules of a folder name."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        if path.name != "reasons.py" and "verifier" not in path.parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and node.value in SENTENCES:
                    found.add(node.value)
    return found


def explained_only() -> set[str]:
    """Return the codes that only explanations tell; `test_explain` holds these to be true."""
    explain = PACKAGE / "lab" / "explain"
    elsewhere: set[str] = set()
    for path in sorted((PACKAGE).iterdir()):
        elsewhere |= codes_in(path) if path.is_dir() and path.name != "lab" else set()
    for path in (PACKAGE).glob("*.py"):
        if path.name != "reasons.py":
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            elsewhere |= {n.value for n in tree if isinstance(n, ast.Constant) and n.value in SENTENCES}
    bounds = {code for code in SENTENCES if code.endswith("-at-most")}
    return (codes_in(explain) | bounds) - (elsewhere - ALSO_WORDS)


ALSO_WORDS = {"cases", "convoyed"}
"""Codes of explanations that are other words elsewhere."""


def test_every_code_has_a_check_and_every_check_a_code() -> None:
    assert set(CHECKS) | explained_only() == set(SENTENCES)
    assert not set(CHECKS) - set(SENTENCES)
    assert set(ISSUES) <= set(CHECKS)


@cache
def all_claims() -> tuple[Claim, ...]:
    """Return the claims of the known phases and of some random ones."""
    claims = [claim for resolution, rules in known_phases() for claim in claims_of(resolution, rules)]
    books = list(rulebooks().values())
    for seed in range(SEEDS):
        rules = books[seed % len(books)]
        claims += claims_of(adjudicate_turn(phase(BOARD, seed, rules), rules), rules)
    return tuple(claims)


def test_every_code_is_told_somewhere() -> None:
    assert set(CHECKS) - {claim.reason.code for claim in all_claims()} == set()


def falsified(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Yield the claim with one thing changed, or said of another order; what is changed is named before it."""
    for key, value in claim.reason.details.items():
        for other in _others(claim, key, value):
            yield key, replace(claim, reason=replace(claim.reason, details={**claim.reason.details, key: other}))
    for result in claim.facts.results:
        told = result.checked.given is None or claim.reason in result.reasons
        if not told and (result.unit, result.outcome) != (claim.result.unit, claim.result.outcome):
            yield "order", replace(claim, result=result)
            return


def _others(claim: Claim, key: str, value: object) -> Iterator[object]:
    """Yield what could stand in place of a detail."""
    there = [unit for unit in claim.facts.position.units if unit != claim.result.unit]
    match value:
        case int():
            yield value + 1
        case Unit():
            yield from [unit for unit in there if unit != value][:1]
        case tuple() if key != "meanings":
            yield from [(*value, unit) for unit in there if unit not in value][:1]
            if value:
                yield value[1:]
        case str() if key == "place":
            yield next(at for at in sorted(BOARD.provinces) if at not in value)
        case str() if key == "power":
            yield next(power for power in sorted(BOARD.powers) if power != value)
        case _:
            return


def test_a_false_claim_is_found() -> None:
    """A number is never another one; another unit or place is hardly ever as true; each check refuses something."""
    refused, accepted = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for claim in all_claims():
        if claim.facts.is_measured or claim.reason.code not in MEASURED:
            for key, false in falsified(claim):
                (accepted if _holds(false) else refused)[claim.reason.code, key] += 1
    numbers = {"attack", "hold", "prevent", "defend"}
    assert {pair: count for pair, count in accepted.items() if pair[1] in numbers} == {}
    assert set(CHECKS) - {code for code, _ in refused} == set()
    assert accepted.total() < refused.total() / 20, accepted.most_common(10)


def _holds(claim: Claim) -> bool:
    """Return whether a claim is taken for true; one that makes no sense at all is not."""
    try:
        return is_true(claim)
    except (AssertionError, KeyError, StopIteration, IndexError):
        return False
