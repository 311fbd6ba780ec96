"""Short commands start at once: what is not loaded, and the prepared forms that are read instead of texts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, UnexpectedToken
from lark.lexer import Lexer, LexerState

from satdip.base import shipped
from satdip.base.errors import InputError
from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.notation.grammar.lalr import GRAMMAR, Misfit, Tables, parse, tables
from satdip.notation.grammar.parser import _makers
from satdip.notation.grammar.tables import STARTS
from satdip.notation.words.lexer import UNKNOWN, Word
from satdip.notation.words.lexicon import Meaning, languages
from tools import prepared

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "satdip"

SHEET = """\
England:
  F North Sea Convoys A Yorkshire - Norway
  A yor - nwy via convoy
France: A PAR - BUR; F STP/SC H
Germany: A Ber (H), F Kie (C) England A Lon-Bel
"""

# ---------------------------------------------------------------------- what is not loaded

HEAVY = {"networkx", "lark", "rapidfuzz", "jinja2", "drawsvg", "pandas", "xml", "asyncio", "multiprocessing"}
"""What a sheet never needs."""

SLOW = {"rich", "tomllib", "pathlib", "difflib", "satdip.lab.unsettled"}
"""What a sheet does not need when its outcome goes into a pipe, all its words are known and its rules are complete."""

OTHER_MAPS = {"satdip.board.mapcheck", "satdip.base.toml_text", "satdip.board.seamaps"}
OTHER_INPUT = {"satdip.notation.record.record", "satdip.notation.sheet.sheet_writer"}


def loaded(code: str, *arguments: str) -> set[str]:
    """Return the modules that are loaded after some code, packages with their modules."""
    code += "\nimport sys; print(*sys.modules, file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(run.stderr.split())


def after_command(*arguments: str) -> set[str]:
    """Return the modules that are loaded after a command."""
    code = "import sys; sys.argv[0] = 'satdip'\nfrom satdip.cli import main\ntry: main()\nexcept SystemExit as done: "
    return loaded(code + "assert done.code == 0, done.code", *arguments)


def test_importing_the_package_loads_next_to_nothing() -> None:
    new = loaded("import satdip") - loaded("import importlib, typing")
    assert new == {"satdip", "__future__", "satdip.base", "satdip.base.version"}


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "sheet.txt"
    path.write_text(SHEET, encoding="utf-8")
    return str(path)


def test_public_names_are_listed_before_they_are_loaded() -> None:
    modules = loaded("import satdip; assert set(satdip.__all__) <= set(dir(satdip)), dir(satdip)")
    assert "satdip.adjudication" not in modules


def test_a_sheet_loads_no_heavy_library(sheet: str) -> None:
    found = after_command("adjudicate", sheet)
    assert {"click", "satdip.notation.grammar.parser"} <= found  # the names are those that modules have
    assert found.isdisjoint(HEAVY | OTHER_MAPS | OTHER_INPUT | {"pysat", "pysolvers", "importlib.resources"} | SLOW)


def test_a_sheet_with_a_paradox_loads_the_solver_only() -> None:
    found = after_command("adjudicate", "examples/paradox.txt")
    assert "pysat.solvers" in found
    assert found.isdisjoint(HEAVY | OTHER_MAPS | OTHER_INPUT | SLOW | {"importlib.resources"})


def test_a_french_sheet_loads_no_heavy_library(sheet: str) -> None:
    found = after_command("adjudicate", sheet, "--lang", "fr")
    assert found.isdisjoint(HEAVY | OTHER_MAPS | OTHER_INPUT | SLOW - {"pathlib"} | {"pysat"})


# ---------------------------------------------------------------------- prepared forms


@pytest.mark.parametrize("path", prepared.SOURCES)
def test_a_prepared_form_is_what_its_text_amounts_to(path: str) -> None:
    """``python -m tools prepared`` writes them again."""
    assert (PACKAGE / shipped.prepared_name(path)).read_text(encoding="utf-8") == prepared.form(path)


def test_every_prepared_form_has_its_text() -> None:
    files = {f"data/prepared/{file.name}" for file in (PACKAGE / "data" / "prepared").iterdir()}
    assert files == set(map(shipped.prepared_name, prepared.SOURCES))


def test_every_lexicon_is_that_of_a_language() -> None:
    files = {file.name for file in (PACKAGE / "notation" / "words").glob("lexicon_*.toml")}
    assert files == {f"lexicon_{code}.toml" for code in languages()}


def everything(board: Board) -> object:
    """Return all facts of a board, in their order."""
    return (
        board.name,
        board.victory,
        list(board.provinces.items()),
        list(board.powers.items()),
        [(at, sorted(there)) for at, there in board.army.items()],
        [(at, sorted(there)) for at, there in board.fleet.items()],
    )


def test_a_shipped_map_is_the_same_object_each_time() -> None:
    board = load_board()
    for number in range(100):
        with pytest.raises(InputError):
            load_board(f"none{number}")
    assert load_board() is board


def test_the_prepared_map_is_the_map_of_the_file() -> None:
    prepared_board, read_board = load_board("standard"), load_board(ROOT / "maps" / "standard.toml")
    assert prepared_board is not read_board
    assert everything(prepared_board) == everything(read_board)
    kinds = [
        (type(province.terrain), type(province.coasts), type(province.aliases), type(province.centre))
        for board in (prepared_board, read_board)
        for province in board.provinces.values()
    ]
    assert len(set(kinds)) == 1


DAMAGED: dict[str, Callable[[bytes], bytes | None]] = {
    "missing": lambda _: None,
    "empty": lambda _: b"",
    "cut short": lambda form: form[:-20],
    "no text": lambda _: b"\xff\xfe",
    "of another text": lambda form: form.replace(b'"checksum":', b'"checksum":1'),
    "another shape": lambda _: b"[1, 2]",
    "without the value": lambda form: form.replace(b'"value"', b'"worth"'),
    "null": lambda _: b"null",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_without_a_sound_prepared_form_the_text_is_read(damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = shipped.read

    def read(path: str) -> bytes:
        found = DAMAGED[damage](sound(path)) if path.startswith("data/prepared/") else sound(path)
        if found is None:
            raise FileNotFoundError(path)
        return found

    monkeypatch.setattr(shipped, "read", read)
    assert shipped.prepared("notation/words/lexicon_en.toml", lambda text: ("built of", len(text)))[0] == "built of"
    assert shipped.toml("notation/words/lexicon_fr.toml")["words"]["SUPPORT"]
    assert shipped.prepared("maps/standard.toml", lambda _: None) is None


def test_line_ends_do_not_make_another_text() -> None:
    assert shipped.checksum(b"a\r\nb\r\n") == shipped.checksum(b"a\nb\n") != shipped.checksum(b"a\nb")


def test_a_text_that_is_not_there_is_an_error() -> None:
    with pytest.raises(OSError, match="nowhere"):
        shipped.toml("maps/nowhere.toml")


# ---------------------------------------------------------------------- the parser beside lark's own


class _Given(Lexer):
    """A lexer for lark that is given the words."""

    __future_interface__ = 1

    def __init__(self, _: object) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:  # noqa: ARG002 -- lark calls it so
        return (Token(word.terminal, word) for word in lexer_state.text)


class _ForLark:
    """The methods of the rules, as lark calls them: with tokens around the words."""

    def __getattr__(self, name: str) -> Callable[[list[Any]], Any]:
        if name not in _makers():
            raise AttributeError(name)
        make = _makers()[name]
        return lambda parts: make([part.value if isinstance(part, Token) else part for part in parts])


@cache
def _by_lark() -> Lark:
    return Lark(
        (PACKAGE / GRAMMAR).read_text(encoding="utf-8"),
        parser="lalr",
        lexer=_Given,
        start=list(STARTS),
        transformer=_ForLark(),
        maybe_placeholders=True,
    )


ACTIONS = ("HOLD", "MOVE", "SUPPORT", "CONVOY", "VIA", "RETREAT", "DISBAND", "BUILD", "WAIVE")
TERMINALS = ("KIND", "POWER", "PLACE", "COAST", *ACTIONS, "FROM", "NONE")
VALUES = {"KIND": "AF", "PLACE": ("PAR", "SPA", "MAO"), "POWER": ("FRANCE", "ITALY"), "COAST": ("NC", "SC")}

Outcome = tuple[str, object, object]


def word(terminal: str, at: int) -> Word:
    """Return a word of that terminal; words of one terminal differ from place to place."""
    if terminal == "UNKNOWN":
        return Word("?", at, UNKNOWN)
    values = VALUES.get(terminal, ("",))
    value = values[at % len(values)]
    return Word(f"{terminal}{at}", at, (Meaning(terminal, value, terminal),))


def ours(start: str, words: Sequence[Word], known: Tables) -> Outcome:
    try:
        return "value", parse(known, start, words, _makers()), None
    except Misfit as misfit:
        return "misfit", misfit.word, misfit.expected


def theirs(start: str, words: Sequence[Word]) -> Outcome:
    try:
        return "value", _by_lark().parse(words, start=start), None  # type: ignore[arg-type]
    except UnexpectedToken as error:
        word = None if error.token.type == "$END" else error.token.value
        return "misfit", word, frozenset(error.accepts or error.expected)


@pytest.mark.parametrize(("start", "longest"), [("line", 6), *((start, 6) for start in STARTS if start != "line")])
def test_the_parser_is_that_of_lark(start: str, longest: int) -> None:
    """All texts up to a length: what can still be continued is continued by every word there is."""
    known, values, misfits = tables(), 0, 0
    waiting: list[tuple[Word, ...]] = [()]
    for words in waiting:
        found = ours(start, words, known)
        assert found == theirs(start, words), [word.terminal for word in words]
        values += found[0] == "value"
        misfits += found[0] == "misfit"
        could_go_on = found[0] == "value" or found[1] is None
        if could_go_on and len(words) < longest:
            waiting += [(*words, word(terminal, len(words))) for terminal in (*TERMINALS, "UNKNOWN")]
    assert values > 20
    assert misfits > 300


def test_every_rule_has_its_method() -> None:
    wanted = {rule.method for rule in tables().rules if rule.method}
    assert wanted <= _makers().keys()


def test_tables_are_the_same_whatever_the_order_of_sets() -> None:
    """The numbers of lark follow the order of its sets, which follows the seed of the hashes."""
    code = "from pathlib import Path\nfrom satdip.notation.grammar.tables import plain_tables\nimport json, sys\n"
    code += "print(json.dumps(plain_tables(Path(sys.argv[1]).read_bytes())))"

    def seeded(seed: str) -> Mapping[str, Any]:
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", code, str(PACKAGE / GRAMMAR)]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        found: Mapping[str, Any] = json.loads(run.stdout)
        return found

    assert seeded("1") == seeded("2") == shipped.prepared(GRAMMAR, lambda _: None)
