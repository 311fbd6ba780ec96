"""Reading one order: `read_order`, and `read_unit` for a unit by itself.

What people write is read as far as it has one meaning (rulebook of 1971, VII.4): a misspelt word with one likely
meaning is understood and noted, an order with several meanings becomes an `Unclear` order, which is not followed, and
what is no order at all is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from satdip.board import Board, province_of
from satdip.errors import InputError
from satdip.notation.lexer import Word, read_words
from satdip.notation.lexicon import Vocabulary, vocabulary
from satdip.notation.parser import Line, parse_line
from satdip.notation.prose import either
from satdip.notation.writer import Notation, write_order, write_unit
from satdip.orders import Convoy, Hold, Move, Order, Retreat, Support, Unclear, UnitRef, Waive
from satdip.turn import ReadAs

__all__ = ["Alone", "Understood", "read_line", "read_order", "read_unit"]

MOST_MEANINGS = 12  # meanings of an unclear order that are listed; a writer with more in mind is beyond guessing


@dataclass(frozen=True, slots=True)
class Understood:
    """An order and how its words were read.

    Args:
        order: what the text says.
        notes: misspelt words and how they were read.
    """

    order: Order
    notes: tuple[ReadAs, ...] = ()


@dataclass(frozen=True, slots=True)
class Alone:
    """A unit that is written without an order.

    Args:
        unit: the unit.
        notes: misspelt words and how they were read.
    """

    unit: UnitRef
    notes: tuple[ReadAs, ...] = ()


def read_order(text: str, board: Board, language: str = "en") -> Understood:
    """Read an order in any notation: ``F North Sea Convoys A Yorkshire - Norway``, ``F nth C A yor - nwy``, ...

    A second reading of the same text is a look-up in a table.

    Args:
        text: the order.
        board: the map that its places are on.
        language: the language of its words.

    Returns:
        The order; an `Unclear` one when it has several meanings, or names what the map does not have.

    Raises:
        InputError: the text is no order; the error has the column of the first word that does not fit.
    """
    found = read_line(text, board, language)
    if isinstance(found, Alone):
        raise InputError(f"{text.strip()!r} is a unit without an order; write what it does, as in '{text.strip()} H'")
    return found


def read_unit(text: str, board: Board, language: str = "en") -> Alone:
    """Read a unit by itself: ``F Spain(sc)``.

    Raises:
        InputError: the text is no unit, or it is not clear which one.
    """
    found = read_line(text, board, language)
    if isinstance(found, Alone):
        return found
    if isinstance(found.order, Unclear):
        raise InputError(found.order.why)
    raise InputError(f"{text.strip()!r} is no unit; write A or F and a place, as in 'A Paris'")


@lru_cache(maxsize=1 << 17)
def read_line(text: str, board: Board, language: str = "en") -> Understood | Alone:
    """Read a line under a power's heading: an order, or a unit alone.

    Raises:
        InputError: it is neither.
    """
    words = vocabulary(board, language)
    line = read_words(text, words)
    first = parse_line(line, words, text)
    unclear = [word for word in line if len(word.meanings) > 1]
    if unclear:
        return Understood(_ambiguous(text, line, unclear, words))
    notes = tuple(ReadAs(word.text, word.meanings[0].name) for word in line if word.corrected)
    if why := first.missing or _fault(first, board):
        return Understood(Unclear(text.strip(), why, (), _on_board(first.unit, board)), notes)
    if first.order is None and first.unit is not None:
        return Alone(first.unit, notes)
    return Understood(first.order or Waive(), notes)


# ---------------------------------------------------------------------- several meanings


def _ambiguous(text: str, line: list[Word], unclear: list[Word], words: Vocabulary) -> Unclear:
    """Return the unclear order that an ambiguous text makes."""
    readings = [
        reading
        for choice in islice(product(*(word.meanings for word in line)), 1000)
        if not _fault(
            reading := parse_line(
                [Word(w.text, w.start, (m,), w.corrected) for w, m in zip(line, choice, strict=True)], words, text
            ),
            words.board,
        )
    ]
    meanings = dict.fromkeys(_tell(reading, words) for reading in readings)
    units = dict.fromkeys(reading.unit for reading in readings)
    why = "; ".join(
        f"{word.text!r} may be {either(meaning.name for meaning in word.meanings)}"
        for word in {word.text: word for word in unclear}.values()
    )
    unit = next(iter(units)) if len(units) == 1 else None
    return Unclear(text.strip(), why, tuple(islice(meanings, MOST_MEANINGS)), unit)


def _tell(line: Line, words: Vocabulary) -> str:
    """Return a meaning as it is written in the long form."""
    if line.order is not None:
        return write_order(line.order, Notation.DATC, words.board, words.lexicon.language)
    return write_unit(line.unit, Notation.DATC, words.board, words.lexicon.language) if line.unit else ""


# ---------------------------------------------------------------------- what the map does not have


def _fault(line: Line, board: Board) -> str:
    """Return, as a sentence, what a line names that the map does not have; empty for nothing."""
    for location in _locations(line):
        province = board.provinces[province_of(location)]
        coast = location[len(province.id) + 1 :]
        if coast and coast not in province.coasts:
            coasts = " or ".join(f"{province.name}({at.lower()})" for at in province.coasts)
            return f"{province.name} has no coast {coast}; write {coasts or province.name}"
    if isinstance(line.order, Move):
        for stop in line.order.route:
            if not board.is_sea(province_of(stop)):
                return f"{board.provinces[province_of(stop)].name} is no sea, so it is on no convoy route"
    return ""


def _locations(line: Line) -> Iterator[str]:
    """Yield the locations that a line names."""
    match line.order:
        case Move(_, destination, _, route):
            yield from (destination, *route)
        case Support(_, target, destination):
            yield from (target.location, *((destination,) if destination else ()))
        case Convoy(_, army, destination):
            yield from (army.location, destination)
        case Retreat(_, destination):
            yield destination
    if line.unit is not None:
        yield line.unit.location


def _on_board(unit: UnitRef | None, board: Board) -> UnitRef | None:
    """Return a unit without a coast that its province does not have: the province at least is clear."""
    if unit is None or province_of(unit.location) == unit.location:
        return unit
    coast = unit.location[len(unit.province) + 1 :]
    return unit if coast in board.provinces[unit.province].coasts else UnitRef(unit.province, unit.kind, unit.power)
