"""``python -m tools geometry``: makes the picture of the standard map."""

from __future__ import annotations

import json
from pathlib import Path

import click

from satdip.board import Board
from satdip.geometry import Geometry, read_geometry
from satdip.mapfile import load_board
from tools.geometry.check import problems
from tools.geometry.exceptions import EXCEPTIONS

__all__ = ["geometry"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MAPS = ROOT / "maps"
NAME = "standard"


@click.command()
@click.option(
    "--atlas",
    type=click.Path(file_okay=False, path_type=Path),
    default=ROOT / "build" / "atlas",
    show_default="build/atlas",
    help="Where npm puts Natural Earth; it is fetched once.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=MAPS / f"{NAME}.geometry.json",
    show_default=f"maps/{NAME}.geometry.json",
    help="The geometry file.",
)
@click.option("--preview", type=click.Path(dir_okay=False, path_type=Path), help="Also draw it, as an SVG or a PNG.")
@click.option("--pixels", type=click.IntRange(100, 8000), default=1600, show_default=True, help="Width of the PNG.")
@click.option("--ids", is_flag=True, help="Write ids into the preview, not names.")
@click.option("--only-check", is_flag=True, help="Make nothing: check and draw the file that is there.")
def geometry(atlas: Path, out: Path, preview: Path | None, pixels: int, ids: bool, only_check: bool) -> None:
    """Make the picture of the standard map: regions, borders and places, from Natural Earth and hand-placed lines.

    The libraries are those of `pip install '.[tools]'`; npm fetches Natural Earth. The file is checked when it is
    written: where something is wrong with it, it is kept, to be looked at, and the exit code is 1.
    """
    board = load_board(NAME)
    if not only_check:
        from tools.geometry.make import make  # loaded late: the check needs none of the libraries

        out.write_text(make(NAME, atlas, board, click.echo), encoding="utf-8")
    picture = read_geometry(json.loads(out.read_text(encoding="utf-8")))
    if preview:
        _draw(preview, picture, board, pixels, names=not ids)
    found = list(problems(picture, board, EXCEPTIONS))
    click.echo("\n".join(found) or f"{out.name}: {out.stat().st_size / 1000:.0f} kB, nothing wrong")
    raise SystemExit(1 if found else 0)


def _draw(file: Path, picture: Geometry, board: Board, pixels: int, *, names: bool) -> None:
    from tools.geometry.preview import preview

    svg = preview(picture, board, names=names)
    if file.suffix == ".png":
        from resvg_py import svg_to_bytes

        file.write_bytes(bytes(svg_to_bytes(svg_string=svg, width=pixels)))
    else:
        file.write_text(svg, encoding="utf-8")
