"""French in: names, orders, collisions, sheets, and how the language of a sheet is found."""

from __future__ import annotations

import json
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.any_orders import orders as any_orders
from support.any_turns import turns as any_turns

from satdip.base.errors import InputError
from satdip.board import Board, UnitKind
from satdip.board.mapfile import load_board
from satdip.board.names import local_names
from satdip.notation import AUTO, Notation, Understood, read_order, read_sheet, read_turn, sheet_language, write_order
from satdip.notation import write_sheet as written_sheet
from satdip.notation.phases import read_phase
from satdip.notation.reading import read_line, read_unit
from satdip.notation.sheet.pieces import lines
from satdip.notation.words.lexicon import lexicon
from satdip.phase.orders import Build, Hold, Move, Order, Unclear, UnitRef
from satdip.phase.turn import Turn
from satdip.telling.speech import Speech

ROOT = Path(__file__).resolve().parents[2]
A, F = UnitKind.ARMY, UnitKind.FLEET
STANDARD = load_board("standard")
FRENCH = local_names(STANDARD, "fr")


def table(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parents[1] / "data" / name).read_text(encoding="utf-8"))


ORDERS = table("french_orders.toml")["order"]
COLLISIONS = table("french_collisions.toml")
APART = {short: place for row in COLLISIONS["warning"] for short, place in row.get("apart", {}).items()}
REFUSED = [row for warning in COLLISIONS["warning"] for row in warning.get("refused", ())] + COLLISIONS["word"]


@pytest.fixture(scope="module")
def vocabulary(shared: Path) -> Any:
    """The French vocabulary with its sources."""
    return json.loads((shared / "french.json").read_text(encoding="utf-8"))


def plain(text: str) -> str:
    """Return a text without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def kind_in(province: str) -> UnitKind:
    """Return a kind of unit that can stand in a province."""
    return F if STANDARD.locations(F, province) else A


def read_in_french(name: str, province: str) -> UnitRef:
    """Return the unit that is read where a unit of the right kind stands before a name."""
    return read_unit(f"{kind_in(province)} {name}", STANDARD, "fr").unit


# ---------------------------------------------------------------------- names


def test_every_province_has_a_french_name_with_its_prepositions() -> None:
    assert FRENCH.names.keys() == STANDARD.provinces.keys() | STANDARD.powers.keys()
    for form in ("in", "from"):
        assert FRENCH.forms[form].keys() == STANDARD.provinces.keys()
    for province in STANDARD.provinces:
        name = FRENCH.names[province]
        for form in ("in", "from"):
            preposition = FRENCH.name(province, form).lower().removesuffix(name.lower())
            assert (
                preposition
                in {
                    "in": ("à ", "en ", "au ", "dans la ", "dans le ", "dans l'"),
                    "from": ("de ", "d'", "du ", "de la ", "de l'"),
                }[form]
            )


@pytest.mark.parametrize("province", STANDARD.provinces)
def test_names_and_aliases_mean_the_province_with_and_without_accents(province: str) -> None:
    own = UnitRef(province, kind_in(province))
    for name in (province, *FRENCH.written(province), STANDARD.provinces[province].name):
        for text in (name, plain(name), name.upper(), plain(name).lower()):
            assert read_in_french(text, province) == own


def test_every_name_and_abbreviation_of_the_vocabulary_is_understood(vocabulary: Any) -> None:
    assert vocabulary["provinces"].keys() == STANDARD.provinces.keys()
    for province, entry in vocabulary["provinces"].items():
        forms = [entry["french"], *(n["name"] for n in entry["french_names"])]
        forms += [a["abbr"] for a in entry["abbreviations"]]
        if entry["proposed_abbr"] and entry["proposed_abbr"] not in FRENCH.collisions:
            forms.append(entry["proposed_abbr"])
        for form in forms:
            assert read_in_french(form, province) == UnitRef(province, kind_in(province)), form


def test_the_name_to_print_is_the_one_of_the_vocabulary(vocabulary: Any) -> None:
    for province, entry in vocabulary["provinces"].items():
        assert FRENCH.names[province] == entry["french"]


def test_every_coast_of_the_vocabulary_is_understood(vocabulary: Any) -> None:
    for location, entry in vocabulary["coasts"].items():
        for form in (entry["french"], *(a["abbr"] for a in entry["abbreviations"])):
            assert read_unit(f"F {form}", STANDARD, "fr").unit == UnitRef(location, F)
    for coast, suffixes in vocabulary["coast_suffixes"].items():
        for suffix in suffixes if coast != "_attested" else ():
            province = {"NC": "Espagne", "SC": "Espagne", "EC": "Bulgarie"}[coast]
            location = {"NC": "SPA/NC", "SC": "SPA/SC", "EC": "BUL/EC"}[coast]
            assert read_unit(f"F {province} {suffix}", STANDARD, "fr").unit == UnitRef(location, F)


def test_every_name_of_a_power_is_understood_as_a_heading_and_before_a_unit(vocabulary: Any) -> None:
    for power, entry in vocabulary["powers"].items():
        for name in (*entry["french"], *entry["abbr"], entry["adjective"]):
            turn = read_sheet(f"{name} : A Par tient", language="fr")
            assert [given.power for given in turn.orders] == [power]
            assert read_unit(f"{name} A Paris", STANDARD, "fr").unit == UnitRef("PAR", A, power)


def test_the_abbreviations_of_the_seed_are_understood(vocabulary: Any) -> None:
    for short, province in vocabulary["seed_aliases"].items():
        kind = A if STANDARD.locations(A, province) else F
        assert read_unit(f"{kind} {short}", STANDARD, "fr").unit == UnitRef(province, kind)


@pytest.mark.parametrize(
    ("text", "province"),
    [
        ("l'Albanie", "ALB"),
        ("l'Atlantique Nord", "NAO"),
        ("Irlande", "IRI"),
        ("Golfe Lion", "LYO"),
        ("Afrique", "NAF"),
    ],
)
def test_names_may_lack_their_little_words_and_have_an_article(text: str, province: str) -> None:
    assert read_in_french(text, province) == UnitRef(province, kind_in(province))


# ---------------------------------------------------------------------- orders


@pytest.mark.parametrize("row", ORDERS, ids=lambda row: row["about"])
def test_an_order_in_french_is_understood(row: dict[str, Any], board: Board) -> None:
    found = read_order(row["text"], board, "fr")
    assert found.order == read_order(row["means"], board).order
    assert [str(note) for note in found.notes] == row.get("notes", [])


@pytest.mark.parametrize("row", ORDERS, ids=lambda row: row["about"])
def test_accents_and_capitals_do_not_count(row: dict[str, Any], board: Board) -> None:
    order = read_order(row["means"], board).order
    assert read_order(plain(row["text"]), board, "fr").order == order
    assert read_order(unicodedata.normalize("NFD", row["text"]), board, "fr").order == order
    assert read_order(row["text"].replace("'", "\u2019"), board, "fr").order == order
    assert read_order(row["text"].upper(), board, "fr").order == order


def test_every_verb_of_the_vocabulary_is_understood(vocabulary: Any, board: Board) -> None:
    patterns = {
        "hold": ("A Paris {}", "A PAR H"),
        "move": ("A Paris {} Bourgogne", "A PAR - BUR"),
        "support_hold": ("A Paris {} A Bourgogne", "A PAR S A BUR"),
        "support_move": ("A Paris {} A Bourgogne - Munich", "A PAR S A BUR - MUN"),
        "convoy": ("F Manche {} A Brest - Londres", "F ENG C A BRE - LON"),
        "via_convoy": ("A Belgique - Hollande {}", "A BEL - HOL VIA"),
        "retreat": ("A Paris {} Bourgogne", "A PAR R BUR"),
        "disband": ("A Paris {}", "A PAR D"),
        "build": ("{} A Paris", "A PAR B"),
        "waive": ("{}", "WAIVE"),
    }
    dialect = {
        "move": {":", "->"},
        "retreat": {"->", "d"},
        "disband": {"-", "\u2212"},
    }  # signs of reports, see its notes
    for kind, (pattern, means) in patterns.items():
        words = [*vocabulary["orders"][kind]["verbs"], *vocabulary["orders"][kind].get("symbols", [])]
        for word in words:
            if word not in dialect.get(kind, ()):
                found = read_order(pattern.format(word), board, "fr")
                assert found == Understood(read_order(means, board).order), word


def test_every_example_of_the_vocabulary_is_an_order(vocabulary: Any, board: Board) -> None:
    for kind in ("hold", "move", "support_hold", "support_move", "convoy"):
        for text in vocabulary["orders"][kind].get("examples", ()):
            assert not isinstance(read_order(text, board, "fr").order, Unclear), text


def test_a_short_form_in_french_never_means_another_place_in_english() -> None:
    ids = {name.casefold(): key for key, item in STANDARD.provinces.items() for name in (key, *item.aliases)}
    for province in STANDARD.provinces:
        for name in FRENCH.written(province):
            assert ids.get(plain(name).casefold(), province) == province


# ---------------------------------------------------------------------- collisions


def test_each_collision_of_the_vocabulary_has_its_answer(vocabulary: Any) -> None:
    warnings = vocabulary["collision_warnings"]
    assert len(warnings) == len(COLLISIONS["warning"])
    for warning, row in zip(warnings, COLLISIONS["warning"], strict=True):
        assert warning.startswith(row["begins"])


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["text"])
def test_what_collides_is_not_followed_and_the_sentence_names_the_readings(row: dict[str, Any], board: Board) -> None:
    order = read_order(row["text"], board, "fr").order
    assert isinstance(order, Unclear)
    for reading in row["readings"]:
        assert reading in order.why
    assert order.meanings


@pytest.mark.parametrize(("short", "province"), APART.items())
def test_forms_that_look_alike_stand_for_one_place_each(short: str, province: str) -> None:
    assert read_in_french(short, province) == UnitRef(province, kind_in(province))


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("A Tyr - Ven", "A TYR - VEN"),
        ("F Ion (S) A Ven-Tyr", "F ION S A VEN - TYR"),
        ("A Gal H", "A GAL H"),
        ("F Eng - Nth", "F ENG - NTH"),
        ("F Nth C A Lon - Bel", "F NTH C A LON - BEL"),
        ("A Mun D", "A MUN D"),
    ],
)
def test_a_colliding_word_has_its_own_meaning_where_that_makes_sense(text: str, means: str, board: Board) -> None:
    assert read_order(text, board, "fr").order == read_order(means, board).order


def test_no_unit_is_put_on_the_board_by_a_guess() -> None:
    with pytest.raises(InputError, match="'Tyr' may be Tyrol or Mer Tyrrhénienne, and only the orders tell"):
        read_sheet("ITALIE : F Tyr - Nap", language="fr")


def test_english_has_no_such_collisions(board: Board) -> None:
    assert read_order("F Tyr H", board).order == Hold(UnitRef("TYR", F))
    with pytest.raises(InputError, match="ends too early"):
        read_order("F Bre C", board)


PIECES = [
    "A",
    "F",
    "Par",
    "Tyr",
    "Liv",
    "-",
    "-H",
    "T",
    "S",
    "C",
    "D",
    "(",
    ")",
    "cn",
    "par convoi",
    "Eng",
    "Mer",
    "du",
    "Nord",
    "l'Espagne",
    "d'",
    "soutient",
    "Mnche",
    "Angleterre",
    "se replie",
    "à",
    "+",
]


@given(st.text(max_size=40) | st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join))
def test_any_text_is_read_or_refused_and_what_is_wrong_can_be_told_in_french(text: str) -> None:
    try:
        found = read_line(text, STANDARD, "fr")
    except InputError as error:
        found = Understood(Unclear(text, error.message))
    order = getattr(found, "order", None)
    if isinstance(order, Unclear):
        assert Speech("fr").tell(order.why)
        for meaning in order.meanings:
            read_line(meaning, STANDARD, "fr")


# ---------------------------------------------------------------------- sheets


def held(turn: Turn) -> list[tuple[str, Order]]:
    return [(given.power, given.order) for given in turn.orders]


def test_a_french_movement_sheet() -> None:
    turn = read_turn(
        """\
carte : standard
règles : seed
phase : printemps 1901
unités : Angleterre F Londres ; France A Brest, F Manche ; Allemagne F Stp cn
France :        # l'ennemi
  A Brest - Londres
  F Manche (C) A Brest - Londres
Angleterre
  F Londres tient
"""
    )
    assert (turn.rules, str(turn.position.phase)) == ("seed", "S1901M")
    assert [f"{unit.power} {unit}" for unit in turn.position.units] == [
        "ENGLAND F LON",
        "FRANCE A BRE",
        "FRANCE F ENG",
        "GERMANY F STP/NC",
    ]
    assert held(turn)[0] == ("FRANCE", Move(UnitRef("BRE", A), "LON"))
    assert held(turn)[2] == ("ENGLAND", Hold(UnitRef("LON", F)))


def test_a_french_retreat_sheet() -> None:
    turn = read_turn(
        """\
phase: printemps 1901, retraites
unités: Allemagne A Bourgogne
délogées: France A Bourgogne depuis Munich; retraites Paris, Gascogne
France:
  A Bourgogne se replie à Paris
"""
    )
    [driven] = turn.position.dislodged
    assert (driven.unit.location, driven.attacker_from, driven.retreats) == ("BUR", "MUN", {"PAR", "GAS"})
    assert str(turn.position.phase) == "S1901R"
    assert [write_order(given.order, Notation.PACKAGE, STANDARD) for given in turn.orders] == ["A BUR R PAR"]


def test_a_french_adjustment_sheet() -> None:
    turn = read_turn(
        """\
phase: hiver 1901
centres: Russie Moscou, Sébastopol, Saint-Pétersbourg, Varsovie, Roumanie
unités: Russie F Sébastopol, A Varsovie, A Moscou
Russie:
  construit F Saint-Pétersbourg (cn)
  renonce
"""
    )
    assert str(turn.position.phase) == "W1901A"
    assert turn.position.centres == {"RUSSIA": {"MOS", "SEV", "STP", "WAR", "RUM"}}
    assert held(turn)[0] == ("RUSSIA", Build(UnitRef("STP/NC", F)))


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("printemps 1901", "S1901M"),
        ("Printemps 1901, mouvements", "S1901M"),
        ("automne 1902 (retraites)", "F1902R"),
        ("hiver 1903", "W1903A"),
        ("P1901", "S1901M"),
        ("A1901", "F1901M"),
        ("H1901A", "W1901A"),
        ("F1901R", "F1901R"),
    ],
)
def test_a_phase_in_words_or_letters(text: str, phase: str) -> None:
    assert str(read_phase(text, lexicon("fr"))) == phase


@pytest.mark.parametrize("text", ["hiver 1901, retraites", "été 1901", "printemps"])
def test_a_phase_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is none"):
        read_sheet(f"phase: {text}\n", language="fr")


def test_the_example_of_the_seed_is_read_as_it_stands(shared: Path) -> None:
    text = (shared / "seeds" / "002_47693a59522d45e6.txt").read_text(encoding="utf-8")
    example = text[text.index("ALLEMAGNE:") : text.index("Notez ici")]
    turn = read_turn(example)
    expected = {
        "GERMANY": ["A BER H", "A MUN - SIL"],
        "RUSSIA": ["A PRU - BER", "A SIL S A PRU - BER", "A BOH - MUN", "A TYR S A BOH - MUN"],
    }
    assert [(given.power, write_order(given.order, Notation.PACKAGE, STANDARD)) for given in turn.orders] == [
        (power, order) for power, texts in expected.items() for order in texts
    ]
    assert held(read_turn((ROOT / "examples" / "exemple-10.txt").read_text(encoding="utf-8"))) == held(turn)


# ---------------------------------------------------------------------- the language of a sheet


def language_of(text: str, asked: str = AUTO) -> str:
    return sheet_language(lines(text, None), asked, load_board)


def datc_sheets(shared: Path) -> Iterator[str]:
    for case in json.loads((shared / "datc" / "cases.json").read_text(encoding="utf-8")):
        for phase in case.get("phases", [case]):
            for form in ("text", "short"):
                yield "".join(f"{entry['power']}:\n  {entry[form]}\n" for entry in phase["orders"])


def test_every_sheet_of_the_datc_is_english(shared: Path) -> None:
    sheets = list(datc_sheets(shared))
    assert len(sheets) > 350
    assert {language_of(sheet) for sheet in sheets} == {"en"}


def test_every_order_of_the_datc_is_english_by_itself(shared: Path) -> None:
    entries = {entry.strip() for sheet in datc_sheets(shared) for entry in sheet.splitlines() if entry.startswith("  ")}
    assert {language_of(f"France: {entry}") for entry in entries} == {"en"}


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.txt")), ids=lambda path: path.name)
def test_the_examples_are_in_the_language_of_their_names(path: Path) -> None:
    assert language_of(path.read_text(encoding="utf-8")) == ("fr" if path.name.startswith("exemple") else "en")


@given(any_turns(), st.sampled_from(Notation))
def test_a_sheet_in_english_is_english(turn: Turn, notation: Notation) -> None:
    assert language_of(written_sheet(turn, notation)) == "en"


@pytest.mark.parametrize(
    "text",
    [
        "ALLEMAGNE: A Ber (H), A Mun-Sil\nRUSSIE: A Pru-Ber",
        "France: A Par tient",
        "map: standard\nrules: seed\nFRANCE: A PAR - BOU; F BRE - MAN",
        "carte: standard\nFrance: A Par H",
        "France: F Brest - Manche\nAngleterre: F London - Manche",
    ],
)
def test_french_words_tell_a_french_sheet(text: str) -> None:
    assert language_of(text) == "fr"


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ("words of both languages", "France: A Paris - Brest"),
        ("ids only", "FRANCE: A PAR - BUR; F BRE - MAO"),
        ("one misspelt name that is French", "Italy: A Venise - Trieste"),
        ("French in a comment", "France: A Par H # l'armée de Paris tient"),
        ("as many French words as English ones", "Germany: A Munich tient"),
        ("nothing", ""),
    ],
)
def test_all_other_sheets_are_english(about: str, text: str) -> None:
    assert language_of(text) == "en", about


@pytest.mark.parametrize("header", ["langue: fr", "language: fr", "langue : français", "LANGUAGE: French"])
def test_a_sheet_may_state_its_language(header: str) -> None:
    turn = read_turn(f"{header}\nFRANCE: A PAR T")
    assert held(turn) == [("FRANCE", Hold(UnitRef("PAR", A)))]


def test_the_language_may_be_given() -> None:
    assert held(read_turn("FRANCE: A PAR T", language="fr")) == [("FRANCE", Hold(UnitRef("PAR", A)))]
    with pytest.raises(InputError, match="'T' is not understood"):
        read_turn("FRANCE: A PAR T", language="en")


@pytest.mark.parametrize(
    ("text", "language", "says"),
    [
        ("langue: fr\nFrance: A Par H", "en", "line 1, column 9: the sheet is in 'fr', but 'en' was asked for"),
        (
            "langue: breton\nFrance: A Par H",
            AUTO,
            "line 1, column 9: 'breton' is no language of orders; write en or fr",
        ),
        ("langue: fr\nlanguage: fr\nFrance: A Par H", AUTO, "there is a second 'language:'"),
        ("France: A Par H", "br", "orders are not understood in 'br'; the languages are en, fr"),
    ],
)
def test_a_language_that_cannot_be_is_refused(text: str, language: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_turn(text, language=language)
    assert says in str(caught.value)


# ---------------------------------------------------------------------- writing


@given(any_orders)
def test_the_long_form_is_read_back(order: Order) -> None:
    text = write_order(order, Notation.DATC, STANDARD, "fr")
    assert read_order(text, STANDARD, "fr") == Understood(order)


@given(any_orders, st.sampled_from(Notation))
def test_every_notation_is_read_back_unless_an_id_collides(order: Order, notation: Notation) -> None:
    found = read_order(write_order(order, notation, STANDARD, "fr"), STANDARD, "fr")
    assume(not isinstance(found.order, Unclear))
    assert found == Understood(order)


def test_only_fleets_inland_collide_in_the_short_notations(board: Board) -> None:
    for province in board.provinces:
        for kind in UnitKind:
            order = Hold(UnitRef(province, kind))
            collides = kind == F and province in ("TYR", "GAL")
            for notation in (Notation.SHORT, Notation.PACKAGE, Notation.SEED):
                found = read_order(write_order(order, notation, board, "fr"), board, "fr").order
                assert isinstance(found, Unclear) == collides
                assert collides or found == order


@given(any_turns())
def test_a_french_sheet_is_read_as_the_same_turn(turn: Turn) -> None:
    read = read_turn(written_sheet(turn, language="fr"))
    for own, other in zip(turn.orders, read.orders, strict=True):
        assert own.power == other.power
        assert own.order == other.order or isinstance(own.order, Unclear)
    assert read.rules == turn.rules
    for part in ("phase", "units", "dislodged", "centres"):
        assert getattr(read.position, part) == getattr(turn.position, part)


def test_orders_are_written_with_french_words_and_names() -> None:
    texts = {
        "A PAR H": "A Paris tient",
        "A MUN - SIL": "A Munich - Silésie",
        "A SIL S A PRU - BER": "A Silésie soutient A Prusse - Berlin",
        "F NTH C ENGLAND A LON - BEL": "F Mer du Nord convoie Angleterre A Londres - Belgique",
        "A BEL - HOL VIA": "A Belgique - Hollande par convoi",
        "F GAS - SPA/NC": "F Gascogne - Espagne (cn)",
        "A MUN R BOH": "A Munich se replie vers Bohême",
        "F STP/SC B": "construit F Saint-Pétersbourg (cs)",
        "A MUN D": "dissout A Munich",
        "WAIVE": "renonce",
    }
    for package, text in texts.items():
        assert write_order(read_order(package, STANDARD).order, Notation.DATC, STANDARD, "fr") == text


def test_a_sheet_is_written_with_french_headers() -> None:
    turn = read_turn(
        "rules: seed\nphase: S1901R\nunits: Germany A Burgundy\n"
        "dislodged: France A Burgundy from Munich; retreats Paris, Gascony\nFrance: A Burgundy - Paris"
    )
    assert written_sheet(turn, language="fr") == (
        "langue: fr\ncarte: standard\nrègles: seed\nphase: S1901R\nunités: Allemagne A Bourgogne\n"
        "délogées: France A Bourgogne depuis Munich; retraites Gascogne, Paris\n"
        "France:\n  A Bourgogne se replie vers Paris\n"
    )


def test_order_sets_proxies_and_perpetual_orders_are_written_in_french() -> None:
    turn = read_turn(
        "units: France A Paris, F Brest; Italy A Rome\n"
        "proxies: Italy A Rome to France\n"
        "France (set 1): A Paris - Burgundy\n"
        "France (set 2):\n  A Paris - Picardy\n  perpetual: F Brest H\n"
    )
    text = written_sheet(turn, language="fr")
    for line in ("procurations: Italie A Rome pour France", "France (série 2):", "  perpétuel: F Brest tient"):
        assert line in text.splitlines()
    again = read_turn(text)
    told = [[(own.order, own.order_set, own.perpetual) for own in one.orders] for one in (turn, again)]
    assert told[0] == told[1]
    assert again.proxies == turn.proxies
