"""``python -m tools geometry``: makes the picture of the standard map."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CalledProcessError

import click

from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.drawing.geometry import Geometry, read_geometry
from tools.geometry.check import problems
from tools.geometry.exceptions import EXCEPTIONS

__all__ = ["geometry"]

ROOT = Path(__file__).resolve().parents[2]
NAME = "standard"


class BadInput(click.ClickException):
    """What stops the tool before there is a picture."""

    exit_code = 2


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
    default=ROOT / "maps" / f"{NAME}.geometry.json",
    show_default=f"maps/{NAME}.geometry.json",
    help="The geometry file.",
)
@click.option("--preview", type=click.Path(dir_okay=False, path_type=Path), help="Also draw it, as an SVG or a PNG.")
@click.option("--pixels", type=click.IntRange(100, 8000), default=1600, show_default=True, help="Width of the PNG.")
@click.option("--ids", is_flag=True, help="Write ids into the preview, not names.")
@click.option("--only-check", is_flag=True, help="Make nothing: check and draw the file that is there.")
def geometry(atlas: Path, out: Path, preview: Path | None, pixels: int, ids: bool, only_check: bool) -> None:
    """Make the picture of the standard map: regions, borders and places, from Natural Earth and hand-placed lines.

    The libraries are those of `pip install '.[tools]'`; npm fetches Natural Earth. A picture with which something is
    wrong is drawn, but not written; the exit code is 1 then.
    """
    board = load_board(NAME)
    text = _there(out) if only_check else _made(atlas, board)
    try:
        picture = read_geometry(json.loads(text))
    except (ValueError, LookupError, TypeError) as error:
        raise BadInput(f"{out} is no geometry file: {error!r}") from error
    if preview:
        _written(preview, _drawn(picture, board, preview.suffix, pixels, names=not ids))
    found = list(problems(picture, board, EXCEPTIONS))
    if found:
        click.echo("\n".join(found))
        raise SystemExit(1)
    if not only_check:
        _written(out, text.encode())
    click.echo(f"{out.name}: {len(text.encode()) / 1000:.0f} kB, nothing wrong")


def _there(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from error


def _made(atlas: Path, board: Board) -> str:
    try:
        from tools.geometry.make import make  # loaded late: the check needs none of the libraries
    except ImportError as error:
        raise BadInput(f"{error}; pip install '.[tools]' installs what is needed") from error
    try:
        return make(NAME, atlas, board, click.echo)
    except (OSError, CalledProcessError) as error:
        raise BadInput(f"npm cannot fetch Natural Earth: {error}") from error
    except ValueError as error:
        raise BadInput(str(error)) from error


def _drawn(picture: Geometry, board: Board, suffix: str, pixels: int, *, names: bool) -> bytes:
    from tools.geometry.preview import preview

    svg = preview(picture, board, names=names)
    if suffix != ".png":
        return svg.encode()
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise BadInput(f"{error}; pip install '.[tools]' installs what is needed") from error
    return bytes(svg_to_bytes(svg_string=svg, width=pixels))


def _written(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from error
