"""What stands beneath a picture: its powers, its signs, and the orders that have no sign."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdip.board import UnitKind
from satdip.drawing import lines
from satdip.drawing.paint import add, area, burst, cross, group, head, path, stroke, text, text_width, unit_shape, waves

if TYPE_CHECKING:
    from drawsvg import DrawingElement, Group

__all__ = ["Legend", "legend_below"]

SIZE = 12
ROW = 30
SAMPLE = 46
"""Width of a sign."""
GREY = "#7f8389"


@dataclass(frozen=True)
class Legend:
    """What stands beneath a picture.

    Args:
        element: the drawing of it.
        bottom: where it ends.
    """

    element: Group
    bottom: float


@dataclass(frozen=True)
class _Item:
    """A sign with its words; it is painted with its left middle at a point."""

    paint: Callable[[complex], Sequence[DrawingElement]]
    sign_width: float
    words: str

    @property
    def width(self) -> float:
        return self.sign_width + 8 + text_width(self.words, SIZE) + 18


def legend_below(
    corner: complex,
    right: float,
    powers: Mapping[str, tuple[str, str]],
    signs: Collection[str],
    undrawn: Sequence[str],
) -> Legend:
    """Explain a picture.

    Args:
        corner: where it begins, at the left.
        right: where lines end.
        powers: label of a power -> its name and its colour.
        signs: the signs in the picture.
        undrawn: the words of orders that have no sign.
    """
    made, at = group("legend"), corner + ROW / 2 * 1j
    items = [*_powers(powers), *(item for key, item in _SIGNS.items() if key in signs)]
    for item in items:
        if at.real > corner.real and at.real + item.width > right:
            at = complex(corner.real, at.imag + ROW)
        add(made, item.paint(at), text(item.words, at + item.sign_width + 8, SIZE, anchor="start"))
        at += item.width
    for words in undrawn:
        at = complex(corner.real, at.imag + 20)
        add(made, text(f"Not drawn: {words}", at, SIZE, anchor="start"))
    return Legend(made, at.imag + ROW / 2 + 4)


def _powers(powers: Mapping[str, tuple[str, str]]) -> Iterator[_Item]:
    for label, (name, colour) in powers.items():

        def paint(at: complex, colour: str = colour, label: str = label) -> Sequence[DrawingElement]:
            return unit_shape(UnitKind.ARMY, at + 15, colour, label)

        yield _Item(paint, 30, name)


# ---------------------------------------------------------------------- signs


def _arrow(*, broken: bool = False, faint: bool = False) -> Callable[[complex], Sequence[DrawingElement]]:
    def paint(at: complex) -> Sequence[DrawingElement]:
        line, opacity = (at, at + SAMPLE), 0.55 if faint else 1
        shaft = stroke(lines.clipped(line, 0, 9), GREY, 2.5 if faint else 4, "11 7" if broken else None, opacity)
        failed = cross(at + 22) if broken and not faint else []
        return [*shaft, head(line, GREY, hollow=broken, opacity=opacity), *failed]

    return paint


def _support(*, cut: bool = False) -> Callable[[complex], Sequence[DrawingElement]]:
    return lambda at: [*stroke((at, at + SAMPLE), GREY, 2.5, "6 4"), *(cross(at + SAMPLE / 2, 6) if cut else [])]


def _convoyed(at: complex) -> Sequence[DrawingElement]:
    line = (at, at + SAMPLE)
    return [*stroke(lines.wavy(line), GREY, 3), head(line, GREY)]


def _convoy(*, disrupted: bool = False) -> Callable[[complex], Sequence[DrawingElement]]:
    return lambda at: [*waves(at + 12), *(cross(at + 12, 6) if disrupted else [])]


def _dislodged(*, destroyed: bool = False) -> Callable[[complex], Sequence[DrawingElement]]:
    def paint(at: complex) -> Sequence[DrawingElement]:
        shape = area(burst(at + 13, 0.42), class_="satdip-cross")
        return [shape, *(cross(at + 21 - 8j, 4) if destroyed else [])]

    return paint


def _built(at: complex) -> Sequence[DrawingElement]:
    return [path((at + 9 - half, at + 9 + half), class_="satdip-ink-line", stroke_width=4) for half in (8, 8j)]


_SIGNS: Mapping[str, _Item] = {
    "moves": _Item(_arrow(), SAMPLE, "moves"),
    "fails": _Item(_arrow(broken=True), SAMPLE, "fails"),
    "convoyed": _Item(_convoyed, SAMPLE, "by convoy"),
    "support": _Item(_support(), SAMPLE, "supports"),
    "cut": _Item(_support(cut=True), SAMPLE, "cut"),
    "convoy": _Item(_convoy(), 24, "convoys"),
    "disrupted": _Item(_convoy(disrupted=True), 24, "disrupted"),
    "ignored": _Item(_arrow(broken=True, faint=True), SAMPLE, "illegal or unmatched"),
    "dislodged": _Item(_dislodged(), 26, "dislodged"),
    "destroyed": _Item(_dislodged(destroyed=True), 26, "destroyed"),
    "removed": _Item(_dislodged(destroyed=True), 26, "dislodged, and removed in civil disorder"),
    "disbanded": _Item(lambda at: cross(at + 9), 18, "disbanded"),
    "built": _Item(_built, 18, "built"),
}
