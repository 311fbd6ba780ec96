"""Makes the pictures beside it: ``python -m tools pictures``, from the root of the repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import satdip
from satdip.base.messages import english
from satdip.board.mapfile import load_board
from satdip.drawing import draw_core, draw_turn
from satdip.generate import FAMILIES, GENERATORS, sea_map
from satdip.lab import resolutions
from satdip.notation import read_turn
from satdip.rulebook import DATC

ROOT = Path(__file__).parents[1]
HERE = ROOT / "docs" / "pictures"
EXAMPLES = ROOT / "examples"


def pictures() -> Iterator[tuple[str, str]]:
    """Yield name -> SVG."""
    for name in ("paradox", "pandin"):
        turn = read_turn((EXAMPLES / f"{name}.txt").read_text(encoding="utf-8"))
        yield name, draw_turn(satdip.adjudicate(turn))
        found = resolutions(turn, DATC)
        core = found.cores[0]
        number = {node: at for at, node in enumerate(core.nodes)}
        arcs = [(number[one], number[other]) for one, other in core.arcs]
        many = english("{number:or no} consistent {number:resolution|resolutions}", number=core.count)
        title = f"What depends on what: {many}"
        yield f"{name}-core", draw_core([found.name(node) for node in core.nodes], arcs, title)
    board = load_board("standard")
    yield "coherent", draw_turn(satdip.adjudicate(GENERATORS["coherent"](board, Random(5))))
    for name, size in (("cycle", 3), ("cut-routes", 3)):
        turn = FAMILIES[name].make(size).turn
        places = sea_map(turn.position.board.name).places
        yield name, draw_turn(satdip.adjudicate(turn), places=places)


def write() -> None:
    """Write all pictures."""
    for name, svg in pictures():
        (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")
