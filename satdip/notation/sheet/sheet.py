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
from dataclasses import dataclass, field, replace

from satdip.base.errors import InputError
from satdip.base.messages import Message
from satdip.board import Board
from satdip.board.mapfile import stated_board
from satdip.board.names import Name
from satdip.notation.assembly import Named, check_proxies, in_phase, named_by_orders, named_by_proxies, units_named
from satdip.notation.prose import did_you_mean, either, quoted
from satdip.notation.reading import Alone, Understood, read_line, unit_of_no_order
from satdip.notation.sheet.detection import AUTO, sheet_language
from satdip.notation.sheet.headers import Headers, find_board, unknown_header
from satdip.notation.sheet.order_sets import SetsSeen, in_sequence, set_in_heading, split_heading
from satdip.notation.sheet.pieces import Piece, lines
from satdip.notation.words.lexicon import Meaning, lexicon, parts_of, squash
from satdip.notation.words.vocabulary import Vocabulary, slips, swallows, tolerance, vocabulary
from satdip.phase.orders import Unclear, UnitRef
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Given, OrderSet, ReadAs, Remark, Turn

__all__ = ["read_sheet"]

MOST_UNREADABLE = 100  # lines of a lenient sheet that are passed over; with more of them it is another kind of text


def read_sheet(
    text: str,
    source: str | None = None,
    language: str = AUTO,
    lenient: bool = False,
    boards: Callable[[str], Board] = stated_board,
) -> Turn:
    """Read an order sheet.

    Args:
        text: the sheet.
        source: its name, for errors.
        language: the language of its words; by default the one that it states, or that they tell.
        lenient: whether a line that is no order counts as no order, rather than being refused; its unit stays. Above
            the first heading such a line is passed over, with a remark.
        boards: finds the map that the sheet names.

    Returns:
        The position and the orders. Without ``phase:`` it is the first spring; without ``units:`` the units of a
        movement phase are those that are named under the headings.

    Raises:
        InputError: the sheet is not sound; the error has line and column.
    """
    pieces = lines(text, source)
    try:
        language = sheet_language(pieces, language, boards)
        board = find_board(pieces, lexicon(language), boards)
        sheet = _Sheet(vocabulary(board, language), lenient)
        sheet.read(pieces)
        return sheet.turn()
    except InputError as error:
        raise error.at(source=source) from None


@dataclass(frozen=True, slots=True)
class _Heading:
    """The power and the order set that the lines below it belong to, and how the power's misspelt name was read."""

    power: str
    notes: tuple[ReadAs, ...] = ()
    order_set: OrderSet | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line under a heading: an order for this phase, or one until further notice, or a unit alone."""

    heading: _Heading
    piece: Piece
    perpetual: bool = False


@dataclass
class _Sheet:
    """One reading of a sheet: what was found in it so far."""

    words: Vocabulary
    lenient: bool
    headers: Headers = field(init=False)
    sets: SetsSeen = field(init=False)
    body: list[_Line] = field(default_factory=list)
    alone: list[Named] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    unreadable: int = 0

    def __post_init__(self) -> None:
        self.headers = Headers(self.words)
        self.sets = SetsSeen(self.words.board)

    # ------------------------------------------------------------------ lines

    def read(self, pieces: Sequence[Piece]) -> None:
        """Read the header lines, and note which power the other lines belong to."""
        heading: _Heading | None = None
        for line in pieces:
            head = line.head()
            if head is None:
                if new := self.bare_heading(line):
                    heading = new
                else:
                    self.add(heading, line)
                continue
            name, rest = head
            match self.words.lexicon.headers.get(squash(name.text)):
                case None:
                    new = self.heading(name, rest)
                    heading = new or (heading if rest.text else None)  # nobody knows whose orders stand below it
                    self.add(heading, rest if new else line)
                case "proxy":
                    self.proxy(heading, line, rest)
                case "perpetual":
                    self.add(heading, rest, perpetual=True)
                case key:
                    self.headers.read(key, name, rest)

    def add(self, heading: _Heading | None, line: Piece, *, perpetual: bool = False) -> None:
        """Note the orders of a line."""
        for piece in line.split(",;"):
            if heading is None:
                self.homeless(piece)
            else:
                self.body.append(_Line(heading, piece, perpetual))

    def bare_heading(self, line: Piece) -> _Heading | None:
        """Return the heading that a line without a colon is, or None: it is an order."""
        label, place = split_heading(line) or (line, None)
        power = self.words.powers.get(squash(label.text))
        if power is None:
            return None
        heading = _Heading(power.value)
        return heading if place is None else self.in_set(heading, place)

    def heading(self, name: Piece, rest: Piece) -> _Heading | None:
        """Return the heading that stands before a colon; None when it is passed over.

        Args:
            name: what stands before the colon.
            rest: what stands behind it; where it is an order, the heading cannot be passed over.
        """
        label, place = split_heading(name) or (name, None)
        heading = self.power_heading(label)
        if heading is None:
            error = unknown_header(label, self.words)
        elif place is None:
            return heading
        elif found := self.in_set(heading, place):
            return found
        else:
            what = Message(
                "{text} is no order set; write the set as in (set 1), (set ?) or (1901-03-02)", text=quoted(place.text)
            )
            error = place.error(what)
        if any(map(self.is_order, rest.split(",;"))):
            raise error
        self.pass_over(error)
        return None

    def is_order(self, piece: Piece) -> bool:
        """Return whether a piece is an order or a unit."""
        try:
            read_line(piece.text, self.words.board, self.words.lexicon.language)
        except InputError:
            return False
        return True

    def in_set(self, heading: _Heading, place: Piece) -> _Heading | None:
        """Return the heading with the set that it names, or None when that is no set."""
        with place.placed():
            order_set = set_in_heading(place.text, self.words.lexicon.writing["set"])
        if order_set is None:
            return None
        return replace(heading, order_set=self.sets.open(heading.power, order_set, place.where()))

    def proxy(self, heading: _Heading | None, line: Piece, value: Piece) -> None:
        """Read a proxy that a power declares among its orders."""
        if heading is None:
            raise line.error(
                Message("this proxy stands under no power; write it below one, or a line 'proxies: ...' above them")
            )
        self.sets.use(heading.power, heading.order_set, line.where())
        self.headers.read_proxies(value, heading.power, heading.order_set)

    def power_heading(self, name: Piece) -> _Heading | None:
        """Return the heading of the power that is named; None where nothing is near.

        A misspelt power is understood, but Prussia is a place, and no misspelt Russia.
        """
        if power := self.words.power(name.text):
            return _Heading(power.value)
        headers, powers, word = self.words.lexicon.headers, self.words.powers, squash(name.text)
        choices = [choice for choice in (*headers, *powers) if len(choice) > 3]
        words, silent = parts_of(name.text), self.words.silent
        found = slips(word, choices, max(2, tolerance(word)))
        near = {choice: count for choice, count in found if not swallows(choice, words, count, silent)}
        meanings = list(dict.fromkeys(powers.get(choice, choice) for choice in near))
        match meanings:
            case [Meaning() as power] if min(near.values()) <= tolerance(word) and word not in self.words.exact:
                return _Heading(power.value, (ReadAs(name.text, power.name),))
            case []:
                return None
        nearest = either(item.name if isinstance(item, Meaning) else headers[item] for item in meanings)
        raise name.error(
            Message("{word} is neither a header nor a power{hint}", word=quoted(name.text), hint=did_you_mean(nearest))
        )

    def homeless(self, piece: Piece) -> None:
        """Refuse an order above the first heading."""
        try:
            with piece.placed():
                read_line(piece.text, self.words.board, self.words.lexicon.language)
        except InputError as error:
            self.pass_over(error)
            what = Message("{text} is passed over: {why}", text=quoted(piece.text), why=error.message)
            self.remarks.append(Remark(what, piece.where()))
            return
        power = Name(next(iter(self.words.board.powers)), self.words.board)
        raise piece.error(
            Message(
                "{text} stands under no power; write the power above it, as in '{power}:'",
                text=quoted(piece.text),
                power=power,
            )
        )

    def pass_over(self, error: InputError) -> None:
        """Raise the error of a line that cannot be read, unless the reading is lenient."""
        self.unreadable += 1
        if not self.lenient:
            raise error
        if self.unreadable > MOST_UNREADABLE:
            what = Message("more than {most} lines are no orders, so this is no order sheet", most=MOST_UNREADABLE)
            raise InputError(what, error.where)

    # ------------------------------------------------------------------ the turn

    def turn(self) -> Turn:
        """Return what the lines that were read say together."""
        orders = in_sequence(
            (given for line in self.body if (given := self.order(line))), lambda given: (given.power, given.order_set)
        )
        self.sets.close()
        headers = self.headers
        if headers.phase.traits.dislodged_act and "dislodged" not in headers.lines:
            what = Message(
                "{phase} is a retreat phase, but no unit is dislodged; "
                "add a line such as 'dislodged: France A Burgundy from Munich; retreats Paris, Gascony'",
                phase=str(headers.phase),
            )
            raise InputError(what, headers.lines["phase"].where())
        if headers.driven and not headers.phase.traits.dislodged_act:
            line = headers.lines["dislodged"]
            what = Message("{phase} is no retreat phase, so no unit is dislodged in it", phase=str(headers.phase))
            raise line.error(what)
        position = Position(
            board=self.words.board,
            phase=headers.phase,
            units=self.units(orders),
            dislodged=tuple(headers.driven.values()),
            centres={power: frozenset(owned) for power, owned in headers.centres.items()},
        )
        check_proxies(headers.proxies, position)
        return Turn(position, tuple(orders), headers.rules, proxies=tuple(headers.proxies), remarks=tuple(self.remarks))

    def order(self, line: _Line) -> Given | None:
        """Return an order; for a unit without one, note the unit and return None."""
        found = self.found(line)
        if found is None:
            return None
        order_set = None if line.perpetual else line.heading.order_set
        if not line.perpetual:
            self.sets.use(line.heading.power, order_set, line.piece.where())
        order = in_phase(found.order, self.headers.phase)
        notes = (*line.heading.notes, *found.notes)
        return Given(
            line.heading.power, order, line.piece.text, notes, line.piece.where(), order_set, perpetual=line.perpetual
        )

    def found(self, line: _Line) -> Understood | None:
        """Return what an order says; for a unit without one, note the unit and return None."""
        heading, piece = line.heading, line.piece
        try:
            with piece.placed():
                found = read_line(piece.text, self.words.board, self.words.lexicon.language)
        except InputError as error:
            self.pass_over(error)
            board, language = self.words.board, self.words.lexicon.language
            if unit := unit_of_no_order(piece.text, error, board, language, units_told=self.are_units_told):
                self.alone.append(Named(unit.power or heading.power, unit, piece.where()))
            return Understood(Unclear(piece.text, error.message))
        if isinstance(found, Alone) and line.perpetual:
            told = Message("{text} is a unit without an order, so nothing is to stand", text=quoted(piece.text))
            raise piece.error(told)
        if isinstance(found, Alone):
            self.remarks += [Remark(note.sentence, piece.where()) for note in found.notes]
            self.alone.append(Named(found.unit.power or heading.power, found.unit, piece.where()))
            return None
        return found

    @property
    def are_units_told(self) -> bool:
        """Whether the headers tell which units there are, rather than the lines under the powers."""
        return "units" in self.headers.lines or self.headers.phase.traits.dislodged_act

    def units(self, orders: Sequence[Given]) -> tuple[Unit, ...]:
        """Return the units on the board: those that the header states, else those under the headings."""
        if self.are_units_told:
            units = self.headers.units()
            self.check_alone((*units, *(item.unit for item in self.headers.driven.values())))
            return units
        named = named_by_orders(orders) if self.headers.phase.traits.orders_tell_units else []
        named += self.alone
        named += named_by_proxies(self.headers.proxies, named)
        named = sorted(named, key=lambda item: (item.where.line or 0, item.where.column or 0))
        return units_named(named, self.words.board)

    def check_alone(self, units: Sequence[Unit]) -> None:
        """Refuse a unit without an order that is not among those that the headers state."""
        for item in self.alone:
            if not any(_is(item.unit, unit) and item.power == unit.power for unit in units):
                board = self.words.board
                power, place = Name(item.power, board, coded=True), Name(item.unit.province, board)
                what = Message("no header states this unit of {power} in {place}", power=power, place=place)
                raise InputError(what, item.where)


def _is(ref: UnitRef, unit: Unit) -> bool:
    return ref.province == unit.province and ref.kind in (None, unit.kind)
