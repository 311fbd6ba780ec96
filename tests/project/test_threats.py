"""The page on what may come from untrusted hands names tests; they are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda text: text.rpartition("/")[2])
def test_a_test_that_the_page_names_is_there_and_asserts(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == test]
    skipped = [ast.unparse(decorator) for decorator in found.decorator_list if "xfail" in ast.unparse(decorator)]
    assert not skipped
    calls = {ast.unparse(node.func) for node in ast.walk(found) if isinstance(node, ast.Call)}
    assert any(isinstance(node, ast.Assert) for node in ast.walk(found)) or calls & {"pytest.raises", "check"}


def test_every_row_names_its_tests() -> None:
    assert len(ROWS) == 9
    for row in ROWS:
        assert re.search(r"\| `tests/[\w/]+\.py::\w+`", row), row


def test_every_test_that_the_page_names_is_looked_for() -> None:
    assert len(NAMED) == len(set(re.findall(r"`[^`]+::[^`]+`", PAGE))) > 15


def test_files_that_the_page_names_are_there() -> None:
    for file in re.findall(r"`((?:satdip|tests)/[\w/.]+)`", PAGE):
        assert (ROOT / file.partition("::")[0]).exists(), file


def test_the_page_is_short() -> None:
    assert len([line for line in PAGE.splitlines() if line]) < 30
