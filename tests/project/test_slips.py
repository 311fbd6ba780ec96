"""Slips of the pen: which a source may have, how they are planted, and that the list of equivalent ones is true."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tools.slips.hunting import ROOT, Copy, Verdict, order
from tools.slips.planting import Slip, planted, slips_of
from tools.slips.table import AREAS, all_slips, equivalents, kills, known, note

PLANTED = {
    "a == b": {"a != b"},
    "a != b": {"a == b"},
    "a < b": {"a <= b"},
    "a <= b": {"a < b"},
    "a > b": {"a >= b"},
    "a >= b": {"a > b"},
    "a is b": {"a is not b"},
    "a is not b": {"a is b"},
    "a in b": {"a not in b"},
    "a not in b": {"a in b"},
    "a < b < c": {"a <= b < c", "a < b <= c"},
    "a and b": {"a or b"},
    "a or b": {"a and b"},
    "not a": {"not not a"},
    "-a": {"+a"},
    "a + b": {"a - b"},
    "a - b": {"a + b"},
    "a | b": {"a & b"},
    "a & b": {"a | b"},
    "a * b": {"a + b"},
    "a // b": {"a * b"},
    "a % b": {"a + b"},
    "True": {"False"},
    "7": {"8"},
    "-7": {"-8"},
    "all(a)": {"any(a)"},
    "x.any_of(a)": {"x.all_of(a)"},
    "TRUE": {"FALSE"},
    "min(a)": {"max(a)"},
    "a if b else c": {"a if not b else c"},
    "a if b == c else d": {"a if b != c else d"},
    "[a for a in b if c]": {"[a for a in b if not c]"},
    "'text'": set(),
    "None": set(),
    "f(a.b)": set(),
}
"""Expression -> what slips make of it."""


@pytest.mark.parametrize("text", PLANTED)
def test_a_slip_is_one_change(text: str) -> None:
    source = f"def f(a, b, c, d, x):\n    return {text}\n"
    found = slips_of("f.py", source)
    made = {planted(slip, source) for slip in found}
    assert made == {ast.unparse(ast.parse(source.replace(text, other))) + "\n" for other in PLANTED[text]}
    assert all((slip.file, slip.function, slip.line) == ("f.py", "f", f"return {text}") for slip in found)


@pytest.mark.parametrize(
    ("text", "becomes"), [("if a:", "if not a:"), ("while a:", "while not a:"), ("a += b", "a -= b")]
)
def test_slips_in_statements(text: str, becomes: str) -> None:
    source = f"{text}\n    b" if text.endswith(":") else text
    (slip,) = slips_of("f.py", source)
    assert planted(slip, source) == ast.unparse(ast.parse(source.replace(text, becomes))) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        '"""1 == 2"""',
        "import a",
        "def f(a: b | c) -> d | None:\n    '''1'''",
        "@f(1)\ndef f(): pass",
        "__all__ = ['a' + 'b']",
        "if TYPE_CHECKING:\n    a = 1",
        "Pair = tuple[int, int]",
        "Value = int | str | None",
        "class A:\n    a: b | c",
        "zip(a, b, strict=True)",
    ],
)
def test_what_means_nothing_at_run_time_has_no_slips(text: str) -> None:
    assert slips_of("f.py", text) == []


def test_slips_of_one_name_are_counted() -> None:
    source = "def f(a):\n    return a == 1 or a == 1\n\ndef g(a):\n    return a == 1 or a == 1\n"
    found = [slip for slip in slips_of("f.py", source) if slip.change == "== to !="]
    assert [(slip.function, slip.number) for slip in found] == [("f", 1), ("f", 2), ("g", 1), ("g", 2)]
    assert "a == 1 or a != 1" in planted(found[1], source)


def test_a_slip_outlives_a_move_of_lines() -> None:
    before, after = "def f(a):\n    return a == 1\n", "import b\n\ndef f(a):\n    b(a)\n    return a == 1\n"
    assert set(slips_of("f.py", before)) <= set(slips_of("f.py", after))


def test_a_slip_that_is_not_there_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"there is no such slip: f\.py, module: == to != in `a == b`"):
        planted(Slip("f.py", "", "a == b", "== to !="), "a\n")


# ---------------------------------------------------------------------- areas, results, equivalent ones


def test_the_areas_name_files() -> None:
    assert AREAS.keys() == {"encodings", "solving", "check", "outcomes"}
    for area in AREAS.values():
        assert all((ROOT / test).is_file() for test in (*area.quick, *area.thorough))
        assert len(all_slips(area)) > 100


def test_every_equivalent_slip_is_still_there_and_says_why() -> None:
    possible = {slip for area in AREAS.values() for slip in all_slips(area)}
    for slip, why in equivalents().items():
        assert slip in possible, slip
        assert len(why.split()) > 4, slip


def test_results_are_kept_and_the_last_word_counts(tmp_path: Path) -> None:
    path, slip, other = tmp_path / "slips.jsonl", Slip("f.py", "f", "a == b", "== to !="), Slip("g.py", "", "a", "b", 2)
    assert known(path) == {}
    for verdict in (
        Verdict(slip, ""),
        Verdict(other, "tests/test_a.py::test_b"),
        Verdict(slip, "tests/test_c.py::test_d"),
    ):
        note(path, verdict)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"slip": {"fi')
    found = known(path)
    assert found == {
        slip: Verdict(slip, "tests/test_c.py::test_d"),
        other: Verdict(other, "tests/test_a.py::test_b"),
    }
    assert kills(found) == {"f.py": Counter({"tests/test_c.py": 1}), "g.py": Counter({"tests/test_a.py": 1})}


def test_what_saw_slips_of_a_file_runs_first() -> None:
    slip = Slip("f.py", "", "", "")
    assert order(slip, ["a", "b", "c"], {"f.py": Counter(c=3, b=1), "g.py": Counter(a=9)}) == ["c", "b", "a"]
    assert order(slip, ["a", "b", "c"], {}) == ["a", "b", "c"]


# ---------------------------------------------------------------------- a slip is planted


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git lists the files to copy")
def test_a_slip_that_tests_see_dies_and_one_that_they_do_not_look_at_lives(tmp_path: Path) -> None:
    slip = Slip(
        "encodings/retreats.py",
        "retreat",
        "rivals = (o for o in retreats if o.dst == r.dst and o is not r)",
        "== to !=",
    )
    source = ROOT / slip.file
    text, looking, elsewhere = (
        source.read_text(encoding="utf-8"),
        "tests/resolve/test_retreats.py",
        "tests/base/test_memory.py",
    )
    with closing(Copy(tmp_path)) as copy:
        assert copy.failing([looking]) == ""
        assert copy.killer(slip, [looking]).startswith(f"{looking}::test_")
        assert copy.killer(slip, [elsewhere]) == ""
        assert copy.failing([looking]) == "", "it was taken out again"
        with pytest.raises(RuntimeError, match="the tests cannot be run: tests/test_none"):
            copy.failing(["tests/test_none.py"])
    assert source.read_text(encoding="utf-8") == text, "the project itself was not touched"


def test_tests_that_do_not_end_are_ended(tmp_path: Path) -> None:
    test = tmp_path / "test_endless.py"
    test.write_text("def test_endless():\n    while True: pass\n", encoding="utf-8")
    asked = json.dumps({"tests": [str(test)], "seconds": 1}) + "\n"
    nursery = [sys.executable, "-m", "tools.slips.nursery"]
    done = subprocess.run(nursery, input=asked, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout).startswith("the tests ended with -")
