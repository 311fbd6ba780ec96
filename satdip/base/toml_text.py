"""The text of a TOML file, with its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from satdip.base.errors import Where

__all__ = ["TomlText"]


@dataclass(frozen=True)
class TomlText:
    """The text of a TOML file. The parser forgets its lines; they are found again here when something is wrong."""

    name: str
    text: str

    _HEADER = re.compile(r"\[+([^\[\]]+)\]+\s*(?:#.*)?$")
    _KEY = re.compile(r"""[\w\-."' ]+""")

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _entries(self) -> dict[tuple[str, ...], range]:
        """Path of an entry -> the lines from its own to the one before the next entry."""
        table: tuple[str, ...] = ()
        starts: list[tuple[tuple[str, ...], int]] = []
        for number, line in enumerate(self._lines, 1):
            key, equals, _ = line.partition("=")
            if header := self._HEADER.match(line.strip()):
                table = self._path(header[1])
                starts.append((table, number))
            elif equals and self._KEY.fullmatch(key.strip()):
                starts.append((table + self._path(key), number))
        starts.append(((), len(self._lines) + 1))
        return {path: range(start, end) for (path, start), (_, end) in pairwise(starts)}

    @staticmethod
    def _path(dotted: str) -> tuple[str, ...]:
        return tuple(part.strip(" \"'") for part in dotted.split("."))

    def where(self, path: tuple[str, ...], item: str | None = None) -> Where:
        """Return the line of an entry, or of a quoted item in it.

        An entry that is not there, or that is written within another, is looked for in the table that holds it.
        """
        while path and path not in self._entries:
            path = path[:-1]
        span = self._entries.get(path, range(1, 2))
        with_item = (n for n in span if f'"{item}"' in self._lines[n - 1] or f"'{item}'" in self._lines[n - 1])
        return Where(self.name, line=next(with_item, span.start))
