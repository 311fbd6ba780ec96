"""Results files to go on with that are damaged, or were made to do harm: one sentence, and the file stays as it is."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.commands import Run, satdip

from satdip.crosschecking.runs.phase import LONGEST_RESULT

PHASE = {"orders": {"ENGLAND": ["A YOR - EDI VIA", "F NTH H"], "FRANCE": ["A PAR H"]}}
OTHER = {"map": "moon"}

Change = Callable[[list[Any]], object]
"""Damages the lines of a file: the header, a disagreement and a failure, a phase that was skipped, an error."""


def crosscheck(folder: Path, *more: object) -> Run:
    source = folder / "phases.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in (PHASE, OTHER, PHASE)), encoding="utf-8")
    engines = ("--engine", "x=satdip:datc+4.A.3=intent", "--engine", "y=command:false")
    return satdip("crosscheck", *engines, source, "--quiet", "--minimise", 0, "--output", folder / "out", *more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    assert crosscheck(folder).code == 1
    lines = [json.loads(line) for line in (folder / "out").read_text(encoding="utf-8").splitlines()]
    lines[3] = {"id": lines[3]["id"], "error": {"text": "ValueError: planted", "where": ["a:b:1"]}}
    (folder / "out").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def resumed(whole: Path, change: Change) -> Run:
    """Damage the file, go on with it, and see that it is left alone unless it is sound."""
    out = whole / "out"
    sound = out.read_bytes()
    lines = [json.loads(line) for line in sound.splitlines()]
    change(lines)
    damaged = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()
    out.write_bytes(damaged)
    try:
        done = crosscheck(whole, "--resume")
        if done.code == 2:
            assert out.read_bytes() == damaged
    finally:
        out.write_bytes(sound)
    return done


def verdict(lines: list[Any], engine: str = "x") -> Any:
    return lines[1]["engines"][engine]


DAMAGED: dict[str, tuple[Change, str]] = {
    "no engines": (lambda lines: lines[1].pop("engines"), "line 2, at $: the key 'engines' is missing"),
    "an engine less": (lambda lines: lines[1]["engines"].pop("x"), "at $.engines: the answers of x, y are expected"),
    "another engine": (lambda lines: lines[1]["engines"].update(z={"verdict": "agree"}), "the answers of x, y"),
    "engines as a list": (lambda lines: lines[1].update(engines=[]), "line 2, at $.engines: an object"),
    "a verdict as a number": (lambda lines: lines[1]["engines"].update(x=7), "at $.engines.x: an object"),
    "no verdict": (lambda lines: verdict(lines).pop("verdict"), "at $.engines.x.verdict: agree, failure"),
    "an unknown verdict": (lambda lines: verdict(lines).update(verdict="maybe"), "at $.engines.x.verdict"),
    "a verdict as a list": (lambda lines: verdict(lines).update(verdict=[]), "at $.engines.x.verdict"),
    "no causes": (lambda lines: verdict(lines).pop("causes"), "at $.engines.x: the key 'causes' is missing"),
    "causes as a text": (lambda lines: verdict(lines).update(causes="4.A.3=tag"), "at $.engines.x.causes: a list"),
    "an unknown cause": (lambda lines: verdict(lines).update(causes=[["x"]]), "at $.engines.x.causes[0][0]"),
    "an empty cause": (lambda lines: verdict(lines).update(causes=[[]]), "at $.engines.x.causes[0]"),
    "an unknown kind": (lambda lines: verdict(lines).update(kind="\x1b[2J"), "at $.engines.x.kind"),
    "no answer": (lambda lines: verdict(lines).update(answer={}), "at $.engines.x.answer: the answer has none of"),
    "a failed answer": (lambda lines: verdict(lines).update(answer={"error": "x"}), "an answer that disagrees"),
    "a false answer": (lambda lines: verdict(lines).update(answer={"moves": {"PAR": "X"}}), "'X' is no place"),
    "no failure": (lambda lines: verdict(lines, "y").pop("failure"), "the key 'failure' is missing"),
    "a failure as a text": (lambda lines: verdict(lines, "y").update(failure="x"), "y.failure: an object"),
    "an unknown failure": (lambda lines: verdict(lines, "y")["failure"].update(kind="x"), "y.failure.kind"),
    "no record": (lambda lines: lines[1].pop("record"), "line 2, at $: the key 'record' is missing"),
    "a false record": (lambda lines: lines[1].update(record={"units": 3}), "line 2, at $.record"),
    "a size as a text": (lambda lines: lines[1].update(size="3"), "at $.size: a whole number"),
    "a size below nothing": (lambda lines: lines[1].update(size=-1), "at $.size: a whole number"),
    "no size": (lambda lines: lines[1].pop("size"), "the key 'size' is missing"),
    "rules as a number": (lambda lines: lines[1].update(rules=1), "at $.rules: a text"),
    "an unknown key": (lambda lines: lines[1].update({"\x1b[2J": 1}), "this key is not known"),
    "skipped for a list": (lambda lines: lines[2].update(skipped=["x"]), "line 3, at $.skipped: a text"),
    "an error as a text": (lambda lines: lines[3].update(error="x"), "line 4, at $.error: an object"),
    "an error without a place": (lambda lines: lines[3]["error"].pop("where"), "the key 'where' is missing"),
    "a nested line": (lambda lines: lines.__setitem__(2, "[" * 100_000), "line 3: this line is no result"),
    "a nested result": (
        lambda lines: lines.__setitem__(1, '{"id":"x","engines":' + '{"a":' * 100_000),
        "line 2: this line is no result",
    ),
    "a number of thousands of digits": (
        lambda lines: lines.__setitem__(1, '{"id":"x","size":' + "9" * 10_000 + "}"),
        "line 2: this line is no result",
    ),
    "a huge line": (
        lambda lines: lines.__setitem__(1, '{"id":"' + "x" * (2 * LONGEST_RESULT) + '"}'),
        "line 2: this line is no result",
    ),
    "another phase": (lambda lines: lines[2].update(id="x"), "line 3: this is the result of 'x'"),
    "no header": (lambda lines: lines.pop(0), "this is no output of a run"),
    "a nested header": (lambda lines: lines.__setitem__(0, "[" * 100_000), "this is no output of a run"),
    "a huge header": (lambda lines: lines.__setitem__(0, "x" * (2 * LONGEST_RESULT)), "this is no output of a run"),
    "parameters as a list": (lambda lines: lines[0].update(parameters=[]), "this is no output of a run"),
    "a parameter with escapes": (
        lambda lines: lines[0]["parameters"].update({"\x1b[2J": "x" * 10_000}),
        "this is the output of another run: \\x1b[2J was",
    ),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_told_in_one_sentence(damage: str, whole: Path) -> None:
    change, sentence = DAMAGED[damage]
    done = resumed(whole, change)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert done.err.rstrip("\n").isprintable()
    assert len(done.err) < 1000


def test_a_sound_file_is_gone_on_with(whole: Path) -> None:
    done = resumed(whole, lambda _: None)
    assert done.code == 1
    assert "satdip itself failed on 1 phase: ValueError: planted, in a:b:1" in " ".join(done.out.split())
    assert "of 1 phase 0 agree, 1 disagrees; 1 engine failure, 1 phase skipped" in done.out


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_in_a_file_it_is_told_or_gone_on_with(data: st.DataObject, whole: Path) -> None:
    """A value somewhere in the file is another one."""

    def change(lines: list[Any]) -> None:
        here: Any = lines
        while True:
            keys = range(len(here)) if isinstance(here, list) else list(here)
            key = data.draw(st.sampled_from(keys))
            if not isinstance(here[key], list | dict) or not here[key] or data.draw(st.booleans()):
                here[key] = data.draw(JSON)
                return
            here = here[key]

    done = resumed(whole, change)
    assert done.code in (1, 2, 4)
    assert "Traceback" not in done.err
    if done.code == 2:
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("what", ["pipe", "folder", "device"])
def test_what_is_no_file_is_refused(what: str, tmp_path: Path) -> None:

    place = {"pipe": tmp_path / "out", "folder": tmp_path, "device": Path("/dev/null")}[what]
    if what == "pipe":
        os.mkfifo(place)
    source = tmp_path / "phases.jsonl"
    source.write_text(json.dumps(PHASE) + "\n", encoding="utf-8")
    for resume in ((), ("--resume",)):
        done = satdip("crosscheck", "--engine", "satdip", source, "--quiet", "--output", place, *resume)
        assert (done.code, done.err.count("\n")) == (2, 1)


FUZZ_DAMAGED: dict[str, tuple[Callable[[Any], object], str]] = {
    "no checks": (lambda line: line.pop("checks"), "the key 'checks' is missing"),
    "an unknown check": (lambda line: line["checks"].update(x=[0, 0, 0]), "this key is not known"),
    "a count as a text": (
        lambda line: line["checks"].update(again=["1", 0, 0]),
        "at $.checks.again[0]: a whole number",
    ),
    "counts too many": (lambda line: line["checks"].update(again=[1, 0, 0, 0]), "three numbers for each check"),
    "a finding as a text": (lambda line: line.update(findings=["x"], size=1), "at $.findings[0]: an object"),
    "a finding without a size": (lambda line: line.update(findings=[]), "the key 'size' is missing"),
    "a finding about nothing": (
        lambda line: line.update(size=1, findings=[{"check": "again", "rules": "datc", "differences": []}]),
        "at $.findings[0].differences: a list with something in it",
    ),
    "a finding under other rules": (
        lambda line: line.update(size=1, findings=[{"check": "again", "rules": "1971", "differences": []}]),
        "at $.findings[0].rules: datc is expected here",
    ),
}


@pytest.mark.parametrize("damage", FUZZ_DAMAGED)
def test_damaged_results_of_fuzzing_are_told_too(damage: str, tmp_path: Path) -> None:
    change, sentence = FUZZ_DAMAGED[damage]
    out = tmp_path / "out"
    arguments = ("fuzz", "--count", 2, "--kind", "dense", "--check", "again", "--quiet", "--output", out)
    assert satdip(*arguments).code == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    change(lines[1])
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = satdip(*arguments, "--resume")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"{out}, line 2" in done.err
    assert sentence in done.err


def test_results_of_an_engine_with_a_long_name_can_be_gone_on_with(tmp_path: Path) -> None:
    """A name is a key of the results, and keys have a bound."""
    source, out = tmp_path / "phases.jsonl", tmp_path / "out"
    source.write_text(json.dumps(PHASE) + "\n", encoding="utf-8")
    arguments = ("crosscheck", "--engine", f"command:false {'x' * 1000}", source, "--quiet", "--json", "--output", out)
    first = satdip(*arguments)
    assert (first.code, satdip(*arguments, "--resume")) == (1, first)
    assert len(first.json["engines"][0]["name"]) < 200
