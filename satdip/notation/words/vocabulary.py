"""What the words of a language mean on a map.

A word is understood exactly, as the beginning of a name (three letters or more), or as a misspelling of one word that
is clearly nearer than any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, cast

from satdip.base.memory import kept
from satdip.board import Board
from satdip.board.names import Name, local_names
from satdip.notation.prose import did_you_mean, either
from satdip.notation.words.lexicon import Lexicon, Meaning, lexicon, parts_of, squash

__all__ = ["Match", "Vocabulary", "slips", "swallows", "tolerance", "vocabulary"]

SHORTEST_PREFIX = 3  # letters of the shortest beginning of a name that stands for it
SHORTEST_CORRECTED = 4  # letters of the shortest word that may be misspelt: three letters are near to anything
SHORTEST_ELIDED = 5  # letters of the shortest name that has another form after a vowel: "l'ION" would be a lion
LONGEST_CORRECTED = 60  # letters of the longest: no name comes near it

Meanings = tuple[Meaning, ...]


class Match(Enum):
    """How a shortened name fits."""

    NAME = "the beginning of a name"
    LATER_WORD = "the beginning of a later word of a name"
    ALIAS = "the beginning of an alias"


@dataclass(frozen=True, slots=True)
class _Name:
    """A name, or a word of orders, that may be shortened or misspelt: its squashed words, and what it stands for."""

    parts: tuple[str, ...]
    meaning: Meaning
    alias: bool

    def fits(self, words: tuple[str, ...], match: Match) -> bool:
        """Return whether words are this name shortened in a certain way."""
        if self.alias != (match == Match.ALIAS):
            return False
        if match == Match.LATER_WORD:
            return len(words) == 1 and any(part.startswith(words[0]) for part in self.parts[1:])
        if len(words) == 1:
            return "".join(self.parts).startswith(words[0])
        return len(words) <= len(self.parts) and all(map(str.startswith, self.parts, words))


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What a language's words mean on a map.

    Args:
        board: the map.
        lexicon: the language.
        exact: squashed word or phrase -> its meanings; more than one where a name is used twice.
        phrases: those of several words -> how many; other words are not written as several ("F Rom" is not "from").
        symbols: signs such as ``->`` -> their meanings.
        powers: squashed name of a power -> the power.
        rivals: squashed word, or sign -> what else it may mean; the line is not followed where the meaning in `exact`
            makes no sense and such a one does.
        longest: how many words the longest phrase has.
        silent: squashed words that say nothing, also within a name: "of".
    """

    board: Board
    lexicon: Lexicon
    exact: Mapping[str, Meanings]
    phrases: Mapping[str, int]
    symbols: Mapping[str, Meaning]
    powers: Mapping[str, Meaning]
    rivals: Mapping[str, Meanings]
    longest: int
    silent: frozenset[str]
    _names: Mapping[str, _Name] = field(repr=False)

    def beginning(self, words: tuple[str, ...]) -> tuple[Meanings, Match | None]:
        """Return the places, or else the powers, whose names begin with these words or with their beginnings.

        Args:
            words: squashed words: ``("north", "atl")``, ``("g", "of", "l")``.

        Returns:
            The meanings, and whether they were found by the beginning of a name, by a later word of it, or by the
            beginning of an alias; the first of these that finds anything is taken.
        """
        if len("".join(words)) < SHORTEST_PREFIX:
            return (), None
        for match in Match:
            found = dict.fromkeys(name.meaning for name in self._names.values() if name.fits(words, match))
            if meanings := _of_terminal(found, "PLACE") or _of_terminal(found, "POWER"):
                return meanings, match
        return (), None

    def may_be_another(self, words: Sequence[str], meanings: Meanings) -> bool:
        """Return whether a shortened name may also be a slip of the pen: "Vien" of "Ven", "Serb" of "Ser B", "Tyr Sea".

        Args:
            words: its squashed words.
            meanings: what it stands for.
        """
        if len(words) > 1:
            return any(self._is_another_place(word, meanings) for word in words)
        [word] = words
        if any(self._is_another_place(key, meanings) for key, _ in slips(word, list(self.exact), 1)):
            return True
        halves = ((word[:cut], word[cut:]) for cut in range(1, len(word)))
        return any(all(half in self.exact for half in both) for both in halves)

    def _is_another_place(self, key: str, meanings: Meanings) -> bool:
        known = self.exact.get(key, ())
        return bool(_of_terminal(known, "PLACE")) and set(known).isdisjoint(meanings)

    def nearest(self, words: Sequence[str], *, power: bool) -> tuple[Meanings, int]:
        """Return the meanings of a misspelt phrase: one when it is clear, several places when it is not, or none.

        Each word of it must be a part of the name: "Berlin xx" is no misspelt Berlin.

        Args:
            words: its squashed words.
            power: whether a power's name is looked for rather than a place: a unit follows.

        Returns:
            The meanings, and how many slips of the pen the word has.
        """
        word = "".join(words)
        if len(word) < SHORTEST_CORRECTED:
            return (), 0
        near = self._near(word, tolerance(word) + 1, power=power, words=words)
        best = min(near.values(), default=0)
        if not 0 < best <= tolerance(word):
            return (), 0
        margin = 1 if best == 1 else 2  # a word with two slips must be clearer still
        rivals = tuple(meaning for meaning, distance in near.items() if distance < best + margin)
        if len(rivals) > 1 and any(meaning.terminal != "PLACE" for meaning in rivals):
            return (), 0
        return rivals, best

    def suggestion(self, word: str, *, power: bool = False) -> str:
        """Return " (did you mean ...?)" for a word that is not understood, or nothing when nothing is near."""
        key = squash(word)
        near = self._near(key, max(2, tolerance(key) + 1), power=power)
        best = min(near.values(), default=0)
        names = [meaning.name for meaning, distance in near.items() if distance == best][:3]
        return did_you_mean(either(names)) if names else ""

    def power(self, text: str) -> Meaning | None:
        """Return the power that a heading names: its id, name, adjective or a unique beginning; None for no power."""
        word = squash(text)
        if word in self.powers:
            return self.powers[word]
        found = {meaning for name, meaning in self.powers.items() if name.startswith(word)}
        return found.pop() if len(found) == 1 and len(word) >= SHORTEST_PREFIX else None

    def _near(self, word: str, cutoff: int, *, power: bool, words: Sequence[str] = ()) -> dict[Meaning, int]:
        """Return the meanings within a distance, each with its distance, the nearest first.

        Args:
            word: squashed word or phrase.
            cutoff: the distance.
            power: whether powers are looked for rather than places.
            words: the words of a phrase, each of which must be a part of the name.
        """
        unwanted = "PLACE" if power else "POWER"
        choices = [key for key, name in self._names.items() if name.meaning.terminal != unwanted]
        near: dict[tuple[str, str], tuple[Meaning, int]] = {}
        for key, distance in slips(word, choices, cutoff):
            meaning = self._names[key].meaning
            if len(words) > 1 and swallows(key, words, distance, self.silent):
                continue
            near.setdefault((meaning.terminal, meaning.value), (meaning, distance))
        return dict(near.values())


def slips(word: str, choices: Iterable[str], cutoff: int) -> list[tuple[str, int]]:
    """Return the choices that a word may be a misspelling of, each with its slips of the pen, the nearest first.

    Args:
        word: squashed word.
        choices: squashed words.
        cutoff: how many slips there may be; a slip is a letter too many, too few or wrong, or two exchanged.
    """
    if len(word) > LONGEST_CORRECTED:
        return []
    from rapidfuzz.distance import OSA  # loaded late: only misspelt words need it
    from rapidfuzz.process import extract

    scorer = cast(Any, OSA.distance)  # its stub promises more arguments than `extract` asks for
    found = extract(word, choices, scorer=scorer, score_cutoff=cutoff, limit=None)
    return [(name, int(distance)) for name, distance, _ in found]


def swallows(name: str, words: Sequence[str], distance: int, silent: AbstractSet[str] = frozenset()) -> bool:
    """Return whether a phrase has a word more than a name of which it may be a misspelling.

    Such a word brings the phrase no nearer to the name: "Berlin xx" is nearer to Berlin without its second word.

    Args:
        name: squashed name.
        words: the squashed words of the phrase.
        distance: how many slips of the pen the whole phrase has.
        silent: words that say nothing, and may be too many.
    """
    rests = ("".join((*words[:at], *words[at + 1 :])) for at, word in enumerate(words) if word not in silent)
    return any(bool(slips(rest, (name,), distance)) for rest in rests)


def tolerance(word: str) -> int:
    """Return how many slips of the pen a word of that length may have and still be understood."""
    return 1 if len(word) < 6 else 2 if len(word) < 9 else 3


def _of_terminal(meanings: Iterable[Meaning], terminal: str) -> Meanings:
    return tuple(meaning for meaning in meanings if meaning.terminal == terminal)


@kept(64)
def vocabulary(board: Board, language: str) -> Vocabulary:
    """Return what a language's words mean on a map; built once for each.

    Raises:
        InputError: there is no lexicon for the language.
    """
    lex = lexicon(language)
    exact: dict[str, Meanings] = {}
    phrases: dict[str, int] = {}
    symbols: dict[str, Meaning] = {}
    powers: dict[str, Meaning] = {}
    names: dict[str, _Name] = {}
    for form, meaning in _forms(board, lex):
        key = squash(form)
        if not form[0].isalnum():
            symbols.setdefault(form, meaning)
            continue
        known = exact.setdefault(key, (meaning,))
        # words of orders come before places, ids of places before names: a name adds a meaning to a name only
        is_id = squash(known[0].value) == key
        if meaning not in known and meaning.terminal == known[0].terminal == "PLACE" and not is_id:
            exact[key] = (*known, meaning)
        if meaning.terminal == "POWER":
            powers.setdefault(key, meaning)
        parts = parts_of(form)
        if len(parts) > 1:
            phrases[key] = max(len(parts), phrases.get(key, 0))
        alias = form not in (meaning.name, _without_particles(meaning.name, lex))
        clipped = alias and min(map(len, parts)) == 1  # "N Atlantic" is too near to "Atlantic", which has two meanings
        if len(key) >= SHORTEST_CORRECTED and not clipped and meaning.terminal not in ("NOISE", "NONE", "FROM"):
            names.setdefault(key, _Name(parts, meaning, alias))
    for form in _elided(board, lex):
        key, parts = squash(form), parts_of(form)
        exact.setdefault(key, exact[squash(form.partition("'")[2])])
        if len(parts) > 1:
            phrases[key] = len(parts)
    for short, ids in local_names(board, language).collisions.items():
        exact.setdefault(squash(short), tuple(_named(key, board, lex) for key in ids))
    return Vocabulary(
        board=board,
        lexicon=lex,
        exact=exact,
        phrases=phrases,
        symbols=symbols,
        powers=powers,
        rivals=_rivals(board, lex, exact, symbols),
        longest=max(phrases.values(), default=1),
        silent=frozenset(squash(form) for form, meaning in lex.words if meaning.terminal == "NOISE"),
        _names=names,
    )


def _forms(board: Board, lex: Lexicon) -> Iterator[tuple[str, Meaning]]:
    """Yield every written form with its meaning: words, ids, then names."""
    yield from lex.words
    coasts = sorted({coast for province in board.provinces.values() for coast in province.coasts})
    yield from ((key, _named(key, board, lex)) for key in (*board.provinces, *board.powers))
    yield from ((coast, Meaning("COAST", coast, coast)) for coast in coasts)
    local = local_names(board, lex.language)
    for key, province in board.provinces.items():
        meaning = _named(key, board, lex)
        names = (province.name, *local.written(key), _without_particles(local.names[key], lex), *province.aliases)
        yield from ((name, meaning) for name in names)
    for key, power in board.powers.items():
        meaning = _named(key, board, lex)
        for name in (power.name, power.adjective, *local.written(key), *power.aliases):
            yield from ((name, meaning), (f"{name}'s", meaning))


def _named(key: str, board: Board, lex: Lexicon) -> Meaning:
    """Return the place or power of that id."""
    return Meaning("PLACE" if key in board.provinces else "POWER", key, Name(key, board, lex.language))


def _without_particles(name: str, lex: Lexicon) -> str:
    """Return a name without the little words in it: "Mer Nord", "Mer Irlande"."""
    for particle in lex.particles:
        name = name.replace(particle, " ")
    return name


def _elided(board: Board, lex: Lexicon) -> Iterator[str]:
    """Yield the names before which a word loses its vowel: "l'Espagne". Short forms stay as they are."""
    for form, meaning in _forms(board, lex) if lex.elisions else ():
        key = squash(form)
        if meaning.terminal in ("PLACE", "POWER") and len(key) >= SHORTEST_ELIDED and key[0] in "aeiouyh":
            yield from (f"{elision}{form}" for elision in lex.elisions)


def _rivals(
    board: Board, lex: Lexicon, exact: Mapping[str, Meanings], symbols: Mapping[str, Meaning]
) -> Mapping[str, Meanings]:
    """Return the meanings of the words that have their own meaning as long as it makes sense; their own comes first."""
    rivals: dict[str, Meanings] = {}
    for form, terminals in lex.collisions.items():
        key = squash(form) if form[0].isalnum() else form
        own = symbols[form] if key in symbols else exact[key][0]
        rivals[key] = tuple(Meaning(terminal, "", _called(lex, terminal)) for terminal in (own.terminal, *terminals))
    for short, ids in local_names(board, lex.language).collisions.items():
        own = exact[squash(short)][0]
        others = (meaning for key in ids if (meaning := _named(key, board, lex)) != own)
        if short in board.provinces:
            rivals[squash(short)] = (own, *others)
    return rivals


def _called(lex: Lexicon, terminal: str) -> str:
    """Return the first word, rather than sign, that means a terminal."""
    return next(form for form, meaning in lex.words if meaning.terminal == terminal and form[0].isalnum())
