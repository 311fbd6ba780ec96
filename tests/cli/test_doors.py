"""Whatever comes in by a door of satdip: no traceback, an exit code of the table, little time, little memory.

`doors` makes the cases and judges them; ``python -m tests.doors`` runs many more of them than these tests do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import click
import pytest
from doors.case import Case
from doors.corpus import FORMS, corpus
from doors.judging import MOST_BYTES, MOST_SECONDS, SECRET, Outcome, faults
from doors.mutations import mutated
from doors.running import House
from doors.verbs import VERBS, Drawing, case, commands, missing, value
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

IN_PROCESS, AS_PROCESSES = 1000, 300


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with House() as found:
        yield found


def share(verb: str, cases: int) -> int:
    """Return how many of the cases are for a verb: all have as many, the first ones get what is left."""
    each, left = divmod(cases, len(VERBS))
    return each + (sorted(VERBS).index(verb) < left)


# ---------------------------------------------------------------------- nothing is left out


def test_every_verb_has_a_generator() -> None:
    assert missing() == set()


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_parameter_has_a_generator(verb: str) -> None:
    command = commands()[verb]
    for parameter in command.params:
        if not (isinstance(parameter, click.Option) and parameter.is_flag):
            assert isinstance(value(verb, parameter, Drawing(Random(0), alone=False)), str)


def test_a_parameter_of_which_nothing_is_known_is_an_error() -> None:
    with pytest.raises(LookupError, match="no generator makes a text for the parameter 'colour' of 'explain'"):
        value("explain", click.Option(["--colour"]), Drawing(Random(0), alone=False))


def test_the_inputs_from_which_cases_start_are_sound(house: House) -> None:
    ways = {
        "sheets": ("adjudicate",),
        "records": ("adjudicate",),
        "streams": ("adjudicate", "--stream"),
        "games": ("crosscheck", "--quiet", "--engine", "satdip"),
        "logs": ("crosscheck", "--quiet", "--engine", "satdip"),
        "maps": ("map", "check"),
        "rules": ("rules", "show"),
        "certificates": ("verify",),
    }
    assert FORMS.keys() | {"certificates"} == ways.keys() | {"answers"}
    for kind, words in ways.items():
        for sample in corpus()[kind].samples:
            name = f"in{corpus()[kind].suffix}"
            outcome = house.run(Case(words[0], (*words, name), {name: sample}))
            assert (outcome.code, outcome.err) == (0, ""), (kind, sample)


def test_a_number_tells_a_case() -> None:
    for number in range(20):
        assert case(Random(number)) == case(Random(number))


# ---------------------------------------------------------------------- the doors hold


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_whatever_comes_in_is_answered_or_refused(verb: str, house: House) -> None:
    @settings(max_examples=share(verb, IN_PROCESS), suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def holds(rng: Random) -> None:
        chosen = case(rng, verb)
        note(str(chosen))
        outcome = house.run(chosen)
        if outcome.seconds > MOST_SECONDS:  # only the time is measured once more: the machine may be busy
            outcome = replace(outcome, seconds=min(outcome.seconds, house.run(chosen).seconds))
        assert faults(chosen, outcome) == []

    holds()


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_process_answers_or_refuses_too(verb: str, house: House, tmp_path: Path) -> None:
    for number in range(share(verb, AS_PROCESSES)):
        chosen = case(Random(f"process {verb} {number}"), verb, alone=True)
        found = faults(chosen, house.start(chosen))
        if found:
            chosen.keep(tmp_path / str(number), found)
        assert found == [], f"{chosen}\nkept in {tmp_path / str(number)}"


# ---------------------------------------------------------------------- and what does not hold is seen

ANY = Case("adjudicate", ("adjudicate", "in.txt"), {"in.txt": b"France: A Paris H"})


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [
        (
            Outcome(1, "", "", raised='Traceback\n  File "/satdip/x.py", line 3, in f\nKeyError: 1'),
            "a traceback: KeyError",
        ),
        (Outcome(1, "", "Traceback (most recent call last):\nKeyError: 1"), "a traceback: KeyError"),
        (Outcome(None, "", ""), "it did not end"),
        (Outcome(-11, "", ""), "exit code -11"),
        (Outcome(5, "", ""), "exit code 5"),
        (Outcome(0, "", "", seconds=2.1), "it worked for 2.1 seconds"),
        (Outcome(0, "", "", size=MOST_BYTES + (2 << 20)), "it took 502 MB"),
        (Outcome(0, "a\x1b[2J", ""), "the sign '\\x1b' on standard output"),
        (Outcome(0, "", "a\u202eb"), "the sign '\\u202e' on standard error"),
        (Outcome(0, f"xx{SECRET}", ""), "it tells what a file holds"),
        (Outcome(0, "", "", touched=("it opened pipe",)), "it opened pipe"),
        (Outcome(2, "", ""), "bad input is not told in a sentence"),
        (Outcome(2, "", "satdip: this\nis more than one"), "bad input is not told in a sentence"),
        (Outcome(2, "France", "satdip: no"), "something is printed about bad input"),
        (Outcome(2, "", "satdip: no", files={**ANY.files, "out.json": b"{"}), "the file out.json is left behind"),
        (Outcome(0, "", "", files={"in.txt": b""}), "the file in.txt was changed"),
    ],
)
def test_what_a_command_must_not_do_is_a_fault(outcome: Outcome, fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(ANY, outcome))


@pytest.mark.parametrize("text", ["", "{", "{}\n{}"])
def test_what_is_no_json_is_a_fault(text: str) -> None:
    assert faults(Case("rules", ("rules", "--json"), {}), Outcome(0, text, "")) != []


def test_a_file_that_only_the_input_names_is_watched(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def curious() -> None:
        Path("../outside/secret.toml").read_text(encoding="utf-8")

    monkeypatch.setattr("doors.running.main", curious)
    assert "it opened secret.toml, which only the input names" in faults(ANY, house.run(ANY))


def test_what_does_not_end_is_ended(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> None:
        while True:
            pass

    monkeypatch.setattr("doors.running.main", endless)
    monkeypatch.setattr("doors.running.PATIENCE", 0.05)
    assert faults(ANY, house.run(ANY)) == ["it did not end"]


def test_what_asks_for_much_memory_gets_none(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doors.running.main", lambda: bytearray(3 * MOST_BYTES))
    assert faults(ANY, house.run(ANY))[0].startswith("a traceback: MemoryError")
    monkeypatch.setattr("doors.running.main", lambda: bytearray(MOST_BYTES + (1 << 20)))
    assert faults(ANY, house.run(ANY))[0].startswith("it took ")


@pytest.mark.parametrize("form", ["text", "json", "lines", "toml"])
def test_inputs_are_changed(form: str) -> None:
    kind = next(kind for kind in corpus().values() if kind.form == form)
    changed = {mutated(kind.samples[0], Random(number), form, kind.samples) for number in range(200)}
    assert len(changed) > 120
