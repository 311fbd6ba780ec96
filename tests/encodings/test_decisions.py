"""Single equations of a movement phase, for all values of the decisions that they ask for."""

from __future__ import annotations

from itertools import product

from satdip.board import Board
from satdip.board.board import UnitKind
from satdip.encodings.movement import dislodged, equation
from satdip.encodings.reading import FALSE, TRUE, ThreeValued
from satdip.encodings.situation import Situation
from satdip.phase.orders import Hold, Move, UnitRef
from satdip.phase.position import Unit

ARMY = UnitKind.ARMY
PARIS, BURGUNDY, GASCONY = Unit("FRANCE", ARMY, "PAR"), Unit("GERMANY", ARMY, "BUR"), Unit("ITALY", ARMY, "GAS")


def test_a_unit_is_dislodged_when_it_stays_and_another_enters(board: Board) -> None:
    """Paris moves or fails to; two others attack it."""
    orders = [
        (PARIS, Move(UnitRef("PAR", ARMY), "PIC")),
        (BURGUNDY, Move(UnitRef("BUR", ARMY), "PAR")),
        (GASCONY, Move(UnitRef("GAS", ARMY), "PAR")),
    ]
    situation = Situation(board, [unit for unit, _ in orders], orders)
    for leaves, *enter in product((TRUE, FALSE), repeat=3):
        expected = TRUE if leaves == FALSE and TRUE in enter else FALSE
        assert dislodged(ThreeValued([leaves, *enter]), situation.pieces["PAR"]) == expected


def test_a_unit_that_holds_is_dislodged_when_another_enters(board: Board) -> None:
    orders = [(PARIS, Hold(UnitRef("PAR", ARMY))), (BURGUNDY, Move(UnitRef("BUR", ARMY), "PAR"))]
    situation = Situation(board, [PARIS, BURGUNDY], orders)
    for enters in (TRUE, FALSE):
        assert dislodged(ThreeValued([TRUE, enters]), situation.pieces["PAR"]) == enters


def test_a_hold_always_works(board: Board) -> None:
    situation = Situation(board, [PARIS], [(PARIS, Hold(UnitRef("PAR", ARMY)))])
    assert equation(ThreeValued([FALSE]), situation.nodes[0]) == TRUE
