"""Files that satdip writes: each appears whole or not at all, and several of them together."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message

__all__ = ["write_files"]

PATIENCE = 3.0  # seconds until a pipe from which nobody reads is given up


def write_files(texts: Iterable[tuple[str | Path, str]]) -> None:
    """Write files, in UTF-8, with the line ends of the texts.

    All are first written beside their places, and take these when every one is whole. What is no ordinary file, as a
    pipe or a device, is written to directly. A link stays one, and a file that was there keeps its permissions.

    Args:
        texts: the path of each file, and what is to stand in it.

    Raises:
        InputError: a file cannot be written, or two of them are the same.
    """
    wanted: dict[Path, tuple[str | Path, str]] = {}
    for path, text in texts:
        with _told(path):
            target = Path(os.path.realpath(path))
        if target in wanted:
            raise InputError(Message("two different things are to be written to this file"), Where(str(path)))
        wanted[target] = path, text
    with ExitStack() as partials:
        moves: list[tuple[str | Path, Path, Path]] = []
        for target, (path, text) in wanted.items():
            with _told(path):
                partial = _written(target, text.encode("utf-8", "backslashreplace"), partials)
            if partial is not None:
                moves.append((path, partial, target))
        for path, partial, target in moves:
            with _told(path):
                partial.replace(target)


@contextmanager
def _told(path: str | Path) -> Iterator[None]:
    """Turn what goes wrong with a file into one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:  # a ValueError where the name itself cannot be one
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(Message("the file cannot be written: {reason}", reason=reason), Where(str(path))) from None


def _written(target: Path, data: bytes, partials: ExitStack) -> Path | None:
    """Write data beside a file, and return where; None for what is no ordinary file and was written to directly.

    Raises:
        OSError: that cannot be done.
    """
    mode = target.stat().st_mode if target.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        with os.fdopen(_pipe(target), "wb") if stat.S_ISFIFO(mode) else target.open("wb") as file:
            file.write(data)
        return None
    if mode is not None:
        with target.open("ab"):  # replacing needs no right to write to the file itself, but it should
            pass
    partial = target.with_name(f".{token_hex(8)}.partial")
    partials.callback(partial.unlink, missing_ok=True)
    with partial.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if mode is not None:
        with suppress(OSError):  # it is for the owner to say
            partial.chmod(stat.S_IMODE(mode))
    return partial


def _pipe(target: Path) -> int:
    """Open a pipe from which somebody reads; the descriptor of the end to write to.

    Raises:
        OSError: nobody does.
    """
    over = time.monotonic() + PATIENCE
    while True:
        try:
            writer = os.open(target, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > over:
                raise OSError("it is a pipe from which nobody reads") from None
            time.sleep(PATIENCE / 100)
        else:
            os.set_blocking(writer, True)
            return writer
