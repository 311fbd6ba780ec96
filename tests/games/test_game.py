"""Games: phase after phase, who owns which centre, who has won, and saving (rulebook of 1971, XIII)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.positions import Powers, position_of, retreat_orders

from satdip import Board, Game, InputError, Position, adjudicate, adjudicate_many, opening
from satdip.board import UnitKind
from satdip.check.adjustments import allowance
from satdip.notation import read_record, read_sheet, read_turn, write_record, write_sheet
from satdip.phase.position import Phase, PhaseKind, Season
from satdip.resolve.resolution import Resolution
from satdip.rulebook import (
    PROFILES,
    Paradox,
    Removal,
    Rulebook,
    differing,
    issues,
    rulebook_named,
    rulebook_of,
    spelled,
)

Centres = dict[str, str]
"""Power -> the centres that it owns, separated by spaces."""


def game_at(phase: str, units: Powers, centres: Centres, board: Board) -> Game:
    """Return a game that begins in the middle."""
    owned = {power: frozenset(ids.split()) for power, ids in centres.items()}
    return Game(replace(position_of(units, board, phase), centres=owned))


def owned(game: Game) -> Centres:
    return {power: " ".join(sorted(ids)) for power, ids in game.position.centres.items() if ids}


def units(game: Game) -> dict[str, list[str]]:
    by_power: dict[str, list[str]] = {}
    for unit in game.position.units:
        by_power.setdefault(unit.power, []).append(str(unit))
    return {power: sorted(texts) for power, texts in by_power.items()}


# ---------------------------------------------------------------------- a year


def test_the_opening(board: Board) -> None:
    position = opening()
    assert str(position.phase) == "S1901M"
    assert len(position.units) == sum(map(len, position.centres.values())) == 22
    assert set(position.centres) == set(board.powers)
    for power, ids in position.centres.items():
        assert {unit.province for unit in position.units if unit.power == power} == ids
    assert str(opening(year=1).phase) == "S1M"


@pytest.fixture
def spring(board: Board) -> Game:
    """France with Burgundy and Marseilles, Germany with Munich, Ruhr and Piedmont."""
    holders: Powers = {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN", "A RUH", "A PIE"]}
    return game_at("S1901M", holders, {"FRANCE": "MAR PAR", "GERMANY": "BER KIE MUN"}, board)


def test_a_year(spring: Game) -> None:
    retreat = spring.play({"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]})
    assert str(retreat.position.phase) == "S1901R"
    assert [str(item.unit) for item in retreat.position.dislodged] == ["A BUR"]
    assert units(retreat) == {"FRANCE": ["A MAR"], "GERMANY": ["A BUR", "A PIE", "A RUH"]}

    autumn = retreat.play({"FRANCE": ["A BUR R GAS"]})
    assert str(autumn.position.phase) == "F1901M"
    assert units(autumn)["FRANCE"] == ["A GAS", "A MAR"]
    assert owned(autumn) == owned(spring), "centres do not change in spring"

    second_retreat = autumn.play({"GERMANY": ["A BUR - MAR", "A PIE S A BUR - MAR"], "FRANCE": ["A GAS H"]})
    assert str(second_retreat.position.phase) == "F1901R"
    assert owned(second_retreat) == owned(spring), "centres do not change before the autumn retreats"

    winter = second_retreat.play({"FRANCE": ["A MAR R SPA"]})
    assert str(winter.position.phase) == "W1901A"
    assert owned(winter) == {"FRANCE": "PAR SPA", "GERMANY": "BER KIE MAR MUN"}, "Spain was taken by the retreat"

    next_spring = winter.play({"GERMANY": ["Build A Munich"]})
    assert str(next_spring.position.phase) == "S1902M"
    assert units(next_spring) == {"FRANCE": ["A GAS", "A SPA"], "GERMANY": ["A MAR", "A MUN", "A PIE", "A RUH"]}
    assert [str(resolution.position.phase) for resolution in next_spring.played] == [
        "S1901M",
        "S1901R",
        "F1901M",
        "F1901R",
        "W1901A",
    ]


def test_playing_makes_a_new_game_and_leaves_the_old_one(spring: Game) -> None:
    position = spring.position
    first, second = spring.play({"FRANCE": ["A MAR - SPA"]}), spring.play({})
    assert (spring.position, spring.played) == (position, ())
    assert units(first)["FRANCE"] == ["A BUR", "A SPA"]
    assert units(second)["FRANCE"] == ["A BUR", "A MAR"]


# ---------------------------------------------------------------------- phases without anything to do


def test_no_retreats_when_nobody_is_dislodged(spring: Game) -> None:
    assert str(spring.play({}).position.phase) == "F1901M"


def test_no_retreats_when_the_dislodged_unit_has_nowhere_to_go(board: Board) -> None:
    """Portugal touches only Spain and the Mid-Atlantic Ocean."""
    holders: Powers = {"FRANCE": ["A SPA", "F MAO"], "ENGLAND": ["A POR"]}
    game = game_at("S1901M", holders, {"FRANCE": "BRE MAR PAR SPA", "ENGLAND": "LON"}, board)
    game = game.play({"FRANCE": ["A SPA - POR", "F MAO S A SPA - POR"]})
    assert str(game.position.phase) == "F1901M"
    assert [str(unit) for unit in game.played[-1].removed] == ["A POR"]
    assert units(game) == {"FRANCE": ["A POR", "F MAO"]}


@pytest.mark.parametrize(
    ("holders", "centres", "phase"),
    [
        pytest.param({"FRANCE": ["A BUR"]}, {"FRANCE": "PAR"}, "S1902M", id="as many units as centres"),
        pytest.param({"FRANCE": ["A BUR"]}, {"FRANCE": "PAR BRE"}, "W1901A", id="something to build"),
        pytest.param({"FRANCE": ["A BUR", "A GAS"]}, {"FRANCE": "PAR"}, "W1901A", id="something to remove"),
        pytest.param({"FRANCE": ["A PAR"]}, {"FRANCE": "PAR BEL"}, "S1902M", id="no vacant home centre"),
        pytest.param({"FRANCE": ["A BUR"]}, {"FRANCE": "SPA BEL"}, "S1902M", id="no home centre"),
        pytest.param({"FRANCE": ["A BUR"], "ITALY": ["A TUS"]}, {"FRANCE": "PAR"}, "W1901A", id="no centre at all"),
        pytest.param({"FRANCE": ["A BUR"]}, {}, "S1902M", id="nobody knows who owns what"),
    ],
)
def test_winter_comes_when_somebody_has_something_to_do(
    holders: Powers, centres: Centres, phase: str, board: Board
) -> None:
    assert str(game_at("F1901M", holders, centres, board).play({}).position.phase) == phase


# ---------------------------------------------------------------------- centres


def test_a_centre_is_taken_at_the_end_of_autumn_only(board: Board) -> None:
    game = game_at("S1901M", {"FRANCE": ["A BUR"]}, {"FRANCE": "PAR"}, board)
    passed_through = game.play({"FRANCE": ["A BUR - BEL"]}).play({"FRANCE": ["A BEL - PIC"]})
    assert owned(passed_through) == {"FRANCE": "PAR"}
    stayed = game.play({"FRANCE": ["A BUR - BEL"]}).play({"FRANCE": ["A BEL H"]})
    assert owned(stayed) == {"FRANCE": "BEL PAR"}


def test_a_centre_that_is_left_empty_stays_with_its_owner(board: Board) -> None:
    game = game_at("F1901M", {"FRANCE": ["A BEL"], "GERMANY": ["A HOL"]}, {"FRANCE": "BEL", "GERMANY": "HOL"}, board)
    game = game.play({"FRANCE": ["A BEL - BUR"], "GERMANY": ["A HOL - RUH"]})
    assert owned(game) == {"FRANCE": "BEL", "GERMANY": "HOL"}
    taken = game.play({"GERMANY": ["A RUH - BEL"]}).play({})
    assert owned(taken) == {"GERMANY": "BEL HOL"}, "until another power stands on it after an autumn"


def test_a_unit_that_is_no_longer_there_takes_nothing(board: Board) -> None:
    holders: Powers = {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A BEL"]}
    game = game_at("F1901M", holders, {"FRANCE": "PAR", "GERMANY": "HOL"}, board)
    game = game.play({"FRANCE": ["A BUR - BEL", "A PIC S A BUR - BEL"], "GERMANY": ["A BEL H"]})
    assert owned(game.play({"GERMANY": ["A BEL R RUH"]})) == {"FRANCE": "BEL PAR", "GERMANY": "HOL"}


def test_a_power_may_lose_its_last_centre(board: Board) -> None:
    game = game_at("F1901M", {"FRANCE": ["A SER"], "TURKEY": ["A BUL"]}, {"FRANCE": "PAR", "TURKEY": "SER"}, board)
    game = game.play({})
    assert owned(game) == {"FRANCE": "PAR SER", "TURKEY": "BUL"}
    game = game_at("F1901M", {"FRANCE": ["A SER"], "TURKEY": ["A SYR"]}, {"FRANCE": "PAR", "TURKEY": "SER"}, board)
    winter = game.play({})
    assert str(winter.position.phase) == "W1901A"
    assert units(winter.play({})) == {"FRANCE": ["A SER"]}


# ---------------------------------------------------------------------- victory

SEVENTEEN = "ANK CON SMY SEV MOS WAR STP RUM BUL GRE SER BUD VIE TRI VEN ROM NAP"


@pytest.fixture
def nearly_won(board: Board) -> Game:
    """Turkey owns 17 centres and stands before Munich, which an Italian army holds."""
    holders: Powers = {"TURKEY": ["A TYR", "A BOH"], "ITALY": ["A MUN"], "FRANCE": ["A BUR"]}
    return game_at("F1910M", holders, {"TURKEY": SEVENTEEN, "ITALY": "MUN TUN", "FRANCE": "PAR"}, board)


TAKE_MUNICH: Powers = {"TURKEY": ["A TYR - MUN", "A BOH S A TYR - MUN"]}


def test_eighteen_centres_win_after_the_autumn_retreats(nearly_won: Game) -> None:
    assert nearly_won.winner is None
    retreats = nearly_won.play(TAKE_MUNICH)
    assert (str(retreats.position.phase), retreats.winner) == ("F1910R", None)
    won = retreats.play({"ITALY": ["A MUN R RUH"]})
    assert len(won.position.centres["TURKEY"]) == 18
    assert won.winner == won.played[-1].winner == "TURKEY"
    with pytest.raises(InputError, match="the game is over: TURKEY has won"):
        won.play({"TURKEY": ["Build A Constantinople"]})
    with pytest.raises(InputError, match="the game is over"):
        won.play({})


def test_seventeen_centres_do_not_win(nearly_won: Game) -> None:
    after = nearly_won.play({})
    assert len(after.position.centres["TURKEY"]) == 17
    assert after.winner is None


def test_eighteen_centres_that_a_unit_only_stands_on_do_not_win_in_spring(nearly_won: Game) -> None:
    spring = replace(nearly_won, position=replace(nearly_won.position, phase=Phase.parse("S1910M")))
    autumn = spring.play(TAKE_MUNICH).play({"ITALY": ["A MUN R KIE"]})
    assert (str(autumn.position.phase), autumn.winner) == ("F1910M", None)
    assert autumn.play({}).winner == "TURKEY"


@pytest.mark.parametrize(
    ("number", "centres", "wins"),
    [
        (5, {"AUSTRIA": "BUD TRI VIE SER RUM", "TURKEY": "ANK CON SMY BUL GRE SEV"}, "TURKEY"),
        (5, {"TURKEY": "ANK CON SMY BUL GRE SEV", "AUSTRIA": "BUD TRI VIE SER RUM"}, "TURKEY"),
        (5, {"AUSTRIA": "BUD TRI VIE SER RUM", "TURKEY": "ANK CON SMY BUL GRE"}, None),
        (5, {"AUSTRIA": "BUD TRI VIE SER", "TURKEY": "ANK CON SMY BUL"}, None),
        (5, {"AUSTRIA": "BUD TRI VIE SER RUM", "TURKEY": "ANK CON SMY BUL GRE", "ITALY": "ROM NAP VEN"}, None),
        (1, {"AUSTRIA": "BUD", "TURKEY": "ANK", "ITALY": "ROM NAP"}, "ITALY"),
        (1, {}, None),
    ],
)
def test_of_several_with_enough_centres_the_one_with_most_wins(
    number: int, centres: dict[str, str], wins: str | None, board: Board
) -> None:
    """Where half of the centres or fewer win; of equals none has won yet."""
    small = replace(board, victory=number)
    assert game_at("W1905A", {}, centres, small).play({}).winner == wins


# ---------------------------------------------------------------------- the last year

NO_YEAR = r"there is no phase '[SFW]10000[MA]': years go from 0 to 9999, as in S1901M"


def test_the_last_year_has_every_phase_and_none_follows(board: Board, tmp_path: Path) -> None:
    """A game can be saved and loaded wherever it stands."""
    game = game_at("S9999M", {"FRANCE": ["A BUR"]}, {"FRANCE": "MAR PAR"}, board).play({}).play({})
    assert str(game.position.phase) == "W9999A"
    game.save(tmp_path / "game.jsonl")
    assert Game.load(tmp_path / "game.jsonl").position == game.position
    with pytest.raises(InputError, match=NO_YEAR):
        game.play({})


@pytest.mark.parametrize(
    "door",
    [
        lambda: opening(year=10_000),
        lambda: Phase.parse("S10000M"),
        lambda: Phase(Season.WINTER, 10_000, PhaseKind.ADJUSTMENTS),
        lambda: Phase.parse("W9999A").next(dislodged=False),
        lambda: adjudicate({"phase": "W9999A", "units": {}, "centers": {"FRANCE": ["PAR"]}, "orders": {}}),
        lambda: adjudicate({"phase": "F9999M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}),
        lambda: adjudicate({"phase": "S10000M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}),
        lambda: read_turn("phase: printemps 10000, mouvements\nFrance : A Paris tient"),
    ],
)
def test_no_door_lets_a_year_of_five_digits_in(door: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=NO_YEAR):
        door()


def test_a_year_of_thousands_of_digits_is_told_short() -> None:
    with pytest.raises(InputError, match=r"there is no phase 'S9{19}\.\.\.': years go from 0 to 9999"):
        Phase.parse(f"S{'9' * 5000}M")


def test_there_is_no_year_before_the_first() -> None:
    with pytest.raises(InputError, match="there is no phase 'S-1M': years go from 0 to 9999"):
        opening(year=-1)


# ---------------------------------------------------------------------- orders that cannot be


@pytest.mark.parametrize(
    ("orders", "says"),
    [
        ({"ATLANTIS": ["A PAR H"]}, "'ATLANTIS' is no power of this map; its powers are AUSTRIA, ENGLAND, FRANCE"),
        ({"FRANCE": ["A PAR goes fishing"]}, "goes"),
        ({"FRANCE": ["A PAR"]}, "without an order"),
    ],
)
def test_unreadable_orders_are_refused(orders: Powers, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        Game.start().play(orders)


def test_orders_that_make_no_sense_are_adjudicated() -> None:
    game = Game.start().play({"FRANCE": ["A PAR - LON", "F EDI - NTH", "Build A Paris"], "ENGLAND": ["F LON - BUR"]})
    assert [str(result.outcome) for result in game.played[-1].orders[:4]] == ["illegal"] * 4
    assert set(game.position.units) == set(opening().units)


# ---------------------------------------------------------------------- saving and loading


def record_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def state(position: Position | None) -> object:
    """What makes two positions the same: the order in which units are listed means nothing."""
    assert position is not None
    centres = {power: ids for power, ids in position.centres.items() if ids}
    return position.phase, set(position.units), set(position.dislodged), centres


def same(first: Game, second: Game) -> bool:
    """Return whether two games went the same way."""

    def course(game: Game) -> list[object]:
        return [(state(r.position), state(r.next), r.rules, r.winner, set(r.removed)) for r in game.played]

    return state(first.position) == state(second.position) and course(first) == course(second)


@pytest.fixture
def stages(spring: Game) -> list[Game]:
    """A game after each of its phases: movement, retreats, movement, adjustment."""
    games = [spring]
    for orders in (
        {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "FRANCE": ["A MAR - GAS"]},
        {"FRANCE": ["A BUR R BEL"]},
        {"FRANCE": ["A GAS - SPA"], "GERMANY": ["A PIE - MAR"]},
        {"GERMANY": ["Build A Munich"]},
    ):
        games.append(games[-1].play(orders))
    return games


@pytest.mark.parametrize("played", range(5))
def test_a_saved_game_is_loaded_as_it_was(stages: list[Game], played: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    stages[played].save(path)
    loaded = Game.load(path)
    assert same(loaded, stages[played])
    assert loaded.rules == stages[played].rules
    again = tmp_path / "again.jsonl"
    loaded.save(again)
    assert record_lines(again) == record_lines(path)


def test_a_saved_game_is_one_record_a_line(stages: list[Game], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    stages[-1].save(path)
    records = record_lines(path)
    phases = ["S1901M", "S1901R", "F1901M", "W1901A", "S1902M"]
    assert [record["phase"] for record in records] == phases
    assert [record.get("next_phase") for record in records] == [*phases[1:], None]
    assert [("orders" in record) for record in records] == [True] * 4 + [False]
    assert {record["rules"] for record in records} == {"datc"}
    assert list(tmp_path.iterdir()) == [path], "nothing half-written is left behind"


def test_a_saved_game_is_saved_over(stages: list[Game], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    stages[3].save(path)
    stages[1].save(path)
    assert same(Game.load(path), stages[1])


def test_a_loaded_game_goes_on(stages: list[Game], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    stages[2].save(path)
    orders = {"FRANCE": ["A GAS - SPA"], "GERMANY": ["A PIE - MAR"]}
    assert same(Game.load(path).play(orders), stages[3])


def test_a_game_keeps_its_rules(spring: Game, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    replace(spring, rules=rulebook_named("2023")).play({}).save(path)
    assert Game.load(path).rules == rulebook_named("2023")
    assert Game.load(path).played[0].rules == "2023"


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        pytest.param({1: None}, 2, "leads to another position of S1901R", id="a phase left out"),
        pytest.param({1: {"units": {"FRANCE": ["A GAS"]}}}, 2, "another position", id="units that vanish"),
        pytest.param({2: {"phase": "F1902M"}}, 3, "another position of F1901M", id="another phase"),
        pytest.param({3: {"centers": {"FRANCE": ["PAR"]}}}, 4, "another position", id="centres that change"),
        pytest.param({1: {"retreats": {"A BUR": ["PAR"]}}}, 2, "another position", id="retreats that were not open"),
        pytest.param({2: {"rules": "2023"}}, 3, "by the rules 'datc', this record by '2023'", id="other rules"),
        pytest.param({0: {"rules": "1066"}}, 1, "no rulebook is called '1066'", id="unknown rules"),
        pytest.param({0: {"orders": {"FRANCE": ["A MAR - GAS"]}}}, 2, "another position", id="other orders"),
        pytest.param({1: {"orders": {"FRANCE": ["go"]}}}, 2, "'go'", id="an order that is none"),
    ],
)
def test_a_file_whose_phases_do_not_fit_is_refused(
    change: dict[int, dict[str, object] | None], line: int, says: str, stages: list[Game], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    stages[-1].save(path)
    records = [record | (change.get(number, {}) or {}) for number, record in enumerate(record_lines(path))]
    kept = [json.dumps(record) for number, record in enumerate(records) if change.get(number, {}) is not None]
    path.write_text("\n".join(kept), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        Game.load(path)
    assert str(caught.value).startswith(f"{path}, line {line}")
    assert says in str(caught.value)


def test_an_empty_file_is_no_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no phase record"):
        Game.load(path)


def test_a_saved_game_does_not_go_on_after_a_victory(nearly_won: Game, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    won = nearly_won.play(TAKE_MUNICH).play({"ITALY": ["A MUN R RUH"]})
    won.save(path)
    assert Game.load(path).winner == "TURKEY"
    records = record_lines(path)
    path.write_text("\n".join(json.dumps(r) for r in [*records[:-1], records[-1] | {"orders": {}}]), encoding="utf-8")
    with pytest.raises(InputError, match="line 3: the game is over: TURKEY has won"):
        Game.load(path)


# ---------------------------------------------------------------------- laws of random play


def movement_orders(rng: random.Random, position: Position) -> Powers:
    """Orders that a player could give: moves, and supports of the moves and holds of any power."""
    board = position.board
    moves = {unit: rng.choice(sorted(board.reach(unit.kind, unit.location))) for unit in position.units}
    idle = {unit for unit in position.units if rng.random() < 0.5}
    orders: dict[str, list[str]] = {}
    for unit in position.units:
        text = f"{unit} - {moves[unit]}"
        if unit in idle:
            near = board.reach_provinces(unit.kind, unit.location)
            helped = [other for other in position.units if other not in idle and moves[other].partition("/")[0] in near]
            kept = [other for other in idle if other.province in near]
            options = [f"{unit} S {other} - {moves[other]}" for other in helped if other is not unit]
            text = rng.choice(sorted(options) or sorted(f"{unit} S {other}" for other in kept) or [f"{unit} H"])
        orders.setdefault(unit.power, []).append(text)
    return orders


def adjustment_orders(rng: random.Random, position: Position) -> Powers:
    """Builds and removals, not always as many as there should be."""
    board = position.board
    orders: dict[str, list[str]] = {}
    for power in board.powers.values():
        spare = allowance(position, power.id)
        count = max(0, abs(spare) + rng.choice((-1, 0, 0, 1)))
        own = sorted(str(unit) for unit in position.units if unit.power == power.id)
        places = [
            f"{kind} {at}" for home in sorted(power.home) for kind in UnitKind for at in board.locations(kind, home)
        ]
        pool = [f"{unit} D" for unit in own] if spare < 0 else [f"{place} B" for place in places]
        orders[power.id] = rng.sample(pool, min(count, len(pool)))
    return orders


GIVE = {
    PhaseKind.MOVEMENT: movement_orders,
    PhaseKind.RETREATS: retreat_orders,
    PhaseKind.ADJUSTMENTS: adjustment_orders,
}


def check_centres(resolution: Resolution) -> None:
    """Centres change at the end of autumn, and only to the power whose unit stands there."""
    before, after = resolution.position, resolution.following
    old = {centre: power for power, ids in before.centres.items() for centre in ids}
    new = {centre: power for power, ids in after.centres.items() for centre in ids}
    standing = {unit.province: unit.power for unit in after.units}
    autumn_is_over = before.phase.season == Season.FALL and after.phase.season != Season.FALL
    if autumn_is_over:
        assert new == old | {at: power for at, power in standing.items() if at in before.board.centres}
    else:
        assert new == old


def check_units(resolution: Resolution) -> None:
    """Units neither appear nor vanish but by dislodgement, retreats, builds and removals."""
    before, after = resolution.position, resolution.following
    there = [*before.units, *(item.unit for item in before.dislodged)]
    here = [*after.units, *(item.unit for item in after.dislodged)]
    for power in before.board.powers:
        gone = sum(unit.power == power for unit in resolution.removed)
        new = sum(unit.power == power for unit in resolution.built)
        assert sum(u.power == power for u in here) == sum(u.power == power for u in there) - gone + new
    for unit in resolution.built:
        assert unit.province in before.board.powers[unit.power].home
    if before.phase.kind == PhaseKind.ADJUSTMENTS:
        for power in before.board.powers:
            assert allowance(after, power) >= 0
            assert allowance(before, power) >= 0 or allowance(after, power) == 0, "removals make the numbers equal"


def check_readable(resolution: Resolution) -> None:
    """What is written of a phase is read back as the same phase, with the same outcome."""
    turn = resolution.turn
    for read in (read_record(json.loads(json.dumps(write_record(turn)))), read_sheet(write_sheet(turn))):
        again = adjudicate(read)
        assert state(read.position) == state(turn.position)
        assert state(again.following) == state(resolution.following)
        assert outcomes(again) == outcomes(resolution)


def outcomes(resolution: Resolution) -> list[tuple[str, str, str]]:
    return sorted((result.power, str(result.unit), str(result.outcome)) for result in resolution.orders)


def check_phases(game: Game) -> None:
    """The phases follow one another, and those that are left out had nothing in them."""
    positions = [*(resolution.position for resolution in game.played), game.position]
    for before, after in pairwise(positions):
        expected = before.phase.next(dislodged=bool(after.dislodged))
        if expected.kind == PhaseKind.ADJUSTMENTS and after.phase != expected:
            for power in after.board.powers:
                vacant = set(after.board.powers[power].home) & set(after.centres[power])
                vacant -= {unit.province for unit in after.units}
                assert allowance(after, power) == 0 or (allowance(after, power) > 0 and not vacant)
            expected = expected.next(dislodged=False)
        assert after.phase == expected
        assert bool(after.dislodged) == (after.phase.kind == PhaseKind.RETREATS)


@given(st.integers(0, 2**32), st.integers(1, 18))
@settings(max_examples=25)
def test_random_play_keeps_the_rules(seed: int, phases: int) -> None:
    rng, game = random.Random(seed), Game.start()
    for _ in range(phases):
        if game.winner is not None:
            break
        game = game.play(GIVE[game.position.phase.kind](rng, game.position))
        check_centres(game.played[-1])
        check_units(game.played[-1])
        check_readable(game.played[-1])
    check_phases(game)


@given(st.integers(0, 2**32), st.integers(0, 12))
@settings(max_examples=10)
def test_random_play_is_saved_and_loaded(tmp_path_factory: pytest.TempPathFactory, seed: int, phases: int) -> None:
    rng, game = random.Random(seed), Game.start()
    for _ in range(phases):
        game = game.play(GIVE[game.position.phase.kind](rng, game.position))
    path = tmp_path_factory.mktemp("game") / "game.jsonl"
    game.save(path)
    assert same(Game.load(path), game)


# ---------------------------------------------------------------------- the rules of a saved game


def rules_of_a_file(folder: Path, answer: str) -> Rulebook:
    path = folder / "house.toml"
    path.write_text(f'base = "1971"\n[choices]\n4.A.2 = "{answer}"\nremoval = "country"\n', encoding="utf-8")
    return rulebook_of(path)


def test_a_game_by_the_rules_of_a_file_goes_on_by_the_same_rules(tmp_path: Path) -> None:
    """Whatever becomes of the file."""
    rules = rules_of_a_file(tmp_path, "szykman")
    path = tmp_path / "game.jsonl"
    Game.start(rules=rules).play({}).save(path)
    rules_of_a_file(tmp_path, "all-hold")
    for _ in range(2):
        loaded = Game.load(path)
        assert differing(loaded.rules, rules) == ()
        loaded.play({}).save(path)
        (tmp_path / "house.toml").unlink(missing_ok=True)
    assert "house.toml" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["datc", "2023", "house", "datc+4.A.2=bille", "x.toml", "\0", "datc+4.A.9=a"])
def test_a_rulebook_made_in_python_may_call_itself_anything(name: str, tmp_path: Path) -> None:
    rules = replace(rulebook_of("1982"), paradox=Paradox.HAND, removal=Removal.OWN_WAY, name=name)
    Game.start(rules=rules).play({}).save(tmp_path / "game.jsonl")
    assert differing(Game.load(tmp_path / "game.jsonl").rules, rules) == ()


@given(st.data())
def test_every_rulebook_has_a_name_that_tells_its_choices(data: st.DataObject) -> None:
    choices = {issue.field: data.draw(st.sampled_from(issue.choices)) for issue in issues()}
    rules = Rulebook(name=data.draw(st.sampled_from(["datc", "1971", "house", ""])), **choices)  # type: ignore[arg-type]
    assert differing(rulebook_named(spelled(rules)), rules) == ()
    assert len(spelled(rules)) < 2000


@pytest.mark.parametrize("name", [*PROFILES, "2023+4.A.2=d", "datc+removal=country"])
def test_a_name_that_tells_them_is_kept(name: str) -> None:
    assert spelled(rulebook_of(name)) == name


def test_a_profile_that_has_become_another_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    Game.start(rules=rulebook_of("2023")).play({}).save(path)
    other = replace(PROFILES["2023"], paradox=Paradox.SZYKMAN)
    monkeypatch.setattr("satdip.rulebook.naming.PROFILES", {**PROFILES, "2023": other})
    rulebook_named.cache_clear()
    try:
        with pytest.raises(InputError, match=re.escape("with 4.A.2 answered '2000', and the rules '2023'")):
            Game.load(path)
    finally:
        rulebook_named.cache_clear()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"4.A.2": "szykman"}, "the game was saved with 4.A.2 answered 'szykman'"),
        ({"4.A.2": None}, "the game was saved with 4.A.2 not answered"),
        ({"4.A.2": ["2000"]}, "the game was saved with 4.A.2 answered"),
        ({"4.X.1": "a"}, "no issue is called '4.X.1'"),
    ],
)
def test_choices_that_are_not_those_of_the_rules_are_refused(
    changes: dict[str, object], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    Game.start(rules=rulebook_of("2023")).save(path)
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, "choices": record["choices"] | changes}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=says) as caught:
        Game.load(path)
    assert str(caught.value).startswith(f"{path}, line 1, at $.choices: ")


def test_a_stream_names_rules_that_a_record_can_name(tmp_path: Path) -> None:
    rules = rules_of_a_file(tmp_path, "szykman")
    [answer] = adjudicate_many([{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}], rules=rules)
    assert differing(rulebook_named(str(answer["rules"])), rules) == ()


@pytest.mark.parametrize("name", ["no/such/folder/game.jsonl", "folder", "a\0b"])
def test_a_save_that_cannot_be_written_leaves_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="the file cannot be written"):
        Game.start().save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
