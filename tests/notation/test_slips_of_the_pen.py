"""Slips of the pen: no word is passed over, no coast is dropped, and no changed order is another one without a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

from satdip import InputError, adjudicate
from satdip.board import UnitKind
from satdip.board.mapfile import load_board
from satdip.notation import Notation, read_order, write_order
from satdip.notation.reading import Alone, read_line
from satdip.notation.words.lexer import read_words
from satdip.notation.words.lexicon import squash
from satdip.notation.words.vocabulary import vocabulary
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Unclear, UnitRef
from satdip.phase.turn import ReadAs

BOARD = load_board("standard")
SEAS = sorted(filter(BOARD.is_sea, BOARD.provinces))

# ---------------------------------------------------------------------- coasts

COASTS = [(province, coast) for province in BOARD.provinces.values() for coast in province.coasts]
WAYS = ["{place}/{coast}", "{place}({coast})", "{place} ({coast})", "{place}_{coast}", "{place}.{coast}"]
WAYS += ["{place}-{coast}", "{place}[{coast}]", "{place} {coast}"]
FORMS = {
    "en": {
        "NC": ("nc", "N.C.", "North Coast"),
        "SC": ("sc", "S.C.", "south coast"),
        "EC": ("EC", "e. c.", "East coast"),
    },
    "fr": {"NC": ("cn", "C.N.", "côte nord"), "SC": ("cs", "c. s.", "cote sud"), "EC": ("CE", "c.e.", "littoral est")},
}
SIDES = {
    "en": {"NC": ("n", "North"), "SC": ("s", "south"), "EC": ("E", "east")},
    "fr": {"NC": ("N", "nord"), "SC": ("s", "Sud"), "EC": ("e", "est")},
}
ROLES: dict[str, Callable[[str], Order]] = {
    "F MAO - {}": lambda at: Move(UnitRef("MAO", UnitKind.FLEET), at),
    "F {} - MAO": lambda at: Move(UnitRef(at, UnitKind.FLEET), "MAO"),
    "A Mar S F {}": lambda at: Support(UnitRef("MAR", UnitKind.ARMY), UnitRef(at, UnitKind.FLEET)),
    "A Mar S F MAO - {}": lambda at: Support(UnitRef("MAR", UnitKind.ARMY), UnitRef("MAO", UnitKind.FLEET), at),
    "F {} S A Mar": lambda at: Support(UnitRef(at, UnitKind.FLEET), UnitRef("MAR", UnitKind.ARMY)),
    "Build F {}": lambda at: Build(UnitRef(at, UnitKind.FLEET)),
    "F {} H": lambda at: Hold(UnitRef(at, UnitKind.FLEET)),
}


def coasts_written(language: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to write each coast of the map, with the location."""
    for province, coast in COASTS:
        for name in (province.id, province.name):
            for form in (*FORMS[language][coast], *SIDES[language][coast]):
                yield from ((way.format(place=name, coast=form), f"{province.id}/{coast}") for way in WAYS)
            yield f"{name}{FORMS[language][coast][0]}", f"{province.id}/{coast}"
            yield f"{FORMS[language][coast][2]} {name}", f"{province.id}/{coast}"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("language", FORMS)
def test_a_coast_is_read_however_it_is_written(language: str, role: str) -> None:
    for text, location in coasts_written(language):
        found = read_order(role.format(text), BOARD, language)
        assert (found.order, found.notes) == (ROLES[role](location), ()), text


@pytest.mark.parametrize("language", FORMS)
def test_what_may_be_a_coast_is_never_dropped(language: str) -> None:
    """Whatever letters stand behind a place with coasts, they are a coast, a part of the order, or refused."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [*letters, *(first + second for first in "nsewco" for second in letters), "coast", "shore", "norht", "xx"]
    for province, _ in COASTS:
        for word in words:
            for way in WAYS:
                try:
                    found = read_order(f"F MAO - {way.format(place=province.name, coast=word)}", BOARD, language)
                except InputError:
                    continue
                assert isinstance(found.order, Move | Unclear), (way, word)
                if isinstance(found.order, Move) and found.order.destination == province.id:
                    assert word in vocabulary(BOARD, language).silent, (way, word)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("F Spa (S) A Mar", "F SPA S A MAR"),
        ("F Spa (S) Por", "F SPA S POR"),
        ("F Spa(s) (S) A Mar", "F SPA/SC S A MAR"),
        ("F StPetersbrgSC - BOT", "F STP/SC - BOT"),
        ("F BLA - RumaniaSC", "F BLA - RUM/SC"),
        ("F AEG - BulgariaWC", "F AEG - BUL/WC"),
        ("F MAO - Spian south", "F MAO - SPA/SC"),
    ],
)
def test_a_coast_beside_other_words(text: str, means: str) -> None:
    """A coast that the place does not have is for the rules to decide (DATC 4.B.3, 4.B.6)."""
    assert write_order(read_order(text, BOARD).order, Notation.PACKAGE, BOARD) == means


@pytest.mark.parametrize("text", ["F Spain (S)", "F Spain s", "F Spa S", "F MAO - Spain (w)", "F MAO - Spain (cs)"])
def test_what_may_be_an_unfinished_order_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_line(text, BOARD)


# ---------------------------------------------------------------------- words

REST = ("xx", "x", "nrp", "zz top", "(xx)", "/xx", "_xx", ".xx", "-xx", "?!", "ok", "retreats nowhere else")
PLACES = dict.fromkeys(("en", "fr"), ("Berlin", "Ber", "North Sea", "nth", "Greece", "St Petersburg", "Tyrolia"))
PLACES["fr"] += ("Grèce", "Mer du Nord", "Saint-Pétersbourg")
PHASES = ("A {}", "A {} H", "A Kiel - {}", "A Kiel S A {}", "A {} - Kiel", "A {} D", "Build A {}", "A {} R Kiel")


@pytest.mark.parametrize("language", PLACES)
@pytest.mark.parametrize("rest", REST)
def test_a_word_after_a_name_is_never_passed_over(language: str, rest: str) -> None:
    for place in PLACES[language]:
        for phase in PHASES:
            for text in (
                phase.format(f"{place} {rest}"),
                phase.format(f"{place}{rest}") if not rest[0].isalpha() else "",
            ):
                with pytest.raises(InputError):
                    read_line(text, BOARD, language)


def test_a_word_before_a_name_is_never_passed_over() -> None:
    for text in ("A xx Berlin H", "A Kiel - xx Berlin", "Ax Berlin - Kiel", "A not Berlin - Kiel", "xx A Berlin H"):
        with pytest.raises(InputError):
            read_line(text, BOARD)


@pytest.mark.parametrize("line", ["A Greece nrp", "A Greece xx", "A Greece x D"])
def test_a_word_that_is_passed_over_disbands_nothing(line: str) -> None:
    driven = "Italy A Greece from Serbia; retreats Albania"
    sheet = f"phase: S1901R\nunits: Turkey A Serbia\ndislodged: {driven}\nItaly:\n {line}"
    with pytest.raises(InputError, match="line 5, column 11"):
        adjudicate(sheet)


@pytest.mark.parametrize("heading", ["France xx", "Italy ok", "xx France", "Frnace please"])
def test_a_word_beside_a_power_is_never_passed_over(heading: str) -> None:
    with pytest.raises(InputError):
        adjudicate(f"{heading}:\n A Paris H")


# ---------------------------------------------------------------------- the law

LETTERS = "abcdefghijklmnopqrstuvwxyz ABFSCHnsew-()./_'"
WORDS = ("xx", "nrp", "A", "F", "S", "C", "H", "-", "the", "sea", "sc", "nc", "n", "(s)", "Paris", "via", "of", "North")
WORDS += ("and", "please", "not", "x", "cs", "nord", "coast")


def an_order(random: Random) -> Order:
    def unit() -> UnitRef:
        kind = random.choice([UnitKind.ARMY, UnitKind.FLEET])
        return UnitRef(random.choice(sorted(BOARD.army if kind == UnitKind.ARMY else BOARD.fleet)), kind)

    def beside(unit: UnitRef) -> str:
        return random.choice(sorted((BOARD.army if unit.kind == UnitKind.ARMY else BOARD.fleet)[unit.location]))

    one, other = unit(), unit()
    army, fleet = (
        UnitRef(random.choice(sorted(BOARD.army)), UnitKind.ARMY),
        UnitRef(random.choice(SEAS), UnitKind.FLEET),
    )
    return random.choice(
        [
            Move(one, beside(one)),
            Hold(one),
            Support(one, other),
            Support(one, other, beside(other)),
            Convoy(fleet, army, random.choice(sorted(BOARD.army))),
            Build(one),
            Disband(one),
            Retreat(one, beside(one)),
        ]
    )


def changed(text: str, random: Random) -> str:
    """A text with one letter or one word left out, added, replaced, or exchanged with another."""
    at, words = random.randrange(len(text)), text.split(" ")
    one, other = random.randrange(len(words)), random.randrange(len(words))
    before, after = text[:at], text[at + 1 :]
    exchanged = [*words]
    exchanged[one], exchanged[other] = words[other], words[one]
    return random.choice(
        [
            before + after,
            before + random.choice(LETTERS) + text[at:],
            before + random.choice(LETTERS) + after,
            before + after[:1] + text[at] + after[1:],
            " ".join(words[:one] + words[one + 1 :]),
            " ".join([*words[:one], random.choice(words), *words[one:]]),
            " ".join([*words[:one], random.choice(WORDS), *words[one:]]),
            " ".join(exchanged),
        ]
    )


def read(text: str, language: str) -> tuple[Order | UnitRef | None, tuple[ReadAs, ...]]:
    """What a text is read as: an order, a unit alone, or nothing that is followed."""
    try:
        found = read_line(text, BOARD, language)
    except InputError:
        return None, ()
    if isinstance(found, Alone):
        return found.unit, found.notes
    return None if isinstance(found.order, Unclear) else found.order, found.notes


def is_exact(text: str, language: str) -> bool:
    """Whether each word of a text is written as the vocabulary has it, or is the side of a coast."""
    known = vocabulary(BOARD, language)
    words = read_words(text, known)
    return all(squash(word.text) in {*known.exact, *known.lexicon.sides} or not squash(word.text) for word in words)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_changed_order_is_no_other_one_without_a_note(language: str, seed: int) -> None:
    """Except where it is exactly what one writes for that other order."""
    random, counts = Random(f"{language}{seed}"), Counter[str]()
    for _ in range(150):
        order, notation = an_order(random), random.choice(list(Notation))
        text = write_order(order, notation, BOARD, language)
        meant = read(text, language)
        assert meant == (order, ())
        for other in {changed(text, random) for _ in range(12)} - {text}:
            found, notes = read(other, language)
            kind = "refused" if found is None else "same" if found == order else "noted" if notes else "another"
            counts[kind] += 1
            assert kind != "another" or is_exact(other, language), (text, other, found)
    assert min(counts[kind] for kind in ("refused", "same", "noted", "another")) > 10, counts
