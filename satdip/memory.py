"""Tables of what has been found out before, of bounded size."""

from __future__ import annotations

from typing import Final, TypeVar

__all__ = ["remember"]

K = TypeVar("K")
V = TypeVar("V")

MOST: Final = 1 << 14
"""Entries of a table; one more and it begins anew."""


def remember(table: dict[K, V], key: K, value: V) -> None:
    """Put an entry into a table.

    Unlike `functools.lru_cache` a plain dict moves nothing about when something is found, which is most of the time.
    """
    if len(table) >= MOST:
        table.clear()
    table[key] = value
