"""Phase records: a turn as a JSON object, one to a line; the shape that corpora of games have.

Names are those of the ``diplomacy`` package: ``{"phase": "S1901M", "units": {"FRANCE": ["A PAR", "F BRE"]}, ...}``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from satdip.base.errors import InputError, Where
from satdip.base.memory import Shelf, kept
from satdip.base.messages import Message
from satdip.board import Board, UnitKind, province_of
from satdip.board.mapfile import stated_board, stated_name
from satdip.notation.assembly import (
    FIRST_PHASE,
    check_proxies,
    named_by_orders,
    named_by_proxies,
    stand_as_stated,
    units_named,
)
from satdip.notation.prose import quoted, short
from satdip.notation.reading import read_unit
from satdip.notation.record.fields import in_field, table_of, text_lists, text_of, texts_of, wrong_type
from satdip.notation.record.record_keys import DRIVEN_KEYS, KEYS, remarks_on_keys
from satdip.notation.record.record_orders import OrdersReader, orders_of
from satdip.notation.sheet.headers import named_board
from satdip.notation.words.vocabulary import vocabulary
from satdip.phase.position import Dislodged, Phase, Position, Unit
from satdip.phase.turn import Turn

__all__ = ["in_order", "read_record", "texts_of_powers", "write_record"]


def read_record(
    record: Mapping[str, object],
    source: str | None = None,
    line: int | None = None,
    boards: Callable[[str], Board] = stated_board,
    lenient: bool = False,
) -> Turn:
    """Read a phase record.

    Args:
        record: the decoded JSON object. ``units``, ``dislodged``, ``centers`` and ``orders`` are lists of texts by
            power; ``retreats`` says to which places a dislodged unit may go, ``attackers`` from where it was
            attacked, both by unit. `satdip.notation.record.record_orders` tells how several order sets, perpetual
            orders and proxies are written.
        source: the name of the file, for errors.
        line: the line in it, for errors.
        boards: finds the map that the record names.
        lenient: whether a text that is no order counts as no order, rather than being refused.

    Returns:
        The position and the orders. Without ``phase`` it is the first spring; without ``units`` the units of a
        movement phase are those that the orders name. Keys that are not known are kept in `Turn.extra`, and
        `Turn.remarks` lists them.

    Raises:
        InputError: the record is not sound; the error has the path of the field.
    """
    try:
        return _read(record, _where(source, line), boards, lenient)
    except InputError as error:
        raise error.at(source=source, line=line) from None


def write_record(turn: Turn) -> dict[str, object]:
    """Return a turn as a phase record, from which `read_record` reads it back.

    Orders are written in the notation of the ``diplomacy`` package, unclear ones as they were given.

    Raises:
        InputError: the map is one of the user's own, which no record can name.
    """
    position = turn.position
    record: dict[str, object] = dict(turn.extra)
    record["map"] = stated_name(position.board)
    if turn.rules is not None:
        record["rules"] = turn.rules
    record["phase"] = str(position.phase)
    record["units"] = texts_of_powers(position.units)
    if position.phase.traits.dislodged_act:
        driven = position.dislodged
        record["dislodged"] = texts_of_powers(item.unit for item in driven)
        if retreats := {item.unit.text: sorted(item.retreats) for item in driven if item.retreats is not None}:
            record["retreats"] = retreats
        if origins := {item.unit.text: item.attacker_from for item in driven if item.attacker_from is not None}:
            record["attackers"] = origins
    if position.centres:
        record["centers"] = {power: in_order(owned) for power, owned in position.centres.items()}
    record.update(orders_of(turn))
    return record


def texts_of_powers(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Return power id -> its units as they are written, in the order in which they come."""
    lists: dict[str, list[str]] = {}
    for unit in units:
        lists.setdefault(unit.power, []).append(unit.text)
    return lists


def in_order(owned: frozenset[str]) -> list[str]:
    """Return supply centres as they are written: sorted."""
    return list(_sorted(frozenset(owned)))


@lru_cache(maxsize=1 << 12)
def _sorted(owned: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(owned))  # the same ones are written over and over


# ---------------------------------------------------------------------- reading


@lru_cache(maxsize=64)
def _where(source: str | None, line: int | None) -> Where:
    return Where(source, line)


def _read(record: Mapping[str, object], where: Where, boards: Callable[[str], Board], lenient: bool) -> Turn:
    remarks = remarks_on_keys(record)
    board = _board(record, boards)
    rules, phase = text_of(record, "rules"), _phase(record)
    units_told = record.get("units") is not None
    reader = OrdersReader(board, phase, where, lenient, units_told)
    orders, proxies = reader.read(record)
    units: tuple[Unit, ...] = ()
    if units_told:
        units = tuple(_units(record, "units", board))
    elif phase.traits.orders_tell_units:
        named = [*named_by_orders(orders), *reader.unread]
        units = units_named([*named, *named_by_proxies(proxies, named)], board)
    if phase.traits.dislodged_act and record.get("dislodged") is None:
        raise InputError(f"{phase} is a retreat phase, but the key 'dislodged' is missing", Where(path="$"))
    dislodged = () if record.keys().isdisjoint(DRIVEN_KEYS) else tuple(_dislodged(record, board))
    centres = _centres(record, board)
    try:
        position = Position(board, phase, units, dislodged, centres)
    except InputError as error:
        raise error.at(path=_field_at_fault(units, centres)) from None
    if not units_told:
        _check_untold(position)
    check_proxies(proxies, position)
    extra = {key: value for key, value in record.items() if key not in KEYS}
    return Turn(position, orders, rules, extra, proxies, remarks)


def _check_untold(position: Position) -> None:
    """Refuse a record without the key ``units`` where nothing else tells which units there are."""
    phase = position.phase
    if phase.traits.by_count:
        what = Message("{phase} is an adjustment phase, but the key 'units' is missing", phase=str(phase))
    elif phase.traits.orders_tell_units and not position.units:
        what = Message("there are neither 'units' nor 'orders' here, so the board would be empty")
    elif any(item.retreats is None for item in position.dislodged):
        what = Message("neither 'units' nor 'retreats' tell which places are open to the dislodged units")
    else:
        return
    raise InputError(what, Where(path="$"))


def _field_at_fault(units: Sequence[Unit], centres: Mapping[str, frozenset[str]]) -> str:
    """Return the path of the field that makes a position impossible; each unit and centre by itself is sound."""
    if len({unit.province for unit in units}) < len(units):
        return "$.units"
    shared = sum(map(len, centres.values())) > len(frozenset().union(*centres.values()))
    return "$.centers" if shared else "$.dislodged"


def _board(record: Mapping[str, object], boards: Callable[[str], Board]) -> Board:
    name = text_of(record, "map")
    try:
        return named_board("standard" if name is None else name, boards)
    except InputError as error:
        raise error.at(path="$.map") from None


def _phase(record: Mapping[str, object]) -> Phase:
    text = text_of(record, "phase")
    if text is None:
        return FIRST_PHASE
    try:
        return _parsed_phase(text)
    except InputError as error:
        raise error.at(path="$.phase") from None


_parsed_phase = lru_cache(maxsize=1 << 12)(Phase.parse)


def _units(record: Mapping[str, object], key: str, board: Board) -> list[Unit]:
    units: list[Unit] = []
    shelf = _known_units(board)
    for power, path, texts in text_lists(record, key, board):
        if len(set(texts)) < len(texts):
            twice = next(i for i, text in enumerate(texts) if text in texts[:i])
            raise InputError(f"{quoted(texts[twice])} is there twice", Where(path=f"{path}[{twice}]"))
        known = shelf.table(power)
        for text in texts:
            unit = known.get(text)
            if unit is None:
                try:
                    unit = _unit(text, power, board)
                except InputError as error:
                    raise in_field(error, f"{path}[{texts.index(text)}]") from None
                shelf.remember(known, text, unit)
            units.append(unit)
    return units


@kept(64)
def _known_units(board: Board) -> Shelf[str, Unit]:  # noqa: ARG001 -- the key
    """Return the tables of each power's units, by their texts."""
    return Shelf()


def _unit(text: str, power: str, board: Board) -> Unit:
    kind, _, location = text.partition(" ")
    if kind in ("A", "F") and board.stands(UnitKind(kind), location):
        return Unit.of(power, UnitKind(kind), location)
    found = read_unit(text, board)
    if found.notes:
        raise InputError(f"{quoted(text)} is no unit (did you mean {found.notes[0].read}?)")
    return stand_as_stated(power, found.unit, board)


def _dislodged(record: Mapping[str, object], board: Board) -> Iterator[Dislodged]:
    units: dict[str, Unit] = {}
    for unit in _units(record, "dislodged", board):
        if units.setdefault(str(unit), unit) is not unit:
            raise InputError(f"two dislodged units stand in {unit.province}", Where(path="$.dislodged"))
    retreats, attackers = table_of(record, "retreats"), table_of(record, "attackers")
    for key, table in (("retreats", retreats), ("attackers", attackers)):
        for name in table:
            if name not in units:
                raise InputError(
                    f"{quoted(name)} is not among the dislodged units", Where(path=f'$.{key}["{short(name)}"]')
                )
    for name, unit in units.items():
        ways, attacker = None, None
        if name in retreats:
            path = f'$.retreats["{name}"]'
            places = texts_of(retreats[name], path)
            ways = frozenset(_location(at, board, f"{path}[{index}]") for index, at in enumerate(places))
        if name in attackers:
            attacker = province_of(_location(attackers[name], board, f'$.attackers["{short(name)}"]'))
        yield Dislodged(unit, ways, attacker)


def _location(text: object, board: Board, path: str) -> str:
    if not isinstance(text, str):
        raise wrong_type("a place, as in 'PAR' or 'STP/SC'", text, path)
    if text in board.provinces or text in board.fleet:
        return text
    hint = vocabulary(board, "en").suggestion(text)
    raise InputError(f"{quoted(text)} is no place of the map {board.name!r}{hint}", Where(path=path))


def _centres(record: Mapping[str, object], board: Board) -> dict[str, frozenset[str]]:
    centres: dict[str, frozenset[str]] = {}
    for power, path, texts in text_lists(record, "centers", board):
        owned = centres[power] = frozenset(texts)
        if not owned <= board.centres:
            index = next(i for i, centre in enumerate(texts) if centre not in board.centres)
            place = _location(texts[index], board, f"{path}[{index}]")
            raise InputError(f"{place} is no supply centre", Where(path=f"{path}[{index}]"))
    return centres
