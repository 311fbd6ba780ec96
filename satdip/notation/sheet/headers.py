"""The header lines of an order sheet: map, rules, phase, units, dislodged units and supply centres.

What stands on the board is not guessed: a misspelt place is understood in an order, and refused in a header.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from satdip.base.errors import InputError
from satdip.base.messages import Message, joined
from satdip.board import Board, province_of
from satdip.board.mapfile import stated_board
from satdip.board.names import Name
from satdip.notation.assembly import FIRST_PHASE, Named, stand_as_stated, units_named
from satdip.notation.phases import read_phase
from satdip.notation.prose import did_you_mean, either, quoted
from satdip.notation.sheet.pieces import Piece
from satdip.notation.words.lexer import Word, read_words
from satdip.notation.words.lexicon import Lexicon, squash
from satdip.notation.words.vocabulary import Vocabulary
from satdip.phase.position import Dislodged, Phase, Unit
from satdip.phase.turn import OrderSet, Proxied

__all__ = ["Headers", "find_board", "named_board", "unknown_header"]

_ONCE = ("map", "rules", "phase", "language")  # headers that only one line may have

_Value = TypeVar("_Value")


def find_board(pieces: Sequence[Piece], lex: Lexicon, boards: Callable[[str], Board] = stated_board) -> Board:
    """Return the map that a sheet names; the meaning of its other words depends on it.

    Args:
        pieces: the lines of the sheet.
        lex: its language.
        boards: finds a map by its name.

    Raises:
        InputError: there is no such map.
    """
    for name, value in filter(None, map(Piece.head, pieces)):
        if lex.headers.get(squash(name.text)) == "map" and value.text:
            with value.placed():
                return named_board(value.text, boards)
    return boards("standard")


def named_board(name: str, boards: Callable[[str], Board]) -> Board:
    """Return the map of a name.

    Raises:
        InputError: there is none, or its file is not sound; the sentence names the place in the map file, the error
            itself has no place yet.
    """
    try:
        return boards(name)
    except InputError as error:
        raise InputError(str(error)) from None


@dataclass
class Headers:
    """What the header lines that were read so far say.

    Args:
        words: the vocabulary of the sheet.
        lines: key of a header -> its first line.
        phase: the phase; the first spring until a line says otherwise.
        rules: the rulebook, None for the default.
        named: the units on the board.
        driven: province -> the unit dislodged there.
        centres: power id -> its supply centres.
        proxies: the units that other powers may order, also those that the orders themselves declare.
    """

    words: Vocabulary
    lines: dict[str, Piece] = field(default_factory=dict)
    phase: Phase = FIRST_PHASE
    rules: str | None = None
    named: list[Named] = field(default_factory=list)
    driven: dict[str, Dislodged] = field(default_factory=dict)
    centres: dict[str, set[str]] = field(default_factory=dict)
    proxies: list[Proxied] = field(default_factory=list)

    def units(self) -> tuple[Unit, ...]:
        """Return the units on the board, checked."""
        return units_named(self.named, self.words.board)

    def read(self, key: str, name: Piece, value: Piece) -> None:
        """Read one header line.

        Args:
            key: which header it is.
            name: what stands before its colon.
            value: what stands after it.

        Raises:
            InputError: the header is there already, or its value is not sound.
        """
        if key in _ONCE and key in self.lines:
            line = self.lines[key].line
            what = Message("there is a second '{header}:'; the first is in line {line}", header=name.text, line=line)
            raise name.error(what)
        if key in _ONCE and not value.text:
            raise value.error(Message("'{header}:' is not followed by anything", header=name.text))
        self.lines.setdefault(key, name)
        match key:
            case "rules":
                self.rules = value.text
            case "phase":
                with value.placed():
                    self.phase = read_phase(value.text, self.words.lexicon)
            case "units":
                self._units(value)
            case "centres":
                self._centres(value)
            case "dislodged":
                self._dislodged(value)
            case "proxies":
                self.read_proxies(value)

    def read_proxies(self, value: Piece, owner: str | None = None, order_set: OrderSet | None = None) -> None:
        """Read ``England A London to France``.

        Args:
            value: what stands after the colon.
            owner: the power among whose orders it stands; None for a header, of which the game master was told before.
            order_set: the set that it stands in.

        Raises:
            InputError: it is not sound, or a unit is given away twice.
        """
        from satdip.notation.grammar.parser import parse_proxies

        power = owner
        for item in self._parsed(value, parse_proxies):
            power = item.power.value if item.power else power
            first = item.units[0][1]
            if power is None:
                raise value.error(Message("it is not said whose unit this is; write the power before it"), first)
            if owner not in (None, power):
                what = Message("a power gives a proxy for its own units only; leave the other power out")
                raise value.error(what, item.power)
            if item.holder.value == power:
                what = Message("a power orders its own units without a proxy; write another one")
                raise value.error(what, item.holder)
            for unit, word in item.units:
                proxy = Proxied(power, unit, item.holder.value, owner is None, order_set, value.where(word))
                if any(_same_unit(proxy, other) for other in self.proxies):
                    raise value.error(Message("there are two proxies for the unit in {place}", place=word.text), word)
                self.proxies.append(proxy)

    def _units(self, value: Piece) -> None:
        """Read ``units: Russia F Sevastopol, A Warsaw``."""
        from satdip.notation.grammar.parser import parse_units  # loaded late: most sheets have no such header

        for stated in self._parsed(value, parse_units):
            province = stated.unit.province
            if any(item.unit.province == province for item in self.named):
                what = Message("two units in one province, {place}", place=Name(province, self.words.board))
                raise value.error(what, stated.word)
            with value.placed(stated.word):
                stand_as_stated(stated.power.value, stated.unit, self.words.board)
            self.named.append(Named(stated.power.value, stated.unit, value.where(stated.word)))

    def _centres(self, value: Piece) -> None:
        """Read ``centres: Russia Moscow Sevastopol``."""
        from satdip.notation.grammar.parser import parse_centres

        for power, places in self._parsed(value, parse_centres):
            self.centres.setdefault(power.value, set())
            for location, word in places:
                centre, name = province_of(location), Name(province_of(location), self.words.board)
                owners = [owner for owner, owned in self.centres.items() if centre in owned and owner != power.value]
                if centre not in self.words.board.centres:
                    raise value.error(Message("{place} is no supply centre", place=name), word)
                if owners:
                    first, second = (Name(key, self.words.board, coded=True) for key in (owners[0], power.value))
                    what = Message(
                        "{place} is owned by two powers, {first} and {second}", place=name, first=first, second=second
                    )
                    raise value.error(what, word)
                self.centres[power.value].add(centre)

    def _dislodged(self, value: Piece) -> None:
        """Read ``dislodged: France A Burgundy from Munich; retreats Paris, Gascony``."""
        from satdip.notation.grammar.parser import parse_dislodged

        power = None
        for item in self._parsed(value, parse_dislodged):
            power = item.power or power
            if power is None:
                what = Message("it is not said whose unit is dislodged; write the power before it")
                raise value.error(what, item.word)
            with value.placed(item.word):
                unit = stand_as_stated(power.value, item.unit, self.words.board)
            if unit.province in self.driven:
                what = Message("two dislodged units stand in {place}", place=item.word.text)
                raise value.error(what, item.word)
            self.driven[unit.province] = Dislodged(
                unit,
                None if item.retreats is None else frozenset(item.retreats),
                None if item.origin is None else province_of(item.origin),
            )

    def _parsed(self, value: Piece, parse: Callable[[Sequence[Word], Vocabulary, str], _Value]) -> _Value:
        """Return what a rule of the grammar makes of a header's value, all words of which must be plain."""
        with value.placed():
            words = read_words(value.text, self.words, header=True)
        for word in words:
            if word.corrected or len(word.meanings) > 1:
                names = either(meaning.name for meaning in word.meanings)
                hint = did_you_mean(names)
                what = Message("it is not clear what {word} is{hint}", word=quoted(word.text), hint=hint)
                raise value.error(what, word)
        with value.placed():
            return parse(words, self.words, value.text)


def _same_unit(proxy: Proxied, other: Proxied) -> bool:
    return (proxy.unit.province, proxy.notified, proxy.order_set) == (
        other.unit.province,
        other.notified,
        other.order_set,
    )


def unknown_header(name: Piece, words: Vocabulary) -> InputError:
    """Return the error about a line that begins like a header or a heading, but is none."""
    headers = ", ".join(words.lexicon.header_names.values())
    powers = joined(Name(power, words.board) for power in words.board.powers)
    what = Message(
        "{word} is neither a header nor a power; the headers are {headers}, the powers {powers}",
        word=quoted(name.text),
        headers=headers,
        powers=powers,
    )
    return name.error(what)
