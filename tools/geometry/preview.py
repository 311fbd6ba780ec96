"""A quick picture of a geometry, to look at while lines are placed. Pictures for readers are made by satdip."""

from __future__ import annotations

from xml.sax.saxutils import escape

from satdip.board import Board
from satdip.drawing.geometry import Geometry, Places, Region, Ring, Spot
from tools.geometry.lettering import LEADING, splits, width

__all__ = ["preview"]

FILL = {"land": "#f4ead2", "sea": "#cfe0ee", "strait": "#cfe0ee", "inactive": "#c9c4b8"}
STROKE = {
    "coast": 'stroke="#4a4a4a" stroke-width="0.9"',
    "land": 'stroke="#8a6d4b" stroke-width="0.8"',
    "sea": 'stroke="#6f8fae" stroke-width="0.7"',
}


def preview(geometry: Geometry, board: Board, *, names: bool = True) -> str:
    """Return an SVG of the regions, the places and the names, or the ids."""
    body = [_area(geometry, region) for region in geometry.regions]
    shown = [border for border in geometry.borders if border.kind in STROKE]
    body += [_line(geometry.arcs[border.arc], STROKE[border.kind]) for border in shown]
    for province, places in geometry.places.items():
        body += _signs(geometry, places)
        body += _label(board.provinces[province].name if names else province, places)
    size = f"{geometry.width:g} {geometry.height:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">{"".join(body)}</svg>'


def _area(geometry: Geometry, region: Region) -> str:
    data = "".join(_closed(geometry, ring) for ring in region.rings)
    return f'<path d="{data}" fill="{FILL[region.kind]}" fill-rule="evenodd"/>'


def _closed(geometry: Geometry, ring: Ring) -> str:
    return "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in geometry.outline(ring)) + "Z"


def _line(points: tuple[Spot, ...], stroke: str) -> str:
    data = "M" + " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<path d="{data}" fill="none" stroke-linejoin="round" {stroke}/>'


def _signs(geometry: Geometry, places: Places) -> list[str]:
    radius = geometry.unit_radius
    signs = [f'<circle cx="{x}" cy="{y}" r="{radius}" fill="#3a7d5c" opacity=".55"/>' for x, y in places.units.values()]
    x, y = places.dislodged
    signs.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none" stroke="#b33" stroke-dasharray="2 2"/>')
    if places.centre:
        x, y = places.centre
        signs.append(f'<circle cx="{x}" cy="{y}" r="{geometry.centre_radius - 1}" fill="#333"/>')
    return signs


def _label(name: str, places: Places) -> list[str]:
    label = places.label
    room = [(min(label.width / max(map(width, it)), label.height / len(it) / LEADING), it) for it in splits(name)]
    size, lines = max((min(size, label.type_size), lines) for size, lines in room)
    x, y = label.at
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in label.corners)
    texts = [f'<polygon points="{corners}" fill="none" stroke="#000" stroke-width=".2" opacity=".4"/>']
    for i, line in enumerate(lines):
        shift = (i - (len(lines) - 1) / 2) * size * LEADING + 0.35 * size
        texts.append(
            f'<text transform="translate({x} {y}) rotate({label.angle})" y="{shift:.1f}" font-size="{size:.1f}" '
            f'text-anchor="middle" font-family="DejaVu Sans">{escape(line)}</text>'
        )
    return texts
