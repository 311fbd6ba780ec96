"""Tables of what has been found out before, of bounded size."""

from __future__ import annotations

from typing import Final, TypeVar

__all__ = ["remember"]

K = TypeVar("K")
V = TypeVar("V")

MOST: Final = 1 << 17
"""Entries of a table, unless it is said otherwise."""


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
