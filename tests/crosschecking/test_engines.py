"""Other adjudicators: what they say, what is recorded of them, and where they differ from satdip."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdip.adjudication import adjudicate
from satdip.base.errors import InputError
from satdip.crosschecking.engines import (
    Answer,
    CommandEngine,
    Difference,
    Engine,
    FailureKind,
    RecordedAnswers,
    SatdipEngine,
    answer_of,
    compare,
    differences,
    engine_named,
    phase_key,
    question,
    read_answer,
)
from satdip.notation import read_lines, read_record
from satdip.rulebook import rulebook_named

DOCS = Path(__file__).parents[2] / "docs" / "engines.md"
EXAMPLE = Path(__file__).parents[2] / "examples" / "engines" / "moves_and_holds.py"

DISLODGED = {
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"]},
}
RETREATS = {
    "phase": "F1901R",
    "units": {"FRANCE": ["A BUR"]},
    "dislodged": {"GERMANY": ["A BUR", "F STP/SC"], "ITALY": ["A VEN"]},
    "retreats": {"A BUR": ["RUH"], "F STP/SC": ["BOT", "FIN"], "A VEN": []},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "orders": {"GERMANY": ["A BUR R RUH"]},
}
WINTER = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A BUR"], "GERMANY": ["A RUH", "A MUN"]},
    "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["F MAR B", "A PAR B"], "GERMANY": ["A RUH D"]},
}


@pytest.fixture(params=["diplomacy", "pydip"])
def package(request: pytest.FixtureRequest) -> Engine:
    pytest.importorskip(request.param)
    return engine_named(request.param, isolated=False)


# ---------------------------------------------------------------------- what they say


def test_a_package_says_who_moves_and_who_is_driven_out(package: Engine) -> None:
    """Two against one; Burgundy touches Belgium, Gascony, Marseilles, Munich, Paris, Picardy and Ruhr."""
    answer = package.adjudicate(DISLODGED)
    assert answer.moves == {"PAR": "BUR"}
    assert answer.dislodged == {"BUR"}
    assert answer.retreats == {"BUR": {"BEL", "GAS", "MUN", "PIC", "RUH"}}
    assert answer.disbanded == frozenset()
    assert answer.units == {"FRANCE": {"A BUR", "A MAR"}}


def test_a_package_retreats(package: Engine) -> None:
    answer = package.adjudicate(RETREATS)
    assert answer.moves == {"BUR": "RUH"}
    assert answer.disbanded == {"STP", "VEN"}, "the fleet has no order, the army nowhere to go"
    assert answer.units == {"FRANCE": {"A BUR"}, "GERMANY": {"A RUH"}}


def test_a_package_builds_and_removes(package: Engine) -> None:
    answer = package.adjudicate(WINTER)
    assert answer.units == {"FRANCE": {"A BUR", "F MAR", "A PAR"}, "GERMANY": {"A MUN"}}
    assert answer.disbanded == {"RUH"}


def test_a_package_counts_centres_after_autumn(package: Engine) -> None:
    """The German army takes Denmark, Munich is kept though nobody stands there."""
    record = {
        "phase": "F1901M",
        "units": {"GERMANY": ["A KIE"]},
        "centers": {"GERMANY": ["MUN", "KIE"], "FRANCE": ["PAR"]},
        "orders": {"GERMANY": ["A KIE - DEN"]},
    }
    assert package.adjudicate(record).centers == {"GERMANY": {"MUN", "KIE", "DEN"}, "FRANCE": {"PAR"}}


def test_a_retreat_phase_needs_to_say_where_units_may_go(package: Engine) -> None:
    answer = package.adjudicate({key: value for key, value in RETREATS.items() if key != "retreats"})
    assert answer.failure is not None
    assert answer.failure.kind == FailureKind.UNSUPPORTED


def test_an_impossible_order_is_no_order(package: Engine) -> None:
    record = {
        "units": {"FRANCE": ["A PAR", "F MAO"], "ENGLAND": ["A LON"]},
        "orders": {"FRANCE": ["A PAR - MOS", "F MAO - SPA", "F MAO - POR"], "ENGLAND": ["A LON S A PAR - BUR"]},
    }
    answer = package.adjudicate(record)
    assert answer.failure is None
    assert "PAR" not in (answer.moves or {})


@pytest.mark.parametrize("record", [DISLODGED, RETREATS, WINTER])
@pytest.mark.parametrize("name", ["satdip", "diplomacy", "pydip"])
def test_in_a_process_of_its_own_an_engine_says_the_same(name: str, record: dict[str, Any]) -> None:
    if name != "satdip":
        pytest.importorskip(name)
    engine, here = engine_named(name), engine_named(name, isolated=False)
    try:
        assert engine.adjudicate(record) == here.adjudicate(record)
        assert (engine.name, engine.version) == (here.name, here.version)
    finally:
        engine.close()


def test_satdip_agrees_with_the_packages_on_plain_phases(package: Engine) -> None:
    for record in (DISLODGED, RETREATS, WINTER):
        assert differences(adjudicate(record), package.adjudicate(record)) == ()


def test_satdip_under_another_rulebook() -> None:
    """Two armies change places by convoy, which a rulebook may forbid."""
    record = {
        "units": {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A BEL", "F ENG"]},
        "orders": {
            "ENGLAND": ["A LON - BEL VIA", "F NTH C A LON - BEL"],
            "FRANCE": ["A BEL - LON VIA", "F ENG C A BEL - LON"],
        },
    }
    assert engine_named("satdip").adjudicate(record).moves == {"LON": "BEL", "BEL": "LON"}
    strict = engine_named("satdip:datc+VIII-exchange=forbidden")
    assert strict.adjudicate(record).moves == {}


def test_an_edition_without_an_answer_says_so() -> None:
    paradox = {
        "units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]},
        "orders": {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON VIA", "F ENG C A BRE - LON"],
        },
    }
    open_rules = rulebook_named("datc+4.A.2=none")
    answer = SatdipEngine(open_rules).adjudicate(paradox)
    assert answer.failure is not None
    assert answer.failure.kind == FailureKind.NO_ANSWER
    decided = Answer(moves={})
    assert differences(adjudicate(paradox, rules=open_rules), decided) == (Difference("answer", "", (), ("one",)),)


# ---------------------------------------------------------------------- questions and comparisons


def test_engines_are_asked_in_one_form() -> None:
    """Orders in any notation, answers and rulebook left out, VIA where only a convoy can carry the army."""
    record = {
        "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["A LON"]},
        "orders": {"FRANCE": ["A Bre-Lon", "f eng (C) A Bre - Lon"], "ENGLAND": ["London to Wales"]},
        "rules": "1971",
        "answers": ["secret"],
    }
    asked = question(record).record
    assert asked["orders"] == {
        "FRANCE": ["A BRE - LON VIA", "F ENG C A BRE - LON"],
        "ENGLAND": ["LON - WAL"],
    }
    assert set(asked) == {"map", "phase", "units", "orders"}


def test_the_key_of_a_phase_is_what_is_adjudicated() -> None:
    units, orders = {"FRANCE": ["A PAR", "A MAR"]}, {"FRANCE": ["A PAR - BUR"]}
    key = phase_key({"units": units, "orders": orders})
    same = {"units": {"FRANCE": ["A MAR", "A PAR"]}, "orders": {"FRANCE": ["A Par - Bur"]}, "phase": "S1907M"}
    assert phase_key(same | {"id": 7, "centers": {"FRANCE": ["PAR"]}}) == key
    assert phase_key({"units": units, "orders": {"FRANCE": ["A PAR - PIC"]}}) != key
    assert phase_key({"units": units, "orders": orders, "phase": "F1901M"}) != key, "autumn may change centres"


def test_differences_are_over_what_the_engine_says() -> None:
    resolution = adjudicate(DISLODGED)
    assert differences(resolution, Answer()) == ()
    assert differences(resolution, answer_of(resolution)) == ()
    assert differences(resolution, Answer(moves={"PAR": "BUR"}, dislodged=frozenset({"BUR"}))) == ()
    wrong = Answer(
        moves={"MAR": "BUR"},
        dislodged=frozenset({"PAR"}),
        retreats={"BUR": frozenset({"BEL", "GAS", "MUN", "PIC"})},
        units={"FRANCE": frozenset({"A BUR", "A PAR"})},
    )
    assert [d.to_json() for d in differences(resolution, wrong)] == [
        {"what": "moves", "at": "MAR", "satdip": [], "engine": ["BUR"]},
        {"what": "moves", "at": "PAR", "satdip": ["BUR"], "engine": []},
        {"what": "dislodged", "at": "BUR", "satdip": ["BUR"], "engine": []},
        {"what": "dislodged", "at": "PAR", "satdip": [], "engine": ["PAR"]},
        {
            "what": "retreats",
            "at": "BUR",
            "satdip": ["BEL", "GAS", "MUN", "PIC", "RUH"],
            "engine": ["BEL", "GAS", "MUN", "PIC"],
        },
        {"what": "units", "at": "FRANCE", "satdip": ["A MAR"], "engine": ["A PAR"]},
    ]


def test_a_coast_that_only_one_side_names_is_no_difference() -> None:
    north, south, spain = (Answer(moves={"MAO": at}) for at in ("SPA/NC", "SPA/SC", "SPA"))
    assert compare(north, spain) == compare(spain, north) == ()
    assert [d.at for d in compare(north, south)] == ["MAO"]


def test_an_answer_is_read_back_as_written() -> None:
    for record in (DISLODGED, RETREATS, WINTER):
        answer = answer_of(adjudicate(record))
        assert read_answer(json.loads(json.dumps(answer.to_json())), read_record(record).position) == answer


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["PAR", "A PAR", "STP", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["PAR", "FRANCE", "x"]), inner),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from([*answer_of(adjudicate(DISLODGED)).to_json(), "retreats", "error", "kind"]), JSON)
)
def test_whatever_an_engine_says_is_an_answer_or_nonsense(value: dict[str, Any]) -> None:
    """An answer that is read can be written and compared; everything else is refused with a sentence."""
    position = read_record(DISLODGED).position
    try:
        answer = read_answer(value, position)
    except InputError:
        return
    assert read_answer(json.loads(json.dumps(answer.to_json())), position) == answer
    compare(answer, answer_of(adjudicate(DISLODGED)))


# ---------------------------------------------------------------------- recorded answers

PEERS = {
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]},
    "orders": {"FRANCE": ["A PAR - BUR"]},
    "answers": [{"moves": {}, "dislodged": []}, {"moves": {"PAR": "BUR"}, "dislodged": ["BUR"]}, {"error": "stuck"}],
    "expected_by": {"sound": 0, "wild": 1, "broken": 2, "silent": None},
    "parlance_by_rule": {"szykman": {"moves": {"PAR": "BUR"}, "dislodged": []}},
    "expected": {"moves": {}, "dislodged": []},
}


@pytest.mark.parametrize(
    ("program", "moves"),
    [("sound", {}), ("wild", {"PAR": "BUR"}), ("parlance/szykman", {"PAR": "BUR"}), ("expected", {})],
)
def test_the_answers_of_generated_phases(program: str, moves: dict[str, str]) -> None:
    assert RecordedAnswers(program).adjudicate(PEERS).moves == moves


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("broken", FailureKind.NO_ANSWER),
        ("silent", FailureKind.UNSUPPORTED),
        ("nobody", FailureKind.UNSUPPORTED),
        ("parlance/1982", FailureKind.UNSUPPORTED),
    ],
)
def test_recorded_failures(program: str, kind: FailureKind) -> None:
    failure = RecordedAnswers(program).adjudicate(PEERS).failure
    assert failure is not None
    assert failure.kind == kind


@pytest.mark.parametrize(
    "change",
    [
        {"expected_by": {"sound": 9}},
        {"expected_by": {"sound": "0"}},
        {"expected_by": []},
        {"answers": {}},
        {"answers": [7]},
        {"answers": [{"moves": {"PAR": "ATLANTIS"}}]},
        {"units": {"FRANCE": ["A NTH"]}},
    ],
)
def test_a_corpus_that_is_not_sound_is_no_answer(change: dict[str, Any], tmp_path: Path) -> None:
    failure = RecordedAnswers("sound").adjudicate(PEERS | change).failure
    assert failure is not None
    assert failure.kind == FailureKind.UNSUPPORTED
    file = tmp_path / "peers.jsonl"
    file.write_text(json.dumps(PEERS) + "\n" + json.dumps(PEERS | change) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"peers\.jsonl, line 2"):
        engine_named(f"recorded:sound:{file}")


def test_answers_of_a_file_are_found_by_what_the_phase_is(tmp_path: Path) -> None:
    file = tmp_path / "peers.jsonl"
    file.write_text(json.dumps(PEERS) + "\n", encoding="utf-8")
    bare = {"units": PEERS["units"], "orders": PEERS["orders"], "phase": "S1923M"}
    engine = engine_named(f"recorded:wild:{file}")
    assert engine.adjudicate(bare).moves == {"PAR": "BUR"}
    failure = engine.adjudicate(bare | {"orders": {}}).failure
    assert failure is not None
    assert failure.text == "no answer of wild is recorded"


GAME = {
    "engine": "diplomacy-package",
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"], "ITALY": ["A TUS"]},
    "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR - MAR"], "ITALY": ["A TUS - ROM"]},
    "results": {"A PAR": [], "A MAR": [""], "A BUR": ["bounce", "dislodged"], "A TUS": []},
    "next_phase": "F1901R",
    "next_units": {"FRANCE": ["A BUR", "A MAR"], "ITALY": ["A ROM"]},
    "next_dislodged": {"GERMANY": ["A BUR"]},
    "next_centers": {"FRANCE": ["PAR"]},
}


def test_the_answer_of_a_recorded_game() -> None:
    answer = RecordedAnswers().adjudicate(GAME)
    assert answer == Answer(
        moves={"PAR": "BUR", "TUS": "ROM"},
        dislodged=frozenset({"BUR"}),
        units={"FRANCE": frozenset({"A BUR", "A MAR"}), "ITALY": frozenset({"A ROM"})},
    )
    assert RecordedAnswers("diplomacy-package").adjudicate(GAME) == answer
    assert RecordedAnswers("godip").adjudicate(GAME).failure is not None
    assert RecordedAnswers().adjudicate(GAME | {"next_phase": "W1901A"}).centers == {"FRANCE": {"PAR"}}


@pytest.mark.parametrize(
    "change",
    [
        {"next_units": 7},
        {"next_units": {"FRANCE": "A PAR"}},
        {"next_dislodged": []},
        {"next_dislodged": {"GERMANY": 1}},
        {"next_dislodged": {"GERMANY": [["A BUR"]]}},
        {"removed": 1},
        {"results": {"A PAR": 0}},
        {"next_phase": "W1901A", "next_centers": {"FRANCE": ["NTH"]}},
    ],
)
def test_a_recorded_game_that_is_not_sound_is_no_answer(change: dict[str, Any]) -> None:
    failure = RecordedAnswers().adjudicate(GAME | change).failure
    assert failure is not None
    assert failure.kind == FailureKind.UNSUPPORTED


def test_words_of_a_game_may_be_anything() -> None:
    odd = GAME | {"results": {"A PAR": [{}], "A TUS": [[]], "A BUR": [None, "dislodged"]}}
    assert RecordedAnswers().adjudicate(odd).moves == {}


def test_of_units_that_vanish_nobody_knows_which_was_dislodged() -> None:
    """Of two armies of one power one is gone; only an engine that records words says which was driven out."""
    vanished = GAME | {"removed": {"GERMANY": ["A BUR"]}, "next_dislodged": {}}
    assert RecordedAnswers().adjudicate(vanished).dislodged == {"BUR"}
    assert RecordedAnswers().adjudicate(vanished | {"engine": "droidippy", "results": {}}).dislodged is None


def peers(shared: Path, name: str, step: int) -> Iterator[dict[str, Any]]:
    records = read_lines(shared / "peers" / f"{name}.jsonl.gz")
    return (record for _, record in islice(records, 0, None, step))


@pytest.mark.parametrize("name", ["random_phases", "random_phases_noadjvia", "paradox_phases"])
def test_a_package_answers_as_it_did_when_it_was_recorded(package: Engine, name: str, shared: Path) -> None:
    """The recorded answers came from other drivers of the same packages."""
    recorded = RecordedAnswers(package.name)
    for record in peers(shared, name, 41):
        theirs = recorded.adjudicate(record)
        assert theirs.failure is None
        assert compare(package.adjudicate(record), theirs) == (), record["id"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["random_phases", "random_phases_noadjvia", "paradox_phases"])
def test_a_package_answers_all_as_it_did(package: Engine, name: str, shared: Path) -> None:
    recorded = RecordedAnswers(package.name)
    for record in peers(shared, name, 1):
        assert compare(package.adjudicate(record), recorded.adjudicate(record)) == (), record["id"]


def test_recorded_moves_lead_to_the_recorded_position(shared: Path) -> None:
    """Two fields of the corpora that were recorded apart: the words for the orders, and the next position."""
    checked = 0
    for file in ("package_mit", "webdiplomacy", "backstabbr"):
        for _, record in islice(read_lines(shared / "games" / f"{file}.jsonl.gz"), 150):
            if record["phase"][-1] != "M":
                continue
            answer = RecordedAnswers().adjudicate(record)
            assert answer.failure is None
            if answer.dislodged is None or answer.moves is None or answer.units is None:
                continue
            checked += 1
            after = {
                f"{unit[:2]}{answer.moves.get(unit[2:5], unit[2:])}"
                for units in record["units"].values()
                for unit in units
                if unit[2:5] not in answer.dislodged
            }
            told = {unit for units in answer.units.values() for unit in units}
            assert {unit[:5] for unit in after} == {unit[:5] for unit in told}, record["phase"]
    assert checked > 100


# ---------------------------------------------------------------------- the documentation and its example


def test_the_documented_answer_is_that_to_the_documented_question() -> None:
    asked, answer = map(json.loads, re.findall(r"```json\n(.*?)\n```", DOCS.read_text(encoding="utf-8"), re.DOTALL))
    assert asked.pop("id") == answer["id"]
    assert question(asked).record == asked
    assert differences(adjudicate(asked), read_answer(answer, read_record(asked).position)) == ()


def test_the_example_adjudicates_what_it_knows(shared: Path) -> None:
    """It agrees with satdip on the openings that have nothing but moves and holds."""
    engine, known = engine_named(f"command:{sys.executable} {EXAMPLE}"), 0
    records = (record for _, record in islice(read_lines(shared / "games" / "droidippy_1.jsonl.gz"), 3000))
    try:
        for record in (record for record in records if record["phase"] == "S1901M"):
            answer = engine.adjudicate(record)
            if answer.failure is None:
                known += 1
                assert differences(adjudicate(record), answer) == (), record["game"]
            else:
                assert answer.failure.kind == FailureKind.UNSUPPORTED
    finally:
        engine.close()
    assert known > 20


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("judge", "no engine is called 'judge'; there is satdip"),
        ("", "no engine is called ''"),
        ("pydip:1", "no engine is called 'pydip:1'"),
        ("satdip:1066", "1066"),
        ("recorded:godip:/no/such/file", "cannot be read"),
        ("command:", "is empty"),
        ("command:   ", "is empty"),
        ("command:python '", "cannot be split"),
        ("command:no-such-program-at-all --fast", "'no-such-program-at-all' of an engine is not found"),
    ],
)
def test_an_engine_that_is_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        engine_named(text)


def test_an_engine_can_be_given_a_name() -> None:
    assert engine_named("old=satdip:1971").name == "old"
    named = engine_named(f"mine=command:{sys.executable} x=1.py")
    assert isinstance(named, CommandEngine)
    assert (named.name, named.words) == ("mine", (sys.executable, "x=1.py"))
    assert engine_named("recorded:godip").name == "recorded:godip"


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "diplomacy", None)
    with pytest.raises(InputError, match=r"pip install 'satdip\[engines\]'"):
        engine_named("diplomacy")
