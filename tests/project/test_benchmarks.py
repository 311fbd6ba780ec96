"""What the scripts in ``benchmarks/`` say about their numbers; the numbers themselves are nobody's promise."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest

from satdip.crosschecking.engines import engine_named

Load = Callable[[str], ModuleType]
NAMES = ("compare", "peers", "pages", "phases", "table")


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Import a script; what the tests after this one import is not its."""
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "benchmarks")
    for name in NAMES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    return import_module


# ---------------------------------------------------------------------- the README


def test_a_table_goes_between_its_own_markers(load: Load) -> None:
    text = "a\n<!-- one -->\nold\n<!-- end of one -->\nb\n<!-- two -->\nold\n<!-- end of two -->\nc\n"
    new = text.replace("<!-- two -->\nold", "<!-- two -->\nnew \\1")
    assert load("pages").put(text, "two", "new \\1") == new


def test_a_page_without_markers_is_left_alone(load: Load) -> None:
    with pytest.raises(ValueError, match="0 times"):
        load("pages").put("nothing", "one", "new")


def test_there_is_a_place_for_every_table(load: Load) -> None:
    pages = load("pages")
    editions = [f"{table}, {edition}" for table in ("compare", "steps") for edition in ("Python", "compiled")]
    for page, marks in ((pages.README, [*editions, "startup", "explanations"]), (pages.GROWTH, ["growth", "peers"])):
        text = page.read_text(encoding="utf-8")
        for mark in marks:
            assert f"<!-- {mark} -->\nnew\n<!-- end of {mark} -->" in pages.put(text, mark, "new")


# ---------------------------------------------------------------------- tables


def record(row: str, kind: str, seconds: float, phases: int) -> dict[str, object]:
    return {"stats": {"min": seconds}, "extra_info": {"row": row, "kind": kind, "phases": phases}}


def test_steps_are_told_by_phase_and_beside_adjudicating(load: Load) -> None:
    """10 phases in 1 ms are 100 microseconds each; one in 2 ms is 20 times that, and 500 a second."""
    table = load("table")
    runs = [
        record("solve", "dense", 0.00005, 10),
        record("adjudicate", "dense", 0.001, 10),
        record("other, whole path", "dense", 0.002, 1),
        record("adjudicate", "games", 0.004, 10),
    ]
    lines = table.table(table.cells(runs)).splitlines()
    assert lines[0] == "| microseconds a phase | dense | games |"
    assert lines[2:] == [
        "| solve | 5.0, 0.05x |  |",
        "| adjudicate | 100, 1.0x | 400, 1.0x |",
        "| other, whole path | 2000, 20.0x, 500/s |  |",
    ]


def test_ratios_are_of_the_same_column(load: Load) -> None:
    pytest.importorskip("pydip")
    compare = load("compare")
    best = dict.fromkeys(compare.OWN, 100.0)
    for peer in compare.PEERS:
        best |= {compare.called(peer): 2000.0, compare.whole(peer): 3000.0}
    once = {name: cost for name, cost in best.items() if name != compare.LINK} | {compare.ADJUDICATE: 200.0}
    rows = {line.split(" | ")[0]: line for line in compare.table({"dense": (best, once)}).splitlines()}
    assert rows["| link"] == "| link | 100 |  |"
    assert rows["| diplomacy, `process()` : adjudicate"].endswith("| **20.0x** | **10.0x** |")
    assert rows["| diplomacy, whole path : record to record"].endswith("| **30.0x** | **30.0x** |")


# ---------------------------------------------------------------------- phases


def test_a_stream_has_not_been_seen_before(load: Load, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    phases = load("phases")
    monkeypatch.setattr(phases, "GAMES", ("dipcc", "backstabbr"))
    monkeypatch.setattr(phases, "WARM_UP", 150)
    for kind in phases.KINDS.values():
        stream = kind.stream(100)
        assert len(stream.before) == 150
        assert len(stream.measured) == 100
        before = {json.dumps(told["orders"]) for told in stream.before}
        assert before.isdisjoint(json.dumps(told["orders"]) for told in stream.measured)
    games = phases.game_stream(100)
    assert {told["game"] for told in games.before}.isdisjoint(told["game"] for told in games.measured)


# ---------------------------------------------------------------------- other programs


def test_pydip_is_given_what_the_engine_gives_it(load: Load) -> None:
    """Units and commands are made anew from what was taken down: nothing may be lost on the way."""
    resolve = pytest.importorskip("pydip.turn.resolve")
    pydip = next(peer for peer in load("peers").PEERS if peer.name == "pydip")
    engine = engine_named("pydip", isolated=False)
    for phase in load("phases").dense_phases(30):
        with patch.object(resolve, "resolve_turn", wraps=resolve.resolve_turn) as asked:
            engine.adjudicate(phase)
        expected = resolve.resolve_turn(*asked.call_args.args)
        assert pydip.whole(pydip.translated(phase)) == expected
