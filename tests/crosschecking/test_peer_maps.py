"""The hard families in the form of other packages, as the growth benchmark asks them (`benchmarks/peer_maps.py`)."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from satdip.generate import FAMILIES


@pytest.fixture
def peer_maps(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "benchmarks")
    monkeypatch.delitem(sys.modules, "peer_maps", raising=False)
    return pytest.importorskip("peer_maps")


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("package", ["satdip", "pydip"])
def test_small_sizes_are_answered_rightly(peer_maps: ModuleType, package: str, name: str) -> None:
    """A mistake in the translation would make a package answer wrongly from the beginning."""
    pytest.importorskip(package)
    family = FAMILIES[name]
    for size in (family.least, family.least + 1, 5):
        instance = family.make(size)
        found = peer_maps.PACKAGES[package](instance.turn)()()
        assert (found.moves, found.dislodged) == (instance.answer.moves, instance.answer.dislodged), size


def test_a_map_file_of_diplomacy(peer_maps: ModuleType) -> None:
    """A sea of a ring, and the two of its islands that the phase speaks of."""
    turn = FAMILIES["cut-chain"].make(1).turn
    text = peer_maps.map_text(turn, peer_maps.named_by(turn, 3))
    names = peer_maps.named_by(turn, 3)
    assert sorted(names) == ["A_0", "B_0", "S_0"]
    kinds = {line.split()[1]: line for line in text.splitlines() if " ABUTS " in line}
    sea, islands = names["S_0"], sorted((names["A_0"], names["B_0"]))
    assert kinds[sea] == f"WATER {sea} ABUTS {' '.join(islands)}"
    assert all(kinds[island] == f"COAST {island} ABUTS {sea}" for island in islands)


def test_orders_of_diplomacy(peer_maps: ModuleType) -> None:
    turn = FAMILIES["paradoxes"].make(1).turn
    names = peer_maps.named_by(turn, 3)
    places = {name: at for at, name in names.items()}
    texts = {
        " ".join(places.get(word, word) for word in peer_maps._text(given.order, names, turn).split())
        for given in turn.orders
    }
    at, goal, base, sea = "I_0_0", "I_0_1", "I_1_0", "S_0_0"
    assert {f"F {sea} C A {at} - {goal}", f"A {at} - {goal} VIA"} <= texts
    assert {f"F {base} - {sea}", f"F {goal} S F {base} - {sea}"} <= texts
