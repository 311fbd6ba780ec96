"""Numbers that make no sense, in every option that takes one: one sentence, and exit code 2."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from support.commands import satdip
from support.verbs import VERBS

SHEET = Path(__file__).parents[2] / "examples" / "paradox.txt"

NEEDED = {
    "adjudicate": [SHEET],
    "certify": [SHEET],
    "compare": [SHEET, "--rules", "datc", "--rules", "1971"],
    "crosscheck": ["--quiet", "--engine", "satdip:1971", "datc"],
    "explain": [SHEET, "A Bre", "--if", "England"],
    "generate": ["chain"],
    "replay": [SHEET],
    "resolutions": [SHEET],
    "verify": [SHEET],
}
"""What a verb needs before it looks at a number."""

NUMBERS = [
    (verb, option)
    for verb, command in VERBS.items()
    for option in command.params
    if isinstance(option, click.Option) and isinstance(option.type, (click.IntRange, click.FloatRange))
]

HUGE = "1" + "0" * 30
SHORT = 250
"""Characters of a sentence that repeats no number of thousands of digits."""
SEEDED = {("fuzz", "seed"), ("generate", "seed")}
"""Any number will do to begin with."""


def refusal(verb: str, *options: object) -> str:
    """Return the one sentence with which a verb refuses what it is given."""
    run = satdip(*verb.split(), *NEEDED.get(verb, ()), *options)
    assert run.code == 2
    assert run.out == ""
    [sentence] = run.err.splitlines()
    return sentence


def test_there_is_no_number_without_a_range() -> None:
    for command in VERBS.values():
        for option in command.params:
            assert option.type not in (click.INT, click.FLOAT), option.name


@pytest.mark.parametrize(("verb", "option"), NUMBERS, ids=[f"{verb} {option.opts[-1]}" for verb, option in NUMBERS])
def test_absurd_numbers_are_refused(verb: str, option: click.Option) -> None:
    for number in ("-1", "nan", "inf", "", "x", "9" * 5000, "1e999"):
        assert len(refusal(verb, option.opts[-1], number)) < SHORT
    floating = isinstance(option.type, click.FloatRange)
    if not floating and (verb, option.name) not in SEEDED:
        assert len(refusal(verb, option.opts[-1], HUGE)) < SHORT
    if isinstance(option.type, (click.IntRange, click.FloatRange)) and (option.type.min or option.type.min_open):
        assert len(refusal(verb, option.opts[-1], "0")) < SHORT


@pytest.mark.parametrize("count", ["0", "-1", "nan", HUGE, "9" * 5000, "1:x", f"1:{HUGE}", "1:2:3"])
def test_absurd_numbers_of_random_phases_are_refused(count: str) -> None:
    assert len(refusal("crosscheck", f"random:dense:{count}")) < SHORT


@pytest.mark.parametrize("number", ["1", "7", HUGE])
def test_any_seed_will_do(number: str) -> None:
    assert satdip("generate", "dense", "--seed", number).code == 0
