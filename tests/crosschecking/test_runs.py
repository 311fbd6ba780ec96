"""Long runs: nothing is lost and nothing done twice, whatever is killed, and the output is always the same."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from support.processes import is_alive
from support.runs_work import PARAMETERS, Deaf, FailsAt, KillsItsWorker, expected, go, numbers, square

from satdip.base import pools
from satdip.base.errors import InputError
from satdip.crosschecking.engines import differences, engine_named
from satdip.crosschecking.runs import (
    ConsoleProgress,
    Executor,
    Phase,
    Processes,
    ResultStore,
    RunFailed,
    Serial,
    Session,
    Summary,
    own_errors,
    read_results,
    run,
)
from satdip.crosschecking.runs.worker import result_line

TESTS = Path(__file__).parent


# ---------------------------------------------------------------------- the same output


@pytest.mark.parametrize("executor", [None, Serial(), Processes(2, parcel=3, ahead=2)])
def test_the_output_is_the_same_however_it_is_run(executor: Executor | None, tmp_path: Path) -> None:
    summary = go(tmp_path / "out", 50, square, executor)
    assert (summary.done, summary.new, summary.complete) == (50, 50, True)
    assert (tmp_path / "out").read_bytes() == expected(50)


def test_a_worker_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "GRACE", 0.5)
    nap = 600.0
    lines = Processes(1, parcel=1, ahead=2).lines(Deaf(1, nap), numbers(2))
    assert len(next(lines)) == 1
    time.sleep(1)  # the other phase has begun
    start = time.monotonic()
    lines.close()
    assert time.monotonic() - start < nap / 2


@dataclass(frozen=True)
class Compared:
    """What engines say otherwise than satdip: work that has something to open and to close."""

    engines: tuple[str, ...]
    closed: str

    def open(self) -> Session:
        return _Comparing(self)


class _Comparing:
    def __init__(self, work: Compared) -> None:
        self.work = work
        self.engines = [engine_named(name) for name in work.engines]

    def __call__(self, phase: Phase) -> dict[str, Any]:
        from satdip.adjudication import adjudicate

        ours = adjudicate(phase.record)
        return {
            engine.name: [d.to_json() for d in differences(ours, engine.adjudicate(phase.record))]
            for engine in self.engines
        }

    def close(self) -> None:
        for engine in self.engines:
            engine.close()
        Path(self.work.closed).touch()


def test_engines_are_opened_in_the_workers_and_closed(tmp_path: Path) -> None:
    """The faulty engine crashes on the phases of 1902; each worker has one, and the output is that of one process."""
    faulty = f"command:{sys.executable} {TESTS / 'engines' / 'faulty.py'} exit"
    phases = [
        Phase(
            str(n),
            {"phase": f"S190{1 + n % 4 // 3}M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}},
        )
        for n in range(12)
    ]
    outputs = []
    for name, executor in (("serial", Serial()), ("parallel", Processes(2, parcel=2))):
        work = Compared((f"faulty={faulty}",), str(tmp_path / f"closed-{name}"))
        with ResultStore(tmp_path / name, PARAMETERS) as store:
            assert run(iter(phases), work, store, executor).complete
        outputs.append((tmp_path / name).read_bytes())
        assert Path(work.closed).exists()
    assert outputs[0] == outputs[1]
    moved = {"what": "moves", "at": "PAR", "satdip": ["BUR"], "engine": []}
    assert [moved in result["faulty"] for result in read_results(tmp_path / "serial")[1]] == [
        True,
        True,
        True,
        False,
    ] * 3


def test_phases_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    """A source without end is no reason to take it all."""
    taken = 0

    def source() -> Iterator[Phase]:
        nonlocal taken
        for taken in range(1, 10_000):
            yield Phase(str(taken), {"number": taken})

    lines = Processes(2, parcel=2, ahead=3).lines(square, source())
    next(lines)
    lines.close()  # type: ignore[attr-defined]
    assert taken <= 2 * 2 * 3 + 2


def test_work_that_fails_ends_the_run_and_keeps_the_results(tmp_path: Path) -> None:
    def fails(phase: Phase) -> dict[str, Any]:
        if phase.id == "phase-3":
            raise InputError("this record is not sound")
        return square(phase)

    with pytest.raises(InputError, match="not sound"):
        go(tmp_path / "out", 5, fails)
    assert (tmp_path / "out").read_bytes() == expected(3)
    assert go(tmp_path / "out", 5, resume=True).new == 2
    assert (tmp_path / "out").read_bytes() == expected(5)


@pytest.mark.parametrize("executor", [Serial(), Processes(2, parcel=2)])
def test_an_error_of_our_own_is_recorded_with_its_phase_and_the_run_goes_on(executor: Executor, tmp_path: Path) -> None:
    """Also where the result cannot be written, or is larger than a result may be."""
    work = FailsAt({1: "raises", 3: "nan", 4: "large"})
    summary = go(tmp_path / "out", 7, work, executor)
    assert (summary.done, summary.complete) == (7, True)
    results = list(read_results(tmp_path / "out")[1])
    assert [result.get("square") for result in results] == [0, None, 4, None, None, 25, 36]
    names = [result["error"]["text"].partition(":")[0] for result in results if "error" in result]
    assert names == ["ZeroDivisionError", "ValueError", "ValueError"]
    assert (results[1]["id"], results[1]["record"]) == ("phase-1", {"number": 1})
    assert results[1]["error"]["where"][-1].startswith("support.runs_work:__call__:")
    again = tmp_path / "again"
    go(again, 7, work)
    assert again.read_bytes() == (tmp_path / "out").read_bytes(), "the same however it is run"
    assert go(tmp_path / "out", 7, resume=True) == Summary(7, 0)


def test_an_endless_recursion_is_recorded_too() -> None:
    work = FailsAt({0: "recursion"})
    told = [json.loads(result_line(work, phase)) for phase in numbers(2)]
    assert told[0]["error"]["text"].startswith("RecursionError")
    assert len(told[0]["error"]["where"]) <= 5
    assert told[1] == {"id": "phase-1", "square": 1}


def test_errors_of_our_own_are_counted_by_what_they_are() -> None:
    lines = [result_line(FailsAt(dict.fromkeys(range(2, 9), "raises")), phase) for phase in numbers(9)]
    lines.append(result_line(FailsAt({9: "nan"}), Phase("phase-9", {"number": 9})))
    first, second = own_errors(map(json.loads, lines))
    assert (first.count, first.sources[0], len(first.sources), second.count) == (7, "phase-2", 5, 1)
    assert str(first).startswith("satdip itself failed on 7 phases: ZeroDivisionError: ")
    assert str(second).startswith("satdip itself failed on 1 phase: ValueError: ")


# ---------------------------------------------------------------------- killed and resumed

RUN_LOGGED = """
import sys
sys.path.insert(0, {tests!r})
import runs_work as t
from satdip.crosschecking.runs import *
if __name__ == "__main__":
    executor = Serial() if {workers} == 1 else Processes({workers}, parcel=2, ahead=2)
    t.go(t.Path({out!r}), {count}, t.Logged({log!r}, {nap}), executor, resume=True)
"""


def start(tmp_path: Path, count: int, *, workers: int = 1, nap: float = 0.002) -> subprocess.Popen[bytes]:
    script = tmp_path / "script.py"
    fields = {"tests": str(TESTS.parent / "support"), "out": str(tmp_path / "out"), "log": str(tmp_path / "log")}
    script.write_text(RUN_LOGGED.format(workers=workers, count=count, nap=nap, **fields), encoding="utf-8")
    return subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def begun(tmp_path: Path) -> list[str]:
    log = tmp_path / "log"
    return [line.split()[1] for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def kill_soon(process: subprocess.Popen[bytes], tmp_path: Path, delay: float) -> None:
    """Kill a run a little after it has begun to work on phases, or let it end."""
    before = len(begun(tmp_path))
    while process.poll() is None and len(begun(tmp_path)) == before:
        time.sleep(0.005)
    time.sleep(delay)
    process.kill()
    process.communicate()


def test_twenty_kills_lose_nothing_and_repeat_nothing(tmp_path: Path) -> None:
    count, rng = 2000, random.Random(7)
    for _ in range(20):
        kill_soon(start(tmp_path, count), tmp_path, rng.uniform(0, 0.1))
    last = start(tmp_path, count, nap=0)
    _, complaints = last.communicate(timeout=120)
    assert (last.returncode, complaints) == (0, b"")
    assert (tmp_path / "out").read_bytes() == expected(count)
    times = Counter(begun(tmp_path))
    assert len(times) == count
    assert sum(times.values()) - count <= 20, "only the phase in hand is begun again"


def test_kills_of_a_parallel_run(tmp_path: Path) -> None:
    for delay in (0.0, 0.05, 0.1):
        kill_soon(start(tmp_path, 400, workers=2), tmp_path, delay)
    workers = {int(line.split()[0]) for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines()}
    assert go(tmp_path / "out", 400, resume=True).complete
    assert (tmp_path / "out").read_bytes() == expected(400)
    deadline = time.monotonic() + 10
    while alive := {worker for worker in workers if is_alive(worker)}:
        assert time.monotonic() < deadline, f"workers {alive} outlive their run"
        time.sleep(0.05)


@pytest.mark.parametrize("cut", [1, 10, 39])
def test_a_torn_line_is_done_again(cut: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    go(out, 10)
    out.write_bytes(out.read_bytes()[:-cut])
    assert go(out, 10, resume=True).new == 1 + cut // 30
    assert out.read_bytes() == expected(10)


@pytest.mark.parametrize("tail", [b"\0" * 100, b"\0" * 50 + b"\n", b'{"id": 3}\n', b"\xff\xfe", b"[]\n{\n"])
def test_what_a_crash_of_the_machine_leaves_behind_is_cut_off(tail: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out"
    go(out, 5)
    out.write_bytes(out.read_bytes() + tail)
    assert [result["square"] for result in read_results(out)[1]] == [0, 1, 4, 9, 16]
    assert go(out, 7, resume=True).new == 2
    assert out.read_bytes() == expected(7)


@pytest.mark.parametrize("size", [0, 1, 20])
def test_a_run_that_was_killed_at_its_first_line_starts_anew(size: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(expected(0)[:size])
    assert go(out, 3, resume=True).new == 3
    assert out.read_bytes() == expected(3)


def test_every_prefix_of_an_output_can_be_resumed(tmp_path: Path) -> None:
    whole, out = expected(2), tmp_path / "out"
    for size in range(len(whole) + 1):
        out.write_bytes(whole[:size])
        assert go(out, 2, resume=True).complete
        assert out.read_bytes() == whole, size


def test_a_run_that_is_complete_has_nothing_to_do(tmp_path: Path) -> None:
    go(tmp_path / "out", 4)
    assert go(tmp_path / "out", 4, resume=True) == Summary(4, 0)


# ---------------------------------------------------------------------- what is refused


def refused(path: Path, sentence: str, *, resume: bool = True, parameters: Any = PARAMETERS, count: int = 4) -> None:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(InputError, match=sentence), ResultStore(path, parameters, resume=resume) as store:
        run(numbers(count), square, store)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_an_output_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    go(tmp_path / "out", 4)
    refused(tmp_path / "out", "is there already; resume the run", resume=False)


def test_other_parameters_are_refused(tmp_path: Path) -> None:
    go(tmp_path / "out", 4)
    other = PARAMETERS | {"engines": ["pydip"]}
    refused(tmp_path / "out", r'engines was \["none"\] and is \["pydip"\] now', parameters=other)
    refused(tmp_path / "out", "rules was null and is 1 now", parameters=PARAMETERS | {"rules": 1})


def test_another_source_is_refused(tmp_path: Path) -> None:
    go(tmp_path / "out", 4)
    refused(tmp_path / "out", "result of 'phase-3', where the source has ended", count=3)
    with (
        pytest.raises(InputError, match="line 2: this is the result of 'phase-0', where the source has 'else'"),
        ResultStore(tmp_path / "out", PARAMETERS, resume=True) as store,
    ):
        run(iter([Phase("else", {})]), square, store)


@pytest.mark.parametrize("content", [b"My diary\n", b"{}\n", b'{"run":2,"parameters":{}}\n', b"[]", b"\0\0", b'{"r\nx'])
def test_a_file_of_somebody_else_is_left_alone(content: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(content)
    refused(out, "no output of a run")
    with pytest.raises(InputError, match="no output of a run"):
        read_results(out)


def test_a_file_that_was_changed_in_the_middle_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    go(out, 4)
    out.write_bytes(out.read_bytes().replace(b'"phase-1"', b"phase-1"))
    refused(out, "line 3: this line is no result")


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    refused(tmp_path, "cannot be written")
    refused(tmp_path / "no" / "such" / "folder", "cannot be written: No such file or directory")
    with pytest.raises(InputError, match="cannot be read"):
        read_results(tmp_path / "nothing")


def test_two_runs_on_one_output_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with ResultStore(out, PARAMETERS):
        for resume in (True, False):
            with pytest.raises(InputError, match="out: another run is writing to this file"):
                ResultStore(out, PARAMETERS, resume=resume)
    ResultStore(out, PARAMETERS, resume=True).close()


def test_another_process_on_one_output_is_refused_until_it_is_killed(tmp_path: Path) -> None:
    process = start(tmp_path, 100_000, workers=2, nap=0.01)
    while process.poll() is None and not begun(tmp_path):
        time.sleep(0.01)
    refused_at = time.monotonic()
    with pytest.raises(InputError, match="another run is writing to this file"):
        go(tmp_path / "out", 4, resume=True)
    assert time.monotonic() - refused_at < 5
    process.kill()
    process.communicate()
    ResultStore(tmp_path / "out", PARAMETERS, resume=True).close()


# ---------------------------------------------------------------------- workers that die


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    work = KillsItsWorker(str(tmp_path), (7, 8, 30))
    assert go(tmp_path / "out", 50, work, Processes(2, parcel=3, ahead=3)).complete
    assert (tmp_path / "out").read_bytes() == expected(50)
    assert all((tmp_path / f"mark-{number}").exists() for number in (7, 8, 30))


def test_a_phase_that_kills_every_worker_ends_the_run(tmp_path: Path) -> None:
    work = KillsItsWorker(str(tmp_path), (5,), always=True)
    summary = go(tmp_path / "out", 20, work, Processes(2, parcel=1, ahead=2))
    assert not summary.complete
    assert summary.reason == "the phases from phase-5 to phase-5 end every worker process"
    assert (tmp_path / "out").read_bytes() == expected(5)
    assert go(tmp_path / "out", 20, resume=True).complete
    assert (tmp_path / "out").read_bytes() == expected(20)


# ---------------------------------------------------------------------- interrupts and full disks


@dataclass
class InterruptsAt(Serial):
    """As if the user had pressed Ctrl-C at some point."""

    count: int

    def lines(self, work: Any, phases: Iterator[Phase]) -> Iterator[list[str]]:
        for number, lines in enumerate(super().lines(work, phases)):
            if number == self.count:
                raise KeyboardInterrupt
            yield lines


def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    summary = go(tmp_path / "out", 10, square, InterruptsAt(4))
    assert summary == Summary(4, 4, "interrupted")
    assert summary.sentence == "interrupted; 4 phases are done and kept, the same command with --resume goes on"
    assert (tmp_path / "out").read_bytes() == expected(4)
    assert go(tmp_path / "out", 10, resume=True).sentence == "10 phases are done"


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_run_at_once(workers: int, tmp_path: Path) -> None:
    """The signal goes to the whole foreground group, as a terminal sends it; the workers are in a long nap."""
    script = RUN_LOGGED.replace("    t.go(", "    print(t.go(").replace("resume=True)", "resume=True).sentence)")
    fields = {"tests": str(TESTS.parent / "support"), "out": str(tmp_path / "out"), "log": str(tmp_path / "log")}
    (tmp_path / "script.py").write_text(script.format(workers=workers, count=100, nap=20, **fields), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while process.poll() is None and len(begun(tmp_path)) < workers:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, complaints = process.communicate(timeout=15)
    assert (process.returncode, complaints) == (0, b"")
    assert out.decode().startswith("interrupted; 0 phases are done and kept")


FULL = """
import resource, sys
sys.path.insert(0, {tests!r})
import runs_work as t
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
print(t.go(t.Path({out!r}), 50).sentence)
"""


@pytest.mark.parametrize("size", [100, 333, 1000])
def test_a_full_disk_ends_the_run_with_a_sentence(size: int, tmp_path: Path) -> None:
    """A limit on the size of files, which cuts a write in two as a full disk does."""
    out = tmp_path / "out"
    code = FULL.format(tests=str(TESTS.parent / "support"), size=size, out=str(out))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert f"{out} cannot be written: File too large; " in done.stdout
    assert "the same command with --resume goes on" in done.stdout
    written = out.read_bytes()
    assert written.endswith(b"\n")
    assert expected(50).startswith(written)
    assert go(out, 50, resume=True).complete
    assert out.read_bytes() == expected(50)


def test_a_disk_that_refuses_is_told_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ResultStore(tmp_path / "out", PARAMETERS, checkpoint=1000) as store:

        def refuse(file: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", refuse)
        summary = run(numbers(5), square, store)
    assert summary.reason is not None
    assert summary.reason.endswith("cannot be written: No space left on device")


@pytest.mark.parametrize("every", [0.0, 1000.0])
def test_results_are_forced_to_the_disk_every_few_seconds(
    every: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    with ResultStore(tmp_path / "out", PARAMETERS, checkpoint=every) as store:
        monkeypatch.setattr(os, "fsync", forced.append)
        for number in range(5):
            store.append([f'{{"id":"{number}"}}\n'])
        assert len(forced) == (5 if every == 0 else 0)


# ---------------------------------------------------------------------- progress


def test_progress_tells_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    text = io.StringIO()
    progress = ConsoleProgress(Console(file=text, width=20), every=10)
    progress.start(5000, 1000)
    now += 8  # engines are starting
    progress.advance(100)
    assert text.getvalue() == ""
    now += 4
    progress.advance(400)
    assert text.getvalue() == "1,500 of 5,000 phases, 100 a second, 0:00:35 left\n"
    progress.start(None, 0)
    progress.advance(1)
    now += 20
    progress.advance(2)
    progress.stop()
    assert text.getvalue().endswith("\n3 phases, 0.1 a second\n")


def test_progress_on_a_terminal() -> None:
    text = io.StringIO()
    progress = ConsoleProgress(Console(file=text, force_terminal=True, width=100))
    progress.start(10, 0)
    progress.advance(10)
    progress.stop()
    assert "10 of 10 phases" in text.getvalue()


# ---------------------------------------------------------------------- a cluster


def test_a_cluster_with_a_killed_worker_has_the_same_output(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from satdip.crosschecking.runs import Cluster

    work = KillsItsWorker(str(tmp_path), (7,))
    assert go(tmp_path / "out", 40, work, Cluster("local", 2, parcel=3, ahead=2)).complete
    assert (tmp_path / "out").read_bytes() == expected(40)
    assert (tmp_path / "mark-7").exists()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "tcp://"])
def test_a_cluster_that_is_not_there(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from satdip.crosschecking.runs import Cluster, cluster

    monkeypatch.setattr(cluster, "WAIT", 1)
    with pytest.raises(InputError, match="no Dask scheduler answers at"):
        go(tmp_path / "out", 4, square, Cluster(address))


@pytest.mark.parametrize(
    ("summary", "kept", "not_kept"),
    [
        (
            Summary(1, 1, "interrupted"),
            "interrupted; 1 phase is done and kept, the same command with --resume goes on",
            "interrupted; 1 phase is done and not kept: a run with --output can be resumed",
        ),
        (
            Summary(2, 1, "interrupted"),
            "interrupted; 2 phases are done and kept, the same command with --resume goes on",
            "interrupted; 2 phases are done and not kept: a run with --output can be resumed",
        ),
        (Summary(3, 3), "3 phases are done", "3 phases are done"),
    ],
)
def test_what_a_run_says_of_its_end(summary: Summary, kept: str, not_kept: str) -> None:
    assert (summary.sentence, summary.sentence_without_output) == (kept, not_kept)


def test_a_run_that_failed_says_why() -> None:
    assert str(RunFailed("the cluster is gone")) == "the cluster is gone"
