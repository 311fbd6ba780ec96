"""What comes from outside is shown, never sent: no escape sequence, no line that looks like one of satdip's own."""

from __future__ import annotations

import ast
import itertools
import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.commands import Run, satdip

from satdip import Game, InputError
from satdip.base.messages import Message
from satdip.base.printable import is_shown, short, shown, shown_lines
from satdip.cli.console import Output
from satdip.notation import read_turn
from satdip.telling.speech import Speech

SOURCES = Path(__file__).parents[2] / "satdip"
SENT = "\x1b[2J\x1b]0;title\x07\x9b31m\r\x08\x7f\u202eFAKED\u2028\u2066\u200b\ufeff"
FAKED = f"x\nFAKED: valid\r\n{SENT}"


@given(st.text())
def test_what_is_shown_is_one_line_and_moves_nothing(text: str) -> None:
    told = shown(text)
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in told)
    assert (told == text) == all(map(is_shown, text))
    assert shown(told) == told
    assert shown_lines(text).count("\n") == text.count("\n")


def test_spaces_and_letters_of_all_languages_are_left_alone() -> None:
    text = "« Épître »\u00a0: Größe, Łódź, 東京, \u202f😀"
    assert shown(text) == text


def test_a_long_text_is_cut_off() -> None:
    assert short("x" * 60) == "x" * 60
    assert short("x" * 61) == "x" * 60 + "..."


# ---------------------------------------------------------------------- one door


def test_every_verb_prints_through_the_door() -> None:
    """Nothing but `satdip.cli.door` and the console calls what prints."""
    for path in sorted((SOURCES / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("print", "click.secho", "sys.stdout.write", "sys.stderr.write"), path
                assert called != "click.echo" or path.name == "door.py", path
                assert called != "Console", f"{path}: use satdip.cli.console.Output"


@pytest.mark.parametrize("terminal", [True, False])
def test_the_console_shows_what_others_would_send(terminal: bool) -> None:
    from io import StringIO

    from rich.table import Table
    from rich.text import Text

    out = StringIO()
    console = Output(file=out, force_terminal=terminal, width=200, markup=False, emoji=False, legacy_windows=False)
    table = Table("head", SENT, title=SENT)
    table.add_row(Text(SENT, style="red"), SENT)
    console.print(table, SENT, Text(SENT), "[link=x]:smile:")
    printed = out.getvalue()
    printed = re.sub(r"\x1b\[[0-9;]*m", "", printed)  # colours are rich's own
    assert all(line.isprintable() for line in printed.split("\n"))
    assert "[link=x]:smile:" in printed
    assert printed.count("FAKED\\u2028") >= 2


# ---------------------------------------------------------------------- every text of every input


def check(run: Run, about: object) -> None:
    """Check that nothing was sent raw, and that no line begins as the faked one does."""
    for printed in (run.out, run.err):
        for line in printed.split("\n"):
            assert all(map(is_shown, line)), f"{about}: {line!r}"
            assert not line.lstrip(" │").startswith("FAKED"), f"{about}: {line!r}"
    assert run.code in (0, 1, 2, 3, 4)


def texts(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all texts and keys of a JSON value."""
    found: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        for key, item in value.items():
            found += [(*path, key, "key"), *texts(item, (*path, key))]
    elif isinstance(value, list):
        found += itertools.chain.from_iterable(texts(item, (*path, number)) for number, item in enumerate(value))
    elif isinstance(value, str):
        found.append((*path, "value"))
    return found


def spoiled(value: Any, path: tuple[Any, ...], text: str) -> Any:
    """Return a JSON value with one text or key replaced."""
    copied = json.loads(json.dumps(value))
    *way, last, what = path
    holder = copied
    for key in way:
        holder = holder[key]
    if what == "key":
        holder[text] = holder.pop(last)
    else:
        holder[last] = text
    return copied


MOVEMENT = {
    "game": "a game",
    "map": "standard",
    "rules": "2023",
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "F BRE"], "ENGLAND": ["F ENG"]},
    "centers": {"FRANCE": ["PAR"]},
    "orders": {"FRANCE": ["A PAR - BUR", "A PRIS - GAS", "F BRE H"]},
    "results": {"A PAR": [""]},
    "next_units": {"FRANCE": ["A BUR"]},
    "next_phase": "F1901M",
    "expected": {"moves": {"PAR": "BUR"}, "dislodged": []},
    "note": "a note",
}
RETREAT = {
    "phase": "S1901R",
    "units": {"GERMANY": ["A BUR"]},
    "dislodged": {"FRANCE": ["A BUR"]},
    "retreats": {"A BUR": ["GAS", "PAR"]},
    "attackers": {"A BUR": "MUN"},
    "orders": {"FRANCE": ["A BUR R PAR"]},
}
SETS = {
    "units": {"FRANCE": ["A PAR"], "ENGLAND": ["A LON"]},
    "order_sets": {"FRANCE": [{"set": 1, "orders": ["A PAR H"]}, {"date": "1901-03-02", "orders": ["A PAR - BUR"]}]},
    "perpetual": {"FRANCE": ["A PAR H"]},
    "proxies": {"ENGLAND": {"A LON": "FRANCE"}},
}
RECORDS = [(record, path) for record in (MOVEMENT, RETREAT, SETS) for path in texts(record)]


@pytest.mark.parametrize(
    ("record", "path"), RECORDS, ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else ""
)
def test_a_text_of_a_record_is_never_sent(record: dict[str, object], path: tuple[Any, ...], tmp_path: Path) -> None:
    for text in (FAKED, SENT, f"A PAR H {SENT}"):
        data = json.dumps(spoiled(record, path, text))
        lines = tmp_path / "phases.jsonl"
        lines.write_text(f"{data}\n{data}\n", encoding="utf-8")
        for verb in ("adjudicate", "explain", "resolutions", "certify"):
            check(satdip(verb, "-", stdin=data.encode()), (verb, path))
        for extra in (("--lenient",), ("--next",), ("--lenient", "--next"), ("--lang", "fr", "--lenient")):
            check(satdip("adjudicate", "-", *extra, stdin=data.encode()), (*extra, path))
        check(satdip("replay", lines), ("replay", path))
        check(satdip("compare", "--rules", "datc", "--rules", "2023", lines), ("compare", path))


SHEET = """map: standard
rules: 2023
phase: S1901M
units: France A Paris, F Brest
centres: France Paris
France:
  A Paris - Burgundy
  F Brest
"""


@pytest.mark.parametrize("at", range(SHEET.count(" ")))
def test_a_text_of_a_sheet_is_never_sent(at: int) -> None:
    """What a sheet may hold: marks of direction, and the control characters above 127."""
    words = SHEET.split(" ")
    sent = "".join(c for c in SENT if ord(c) > 127) + "FAKED"
    sheet = " ".join([*words[:at], f"{sent} {words[at]}", *words[at + 1 :]])
    for verb in (("adjudicate",), ("adjudicate", "--lenient"), ("explain",), ("resolutions",)):
        check(satdip(*verb, "-", stdin=sheet.encode()), (verb, at))


@pytest.mark.skipif(sys.platform == "win32", reason="names of files")
@pytest.mark.parametrize("verb", ["adjudicate", "explain", "resolutions", "certify", "verify", "replay", "map check"])
def test_a_name_of_a_file_is_never_sent(verb: str, tmp_path: Path) -> None:
    missing = tmp_path / FAKED.replace("/", "")
    check(satdip(*verb.split(), missing), verb)
    for content in (b"", b"{", b"\xff", json.dumps(MOVEMENT | {"next_units": {}}).encode()):
        missing.write_bytes(content)
        check(satdip(*verb.split(), missing), (verb, content))


@pytest.mark.parametrize(
    "arguments",
    [
        (FAKED,),
        ("adjudicate", f"--{FAKED}"),
        ("adjudicate", "-", "--rules", FAKED),
        ("adjudicate", "-", "--map", FAKED),
        ("adjudicate", "-", "--notation", FAKED),
        ("rules", "show", FAKED),
        ("rules", "diff", "datc", FAKED),
        ("map", "show", FAKED),
        ("map", "show", "standard", FAKED),
        ("map", "check", FAKED),
        ("generate", FAKED),
        ("generate", "paradoxes", "--map", FAKED),
        ("datc", "--case", FAKED),
        ("explain", "-", FAKED),
        ("certify", "-", "--forced", FAKED),
        ("crosscheck", FAKED),
        ("crosscheck", "--engine", FAKED, FAKED),
        ("fuzz", "--kind", FAKED),
        ("fuzz", "--check", FAKED),
    ],
)
def test_a_word_of_the_command_line_is_never_sent(arguments: tuple[str, ...]) -> None:
    check(satdip(*arguments, stdin=SHEET.encode()), arguments)


QUOTED = json.dumps(FAKED)
RULES = [f"name = {QUOTED}", f"base = {QUOTED}", f"[choices]\n{QUOTED} = 'a'", f"{QUOTED} = 1"]


@pytest.mark.parametrize("text", RULES)
def test_a_text_of_a_rulebook_is_never_sent(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    for arguments in (("rules", "show", path), ("adjudicate", "-", "--rules", path)):
        run = satdip(*arguments, stdin=SHEET.encode())
        check(run, arguments)
        assert run.code == 2


@pytest.mark.parametrize("text", ['"Paris"', '"standard"', '"French"', '"BUR"', "provinces.PAR", "18"])
def test_a_text_of_a_map_is_never_sent(text: str, tmp_path: Path) -> None:
    source = (SOURCES / "maps" / "standard.toml").read_text(encoding="utf-8")
    path = tmp_path / "map.toml"
    path.write_text(source.replace(text, f"provinces.{QUOTED}" if "." in text else QUOTED, 1), encoding="utf-8")
    for arguments in (("map", "show", path), ("map", "check", path), ("adjudicate", "-", "--map", path)):
        check(satdip(*arguments, stdin=SHEET.encode()), (text, arguments))


def test_an_error_in_python_is_one_line() -> None:
    with pytest.raises(InputError) as caught:
        read_turn(SHEET, source=FAKED, language=FAKED)
    assert str(caught.value).isprintable()


# ---------------------------------------------------------------------- words of sentences


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_plain_text_is_shown_in_a_sentence_of_any_language(language: str) -> None:
    """Also where the quotation marks of a language replace those that escape it."""
    told = Speech(language).tell(
        Message(
            "the {number:key|keys} {keys} {number:is|are} not looked at", number=1, keys=Message("{text!r}", text=FAKED)
        )
    )
    assert told.isprintable() or language == "fr"
    assert all(map(is_shown, told))
    assert told.count("\\n") == FAKED.count("\n")
    assert "\\\\" not in told, "nothing is escaped twice"
    listed = Speech(language).listed([FAKED, "b", SENT], last="or")
    assert all(map(is_shown, listed))


def test_a_save_is_replayed_without_a_remark(tmp_path: Path) -> None:
    Game.start().play({"FRANCE": ["A PAR - BUR"]}).save(tmp_path / "game.jsonl")
    run = satdip("replay", tmp_path / "game.jsonl")
    assert (run.code, run.err) == (0, "")
