"""Maps of one's own: read where the user names the file, refused in one sentence where a record would name them."""

from __future__ import annotations

import gc
import json
import pickle
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import satdip

from satdip import InputError, adjudicate
from satdip.board import Board
from satdip.board.mapfile import load_board, stated_board, stated_name
from satdip.board.seamaps import SHAPES, size_of
from satdip.games.game import Game, opening
from satdip.games.stream import adjudicate_many
from satdip.lab import certify
from satdip.notation import read_turn, write_record, write_sheet
from satdip.phase.turn import Turn
from satdip.rulebook import DATC
from satdip.telling.serialise import position_to_json, resolution_to_json, result_record

STANDARD = (Path(__file__).parents[2] / "maps" / "standard.toml").read_text(encoding="utf-8")
SHEET = "France:\n  A Paris - Burgundy\n"
SENTENCE = "is one of your own; records, sheets and saves can only name a map that comes with satdip"


@pytest.fixture(params=["house", "standard", "grid-3x3", "../standard", "standard.fr", "x" * 200])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A map file that calls itself as it likes; it ends the game at 10 centres."""
    path = tmp_path / "own.toml"
    text = STANDARD.replace('name = "standard"', f"name = {json.dumps(request.param)}").replace(
        "victory = 18", "victory = 10"
    )
    assert text.count("victory = 10") == 1
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("verb", [("adjudicate",), ("explain",), ("resolutions",)])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_map_file_is_named_on_the_command_line(verb: tuple[str, ...], language: str, own: Path) -> None:
    lang = [] if verb == ("resolutions",) else ["--lang", language]
    run = satdip(*verb, "-", "--map", own, *lang, stdin=SHEET.encode())
    assert (run.code, run.err) == (0, "")
    assert run.out


def turn_on(board: Board) -> Turn:
    return read_turn(SHEET, boards=lambda _: board)


WRITERS: dict[str, Callable[[Board, Path], object]] = {
    "record": lambda board, _: write_record(turn_on(board)),
    "sheet": lambda board, _: write_sheet(turn_on(board)),
    "position": lambda board, _: position_to_json(opening(board)),
    "result": lambda board, _: result_record(adjudicate(turn_on(board))),
    "json": lambda board, _: resolution_to_json(adjudicate(turn_on(board))),
    "save": lambda board, path: Game.start(board).save(path / "game.jsonl"),
    "save later": lambda board, path: Game.start(board).play({"FRANCE": ["A PAR - BUR"]}).save(path / "game.jsonl"),
    "many": lambda board, _: list(adjudicate_many([turn_on(board)])),
    "certificate": lambda board, _: certify(turn_on(board), DATC),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_would_name_it_is_refused_and_leaves_nothing(writer: str, own: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=SENTENCE):
        WRITERS[writer](load_board(own), tmp_path)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("adjudicate", "-", "--next"),
        ("adjudicate", "-", "--json"),
        ("adjudicate", "-", "--next", "--json"),
        ("generate", "dense"),
        ("generate", "dense", "--json", "--count", "3"),
    ],
)
def test_verbs_that_would_name_it_say_so(arguments: tuple[str, ...], own: Path) -> None:
    run = satdip(*arguments, "--map", own, stdin=SHEET.encode())
    assert (run.code, run.out) == (2, "")
    assert SENTENCE in run.err
    assert run.err.count("\n") == 1


def test_a_stream_takes_no_map(own: Path) -> None:
    run = satdip("adjudicate", "--stream", "-", "--map", own, stdin=b"")
    assert (run.code, run.out) == (2, "")
    assert "leave out --map" in run.err


@pytest.mark.parametrize("name", ["standard", "grid-3x3", "ring-5x2", "hub-4", "hex-2x2"])
def test_what_comes_with_satdip_is_stated_by_its_name(name: str) -> None:
    board = load_board(name)
    assert stated_board(stated_name(board)) is board
    copied = pickle.loads(pickle.dumps(board))
    assert stated_name(copied) == name
    with pytest.raises(InputError, match=SENTENCE):
        stated_name(replace(board, victory=board.victory + 1))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_generated_map_is_certified_by_nobody(shape: str, tmp_path: Path) -> None:
    """A certificate is about a map that everybody has; a record on a generated map is refused in one sentence."""
    name = {"grid": "grid-4x4", "hex": "hex-3x3", "ring": "ring-5", "hub": "hub-5"}[shape]
    board = load_board(name)
    record = write_record(Turn(opening(board)))
    run = satdip("certify", "-", "-o", tmp_path / "cert.json", stdin=json.dumps(record).encode())
    assert (run.code, run.out) == (2, "")
    assert f"a certificate names one of the maps standard; {name} is another one" in run.err
    assert list(tmp_path.iterdir()) == []
    assert satdip("adjudicate", "-", "--json", stdin=json.dumps(record).encode()).code == 0


def test_a_run_on_a_map_of_ones_own_writes_no_results(own: Path, tmp_path: Path) -> None:
    source = tmp_path / "phases.txt"
    source.write_text(f"map: {own}\n{SHEET}", encoding="utf-8")
    run = satdip("crosscheck", "--engine", "satdip", source, "--output", tmp_path / "results.jsonl")
    assert run.code == 2
    assert "is a file; a record or sheet names a map that comes with satdip" in run.err
    results = tmp_path / "results.jsonl"
    assert not results.exists() or results.read_text(encoding="utf-8").count("\n") <= 1


def test_a_name_of_a_map_leads_nowhere(tmp_path: Path) -> None:
    """Names in other languages, places and pictures of a map are shipped files; no name of a map leads elsewhere."""
    from satdip.base.shipped import read

    for path in (
        "maps/../../pyproject.toml",
        "/etc/hostname",
        "../README.md",
        "maps/./standard.toml",
        "maps//x",
        "a\0b",
        "",
    ):
        with pytest.raises(FileNotFoundError):
            read(path)
    assert read("maps/standard.toml")


def test_a_map_that_is_too_large_is_not_stated() -> None:
    """A few letters would cost seconds, and as many bytes as a person has patience."""
    for name in ("hex-200x200", "hex-150x150", "ring-40000", "ring-20001x3", "grid-999999x999999"):
        with pytest.raises(InputError, match=f"the map {name} is too large to be stated"):
            stated_board(name)


@pytest.mark.parametrize("name", ["grid-7x9", "hex-7x9", "ring-7", "ring-7x3", "hub-7"])
def test_the_size_of_a_map_is_known_before_it_is_drawn(name: str) -> None:
    found = len(load_board(name).provinces)
    assert abs(size_of(name) - found) <= 0.2 * found


def test_a_stream_of_ever_new_maps_keeps_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdip.board.seamaps.MOST_KEPT", 1000)
    made: list[weakref.ref[Board]] = []

    def phases() -> Iterator[dict[str, object]]:
        for size in range(2, 60):
            yield {"map": f"ring-{size}", "units": {"RED": ["A B_0"]}, "orders": {"RED": ["A B_0 H"]}}

    for resolution in adjudicate_many(phases(), lambda resolution: resolution):
        made.append(weakref.ref(resolution.position.board))
    del resolution
    gc.collect()
    alive = [board() for board in made]
    assert sum(len(board.provinces) for board in alive if board is not None) <= 1000 + 5 * 60
