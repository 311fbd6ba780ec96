"""Tables in a pipe: to the letter what rich would print there."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from satdip.adjudication import adjudicate
from satdip.cli import plain, terminal
from satdip.rulebook import rulebook_named
from satdip.telling.render import report
from satdip.telling.speech import Speech

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.txt"))

_LETTERS = st.text(alphabet=st.sampled_from("aZé (-)/,;.'\u2019"), max_size=60)
_WORDS = st.lists(st.text(alphabet=st.sampled_from("aé-"), min_size=1, max_size=30), max_size=20).map(" ".join)
LINES = st.one_of(_LETTERS, _WORDS)
CELLS = st.lists(LINES, min_size=1, max_size=3).map("\n".join)


def by_rich(title: str, headings: list[str], rows: list[list[str]], below: list[str], told: str, width: int) -> str:
    """Return what rich prints into a pipe, as `satdip.cli.terminal.show` would have it."""
    out = io.StringIO()
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for first, *others in rows:
        table.add_row(first, *map(Text, others))
    whole = Group(table, *map(Text, below))
    Console(file=out, width=width, highlight=False).print(whole, told, sep="\n", markup=False)
    return out.getvalue()


@given(st.data())
def test_a_table_is_that_of_rich(data: st.DataObject) -> None:
    columns, width = data.draw(st.integers(1, 5)), data.draw(st.sampled_from((40, 80, 120)))
    title, told = data.draw(LINES), data.draw(CELLS)
    headings = data.draw(st.lists(LINES.filter(bool), min_size=columns, max_size=columns))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns), max_size=4))
    below = data.draw(st.lists(CELLS, max_size=2))
    lines = plain.table(title, headings, rows, width)
    for text in (*below, told):
        lines += plain.paragraph(text, width)
    assert "\n".join(lines) + "\n" == by_rich(title, headings, rows, below, told, width)


def test_plain_characters_have_one_cell() -> None:
    wide = [chr(code) for code in range(0x3000) if plain.is_plain(chr(code)) and cell_len(chr(code)) != 1]
    assert wide == ["\n"]
    assert not any(map(plain.is_plain, ("\t", "\r", "\x0b", "\x85", "\u2028", "\xa0", "\xad", "e\u0301", "日", "😀")))


def test_what_rich_would_read_is_left_to_it() -> None:
    assert not any(map(plain.is_verbatim, ("[bold]x", "a :smile: b", "::")))
    assert all(map(plain.is_verbatim, ("S1901M, map standard, rules 2023+4.A.2=d", "why: so", "")))


class _Pipe(io.StringIO):
    encoding = "utf-8"


class _Latin(io.StringIO):
    encoding = "latin-1"


def printed(example: Path, rules: str, language: str, out: io.StringIO, *told: str) -> str:
    """Return what is printed on a phase into `out`."""
    resolution = adjudicate(example.read_text(encoding="utf-8"), rules=rulebook_named(rules))
    with mock.patch.object(sys, "stdout", out):
        terminal.show(report(resolution, speech=Speech(language)), *told)
    return out.getvalue()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize(("rules", "language"), [("datc", "en"), ("seed", "fr"), ("2023", "en")])
def test_a_report_is_that_of_rich(example: Path, rules: str, language: str) -> None:
    told = (
        "Under '2023+4.A.2=d' the result would be another, and this sentence is long enough to be wrapped by anybody."
    )
    with mock.patch.object(terminal, "console", side_effect=AssertionError("rich was used")):
        ours = printed(example, rules, language, _Pipe(), told)
    with mock.patch.object(terminal, "_is_plain_pipe", return_value=False):
        assert printed(example, rules, language, _Pipe(), told) == ours


def test_other_encodings_and_wanted_colours_are_left_to_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    example = ROOT / "examples" / "paradox.txt"
    assert re.search("[━┃┏]", printed(example, "datc", "en", _Latin())) is None
    with mock.patch.dict(os.environ, {"FORCE_COLOR": "1", "TERM": "xterm-256color"}):
        assert "\x1b[" in printed(example, "datc", "en", _Pipe())


def test_a_sheet_of_wide_characters_is_left_to_rich() -> None:
    resolution = adjudicate("France: A PAR H")
    with mock.patch.object(sys, "stdout", _Pipe()), mock.patch.object(terminal, "console") as rich:
        terminal.show(report(resolution), "日本")
    rich.return_value.print.assert_called_once()
