"""A knot of orders that depend on each other, as a graph: the core of a convoy paradox."""

from __future__ import annotations

from cmath import exp, pi
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from satdip.base.errors import InputError
from satdip.drawing import lines
from satdip.drawing.lines import Line
from satdip.drawing.paint import add, canvas, group, head, stroke, text, text_width

if TYPE_CHECKING:
    from drawsvg import Group

__all__ = ["MOST_ORDERS", "draw_core"]

MOST_ORDERS = 100
"""Orders in one picture."""
SIZE = 13
HEIGHT = 34
ROOM = 34
"""Between boxes."""
MARGIN = 30
COLOUR = "#7f8389"


def draw_core(labels: Sequence[str], arcs: Iterable[tuple[int, int]], title: str = "") -> str:
    """Draw orders that depend on each other.

    The orders stand on a ring, in the order in which a walk along the arcs finds them, so that a plain cycle is drawn
    as one.

    Args:
        labels: the orders in words.
        arcs: (order, order that its outcome depends on), by their numbers in `labels`.
        title: one line about it.

    Returns:
        An SVG document, the same one for the same arguments.

    Raises:
        InputError: there are too many orders; drawsvg is not installed.
    """
    if len(labels) > MOST_ORDERS:
        raise InputError(f"a picture shows at most {MOST_ORDERS} orders, not {len(labels)}")
    known = sorted(set(arcs))
    boxes = _ring(_walk(len(labels), known), labels)
    low, high = _frame(boxes.values(), title)
    words = [f"{labels[one]} depends on {labels[other]}" for one, other in known]
    drawing = canvas(low, high, title or "Orders that depend on each other", "; ".join(words))
    arrows, orders = group("dependencies"), group("orders")
    for (one, other), told in zip(known, words, strict=True):
        arrow = group("depends", told)
        if one != other:
            line = _between(boxes[one], boxes[other], 0.12 if (other, one) in known else 0)
            add(arrow, stroke(lines.clipped(line, 0, 8), COLOUR, 2.5), head(line, COLOUR, 11))
        add(arrows, arrow)
    for number, label in enumerate(labels):
        add(orders, _painted(boxes[number], label))
    add(drawing, arrows, orders)
    if title:
        add(drawing, text(title, low + 14 + 18j, 14, anchor="start", bold=True))
    svg: str = drawing.as_svg(header="")
    return svg


@dataclass(frozen=True)
class _Box:
    """The place of an order: its middle, and half its width and height."""

    middle: complex
    half: complex

    def touches(self, other: _Box) -> bool:
        """Return whether two boxes are too near to each other."""
        gap, room = self.middle - other.middle, self.half + other.half
        return abs(gap.real) < room.real + ROOM and abs(gap.imag) < room.imag + ROOM


def _walk(number: int, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """Return the nodes in the order in which a depth-first walk along the arcs finds them."""
    after: dict[int, list[int]] = {node: [] for node in range(number)}
    for one, other in arcs:
        after[one].append(other)
    found: dict[int, None] = {}
    stack = list(reversed(range(number)))
    while stack:
        node = stack.pop()
        if node not in found:
            found[node] = None
            stack += reversed(after[node])
    return list(found)


def _ring(order: Sequence[int], labels: Sequence[str]) -> dict[int, _Box]:
    """Return a box for each order, on an ellipse that is just large enough."""
    halves = [complex(text_width(label, SIZE) / 2 + 14, HEIGHT / 2) for label in labels]
    radius = 60.0
    while True:
        turns = [exp(1j * (2 * pi * at / len(order) - pi / 2)) for at in range(len(order))]
        spots = [complex(1.7 * radius * turn.real, radius * turn.imag) for turn in turns]
        boxes = {node: _Box(spot, halves[node]) for node, spot in zip(order, spots, strict=True)}
        if not any(one.touches(other) for one, other in combinations(boxes.values(), 2)):
            return boxes
        radius *= 1.1


def _frame(boxes: Iterable[_Box], title: str) -> tuple[complex, complex]:
    """Return the corners of the picture."""
    corners = [corner for box in boxes for corner in (box.middle - box.half, box.middle + box.half)] or [0j]
    top = 24 if title else 0
    low = complex(min(c.real for c in corners), min(c.imag for c in corners) - top) - MARGIN * (1 + 1j)
    high = complex(max(c.real for c in corners), max(c.imag for c in corners)) + MARGIN * (1 + 1j)
    return low, complex(max(high.real, low.real + text_width(title, 14) + 40), high.imag)


def _between(one: _Box, other: _Box, bulge: float) -> Line:
    """Return the line from the edge of a box to that of another."""
    back = lines.clipped_to_box(lines.reversed_way(lines.bow(one.middle, other.middle, bulge)), one.half)
    line = (*lines.reversed_way(back), other.middle)
    return lines.clipped_to_box(line, other.half + 3 + 3j)


def _painted(box: _Box, label: str) -> Group:
    import drawsvg

    made, corner, size = group("order", label), box.middle - box.half, 2 * box.half
    frame = {"width": round(size.real, 1), "height": round(size.imag, 1), "rx": 8}
    add(made, drawsvg.Rectangle(round(corner.real, 1), round(corner.imag, 1), **frame, class_="satdip-sea"))
    add(
        made,
        drawsvg.Rectangle(round(corner.real, 1), round(corner.imag, 1), **frame, class_="satdip-rim-line", fill="none"),
    )
    add(made, text(label, box.middle, SIZE, bold=True))
    return made
