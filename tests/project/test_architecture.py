"""The pages for contributors are true: the files that they name exist, the layers are those of the gate."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from satdip.check.orders import CHECKS
from satdip.lab.certify.acyclic import PARTS
from satdip.phase.kinds import TRAITS, PhaseKind, Season

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILE = re.compile(r"`((?:satdip|encodings|maps|tests|tools|docs|examples|benchmarks)/[\w./-]+)`")
BESIDE = {"laws", "rulebooks", "claims", "doors", "reference", "support", "data", "project", "encodings"}
"""Folders of tests that mirror no folder of the package."""


def block(page: str, name: str) -> str:
    found = re.search(rf"<!-- {name} -->(.*?)<!-- end of {name} -->", page, re.DOTALL)
    assert found is not None, name
    return found[1]


@pytest.mark.parametrize("page", [ARCHITECTURE, CONTRIBUTING], ids=["architecture", "contributing"])
def test_every_file_that_is_named_exists(page: str) -> None:
    named = FILE.findall(page)
    assert len(named) >= 10
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_layers_are_those_of_the_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (c for c in project["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", block(ARCHITECTURE, "layers"), re.MULTILINE)
    assert [re.findall(r"`(\w+)`", row) for row in rows] == [layer.split(" | ") for layer in contract["layers"]]


def test_the_walk_from_the_command_to_the_equation_is_five_files_each_of_which_leads_to_the_next() -> None:
    files = re.findall(r"^\d\. `([\w/.]+)`", block(ARCHITECTURE, "walk"), re.MULTILINE)
    assert len(files) == 5
    asked = {
        "satdip/cli/adjudicate_verb.py": "satdip.adjudication",
        "satdip/adjudication.py": "satdip.resolve.movement",
        "satdip/resolve/movement.py": "satdip.solving.decide",
        "satdip/solving/decide.py": "satdip.solving.closure",
    }
    for file, module in asked.items():
        assert file in files
        assert module in (ROOT / file).read_text(encoding="utf-8"), file
    assert "satdip.encodings.movement import equation" in (ROOT / "satdip/solving/closure.py").read_text(
        encoding="utf-8"
    )


def test_no_test_imports_another_test() -> None:
    for file in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert [n for n in names if n.rpartition(".")[2].startswith("test_")] == [], file


def test_the_tests_stand_as_the_package_does() -> None:
    package = {folder.name for folder in (ROOT / "satdip").iterdir() if folder.is_dir()}
    tests = {folder.name for folder in (ROOT / "tests").iterdir() if folder.is_dir() and folder.name != "__pycache__"}
    assert tests - BESIDE - package == set()
    assert sorted(file.name for file in (ROOT / "tests").glob("test_*.py")) == []


def test_each_extension_of_the_page_has_its_list() -> None:
    lists = re.findall(r"^\*\*(an? [\w ]+)\*\*$", block(CONTRIBUTING, "extensions"), re.MULTILINE)
    assert lists == [
        "a paradox rule",
        "a choice of chapter 4",
        "a notation",
        "a language",
        "a map",
        "an engine",
        "a hard family",
        "a kind of question of the lab",
        "a kind of phase",
    ]


RULES_OF_ONE_KIND = {
    "satdip/crosschecking/engines/question.py",  # only moves of a movement phase can go by convoy
    "satdip/games/game.py",  # a game begins with a movement phase
    "satdip/notation/assembly.py",  # and so does a sheet that names no phase
    "satdip/resolve/aftermath.py",  # centres count until the first movement phase of a year
}
"""Files that name a kind of phase for a rule of that very kind: another kind would not touch them."""


def test_kinds_of_phase_are_told_apart_only_where_the_list_says() -> None:
    """All else asks for a trait: code that compares kinds is one more place to touch for a new one."""
    (steps,) = re.findall(r"^\*\*a kind of phase\*\*\n(.*?)<!--", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    listed = set(FILE.findall(steps))
    letters = {f'"{kind}"' for kind in PhaseKind}
    naming = set()
    for file in (ROOT / "satdip").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if "PhaseKind." in text or all(re.search(rf"^    {letter}: ", text, re.MULTILINE) for letter in letters):
            naming.add(file.relative_to(ROOT).as_posix())
    assert naming - listed == RULES_OF_ONE_KIND
    assert {file for file in listed if file.endswith(".py")} <= naming


def test_each_table_of_the_kinds_of_phase_has_them_all() -> None:
    assert set(TRAITS) == set(CHECKS) == set(PhaseKind)
    assert set(PARTS) == {kind for kind, traits in TRAITS.items() if traits.in_order}
    assert {season for traits in TRAITS.values() for season in traits.seasons} == set(Season)
