"""Files packed by gzip, read as far as they hold no more than such a file may."""

from __future__ import annotations

import gzip
import io
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["MOST_TIMES", "unpack"]

MOST_TIMES = 100  # bytes for each one that is packed; recorded games are packed to a fifteenth
ALWAYS = 1 << 20  # bytes that a file may unpack to, however small it is


def unpack(file: IO[bytes]) -> io.BufferedReader:
    """Return a reader of what a packed file holds.

    A megabyte of blank lines is packed into a thousand bytes, and they would be read for as long as a million records
    are. So reading ends with an `OSError` where a file unpacks to more than a hundred times its size.

    Args:
        file: the packed file, open at its beginning.
    """
    return io.BufferedReader(_Unpacked(file), io.DEFAULT_BUFFER_SIZE * 8)


class _Counted(io.RawIOBase):
    """A file, and how much of it has been read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.count += len(data)
        return data


class _Unpacked(io.RawIOBase):
    def __init__(self, file: IO[bytes]) -> None:
        self._packed = _Counted(file)
        self._contents = gzip.GzipFile(fileobj=self._packed, mode="rb")
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        size = self._contents.readinto(buffer)
        self._count += size
        if self._count > max(ALWAYS, MOST_TIMES * self._packed.count):
            raise OSError(f"it unpacks to more than {MOST_TIMES} times its size")
        return size
