"""The output of a run: a file of JSON lines that only grows.

Why not SQLite: results are written in the order of the phases, so that the file of a parallel run is the file of a
serial one byte for byte, and reading it needs nothing but a text editor. What a database would add is little here: a
line that a crash has torn is the last one, and is cut off; `flock` keeps a second run away and ends with the process,
however that ends; where a run stands is the number of lines. The price is that a result waits in memory while an
earlier phase is worked on; how many may do so is bounded (`satdip.crosschecking.runs.executors`).

The first line tells the parameters of the run, every other one the result of a phase under its ``id``.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from satdip.base.errors import InputError, Where
from satdip.base.printable import short, shown
from satdip.crosschecking.runs.phase import LONGEST_RESULT, RunFailed
from satdip.crosschecking.shapes import each, fields, mapping, text
from satdip.notation import decode_record, decode_text

__all__ = ["ResultStore", "read_results"]

FORMAT = 1

Check = Callable[[Mapping[str, Any]], object]
"""Refuses what is no result."""

_check_as_error = fields({"id": text, "error": fields({"text": text, "where": each(text)})}, {"record": mapping})


def _check_error(value: Mapping[str, Any]) -> None:
    """Refuse an error in the work on a phase that is not told as one (see `satdip.crosschecking.runs.worker`)."""
    if "error" in value:
        _check_as_error(value, "$")


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 1 << 40, os.SEEK_SET)  # a byte that no result reaches: reading the others stays possible
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class ResultStore:
    """The results of a run, open for writing; a context manager.

    What is appended is with the operating system at once, where it outlives the process, and on the disk every few
    seconds, where it outlives the machine.

    Args:
        path: the file.
        parameters: what the results depend on, as JSON values. A run is resumed only with the same.
        resume: go on with a file that is there; without it such a file is refused unless it is empty. When there is
            none, or one in which not even the first line was finished, the run starts from the beginning.
        checkpoint: seconds between two times that everything is forced to the disk.
        check: refuses a result in a file to go on with that is not one of this work: it raises an `InputError`. The
            file may have been damaged, or come from anyone.

    Raises:
        InputError: the file cannot be written, is there already, is in use by another run, is that of another one, or
            holds a result that is none of this work.
    """

    def __init__(
        self,
        path: str | Path,
        parameters: Mapping[str, Any],
        *,
        resume: bool = False,
        checkpoint: float = 2.0,
        check: Check = lambda _: None,
    ) -> None:
        self.path, self._where = Path(path), Where(str(path))
        self._check = check
        self.count = 0
        """How many results there are."""
        self._checkpoint, self._size = checkpoint, 0
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise InputError(f"the file cannot be written: {error.strerror}", self._where) from None
        try:
            self._begin(_header(parameters), resume)
        except BaseException:
            os.close(self._file)
            raise
        self._synced = time.monotonic()

    def _begin(self, header: bytes, resume: bool) -> None:
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise InputError("this is no file that results can be kept in; choose another one", self._where)
        try:
            _lock(self._file)
        except OSError:
            what = "another run is writing to this file; wait for its end, or choose another file"
            raise InputError(what, self._where) from None
        if os.fstat(self._file).st_size and not resume:
            what = "the file is there already; resume the run (--resume), or choose another file"
            raise InputError(what, self._where)
        with self.path.open("rb") as file:
            self._recover(file, header)
        try:
            os.ftruncate(self._file, self._size)
            if not self._size:
                self._write(header)
            os.fsync(self._file)
            _sync_folder(self.path.parent)
        except (OSError, RunFailed) as error:
            raise InputError(f"the file cannot be written: {_reason(error)}", self._where) from None

    def _recover(self, file: BinaryIO, header: bytes) -> None:
        """Find how far the file is sound; what a crash can have left behind that is cut off."""
        first = file.readline(LONGEST_RESULT)
        if len(first) < len(header) and header.startswith(first) and not file.read(1):
            return
        _check_header(first, header, self._where)
        self._size = len(first)
        lines = _lines(file)
        for line in lines:
            value = _result(line)
            if value is None:
                break
            try:
                _check_error(value)
                self._check(value)
            except InputError as error:
                raise error.at(source=self._where.source, line=self.count + 2) from None
            self._size += len(line)
            self.count += 1
        if any(_result(line) is not None for line in lines):
            where = Where(self._where.source, self.count + 2)
            raise InputError("this line is no result, but results follow: something else has changed the file", where)

    def ids(self) -> Iterator[str]:
        """Yield the ids of the results, in order."""
        with self.path.open("rb") as file:
            file.readline(LONGEST_RESULT)
            for _ in range(self.count):
                value = _result(file.readline(LONGEST_RESULT))
                yield "" if value is None else value["id"]

    def append(self, lines: Iterable[str]) -> None:
        """Add results.

        Args:
            lines: each the JSON of one, with its line end.

        Raises:
            RunFailed: they cannot be written, because the disk is full for instance: none of them is there then; or
                not forced to the disk.
        """
        texts = list(lines)
        self._write("".join(texts).encode())
        self.count += len(texts)
        if time.monotonic() - self._synced >= self._checkpoint:
            self.checkpoint()

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            self._cut()
            raise RunFailed(f"{self.path} cannot be written: {_reason(error)}") from None
        self._size += len(data)

    def checkpoint(self) -> None:
        """Force everything to the disk.

        Raises:
            RunFailed: the disk refuses.
        """
        try:
            os.fsync(self._file)
        except OSError as error:
            raise RunFailed(f"{self.path} cannot be written: {_reason(error)}") from None
        self._synced = time.monotonic()

    def close(self) -> None:
        """Close the file; another run may have it then."""
        self._cut()
        with suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)

    def _cut(self) -> None:
        """Cut off what an interrupted write has left."""
        with suppress(OSError):
            os.ftruncate(self._file, self._size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_results(path: str | Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Read the output of a run, finished or not.

    Args:
        path: the file.

    Returns:
        The parameters of the run, and its results, read as they are asked for; a torn last line is left out.

    Raises:
        InputError: the file cannot be read, or is no such output.
    """
    where = Where(str(path))
    try:
        with Path(path).open("rb") as file:
            parameters = _parameters(file.readline(LONGEST_RESULT))
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", where) from None
    if parameters is None:
        raise InputError("this is no output of a run", where)
    return parameters, _results(Path(path))


def _results(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        file.readline(LONGEST_RESULT)
        yield from takewhile(lambda value: value is not None, map(_result, _lines(file)))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield lines; one that is longer than a result can be comes in pieces, none of which is a result."""
    while line := file.readline(LONGEST_RESULT):
        yield line


def _header(parameters: Mapping[str, Any]) -> bytes:
    return json.dumps({"run": FORMAT, "parameters": parameters}, separators=(",", ":")).encode() + b"\n"


def _parameters(line: bytes) -> dict[str, Any] | None:
    header = _object(line)
    parameters = None if header is None or header.get("run") != FORMAT else header.get("parameters")
    return parameters if isinstance(parameters, dict) else None


def _check_header(line: bytes, header: bytes, where: Where) -> None:
    theirs, ours = _parameters(line), _parameters(header) or {}
    if theirs is None:
        raise InputError("this is no output of a run; choose another file", where)
    for key in sorted({*theirs, *ours}):
        if theirs.get(key) != ours.get(key):
            was, now = (short(json.dumps(table.get(key))) for table in (theirs, ours))
            what = f"this is the output of another run: {short(shown(key))} was {was} and is {now} now"
            what += "; choose another file"
            raise InputError(what, where)


def _result(line: bytes) -> dict[str, Any] | None:
    value = _object(line)
    return value if value is not None and isinstance(value.get("id"), str) else None


def _object(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return decode_record(decode_text(line))
    except InputError:
        return None


def _sync_folder(path: Path) -> None:
    """Force the entry of a new file to the disk, where folders can be opened."""
    with suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
