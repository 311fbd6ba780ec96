"""The table of convoy paradoxes under each rule, and their orders as turns."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from satdip.board.mapfile import load_board
from satdip.datc import cases
from satdip.datc.compare import table_unit
from satdip.notation import read_order
from satdip.phase.position import Phase, Position
from satdip.phase.turn import Given, Turn

__all__ = ["CASES", "CELLS", "SPECIFIED", "TABLE", "turn_of"]

TABLE = tomllib.loads((Path(__file__).parents[1] / "data" / "paradox_table.toml").read_text(encoding="utf-8"))


CASES = {case.id: case for case in cases()}


CELLS: dict[tuple[str, str], dict[str, Any]] = {(c["case"], rules): c for c in TABLE["cell"] for rules in c["rules"]}
"""(case, column) -> the cell."""


SPECIFIED = [f"6.F.{number}" for number in (14, *range(16, 25))], list(TABLE["rules"])[:7]
"""The ten paradoxes and seven rules of which every cell must be there."""


@cache
def turn_of(case_id: str) -> Turn:
    """The orders of a case."""
    board, facts = load_board("standard"), CASES[case_id].facts
    (phase,) = facts["phases"]
    units = tuple(table_unit(power, text) for power, texts in facts["units"].items() for text in texts)
    orders = tuple(Given(o["power"].upper(), read_order(o["order"], board).order) for o in phase["orders"])
    return Turn(Position(board, Phase.parse("S1901M"), units), orders)
