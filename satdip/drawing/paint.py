"""Paint: colours, shapes and safe text. Everything that knows drawsvg passes through here.

drawsvg escapes what stands between tags but not attributes: no text from a file is ever put into an attribute here.
"""

from __future__ import annotations

import re
from cmath import exp, pi
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from satdip.base.errors import InputError
from satdip.board import Terrain, UnitKind
from satdip.drawing.lines import bow, direction, wavy

if TYPE_CHECKING:
    from drawsvg import Drawing, DrawingElement, Group

__all__ = [
    "COLOURS",
    "CSS",
    "DARK",
    "FONT",
    "LIGHT",
    "add",
    "area",
    "burst",
    "canvas",
    "clean",
    "cross",
    "disc",
    "dot",
    "group",
    "head",
    "ink_on",
    "path",
    "power_colours",
    "ring",
    "stroke",
    "text",
    "text_width",
    "unit_shape",
    "waves",
]

LIGHT = {
    "paper": "#fbfaf6",
    "ink": "#23262b",
    "edge": "#d3cec0",
    "rim": "#b5ae9a",
    "sea": "#d3e4f0",
    "coast": "#eee6cd",
    "inland": "#e0e7d2",
    "cross": "#c8322b",
}
DARK = {
    "paper": "#1b1e23",
    "ink": "#e9e7e1",
    "edge": "#454a52",
    "rim": "#6a7079",
    "sea": "#233a4c",
    "coast": "#3d3727",
    "inland": "#2e3927",
    "cross": "#ff7a6e",
}
"""Colours on light and on dark paper; a reader's own setting chooses."""

COLOURS = {
    "AUSTRIA": "#d8503f",
    "ENGLAND": "#4573dd",
    "FRANCE": "#1f93b8",
    "GERMANY": "#7f8389",
    "ITALY": "#2f9450",
    "RUSSIA": "#a263cf",
    "TURKEY": "#a87f12",
    "RED": "#d8503f",
    "BLUE": "#4573dd",
    "GREEN": "#2f9450",
    "WHITE": "#8f8a80",
    "BLACK": "#6f7480",
    "AMBER": "#a87f12",
    "VIOLET": "#a263cf",
}
"""The powers of the standard map and of generated ones, in colours that are seen on light and on dark paper."""

MORE_COLOURS = ("#c7588f", "#4d8f8b", "#8a7a5c", "#7a86c9", "#b56a2d", "#6c9130")
"""Colours of other powers."""

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"


def _css(colours: dict[str, str]) -> str:
    return "".join(
        f".satdip-{name}{{fill:{colour}}}.satdip-{name}-line{{stroke:{colour}}}" for name, colour in colours.items()
    )


CSS = f"{_css(LIGHT)}@media (prefers-color-scheme:dark){{{_css(DARK)}}}"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(words: str) -> str:
    """Return text on one line, with U+FFFD for the characters that XML cannot hold."""
    return " ".join(_NOT_XML.sub("\ufffd", words).split())


# ---------------------------------------------------------------------- colours


def power_colours(powers: Sequence[str]) -> dict[str, str]:
    """Return a colour for each power of a map: its own where it has one, else one that is left."""
    own = {power: COLOURS[power] for power in powers if power in COLOURS}
    left = [colour for colour in dict.fromkeys((*MORE_COLOURS, *COLOURS.values())) if colour not in own.values()]
    others = [power for power in powers if power not in own]
    return own | {power: left[number % len(left)] for number, power in enumerate(others)}


def ink_on(colour: str) -> str:
    """Return black or white, whichever is read better on a colour (WCAG contrast)."""
    return "#ffffff" if 1.05 / (luminance(colour) + 0.05) >= (luminance(colour) + 0.05) / 0.05 else "#000000"


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour ``#rrggbb`` (WCAG 2)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# ---------------------------------------------------------------------- drawsvg


def canvas(low: complex, high: complex, title: str, description: str) -> Drawing:
    """Return an empty drawing from one corner to the other, with paper.

    Raises:
        InputError: drawsvg is not installed.
    """
    try:
        import drawsvg  # loaded late, and an extra: only pictures need it
    except ImportError:
        raise InputError("pictures need the package drawsvg; install satdip with its extra 'draw'") from None
    size = high - low
    drawing = drawsvg.Drawing(
        round(size.real), round(size.imag), origin=(round(low.real), round(low.imag)), role="img", font_family=FONT
    )
    drawing.append_title(clean(title))
    drawing.append(drawsvg.Raw(f"<desc>{_escaped(description)}</desc>"))
    drawing.append_css(CSS)
    drawing.append(
        drawsvg.Rectangle(round(low.real), round(low.imag), round(size.real), round(size.imag), class_="satdip-paper")
    )
    return drawing


def _escaped(words: str) -> str:
    from xml.sax.saxutils import escape

    return escape(clean(words))


def group(kind: str, title: str = "") -> Group:
    """Return a group of a class of ours, with a title that a reader sees when pointing at it."""
    import drawsvg

    made = drawsvg.Group(class_=f"satdip-{kind}")
    if title:
        made.append_title(clean(title))
    return made


def add(parent: Group | Drawing, *children: DrawingElement | Iterable[DrawingElement]) -> None:
    """Put elements into a group."""
    import drawsvg

    for child in chain.from_iterable(
        (item,) if isinstance(item, drawsvg.DrawingElement) else item for item in children
    ):
        parent.append(child)


def path(line: Sequence[complex], **style: str | float) -> DrawingElement:
    """Return a line."""
    import drawsvg

    return drawsvg.Path(d=_d(line), fill="none", **style)


def area(outline: Sequence[complex], **style: str | float) -> DrawingElement:
    """Return a polygon."""
    import drawsvg

    return drawsvg.Path(d=f"{_d(outline)}Z", **style)


def _d(line: Sequence[complex]) -> str:
    return "M" + " L".join(f"{_number(point.real)},{_number(point.imag)}" for point in line)


def _number(value: float) -> str:
    """Return a coordinate with one decimal at most."""
    return f"{round(value, 1) + 0:g}"


def stroke(
    line: Sequence[complex], colour: str, width: float, dashes: str | None = None, opacity: float = 1
) -> list[DrawingElement]:
    """Return a coloured line on a seam of paper, so that crossing lines stay apart."""
    seam = path(line, class_="satdip-paper-line", stroke_width=width + 3, opacity=0.8, stroke_linecap="round")
    broken: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {"stroke_linecap": "round"}
    return [seam, path(line, stroke=colour, stroke_width=width, opacity=opacity, stroke_linejoin="round", **broken)]


def head(
    line: Sequence[complex], colour: str, size: float = 13, *, hollow: bool = False, opacity: float = 1
) -> DrawingElement:
    """Return the head of an arrow at the end of a line."""
    tip = line[-1]
    back = next((point for point in reversed(line) if abs(point - tip) >= size * 0.8), line[0])
    way = direction(back, tip)
    corners = (tip, tip + size * (-1 + 0.5j) * way, tip + size * (-1 - 0.5j) * way)
    filled: dict[str, str | float] = {"class_": "satdip-paper"} if hollow else {"fill": colour}
    return area(corners, stroke=colour, stroke_width=2, stroke_linejoin="round", opacity=opacity, **filled)


def cross(centre: complex, size: float = 7) -> list[DrawingElement]:
    """Return a cross: what it stands on fails."""
    strokes = [(centre - turn * size * (1 + 1j), centre + turn * size * (1 + 1j)) for turn in (1, 1j)]
    seam = [path(line, class_="satdip-paper-line", stroke_width=7) for line in strokes]
    return seam + [path(line, class_="satdip-cross-line", stroke_width=3.5) for line in strokes]


def text(
    words: str, at: complex, size: float, *, anchor: str = "middle", bold: bool = False, fill: str = ""
) -> DrawingElement:
    """Return one line of text, its middle at the height of `at`."""
    import drawsvg

    style = {"fill": fill} if fill else {"class_": "satdip-ink"}
    weight = {"font_weight": "bold"} if bold else {}
    # A shift by a third of the size: not every renderer knows dominant-baseline.
    return drawsvg.Text(
        clean(words), size, round(at.real, 1), round(at.imag + size * 0.35, 1), text_anchor=anchor, **style, **weight
    )


def text_width(words: str, size: float) -> float:
    """Return about how wide a text is."""
    return len(clean(words)) * size * 0.6


def unit_shape(kind: UnitKind, centre: complex, colour: str, label: str) -> list[DrawingElement]:
    """Return a unit: an army is a block, a fleet a ship; the label says whose it is."""
    rim: dict[str, str | float] = {"stroke": ink_on(colour), "stroke_width": 1.2, "stroke_linejoin": "round"}
    block = ((-15 - 12j, 15 - 12j, 15 + 12j, -15 + 12j),)
    ship = ((-21 - 6j, 21 - 6j, 14 + 12j, -14 + 12j), (-1 - 8j, -1 - 23j, 12 - 8j))
    outlines = block if kind == UnitKind.ARMY else ship
    shapes = [area([centre + corner for corner in outline], fill=colour, **rim) for outline in outlines]
    if kind == UnitKind.FLEET:
        centre += 3j
    return [*shapes, text(label, centre, 13, bold=True, fill=ink_on(colour))]


def disc(centre: complex, radius: float, terrain: Terrain) -> DrawingElement:
    """Return the ground of a province."""
    import drawsvg

    return drawsvg.Circle(round(centre.real, 1), round(centre.imag, 1), radius, class_=f"satdip-{terrain}")


def ring(centre: complex, radius: float, width: float) -> DrawingElement:
    """Return a circle without a ground."""
    import drawsvg

    at = round(centre.real, 1), round(centre.imag, 1)
    return drawsvg.Circle(*at, radius, class_="satdip-rim-line", fill="none", stroke_width=width)


def waves(centre: complex) -> list[DrawingElement]:
    """Return two short waves, one above the other: a fleet that convoys."""
    rows = (wavy(bow(centre + row - 9, centre + row + 9), 2.5, 9, 0) for row in (-3j, 3j))
    return [path(row, class_="satdip-ink-line", stroke_width=1.8) for row in rows]


def dot(at: complex, colour: str) -> DrawingElement:
    """Return the end of a line on another line."""
    import drawsvg

    return drawsvg.Circle(
        round(at.real, 1), round(at.imag, 1), 5, fill=colour, class_="satdip-paper-line", stroke_width=1
    )


def burst(centre: complex, size: float = 1) -> list[complex]:
    """Return the outline of a burst: a dislodged unit."""
    return [centre + size * (29 if spike % 2 else 20) * exp(1j * pi * spike / 11) for spike in range(22)]
