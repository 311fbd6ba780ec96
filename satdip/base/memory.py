"""Tables of what has been found out before, of bounded size."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import Any, Final, Generic, TypeVar

__all__ = ["Shelf", "forget", "kept", "remember"]

K = TypeVar("K")
V = TypeVar("V")

_KEPT: Final[list[_lru_cache_wrapper[Any]]] = []
"""The tables of what is kept about maps."""

MOST: Final = 1 << 16
"""Entries of a table, or of all tables of a shelf."""
MOST_TABLES: Final = 1 << 10
"""Tables of a shelf."""


def kept(most: int) -> Callable[[Callable[..., V]], _lru_cache_wrapper[V]]:
    """Return `functools.lru_cache` for what is found out about a map: a table that `forget` empties.

    Args:
        most: how many entries the table may have.
    """

    def keeping(function: Callable[..., V]) -> _lru_cache_wrapper[V]:
        table = lru_cache(maxsize=most)(function)
        _KEPT.append(table)
        return table

    return keeping


def forget() -> None:
    """Let go of all maps, and of what was found out about them: records can name ever new ones."""
    for table in _KEPT:
        table.cache_clear()


def remember(table: dict[K, V], key: K, value: V, most: int = MOST) -> None:
    """Put an entry into a table; a full table is emptied first.

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
        most: how many entries they may have, all in all; with one more all are emptied.
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
