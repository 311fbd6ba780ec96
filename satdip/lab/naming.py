"""Orders by name."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from satdip.board import Board
from satdip.notation import Notation, write_order
from satdip.phase.orders import Order, UnitRef

__all__ = ["order_name"]


def order_name(order: Any, board: Board, notation: Notation = Notation.PACKAGE, language: str = "en") -> str:
    """Return a checked order as people write it: its references name the powers, which are left out."""
    refs = {f.name: getattr(order, f.name) for f in fields(order)}
    plain = {name: replace(ref, power=None) for name, ref in refs.items() if isinstance(ref, UnitRef)}
    written: Order = replace(order, **plain)
    return write_order(written, notation, board, language)
