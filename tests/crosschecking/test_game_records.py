"""Files of games: told by what they contain, and those of the diplomacy package are read as they were played."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.saved_games import GAME, LOG, RECORDS, WEB_RECORDS

from satdip.base.errors import InputError
from satdip.crosschecking.records import game_records
from satdip.notation import read_record

# ---------------------------------------------------------------------- games that the package has saved


def saved_game(seed: int) -> tuple[dict[str, Any], list[dict[str, list[str]]]]:
    """Let the package play some phases at random; return what it saves, and the units that it had on the board."""
    game_module = pytest.importorskip("diplomacy")
    export = pytest.importorskip("diplomacy.utils.export")
    rng = random.Random(seed)
    game = game_module.Game(game_id=f"game-{seed}")
    boards = []
    while not game.is_game_done and len(boards) < 8:
        boards.append({power: list(units) for power, units in game.get_units().items()})
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [rng.choice(possible[at]) for at in places if possible[at]])
        game.process()
    boards.append({power: list(units) for power, units in game.get_units().items()})
    return export.to_saved_game_format(game), boards


def test_games_of_the_package_are_read(tmp_path: Path) -> None:
    saved = [saved_game(seed) for seed in range(2)]
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(json.dumps(game) for game, _ in saved).encode()))
    records = list(game_records(file))
    for number, (_, boards) in enumerate(saved):
        of_game = [record for record in records if record["game"] == f"game-{number}"]
        assert len(of_game) == len(boards) - 1
        for record, before, after in zip(of_game, boards, boards[1:], strict=False):
            read_record(record)
            assert record["units"] == {p: [u for u in units if u[0] != "*"] for p, units in before.items()}
            assert record["next_units"] == {p: [u for u in units if u[0] != "*"] for p, units in after.items()}


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("content", "records"),
    [
        (LOG, RECORDS),
        (json.dumps(GAME), WEB_RECORDS),
        (json.dumps(GAME, indent=1), WEB_RECORDS),
        (f"{json.dumps(GAME)}\n\n{json.dumps(GAME)}\n", WEB_RECORDS * 2),
    ],
    ids=["log", "game", "indented", "lines"],
)
def test_a_file_is_told_by_what_it_contains(
    content: str, records: list[dict[str, Any]], packed: bool, tmp_path: Path
) -> None:
    data = content.encode()
    file = tmp_path / "anything"
    file.write_bytes(gzip.compress(data) if packed else data)
    assert list(game_records(file)) == records


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{}", "line 1: this is no game; what can be read are games saved by the diplomacy package"),
        (b"", "line 1, column 1: this is not JSON"),
        (b"hello", "line 1, column 1: this is not JSON"),
        (json.dumps(GAME).encode() + b"\n{}", "line 2: this is no game"),
        (b"\x1f\x8bjunk", "the file cannot be read"),
        (b"NOW ( SPR 1901 ) \xff", "is not UTF-8 text"),
    ],
)
def test_a_file_of_something_else_is_refused(content: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(InputError) as error:
        list(game_records(file))
    assert told in str(error.value)
    assert str(file) in str(error.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file cannot be read"):
        list(game_records(tmp_path / "missing"))
