"""Many phases: order, bounded reading ahead, bad lines, workers."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.commands import satdip as run

import satdip
from satdip.base.errors import InputError
from satdip.games.stream import CHUNK, LONGEST_LINE, adjudicate_many, numbered_lines
from satdip.resolve.resolution import Resolution
from satdip.telling.serialise import result_record

SHEET = """
England: F London - English Channel
France: F Brest - English Channel
"""
OPEN = {
    "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"]},
    "orders": {
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    },
}
"""A paradox with two resolutions: without a paradox rule there is no answer."""


def phase(number: int) -> dict[str, Any]:
    """Return one of many different phases: its year says which."""
    goal = ("BUR", "PIC", "GAS")[number % 3]
    orders = {"FRANCE": [f"A PAR - {goal}"], "GERMANY": ["A MUN - BUR"]}
    return {"phase": f"S{1901 + number}M", "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, "orders": orders}


def lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def phase_name(resolution: Resolution) -> str:
    return str(resolution.position.phase)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_answers_come_in_the_order_of_the_phases(workers: int) -> None:
    phases = [phase(number) for number in range(3 * CHUNK + 1)]
    answers = list(satdip.adjudicate_many(phases, workers=workers))
    assert answers == [result_record(satdip.adjudicate(one)) for one in phases]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_to_make_of_a_resolution_may_be_chosen(workers: int) -> None:
    phases = [phase(number) for number in range(5)]
    assert list(adjudicate_many(phases, phase_name, workers=workers)) == [one["phase"] for one in phases]


@pytest.mark.parametrize(("workers", "most"), [(1, 1), (2, 6 * CHUNK)])
def test_no_more_phases_are_read_than_the_workers_need(workers: int, most: int) -> None:
    read = 0

    def endless() -> Iterator[dict[str, Any]]:
        nonlocal read
        while True:
            read += 1
            yield phase(read)

    answers = adjudicate_many(endless(), phase_name, workers=workers)
    for given in range(1, 4):
        next(answers)
        assert read - given < most
    answers.close()


def test_texts_records_and_turns_may_be_mixed() -> None:
    turn = satdip.adjudicate(SHEET).turn
    one, two, three = adjudicate_many([SHEET, turn, phase(0)])
    assert one == two
    assert three["phase"] == "S1901M"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_phase_that_cannot_be_is_refused_when_its_turn_comes(workers: int) -> None:
    answers = adjudicate_many([phase(0), {"units": {"FRANCE": ["A ENG"]}}], workers=workers)
    with pytest.raises(InputError, match=r"phase 2, at \$\.units\.FRANCE\[0\]: an army cannot be at sea"):
        list(answers)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("before", [3, CHUNK, 2 * CHUNK + 5])
def test_what_came_before_a_bad_phase_is_answered_first(workers: int, before: int) -> None:
    phases = [*map(phase, range(before)), {"units": 3}, phase(before)]
    answered, error = until_it_fails(adjudicate_many(phases, phase_name, workers=workers))
    assert answered == [one["phase"] for one in phases[:before]]
    assert str(error).startswith(f"phase {before + 1}, at $.units: ")


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_read_before_the_reading_failed_is_answered_first(workers: int) -> None:
    def cut_off() -> Iterator[dict[str, Any]]:
        yield from map(phase, range(CHUNK + 3))
        raise OSError("the disk is gone")

    answered, error = until_it_fails(adjudicate_many(cut_off(), phase_name, workers=workers))
    assert len(answered) == CHUNK + 3
    assert str(error) == "the disk is gone"


def clumsy(resolution: Resolution) -> str:
    return str(1 // (resolution.position.phase.year - 1903))


def test_a_failure_in_a_worker_brings_its_traceback() -> None:
    answered, error = until_it_fails(adjudicate_many(map(phase, range(5)), clumsy, workers=2))
    assert answered == ["-1", "-1"]
    assert isinstance(error, ZeroDivisionError)
    assert "in clumsy" in "".join(error.__notes__)


def until_it_fails(answers: Iterator[str]) -> tuple[list[str], Exception]:
    found: list[str] = []
    try:
        found.extend(answers)
    except Exception as error:  # noqa: BLE001 -- whichever it is
        return found, error
    raise AssertionError("nothing failed")


# ---------------------------------------------------------------------- the command


def test_each_line_is_answered_by_its_record_with_the_outcome() -> None:
    done = run("adjudicate", "--stream", "-", stdin=lines(phase(0), phase(1)))
    assert done.code == 0
    assert [json.loads(line) for line in done.out.splitlines()] == [
        result_record(satdip.adjudicate(phase(number))) for number in (0, 1)
    ]


def test_a_winter_tells_what_became_of_builds() -> None:
    winter = {
        "phase": "W1901A",
        "units": {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR", "SPA"], "ITALY": []},
        "orders": {"FRANCE": ["F BRE B", "A SPA B", "WAIVE"], "ITALY": ["A ROM D"]},
    }
    [answer] = adjudicate_many([winter])
    assert answer["results"] == {"F BRE": ["succeeds"], "A ROM": ["succeeds"]}
    assert answer["next_units"] == {"FRANCE": ["A PAR", "F BRE"]}


def test_a_bad_line_is_answered_by_an_error_and_the_rest_goes_on() -> None:
    bad = b'{"units": 3}\n\n  \nno JSON\n{"rules": "none", "units": {}}\n'
    done = run("adjudicate", "--stream", "-", stdin=lines(phase(0)) + bad + lines(phase(1)))
    first, units, text, rules, last = map(json.loads, done.out.splitlines())
    assert done.code == 2
    assert (first["phase"], last["phase"]) == ("S1901M", "S1902M")
    assert units == {"error": "an object is expected here, not the number 3", "path": "$.units", "line": 2}
    assert (text["line"], text["column"], text["error"][:16]) == (5, 1, "this is not JSON")
    assert rules["line"] == 6
    assert "none" in rules["error"]


def test_a_line_that_is_too_long_is_passed_over() -> None:
    long = b'{"note": "' + b"x" * (2 * LONGEST_LINE) + b'"}\n'
    done = run("adjudicate", "--stream", "-", stdin=long + lines(phase(0)))
    error, record = map(json.loads, done.out.splitlines())
    assert done.code == 2
    assert error["line"] == 1
    assert record["phase"] == "S1901M"
    assert all(len(data) <= LONGEST_LINE + 1 for _, data in numbered_lines(io.BytesIO(long * 2)))


def test_a_phase_without_an_answer_says_so() -> None:
    done = run("adjudicate", "--stream", "-", "--rules", "datc+4.A.2=none", stdin=lines(OPEN, phase(0)))
    without, answered = map(json.loads, done.out.splitlines())
    assert done.code == 3
    assert without["open"] is True
    assert without["results"]["F ENG"] == ["open"]
    assert "next_units" not in without
    assert "open" not in answered
    settled = run(
        "adjudicate", "--stream", "-", "--rules", "datc+4.A.2=none", "--fallback", "szykman", stdin=lines(OPEN)
    )
    assert settled.code == 0


def test_next_positions_are_there_anyway() -> None:
    done = run("adjudicate", "--stream", "--next", "-", stdin=lines(phase(0)))
    assert done.code == 2
    assert "--next" in done.err
