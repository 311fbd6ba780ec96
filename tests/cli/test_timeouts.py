"""``--timeout`` and Ctrl-C, in every verb: exit code 4, with what is known so far."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE

import pytest
from support.commands import Run, satdip
from support.verbs import VERBS

from satdip.base.budget import Alarm
from satdip.cli import deadline
from satdip.cli.deadline import limited
from satdip.generate import FAMILIES
from satdip.notation import write_record

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="alarms and signals of POSIX")

ROOT = Path(__file__).parents[2]
SATDIP = [sys.executable, "-m", "satdip"]
SHORT = 0.05
"""Seconds in which nothing of the below can be done."""
PATIENT = 60.0
"""Seconds, far more than anything here takes."""
MANY = 100_000

GAME = json.dumps(
    {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}, "next_units": {"FRANCE": ["A BUR"]}}
)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a phase of 30,000 orders, a long file of records, and a large certificate."""
    folder = tmp_path_factory.mktemp("inputs")
    turn = FAMILIES["pandin"].make(7000, None, None).turn
    record = json.dumps(write_record(replace(turn, extra={})))
    (folder / "large.json").write_text(record, encoding="utf-8")
    (folder / "many.jsonl").write_text(f"{GAME}\n" * MANY, encoding="utf-8")
    winter = {"phase": "W1901A", "units": {"ITALY": ["A ROM"]}, "centers": {"FRANCE": ["PAR"]}}
    (folder / "winter.json").write_text(
        json.dumps(winter | {"orders": {"FRANCE": ["WAIVE"] * 20_000}}), encoding="utf-8"
    )
    assert satdip("certify", folder / "winter.json", "-o", folder / "certificate.json").code == 0
    return folder


LONG = {
    "adjudicate": "adjudicate {0}/large.json",
    "adjudicate --json": "adjudicate {0}/large.json --json",
    "adjudicate --stream": "adjudicate --stream {0}/many.jsonl",
    "adjudicate --stream --workers 2": "adjudicate --stream --workers 2 {0}/many.jsonl",
    "certify": "certify {0}/large.json",
    "compare": "compare {0}/large.json --rules datc --rules 1971",
    "compare of a corpus": "compare {0}/many.jsonl --rules datc --rules 1971 --quiet",
    "compare of a corpus by two": "compare {0}/many.jsonl --rules datc --rules 1971 --quiet --jobs 2",
    "datc": "datc --no-fold",
    "datc --all-choices": "datc --all-choices",
    "explain": "explain {0}/large.json",
    "fuzz": "fuzz --quiet --count 100000",
    "fuzz by two": "fuzz --quiet --count 100000 --jobs 2",
    "replay": "replay --quiet {0}/many.jsonl",
    "resolutions": "resolutions {0}/large.json",
    "verify": "verify {0}/certificate.json",
}
"""Work that takes longer than its time, for every verb that has a time."""


def test_every_verb_with_a_time_is_here() -> None:
    timed = {name for name, verb in VERBS.items() if any("--timeout" in option.opts for option in verb.params)}
    assert {command.split()[0] for command in LONG.values()} == timed


@pytest.mark.parametrize("command", LONG.values(), ids=LONG)
def test_work_that_is_too_long_ends_with_its_time(command: str, inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "LATE", 0.01)
    start = time.monotonic()
    run = satdip(*command.format(inputs).split(), "--timeout", SHORT)
    assert run.code == 4
    assert time.monotonic() - start < PATIENT
    assert len(run.err.splitlines()) <= 1
    assert run.err.startswith("satdip: the time is used up") or run.out, run.err


def test_the_time_is_kept_also_while_waiting_for_input() -> None:
    command = [*SATDIP, "adjudicate", "-", "--timeout", "0.5"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=ROOT, text=True) as running:
        assert running.wait(PATIENT) == 4
        assert running.stderr is not None
        assert running.stderr.read() == "satdip: the time is used up, and nothing is known yet\n"


def test_what_is_known_by_then_is_told(inputs: Path) -> None:
    replayed = satdip("replay", "--quiet", "--json", inputs / "many.jsonl", "--timeout", 1)
    assert replayed.code == 4
    assert 0 < replayed.json["phases"] == replayed.json["agree"] < MANY
    assert replayed.json["complete"] is False
    streamed = satdip("adjudicate", "--stream", inputs / "many.jsonl", "--timeout", 1)
    assert all(json.loads(line)["next_units"] == {"FRANCE": ["A BUR"]} for line in streamed.out.splitlines())
    assert streamed.out
    assert streamed.err == "satdip: the time is used up; this is what is known so far\n"
    tested = satdip("datc", "--no-fold", "--json", "--timeout", 0.2)
    if tested.code == 4:  # it may be a quick machine
        assert tested.json["complete"] is False
        assert tested.json["cases"] < 176


def test_enough_time_changes_nothing() -> None:
    pandin = ROOT / "examples" / "pandin.txt"
    for verb in ("adjudicate", "resolutions", "explain"):
        assert satdip(verb, pandin, "--timeout", PATIENT) == satdip(verb, pandin)


def test_the_alarm_rings_also_for_those_who_do_not_listen() -> None:
    rings = 0

    def deaf() -> None:
        nonlocal rings
        while rings < 2:
            try:
                time.sleep(PATIENT)
            except Alarm:
                rings += 1

    with limited(SHORT):
        deaf()
    assert rings == 2


def test_no_alarm_is_left_over() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with limited(SHORT) as budget:
        assert budget.is_limited
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


# ---------------------------------------------------------------------- Ctrl-C


def interrupted(command: str, ready: Callable[[subprocess.Popen[str]], object]) -> Run:
    """Run a command, and send it an interrupt when it is ready."""
    words = [*SATDIP, *command.split()]
    with subprocess.Popen(words, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=ROOT, text=True) as running:
        ready(running)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENT)
    return Run(running.returncode, out, err)


def reads(running: subprocess.Popen[str]) -> None:
    """Wait until it has read what it is given: a pipe holds less than that."""
    assert running.stdin is not None
    running.stdin.write("#" * (1 << 17))
    running.stdin.flush()


@pytest.mark.parametrize("verb", ["adjudicate", "certify", "explain", "resolutions", "verify"])
def test_an_interrupt_while_reading_is_one_sentence(verb: str) -> None:
    assert interrupted(f"{verb} -", reads) == Run(4, "", "satdip: interrupted\n")


@pytest.mark.parametrize("workers", ["", "--workers 2"])
def test_an_interrupt_leaves_what_was_answered(workers: str, inputs: Path) -> None:
    def answers(running: subprocess.Popen[str]) -> None:
        assert running.stdout is not None
        os.read(running.stdout.fileno(), 1)

    run = interrupted(f"adjudicate --stream {workers} {inputs}/many.jsonl", answers)
    assert (run.code, run.err) == (4, "satdip: interrupted; this is what is known so far\n")
