"""Small words for error sentences."""

from __future__ import annotations

from collections.abc import Iterable

from satdip.base.messages import Message, joined
from satdip.base.printable import short

__all__ = ["did_you_mean", "either", "quoted", "short"]


def either(choices: Iterable[str]) -> str:
    """Return ``a``, ``a or b``, ``a, b or c``."""
    *most, last = dict.fromkeys(choices)
    return Message("{most} or {last}", most=joined(most), last=last) if most else last


def did_you_mean(choices: str) -> str:
    """Return " (did you mean ...?)"."""
    return Message(" (did you mean {names}?)", names=choices)


def quoted(text: str) -> str:
    """Return a text, or its beginning when it is long, in quotes and on one line."""
    return Message("{text!r}", text=short(text))
