"""Small words for error sentences."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["either"]


def either(choices: Iterable[str]) -> str:
    """Return ``a``, ``a or b``, ``a, b or c``."""
    *most, last = dict.fromkeys(choices)
    return f"{', '.join(most)} or {last}" if most else last
