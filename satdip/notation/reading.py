"""Reading one order: `read_order`, and `read_unit` for a unit by itself.

What people write is read as far as it has one meaning (rulebook of 1971, VII.4): a misspelt word with one likely
meaning is understood and noted, an order with several meanings becomes an `Unclear` order, which is not followed, and
what is no order at all is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING

from satdip.base.errors import InputError
from satdip.base.memory import kept
from satdip.base.messages import Message, joined
from satdip.board import Board, province_of
from satdip.board.names import Name
from satdip.notation.prose import either, quoted
from satdip.notation.words.lexer import Word, read_words
from satdip.notation.words.lexicon import squash
from satdip.notation.words.vocabulary import Vocabulary, vocabulary
from satdip.notation.writer import Notation, write_order, write_unit
from satdip.phase.orders import Convoy, Move, Order, Retreat, Support, Unclear, UnitRef, Waive, ordered_unit
from satdip.phase.turn import ReadAs

if TYPE_CHECKING:
    from satdip.notation.grammar.parser import Line

__all__ = ["Alone", "Understood", "read_line", "read_order", "read_unit", "unit_of_no_order"]

MOST_MEANINGS = 100  # ways to read an order that are looked at
MOST_WORDS = 12  # words at the beginning of a text among which a unit is looked for


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
        The order; an `Unclear` one when it has several meanings, or lacks a part.

    Raises:
        InputError: the text is no order; the error has the column of the first word that does not fit.
    """
    found = read_line(text, board, language)
    if isinstance(found, Alone):
        unit = text.strip()
        what = Message(
            "{text} is a unit without an order; write what it does, as in '{unit} H'", text=quoted(unit), unit=unit
        )
        raise InputError(what)
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
    told = quoted(text.strip())
    raise InputError(Message("{text} is no unit; write A or F and a place, as in 'A Paris'", text=told))


def unit_of_no_order(
    text: str, error: InputError, board: Board, language: str = "en", *, units_told: bool
) -> UnitRef | None:
    """Return the unit of a text that is no order, for a lenient reading: it gets no order, but it is there.

    Args:
        text: the text.
        error: what is wrong with it.
        board: the map.
        language: the language of its words.
        units_told: whether something else tells which units there are.

    Returns:
        The unit that the text begins with; None where it begins with none, or where the units are told elsewhere.

    Raises:
        InputError: only the orders tell which units there are, and this one may have been meant for a unit that nobody
            can make out.
    """
    if units_told:
        return None
    unit = _unit_within(text, board, language)
    if unit is None and _looks_like_order(text, board, language):
        what = Message("{why}, and only the orders tell which units there are", why=error.message)
        raise InputError(what, error.where)
    return unit


def _unit_within(text: str, board: Board, language: str) -> UnitRef | None:
    """Return the unit that a text begins with, whatever follows; None where it begins with none."""
    words = text.split()
    for count in range(min(len(words), MOST_WORDS), 0, -1):
        try:
            found = read_line(" ".join(words[:count]), board, language)
        except InputError:
            continue
        return found.unit if isinstance(found, Alone) else ordered_unit(found.order)
    return None


def _looks_like_order(text: str, board: Board, language: str) -> bool:
    """Return whether a text may have been meant as an order.

    It begins with A or F, has an army or a fleet in a place, or a place beside a word for what a unit does.
    """
    try:
        kinds = [word.terminal for word in read_words(text, vocabulary(board, language))]
    except InputError:
        return True
    pairs = {frozenset(pair) for pair in pairwise(kinds)}
    return kinds[:1] == ["KIND"] or any(frozenset((word, "PLACE")) in pairs for word in ("KIND", *_DOING))


_DOING = ("MOVE", "HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND")


@kept(1 << 17)
def read_line(text: str, board: Board, language: str = "en") -> Understood | Alone:
    """Read a line under a power's heading: an order, or a unit alone.

    Raises:
        InputError: it is neither.
    """
    from satdip.notation.grammar.parser import parse_line  # loaded late: records seldom need it

    known = vocabulary(board, language)
    words = tuple(read_words(text, known))
    if known.rivals and (unclear := _collision(text, words, known)):
        return Understood(unclear)
    line = parse_line(words, known, text)
    if any(len(word.meanings) > 1 for word in words):
        readings = {choice: parse_line(choice, known, text) for choice in _choices(words)}
        possible = {choice: reading for choice, reading in readings.items() if not _fault(reading, board)}
        if len(possible) != 1:
            return Understood(_ambiguous(text, words, list(possible.values()), known))
        [(words, line)] = possible.items()
    notes = tuple(ReadAs(word.text, word.meanings[0].name) for word in words if word.corrected or word.doubtful)
    if why := _fault(line, board):
        return Understood(Unclear(text.strip(), why, unit=line.unit), notes)
    if line.order is None and line.unit is not None:
        return Alone(line.unit, notes)
    return Understood(line.order or Waive(), notes)


# ---------------------------------------------------------------------- several meanings


def _choices(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """Yield the ways to give each ambiguous word one of its meanings."""
    ways = product(*([replace(word, meanings=(meaning,)) for meaning in word.meanings] for word in words))
    return islice(ways, MOST_MEANINGS)


def _ambiguous(text: str, words: Iterable[Word], readings: Sequence[Line], known: Vocabulary) -> Unclear:
    """Return the unclear order that a text of several meanings makes."""
    named = {word.text: either(m.name for m in word.meanings) for word in words if len(word.meanings) > 1}
    told = (Message("{word} may be {names}", word=quoted(word), names=names) for word, names in named.items())
    why = joined(told, separator="; ")
    units = {reading.unit for reading in readings}
    meanings = dict.fromkeys(_tell(reading, known) for reading in readings)
    return Unclear(text.strip(), why, tuple(meanings), units.pop() if len(units) == 1 else None)


def _collision(text: str, words: tuple[Word, ...], known: Vocabulary) -> Unclear | None:
    """Return the unclear order that a colliding word makes, where its own meaning makes no sense and another does."""
    keys = {at: squash(word.text) or word.text for at, word in enumerate(words)}
    doubtful = {at: known.rivals[key] for at, key in keys.items() if key in known.rivals}
    usual = _parsed(words, known, text) if doubtful else None
    if not doubtful or (usual is not None and _is_possible(usual, known.board)):
        return None
    told, readings = list(words), []
    for at, (own, *others) in doubtful.items():
        ways = [(*words[:at], replace(words[at], meanings=(other,)), *words[at + 1 :]) for other in others]
        lines = [line for way in ways if (line := _parsed(way, known, text)) and _is_possible(line, known.board)]
        if lines:
            told[at] = replace(words[at], meanings=(own, *others))
            readings += lines
    return _ambiguous(text, told, [usual, *readings] if usual else readings, known) if readings else None


def _parsed(words: Sequence[Word], known: Vocabulary, text: str) -> Line | None:
    from satdip.notation.grammar.parser import parse_line

    try:
        return parse_line(words, known, text)
    except InputError:
        return None


def _is_possible(line: Line, board: Board) -> bool:
    """Return whether no fleet of an order is inland, nor goes there, and no army is at sea."""
    order, units = line.order, [line.unit] if line.unit else []
    if isinstance(order, Support | Convoy):
        units.append(order.target if isinstance(order, Support) else order.army)
    if isinstance(order, Move | Support | Convoy | Retreat) and order.destination is not None:
        units.append(replace(units[-1], location=order.destination))
    return all(unit.kind is None or board.locations(unit.kind, unit.province) for unit in units)


def _tell(line: Line, known: Vocabulary) -> str:
    """Return a meaning as it is written in the long form."""
    if line.order is not None:
        return write_order(line.order, Notation.DATC, known.board, known.lexicon.language)
    return write_unit(line.unit, Notation.DATC, known.board, known.lexicon.language) if line.unit else ""


def _fault(line: Line, board: Board) -> str:
    """Return, as a sentence, why a line that was understood is no complete order; empty when it is one."""
    if isinstance(line.order, Move):
        for stop in map(province_of, line.order.route):
            if not board.is_sea(stop):
                return Message("{place} is no sea, so no convoy route leads through it", place=Name(stop, board))
    return line.missing
