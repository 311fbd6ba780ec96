"""Pictures: what is in them, that they are well-formed and always the same, and that texts of files stay texts."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import RefMap
from support.positions import GENERATORS, draw, turn_of

import satdip
from satdip.base.errors import InputError
from satdip.board import Board, province_of
from satdip.drawing import draw_core, draw_turn, lines, paint
from satdip.drawing.layout import by_distances, gathered, scaled, spread
from satdip.drawing.places import known_places
from satdip.drawing.plan import DISC
from satdip.drawing.turn import MOST_PROVINCES, labels
from satdip.notation import read_turn
from satdip.phase.orders import Hold, Unclear, UnitRef
from satdip.phase.turn import Given, Turn

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in (".txt", ".json"))
PANDIN = (ROOT / "examples" / "pandin.txt").read_text(encoding="utf-8")
PARADOX = (ROOT / "examples" / "paradox.txt").read_text(encoding="utf-8")


def tree(svg: str) -> ElementTree.Element:
    """Return a picture as XML; the parser refuses what is not well-formed."""
    return ElementTree.fromstring(svg)


def titles(svg: str) -> list[str]:
    return [element.text or "" for element in tree(svg).iter(f"{SVG}title")]


def of_class(svg: str, kind: str) -> list[ElementTree.Element]:
    """Return the groups of a class."""
    return [group for group in tree(svg).iter(f"{SVG}g") if kind in group.get("class", "").split()]


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in tree(svg).iter(f"{SVG}text")]


def title_of(group: ElementTree.Element) -> str:
    return group.findtext(f"{SVG}title", "")


# ---------------------------------------------------------------------- everything is there


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_becomes_a_picture(path: Path) -> None:
    turn = read_turn(path.read_text(encoding="utf-8"))
    for what in (turn, satdip.adjudicate(turn)):
        assert tree(draw_turn(what)).tag == f"{SVG}svg"


@pytest.mark.parametrize("generator", GENERATORS)
def test_every_unit_and_every_order_appears(generator: str, board: Board, ref_map: RefMap) -> None:
    for seed in range(4):
        units, orders = draw(generator, seed, ref_map)
        resolution = satdip.adjudicate(turn_of(units, orders, board))
        svg = draw_turn(resolution)
        assert len(of_class(svg, "satdip-unit")) == sum(map(len, units.values()))
        said = "\n".join([*titles(svg), *texts(svg)])
        for result in resolution.orders:
            text = result.checked.given.text if result.checked.given else str(result.unit)
            assert text in said, (seed, text)
        # An army is one shape, a fleet two (hull and sail): told apart without colours.
        for unit in resolution.position.units:
            (group,) = (g for g in of_class(svg, "satdip-unit") if title_of(g).startswith(f"{unit} ("))
            filled = [shape for shape in group.iter(f"{SVG}path") if shape.get("fill", "none").startswith("#")]
            assert len(filled) == (1 if unit.kind == "A" else 2)


def test_6f14_shows_what_the_rule_did() -> None:
    """WAL-ENG succeeds and dislodges, the convoy and the army fail (DATC 6.F.14 with 4.A.2 f)."""
    svg = draw_turn(satdip.adjudicate(PARADOX))
    by_kind = {
        kind: [title_of(group).partition(": ")[2] for group in of_class(svg, f"satdip-{kind}")]
        for kind in ("move", "support", "convoy")
    }
    assert by_kind == {
        "move": ["A Brest - London: fails", "F Wales - English Channel: succeeds"],
        "support": ["F London Supports F Wales - English Channel: given"],
        "convoy": ["F English Channel Convoys A Brest - London: disrupted, dislodged"],
    }
    (driven,) = of_class(svg, "dislodged")
    assert "English Channel Convoys" in title_of(driven)
    states = Counter(state for g in of_class(svg, "satdip-move") for state in g.get("class", "").split()[1:])
    assert states == {"success": 1, "failure": 1}


def crosses(group: ElementTree.Element) -> int:
    return sum(path.get("class") == "satdip-cross-line" for path in group.iter(f"{SVG}path")) // 2


def test_a_cross_stands_on_what_fails_and_only_there() -> None:
    """6.F.14: the army and the convoy; nothing is crossed before the phase is adjudicated."""
    svg = draw_turn(satdip.adjudicate(PARADOX))
    crossed = {title_of(g).rpartition(": ")[2]: crosses(g) for g in of_class(svg, "satdip-move")}
    assert crossed == {"fails": 1, "succeeds": 0}
    assert [crosses(g) for g in of_class(svg, "satdip-convoy")] == [1]
    assert [crosses(g) for g in of_class(svg, "satdip-support")] == [0]
    assert 'satdip-cross-line"' not in draw_turn(read_turn(PARADOX))
    cut = satdip.adjudicate("France: A Par-Bur, A Mar S A Par-Bur\nItaly: A Pie-Mar\nGermany: A Mun-Bur")
    assert [crosses(g) for g in of_class(draw_turn(cut), "satdip-support")] == [1]


def test_a_broken_line_is_told_from_a_whole_one() -> None:
    """Failed moves are dashed, successful ones are not (colour is not what tells them apart)."""
    bounce = satdip.adjudicate("France: A Par-Bur\nGermany: A Mun-Bur, A Kie-Den")
    dashed = {
        title_of(g).rpartition(": ")[2]: any(p.get("stroke-dasharray") for p in g.iter(f"{SVG}path"))
        for g in of_class(draw_turn(bounce), "satdip-move")
    }
    assert dashed == {"fails": True, "succeeds": False}


def test_only_the_provinces_involved_or_asked_for(board: Board) -> None:
    resolution = satdip.adjudicate(PARADOX)
    assert {title_of(g).partition(" (")[0] for g in of_class(draw_turn(resolution), "satdip-province")} == {
        "Brest",
        "English Channel",
        "London",
        "Wales",
    }
    svg = draw_turn(resolution, ["WAL", "ENG", "IRI"])
    assert {title_of(g).partition(" (")[0] for g in of_class(svg, "satdip-province")} == {
        "Wales",
        "English Channel",
        "Irish Sea",
    }
    assert len(of_class(svg, "satdip-unit")) == 2
    assert [title_of(g) for g in of_class(svg, "satdip-move")] == ["England: F Wales - English Channel: succeeds"]


def test_what_cannot_be_drawn_is_refused(board: Board) -> None:
    turn = read_turn(PARADOX)
    with pytest.raises(InputError, match="there is no province 'XXX'"):
        draw_turn(turn, ["XXX"])
    many = {f"P{number}": replace(board.provinces["PAR"], id=f"P{number}") for number in range(MOST_PROVINCES + 1)}
    large = replace(
        board,
        name="large",
        provinces={**board.provinces, **many},
        army={**board.army, **dict.fromkeys(many, frozenset())},
    )
    with pytest.raises(InputError, match=f"at most {MOST_PROVINCES} provinces"):
        draw_turn(Turn(replace(turn.position, board=large)), many)
    with pytest.raises(InputError, match="at most 100 orders"):
        draw_core(["F ENG H"] * 101, [])


def test_the_same_picture_every_time() -> None:
    resolution = satdip.adjudicate(PANDIN)
    assert draw_turn(resolution) == draw_turn(satdip.adjudicate(PANDIN))
    assert draw_turn(resolution, places={}) == draw_turn(resolution, places={})
    arcs = [(0, 1), (1, 2), (2, 0)]
    assert draw_core("abc", arcs) == draw_core("abc", reversed(arcs))


# ---------------------------------------------------------------------- hostile texts

HOSTILE = "</title><script>alert(1)</script> & \"'\x00\x08\x1b\ud800 ]]> <!-- \n end"


def test_markup_and_control_characters_are_only_text(board: Board) -> None:
    """Names of a map file and the words of orders may hold anything."""
    named = {key: replace(value, name=HOSTILE) for key, value in board.provinces.items()}
    powers = {key: replace(value, name=HOSTILE) for key, value in board.powers.items()}
    hostile = replace(board, name=HOSTILE, provinces=named, powers=powers)
    turn = read_turn(PANDIN)
    position = replace(turn.position, board=hostile)
    unclear = Given("FRANCE", Unclear(HOSTILE, HOSTILE), HOSTILE)
    written = tuple(replace(item, text=HOSTILE) for item in turn.orders)
    resolution = satdip.adjudicate(Turn(position, (*written, unclear)))
    for svg in (
        draw_turn(resolution, title=HOSTILE),
        draw_turn(Turn(position, (*written, unclear))),
        draw_core([HOSTILE, "b"], [(0, 1), (1, 0)], HOSTILE),
    ):
        found = tree(svg)
        assert not list(found.iter(f"{SVG}script"))
        assert svg.count("<script") == 0
        assert any("<script>alert(1)</script>" in text for text in titles(svg))
        attributes = [value for element in found.iter() for value in element.attrib.values()]
        assert not any("alert" in value for value in attributes)


@given(st.text(st.characters(), max_size=40))
@settings(max_examples=60)
def test_any_text_at_all_is_well_formed(words: str) -> None:
    svg = draw_core([words, "other"], [(0, 1)], words)
    assert paint.clean(words) in texts(svg)


def test_ids_of_powers_and_places_are_never_attributes() -> None:
    """A board made in Python may have any id; drawsvg does not escape attributes."""
    resolution = satdip.adjudicate(PARADOX)
    values = [v for element in tree(draw_turn(resolution)).iter() for v in element.attrib.values()]
    for name in ("ENG", "LON", "FRANCE", "ENGLAND", "London"):
        assert not any(name in value for value in values)


# ---------------------------------------------------------------------- the standard map


def test_every_province_and_coast_of_the_standard_map_has_a_place(board: Board) -> None:
    places = known_places("standard")
    coasts = {at for at in board.fleet if "/" in at}
    assert places.keys() == board.provinces.keys() | coasts
    for one, other in combinations(board.provinces, 2):
        assert abs(complex(*places[one]) - complex(*places[other])) > 40, (one, other)


@pytest.mark.parametrize(
    ("west", "east"), [("POR", "SPA"), ("LON", "HOL"), ("PAR", "MUN"), ("ROM", "CON"), ("BRE", "WAR"), ("NAF", "SYR")]
)
def test_west_is_left(west: str, east: str) -> None:
    assert known_places("standard")[west][0] < known_places("standard")[east][0]


@pytest.mark.parametrize(
    ("north", "south"), [("EDI", "LON"), ("NWY", "DEN"), ("BER", "MUN"), ("MUN", "ROM"), ("STP", "SEV"), ("BRE", "NAF")]
)
def test_north_is_up(north: str, south: str) -> None:
    assert known_places("standard")[north][1] < known_places("standard")[south][1]


def test_provinces_do_not_cover_each_other(board: Board, ref_map: RefMap) -> None:
    for seed in range(5):
        units, orders = draw("coherent", seed, ref_map)
        svg = draw_turn(turn_of(units, orders, board))
        discs = [
            complex(float(circle.get("cx", "")), float(circle.get("cy", "")))
            for circle in tree(svg).iter(f"{SVG}circle")
            if circle.get("r") == str(DISC) and circle.get("class") != "satdip-rim-line"
        ]
        assert all(abs(one - other) > 2 * DISC for one, other in combinations(discs, 2))


# ---------------------------------------------------------------------- dependency graphs


def test_a_core_has_a_box_for_each_order_and_an_arrow_for_each_arc() -> None:
    names = ["F ENG C A BRE - LON", "F WAL - ENG", "F LON S F WAL - ENG"]
    svg = draw_core(names, [(0, 1), (1, 2), (2, 0)], "two resolutions")
    assert [title_of(g) for g in of_class(svg, "satdip-order")] == names
    assert [title_of(g) for g in of_class(svg, "satdip-depends")] == [
        f"{names[one]} depends on {names[other]}" for one, other in ((0, 1), (1, 2), (2, 0))
    ]


def boxes(svg: str) -> Iterator[tuple[float, float, float, float]]:
    for group in of_class(svg, "satdip-order"):
        frame = next(group.iter(f"{SVG}rect"))
        x, y, width, height = (float(frame.get(key, "")) for key in ("x", "y", "width", "height"))
        yield x, y, x + width, y + height


@pytest.mark.parametrize("number", [1, 2, 3, 7, 30, 100])
def test_boxes_of_a_core_stand_apart(number: int) -> None:
    svg = draw_core(
        [f"F P{n} C A P{n} - P{n + 1}" for n in range(number)], [(n, (n + 1) % number) for n in range(number)]
    )
    for one, other in combinations(boxes(svg), 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


# ---------------------------------------------------------------------- colours


def contrast(one: str, other: str) -> float:
    """WCAG 2: (L1 + 0.05) / (L2 + 0.05), the lighter first."""
    darker, lighter = sorted((paint.luminance(one), paint.luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("colour", [*paint.COLOURS.values(), *paint.MORE_COLOURS])
def test_powers_are_seen_on_light_and_on_dark_paper(colour: str) -> None:
    """WCAG 1.4.11 asks for 3:1 for graphics, 1.4.3 for 4.5:1 for text (the label on the unit)."""
    assert contrast(colour, paint.LIGHT["paper"]) >= 3
    assert contrast(colour, paint.DARK["paper"]) >= 3
    assert contrast(colour, paint.ink_on(colour)) >= 4.5


@pytest.mark.parametrize("palette", [paint.LIGHT, paint.DARK], ids=["light", "dark"])
def test_names_are_read_on_every_ground(palette: dict[str, str]) -> None:
    for ground in ("paper", "sea", "coast", "inland"):
        assert contrast(palette["ink"], palette[ground]) >= 7
        assert contrast(palette["cross"], palette[ground]) >= 3


def test_labels_tell_powers_apart() -> None:
    seven = labels(["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"])
    assert seven["FRANCE"] == "Fr"
    assert labels(["NORTHLAND", "NORTHMARK", "SOUTH"]) == {
        "NORTHLAND": "Northl",
        "NORTHMARK": "Northm",
        "SOUTH": "South",
    }
    colours = paint.power_colours(["FRANCE", *(f"P{number}" for number in range(11))])
    assert len(set(colours.values())) == 12
    assert colours["FRANCE"] == paint.COLOURS["FRANCE"]


# ---------------------------------------------------------------------- lines and layouts


points = st.complex_numbers(max_magnitude=1000, allow_nan=False, allow_infinity=False)


@given(points, points, st.sampled_from([0.0, 0.2, -0.4]))
def test_a_bow_keeps_its_ends_and_bows_by_its_bulge(start: complex, end: complex, bulge: float) -> None:
    line = lines.bow(start, end, bulge)
    assert abs(line[0] - start) < 1e-6
    assert abs(line[-1] - end) < 1e-6
    middle = (start + end) / 2
    assert abs(abs(lines.along(line, 0.5) - middle) - abs(bulge) * abs(end - start)) < 1 + 0.02 * abs(end - start)


def test_opposite_arrows_bow_apart() -> None:
    """Each to its own left: one of two eastward and westward arrows passes above, the other below."""
    east, west = lines.bow(0, 100, 0.2), lines.bow(100, 0, 0.2)
    assert lines.along(east, 0.5).imag == pytest.approx(-20)
    assert lines.along(west, 0.5).imag == pytest.approx(20)


def test_clipping_cuts_the_discs_off() -> None:
    line = lines.clipped(lines.bow(0, 200, 0.3), 35, 40)
    assert abs(line[0]) == pytest.approx(35, abs=0.1)
    assert abs(line[-1] - 200) == pytest.approx(40, abs=0.1)
    assert lines.length(lines.clipped((0, 10), 35, 35)) == 0


def test_a_wave_ends_where_its_line_ends() -> None:
    wave = lines.wavy((0j, 300 + 0j))
    assert abs(wave[0]) < 1
    assert wave[-1] == 300
    assert max(point.imag for point in wave) == pytest.approx(4.5, abs=0.3)
    assert lines.distance(wave, 290) < 0.1  # straight at its end


def test_layouts_keep_their_promises() -> None:
    rng = random.Random(3)
    places = {f"P{n}": complex(rng.randrange(300), rng.randrange(300)) for n in range(30)} | {"TWIN": 0j, "TWIN2": 0j}
    apart = spread(places, 50, rounds=2000)
    assert min(abs(apart[a] - apart[b]) for a, b in combinations(apart, 2)) > 48
    far = gathered({"A": 0j, "B": 1000 + 0j, "C": 1010 + 900j}, 100)
    assert far["B"].real < 500
    assert far["C"].real - far["B"].real == pytest.approx(10)
    assert scaled({"A": 0j, "B": 5 + 0j}, 100)["B"] == 100
    assert scaled({"A": 3j}, 100) == {"A": 3j}


def test_a_map_without_places_is_laid_out_by_its_borders() -> None:
    """A path of five: neighbours about one apart, the ends farthest from each other."""
    path = {str(n): [str(m) for m in (n - 1, n + 1) if 0 <= m < 5] for n in range(5)}
    places = by_distances(list(path), path)
    assert [abs(places[str(n)] - places[str(n + 1)]) for n in range(4)] == pytest.approx([1] * 4, abs=0.1)
    assert abs(places["0"] - places["4"]) == pytest.approx(4, abs=0.2)
    lonely = by_distances(["0", "X"], {"0": [], "X": []})
    assert lonely["0"] != lonely["X"]


def test_a_unit_that_is_not_there_is_told_beneath_the_picture(board: Board) -> None:
    turn = read_turn("France: A Par H")
    given = (*turn.orders, Given("FRANCE", Hold(UnitRef("MAR")), "A Mar H"))
    svg = draw_turn(satdip.adjudicate(Turn(turn.position, given)))
    assert any(text.startswith("Not drawn: France: A Mar H") for text in texts(svg))


def test_recorded_paradoxes_are_drawn(shared: Path) -> None:
    for paradox in json.loads((shared / "paradoxes.json").read_text(encoding="utf-8")):
        turn = read_turn(json.dumps({"orders": paradox["orders"]}))
        svg = draw_turn(satdip.adjudicate(turn))
        drawn = (
            len(of_class(svg, "satdip-move"))
            + len(of_class(svg, "satdip-support"))
            + len(of_class(svg, "satdip-convoy"))
        )
        assert drawn == len(turn.orders)
        assert {province_of(unit.location) for unit in turn.position.units} <= {t.partition("/")[0] for t in texts(svg)}
