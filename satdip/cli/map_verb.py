"""``satdip map``: looking at maps."""

from __future__ import annotations

import click

from satdip.base.messages import english
from satdip.base.printable import shown
from satdip.cli.common import echo_json, json_option
from satdip.cli.door import put
from satdip.cli.exits import DIFFERENT, DONE


@click.group(name="map")
def command() -> None:
    """Show a map, or check a map file."""


@command.command()
@click.argument("name", default="standard")
@click.argument("province", required=False)
@json_option
def show(name: str, province: str | None, as_json: bool) -> None:
    """Show the provinces of a map (a shipped name or a TOML file), or one PROVINCE with its neighbours."""
    from satdip.base.errors import InputError
    from satdip.board.mapfile import load_board

    board = load_board(name)
    if province is not None and province.upper() not in board.provinces:
        raise InputError(f"{province!r} is no province of the map {board.name!r}; write an id, as in PAR")
    chosen = [board.provinces[province.upper()]] if province else list(board.provinces.values())
    rows = [
        {
            "id": p.id,
            "name": p.name,
            "terrain": str(p.terrain),
            "coasts": list(p.coasts),
            "centre": p.centre,
            "aliases": list(p.aliases),
            "army": sorted(board.army.get(p.id, ())),
            "fleet": {
                at: sorted(board.fleet[at]) for at in (p.id, *(f"{p.id}/{c}" for c in p.coasts)) if at in board.fleet
            },
        }
        for p in chosen
    ]
    if as_json:
        powers = {p.id: {"name": p.name, "home": list(p.home)} for p in board.powers.values()}
        echo_json({"map": board.name, "victory": board.victory, "powers": powers, "provinces": rows})
        return
    from rich.table import Table

    from satdip.cli.terminal import console

    table = Table(
        "Id", "Name", "Terrain", "Centre", "Armies to", "Fleets to", title=f"map {board.name}", title_justify="left"
    )
    for row in rows:
        fleet = row["fleet"]
        assert isinstance(fleet, dict)  # noqa: S101 -- it was built above
        sea = "\n".join(f"{at}: {' '.join(to)}" if "/" in at else " ".join(to) for at, to in fleet.items())
        army = row["army"]
        assert isinstance(army, list)  # noqa: S101 -- it was built above
        centre = "yes" if row["centre"] else ""
        table.add_row(str(row["id"]), str(row["name"]), str(row["terrain"]), centre, " ".join(army), sea)
    console().print(table)


@command.command()
@click.argument("file", default="standard")
@json_option
@click.pass_context
def check(ctx: click.Context, file: str, as_json: bool) -> None:
    """Check a map (a shipped name or a TOML file): symmetry, coasts, centres, names. Exit code 1 when it is wrong."""
    from satdip.board.mapfile import problems

    found = problems(file)
    if found and found[0].where.line is None:  # no problem of a map: there is no such file, or it cannot be read
        raise found[0]
    if as_json:
        echo_json({"map": file, "problems": [str(problem) for problem in found]})
    else:
        for problem in found:
            put(str(problem))
        put(english("{file}: {number:or no} {number:problem|problems}", file=shown(file), number=len(found)))
    ctx.exit(DIFFERENT if found else DONE)
