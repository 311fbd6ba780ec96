"""What Python callers hand in: a rulebook by name in every function that takes one, and nothing that is passed over."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from satdip import Game, InputError, adjudicate, adjudicate_many, lab, opening
from satdip.adjudication import adjudicate_turn
from satdip.check import check_movement
from satdip.crosschecking.checking import check
from satdip.crosschecking.engines.own import SatdipEngine
from satdip.crosschecking.work import CrossCheck
from satdip.datc import cases, run_case
from satdip.games.replay import replay, replay_file
from satdip.games.stream import adjudicate_lines
from satdip.lab.unsettled import choices_that_mattered
from satdip.notation import read_turn
from satdip.phase.orders import Hold, UnitRef
from satdip.resolve.movement import resolve_movement
from satdip.rulebook import PROFILES, RulebookLike, rulebook_of

SHEET = "France: F English Channel Convoys A Brest - London, A Brest - London\nEngland: F London H"
TURN = read_turn(SHEET)
UNIT = TURN.position.units[0]
RECORD = {"phase": "S1901M", "orders": {"FRANCE": ["A PAR - BUR"]}, "next_units": {"FRANCE": ["A BUR"]}}


def _replayed(folder: Path, rules: RulebookLike) -> object:
    file = folder / "games.jsonl"
    file.write_text('{"phase": "S1901M", "orders": {"FRANCE": ["A PAR - BUR"]}}\n', encoding="utf-8")
    return list(replay_file(file, rules))


CALLS: dict[Callable[..., Any], Callable[[Any, Path], object]] = {
    adjudicate: lambda rules, _: adjudicate(SHEET, rules=rules),
    adjudicate_turn: lambda rules, _: adjudicate_turn(TURN, rules),
    resolve_movement: lambda rules, _: resolve_movement(TURN, check_movement(TURN, rulebook_of(rules)), rules),
    adjudicate_many: lambda rules, _: list(adjudicate_many([SHEET], rules=rules)),
    adjudicate_lines: lambda rules, _: list(adjudicate_lines([(1, b'{"orders": {}, "units": {}}')], rules=rules)),
    Game: lambda rules, _: Game(opening(), rules),
    Game.start: lambda rules, _: Game.start(rules=rules),
    replay: lambda rules, _: list(replay([(1, dict(RECORD))], "games", rules)),
    replay_file: lambda rules, folder: _replayed(folder, rules),
    run_case: lambda rules, _: run_case(cases()[0], rules),
    choices_that_mattered: lambda rules, _: choices_that_mattered(TURN, rules),
    lab.certify: lambda rules, _: lab.certify(TURN, rules),
    lab.compare: lambda rules, _: lab.compare(TURN, [rules, "datc+rotation=forbidden"]),
    lab.compare_corpus: lambda rules, _: lab.compare_corpus([TURN], [rules, "datc+rotation=forbidden"]),
    lab.explain: lambda rules, _: lab.explain(TURN, rules, UNIT),
    lab.explain_all: lambda rules, _: list(lab.explain_all(TURN, rules)),
    lab.force: lambda rules, _: lab.force(TURN, rules, UNIT),
    lab.irrelevant: lambda rules, _: lab.irrelevant(TURN, rules),
    lab.resolutions: lambda rules, _: lab.resolutions(TURN, rules),
    lab.turn_outcome: lambda rules, _: lab.turn_outcome(TURN, rules, UNIT, ["ENGLAND"]),
    SatdipEngine: lambda rules, _: SatdipEngine(rules),
    CrossCheck: lambda rules, _: CrossCheck(("satdip",), rules).open().close(),
    check: lambda rules, folder: check([str(_one_phase(folder))], ["satdip"], folder / "results.jsonl", rules=rules),
}
"""Every public function that takes a rulebook, and a call of it."""


def _one_phase(folder: Path) -> Path:
    file = folder / "phase.txt"
    file.write_text(SHEET, encoding="utf-8")
    return file


def _public(module: ModuleType) -> Iterator[Callable[..., Any]]:
    for name in module.__all__:
        found = getattr(module, name)
        if callable(found) and not (inspect.isclass(found) and issubclass(found, BaseException)):
            yield found
        if inspect.isclass(found):
            yield from (method for key, method in inspect.getmembers(found, callable) if not key.startswith("_"))


@pytest.mark.parametrize(
    "module", ["satdip", "satdip.lab", "satdip.adjudication", "satdip.games.stream", "satdip.games.replay"]
)
def test_no_public_function_with_a_rulebook_is_forgotten(module: str) -> None:
    """Classes are passed over: most are results, which hold the name of their rulebook."""
    known = [*CALLS, *(getattr(call, "__func__", None) for call in CALLS)]
    for found in _public(import_module(module)):
        routine = inspect.isfunction(found) or inspect.ismethod(found)
        parameters = inspect.signature(found).parameters if routine else {}
        if not parameters.keys().isdisjoint({"rules", "rulebook", "rulebooks"}):
            assert found in known, found


@pytest.mark.parametrize("function", CALLS, ids=lambda function: function.__qualname__)
class TestARulebook:
    @pytest.mark.parametrize("name", ["1971", "2023+4.A.2=f"])
    def test_by_name(self, function: Callable[..., Any], name: str, tmp_path: Path) -> None:
        CALLS[function](name, tmp_path)

    def test_by_value(self, function: Callable[..., Any], tmp_path: Path) -> None:
        CALLS[function](PROFILES["1982"], tmp_path)

    def test_by_file(self, function: Callable[..., Any], tmp_path: Path) -> None:
        file = tmp_path / "house.toml"
        file.write_text("base = '2000'\n[choices]\n4.A.2 = 'f'\n", encoding="utf-8")
        CALLS[function](str(file), tmp_path)
        CALLS[function](file, tmp_path / "again") if function is SatdipEngine else None

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [("1791", "did you mean '1971'?"), ("1971+4.A.2=z", "'z' is no choice of 4.A.2"), (1971, "1971 is none")],
    )
    def test_that_is_none(self, function: Callable[..., Any], wrong: object, sentence: str, tmp_path: Path) -> None:
        with pytest.raises(InputError) as caught:
            CALLS[function](wrong, tmp_path)
        assert sentence in str(caught.value)


def test_the_name_decides() -> None:
    """Under the rules of 1971 a convoy to a neighbour goes by land, so the rulebook's name has an effect."""
    assert adjudicate(SHEET, rules="1971").rules == "1971"
    assert adjudicate("rules: 1982\n" + SHEET).rules == "1982"
    assert adjudicate("rules: 1982\n" + SHEET, rules="2000").rules == "2000"
    assert rulebook_of(None) == PROFILES["datc"]


# ---------------------------------------------------------------------- orders


@pytest.mark.parametrize("phase", [SHEET, TURN, RECORD], ids=["text", "turn", "record"])
@pytest.mark.parametrize("orders", ["1971", {"FRANCE": ["A BRE H"]}, {}, []], ids=repr)
def test_orders_beside_a_phase_that_has_its_own_are_refused(phase: Any, orders: Any) -> None:
    with pytest.raises(InputError, match="orders go with a Position"):
        adjudicate(phase, orders)


@pytest.mark.parametrize(
    ("orders", "sentence"),
    [
        ("1971", "orders are listed by power"),
        (["A PAR - BUR"], "orders are listed by power"),
        ({"FRANCE": "A PAR - BUR"}, "the orders of FRANCE are a list"),
        ({"FRANCE": None}, "the orders of FRANCE are a list"),
        ({"FRANCE": [7]}, "an order of FRANCE is a text or an order value, not 7"),
        ({"FRANKREICH": ["A PAR - BUR"]}, "'FRANKREICH' is no power of this map"),
        ({"FRANCE": ["A PAR - BUR"], "France": ["F BRE - MAO"]}, "FRANCE is there twice, also as 'FRANCE'"),
        ({7: ["A PAR - BUR"]}, "'7' is no power of this map"),
    ],
)
def test_orders_that_are_none(orders: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        adjudicate(opening(), orders)
    assert sentence in str(caught.value)
    with pytest.raises(InputError):
        Game.start().play(orders)


def test_orders_by_the_name_of_the_power() -> None:
    found = adjudicate(opening(), {"France": ["A PAR - BUR", Hold(UnitRef("BRE"))]})
    assert [(order.power, str(order.outcome)) for order in found.orders[:2]] == [
        ("FRANCE", "succeeds"),
        ("FRANCE", "stands"),
    ]


@pytest.mark.parametrize("what", [None, b"France: A PAR - BUR", 7, ["France: A PAR - BUR"]], ids=repr)
def test_what_is_no_phase(what: Any) -> None:
    with pytest.raises(InputError, match="a phase is a text, a phase record, a Turn or a Position"):
        adjudicate(what)


@pytest.mark.parametrize("what", [SHEET, RECORD, TURN], ids=["text", "record", "turn"])
def test_one_phase_is_not_many(what: Any) -> None:
    with pytest.raises(InputError, match="this is one"):
        list(adjudicate_many(what))


def test_a_game_on_a_map_by_its_name() -> None:
    assert Game.start("standard").position == opening()
    with pytest.raises(InputError, match="no map is called"):
        opening("standrd")


# ---------------------------------------------------------------------- names within other arguments


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: lab.certify(TURN, "datc", ["answr"]), "the claims to choose from are resolutions and answer"),
        (lambda: lab.certify(TURN, "datc", "answer"), "the claims to choose from are resolutions and answer"),
        (lambda: lab.certify(read_turn(RETREAT), "datc", ["answer"]), "S1901R is no movement phase"),
        (lambda: lab.turn_outcome(TURN, "datc", UNIT, ["ENGLND"]), "no power with units here is called 'ENGLND'"),
        (lambda: lab.turn_outcome(TURN, "datc", UNIT, "ENGLAND"), "several powers are a list"),
        (lambda: lab.compare(TURN, "1971"), "several rulebooks are a list"),
        (lambda: lab.compare(TURN, PROFILES["1971"]), "several rulebooks are a list"),
        (lambda: lab.compare_corpus([TURN], "1971"), "several rulebooks are a list"),
    ],
)
def test_a_name_that_is_none_is_refused(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert sentence in str(caught.value)


RETREAT = (
    "phase: S1901R\nunits: Germany A Burgundy\ndislodged: France A Picardy; retreats Paris\nFrance: A Picardy - Paris"
)


def test_a_power_may_be_named_by_its_name() -> None:
    assert lab.turn_outcome(TURN, "datc", UNIT, ["England"]).powers == ("ENGLAND",)
