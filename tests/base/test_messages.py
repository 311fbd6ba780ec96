"""Words that go with a number: in every sentence, in English and in French."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from string import Formatter

import pytest

from satdip.base.messages import Message, english, filled
from satdip.board import Board
from satdip.check.result import Reason
from satdip.phase.position import Unit, UnitKind
from satdip.telling.reasons import tell
from satdip.telling.speech import ENGLISH, Speech
from tools import catalogue

ROOT = Path(__file__).resolve().parents[2]
FRENCH = Speech("fr")
SHIPS = (Unit("FRANCE", UnitKind.FLEET, "ENG"), Unit("FRANCE", UnitKind.FLEET, "MAO"))
ARMY = Unit("FRANCE", UnitKind.ARMY, "BUR")


@pytest.mark.parametrize(
    ("template", "number", "told"),
    [
        ("{n} {n:unit moves|units move}", 0, "0 units move"),
        ("{n} {n:unit moves|units move}", 1, "1 unit moves"),
        ("{n} {n:unit moves|units move}", 2, "2 units move"),
        ("{n:,} {n:phase|phases}", 1000, "1,000 phases"),
        ("{n:or no} {n:problem|problems}", 0, "no problems"),
        ("{n:or no} {n:problem|problems}", 1, "1 problem"),
        ("{n:This order forces|These {n} orders force} it", 1, "This order forces it"),
        ("{n:This order forces|These {n} orders force} it", 3, "These 3 orders force it"),
    ],
)
def test_a_template_chooses_words_by_number(template: str, number: int, told: str) -> None:
    assert english(template, n=number) == told


@pytest.mark.parametrize(("number", "told"), [(0, "0 résolution cohérente"), (1, "1 résolution cohérente")])
def test_french_counts_nothing_as_one(number: int, told: str) -> None:
    assert FRENCH.say("{number} consistent {number:resolution|resolutions}", number=number) == told
    assert FRENCH.say("{number} consistent {number:resolution|resolutions}", number=2) == "2 résolutions cohérentes"


def test_lists_are_as_many_as_their_words() -> None:
    for number, verb in ((1, "goes"), (2, "go"), (3, "go")):
        told = ENGLISH.listed(["x"] * number, last="and")
        assert ENGLISH.say("{units} {units:goes|go}", units=told) == f"{told} {verb}"
        assert filled("{units:goes|go}", {"units": ["x"] * number}) == verb


def test_a_message_keeps_its_words() -> None:
    message = Message("{number} {number:unit|units}", number=1)
    assert message == "1 unit"
    assert pickle.loads(pickle.dumps(message)).words == {"number": 1}


@pytest.mark.parametrize(
    ("reason", "english_one", "english_two", "french_one", "french_two"),
    [
        (
            ("retreat-clash", "units"),
            "F English Channel retreats there too",
            "F English Channel and F Mid-Atlantic Ocean retreat there too",
            "F Manche s'y replie aussi",
            "F Manche et F Atlantique central s'y replient aussi",
        ),
        (
            ("own-support", "supporters"),
            "the support of F English Channel does not help to dislodge A Burgundy, a unit of its own power",
            (
                "the supports of F English Channel and F Mid-Atlantic Ocean do not help to dislodge A Burgundy, "
                "a unit of their own power"
            ),
            "le soutien de F Manche n'aide pas à déloger A Bourgogne, une unité de sa propre puissance",
            (
                "les soutiens de F Manche et F Atlantique central n'aident pas à déloger A Bourgogne, "
                "une unité de leur propre puissance"
            ),
        ),
        (
            ("rule-disrupts", "units"),
            "the rule disrupts the convoy of F English Channel",
            "the rule disrupts the convoys of F English Channel and F Mid-Atlantic Ocean",
            "la règle interrompt le convoi de F Manche",
            "la règle interrompt les convois de F Manche et F Atlantique central",
        ),
        (
            ("implicit", "units"),
            "it follows from the order of F English Channel",
            "it follows from the orders of F English Channel and F Mid-Atlantic Ocean",
            "il découle de l'ordre de F Manche",
            "il découle des ordres de F Manche et F Atlantique central",
        ),
    ],
)
def test_a_reason_agrees_with_its_units(
    reason: tuple[str, str], english_one: str, english_two: str, french_one: str, french_two: str, board: Board
) -> None:
    code, key = reason
    one, two = (Reason(code, {"unit": ARMY, key: SHIPS[:number]}) for number in (1, 2))
    assert [tell(one, board), tell(two, board)] == [english_one, english_two]
    assert [tell(one, board, FRENCH), tell(two, board, FRENCH)] == [french_one, french_two]


# ---------------------------------------------------------------------- no sentence without its forms

COUNTED = re.compile(
    r"\s(alternatives|builds|cases|checks|choices|clauses|differences|engines|entries|failures|findings|games|groups"
    r"|lines|messages|models|moves|orders|phases|positions|powers|problems|provinces|questions|records|removals"
    r"|resolutions|restarts|retreats|rows|rulebooks|seconds|steps|units|variables|workers)\b"
)
LIMITS = re.compile(r"LARGEST|LONGEST|MOST_|most\b|longest\b|limits|_memory|ENOUGH")
"""Bounds, which are never one."""
NOT_COUNTS = {"{power} orders {unit} by proxy", "{unit} moves away"}
INTERNAL = {"in_order.py", "board.py"}
"""A check of the program on itself, and a `repr`."""


def counted_without_forms() -> Iterator[str]:
    """Yield the places where a plural stands after a number, whatever the number is."""
    for path in sorted((ROOT / "satdip").rglob("*.py")):
        if path.name in INTERNAL:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr | ast.Constant) and "at most" in ast.unparse(node):
                continue  # what goes beyond a bound is more than one
            for field, after in _fields_with_words(node):
                if COUNTED.match(after) and not LIMITS.search(field):
                    yield f"{path.relative_to(ROOT)}, line {getattr(node, 'lineno', '?')}: {{{field}}}{after}"


def _fields_with_words(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the fields of an f-string or a template, each with the words after it."""
    match node:
        case ast.JoinedStr(values=values):
            for one, other in pairwise(values):
                if isinstance(one, ast.FormattedValue) and isinstance(other, ast.Constant):
                    yield ast.unparse(one.value), str(other.value)
        case ast.Constant(value=str() as text) if "{" in text and text not in NOT_COUNTS:
            try:
                parts = list(Formatter().parse(text))
            except ValueError:
                return
            for (_, name, form, _), (after, *_) in pairwise(parts):
                if name and "|" not in (form or ""):
                    yield name, after


def test_no_plural_stands_after_a_number_that_may_be_one() -> None:
    assert list(counted_without_forms()) == []


@pytest.mark.parametrize("language", ["en", *catalogue.languages()])
def test_every_choice_of_words_has_a_form_for_each_number(language: str) -> None:
    sentences = {
        (entry.string if language != "en" else entry.id)
        for entry in catalogue.catalogue("fr" if language == "en" else language)
        if entry.id and isinstance(entry.id, str)
    }
    some = 0
    for sentence in sentences:
        for _, name, form, _ in Formatter().parse(str(sentence)):
            if name and form and "|" in form:
                assert len(form.split("|")) == 2, sentence
                some += 1
    assert some > 10
