"""Pictures: a phase with its orders as arrows, and the knot of orders that depend on each other. SVG, drawn by drawsvg.

A full map is not drawn: only the provinces that take part, neighbours joined by thin lines, in rough geography.
"""

from satdip.drawing.core import draw_core
from satdip.drawing.turn import draw_turn

__all__ = ["draw_core", "draw_turn"]
