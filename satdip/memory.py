"""Tables of what has been found out before, of bounded size."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

__all__ = ["Shelf", "remember"]

K = TypeVar("K")
V = TypeVar("V")

MOST: Final = 1 << 16
"""Entries of a table, or of all tables of a shelf."""
MOST_TABLES: Final = 1 << 10
"""Tables of a shelf."""


def remember(table: dict[K, V], key: K, value: V, most: int = MOST) -> None:
    """Put an entry into a table; where it is full, it begins anew.

    Unlike `functools.lru_cache` a plain dict moves nothing about when something is found, which is most of the time.

    Args:
        table: the table.
        key: what is looked up.
        value: what is found.
        most: how many entries the table may have.
    """
    if len(table) >= most:
        table.clear()
    table[key] = value


class Shelf(Generic[K, V]):
    """Tables that together are of bounded size.

    Args:
        most: how many entries they may have, all in all; one more and all begin anew.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._entries = 0
        self._tables: dict[tuple[object, ...], dict[K, V]] = {}

    def table(self, *of: object) -> dict[K, V]:
        """Return the table of something, to be looked up in; what is found otherwise goes into it by `remember`."""
        table = self._tables.get(of)
        if table is None:
            table = {}
            remember(self._tables, of, table, MOST_TABLES)
        return table

    def remember(self, table: dict[K, V], key: K, value: V) -> None:
        """Put an entry into one of the tables."""
        if self._entries >= self._most:
            self._entries = 0
            for full in self._tables.values():
                full.clear()
        self._entries += 1
        table[key] = value
