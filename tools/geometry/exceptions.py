"""Where the picture of the standard map cannot say what the board says."""

from __future__ import annotations

__all__ = ["EXCEPTIONS"]

EXCEPTIONS: dict[frozenset[str], str] = {}
"""Pairs of provinces -> the reason: none is needed.

The straits of Denmark and the Straits of Constantinople would be exceptions, for fleets and armies pass through these
provinces where maps show water; that water is part of the province here ("strait"), so that Denmark touches Sweden, the
Baltic does not touch the Skagerrak, and the Aegean does not touch the Black Sea.
"""
