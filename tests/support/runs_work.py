"""Small work for the tests of long runs; importing it is quick, so that runs can be started and killed often."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from satdip.crosschecking.runs import Executor, Phase, ResultStore, Summary, run
from satdip.crosschecking.runs.phase import LONGEST_RESULT

__all__ = ["PARAMETERS", "Deaf", "FailsAt", "KillsItsWorker", "Logged", "expected", "go", "numbers", "square"]

PARAMETERS = {"source": "numbers", "engines": ["none"]}


def numbers(count: int) -> Iterator[Phase]:
    return (Phase(f"phase-{number}", {"number": number}) for number in range(count))


def square(phase: Phase) -> dict[str, Any]:
    return {"square": phase.record["number"] ** 2}


@dataclass(frozen=True)
class Logged:
    """Squares after a nap, with a line in a log for each phase that is begun."""

    log: str
    nap: float = 0.0

    def __call__(self, phase: Phase) -> dict[str, Any]:
        file = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, f"{os.getpid()} {phase.id}\n".encode())
        os.close(file)
        time.sleep(self.nap)
        return square(phase)


@dataclass(frozen=True)
class Deaf:
    """Squares, but the worker of one phase does not end when it is told to, and sleeps."""

    phase: int
    nap: float

    def __call__(self, phase: Phase) -> dict[str, Any]:
        if phase.record["number"] == self.phase:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(self.nap)
        return square(phase)


@dataclass(frozen=True)
class FailsAt:
    """Squares, but goes wrong on some phases: number of the phase -> how."""

    ways: Mapping[int, str]

    def __call__(self, phase: Phase) -> dict[str, Any]:
        number = phase.record["number"]
        match self.ways.get(number):
            case "raises":
                return {"square": number // 0}
            case "nan":
                return {"square": float("nan")}
            case "large":
                return {"square": "x" * LONGEST_RESULT}
            case "recursion":
                return self(phase)
        return square(phase)


@dataclass(frozen=True)
class KillsItsWorker:
    """Squares, but the process that first comes to one of these phases is killed there; ``always`` every one."""

    folder: str
    phases: tuple[int, ...]
    always: bool = False

    def __call__(self, phase: Phase) -> dict[str, Any]:
        number = phase.record["number"]
        mark = Path(self.folder) / f"mark-{number}"
        if number in self.phases and (self.always or not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return square(phase)


def expected(count: int) -> bytes:
    """The output of a complete run, written without the code that is tested."""
    lines = [{"run": 1, "parameters": PARAMETERS}]
    lines += [{"id": f"phase-{number}", "square": number**2} for number in range(count)]
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


def go(
    path: Path, count: int, work: Any = square, executor: Executor | None = None, *, resume: bool = False
) -> Summary:
    with ResultStore(path, PARAMETERS, resume=resume) as store:
        return run(numbers(count), work, store, executor, total=count)
