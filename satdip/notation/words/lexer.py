"""From the text of an order to words with a meaning each: the longest phrases that the vocabulary knows.

Most orders consist of words that are known exactly, and are read from left to right, the longest phrase first. Only
when a word is unknown are beginnings of names and misspellings looked for; then the division of the whole text into
phrases is the one with the fewest slips, since "English Chanel" is one misspelt place and not the English at a canal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message
from satdip.notation.words.lexicon import Lexicon, Meaning, squash
from satdip.notation.words.vocabulary import Match, Vocabulary

__all__ = ["Word", "read_words"]

SHORTEST_ID = 3  # letters of the shortest name that a coast may be tied to, as in "SpaSC"
LONGEST_ORDER, LONGEST_HEADER = 300, 10_000  # characters; longer text is not searched for misspellings


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of an order.

    Args:
        text: as written.
        start: index of its first character in the order.
        meanings: what it may stand for, all of one terminal; several when it is ambiguous.
        corrected: whether it was misspelt.
        doubtful: whether it is a shortened name that a slip of the pen might have made of something else.
    """

    text: str
    start: int
    meanings: tuple[Meaning, ...]
    corrected: bool = False
    doubtful: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def terminal(self) -> str:
        """Its terminal in the grammar."""
        return self.meanings[0].terminal

    @property
    def value(self) -> str:
        """The id of what it stands for: its first meaning."""
        return self.meanings[0].value


UNKNOWN = (Meaning("UNKNOWN", "", ""),)
_SEPARATOR = (Meaning("SEPARATOR", "", ""),)
_HYPHENS = ("-", "\u2010", "\u2011")


@dataclass(frozen=True, slots=True)
class _Atom:
    """A word or sign as it stands in the text; `sign` is the meaning of a sign, None for a word."""

    text: str
    start: int
    key: str
    sign: tuple[Meaning, ...] | None

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read_words(text: str, vocabulary: Vocabulary, *, header: bool = False) -> list[Word]:
    """Divide a text into words.

    Args:
        text: an order, or the value of a header line.
        vocabulary: the words that there are.
        header: whether separators are ignored, as in the header lines of a sheet, rather than refused.

    Returns:
        The words without those that say nothing ("the"); a word that nothing explains has the terminal UNKNOWN.

    Raises:
        InputError: the text is too long, or its brackets do not match.
    """
    longest = LONGEST_HEADER if header else LONGEST_ORDER
    if len(text) > longest:
        told = {"longest": longest, "length": len(text)}
        raise InputError(Message("such a line has no more than {longest} characters; this one has {length}", **told))
    phrases = _Phrases(text, tuple(_atoms(text, vocabulary)), vocabulary)
    words = phrases.exact()
    if words is None:
        words = phrases.likeliest()
    words = with_sides(words, vocabulary)
    silent = ("NOISE", "SEPARATOR") if header else ("NOISE",)
    return [word for word in words if word.terminal not in silent]


# ---------------------------------------------------------------------- words and signs


_LETTER = r"[^\W_]"  # or a digit
_MORE = rf"(?:{_LETTER}|[\u0300-\u036f])"  # also accents that follow their letter as a character of their own


@cache
def _pattern(lex: Lexicon) -> re.Pattern[str]:
    signs = sorted((form for form, _ in lex.words if not form[0].isalnum()), key=len, reverse=True)
    return re.compile(
        rf"(?P<word>{_LETTER}{_MORE}*(?:['\u2019]{_MORE}+)*\.?)|(?P<sign>"
        + "|".join(rf"(?<!\w){re.escape(sign)}\b" if squash(sign) else re.escape(sign) for sign in signs)
        + r")|(?P<bracket>[()\[\]])|(?P<separator>[,;])|(?P<nothing>[\s./_]+)|(?P<unknown>.)",
        re.DOTALL | re.IGNORECASE,
    )


def _atoms(text: str, vocabulary: Vocabulary) -> Iterator[_Atom]:
    opened: list[re.Match[str]] = []
    for found in _pattern(vocabulary.lexicon).finditer(text):
        part, start = found[0], found.start()
        match found.lastgroup:
            case "word":
                yield _Atom(part, start, squash(part), None)
            case "sign":
                yield _Atom(part, start, part, (vocabulary.symbols[part.upper()],))
            case "separator":
                yield _Atom(part, start, part, _SEPARATOR)
            case "unknown":
                yield _Atom(part, start, part, UNKNOWN)
            case "bracket" if part in "([":
                opened.append(found)
            case "bracket":
                if not opened or opened.pop()[0] + part not in ("()", "[]"):
                    what = Message("no bracket is open that {bracket!r} could close", bracket=part)
                    raise InputError(what, Where(column=start + 1))
    if opened:
        what = Message("the bracket {bracket!r} is never closed", bracket=opened[-1][0])
        raise InputError(what, Where(column=opened[-1].start() + 1))


# ---------------------------------------------------------------------- phrases

# What a shortened name, a slip of the pen and a lost word cost: "Roma" is rather a misspelt Rome than the beginning of
# "Romania", the alias of Rumania.
_SHORTENED = {Match.NAME: 1, Match.LATER_WORD: 3, Match.ALIAS: 5}
_SLIP, _LOST = 4, 1000


@dataclass(frozen=True, slots=True)
class _Step:
    """A way to go on from some atom: the cost, the index after it, and the words read."""

    cost: int
    end: int
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class _Phrases:
    """A text and its division into phrases; `at` and `end` below are indices of atoms."""

    text: str
    atoms: tuple[_Atom, ...]
    vocabulary: Vocabulary

    def exact(self) -> list[Word] | None:
        """Return the words when all are known exactly, the longest phrases first; else None."""
        words: list[Word] = []
        at = 0
        while at < len(self.atoms):
            known = [(end, meanings) for end, keys in self.spans(at) if (meanings := self.known(at, keys))]
            if not known:
                return None
            words.append(self.word(at, *known[-1]))
            at = known[-1][0]
        return words

    def likeliest(self) -> list[Word]:
        """Return the division into words that costs least; of equal ones, that of the fewest words."""
        best: list[tuple[int, int, _Step | None]] = [(0, 0, None)] * (len(self.atoms) + 1)
        for at in reversed(range(len(self.atoms))):
            ways = ((step.cost + best[step.end][0], 1 + best[step.end][1], step) for step in self.steps(at))
            best[at] = min(ways, key=lambda way: way[:2])
        words: list[Word] = []
        step = best[0][2]
        while step is not None:
            words.extend(step.words)
            step = best[step.end][2]
        return words

    def spans(self, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the phrases that begin at an atom, the shortest first: the index after the phrase, and its keys.

        A hyphen without spaces may stand within a phrase ("Mid-Atlantic"), no other sign.
        """
        atoms, keys, end = self.atoms, [self.atoms[at].key], at + 1
        yield end, tuple(keys)
        if atoms[at].sign is not None:
            return
        while end < len(atoms) and len(keys) < self.vocabulary.longest:
            if atoms[end].text in _HYPHENS and end + 1 < len(atoms):
                if not atoms[end - 1].end == atoms[end].start == atoms[end + 1].start - 1:
                    return
                end += 1
            if atoms[end].sign is not None:
                return
            keys.append(atoms[end].key)
            end += 1
            yield end, tuple(keys)

    def known(self, at: int, keys: tuple[str, ...]) -> tuple[Meaning, ...]:
        """Return the meanings of a phrase that is written exactly so."""
        key = "".join(keys)
        if len(keys) > 1 and len(keys) > self.vocabulary.phrases.get(key, 0):
            return ()
        return self.atoms[at].sign or self.vocabulary.exact.get(key, ())

    def word(self, at: int, end: int, meanings: tuple[Meaning, ...], *, corrected: bool = False) -> Word:
        """Return the word that some atoms make."""
        start = self.atoms[at].start
        return Word(self.text[start : self.atoms[end - 1].end], start, meanings, corrected)

    def steps(self, at: int) -> Iterator[_Step]:
        """Yield the ways to read what begins at an atom."""
        yield _Step(_LOST, at + 1, (self.word(at, at + 1, UNKNOWN),))
        for end, keys in self.spans(at):
            if meanings := self.known(at, keys):
                yield _Step(0, end, (self.word(at, end, meanings),))
            elif len(keys) > 1 and (self.terminal(keys[0]) == "KIND" or any(map(self.is_order_word, keys[1:]))):
                continue  # "Bal S" is no beginning of "Baltic Sea"
            elif len(keys) > 1 and keys[-1] in self.vocabulary.lexicon.sides and self.known(at, keys[:-1]):
                continue  # "Spa (n)" is no misspelt Spain
            else:
                yield from self.guesses(at, end, keys)

    def guesses(self, at: int, end: int, keys: tuple[str, ...]) -> Iterator[_Step]:
        """Yield the ways to read a phrase that is not written exactly."""
        vocabulary = self.vocabulary
        yield from self.glued_coasts(at, end, keys)
        meanings, match = vocabulary.beginning(keys)
        if match is not None:
            doubtful = match != Match.NAME or vocabulary.may_be_another(keys, meanings)
            word = replace(self.word(at, end, meanings), doubtful=doubtful)
            yield _Step(_SHORTENED[match], end, (word,))
        if match != Match.NAME:
            unit_follows = end < len(self.atoms) and self.terminal(self.atoms[end].key) == "KIND"
            meanings, slips = vocabulary.nearest(keys, power=unit_follows)
            if meanings:
                yield _Step(_SLIP * slips, end, (self.word(at, end, meanings, corrected=True),))

    def terminal(self, key: str) -> str:
        """Return the terminal of a single word that is written exactly so."""
        return self.vocabulary.exact.get(key, UNKNOWN)[0].terminal

    def is_order_word(self, key: str) -> bool:
        """Return whether a single word says what a unit does, rather than where it is or whose."""
        return self.terminal(key) not in ("UNKNOWN", "PLACE", "POWER", "NOISE")

    def glued_coasts(self, at: int, end: int, keys: tuple[str, ...]) -> Iterator[_Step]:
        """Yield the ways to read a phrase as a place and its coast: "StpNC", "St Petersburgsc"."""
        last, exact = self.atoms[end - 1], self.vocabulary.exact
        cut = len(last.text.rstrip(".")) - 2
        coast = exact.get(squash(last.text[cut:]), UNKNOWN) if cut > 0 else UNKNOWN
        name = (*keys[:-1], squash(last.text[:cut]))
        if coast[0].terminal != "COAST" or len("".join(name)) < SHORTEST_ID:
            return
        start = self.atoms[at].start
        text = self.text[start : last.start + cut]
        for cost, places, corrected in self.coastal(at, name):
            place = Word(text, start, places, corrected, "".join(name) not in exact)
            yield _Step(cost, end, (place, Word(last.text[cut:], last.start + cut, coast)))

    def coastal(self, at: int, keys: tuple[str, ...]) -> Iterator[tuple[int, tuple[Meaning, ...], bool]]:
        """Yield the places that a phrase before a coast may name: the cost, the places, and whether it is misspelt.

        A whole name may be that of a place without coasts: the coast is one too many then, but it was written.
        """
        vocabulary = self.vocabulary
        provinces = vocabulary.board.provinces
        exact = self.known(at, keys)
        if exact and exact[0].terminal == "PLACE":
            if len("".join(keys)) > SHORTEST_ID or any(provinces[meaning.value].coasts for meaning in exact):
                yield 0, exact, False
            return
        begun, match = vocabulary.beginning(keys)
        nearest, slips = vocabulary.nearest(keys, power=False)
        shortened = 0 if match is None else _SHORTENED[match]
        for cost, places, corrected in ((shortened, begun, False), (_SLIP * slips, nearest, True)):
            if places and all(m.terminal == "PLACE" and provinces[m.value].coasts for m in places):
                yield cost, places, corrected


# ---------------------------------------------------------------------- sides


def with_sides(words: Sequence[Word], vocabulary: Vocabulary) -> list[Word]:
    """Return words in which the side behind a place is its coast: "Spain (n)", "Spain/South", "Spain-sc".

    The place must have that coast, and no unit follows: "F Spain (S) A Marseilles" supports. A letter that is also a
    word of orders is a coast only where an order would not be complete with it.
    """
    result: list[Word] = []
    for at, word in enumerate(words):
        place = _place_before(result, word)
        follows = words[at + 1].terminal if at + 1 < len(words) else None
        if place is not None and (side := _side(word, place, follows, result, vocabulary)):
            if result[-1] is not place:
                result.pop()  # the hyphen between them
            result.append(side)
        else:
            result.append(word)
    return result


def _side(word: Word, place: Word, follows: str | None, before: Sequence[Word], vocabulary: Vocabulary) -> Word | None:
    """Return a word behind a place as the coast that it is; None where it is none."""
    coast = _coast_of(word, place, vocabulary)
    if coast is None or follows in ("KIND", "PLACE", "POWER", "COAST"):
        return None
    if word.terminal == "COAST":
        return word
    is_order_word = word.terminal not in ("UNKNOWN", "PLACE")
    if is_order_word and follows is None and not any(other.terminal in _VERBS for other in before):
        return None
    doubtful = squash(place.text) not in vocabulary.exact
    return replace(word, meanings=_coast(coast, vocabulary), doubtful=doubtful)


_VERBS = ("MOVE", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "FROM")


def _place_before(words: Sequence[Word], word: Word) -> Word | None:
    """Return the place that stands before a word, or before a hyphen without spaces that ties the word to it."""
    if not words:
        return None
    before = words[-1]
    if before.terminal == "PLACE":
        return before
    if len(words) < 2 or words[-2].terminal != "PLACE" or before.text not in _HYPHENS:
        return None
    tied = words[-2].start + len(words[-2].text) == before.start == word.start - 1
    return words[-2] if tied else None


def _coast(key: str, vocabulary: Vocabulary) -> tuple[Meaning, ...]:
    return vocabulary.exact.get(squash(key), UNKNOWN)


def _coast_of(word: Word, place: Word, vocabulary: Vocabulary) -> str | None:
    """Return the coast that a word behind a place names; None where it is none of the place's."""
    coast = word.value if word.terminal == "COAST" else vocabulary.lexicon.sides.get(squash(word.text))
    coasts = (vocabulary.board.provinces[meaning.value].coasts for meaning in place.meanings)
    return coast if coast is not None and any(coast in those for those in coasts) else None
