"""Order sheets: the text form of a turn, as the DATC prints orders under each power's name.

::

    map: standard
    rules: 1971
    phase: S1901M
    England:
      F London Supports F Wales - English Channel
      F Edinburgh

A retreat sheet has the headers ``units:`` and ``dislodged:``, an adjustment sheet ``centres:`` and ``units:``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from satdip.board import Board
from satdip.errors import InputError
from satdip.mapfile import load_board
from satdip.notation.assembly import Named, in_phase, named_by_orders, units_named
from satdip.notation.headers import Headers, find_board, unknown_header
from satdip.notation.lexicon import Meaning, Vocabulary, lexicon, slips, squash, tolerance, vocabulary
from satdip.notation.pieces import Piece, lines
from satdip.notation.prose import either, quoted
from satdip.notation.reading import Alone, read_line
from satdip.orders import Unclear, UnitRef
from satdip.position import PhaseKind, Position, Unit
from satdip.turn import Given, ReadAs, Turn

__all__ = ["read_sheet"]

MOST_UNREADABLE = 100  # lines of a lenient sheet that are passed over; with more of them it is another kind of text


def read_sheet(
    text: str,
    source: str | None = None,
    language: str = "en",
    lenient: bool = False,
    boards: Callable[[str], Board] = load_board,
) -> Turn:
    """Read an order sheet.

    Args:
        text: the sheet.
        source: its name, for errors.
        language: the language of its words.
        lenient: whether a line that is no order counts as no order, rather than being refused. Above the first
            heading such a line is passed over.
        boards: finds the map that the sheet names.

    Returns:
        The position and the orders. Without ``phase:`` it is the first spring; without ``units:`` the units of a
        movement phase are those that are named under the headings.

    Raises:
        InputError: the sheet is not sound; the error has line and column.
    """
    pieces = lines(text, source)
    try:
        board = find_board(pieces, lexicon(language), boards)
        sheet = _Sheet(vocabulary(board, language), lenient)
        sheet.read(pieces)
        return sheet.turn()
    except InputError as error:
        raise error.at(source=source) from None


@dataclass(frozen=True, slots=True)
class _Heading:
    """The power that the lines below it belong to, and how its misspelt name was read."""

    power: str
    notes: tuple[ReadAs, ...] = ()


@dataclass
class _Sheet:
    """One reading of a sheet: what was found in it so far."""

    words: Vocabulary
    lenient: bool
    headers: Headers = field(init=False)
    body: list[tuple[_Heading, Piece]] = field(default_factory=list)
    alone: list[Named] = field(default_factory=list)
    unreadable: int = 0

    def __post_init__(self) -> None:
        self.headers = Headers(self.words)

    # ------------------------------------------------------------------ lines

    def read(self, pieces: Sequence[Piece]) -> None:
        """Read the header lines, and note which power the other lines belong to."""
        heading: _Heading | None = None
        for line in pieces:
            rest = line
            if head := line.head():
                name, rest = head
                if key := self.words.lexicon.headers.get(squash(name.text)):
                    self.headers.read(key, name, rest)
                    continue
                if new := self.heading(name):
                    heading = new
                else:
                    rest = line
            elif power := self.words.powers.get(squash(line.text)):  # a heading without a colon
                heading = _Heading(power.value)
                continue
            for piece in rest.split(",;"):
                if heading is None:
                    self.homeless(piece)
                else:
                    self.body.append((heading, piece))

    def heading(self, name: Piece) -> _Heading | None:
        """Return the heading that stands before a colon; None when it is passed over.

        A misspelt power is understood, but Prussia is a place, and no misspelt Russia.
        """
        if power := self.words.power(name.text):
            return _Heading(power.value)
        headers, powers, word = self.words.lexicon.headers, self.words.powers, squash(name.text)
        choices = [choice for choice in (*headers, *powers) if len(choice) > 3]
        near = dict(slips(word, choices, max(2, tolerance(word))))
        meanings = list(dict.fromkeys(powers.get(choice, choice) for choice in near))
        match meanings:
            case [Meaning() as power] if min(near.values()) <= tolerance(word) and word not in self.words.exact:
                return _Heading(power.value, (ReadAs(name.text, power.name),))
            case []:
                self.pass_over(unknown_header(name, self.words))
                return None
        nearest = either(item.name if isinstance(item, Meaning) else headers[item] for item in meanings)
        raise name.error(f"{quoted(name.text)} is neither a header nor a power (did you mean {nearest}?)")

    def homeless(self, piece: Piece) -> None:
        """Refuse an order above the first heading."""
        try:
            with piece.placed():
                read_line(piece.text, self.words.board, self.words.lexicon.language)
        except InputError as error:
            self.pass_over(error)
            return
        power = next(iter(self.words.board.powers.values())).name
        raise piece.error(f"{quoted(piece.text)} stands under no power; write the power above it, as in '{power}:'")

    def pass_over(self, error: InputError) -> None:
        """Raise the error of a line that cannot be read, unless the reading is lenient."""
        self.unreadable += 1
        if not self.lenient:
            raise error
        if self.unreadable > MOST_UNREADABLE:
            raise InputError(f"more than {MOST_UNREADABLE} lines are no orders, so this is no order sheet", error.where)

    # ------------------------------------------------------------------ the turn

    def turn(self) -> Turn:
        """Return what the lines that were read say together."""
        orders = tuple(given for heading, piece in self.body if (given := self.order(heading, piece)))
        headers = self.headers
        if headers.phase.kind == PhaseKind.RETREATS and "dislodged" not in headers.lines:
            raise InputError(
                f"{headers.phase} is a retreat phase, but no unit is dislodged; "
                "add a line such as 'dislodged: France A Burgundy from Munich; retreats Paris, Gascony'",
                headers.lines["phase"].where(),
            )
        if headers.driven and headers.phase.kind != PhaseKind.RETREATS:
            line = headers.lines["dislodged"]
            raise line.error(f"{headers.phase} is no retreat phase, so no unit is dislodged in it")
        position = Position(
            board=self.words.board,
            phase=headers.phase,
            units=self.units(orders),
            dislodged=tuple(headers.driven.values()),
            centres={power: frozenset(owned) for power, owned in headers.centres.items()},
        )
        return Turn(position, orders, headers.rules)

    def order(self, heading: _Heading, piece: Piece) -> Given | None:
        """Return an order; for a unit without one, note the unit and return None."""
        try:
            with piece.placed():
                found = read_line(piece.text, self.words.board, self.words.lexicon.language)
        except InputError as error:
            self.pass_over(error)
            unclear = Unclear(piece.text, error.message)
            return Given(heading.power, unclear, piece.text, heading.notes, piece.where())
        if isinstance(found, Alone):
            self.alone.append(Named(found.unit.power or heading.power, found.unit, piece.where()))
            return None
        order = in_phase(found.order, self.headers.phase)
        return Given(heading.power, order, piece.text, (*heading.notes, *found.notes), piece.where())

    def units(self, orders: Sequence[Given]) -> tuple[Unit, ...]:
        """Return the units on the board: those that the header states, else those under the headings."""
        kind = self.headers.phase.kind
        if "units" in self.headers.lines or kind == PhaseKind.RETREATS:
            units = self.headers.units()
            self.check_alone((*units, *(item.unit for item in self.headers.driven.values())))
            return units
        named = named_by_orders(orders) if kind == PhaseKind.MOVEMENT else []
        named = sorted([*named, *self.alone], key=lambda item: (item.where.line or 0, item.where.column or 0))
        return units_named(named, self.words.board)

    def check_alone(self, units: Sequence[Unit]) -> None:
        """Refuse a unit without an order that is not among those that the headers state."""
        for item in self.alone:
            if not any(_is(item.unit, unit) and item.power == unit.power for unit in units):
                name = self.words.board.provinces[item.unit.province].name
                raise InputError(f"no header states this unit of {item.power} in {name}", item.where)


def _is(ref: UnitRef, unit: Unit) -> bool:
    return ref.province == unit.province and ref.kind in (None, unit.kind)
