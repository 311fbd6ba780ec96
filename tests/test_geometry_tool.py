"""The steps that make a picture of a map, each on something small. Skipped without the libraries of the tools."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
shapely = pytest.importorskip("shapely")
for library in ("scipy", "topojson", "pyproj"):
    pytest.importorskip(library)

from shapely import LineString, Point, box  # noqa: E402 - after the question whether it is there

from tools.geometry.cut import Region  # noqa: E402
from tools.geometry.fetch import land  # noqa: E402
from tools.geometry.lettering import splits, width  # noqa: E402
from tools.geometry.lines import curve  # noqa: E402
from tools.geometry.places import CENTRE, GAP, UNIT, NoRoomError, Wishes, place  # noqa: E402
from tools.geometry.simplify import simplify  # noqa: E402
from tools.geometry.stretch import Control, Stretch  # noqa: E402


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
