"""From words to orders: the LALR grammar in ``order.lark``, fed with the words that the lexer found.

A word that is ambiguous counts with its first meaning here; `satdip.notation.reading` parses once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message
from satdip.board import UnitKind
from satdip.notation.grammar.lalr import Misfit, parse, tables
from satdip.notation.prose import either, quoted
from satdip.notation.words.lexer import Word
from satdip.notation.words.lexicon import Lexicon
from satdip.notation.words.vocabulary import Vocabulary
from satdip.phase.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, UnitRef, Waive

__all__ = [
    "Driven",
    "Handed",
    "Line",
    "Stated",
    "parse_centres",
    "parse_dislodged",
    "parse_line",
    "parse_proxies",
    "parse_units",
]


@dataclass(frozen=True, slots=True)
class Line:
    """What a line says.

    Args:
        order: the order; None for a unit written alone, or an order with a part missing.
        unit: the ordered unit; None where no unit is named.
        missing: what is missing, as a sentence; empty for nothing.
    """

    order: Order | None
    unit: UnitRef | None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A unit in a header line: the power it belongs to, the unit, and the word that its place is."""

    power: Word
    unit: UnitRef
    word: Word


@dataclass(frozen=True, slots=True)
class Driven:
    """A dislodged unit in a header line; a power or origin not named is None, retreats not stated are None."""

    power: Word | None
    unit: UnitRef
    word: Word
    origin: str | None
    retreats: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Handed:
    """Units that another power may order, each with the word that its place is; a power not named is None."""

    power: Word | None
    units: tuple[tuple[UnitRef, Word], ...]
    holder: Word


_KINDS = {"A": UnitKind.ARMY, "F": UnitKind.FLEET, "?": None}


def parse_line(words: Sequence[Word], vocabulary: Vocabulary, text: str) -> Line:
    """Return what a line under a power's heading says: an order, or a unit alone.

    Args:
        words: its words.
        vocabulary: where they come from; errors suggest words of it.
        text: the line, for errors.

    Raises:
        InputError: it is no order; the column is that of the first word that does not fit.
    """
    return cast(Line, _parse("line", words, vocabulary, text))


def parse_units(words: Sequence[Word], vocabulary: Vocabulary, text: str) -> list[Stated]:
    """Return the units that a ``units:`` header states; raises as `parse_line` does."""
    return cast(list[Stated], _parse("units", words, vocabulary, text))


def parse_centres(
    words: Sequence[Word], vocabulary: Vocabulary, text: str
) -> list[tuple[Word, list[tuple[str, Word]]]]:
    """Return the supply centres of a ``centres:`` header, by power; raises as `parse_line` does."""
    return cast(list[tuple[Word, list[tuple[str, Word]]]], _parse("centres", words, vocabulary, text))


def parse_dislodged(words: Sequence[Word], vocabulary: Vocabulary, text: str) -> list[Driven]:
    """Return the units of a ``dislodged:`` header; raises as `parse_line` does."""
    return cast(list[Driven], _parse("dislodged", words, vocabulary, text))


def parse_proxies(words: Sequence[Word], vocabulary: Vocabulary, text: str) -> list[Handed]:
    """Return the units of a ``proxies:`` header or a ``proxy:`` line; raises as `parse_line` does."""
    return cast(list[Handed], _parse("proxies", words, vocabulary, text))


# ---------------------------------------------------------------------- the grammar's values


@dataclass(frozen=True, slots=True)
class _Place:
    """A location and the word that names its province."""

    location: str
    word: Word


_Parts = list[Any]  # children of a rule: words, and values of the rules within


class _Values:
    """One method for each rule of ``order.lark``: from the parts of the rule to its value."""

    def place(self, parts: _Parts) -> _Place:
        place, coast = parts
        return _Place(f"{place.value}/{coast.value}" if coast else place.value, place)

    def coast_first(self, parts: _Parts) -> _Place:
        return self.place(parts[::-1])

    def unit(self, parts: _Parts) -> UnitRef:
        power, kind, place = parts
        return UnitRef(place.location, _KINDS[kind.value] if kind else None, power.value if power else None)

    def path(self, parts: _Parts) -> tuple[str, ...]:
        return tuple(place.location for place in parts if isinstance(place, _Place))

    via = path

    # ------------------------------------------------------------------ lines

    def alone(self, parts: _Parts) -> Line:
        return Line(None, parts[0])

    def hold(self, parts: _Parts) -> Line:
        return Line(Hold(parts[0]), parts[0])

    def move(self, parts: _Parts) -> Line:
        unit, path, via = parts
        return Line(Move(unit, path[-1], via is not None, (*path[:-1], *(via or ()))), unit)

    def move_by_sea(self, parts: _Parts) -> Line:
        unit, _, _, path = parts
        return Line(Move(unit, path[-1], True, path[:-1]), unit)

    def support(self, parts: _Parts) -> Line:
        return Line(Support(parts[0], parts[2]), parts[0])

    def support_move(self, parts: _Parts) -> Line:
        return Line(Support(parts[0], parts[2], parts[3][-1]), parts[0])

    def convoy(self, parts: _Parts) -> Line:
        return Line(Convoy(parts[0], parts[2], parts[3][-1]), parts[0])

    def convoy_nowhere(self, parts: _Parts) -> Line:
        return Line(None, parts[0], Message("a convoy order says where the army goes"))

    def retreat(self, parts: _Parts) -> Line:
        return Line(Retreat(parts[0], parts[-1].location), parts[0])

    def disband(self, parts: _Parts) -> Line:
        unit = next(part for part in parts if isinstance(part, UnitRef))
        return Line(Disband(unit), unit)

    def build(self, parts: _Parts) -> Line:
        unit = next(part for part in parts if isinstance(part, UnitRef))
        return Line(Build(unit), unit)

    def waive(self, _: _Parts) -> Line:
        return Line(Waive(), None)

    # ------------------------------------------------------------------ header lines

    def stated(self, parts: _Parts) -> tuple[UnitRef, Word]:
        kind, place = parts
        return UnitRef(place.location, _KINDS[kind.value] if kind else None), place.word

    def group(self, parts: _Parts) -> list[Stated]:
        return [Stated(parts[0], *part) for part in parts[1:] if not isinstance(part, Word)]

    def units(self, parts: _Parts) -> list[Stated]:
        return [unit for group in _without_none(parts) for unit in group]

    def owner(self, parts: _Parts) -> tuple[Word, list[tuple[str, Word]]]:
        return parts[0], [(place.location, place.word) for place in _without_none(parts[1:])]

    def centres(self, parts: _Parts) -> list[tuple[Word, list[tuple[str, Word]]]]:
        return list(_without_none(parts))

    def origin(self, parts: _Parts) -> str:
        location: str = parts[1].location
        return location

    def ways(self, parts: _Parts) -> tuple[str, ...]:
        return tuple(place.location for place in _without_none(parts[1:]))

    def driven(self, parts: _Parts) -> Driven:
        power, kind, place, origin, ways = parts
        return Driven(
            power,
            UnitRef(place.location, _KINDS[kind.value]),
            place.word,
            origin,
            ways,
        )

    def dislodged(self, parts: _Parts) -> list[Driven]:
        return list(_without_none(parts))

    def handed(self, parts: _Parts) -> Handed:
        power, *stated, _, holder = parts
        return Handed(power, tuple(stated), holder)

    def proxies(self, parts: _Parts) -> list[Handed]:
        return list(_without_none(parts))


def _without_none(parts: _Parts) -> Iterator[Any]:
    """Yield the parts without the word NONE and without what is not there."""
    return (part for part in parts if part is not None and not isinstance(part, Word))


@cache
def _makers() -> Mapping[str, Callable[[_Parts], Any]]:
    values = _Values()
    return {name: getattr(values, name) for name in vars(_Values) if not name.startswith("_")}


# ---------------------------------------------------------------------- errors


def _parse(start: str, words: Sequence[Word], vocabulary: Vocabulary, text: str) -> object:
    try:
        return parse(tables(), start, words, _makers())
    except Misfit as misfit:
        raise _error(misfit, words, vocabulary, text) from None


def _error(misfit: Misfit, words: Sequence[Word], vocabulary: Vocabulary, text: str) -> InputError:
    """Say which word does not fit, what was expected in its place, and how an order looks."""
    expected, word = _expected(misfit.expected, vocabulary.lexicon), misfit.word
    if word is None:
        early = Message("{text} ends too early", text=quoted(text.strip()))
        what = early if words else Message("there is no order here")
        return InputError(_with_expected(what, expected), Where(column=len(text.rstrip()) + 1))
    if word.terminal == "UNKNOWN":
        hint = vocabulary.suggestion(word.text)
        what = Message("{word} is not understood{hint}", word=quoted(word.text), hint=hint)
    else:
        what = Message("{word} does not belong here", word=quoted(word.text))
    return InputError(_with_expected(what, expected), Where(column=word.start + 1))


def _with_expected(what: str, expected: str) -> Message:
    return Message("{what}; expected {expected}", what=what, expected=expected)


def _expected(accepted: AbstractSet[str], lex: Lexicon) -> str:
    """Return in words what could stand at some place: "a unit, as in 'A Paris'", "'-' or 'holds'"."""
    if {"PLACE", "WAIVE"} <= accepted:
        return Message("an order, as in 'A Paris - Burgundy'")
    nouns = (
        ("PLACE", Message("a unit, as in 'A Paris'") if "KIND" in accepted else Message("a place")),
        ("POWER", Message("a power")),
        ("KIND", Message("A or F, for an army or a fleet")),
    )
    choices: list[str] = next(([noun] for terminal, noun in nouns if terminal in accepted), [])
    choices += [Message("{word!r}", word=lex.call(verb)) for verb in _VERBS if verb in accepted]
    return either(choices or [Message("the end of the order")])


_VERBS = ("MOVE", "HOLD", "SUPPORT", "CONVOY", "VIA", "RETREAT", "DISBAND", "BUILD", "FROM", "NONE")
