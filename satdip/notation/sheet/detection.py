"""Which language an order sheet is in: stated in it, or told by its words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from satdip.base.memory import kept
from satdip.base.messages import Message
from satdip.board import Board
from satdip.board.names import local_names
from satdip.notation.prose import either, quoted
from satdip.notation.sheet.headers import find_board
from satdip.notation.sheet.pieces import Piece
from satdip.notation.words.lexicon import AUTO, languages, lexicon, parts_of, squash
from satdip.notation.words.vocabulary import vocabulary

__all__ = ["AUTO", "sheet_language"]

_ENGLISH = "en"
MOST_LINES = 1_000  # lines that are looked at: more than any sheet has
SHORTEST_WORD = 3  # letters of the shortest word that tells a language
_WITHOUT_WORDS = ("map", "rules", "language")  # headers whose values are the same in all languages


def sheet_language(pieces: Sequence[Piece], language: str, boards: Callable[[str], Board]) -> str:
    """Return the language of a sheet.

    A line ``language: fr`` (or ``langue: fr``) states it. Otherwise the words of the sheet tell it: its headings,
    orders and units, but not its comments, nor what follows ``map:`` and ``rules:``. A word speaks for
    French when French has it (in the lexicon, or as a name on the map), and English neither has it nor takes it for
    the beginning of a name; it speaks for English when English has it and French does not. Ids of provinces, and words
    of fewer than three letters, belong to all languages. The sheet is in French when more of its words speak for French
    than for English, else in English. So a sheet all of whose words English understands without a correction is always
    read as English, and the same text always has the same language.

    Args:
        pieces: the lines of the sheet.
        language: `AUTO`, or the language that the reader was given.
        boards: finds the map that the sheet names.

    Raises:
        InputError: there is no such language, or the sheet states another one than was given.
    """
    stated = _stated(pieces)
    if language != AUTO:
        lexicon(language)
        if stated is not None and stated[0] != language:
            what = Message("the sheet is in {stated!r}, but {asked!r} was asked for", stated=stated[0], asked=language)
            raise stated[1].error(what)
        return language
    if stated is not None:
        return stated[0]
    others = [code for code in languages() if code != _ENGLISH]
    weights = {code: _weight(pieces, code, find_board(pieces, lexicon(code), boards)) for code in others}
    best = max(weights, key=lambda code: weights[code])
    return best if weights[best] > 0 else _ENGLISH


def _stated(pieces: Sequence[Piece]) -> tuple[str, Piece] | None:
    """Return the language that a header line states, and the line's value."""
    known = {name: code for code in languages() for name in lexicon(code).called}
    for name, value in filter(None, map(Piece.head, pieces)):
        if _header(name) != "language" or not value.text:
            continue
        if squash(value.text) in known:
            return known[squash(value.text)], value
        codes = either(languages())
        what = Message("{text} is no language of orders; write {known}", text=quoted(value.text), known=codes)
        raise value.error(what)
    return None


def _header(name: Piece) -> str | None:
    """Return which header stands before a colon, in any language."""
    found = (lexicon(code).headers.get(squash(name.text)) for code in languages())
    return next(filter(None, found), None)


def _weight(pieces: Sequence[Piece], language: str, board: Board) -> int:
    """Return how many more words speak for a language than for English."""
    own, english = _own_words(language, board), _own_words(_ENGLISH, board)
    elisions = lexicon(language).elisions
    weight = 0
    for word, times in Counter(_words(pieces)).items():
        forms = {squash(word), *(squash(word[len(short) :]) for short in elisions if word.lower().startswith(short))}
        if forms & own:
            weight += times * (not _in_english(word, board))
        elif forms & english:
            weight -= times * (squash(word).upper() not in board.provinces)
    return weight


def _in_english(word: str, board: Board) -> bool:
    """Return whether English has a word, or takes it for the beginning of a name."""
    key = squash(word)
    if key in _own_words(_ENGLISH, board) or key.upper() in board.provinces:
        return True
    return vocabulary(board, _ENGLISH).beginning((key,))[1] is not None


def _words(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the words of a sheet that may tell its language."""
    for piece in pieces[:MOST_LINES]:
        texts = [piece.text]
        if head := piece.head():
            name, value = head
            key = _header(name)
            texts = [name.text] if squash(name.text) not in lexicon(_ENGLISH).headers else []
            texts += [value.text] if key not in _WITHOUT_WORDS else []
        for text in texts:
            found = re.findall(r"[^\W\d]+(?:['\u2019]\w+)*", unicodedata.normalize("NFC", text))
            yield from (word for word in found if len(word) >= SHORTEST_WORD)


@kept(64)
def _own_words(language: str, board: Board) -> frozenset[str]:
    """Return the words that a language has for orders, headers (English excepted) and names on a map, squashed."""
    lex, local = lexicon(language), local_names(board, language)
    forms = [form for form, _ in lex.words[: lex.own]]
    forms += [name for key in local.names for name in local.written(key)]
    if language == _ENGLISH:
        forms += [alias for province in board.provinces.values() for alias in province.aliases]
        forms += [alias for power in board.powers.values() for alias in power.aliases]
    else:
        forms += [*lex.seasons, *lex.kinds]
        forms += lex.headers.keys() - lexicon(_ENGLISH).headers.keys()
    return frozenset(part for form in forms for part in parts_of(form))
