"""How cost grows with the size of what comes in, through every field that can be long: counted in steps of Python.

A field that is refused when it is long is told so in a sentence; then that is what must not take longer than it does.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import satdip
import satdip.solving.closure
from satdip.base.errors import InputError
from satdip.board.mapfile import problems
from satdip.board.seamaps import named
from satdip.lab import certify
from satdip.notation import read_record
from satdip.rulebook import DATC, rulebook_named
from satdip.verifier import verify

SMALL, LARGE = 64, 256  # squares, for maps
STEEPEST = 1.35
"""The largest exponent of the number of steps over the size."""

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    not str(satdip.solving.closure.__file__).endswith(".py"), reason="compiled modules tell nobody what they do"
)

Run = Callable[[], object]

UNITS = {"FRANCE": ["A PAR", "A MAR", "F BRE"], "ITALY": ["A ROM"]}
CENTRES = {"FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"]}
WINTER = {"phase": "W1901A", "units": {"ITALY": ["A ROM"]}, "centers": CENTRES}
RETREATS = {
    "phase": "S1901R",
    "units": {"GERMANY": ["A BUR", "A MUN"]},
    "dislodged": {"FRANCE": ["A BUR"]},
    "retreats": {"A BUR": ["PAR", "GAS"]},
}


def adjudicates(what: str | dict[str, Any], rules: str = "datc") -> Run:
    return lambda: satdip.adjudicate(what, rules=rulebook_named(rules))


def orders(*texts: str, field: str = "orders", **others: Any) -> Callable[[int], dict[str, Any]]:
    """Return a record with many orders of France."""
    base: dict[str, Any] = {"units": UNITS} | others
    return lambda size: base | {field: {"FRANCE": [*texts] * (size // len(texts))}}


def sets(number: int, each: int, *texts: str, dated: bool = False, **others: Any) -> dict[str, Any]:
    """Return a record with many order sets of France."""
    base: dict[str, Any] = {"units": UNITS} | others
    names = [f"{1000 + n}-01-01" if dated else n for n in range(1, number + 1)]
    return base | {"order_sets": {"FRANCE": [{"set": name, "orders": [*texts] * each} for name in names]}}


def sheet(line: str, head: str = "units: France A Paris; Italy A Rome\nFrance:\n") -> Callable[[int], str]:
    """Return a sheet with many lines; a number in them is that of the line."""
    return lambda size: head + "".join(line.format(number) + "\n" for number in range(1, size + 1))


def fleets(size: int, phase: str, **others: Any) -> dict[str, Any]:
    """Return a record of a sea map full of fleets."""
    board = named(f"hex-{math.isqrt(size)}x{math.isqrt(size)}").board
    seas = [f"F {at}" for at in board.provinces if board.is_sea(at)]
    islands = [at for at in board.provinces if not board.is_sea(at)]
    return {"map": board.name, "phase": phase, "units": {"RED": seas}, "centers": {"RED": islands[:3]}} | others


def all_removed(size: int) -> dict[str, Any]:
    record = fleets(size, "W1901A")
    return record | {"orders": {"RED": [f"{unit} D" for unit in record["units"]["RED"]]}}


def all_dislodged(size: int) -> dict[str, Any]:
    record = fleets(size, "S1901R")
    units = record["units"]["RED"]
    goal = {unit: min(named(record["map"]).board.fleet[unit[2:]]) for unit in units}
    return record | {
        "units": {},
        "dislodged": {"RED": units},
        "retreats": {unit: [at] for unit, at in goal.items()},
        "orders": {"RED": [f"{unit} R {at}" for unit, at in goal.items()]},
    }


def certificate(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(certify(read_record(record), DATC).to_json()))
    return found


def verifies(record: dict[str, Any], order: str) -> Callable[[int], Run]:
    """Return the check of a certificate that has other orders, many of them."""
    made = certificate(record)
    return lambda size: lambda: verify(made | {"orders": {"FRANCE": [order] * size}})


DOORS: dict[str, Callable[[int], Run]] = {
    "an order again and again": lambda n: adjudicates(orders("A PAR - BUR")(n)),
    "different orders to a unit": lambda n: adjudicates(orders("A PAR - BUR", "A PAR - PIC", "A PAR - GAS")(n)),
    "of which none counts": lambda n: adjudicates(orders("A PAR - BUR", "A PAR - PIC")(n), "datc+4.D.3=none"),
    "supports that imply orders": lambda n: adjudicates(
        orders("A MAR S A PAR - BUR", "F BRE S A PAR - PIC")(n), "datc+4.E.3=allowed"
    ),
    "perpetual orders": lambda n: adjudicates(
        orders("A PAR - BUR", "A PAR - PIC", field="perpetual")(n), "datc+4.E.4=allowed"
    ),
    "orders by proxy": lambda n: adjudicates(
        orders("ITALY A ROM - VEN", proxies={"ITALY": {"A ROM": "FRANCE"}})(n), "datc+4.E.5=notified"
    ),
    "builds": lambda n: adjudicates(orders("A PAR B", "F BRE B", "F MAR B", **WINTER)(n)),
    "builds of which the last counts": lambda n: adjudicates(
        orders("A PAR B", "F BRE B", **WINTER)(n), "datc+4.D.5=last"
    ),
    "builds of which none counts": lambda n: adjudicates(orders("A PAR B", "F BRE B", **WINTER)(n), "datc+4.D.5=none"),
    "waived builds": lambda n: adjudicates(orders("WAIVE", **WINTER)(n)),
    "removals": lambda n: adjudicates(orders("A PAR D", "A MAR D", phase="W1901A", centers={"FRANCE": ["PAR"]})(n)),
    "retreats": lambda n: adjudicates(orders("A BUR R PAR", "A BUR R GAS", "A BUR D", **RETREATS)(n)),
    "sets of unknown sequence": lambda n: adjudicates(
        {"units": UNITS, "order_sets": {"FRANCE": [{"set": "?", "orders": ["A PAR - BUR"]}] * n}}
    ),
    "dated sets": lambda n: adjudicates(sets(n, 1, "A PAR - BUR", dated=True)),
    "a fleet in every sea, all removed": lambda n: adjudicates(all_removed(n)),
    "a fleet in every sea, civil disorder": lambda n: adjudicates(fleets(n, "W1901A")),
    "a fleet in every sea, all dislodged": lambda n: adjudicates(all_dislodged(n)),
    "lines of a sheet": lambda n: adjudicates(sheet("  A Paris - Burgundy")(n)),
    "misspelt lines": lambda n: adjudicates(sheet("  A Pariss - Burgundy # {}")(n)),
    "powers of a sheet": lambda n: adjudicates(sheet("France: A Paris H\nItaly: A Rome H", "")(n)),
    "sets of a sheet": lambda n: adjudicates(sheet("France (set {}):\n  A Paris - Burgundy", "")(n)),
    "comments": lambda n: adjudicates(sheet("  # {}")(n)),
    "headers": lambda n: adjudicates(sheet("centres: France Paris", "")(n)),
    "dislodged units": lambda n: adjudicates(sheet("dislodged: France A Burgundy from Munich", "phase: S1901R\n")(n)),
    "an order of many words": lambda n: adjudicates(f"France: A Paris {'- Bur ' * n}\n"),
    "a power of many words": lambda n: adjudicates(f"{'France ' * n}: A Paris H\n"),
    "a certificate of many waived builds": verifies(orders("WAIVE", **WINTER)(1), "WAIVE"),
    "a certificate of many builds": verifies(orders("A PAR B", **WINTER)(1), "A PAR B"),
    "a certificate of many moves": verifies(orders("A PAR - BUR")(1), "A PAR - BUR"),
    "certifying builds": lambda n: lambda: certify(read_record(orders("A PAR B", **WINTER)(n)), DATC),
}
DOORS |= {
    f"{kind} of sets, {choice}": lambda n, make=make, choice=choice: adjudicates(make(n), f"datc+4.D.1={choice}")
    for choice in ("combined", "combined-unless-replaced", "latest", "first", "latest-unless-partial")
    for kind, make in {
        "movement": lambda n: sets(n, 1, "A PAR - BUR"),
        "large": lambda n: sets(2, n, "A PAR - BUR", "A PAR - PIC"),
        "winter": lambda n: sets(n, 1, "WAIVE", "A PAR B", **WINTER),
    }.items()
}


def steps(run: Run) -> int:
    """Run something, and count the instructions of Python."""
    counted = 0

    def notice(frame: FrameType, event: str, _: object) -> Any:
        nonlocal counted
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        counted += event == "opcode"
        return notice

    before = sys.gettrace()
    sys.settrace(notice)
    try:
        run()
    except InputError:
        pass
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize("door", DOORS)
def test_steps_grow_nearly_as_the_input_does(door: str) -> None:
    steps(DOORS[door](SMALL))  # loads what is loaded late
    taken = steps(DOORS[door](LARGE)) / steps(DOORS[door](SMALL))
    assert math.log(taken) / math.log(LARGE / SMALL) < STEEPEST


def test_steps_of_a_map_grow_nearly_as_its_mistakes_do(tmp_path: Path) -> None:
    text = (ROOT / "maps" / "standard.toml").read_text(encoding="utf-8")

    def checks(size: int) -> Run:
        path = tmp_path / f"{size}.toml"
        path.write_text("".join(f"k{n} = 1\n" for n in range(size)) + text, encoding="utf-8")
        return lambda: problems(str(path))

    least = steps(checks(1))
    taken = (steps(checks(LARGE)) - least) / (steps(checks(SMALL)) - least)
    assert math.log(taken) / math.log(LARGE / SMALL) < STEEPEST
