"""What other programs call powers, provinces and turns: small tables of facts, each with its source."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["table"]


@cache
def table(name: str) -> dict[str, Any]:
    """Return one of the tables ``satdip/data/NAME.toml``."""
    return tomllib.loads((files("satdip") / "data" / f"{name}.toml").read_text(encoding="utf-8"))
