"""The prepared forms of shipped files: python -m tools prepared writes them again (`satdip.base.shipped`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from satdip.base.shipped import checksum, from_toml, prepared_name
from satdip.board.mapfile import plain_board
from satdip.notation.grammar.lalr import GRAMMAR
from satdip.notation.grammar.tables import plain_tables

__all__ = ["SOURCES", "form", "write"]

PACKAGE = Path(__file__).resolve().parents[1] / "satdip"

SOURCES: dict[str, Callable[[bytes], Any]] = {
    GRAMMAR: plain_tables,
    "maps/standard.toml": plain_board,
    "maps/standard.fr.toml": from_toml,
    "notation/words/lexicon_en.toml": from_toml,
    "notation/words/lexicon_fr.toml": from_toml,
}
"""Shipped text -> what makes plain values of it."""


def form(path: str) -> str:
    """Return the prepared form of a shipped text, as it is to stand in its file."""
    text = (PACKAGE / path).read_bytes()
    whole = {"source": path, "checksum": checksum(text), "value": SOURCES[path](text)}
    return json.dumps(whole, separators=(",", ":")) + "\n"


def write() -> None:
    """Write all prepared forms."""
    for path in SOURCES:
        file = PACKAGE / prepared_name(path)
        file.parent.mkdir(exist_ok=True)
        file.write_text(form(path), encoding="utf-8")
