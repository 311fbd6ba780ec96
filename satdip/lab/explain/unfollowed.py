"""Which orders decide that another one is not followed."""

from __future__ import annotations

from collections.abc import Sequence

from satdip.check.result import Checked

__all__ = ["deciding"]

OF_ORDER_SETS = frozenset(
    {
        "sets-contradict",
        "sets-unordered",
        "set-overtaken",
        "set-passed-over",
        "set-replaced",
        "perpetual-superseded",
        "proxy-not-notified",
        "proxy-set-passed-over",
        "implicit-contradictory",
    }
)
"""Reasons that rest on what was handed in beside the order, as a whole."""


def deciding(entry: Checked, entries: Sequence[Checked]) -> tuple[tuple[Checked, ...], bool]:
    """Return the orders that make an order one that is not followed, and whether certainly none can be left out.

    Args:
        entry: the order.
        entries: all orders of the phase after the check.
    """
    code = entry.reason.code if entry.reason is not None else ""
    if code == "second-order":
        rivals = [e for e in entries if e is not entry and e.unit == entry.unit and e.given is not None]
        rival = next((e for e in rivals if e.action is not None or e.reason == entry.reason), None)
        return ((entry,) if rival is None else (entry, rival)), rival is not None
    return (entry,), code not in OF_ORDER_SETS and not entry.basis
