"""French out: whole results, reasons, errors, and the catalogue that the sentences come from."""

from __future__ import annotations

import ast
import copy
import io
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message as Entry
from babel.messages.mofile import read_mo
from rich.console import Console
from support.commands import satdip

from satdip import adjudicate
from satdip.base.errors import InputError, NoAnswer, Where
from satdip.base.messages import Message, joined
from satdip.board import Board, UnitKind
from satdip.board.mapfile import load_board
from satdip.board.names import Name, local_names
from satdip.check.result import Reason
from satdip.cli.common import LANGUAGES
from satdip.notation import languages
from satdip.phase.position import Phase, Unit
from satdip.resolve.resolution import Resolution
from satdip.rulebook import issues, rulebook_named
from satdip.telling.reasons import SENTENCES, tell
from satdip.telling.render import OUTCOME_WORDS, render, summary
from satdip.telling.serialise import resolution_to_json
from satdip.telling.speech import ENGLISH, LISTS, Speech, speech_languages
from tools import catalogue

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FRENCH = Speech("fr")
BOARD = load_board("standard")


def resolved(name: str, rules: str) -> Resolution:
    return adjudicate((EXAMPLES / name).read_text(encoding="utf-8"), rules=rulebook_named(rules))


def shown(resolution: Resolution) -> list[str]:
    """Return the whole output in French: the title, a line for each row with its cells, and the summary."""
    out = io.StringIO()
    Console(file=out, width=400).print(render(resolution, speech=FRENCH))
    lines = [line for line in out.getvalue().splitlines() if line.strip("━┏┓┡┩╇└┘─┴┳ ")]
    return [" | ".join(cell.strip() for cell in re.split("[│┃]", line.strip("│┃ "))) for line in lines]


# ---------------------------------------------------------------------- whole results


@pytest.mark.parametrize(
    ("example", "rules", "expected"),
    [("exemple-10.txt", "seed", "exemple_10.fr.txt"), ("paradox.txt", "datc", "paradox.fr.txt")],
)
def test_a_whole_result_in_french(example: str, rules: str, expected: str) -> None:
    text = (Path(__file__).parents[1] / "data" / expected).read_text(encoding="utf-8")
    assert shown(resolved(example, rules)) == text.splitlines()


def test_an_open_paradox_in_french() -> None:
    paradox, count, *listed = summary(resolved("paradox.txt", "datc+4.A.2=none"), FRENCH)
    assert paradox.endswith("avec plusieurs résolutions cohérentes : les règles n'ont pas de réponse.")
    assert count == "Les règles datc+4.A.2=none ne tranchent pas : 2 résolutions cohérentes."
    assert {line.partition(". ")[2] for line in listed} == {
        "mouvements : F Pays de Galles - Manche ; délogées : F Manche",
        "mouvements : aucun",
    }


SUMMARIES = [
    (
        "nowhere to go",
        (
            "Germany: A Kiel H\nEngland: F Holland H\n"
            "Russia: A Munich - Kiel; A Berlin S A Munich - Kiel; A Ruhr H; F Denmark H"
        ),
        "L'armée allemande de Kiel n'a pas de retraite et est détruite.",
    ),
    (
        "closed by a stand-off",
        "France: A Paris - Burgundy\nGermany: A Munich - Burgundy",
        "Un stand-off interdit de se replier en Bourgogne.",
    ),
    (
        "circular movement",
        "Turkey: F Ankara - Constantinople; A Constantinople - Smyrna; A Smyrna - Ankara",
        "Mouvement circulaire : F Ankara, A Constantinople, A Smyrne.",
    ),
    (
        "civil disorder",
        "phase: W1901A\ncentres: Turkey Ankara\nunits: Turkey F Ankara, A Armenia",
        "Retirée pour désordre civil : l'armée turque d'Arménie.",
    ),
]


@pytest.mark.parametrize(("about", "sheet", "sentence"), SUMMARIES, ids=[row[0] for row in SUMMARIES])
def test_a_summary_in_french(about: str, sheet: str, sentence: str) -> None:
    assert sentence in list(summary(adjudicate(sheet), FRENCH))


def test_a_victory_in_french() -> None:
    centres = ", ".join(sorted(BOARD.centres)[:18])
    sheet = f"phase: F1905R\ncentres: France {centres}\ndislodged: none\n"
    assert "La France a gagné." in list(summary(adjudicate(sheet), FRENCH))


@pytest.mark.parametrize(
    ("phase", "told"),
    [
        ("S1901M", "printemps 1901, mouvements"),
        ("S1901R", "printemps 1901, retraites"),
        ("F1902M", "automne 1902, mouvements"),
        ("F1902R", "automne 1902, retraites"),
        ("W1903A", "hiver 1903, ajustements"),
    ],
)
def test_a_phase_in_french(phase: str, told: str) -> None:
    assert FRENCH.phase(Phase.parse(phase)) == told
    assert ENGLISH.phase(Phase.parse(phase)) == phase


# ---------------------------------------------------------------------- reasons

DETAILS: dict[str, object] = {
    "number": 2,
    "many": 3,
    "centres": 5,
    "unit": Unit("GERMANY", UnitKind.ARMY, "MUN"),
    "army": Unit("ENGLAND", UnitKind.ARMY, "LON"),
    "occupant": Unit("FRANCE", UnitKind.FLEET, "SPA/NC"),
    "units": (Unit("ITALY", UnitKind.FLEET, "TYS"), Unit("ITALY", UnitKind.ARMY, "TUS")),
    "fleets": (Unit("FRANCE", UnitKind.FLEET, "ENG"),),
    "supporters": (Unit("RUSSIA", UnitKind.ARMY, "TYR"), Unit("RUSSIA", UnitKind.ARMY, "BOH")),
    "against": (Unit("GERMANY", UnitKind.ARMY, "BER"),),
    "place": "SPA/NC",
    "power": "GERMANY",
    "phase": "movement",
    "why": Message("{word} does not belong here", word="x"),
    "set": "2",
    "attack": 2,
    "hold": 1,
    "prevent": 1,
    "defend": 1,
}


@pytest.mark.parametrize("code", SENTENCES)
def test_every_reason_is_told_in_french(code: str) -> None:
    reason = Reason(code, DETAILS)
    french, english = tell(reason, BOARD, FRENCH), tell(reason, BOARD)
    assert french != english
    assert not re.search(r"[{}]|\b(the|it|is|of|Spain|Germany|Channel|Bohemia|Tyrolia)\b", french)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("cut", "le soutien est coupé par A Munich"),
        ("convoy-broken", "le convoi de F Manche est interrompu"),
        ("out-of-reach", "A Munich ne peut pas aller en Espagne (cn)"),
        ("no-builds", "l'Allemagne n'a rien à construire"),
        ("retreat-to-attacker", "l'attaquant est venu d'Espagne (cn)"),
        ("retreat-occupied", "F Espagne (cn) se trouve en Espagne (cn)"),
        (
            "own-support",
            ("les soutiens de A Tyrol et A Bohême n'aident pas à déloger A Munich, une unité de leur propre puissance"),
        ),
        ("wrong-phase", "cet ordre ne se donne pas dans une phase de mouvement"),
        ("unclear", "x n'est pas à sa place"),
        (
            "held",
            (
                "attaque de force 2 (avec le soutien de A Tyrol et A Bohême) contre A Munich, "
                "qui se défend avec une force de 1 (avec le soutien de A Berlin)"
            ),
        ),
    ],
)
def test_a_reason_in_french(code: str, sentence: str) -> None:
    assert tell(Reason(code, DETAILS), BOARD, FRENCH) == sentence


def test_a_reason_names_the_section_of_the_datc_in_french_too() -> None:
    told = tell(Reason("useless-fleet", DETAILS, "4.E.1"), BOARD, FRENCH)
    assert told == "A Munich n'est sur aucune route de convoi qui mène A Londres en Espagne (cn) (DATC 4.E.1)"


def test_an_unclear_order_is_told_in_the_language_of_the_output_whatever_that_of_the_sheet() -> None:
    sheets = {
        "en": "units: England A Yorkshire\nEngland: A Yor - Liv",
        "fr": "unités: Angleterre A Yorkshire\nAngleterre: A Yor - Liv",
    }
    for sheet in sheets.values():
        [result] = adjudicate(sheet).orders
        assert tell(result.reasons[0], BOARD, FRENCH) == "« Liv » peut signifier Livonie ou Liverpool"
        assert tell(result.reasons[0], BOARD) == "'Liv' may be Livonia or Liverpool"


# ---------------------------------------------------------------------- JSON


def without_sentences(value: Any) -> Any:
    """Return a JSON value without what is told in words."""
    match value:
        case dict():
            return {
                key: without_sentences(item) for key, item in value.items() if key not in ("text", "read_as", "title")
            }
        case list():
            return [without_sentences(item) for item in value]
        case _:
            return value


def test_json_has_the_same_keys_and_codes_in_french_and_french_sentences() -> None:
    resolution = resolved("exemple-10.txt", "seed")
    french, english = resolution_to_json(resolution, FRENCH), resolution_to_json(resolution)
    assert without_sentences(french) == without_sentences(english)
    run = satdip("adjudicate", EXAMPLES / "exemple-10.txt", "--rules", "seed", "--lang", "fr", "--json")
    assert run.code == 0
    assert run.json["orders"][3]["reasons"] == [
        {
            "code": "cut",
            "issue": None,
            "details": {"unit": "A MUN"},
            "text": "le soutien est coupé par A Munich",
        }
    ]
    assert run.json["orders"][3]["outcome"] == "cut"


def test_misspelt_words_are_noted_in_french() -> None:
    [order] = resolution_to_json(adjudicate("France: A Paris - Burgndy"), FRENCH)["orders"]  # type: ignore[misc]
    assert order["read_as"] == ["Burgndy lu comme Bourgogne"]


# ---------------------------------------------------------------------- the command line


def test_adjudicate_in_french_from_the_command_line() -> None:
    run = satdip("adjudicate", EXAMPLES / "exemple-10.txt", "--rules", "seed", "--lang", "fr")
    assert (run.code, run.err) == (0, "")
    for line in shown(resolved("exemple-10.txt", "seed"))[-2:]:
        assert line in run.out


def test_the_next_position_is_a_french_sheet() -> None:
    run = satdip("adjudicate", EXAMPLES / "exemple-10.txt", "--rules", "seed", "--lang", "fr", "--next")
    assert run.out == (
        "langue: fr\ncarte: standard\nphase: S1901R\n"
        "unités: Allemagne A Berlin; Russie A Prusse, A Silésie, A Munich, A Tyrol\n"
        "délogées: Allemagne A Munich depuis Bohême; retraites Bourgogne, Kiel, Ruhr\n"
    )
    again = satdip("adjudicate", "-", "--lang", "fr", stdin=run.out.encode() + b"Allemagne: A Munich se replie a Kiel")
    assert "A Munich se replie vers Kiel" in again.out


def test_the_language_of_the_sheet_may_be_given_on_the_command_line() -> None:
    sheet = b"FRANCE: A PAR T"
    assert satdip("adjudicate", "-", "--input-lang", "fr", stdin=sheet).code == 0
    assert satdip("adjudicate", "-", stdin=sheet).code == 2


ERRORS = [
    (
        "France: A Paris - Lvi",
        "ligne 2, colonne 19 : « Lvi » n'est pas compris ; il faudrait ici un lieu ou « par convoi »",
    ),
    ("France: A Par - (Bou", "ligne 2, colonne 17 : la parenthèse « ( » n'est jamais fermée"),
    ("unités: Allemagne A Manche", "une armée ne peut pas se trouver dans la Manche, en pleine mer"),
    ("unités: Allemagne F Espagne", "écrivez Espagne (cn) ou Espagne (cs)"),
    ("centres: France Paris; Italie Paris", "le centre de Paris appartient à deux puissances, la France et l'Italie"),
    ("règles: 1972", "aucune règle ne s'appelle « 1972 » ; vouliez-vous dire « 1982 » ?"),
    ("phase: été 1901", "« ÉTÉ 1901 » n'est pas une phase"),
    ("phase: P1901R", "S1901R est une phase de retraite, mais aucune unité n'est délogée"),
    (
        "Frnce: A Paris tient\nphsae: S1901M",
        "« phsae » n'est ni un en-tête ni une puissance (vouliez-vous dire phase ?)",
    ),
]


@pytest.mark.parametrize(("lines", "sentence"), ERRORS, ids=[row[0] for row in ERRORS])
def test_bad_input_is_refused_in_french(lines: str, sentence: str) -> None:
    run = satdip("adjudicate", "-", "--lang", "fr", stdin=f"langue: fr\n{lines}".encode())
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("satdip: entrée standard")
    assert sentence in run.err


def test_a_file_that_is_not_there_is_told_in_french(tmp_path: Path) -> None:
    run = satdip("adjudicate", tmp_path / "rien.txt", "--lang", "fr")
    assert run.code == 2
    assert f"{tmp_path / 'rien.txt'} : le fichier ne peut pas être lu" in run.err


def test_rules_without_an_answer_say_so_in_french() -> None:
    run = satdip("adjudicate", EXAMPLES / "paradox.txt", "--rules", "datc+4.A.2=none", "--next", "--lang", "fr")
    assert run.code == 3
    assert "les règles datc+4.A.2=none laissent S1901M sans réponse" in run.err


def test_rulebooks_are_shown_in_french() -> None:
    run = satdip("rules", "show", "seed", "--json", "--lang", "fr")
    paradox = next(row for row in run.json["choices"] if row["section"] == "4.A.2")
    assert paradox["title"] == "paradoxes de convoi"
    assert paradox["slug"] == "1971"
    assert paradox["meaning"].startswith("Une armée convoyée ne coupe pas le soutien")
    assert "Profils : datc, 1971" in satdip("rules", "--lang", "fr").out
    assert "cette édition n'en dit rien" in " ".join(satdip("rules", "show", "seed", "--lang", "fr").out.split())


# ---------------------------------------------------------------------- languages are values


def test_the_languages_of_the_options_are_those_there_are() -> None:
    assert LANGUAGES == speech_languages() == languages()


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InputError, match="nothing can be told in 'xx'; the languages are en, fr"):
        Speech("xx")


def test_telling_in_french_leaves_english_as_it_is() -> None:
    for name in sorted(path.name for path in EXAMPLES.iterdir() if path.is_file()):
        before = satdip("adjudicate", EXAMPLES / name)
        assert satdip("adjudicate", EXAMPLES / name, "--lang", "fr").out != before.out
        assert satdip("adjudicate", EXAMPLES / name, "--lang", "en") == before
        assert satdip("adjudicate", EXAMPLES / name) == before


def test_no_catalogue_is_loaded_before_something_is_told() -> None:
    code = (
        "import satdip, satdip.adjudication, satdip.telling.render, satdip.telling.serialise\n"
        "from satdip.telling.speech import Speech, _catalogue\n"
        "satdip.adjudicate('France: A Paris H')\n"
        "print(_catalogue.cache_info().currsize)\n"
        "Speech('fr').say('Power')\n"
        "print(_catalogue.cache_info().currsize)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["0", "1"]


def test_a_map_without_french_names_keeps_its_own(board: Board) -> None:
    other = Board("other", board.provinces, board.powers, board.army, board.fleet)
    assert local_names(other, "fr").name("SPA/NC", "in") == "Spain(nc)"
    assert FRENCH.unit(Unit("FRANCE", UnitKind.FLEET, "SPA/NC"), other) == "F Spain(nc)"


def test_sentences_that_are_copied_can_still_be_told_in_french() -> None:
    error = InputError(Message("{place} is no supply centre", place=Name("BOH", BOARD)), Where(line=2))
    for sentence in (error.sentence, copy.deepcopy(error.sentence), copy.copy(error.at(column=3).message)):
        assert "il n'y a pas de centre de ravitaillement en Bohême" in FRENCH.tell(sentence)
    assert str(error) == "line 2: Bohemia is no supply centre"
    message = Message("{first}; {second!r}", first=joined(["a", "b"]), second="c")
    assert pickle.loads(pickle.dumps(message)).words == message.words
    assert FRENCH.tell(NoAnswer("datc", "S1901M").sentence).startswith("les règles datc laissent S1901M sans réponse")


# ---------------------------------------------------------------------- the catalogue


FORMS = {"", "in", "from", "the", "adjective", "feminine", "owned"}


def entries(language: str) -> dict[tuple[object, str | None], Entry]:
    return {(entry.id, entry.context): entry for entry in catalogue.catalogue(language) if entry.id}


def fields(template: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a template's fields, and their forms; a choice of words has the fields of its words."""
    for _, name, form, _ in Formatter().parse(template):
        if name is not None and "|" in (form or ""):
            yield name, ""
            yield from fields(form or "")
        elif name is not None:
            yield name, form or ""


def templates(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the English templates of an entry, each with its translation."""
    ids = [entry.id] if isinstance(entry.id, str) else list(entry.id)
    strings = [entry.string] if isinstance(entry.string, str) else list(entry.string)
    assert len(ids) == len(strings)
    yield from zip(ids, strings, strict=True)


@pytest.mark.parametrize("language", catalogue.languages())
def test_the_catalogue_has_every_sentence_and_no_other(language: str) -> None:
    assert set(entries(language)) == {(message, context) for _, message, context in catalogue.messages()}


@pytest.mark.parametrize("language", catalogue.languages())
def test_every_sentence_is_translated_with_the_same_fields(language: str) -> None:
    for entry in entries(language).values():
        assert not entry.fuzzy
        for english, other in templates(entry):
            assert other.strip()
            assert {name for name, _ in fields(english)} == {name for name, _ in fields(other)}, english
            for _, form in fields(other):
                own, _, last = form.partition(" ")
                assert own in FORMS
                assert last in ("", *LISTS)


@pytest.mark.parametrize("language", catalogue.languages())
def test_the_compiled_catalogue_is_that_of_the_source(language: str) -> None:
    with (catalogue.LOCALES / language / "LC_MESSAGES" / "satdip.mo").open("rb") as file:
        compiled = [(entry.context, list(templates(entry))) for entry in read_mo(file) if entry.id]
    source = [(entry.context, list(templates(entry))) for entry in entries(language).values()]
    assert sorted(compiled, key=repr) == sorted(source, key=repr)


def test_the_tables_of_sentences_are_in_the_catalogue() -> None:
    known = entries("fr")
    for sentence in SENTENCES.values():
        assert (sentence, None) in known
    for issue in issues():
        assert (issue.title, None) in known
        assert all((choice.meaning, None) in known for choice in issue.choices)
    for word in OUTCOME_WORDS:
        assert known[word, "outcome"].string != word


TOLD_FROM_TABLES = {
    "telling/speech.py",
    "telling/reasons.py",
    "lab/unsettled.py",
    "cli/rules_verb.py",
    "lab/explain/explanation.py",
    "rulebook/rulebook.py",
    "base/messages.py",
}


def test_a_template_is_written_where_it_is_used_or_stands_in_a_table() -> None:
    """What the extraction cannot see would be told in English."""
    for path in sorted((ROOT / "satdip").rglob("*.py")):
        name = path.relative_to(ROOT / "satdip").as_posix()
        if name in TOLD_FROM_TABLES or "encodings" in name:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _called(node) in catalogue.KEYWORDS:
                assert isinstance(node.args[0], ast.Constant), f"{name}, line {node.lineno}"


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_json_of_french_results_is_text(board: Board) -> None:
    resolution = resolved("paradox.txt", "datc")
    assert json.loads(json.dumps(resolution_to_json(resolution, FRENCH))) == resolution_to_json(resolution, FRENCH)
