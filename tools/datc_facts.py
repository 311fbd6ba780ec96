"""The facts of a DATC case (orders and outcomes, no prose) out of the corpus beside the project.

``python -m tools datc-facts CASES`` rewrites the project's own table; a test keeps the two equal.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent.parent / "satdip" / "data" / "datc-3.2.json"
FLAGS = ("dislodged", "destroyed", "disbanded")
Case = dict[str, Any]


def facts(case: Case) -> Case:
    """Return what the project's table says of a case."""
    units: dict[str, list[str]] = {}
    for unit in case["units"]:
        units.setdefault(unit["power"], []).append(f"{unit['type']} {unit['at']}")
    found: Case = {"id": case["id"], "units": units}
    if "supply_centers" in case:
        found["centres"] = case["supply_centers"]
    found["phases"] = [_phase(phase) for phase in case.get("phases", [case])]
    if case.get("alternatives"):
        found["alternatives"] = [_alternative(alternative, case) for alternative in case["alternatives"]]
    if case.get("same_outcome_choices"):
        found["same_outcome"] = case["same_outcome_choices"]
    return found


def _phase(phase: Case) -> Case:
    orders = [
        {"power": order["power"], "order": order["text"], "unit": expected["unit"], "expect": _expect(expected)}
        | ({"printed": expected["printed"]} if "erratum" in expected else {})
        for order, expected in zip(phase["orders"], phase["expected"], strict=True)
    ]
    found: Case = {"phase": phase["phase"], "orders": orders}
    if phase.get("automatic_disbands"):
        found["automatic"] = [[unit["power"], unit["unit"]] for unit in phase["automatic_disbands"]]
    if phase.get("retreat_provinces"):
        found["retreats"] = [[r["power"], r["unit"], r["open"], r["closed"]] for r in phase["retreat_provinces"]]
    return found


def _expect(expected: Case) -> list[str]:
    return [expected["outcome"], *(flag for flag in FLAGS if expected.get(flag))]


def _alternative(alternative: Case, case: Case) -> Case:
    found: Case = {"choice": alternative["choice"], "phase": alternative.get("phase", case.get("phase", "movement"))}
    if alternative["expected"] is None:
        return found | {"expect": None, "because": alternative["null_reason"]}
    found["expect"] = [_expect(expected) for expected in alternative["expected"]]
    if "automatic_disbands" in alternative:
        found["automatic"] = [[unit["power"], unit["unit"]] for unit in alternative["automatic_disbands"]]
    return found


def write(corpus: Path) -> None:
    """Write the table: one case a line."""
    cases = json.loads(corpus.read_text(encoding="utf-8"))
    lines = ",\n".join("  " + json.dumps(facts(case), ensure_ascii=False) for case in cases)
    source = "Diplomacy Adjudicator Test Cases by Lucas B. Kruijswijk, version 3.2, chapter 6: orders and outcomes"
    head = f'"version": "3.2",\n "source": {json.dumps(source)}'
    TABLE.write_text(f'{{{head},\n "cases": [\n{lines}\n ]}}\n', encoding="utf-8")
