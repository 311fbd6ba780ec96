"""Runs cases: in this process, as a program that imports satdip would, or each in a process of its own."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self
from unittest import mock

from satdip.cli import main

from .case import Case
from .judging import MOST_BYTES, SECRET, Outcome

__all__ = ["House"]

PATIENCE = 60.0
"""Seconds until a command that waits for something is ended."""


class Endless(BaseException):
    """A command did not end. It is no `Exception`, so that nothing takes it for one of its own."""


class House:
    """A folder in which cases run one after the other, beside files that nothing may open; a context manager."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._watch = _Watch()

    def __enter__(self) -> Self:
        root = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="doors-"))).resolve()
        self.outside, self.folder = root / "outside", root / "case"
        self.outside.mkdir()
        self.folder.mkdir()
        for name in ("secret.toml", "secret.json"):
            (self.outside / name).write_text(f'{SECRET} = "{SECRET}"\n', encoding="utf-8")
        for name in ("pipe", "pipe.toml"):
            os.mkfifo(self.outside / name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    # ------------------------------------------------------------------ in this process

    def run(self, case: Case) -> Outcome:
        """Run a case in this process."""
        with self._prepared(case), self._watch.watching(self.outside), _as_it_was(), contextlib.chdir(self.folder):
            return self._called(case)

    def _called(self, case: Case) -> Outcome:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
        err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", errors="backslashreplace")  # as Python's own
        code: int | None = 0
        raised = ""
        before = _resident("VmRSS")
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the highest mark begins anew
        seconds, waited = _worked(), time.monotonic()
        try:
            with (
                mock.patch.object(sys, "argv", ["satdip", *case.arguments]),
                mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(case.stdin))),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
                _alarm(PATIENCE),
                _memory(MOST_BYTES * 2),
            ):
                main()
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else None
        except Endless:
            code = None
        except BaseException:  # noqa: BLE001 -- whatever gets through is what we are here for
            raised = traceback.format_exc()
        seconds, waited = _worked() - seconds, time.monotonic() - waited
        size = _resident("VmHWM") - before
        texts = []
        for stream in (out, err):
            stream.flush()
            held = stream.detach()  # click keeps every stream that it has written to, but not what is within
            texts.append(held.getvalue().decode("utf-8", "replace"))  # type: ignore[attr-defined]
        return Outcome(code, *texts, seconds, size, waited, raised, self._watch.seen(), self._files())

    # ------------------------------------------------------------------ in a process of its own

    def start(self, case: Case) -> Outcome:
        """Run a case as a process of its own."""
        with self._prepared(case):
            begun = time.monotonic()
            command = [sys.executable, "-m", "satdip", *case.arguments]
            with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
                given.write(case.stdin)
                given.seek(0)
                process = subprocess.Popen(
                    command, cwd=self.folder, stdin=given, stdout=out, stderr=err, start_new_session=True
                )
                code, used = _ended(process, PATIENCE)
                texts = []
                for stream in (out, err):
                    stream.seek(0)
                    texts.append(stream.read().decode("utf-8", "replace"))
            seconds, size = used.ru_utime + used.ru_stime, used.ru_maxrss << 10
            return Outcome(code, *texts, seconds, size, time.monotonic() - begun, files=self._files())

    # ------------------------------------------------------------------ the folder

    @contextlib.contextmanager
    def _prepared(self, case: Case) -> Iterator[None]:
        case.write(self.folder)
        try:
            yield
        finally:
            for path in self.folder.iterdir():
                path.unlink()

    def _files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}


def _ended(process: subprocess.Popen[bytes], patience: float) -> tuple[int | None, resource.struct_rusage]:
    """Wait for the end of a process, and end it when it takes too long."""
    timer = threading.Timer(patience, lambda: os.killpg(process.pid, signal.SIGKILL))
    timer.start()
    try:
        _, status, used = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    return (None if code == -signal.SIGKILL else code), used


def _worked() -> float:
    """Return the processor time of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _resident(mark: str) -> int:
    """Return a mark of the memory that this process holds or held at most, in bytes; 0 where there is none."""
    with contextlib.suppress(OSError), Path("/proc/self/status").open(encoding="ascii") as status:
        for line in status:
            if line.startswith(mark):
                return int(line.split()[1]) << 10
    return 0


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End what is done within when it takes too long."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Endless

    usual = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)  # again and again, should somebody catch it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


@contextlib.contextmanager
def _memory(more: int) -> Iterator[None]:
    """Let what asks for this much more memory fail, and not the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = (_resident("VmSize") or (16 << 30)) + more
    resource.setrlimit(resource.RLIMIT_AS, (bound if hard == resource.RLIM_INFINITY else min(bound, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextlib.contextmanager
def _as_it_was() -> Iterator[None]:
    """Undo what a command does to its process: it is made to end with it."""
    thresholds, interrupt, terminate = (
        gc.get_threshold(),
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGTERM),
    )
    with mock.patch("atexit.register"):
        try:
            yield
        finally:
            gc.set_threshold(*thresholds)
            gc.unfreeze()
            signal.signal(signal.SIGINT, interrupt)
            signal.signal(signal.SIGTERM, terminate)


class _Watch:
    """Sees which files are opened and which connections made: Python tells it to who asks."""

    def __init__(self) -> None:
        self._outside: Path | None = None
        self._seen: list[str] = []
        sys.addaudithook(self._look)

    @contextlib.contextmanager
    def watching(self, outside: Path) -> Iterator[None]:
        self._outside, self._seen = outside, []
        try:
            yield
        finally:
            self._outside = None

    def seen(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._seen))

    def _look(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._outside is None:
            return
        if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            path = Path(os.fsdecode(arguments[0]))
            if "outside" in path.parts and path.absolute().parent.resolve() == self._outside:
                self._seen.append(f"it opened {path.name}, which only the input names")
                raise PermissionError(f"{path} is not to be opened")
        elif event in ("socket.connect", "os.system"):
            self._seen.append(f"it did {event}")
