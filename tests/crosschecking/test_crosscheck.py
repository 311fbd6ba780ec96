"""Cross-checking: why answers differ, groups of disagreements, small examples, and where the phases come from."""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.positions import draw, reference_map, turn_of

from satdip import adjudicate
from satdip.adjudication import adjudicate_turn
from satdip.base.budget import UNLIMITED, Budget
from satdip.base.errors import InputError
from satdip.board import Board, province_of
from satdip.board.mapfile import load_board
from satdip.crosschecking.classify import causes, first_kind, reason_of, single_choices
from satdip.crosschecking.consistency import is_consistent
from satdip.crosschecking.engines import Answer, RecordedAnswers, SatdipEngine, answer_of, differences, engine_named
from satdip.crosschecking.grouping import chosen_causes
from satdip.crosschecking.habits import Reader, choices, habits, part_named, written
from satdip.crosschecking.smallest import By, smallest
from satdip.crosschecking.sources import source_named, whole_record
from satdip.crosschecking.tally import tally
from satdip.datc import cases
from satdip.generate import GENERATORS
from satdip.lab import resolutions
from satdip.notation import read_lines, read_record, read_sheet, read_turn, write_record
from satdip.phase.minimise import size
from satdip.phase.orders import Hold
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, issues, rulebook_named

DATA = Path(__file__).parents[1] / "data"


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


# ---------------------------------------------------------------------- why answers differ

MATTER = [
    pytest.param(case, slug, id=f"{case['field']}-{slug}-{number}")
    for number, case in enumerate(table("choices_matter.toml")["case"])
    for slug in case["results"]
]
SECTIONS = {issue.field: issue.section for issue in issues()}


@pytest.mark.parametrize(("case", "slug"), MATTER)
def test_an_engine_that_makes_one_other_choice_is_found_out(case: dict[str, Any], slug: str) -> None:
    """The program itself under another choice is such an engine, on positions that were made to show that choice."""
    base = rulebook_named(case.get("base", "datc"))
    turn = read_sheet(case["sheet"])
    theirs, ours = adjudicate_turn(turn, base.override({case["field"]: slug})), adjudicate_turn(turn, base)
    answer = answer_of(theirs)
    if theirs.is_open or not differences(ours, answer):
        return
    reader = Reader(turn, base)
    assert f"{SECTIONS[case['field']]}={slug}" in single_choices(reader, answer), case["about"]
    assert {len(cause) for cause in causes(reader, answer)} == {1}


SMALL = [oddity for oddity in table("engine_oddities.toml")["oddity"] if "engine_gives" in oddity]
AS_CHOICES = {
    "tag-required": "4.A.3=tag",
    "paradox-rule-1982": "4.A.2=1982",
    "support-coast-ignored": "4.B.4=no-matter",
}


@pytest.mark.parametrize("oddity", [pytest.param(o, id=o["kind"]) for o in SMALL if "moves" in o["engine_gives"]])
def test_what_engines_are_known_to_do_is_recognised(oddity: dict[str, Any]) -> None:
    """The positions and answers of the table were looked up, and argued, before there was any classification."""
    gives = oddity["engine_gives"]
    told = gives.get("retreats")
    turn = read_record(oddity["position"])
    retreats = {gives["dislodged"][0]: frozenset(told)} if told else None
    answer = Answer(moves=gives["moves"], dislodged=frozenset(gives["dislodged"]), retreats=retreats)
    kind = AS_CHOICES.get(oddity["kind"], oddity["kind"])
    assert Reader(turn, DATC).explains([part_named(kind)], answer)
    assert {len(cause) for cause in causes(Reader(turn, DATC), answer)} == {1}


def test_habits_are_told_with_sections_that_exist() -> None:
    known = {case.id for case in cases()} | set(SECTIONS.values())
    for habit in habits().values():
        assert habit.edit or habit.rewrite or habit.aftermath, habit.slug
        assert all(section in known for section in habit.datc if not section.startswith("5.B.")), habit.slug
    assert not habits().keys() & choices().keys()


def test_a_habit_that_does_not_apply_explains_nothing() -> None:
    turn = read_turn("France: A Paris - Burgundy")
    stays = Answer(moves={}, dislodged=frozenset())
    assert causes(Reader(turn, DATC), stays) == ()
    assert reason_of((), "moves").slug == "unexplained"
    for habit in habits().values():
        assert Reader(turn, DATC).read([habit], stays) is None, habit.slug


def test_two_causes_at_once() -> None:
    """By land although nobody convoys, and in another corner a support with the wrong coast that counts."""
    sheet = """
    England: A Yorkshire - Edinburgh via convoy
    France: F Mid-Atlantic Ocean - Spain(sc), F Portugal S F Mid-Atlantic Ocean - Spain(nc)
    Italy: A Spain H
    """
    answer = Answer(moves={"YOR": "EDI", "MAO": "SPA"}, dislodged=frozenset({"SPA"}))
    found = causes(Reader(read_turn(sheet), DATC), answer)
    assert ("via-nobody-convoys", "4.B.4=no-matter") in found
    assert {len(cause) for cause in found} == {2}


def test_what_differs_first() -> None:
    sheet = "England: A Yorkshire - Edinburgh via convoy"
    moved = answer_of(adjudicate("England: A Yorkshire - Edinburgh"))
    assert first_kind(differences(adjudicate(sheet), moved)) == "moves"
    units_only = replace(moved, moves=None, dislodged=None)
    assert first_kind(differences(adjudicate(sheet), units_only)) == "units"


# ---------------------------------------------------------------------- the answers of other engines

PEERS = ("random_phases", "random_phases_noadjvia", "paradox_phases")
ALL_ENGINES = (
    *("diplomacy", "dipcc", "godip", "jdip", "teddriggs", "parlance", "parlance/szykman", "pydip"),
    *("webdiplomacy", "roganbot", "jsdiplomacy", "dreact"),
)


def unexplained(shared: Path, corpus: str, step: int) -> list[tuple[str, object]]:
    engines = [RecordedAnswers(name) for name in ALL_ENGINES]
    found: list[tuple[str, object]] = []
    for number, record in read_lines(shared / "peers" / f"{corpus}.jsonl.gz"):
        if number % step:
            continue
        reader = Reader(read_record(record), DATC)
        for engine in engines:
            answer = engine.adjudicate(record)
            disagrees = answer.failure is None and differences(reader.resolution, answer)
            if disagrees and not causes(reader, answer):
                found.append((engine.program, record["id"]))
    return found


@pytest.mark.parametrize("corpus", PEERS)
def test_disagreements_of_other_engines_have_a_class(corpus: str, shared: Path) -> None:
    assert unexplained(shared, corpus, step=101) == []


@pytest.mark.long
@pytest.mark.parametrize("corpus", PEERS)
def test_every_disagreement_of_other_engines_has_a_class(corpus: str, shared: Path) -> None:
    assert unexplained(shared, corpus, step=1) == []


# ---------------------------------------------------------------------- which cause stands for a disagreement


def test_the_cause_that_explains_most_is_taken() -> None:
    a, b, c = ("4.A.3=tag",), ("4.A.3=intent",), ("own-support-counts",)
    assert chosen_causes({(a, b): 3, (b,): 1, (c,): 2, (): 1}) == {(a, b): b, (b,): b, (c,): c, (): ()}


def test_between_equals_the_choice_next_to_the_rulebook_is_taken() -> None:
    far, near, habit = ("4.A.3=land-unless-opposite",), ("4.A.3=tag-or-own-fleet-else-land",), ("via-nobody-convoys",)
    assert chosen_causes({(far, near, habit): 5}) == {(far, near, habit): near}


def test_parts_that_are_needed_anyway_come_first() -> None:
    alone = (("own-support-counts",),)
    either = (("missing-borders", "4.A.3=tag"), ("own-support-counts", "4.A.3=tag"))
    assert chosen_causes({alone: 2, either: 1})[either] == ("own-support-counts", "4.A.3=tag")


def result(name: str, number: int, *found: tuple[str, ...]) -> dict[str, Any]:
    verdict = {"verdict": "disagree", "kind": "moves", "causes": [list(cause) for cause in found]}
    return {"id": f"phase:{number}", "rules": "datc", "size": number, "engines": {name: verdict}}


def test_a_phase_with_two_causes_counts_under_both() -> None:
    one, other = "own-support-counts", "via-nobody-convoys"
    results = [result("x", 1, (one,)), result("x", 2, (other,)), result("x", 3, (one, other)), result("x", 4)]
    counted = tally(lambda: results, ["x"])
    told = {group.reason.slug: (group.count, group.together, group.sources) for group in counted.groups}
    assert told == {
        one: (2, 1, ["phase:1"]),
        other: (2, 1, ["phase:2"]),
        "unexplained": (1, 0, ["phase:4"]),
    }
    assert (counted.phases, counted.agree, counted.disagree) == (4, 0, 4)


def test_two_causes_that_are_not_found_alone_are_a_group() -> None:
    results = [result("x", 1, ("own-support-counts",)), result("x", 3, ("own-support-counts", "via-nobody-convoys"))]
    slugs = [group.reason.slug for group in tally(lambda: results, ["x"]).groups]
    assert slugs == ["own-support-counts", "own-support-counts + via-nobody-convoys"]


# ---------------------------------------------------------------------- consistent or not


@pytest.mark.parametrize("seed", range(25))
def test_consistent_answers_are_those_that_the_lab_lists(seed: int, board: Board) -> None:
    turn = turn_of(*draw("dense", seed, reference_map()), board)
    found = resolutions(turn, DATC, limit=64)
    listed = [
        ({unit.province: province_of(to) for unit, to in item.moves.items()}, {u.province for u in item.dislodged})
        for item in found.listed
    ]
    for moves, driven in listed:
        assert is_consistent(turn, DATC, Answer(moves=moves, dislodged=frozenset(driven)))
    rng = Random(seed)
    ordered = {node.at: node.dst for node in found.situation.moves}
    for _ in range(10):  # any other set of moves is none of them
        moves = {at: to for at, to in ordered.items() if rng.random() < 0.5}
        if found.exact and found.count <= 64 and moves not in [some for some, _ in listed]:
            assert is_consistent(turn, DATC, Answer(moves=moves)) is False


def test_both_resolutions_of_a_paradox_are_consistent(board: Board) -> None:
    paradox = read_turn("""
    England: F London S F Wales - English Channel, F Wales - English Channel
    France: A Brest - London, F English Channel C A Brest - London
    """)
    nobody = Answer(moves={}, dislodged=frozenset())
    assert is_consistent(paradox, DATC, nobody)
    assert is_consistent(paradox, DATC, Answer(moves={"WAL": "ENG"}, dislodged=frozenset({"ENG"})))
    assert is_consistent(paradox, DATC, Answer(moves={"WAL": "ENG"}, dislodged=frozenset())) is False
    assert is_consistent(paradox, DATC, Answer(moves={"BRE": "LON"}, dislodged=frozenset())) is False
    assert is_consistent(paradox, DATC, Answer(units={})) is None


# ---------------------------------------------------------------------- small examples


def test_an_example_is_minimal_and_still_disagrees_for_the_same_reason() -> None:
    engine = SatdipEngine(rulebook_named("datc+4.A.3=tag-or-own-fleet-else-land"))
    sheet = """
    England: A Yorkshire - Edinburgh via convoy, F North Sea H, A London - Wales, F Irish Sea S A London - Wales
    France: A Paris - Burgundy, A Marseilles S A Paris - Burgundy
    Germany: A Burgundy H
    """
    turn, cause = read_turn(sheet), ("4.A.3=tag-or-own-fleet-else-land",)
    answer = engine.adjudicate(write_record(turn))
    small = smallest(turn, DATC, answer, cause, engine, UNLIMITED)
    assert [str(unit) for unit in small.turn.position.units] == ["A YOR"]
    assert (small.by, small.minimal, small.answer.moves) == (By.ENGINE, True, {"YOR": "EDI"})


@pytest.mark.parametrize(
    ("kind", "corpus", "number", "engine"),
    [
        ("own-support-keeps-convoy", "paradox_phases", 47, "dipcc"),
        ("via-nobody-convoys", "random_phases", 1, "godip"),
    ],
)
def test_a_recorded_engine_is_not_asked(kind: str, corpus: str, number: int, engine: str, shared: Path) -> None:
    records = (record for _, record in read_lines(shared / "peers" / f"{corpus}.jsonl.gz"))
    record = next(record for record in records if record["id"] == number)
    turn = read_record(record)
    answer = RecordedAnswers(engine).adjudicate(record)
    small = smallest(turn, DATC, answer, (kind,), None, UNLIMITED)
    assert (small.by, small.minimal) == (By.READING, True)
    assert size(small.turn) < size(turn)
    reader = Reader(small.turn, DATC)
    assert differences(reader.resolution, small.answer)
    assert reader.explains([part_named(kind)], small.answer)


def test_without_a_cause_and_an_engine_nothing_is_made_smaller() -> None:
    turn = read_turn("France: A Paris - Burgundy, A Brest H")
    small = smallest(turn, DATC, Answer(moves={}), (), None, UNLIMITED)
    assert (small.turn, small.by) == (replace(turn, rules=None, extra={}), By.NOBODY)


def test_out_of_time() -> None:
    engine = SatdipEngine(rulebook_named("datc+4.A.3=intent"))
    turn = read_turn("England: A Yorkshire - Edinburgh via convoy, F North Sea H")
    answer = engine.adjudicate(write_record(turn))
    small = smallest(turn, DATC, answer, ("4.A.3=intent",), engine, Budget(deadline=0.0))
    assert not small.minimal
    assert size(small.turn) == 2


# ---------------------------------------------------------------------- sources


def test_the_test_cases() -> None:
    phases = list(source_named("datc").make())
    assert {phase.id.removeprefix("datc:").partition("/")[0] for phase in phases} == {case.id for case in cases()}
    assert len({phase.id for phase in phases}) == len(phases)
    assert all(read_record(whole_record(phase.record)) for phase in phases)


@pytest.mark.parametrize("kind", GENERATORS)
def test_random_phases_are_those_of_generate(kind: str) -> None:
    source = source_named(f"random:{kind}:3:7")
    phases = list(source.make())
    assert (source.total, [phase.id for phase in phases]) == (3, [f"random:{kind}:{seed}" for seed in (7, 8, 9)])
    turn = GENERATORS[kind](load_board("standard"), Random(8))
    assert read_record(whole_record(phases[1].record)) == read_record(write_record(replace(turn, extra={})))


def test_a_feature_is_a_source() -> None:
    [phase] = source_named("random:two-model-core:1").make()
    assert read_record(whole_record(phase.record)).orders


@pytest.mark.parametrize(
    "text", ["random:dense", "random:dense:x", "random:dense:1:2:3", "random:nonsense:1", "no-file"]
)
def test_what_is_no_source(text: str) -> None:
    with pytest.raises(InputError):
        source_named(text)


@pytest.mark.parametrize("packed", [False, True])
def test_json_lines(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("a.jsonl.gz" if packed else "a.jsonl")
    text = b'{"orders": {"FRANCE": ["A PAR H"]}}\n\n{"orders": {"FRANCE": ["A BUR H"]}}\n'
    path.write_bytes(gzip.compress(text) if packed else text)
    source = source_named(str(path))
    assert source.total == 2
    assert [phase.id for phase in source.make()] == [f"{path}:1", f"{path}:3"]
    assert [phase.id for phase in source.limited(1).make()] == [f"{path}:1"]
    assert source.limited(1).total == 1


def test_a_sheet_and_a_record_are_sources(tmp_path: Path) -> None:
    for name, text in (("a.txt", "France: A Paris H"), ("a.json", '{"orders": {"FRANCE": ["A PAR H"]}}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        [phase] = source_named(str(tmp_path / name)).make()
        assert phase.id == str(tmp_path / name)
        assert isinstance(read_record(whole_record(phase.record)).orders[0].order, Hold)


MOVEMENT = {
    "phase": "S1901M",
    "game": "g",
    "units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]},
    "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
}
RETREATS = {
    "phase": "S1901R",
    "game": "g",
    "units": {"FRANCE": ["A BUR", "A MAR"]},
    "dislodged": {"GERMANY": ["A BUR"]},
    "orders": {"GERMANY": ["A BUR R MUN"]},
}


def filled(tmp_path: Path, *records: Mapping[str, Any]) -> Turn:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    *_, last = source_named(str(path)).make()
    return read_record(whole_record(last.record))


def test_retreats_come_from_the_movement_before(tmp_path: Path) -> None:
    """Burgundy borders on these; on Paris too, but the attacker came from there, and on Marseilles: occupied."""
    [driven] = filled(tmp_path, MOVEMENT, RETREATS).position.dislodged
    assert driven.retreats == {"BEL", "GAS", "MUN", "PIC", "RUH"}
    [driven] = filled(tmp_path, MOVEMENT, RETREATS | {"game": "another"}).position.dislodged
    assert driven.retreats is None


def test_retreats_of_a_game_played_by_another_rule(tmp_path: Path) -> None:
    """By 4.A.3 c the supported army goes by land, though "via convoy" was written and nobody convoys."""
    orders = {"ENGLAND": ["A YOR - EDI VIA", "F NTH S A YOR - EDI"], "FRANCE": ["A EDI H"]}
    units = {"ENGLAND": ["A YOR", "F NTH"], "FRANCE": ["A EDI"]}
    stand = {"ENGLAND": ["A EDI", "F NTH"]}
    moved = {"phase": "S1901M", "units": units, "orders": orders}
    [driven] = filled(
        tmp_path, moved, {"phase": "S1901R", "units": stand, "dislodged": {"FRANCE": ["A EDI"]}, "orders": {}}
    ).position.dislodged
    assert driven.retreats == {"CLY", "LVP"}


def test_a_game_that_the_diplomacy_package_saved(tmp_path: Path) -> None:
    package = pytest.importorskip("diplomacy")
    from diplomacy.utils.export import to_saved_game_format

    game = package.Game()
    orders = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    driven = {"FRANCE": ["A BUR - MUN", "A MAR - BUR"], "GERMANY": ["A BER - MUN"]}
    for given in (orders, driven):
        for power, texts in given.items():
            game.set_orders(power, texts)
        game.process()
    saved = to_saved_game_format(game)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(saved), encoding="utf-8")
    phases = list(source_named(str(path)).make())
    assert [phase.record["record"]["phase"] for phase in phases] == ["S1901M", "F1901M"]
    for phase in phases:
        record = whole_record(phase.record)
        answer = RecordedAnswers().adjudicate(record)
        assert answer.failure is None
        assert answer.moves == {"S1901M": {"PAR": "BUR"}, "F1901M": {}}[str(record["phase"])]
        assert not differences(adjudicate(record), answer)  # these two phases have but one reading
    lines = tmp_path / "games.jsonl"
    lines.write_text(json.dumps(saved) + "\n" + json.dumps(saved) + "\n", encoding="utf-8")
    source = source_named(str(lines))
    assert source.total is None
    assert [phase.id for phase in source.make()] == [f"{lines}:{line}/{n}" for line in (1, 2) for n in (1, 2)]


@pytest.mark.parametrize("broken", [{"name": "S1901M", "state": {}}, {"name": 1, "state": []}, {"state": None}])
def test_a_saved_game_that_is_none(broken: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"id": "x", "phases": [broken, broken]}), encoding="utf-8")
    with pytest.raises(InputError, match=r"game\.json"):
        list(source_named(str(path)).make())


# ---------------------------------------------------------------------- the packages


@pytest.mark.parametrize(
    ("engine", "sheet", "parts"),
    [
        ("diplomacy", "England: A Yor - Edi via convoy, F Nth H", "4.A.3=tag-or-own-fleet-else-land"),
        ("diplomacy", "France: F Por S F Mao - Spa(nc), F Mao - Spa(sc)\nItaly: F Wes - Spa(sc)", "4.B.4=no-matter"),
        ("diplomacy", "England: A Yor - Edi via convoy, F Nth H", "via-nobody-convoys"),
        (
            "diplomacy",
            "Germany: A Bul - Con via convoy\nTurkey: A Con H, A Smy S A Bul - Con, F Aeg C A Bul - Con",
            "own-support-counts + retreats-unfiltered-after-convoy",
        ),
        ("pydip", "Turkey: A Con - Bul, F Aeg C A Con - Bul, F Bul/ec - Con", "4.A.3=tag"),
        ("pydip", "phase: W1901A\ncentres: Italy Nap\nunits: Italy A Pie, A Alb", "disorder-by-alphabet"),
        (
            "pydip",
            "England: A Yor H, A Lvp S A Yor - Yor\nGermany: F Lon - Yor, A Wal S F Lon - Yor",
            "support-to-own-place",
        ),
    ],
)
def test_what_the_packages_do_has_a_class(engine: str, sheet: str, parts: str) -> None:
    pytest.importorskip(engine)
    turn = read_turn(sheet)
    asked = engine_named(engine, isolated=False)
    answer = asked.adjudicate(write_record(turn))
    assert answer.failure is None
    assert parts in map(written, causes(Reader(turn, DATC), answer))


def test_a_log_of_daide_messages_is_a_source(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    log.write_text(
        "NOW ( SPR 1901 ) ( FRA AMY PAR ) ( GER AMY MUN )\n"
        "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )\n"
        "ORD ( SPR 1901 ) ( ( GER AMY MUN ) HLD ) ( SUC )\n"
        "NOW ( FAL 1901 ) ( FRA AMY BUR ) ( GER AMY MUN )\n",
        encoding="utf-8",
    )
    first = next(source_named(str(log)).make())
    assert whole_record(first.record)["orders"] == {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN H"]}
