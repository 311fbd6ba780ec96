"""Text and orders: reading and writing what people and programs write.

`read_turn` reads an order sheet or a phase record, whichever it is given; `read_order` and `write_order` are about
single orders.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message
from satdip.board.mapfile import stated_board
from satdip.notation.words.lexicon import AUTO

if TYPE_CHECKING:
    from satdip.board import Board
    from satdip.notation.reading import Understood, read_order
    from satdip.notation.record.decoding import decode_record, decode_text, read_lines
    from satdip.notation.record.record import read_record, write_record
    from satdip.notation.sheet.detection import sheet_language
    from satdip.notation.sheet.sheet import read_sheet
    from satdip.notation.sheet.sheet_writer import write_sheet
    from satdip.notation.words.lexicon import languages
    from satdip.notation.writer import Notation, write_order, write_place, write_unit
    from satdip.phase.turn import Turn

__all__ = [
    "AUTO",
    "Notation",
    "Understood",
    "decode_record",
    "decode_text",
    "languages",
    "read_lines",
    "read_order",
    "read_record",
    "read_sheet",
    "read_turn",
    "sheet_language",
    "write_order",
    "write_place",
    "write_record",
    "write_sheet",
    "write_unit",
]

_HOMES = {
    "Notation": "writer",
    "Understood": "reading",
    "decode_record": "record.decoding",
    "decode_text": "record.decoding",
    "languages": "words.lexicon",
    "read_lines": "record.decoding",
    "read_order": "reading",
    "read_record": "record.record",
    "read_sheet": "sheet.sheet",
    "sheet_language": "sheet.detection",
    "write_order": "writer",
    "write_place": "writer",
    "write_record": "record.record",
    "write_sheet": "sheet.sheet_writer",
    "write_unit": "writer",
}

LARGEST_TURN = 1 << 20  # bytes; a turn with everything that a corpus records about it has some ten thousand


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: who reads a sheet needs nothing of records."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def read_turn(
    text: str | bytes,
    source: str | None = None,
    language: str = AUTO,
    lenient: bool = False,
    boards: Callable[[str], Board] = stated_board,
) -> Turn:
    """Read a turn: a phase record when the text begins with ``{``, else an order sheet.

    Args:
        text: the text, or its bytes as UTF-8.
        source: its name, for errors.
        language: the language of a sheet's words; by default the one that it states, or that they tell (see
            `satdip.notation.sheet.detection.sheet_language`). The orders of a record are in English, and no other
            language may be asked for.
        lenient: whether a line that is no order counts as no order, rather than being refused.
        boards: finds the map that the text names.

    Raises:
        InputError: it is neither, or not sound; the error says where.
    """
    from satdip.notation.record.decoding import decode_record, decode_text
    from satdip.notation.sheet.pieces import lines

    if len(text) > LARGEST_TURN:
        what = Message("this is too large for one turn, which has at most {most} bytes", most=LARGEST_TURN)
        raise InputError(what, Where(source))
    decoded = decode_text(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"), source)
    if not lines(decoded, source):
        what = Message("there is nothing to read; write an order sheet or a phase record")
        raise InputError(what, Where(source))
    if decoded.lstrip().startswith(("{", "[")):
        from satdip.notation.record.record import read_record

        if language not in (AUTO, "en"):
            what = Message("the orders of a record are in English, not in {language!r}", language=language)
            raise InputError(what, Where(source))
        return read_record(decode_record(decoded, source), source, boards=boards, lenient=lenient)
    from satdip.notation.sheet.sheet import read_sheet

    return read_sheet(decoded, source, language, lenient, boards)
