"""The picture of the standard map says what the board says, and has room for every sign."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from satdip.board import Board
from satdip.drawing.geometry import Geometry, Label, Places, geometry_of, read_geometry
from tools.geometry.check import CONTACT, ID_ROOM, contacts, problems
from tools.geometry.command import geometry
from tools.geometry.exceptions import EXCEPTIONS
from tools.geometry.lettering import LEADING, splits, width

FILE = Path(__file__).resolve().parents[2] / "maps" / "standard.geometry.json"


@pytest.fixture(scope="module")
def picture() -> Geometry:
    found = geometry_of("standard")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def topology() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def test_nothing_is_wrong_with_the_picture(picture: Geometry, board: Board) -> None:
    assert list(problems(picture, board, EXCEPTIONS)) == []


def test_every_exception_has_a_reason(board: Board) -> None:
    for pair, reason in EXCEPTIONS.items():
        assert pair <= board.provinces.keys()
        assert len(reason.split()) > 3


def test_no_border_is_so_short_that_one_wonders(picture: Geometry, board: Board) -> None:
    """Neighbours share a border that is seen, others none at all or a corner."""
    lengths = contacts(picture)
    touching = {pair: length for pair, length in lengths.items() if max(pair) in board.neighbours[min(pair)]}
    assert min(touching.values()) > CONTACT
    assert max((length for pair, length in lengths.items() if pair not in touching), default=0.0) == 0.0


def test_the_frame_is_as_wide_as_the_sizes_are_meant_for(picture: Geometry) -> None:
    assert picture.width == 1200
    assert picture.unit_radius >= 11
    narrowest = min(places.label.width for places in picture.places.values())
    assert narrowest >= ID_ROOM[0]


def test_the_islands_and_switzerland_cannot_be_entered(picture: Geometry, board: Board) -> None:
    inactive = {region.name for region in picture.regions if region.kind == "inactive"}
    assert {"Switzerland", "Ireland", "Iceland", "Corsica", "Sardinia", "Sicily", "Crete", "Cyprus"} <= inactive
    assert not inactive & board.provinces.keys()


def test_the_straits_belong_to_the_provinces_through_which_fleets_pass(picture: Geometry) -> None:
    assert {region.name for region in picture.regions if region.kind == "strait"} == {"CON", "DEN"}


def test_north_and_west_are_where_they_should_be(picture: Geometry) -> None:
    """The picture is neither mirrored nor turned: cities in the order of their longitudes and latitudes."""
    centres = {province: places.centre for province, places in picture.places.items() if places.centre}
    eastward = [centres[at][0] for at in ("POR", "SPA", "PAR", "BEL", "MUN", "BER", "WAR", "MOS")]
    southward = [centres[at][1] for at in ("NWY", "DEN", "BER", "MUN", "ROM", "TUN")]
    assert eastward == sorted(eastward)
    assert southward == sorted(southward)


def test_names_fit_into_their_labels_in_every_language(picture: Geometry, board: Board) -> None:
    french = tomllib.loads((FILE.parent / "standard.fr.toml").read_text(encoding="utf-8"))["names"]
    for province, places in picture.places.items():
        label = places.label
        assert label.type_size >= 9
        lines = round(label.height / label.type_size / LEADING)
        for name in (board.provinces[province].name, french[province]):
            widths = [max(map(width, split)) for split in splits(name) if len(split) <= max(lines, 1)]
            assert min(widths) * label.type_size <= label.width + 0.1, name


def test_the_command_checks_the_file_that_is_there(tmp_path: Path) -> None:
    good = CliRunner().invoke(geometry, ["--only-check", "--preview", str(tmp_path / "map.svg")])
    assert (good.exit_code, good.output) == (
        0,
        f"standard.geometry.json: {FILE.stat().st_size / 1000:.0f} kB, nothing wrong\n",
    )
    assert (tmp_path / "map.svg").read_text(encoding="utf-8").count("Norwegian") == 1
    wrong = tmp_path / "wrong.json"
    wrong.write_text(FILE.read_text(encoding="utf-8").replace('"id":"RUH"', '"id":"RUR"'), encoding="utf-8")
    found = CliRunner().invoke(geometry, ["--only-check", "--out", str(wrong)])
    assert found.exit_code == 1
    assert "RUR is only on the picture" in found.output
    assert "RUH is only on the board" in found.output
    wrong.write_text('{"type": "Topology"}', encoding="utf-8")
    strange = CliRunner().invoke(geometry, ["--only-check", "--out", str(wrong)])
    assert strange.exit_code == 2
    assert "wrong.json is no geometry file" in strange.output
    missing = CliRunner().invoke(geometry, ["--only-check", "--out", str(tmp_path / "nothing.json")])
    assert missing.exit_code == 2
    assert missing.output.endswith("nothing.json: No such file or directory\n")


# ------------------------------------------------------------------ the check sees what is wrong


def _with_places(picture: Geometry, province: str, **changes: Any) -> Geometry:
    return replace(picture, places={**picture.places, province: replace(picture.places[province], **changes)})


def _found(picture: Geometry, board: Board, exceptions: Mapping[frozenset[str], str] | None = None) -> list[str]:
    return list(problems(picture, board, exceptions or {}))


def test_a_unit_outside_its_region_is_seen(picture: Geometry, board: Board) -> None:
    wrong = _with_places(picture, "MUN", units=picture.places["BOH"].units | {"MUN": (5.0, 5.0)})
    found = _found(wrong, board)
    assert "the unit at MUN does not fit into MUN" in found
    assert any(line.startswith("MUN has places for units at") for line in found)


def test_a_unit_too_near_a_border_is_seen(picture: Geometry, board: Board) -> None:
    x, y = picture.outline(next(r for r in picture.regions if r.name == "BOH").rings[0])[0]
    wrong = _with_places(picture, "BOH", units={"BOH": (x + 1, y + 1)})
    assert "the unit at BOH does not fit into BOH" in _found(wrong, board)


def test_a_name_on_a_unit_is_seen(picture: Geometry, board: Board) -> None:
    label = replace(picture.places["SPA"].label, at=picture.places["SPA"].units["SPA"])
    assert "the unit at SPA and the label of SPA overlap" in _found(_with_places(picture, "SPA", label=label), board)


def test_a_label_too_small_for_an_id_is_seen(picture: Geometry, board: Board) -> None:
    label = replace(picture.places["RUH"].label, width=10.0)
    assert "the label of RUH has no room for an id" in _found(_with_places(picture, "RUH", label=label), board)


def test_a_supply_centre_that_is_none_is_seen(picture: Geometry, board: Board) -> None:
    wrong = _with_places(picture, "RUH", centre=picture.places["RUH"].dislodged)
    assert "RUH has a place for a supply centre" in _found(wrong, board)
    assert "TUN lacks a place for a supply centre" in _found(_with_places(picture, "TUN", centre=None), board)


def test_neighbours_that_do_not_touch_are_seen_and_the_reverse(picture: Geometry, board: Board) -> None:
    army = {at: set(there) for at, there in board.army.items()}
    army["MUN"] -= {"BOH"}
    army["BOH"] -= {"MUN"}
    army["PAR"] |= {"MAR"}
    army["MAR"] |= {"PAR"}
    other = replace(board, army={at: frozenset(there) for at, there in army.items()})
    found = _found(picture, other)
    assert any(line.startswith("BOH and MUN are not neighbours; their border is") for line in found)
    assert "MAR and PAR are neighbours; their border is 0.0 long" in found
    excused = {frozenset({"MAR", "PAR"}): "a test", frozenset({"BOH", "MUN"}): "a test"}
    assert _found(picture, other, excused) == []
    assert _found(picture, board, excused) == ["BOH and MUN are no exception", "MAR and PAR are no exception"]


def test_a_gap_between_regions_is_seen(picture: Geometry, board: Board) -> None:
    wrong = replace(picture, regions=tuple(region for region in picture.regions if region.name != "Switzerland"))
    found = _found(wrong, board)
    assert any("on one side and nothing on the other" in line for line in found)
    assert any(line.startswith("the regions cover") for line in found)


# ------------------------------------------------------------------ the file and its reader


def test_the_file_is_small_and_is_topojson(topology: dict[str, Any]) -> None:
    assert FILE.stat().st_size < 100_000
    assert topology["type"] == "Topology"
    count = len(topology["arcs"])
    for collection in topology["objects"].values():
        assert collection["type"] == "GeometryCollection"
        for shape in collection["geometries"]:
            polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
            assert all(-count <= arc < count for rings in polygons for ring in rings for arc in ring)
    assert all(type(step) is int for arc in topology["arcs"] for at in arc for step in at)


def test_rings_close_and_arcs_follow_each_other(picture: Geometry) -> None:
    for region in picture.regions:
        for ring in region.rings:
            ends = [picture.arcs[arc] if arc >= 0 else picture.arcs[~arc][::-1] for arc in ring]
            assert all(one[-1] == other[0] for one, other in pairwise([*ends, ends[0]])), region.name


def test_a_map_without_a_picture_has_none() -> None:
    assert geometry_of("nowhere") is None


TWO_SQUARES = {
    "type": "Topology",
    "map": "small",
    "bbox": [0, 0, 4, 2],
    "room": {"unit": 0.5, "centre": 0.25},
    "transform": {"scale": [0.5, 0.5], "translate": [0, 0]},
    "objects": {
        "provinces": {
            "geometries": [
                {
                    "type": "Polygon",
                    "id": "AAA",
                    "properties": {
                        "kind": "land",
                        "units": {"AAA": [1, 1]},
                        "dislodged": [1.5, 1],
                        "centre": [0.5, 0.5],
                        "label": {"at": [1, 1.5], "width": 2, "height": 1, "angle": 90, "type": 1},
                    },
                    "arcs": [[0, 1]],
                },
                {
                    "type": "MultiPolygon",
                    "id": "BBB",
                    "properties": {
                        "kind": "sea",
                        "units": {"BBB": [3, 1]},
                        "dislodged": [3.5, 1],
                        "label": {"at": [3, 1.5], "width": 2, "height": 1, "angle": 0, "type": 1},
                    },
                    "arcs": [[[2, ~0]]],
                },
            ]
        },
        "straits": {"geometries": []},
        "inactive": {"geometries": []},
    },
    "arcs": [
        [[4, 0], [0, 4]],
        [[4, 4], [-4, 0], [0, -4], [4, 0]],
        [[4, 0], [4, 0], [0, 4], [-4, 0]],
    ],
}


def test_two_squares_share_a_side() -> None:
    small = read_geometry(TWO_SQUARES)
    land, sea = small.regions
    assert small.outline(land.rings[0]) == ((2, 0), (2, 2), (0, 2), (0, 0))
    assert small.outline(sea.rings[0]) == ((2, 0), (4, 0), (4, 2), (2, 2))
    assert [(border.kind, [side.name for side in border.sides]) for border in small.borders] == [
        ("coast", ["AAA", "BBB"]),
        ("frame", ["AAA"]),
        ("frame", ["BBB"]),
    ]
    assert contacts(small) == {frozenset({"AAA", "BBB"}): 2.0}
    assert small.places["AAA"] == Places({"AAA": (1, 1)}, (1.5, 1), Label((1, 1.5), 2, 1, 90, 1), (0.5, 0.5))
    assert small.places["BBB"].centre is None


def test_a_label_turns_clockwise() -> None:
    corners = Label((10, 10), 4, 2, 90, 1).corners
    assert [(round(x, 9), round(y, 9)) for x, y in corners] == [(11, 8), (11, 12), (9, 12), (9, 8)]
