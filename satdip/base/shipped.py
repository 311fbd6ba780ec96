"""Files that are shipped with the package, and their prepared forms.

TOML and the grammar are for people; reading them takes longer than most adjudications. Beside them
``satdip/data/prepared`` holds what they amount to, as JSON, each file with the checksum of the text that it was made
of. ``python -m tools prepared`` writes them again. Where a prepared form is missing, does not fit its text or cannot
be read, the text itself is read: the texts are the one source.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pkgutil import get_data  # importlib.resources is slow to import
from typing import Any
from zlib import crc32

__all__ = ["checksum", "from_toml", "prepared", "prepared_name", "read", "toml"]


_BELOW = re.compile(r"(?:\w[\w.-]*/)*\w[\w.-]*")
"""Paths that lead downward."""


def read(path: str) -> bytes:
    """Return the bytes of a shipped file.

    Args:
        path: below the package, with slashes: ``maps/standard.toml``.

    Raises:
        OSError: there is no such file.
    """
    if not _BELOW.fullmatch(path):  # the name of a map of one's own may be anything
        raise FileNotFoundError(path)
    data = get_data("satdip", path)
    if data is None:
        raise FileNotFoundError(path)
    return data


def checksum(text: bytes) -> int:
    """Return what tells a text from its other versions; line ends do not count."""
    return crc32(text.replace(b"\r\n", b"\n"))


def prepared_name(path: str) -> str:
    """Return where the prepared form of a shipped file is: ``data/prepared/standard.json``."""
    name = path.rpartition("/")[2].rpartition(".")[0]
    return f"data/prepared/{name}.json"


def prepared(path: str, build: Callable[[bytes], Any]) -> Any:
    """Return what a shipped text amounts to, from its prepared form or else by building it.

    Args:
        path: the text, as for `read`.
        build: makes plain values (as of JSON) of the text.

    Raises:
        OSError: there is no such text.
    """
    text = read(path)
    try:
        found = json.loads(read(prepared_name(path)))
        if found["checksum"] == checksum(text):
            return found["value"]
    except (OSError, ValueError, LookupError, TypeError):  # what is wrong with it does not matter: it is made again
        pass
    return build(text)


def toml(path: str) -> dict[str, Any]:
    """Return what a shipped TOML file holds.

    Args:
        path: the file, as for `read`.

    Raises:
        OSError: there is no such file.
    """
    value: dict[str, Any] = prepared(path, from_toml)
    return value


def from_toml(text: bytes) -> dict[str, Any]:
    """Return what a TOML text holds."""
    import tomllib  # loaded late: it is slow to import

    return tomllib.loads(text.decode("utf-8"))
