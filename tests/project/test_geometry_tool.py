"""The steps that make a picture of a map, each on something small. Skipped without the libraries of the tools."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
shapely = pytest.importorskip("shapely")
for library in ("scipy", "topojson", "pyproj"):
    pytest.importorskip(library)

from shapely import LineString, Point, box  # noqa: E402 - after the question whether it is there

from tools.geometry.cut import CutError, Region, coastline, cut  # noqa: E402
from tools.geometry.fetch import land  # noqa: E402
from tools.geometry.lettering import splits, width  # noqa: E402
from tools.geometry.lines import curve  # noqa: E402
from tools.geometry.places import CENTRE, GAP, UNIT, NoRoomError, Wishes, place  # noqa: E402
from tools.geometry.simplify import simplify  # noqa: E402
from tools.geometry.stretch import Control, Stretch  # noqa: E402
from tools.geometry.tables import Tables  # noqa: E402


def test_a_curve_runs_through_its_points_and_ends_exactly_in_the_last() -> None:
    points = np.array([(0.0, 0.0), (40.0, 10.0), (60.0, 50.0), (90.0, 50.0)])
    line = curve(points)
    assert (line[0] == points[0]).all()
    assert (line[-1] == points[-1]).all()
    assert max(LineString(line).distance(Point(point)) for point in points) < 1e-9
    assert np.linalg.norm(np.diff(line, axis=0), axis=1).max() < 4


def test_the_stretch_enlarges_as_it_is_told_and_folds_nothing() -> None:
    stretch = Stretch(400, 300, [Control((200.0, 150.0), 40.0, 3.0), Control((60.0, 60.0), 50.0, 0.5)])
    x, y = np.meshgrid(np.arange(0.0, 401, 10), np.arange(0.0, 301, 10))
    moved = stretch(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    right, down = moved[:-1, 1:] - moved[:-1, :-1], moved[1:, :-1] - moved[:-1, :-1]
    areas = (right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]) / 100
    assert areas.min() > 0
    assert areas[15, 20] / areas[28, 38] == pytest.approx(3, rel=0.1)
    assert areas[6, 6] / areas[28, 38] == pytest.approx(0.5, rel=0.1)
    for side in (moved[0, :, 1], moved[:, 0, 0], moved[-1, :, 1] - 300, moved[:, -1, 0] - 400):
        assert abs(side).max() < 1e-6


def test_simple_neighbours_still_share_their_border() -> None:
    wave = [(50 + np.sin(y), y) for y in np.arange(0, 101.0)]
    west = shapely.Polygon([(0, 0), *wave, (0, 100)])
    east = box(0, 0, 100, 100).difference(west)
    simple = simplify([Region("W", "land", west), Region("E", "sea", east)])
    assert shapely.coverage_is_valid([region.area for region in simple])
    assert sum(region.area.area for region in simple) == pytest.approx(10_000)
    assert shapely.get_num_coordinates(simple[0].area) < shapely.get_num_coordinates(west) / 2


def test_places_keep_apart_and_inside() -> None:
    area = box(0, 0, 120, 60)
    found = place(area, Wishes(["Somewhere", "Quelque part"], 11, centre=Point(10, 10), coasts={"S/NC": Point(100, 0)}))
    units = [Point(at) for at in (found.unit, found.dislodged, *found.coasts.values())]
    assert found.centre is not None
    rooms = [*(unit.buffer(UNIT) for unit in units), Point(found.centre).buffer(CENTRE)]
    x, y = found.label.at
    assert found.label.angle == 0
    rooms.append(
        box(
            x - found.label.width / 2, y - found.label.height / 2, x + found.label.width / 2, y + found.label.height / 2
        )
    )
    assert all(area.contains(room) for room in rooms)
    assert all(one.distance(other) >= GAP * 0.99 for i, one in enumerate(rooms) for other in rooms[:i])
    assert found.label.width >= found.type_size * max(map(width, ("Somewhere", "part"))) * 0.99


def test_a_region_that_is_too_small_is_refused() -> None:
    with pytest.raises(NoRoomError):
        place(box(0, 0, 40, 25), Wishes(["Nowhere"], 11))


def test_a_name_is_split_between_words() -> None:
    assert list(splits("Gulf of Lyon")) == [("Gulf of Lyon",), ("Gulf", "of Lyon"), ("Gulf of", "Lyon")]


def test_land_is_read_from_topojson_across_the_date_line() -> None:
    square = {"type": "Polygon", "arcs": [[0, 1]]}
    island = {"type": "Polygon", "arcs": [[2]]}
    topology = {
        "transform": {"scale": [1, 1], "translate": [0, 50]},
        "objects": {"land": {"geometries": [square, island]}},
        "arcs": [
            [[11, 0], [0, 1]],
            [[11, 1], [-1, 0], [0, -1], [1, 0]],
            [[-179, 0], [356, 0], [0, 1], [-356, 0], [0, -1]],
        ],
    }
    assert land(topology, 0, 0, 90, 90).area == pytest.approx(1)
    assert land(topology, 0, 0, 10.5, 90).area == pytest.approx(0.5)
    assert land(topology, 170, 0, 190, 90).bounds == (177, 50, 181, 51)


# ------------------------------------------------------------------ a whole small picture

FRAME = """
[frame]
projection = "+proj=eqc +lat_0=0 +lon_0=0"
sides = [-1000, -1000, 1000, 1000]
size = [200, 200]
window = [-20, -20, 20, 20]
omit = []
[stretch]
"""
BORDERS = """
[junctions]
"A B" = [0.0, 0.0]
[borders]
"A-B north" = [[0.0, 9.9], "A B"]
"A-B south" = ["A B", [0.0, -9.9]]
"""
SEAS = """
[junctions]
[borders]
"C-D" = [[-9.9, 3.0], [-4.0, 3.0]]
"C-D east" = [[4.0, 3.0], [9.9, 3.0]]
[channels]
"""
REGIONS = """
[provinces]
A = [[-2.0, 0.0]]
B = [[2.0, 0.0]]
C = [[0.0, 7.5]]
D = [[0.0, -7.5]]
[straits]
[inactive]
"""
PLACES = """
[units]
[labels]
[centres]
[coasts]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An island of two provinces between two seas; a degree is about eleven units."""
    texts = {"frame": FRAME, "borders": BORDERS, "seas": SEAS, "regions": REGIONS, "places": PLACES}
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def _cut(folder: Path) -> dict[tuple[str, str], float]:
    tables = Tables(folder)
    island = shapely.MultiPolygon([box(-5, -5, 5, 5)])
    return {(region.name, region.kind): region.area.area for region in cut(coastline(island, tables), tables)}


def _change(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_lines_cut_land_and_sea(folder: Path) -> None:
    areas = _cut(folder)
    assert sorted(areas) == [("A", "land"), ("B", "land"), ("C", "sea"), ("D", "sea")]
    assert sum(areas.values()) == pytest.approx(200 * 200)
    degree = 200 / 2000 * 111.32
    assert areas["A", "land"] == pytest.approx(areas["B", "land"], rel=0.01)
    assert areas["A", "land"] == pytest.approx(50 * degree**2, rel=0.01)


def test_a_channel_is_kept_open_and_its_water_can_belong_to_a_province(folder: Path) -> None:
    channel = '[channels]\n"Narrows" = { along = [[2.5, 6.0], [2.5, -6.0]], width = 4 }'
    _change(folder, "seas", "[channels]", channel)
    _change(
        folder, "seas", '"C-D east"', '"B-C" = [[2.0, 4.0], [3.0, 4.0]]\n"B-D" = [[2.0, -4.0], [3.0, -4.0]]\n"C-D east"'
    )
    _change(folder, "regions", "B = [[2.0, 0.0]]", "B = [[1.0, 0.0], [4.0, 0.0]]")
    _change(folder, "regions", "[straits]", "[straits]\nB = [[2.5, 0.0]]")
    assert _cut(folder)["B", "strait"] == pytest.approx(4 * 8 * 11.13, rel=0.02)


def test_what_no_line_divides_is_told(folder: Path) -> None:
    _change(folder, "borders", '[[0.0, 9.9], "A B"]', '[[0.0, 1.0], "A B"]')
    with pytest.raises(CutError, match=r"^nothing divides A and B around \(122, 100\)$"):
        _cut(folder)


def test_a_piece_that_no_seed_claims_is_told(folder: Path) -> None:
    _change(folder, "regions", "D = [[0.0, -7.5]]", "")
    with pytest.raises(CutError, match=r"^pieces without a seed: "):
        _cut(folder)


def test_a_seed_outside_the_frame_is_told(folder: Path) -> None:
    _change(folder, "regions", "[[0.0, -7.5]]", "[[0.0, -7.5], [0.0, -15.0]]")
    with pytest.raises(CutError, match=r"^D: its seed at .* is outside the picture$"):
        _cut(folder)


def test_a_junction_that_is_not_there_is_told(folder: Path) -> None:
    _change(folder, "borders", '"A-B south" = ["A B"', '"A-B south" = ["A C"')
    with pytest.raises(ValueError, match=r"^A-B south: there is no junction 'A C'$"):
        _cut(folder)
