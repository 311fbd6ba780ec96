"""Engines that mean harm, or are merely broken: nobody waits for them, and what they print is told and harmless."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from support.commands import satdip
from support.processes import is_alive

from satdip.crosschecking.engines import Answer, CommandEngine, FailureKind, Limits
from satdip.crosschecking.engines.child import Child
from satdip.crosschecking.engines.pipes import AT_ONCE, KEPT, LONGEST_ANSWER, THREAD, Pipes

PHASE = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
ANSWERED = Answer(moves={"PAR": "BUR"})

ANSWER = """
import json, os, subprocess, sys, time
def questions():
    for line in sys.stdin:
        yield json.loads(line)["id"]
def answer(name):
    print(json.dumps({"id": name, "moves": {"PAR": "BUR"}}), flush=True)
"""
"""The beginning of every engine here."""


def engine(code: str, *arguments: str, **limits: Any) -> CommandEngine:
    words = [sys.executable, "-c", ANSWER + code, *arguments]
    return CommandEngine("hostile", words, limits=Limits(**{"seconds": 20.0, "start": 0.0, **limits}))


def asked(code: str, *arguments: str, times: int = 1, **limits: Any) -> list[Answer]:
    hostile = engine(code, *arguments, **limits)
    try:
        return [hostile.adjudicate(PHASE) for _ in range(times)]
    finally:
        hostile.close()


def see_their_end(processes: list[int]) -> None:
    """Give killed processes the moment that they need."""
    deadline = time.monotonic() + 20
    while any(map(is_alive, processes)):
        assert time.monotonic() < deadline, f"{processes} are still alive"
        time.sleep(0.05)


# ---------------------------------------------------------------------- helpers that are left behind


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    """A file of the processes that an engine leaves behind; they are ended after the test."""
    file = tmp_path / "pids"
    file.touch()
    yield file
    for pid in file.read_text(encoding="utf-8").split():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


HELPER = """
inherited = ["in", "out", "err"].index(sys.argv[2])
pipes = [None if number == inherited else subprocess.DEVNULL for number in range(3)]
helper = subprocess.Popen(["sleep", "3600"], stdin=pipes[0], stdout=pipes[1], stderr=pipes[2], start_new_session=True)
with open(sys.argv[1], "a") as file:
    file.write(f"{helper.pid}\\n")
"""
"""Leaves a helper in a session of its own, as a daemon does; it inherits one of the pipes and lives for an hour."""

WITH_HELPER = {
    "answers": ("for name in questions(): answer(name)", None),
    "nonsense": ("for name in questions(): print('nonsense', flush=True)", FailureKind.NONSENSE),
    "ends": ("for name in questions(): print('rubbish'); break", FailureKind.NONSENSE),
    "ends silently": ("for name in questions(): break", FailureKind.CRASH),
    "ends in a line": ("for name in questions(): print('rub', end=''); break", FailureKind.CRASH),
    "never answers": ("time.sleep(3600)", FailureKind.TIMEOUT),
}


@pytest.mark.parametrize("pipe", ["in", "out", "err"])
@pytest.mark.parametrize("then", WITH_HELPER)
def test_nobody_waits_for_a_helper_that_an_engine_leaves_behind(then: str, pipe: str, pids: Path) -> None:
    """The helpers are still there when all is done: nothing has waited for their end."""
    code, kind = WITH_HELPER[then]
    seconds = 4.0 if kind == FailureKind.TIMEOUT else 20.0  # time for it to leave its helper
    (answer,) = asked(HELPER + code, str(pids), pipe, seconds=seconds)
    if kind is None:
        assert answer == ANSWERED
    else:
        assert answer.failure is not None
        assert answer.failure.kind == kind
    left = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    assert left
    assert all(map(is_alive, left))


def test_threads_and_pipes_end_although_helpers_live_on(pids: Path) -> None:
    """An engine that leaves helpers behind may be started thousands of times."""
    wait_for_threads()
    before = open_files()
    for pipe in ("in", "out", "err"):
        asked(HELPER + "for name in questions(): answer(name)", str(pids), pipe)
    wait_for_threads()
    assert open_files() == before
    assert all(is_alive(int(pid)) for pid in pids.read_text(encoding="utf-8").split())


def wait_for_threads() -> None:
    """Wait until the pipes of all engines are left."""
    deadline = time.monotonic() + 20
    while any(thread.name == THREAD for thread in enumerate_threads()):
        assert time.monotonic() < deadline, "threads outlive their engines"
        time.sleep(0.05)


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_ends_although_helpers_live_on(jobs: str, pids: Path, tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(ANSWER + HELPER + "for name in questions(): print('nonsense', flush=True)", encoding="utf-8")
    command = f"bad=command:{sys.executable} {script} {pids} out"
    source = write(tmp_path, 20)
    done = satdip("crosscheck", "--engine", command, str(source), "--jobs", jobs, "--quiet", "--json")
    found = done.json
    assert (done.code, found["engine_failures"], found["agree"]) == (1, 20, 0)
    assert all(is_alive(int(pid)) for pid in pids.read_text(encoding="utf-8").split())


def test_children_in_the_group_of_an_engine_end_with_it(pids: Path) -> None:
    """A bounded fork bomb."""
    bomb = """
for _ in range(30):
    child = subprocess.Popen(["sleep", "3600"])
    with open(sys.argv[1], "a") as file:
        file.write(f"{child.pid}\\n")
for name in questions(): answer(name)
"""
    assert asked(bomb, str(pids)) == [ANSWERED]
    children = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    assert len(children) == 30
    see_their_end(children)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_ended_ends_its_engines(sent: signal.Signals, jobs: str, pids: Path, tmp_path: Path) -> None:
    script = tmp_path / "engine.sh"
    script.write_text(f"echo $$ >> {pids}\nexec sleep 3600\n", encoding="utf-8")
    arguments = ("crosscheck", "--engine", f"silent=command:sh {script}", str(write(tmp_path, 30)), "--jobs", jobs)
    command = subprocess.Popen(
        [sys.executable, "-m", "satdip", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while command.poll() is None and not pids.read_text(encoding="utf-8").endswith("\n"):
        time.sleep(0.05)
    command.send_signal(sent)
    _, told = command.communicate()
    assert command.returncode == 4
    assert b"interrupted; 0 phases are done and not kept" in told
    engines = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    assert engines
    see_their_end(engines)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_until_a_program_is_known(sent: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes in the middle of a start, as if at the worst moment: the program is known, and ended."""
    started: list[Child] = []

    class Interrupted(Child):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            started.append(self)
            os.kill(os.getpid(), sent)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("satdip.crosschecking.engines.command.Child", Interrupted)
    before = signal.signal(sent, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            engine("time.sleep(3600)").adjudicate(PHASE)
        assert signal.getsignal(sent) is interrupt
    finally:
        signal.signal(sent, before)
    assert started[0]._process.returncode == -signal.SIGKILL


# ---------------------------------------------------------------------- floods, silence, rubbish

WAYS = {
    "a line without end": ("while True: sys.stdout.write('x' * 65536)", FailureKind.NONSENSE, "a line of more than"),
    "lines without end": ("while True: print('x' * 1000)", FailureKind.NONSENSE, "not JSON"),
    "empty lines": ("while True: print()", FailureKind.NONSENSE, "not JSON"),
    "binary": ("sys.stdout.buffer.write(bytes(range(256)) * 16 + b'\\n'); input(); input()", FailureKind.NONSENSE, ""),
    "closed input": ("os.close(0); time.sleep(3600)", FailureKind.TIMEOUT, "no answer within"),
    "closed output": ("os.close(1); time.sleep(3600)", FailureKind.CRASH, "it closed its output"),
    "closed pipes": (
        "[os.close(pipe) for pipe in range(3)]; time.sleep(3600)",
        FailureKind.CRASH,
        "it closed its output",
    ),
    "deaf to its end": (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)",
        FailureKind.TIMEOUT,
        "no answer within",
    ),
    "ends at once": ("sys.exit(0)", FailureKind.CRASH, "it ended with exit code 0"),
    "another session": ("os.setsid() if os.fork() == 0 else os._exit(0); time.sleep(1)", FailureKind.CRASH, "code 0"),
    "says that it was given up": (
        "for name in questions(): print(json.dumps({'id': name, 'error': 'x', 'kind': 'given-up'}), flush=True)",
        FailureKind.NONSENSE,
        "'kind' one of",
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_hostile_engines_do_is_told(way: str) -> None:
    code, kind, text = WAYS[way]
    (answer,) = asked(code, seconds=1.0 if kind == FailureKind.TIMEOUT else 20.0)
    assert answer.failure is not None
    assert answer.failure.kind == kind
    assert text in answer.failure.text
    assert len(answer.failure.printed) <= 4 * KEPT  # a byte that is no text takes four characters
    assert len(answer.failure.stderr) <= KEPT


def test_a_flood_on_standard_error_is_read_and_forgotten() -> None:
    code = """
from threading import Thread
def flood():
    while True: sys.stderr.write("x" * 65536)
Thread(target=flood, daemon=True).start()
for name in questions(): answer(name)
"""
    assert asked(code, times=20) == [ANSWERED] * 20


def test_answers_that_nobody_asked_for_fill_no_memory() -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(["yes"], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    pipes = Pipes(process)
    assert pipes.line(20) == b"y\n"
    time.sleep(0.3)  # time enough for hundreds of megabytes
    assert len(pipes._output) <= LONGEST_ANSWER + AT_ONCE
    process.kill()
    process.wait()
    pipes.leave()


def test_a_late_answer_is_not_taken_for_that_to_the_next_phase(tmp_path: Path) -> None:
    code = """
for name in questions():
    if not os.path.exists(sys.argv[1]):
        open(sys.argv[1], "w").close()
        time.sleep(6)
        print(json.dumps({"id": name, "moves": {}}), flush=True)
    else:
        answer(name)
"""
    late, good = asked(code, str(tmp_path / "mark"), times=2, seconds=4.0)
    assert late.failure is not None
    assert (late.failure.kind, good) == (FailureKind.TIMEOUT, ANSWERED)


@pytest.mark.parametrize("told", ["True", "'1'", "None", "[1]", "1.5", "2"])
def test_an_answer_names_the_phase_that_it_is_about(told: str) -> None:
    (answer,) = asked(f"for name in questions(): answer({told})")
    assert answer.failure is not None
    assert (answer.failure.kind, answer.failure.text[:38]) == (
        FailureKind.NONSENSE,
        "the answer has the id of another phase",
    )


@pytest.mark.parametrize(("seconds", "text"), [(1.0, "within 1 second"), (0.5, "within 0.5 seconds")])
def test_a_second_is_a_second(seconds: float, text: str) -> None:
    (answer,) = asked("time.sleep(3600)", seconds=seconds)
    assert answer.failure is not None
    assert answer.failure.text == f"no answer {text}"


def test_an_engine_that_answers_once_and_ends_is_started_for_every_phase() -> None:
    """The answer counts, although the output ends right behind it."""
    assert asked("for name in questions(): answer(name); break", times=5, starts=2) == [ANSWERED] * 5


# ---------------------------------------------------------------------- what it printed

PRINTED = {
    "and ends": ("print('usage: engine FILE'); sys.exit(0)", FailureKind.NONSENSE, "usage: engine FILE"),
    "in a line without end, and ends": (
        "print('Segmentation', end=''); sys.exit(0)",
        FailureKind.CRASH,
        "Segmentation",
    ),
    "with escapes": ("print('\\x1b[2J\\x07gone', end=''); sys.exit(7)", FailureKind.CRASH, "\x1b[2J\x07gone"),
    "as bytes": ("sys.stdout.buffer.write(b'\\xff\\xfe'); sys.exit(0)", FailureKind.CRASH, "\\xff\\xfe"),
    "and waits": ("print('ready> ', end='', flush=True); time.sleep(3600)", FailureKind.TIMEOUT, "ready>"),
}


@pytest.mark.parametrize("way", PRINTED)
def test_what_an_engine_printed_is_kept(way: str) -> None:
    code, kind, printed = PRINTED[way]
    (answer,) = asked(code, seconds=4.0 if kind == FailureKind.TIMEOUT else 20.0)
    assert answer.failure is not None
    assert (answer.failure.kind, answer.failure.printed) == (kind, printed)


@pytest.mark.parametrize("code", ["print('\\x1b[2J<b>rubbish</b>'); sys.exit(0)", "sys.exit('\\x1b[2J<b>rubbish</b>')"])
def test_what_an_engine_printed_is_told_escaped_and_short(code: str, tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(f"{ANSWER}print('y' * 100_000, file=sys.stderr)\n{code}", encoding="utf-8")
    report = tmp_path / "report.html"
    command = f"bad=command:{sys.executable} {script}"
    done = satdip("crosscheck", "--engine", command, write(tmp_path, 1), "--quiet", "--report", report)
    html = report.read_text(encoding="utf-8")
    assert done.code == 1
    assert "\x1b" not in done.out + html
    assert r"\x1b[2J<b>rubbish</b>" in "".join(done.out.split("\n"))
    assert r"\x1b[2J&lt;b&gt;rubbish&lt;/b&gt;" in html
    assert done.out.count("y") < 2 * KEPT
    assert html.count("y" * KEPT) <= 1


# ---------------------------------------------------------------------- giving up


@pytest.mark.parametrize("starts", [1, 3])
def test_an_engine_that_never_answers_is_given_up(starts: int, tmp_path: Path) -> None:
    log = tmp_path / "log"
    words = ["sh", "-c", f"echo start >> {log}; exec sleep 3600"]
    silent = CommandEngine("silent", words, limits=Limits(seconds=1.0, start=0.0, starts=starts))
    answers = [silent.adjudicate(PHASE) for _ in range(8)]
    silent.close()
    kinds = [answer.failure.kind for answer in answers if answer.failure is not None]
    assert kinds == [FailureKind.TIMEOUT] * starts + [FailureKind.GIVEN_UP] * (8 - starts)
    assert log.read_text(encoding="utf-8").count("start") == starts


def test_an_engine_that_answers_now_and_then_is_not_given_up(tmp_path: Path) -> None:
    """Every third start answers, once."""
    code = """
with open(sys.argv[1], "a+") as file:
    file.write("x")
    file.seek(0)
    number = len(file.read())
if number % 3: sys.exit(1)
for name in questions(): answer(name); break
"""
    answers = asked(code, str(tmp_path / "count"), times=12, starts=3)
    assert [answer for answer in answers if answer == ANSWERED] == [ANSWERED] * 4
    assert FailureKind.GIVEN_UP not in [answer.failure.kind for answer in answers if answer.failure is not None]


def test_a_program_that_cannot_be_started_is_given_up() -> None:
    none = CommandEngine("none", ["/nonexistent/engine"], limits=Limits(starts=2))
    kinds = [answer.failure.kind for answer in (none.adjudicate(PHASE) for _ in range(4)) if answer.failure is not None]
    assert kinds == [FailureKind.CRASH] * 2 + [FailureKind.GIVEN_UP] * 2


def test_an_engine_that_gives_no_answers_with_a_reason_is_asked_on() -> None:
    code = "for name in questions(): print(json.dumps({'id': name, 'error': 'a paradox'}), flush=True)"
    answers = asked(code, times=8, starts=2)
    assert [answer.failure.kind for answer in answers if answer.failure is not None] == [FailureKind.NO_ANSWER] * 8


def test_that_an_engine_was_given_up_is_told_everywhere(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    arguments = ("--engine", "dead=command:false", write(tmp_path, 6), "--quiet", "--give-up", 2)
    told = "dead was given up, 2 starts in a row gave no answer: 4 phases were not asked of it"
    done = satdip("crosscheck", *arguments, "--report", report)
    assert done.code == 1
    assert told in " ".join(done.out.split())
    assert told in report.read_text(encoding="utf-8")
    value = satdip("crosscheck", *arguments, "--json").json
    assert (value["agree"], value["engine_failures"], value["engines"][0]["given_up"]) == (0, 6, 4)
    assert [(item["kind"], item["count"]) for item in value["failures"]] == [("given-up", 4), ("crash", 2)]


def test_an_engine_may_be_started_for_ever(tmp_path: Path) -> None:
    arguments = ("--engine", "dead=command:false", write(tmp_path, 8), "--quiet", "--give-up", 0, "--json")
    value = satdip("crosscheck", *arguments).json
    assert [(item["kind"], item["count"]) for item in value["failures"]] == [("crash", 8)]


def write(folder: Path, count: int) -> Path:
    """Write a source of so many phases."""
    source = folder / "phases.jsonl"
    source.write_text("".join(json.dumps(PHASE | {"id": str(n)}) + "\n" for n in range(count)), encoding="utf-8")
    return source
