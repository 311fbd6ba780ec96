"""Games of webDiplomacy: what is read is what was played, and what cannot be read is refused with the field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from support.saved_games import BURGUNDY, FRANCE, GAME, PARIS, WEB_RECORDS, YORKSHIRE

from satdip.base.errors import InputError
from satdip.board import Board
from satdip.crosschecking.records import read_games
from satdip.crosschecking.records.tables import table
from satdip.notation import read_record


def as_history(game: Mapping[str, Any]) -> dict[str, Any]:
    """The same game as a file ``history.json`` has it: kinds under another name, true and false, null."""

    def changed(key: str, value: Any) -> Any:
        return {"Yes": True, "No": False}.get(value, value) if isinstance(value, str) else value or None

    phases = []
    for phase in game["phases"]:
        units = [{"type" if k == "unitType" else k: changed(k, v) for k, v in u.items()} for u in phase["units"]]
        orders = [{k: changed(k, v) for k, v in order.items()} for order in phase["orders"]]
        phases.append({**phase, "units": units, "orders": orders})
    return {"schema": 1, "gameID": game["gameID"], "file": "history", "variantID": 1, "phases": phases}


@pytest.mark.parametrize("game", [GAME, as_history(GAME)], ids=["status", "history"])
def test_a_game_of_webdiplomacy_is_read(game: Mapping[str, Any]) -> None:
    records = list(read_games(json.dumps(game)))
    assert records == WEB_RECORDS
    for record in records:
        read_record(record)


def start_units(board: Board) -> list[dict[str, Any]]:
    numbers = {at: number for number, at in enumerate(table("webdiplomacy")["territories"], start=1)}
    countries = table("webdiplomacy")["countries"]
    return [
        {"type": "Army" if kind == "A" else "Fleet", "terrID": numbers[at], "countryID": countries.index(power.id) + 1}
        for power in board.powers.values()
        for kind, at in power.start
    ]


def test_a_history_that_names_no_variant_must_begin_at_the_start(board: Board) -> None:
    units = start_units(board)
    order = {"countryID": FRANCE, "terrID": PARIS, "unitType": "Army", "type": "Move", "toTerrID": BURGUNDY}
    game = {"phases": [{"turn": 0, "phase": "Diplomacy", "units": units, "centers": [], "orders": [order]}]}
    (record,) = read_games(json.dumps(game))
    assert record["orders"] == {"FRANCE": ["A PAR - BUR"]}
    units[0]["terrID"] = YORKSHIRE
    with pytest.raises(InputError, match="a game without variantID must begin with the first units"):
        list(read_games(json.dumps(game)))


def test_a_last_position_with_two_units_in_a_province_is_no_next_position() -> None:
    """A game that ends before the retreats still lists dislodged units where they were."""
    game = json.loads(json.dumps(GAME))
    game["phases"] = [game["phases"][0], {**game["phases"][1], "phase": "Finished"}]
    game["phases"][1]["orders"] = []
    for one in game["phases"][1]["units"]:
        one["retreating"] = "No"
    (record,) = read_games(json.dumps(game))
    assert not any(key.startswith("next_") for key in record)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (("variantID",), 15, "at $.variantID: only variant 1, Classic, can be read"),
        (("phases", 0, "phase"), "Winter", "at $.phases[0].phase: Diplomacy, Retreats, Builds or Finished"),
        (("phases", 1, "turn"), -1, "at $.phases[1].turn: the number of a turn is expected here, not -1"),
        (("phases", 0, "units"), None, "at $.phases[0].units: a list is expected here, not None"),
        (("phases", 0, "units", 2), 7, "at $.phases[0].units[2]: an object is expected here, not 7"),
        (("phases", 0, "units", 2, "terrID"), 82, "$.phases[0].units[2].terrID: the number of a territory"),
        (("phases", 0, "units", 2, "terrID"), True, "$.phases[0].units[2].terrID: the number of a territory"),
        (("phases", 0, "units", 2, "countryID"), 0, "$.phases[0].units[2].countryID: the number of a country"),
        (("phases", 0, "units", 2, "unitType"), "Plane", "$.phases[0].units[2].unitType: Army or Fleet"),
        (("phases", 0, "orders", 1, "type"), "Pray", "$.phases[0].orders[1].type: the type of an order"),
        (("phases", 0, "orders", 1, "fromTerrID"), 0, "$.phases[0].orders[1].fromTerrID: the number of a territory"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_field(path: tuple[Any, ...], value: Any, told: str) -> None:
    game = json.loads(json.dumps(GAME))
    holder = game
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(InputError) as error:
        list(read_games(json.dumps(game), "status.json"))
    assert told in str(error.value)
    assert str(error.value).startswith("status.json, line 1, ")


def test_territories_and_orders_are_those_of_the_package() -> None:
    """The package talks to webDiplomacy; it has the numbers from elsewhere."""
    pytest.importorskip("diplomacy")
    from diplomacy.integration.webdiplomacy_net.orders import Order as PackageOrder
    from diplomacy.integration.webdiplomacy_net.utils import CACHE

    names = table("webdiplomacy")
    assert CACHE[1]["locs"][1:] == names["territories"]
    assert CACHE[1]["powers"][1:] == names["countries"]
    phases = {"M": "Diplomacy", "R": "Retreats", "A": "Builds"}
    texts = {
        "M": ["A PAR H", "A PAR - BUR", "A BRE - LON VIA", "F STP/SC - BOT", "F ENG C A BRE - LON", "F MAO - SPA/NC"],
        "R": ["A PAR R GAS", "F STP/NC R BAR", "A PAR D"],
        "A": ["A PAR B", "F STP/NC B", "A PAR D", "WAIVE"],
    }
    for letter, orders in texts.items():
        for text in orders:
            order = PackageOrder(text, map_id=1, phase_type=letter).to_dict()
            phase = {"turn": 1, "phase": phases[letter], "units": [], "centers": []}
            phase["orders"] = [{"countryID": FRANCE, **order}]
            (record,) = read_games(json.dumps({"variantID": 1, "phases": [phase]}))
            assert record["orders"] == {"FRANCE": [text]}
