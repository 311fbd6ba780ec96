"""Programs as engines: what goes wrong is recorded, and a program is ended or started again where it must be."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from satdip.crosschecking.engines import Answer, CommandEngine, FailureKind, Limits, engine_named

FAULTY = Path(__file__).parent / "engines" / "faulty.py"

GOOD = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
BAD = GOOD | {"phase": "S1902M"}


def faulty(way: str, *arguments: str, **limits: Any) -> CommandEngine:
    words = [sys.executable, str(FAULTY), way, *arguments]
    return CommandEngine("faulty", words, limits=Limits(**{"seconds": 0.4, "start": 20.0, **limits}))


ANSWERED = Answer(moves={}, dislodged=frozenset())

WAYS = {
    "exit": (FailureKind.CRASH, "it ended with exit code 3"),
    "kill": (FailureKind.CRASH, "it was ended by SIGKILL"),
    "half": (FailureKind.CRASH, "it ended with exit code 0"),
    "garbage": (FailureKind.NONSENSE, "not JSON"),
    "bytes": (FailureKind.NONSENSE, "not UTF-8"),
    "long": (FailureKind.NONSENSE, "a line of more than"),
    "deep": (FailureKind.NONSENSE, ""),
    "number": (FailureKind.NONSENSE, "an object"),
    "no-id": (FailureKind.NONSENSE, "id of another phase, or none"),
    "other-id": (FailureKind.NONSENSE, "id of another phase, or none"),
    "nothing": (FailureKind.NONSENSE, "has none of the keys"),
    "places": (FailureKind.NONSENSE, "'ATLANTIS' is no place of the map"),
    "units": (FailureKind.NONSENSE, "'A NTH' does not fit"),
    "powers": (FailureKind.NONSENSE, "'ATLANTIS' is no power"),
    "types": (FailureKind.NONSENSE, "'dislodged' is a list"),
    "unsupported": (FailureKind.UNSUPPORTED, "not today"),
    "gives-up": (FailureKind.NO_ANSWER, "a paradox"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_goes_wrong_is_recorded_and_the_engine_goes_on(way: str) -> None:
    kind, text = WAYS[way]
    engine = faulty(way, seconds=20)
    try:
        answers = [engine.adjudicate(record) for record in (GOOD, BAD, GOOD)]
    finally:
        engine.close()
    assert answers[0] == answers[2] == ANSWERED
    failure = answers[1].failure
    assert failure is not None
    assert failure.kind == kind
    assert text in failure.text


@pytest.mark.parametrize("way", ["sleep", "sleeping-child", "close"])
def test_an_engine_that_hangs_is_ended(way: str, tmp_path: Path) -> None:
    """The phase is asked again on a fresh start, for which there is more time; then it is given up."""
    log = tmp_path / "log"
    engine = faulty(way, str(log), start=1.0)
    begun = time.monotonic()
    try:
        answers = [engine.adjudicate(record) for record in (GOOD, BAD, GOOD)]
    finally:
        engine.close()
    assert time.monotonic() - begun < 60
    assert answers[0] == answers[2] == ANSWERED
    failure = answers[1].failure
    assert failure is not None
    assert failure.kind in (FailureKind.TIMEOUT, FailureKind.CRASH)
    for line in log.read_text(encoding="utf-8").splitlines():
        with pytest.raises(ProcessLookupError):
            os.kill(int(line.split()[0]), 0)


def test_an_engine_that_never_reads_is_ended() -> None:
    """The question is larger than a pipe holds, so that it cannot even be sent."""
    engine = faulty("never-reads", start=0.1)
    long_winded = GOOD | {"orders": {"FRANCE": ["A PAR - BUR"] * 20_000}}
    try:
        failure = engine.adjudicate(long_winded).failure
    finally:
        engine.close()
    assert failure is not None
    assert (failure.kind, failure.text) == (FailureKind.TIMEOUT, "no answer within 0.4 seconds")


def test_an_answer_too_many_is_noticed() -> None:
    """A second answer could be taken for that to the next phase: its id tells, and the phase is asked again."""
    engine = faulty("twice")
    try:
        assert [engine.adjudicate(record) for record in (BAD, GOOD, GOOD)] == [ANSWERED] * 3
        assert engine.starts == 2
    finally:
        engine.close()


def test_what_a_phase_gets_does_not_depend_on_the_phases_before(tmp_path: Path) -> None:
    """An engine that breaks down is asked again, once, on a fresh start."""
    log = tmp_path / "log"
    engine = faulty("exit", str(log))
    try:
        for record in (GOOD, BAD, GOOD):
            engine.adjudicate(record)
    finally:
        engine.close()
    asked = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
    assert [phase for _, phase in asked] == ["S1901M", "S1902M", "S1902M", "S1901M"]
    assert len({process for process, _ in asked}) == 3


def test_the_end_of_standard_error_is_kept() -> None:
    engine = faulty("exit")
    try:
        failure = engine.adjudicate(BAD).failure
    finally:
        engine.close()
    assert failure is not None
    assert failure.stderr == "I am leaving"


def test_much_on_standard_error_blocks_nothing() -> None:
    engine = faulty("chatty", seconds=20)
    try:
        assert [engine.adjudicate(BAD) for _ in range(3)] == [ANSWERED] * 3
    finally:
        engine.close()


def test_an_engine_is_started_again_after_so_many_phases() -> None:
    engine = faulty("none", phases=3)
    try:
        assert [engine.adjudicate(GOOD) for _ in range(7)] == [ANSWERED] * 7
        assert engine.starts == 3
    finally:
        engine.close()


def test_an_engine_that_leaks_is_started_again() -> None:
    """20 MB a phase: without new starts forty phases would take 800 MB; the limit is looked at twice a second."""
    pytest.importorskip("psutil")
    engine = faulty("leak", memory=200 << 20, seconds=20)
    try:
        for _ in range(40):
            assert engine.adjudicate(BAD) == ANSWERED
            time.sleep(0.05)
        assert engine.starts > 2
    finally:
        engine.close()


def test_a_phase_that_takes_too_much_memory_has_no_answer() -> None:
    pytest.importorskip("psutil")
    greedy = "import sys, time; x = bytearray(b'1' * (120 << 20)); time.sleep(3600)"
    engine = CommandEngine("greedy", [sys.executable, "-c", greedy], limits=Limits(memory=80 << 20))
    try:
        failure = engine.adjudicate(GOOD).failure
    finally:
        engine.close()
    assert failure is not None
    assert failure.kind == FailureKind.CRASH
    assert "memory" in failure.text


def test_a_program_that_cannot_be_started() -> None:
    failure = CommandEngine("none", ["/nonexistent/engine"]).adjudicate(GOOD).failure
    assert failure is not None
    assert failure.kind == FailureKind.CRASH
    assert "cannot be started" in failure.text


def test_a_record_that_is_not_sound_reaches_no_engine() -> None:
    engine = faulty("exit")
    failure = engine.adjudicate({"units": {"FRANCE": ["A NTH"]}}).failure
    assert failure is not None
    assert failure.kind == FailureKind.UNSUPPORTED
    assert engine.starts == 0


def test_no_shell_sees_a_command(tmp_path: Path) -> None:
    """Semicolons and substitutions are plain arguments."""
    code = "import sys, json; open(sys.argv[1], 'w').write(json.dumps(sys.argv[2:]))"
    told = tmp_path / "told"
    command = shlex.join([sys.executable, "-c", code, str(told)]) + f" ; touch {tmp_path}/owned $(id) '`id`'"
    engine = engine_named(f"command:{command}")
    engine.adjudicate(GOOD)
    engine.close()
    assert json.loads(told.read_text(encoding="utf-8")) == [";", "touch", f"{tmp_path}/owned", "$(id)", "`id`"]
    assert not (tmp_path / "owned").exists()


def test_a_copy_of_an_engine_starts_its_own_program() -> None:
    engine = faulty("none")
    engine.adjudicate(GOOD)
    copy = pickle.loads(pickle.dumps(engine))
    try:
        assert copy.starts == 0
        assert copy.adjudicate(GOOD) == ANSWERED
    finally:
        copy.close()
        engine.close()


def test_a_served_package_answers_a_question_that_is_none() -> None:
    pytest.importorskip("pydip")
    lines = [b"not json", b"[]", json.dumps({"id": 5, "units": {"FRANCE": ["A NTH"]}}).encode()]
    words = [sys.executable, "-m", "satdip.crosschecking.engines.serve", "pydip"]
    done = subprocess.run(words, input=b"\n".join(lines) + b"\n", capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [None, None, 5]
    assert all(answer["kind"] == "unsupported" for answer in answers)


def test_serving_an_unknown_package_is_refused() -> None:
    words = [sys.executable, "-m", "satdip.crosschecking.engines.serve", "judge"]
    done = subprocess.run(words, capture_output=True, check=False, text=True)
    assert done.returncode != 0
    assert "no package engine is called 'judge'" in done.stderr
