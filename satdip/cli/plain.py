"""Tables and paragraphs as rich prints them into a pipe, without rich.

Loading rich takes longer than adjudicating a phase. What goes into a pipe or a file has no colours and a fixed width,
so most of rich is not needed for it. This module follows rich's layout to the letter, and leaves to rich what it does
not cover: characters of another width than one, and texts in which rich would look for markup or emoji.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

__all__ = ["is_plain", "is_verbatim", "paragraph", "table"]

_PLAIN = re.compile(r"[\n -~\u00a1-\u00ac\u00ae-\u017f\u2018-\u201f]*")  # ASCII, Latin letters, quotation marks
_VERBATIM = re.compile(r"[^\[:]*:?[^\[:]*")
_WORD = re.compile(r"\s*\S+\s*")


def is_plain(text: str) -> bool:
    """Return whether all characters of a text are one cell wide, and none but the line feed moves the cursor."""
    return _PLAIN.fullmatch(text) is not None


def is_verbatim(text: str) -> bool:
    """Return whether rich would find neither markup nor an emoji's name in a text."""
    return _VERBATIM.fullmatch(text) is not None


def paragraph(text: str, width: int) -> list[str]:
    """Return the lines of a text that is wrapped to a width."""
    return [line for given in text.split("\n") for line in _wrapped(given, width)]


def table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table with a title.

    Args:
        title: stands above it, on the left; empty for none.
        headings: one for each column, none empty.
        rows: their cells; a cell may have several lines.
        width: of the whole table at most, in characters.
    """
    borders = len(headings) + 1
    widths = _widths([headings, *rows], width - borders)
    whole = sum(widths) + borders
    lines = [line.ljust(whole) for line in paragraph(title, whole)] if title else []
    lines.append(_border("┏━┳┓", widths))
    lines += _row(headings, widths, "┃", bottom=True)
    lines.append(_border("┡━╇┩", widths))
    for row in rows:
        lines += _row(row, widths, "│")
    lines.append(_border("└─┴┘", widths))
    return lines


# ---------------------------------------------------------------------- lines


def _wrapped(line: str, width: int) -> list[str]:
    """Return one line broken after its words, or within a word that is longer than the width."""
    breaks: list[int] = []
    used = 0
    for found in _WORD.finditer(line):
        start, word = found.start(), found[0]
        length = len(word.rstrip())
        if length <= width - used:
            used += len(word)
        elif length > width:
            pieces = [word[at : at + width] for at in range(0, len(word), width)]
            breaks += [at for number in range(len(pieces)) if (at := start + number * width)]
            used = len(pieces[-1])
        elif used and start:
            breaks.append(start)
            used = len(word)
    # the spaces after the last word of a line may stand beyond the width; what stands there is left out
    return [line[start:end][:width] for start, end in zip([0, *breaks], [*breaks, len(line)], strict=True)]


# ---------------------------------------------------------------------- columns


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of the columns, with a space on both sides of each: the widest give way first."""
    longest = (
        max(len(line) for cell in column for line in cell.splitlines() or [""]) for column in zip(*rows, strict=True)
    )
    widths = [min(room, 2 + length) for length in longest]
    while (excess := sum(widths) - room) > 0:
        widest = max(widths)
        second = max((width for width in widths if width != widest), default=0)
        widths = _reduced(widths, [width == widest for width in widths], excess, min(excess, widest - second))
    return widths


def _reduced(widths: Sequence[int], shrinking: Sequence[bool], excess: int, most: int) -> list[int]:
    """Return the widths with the excess taken evenly from those that shrink, from none more than `most`."""
    count, result = sum(shrinking), list[int]()
    for width, shrinks in zip(widths, shrinking, strict=True):
        taken = min(most, round(excess / count)) if shrinks else 0
        result.append(width - taken)
        excess -= taken
        count -= shrinks
    return result


def _border(signs: str, widths: Iterable[int]) -> str:
    """Return a line of signs: at the left end, along a column, between columns, at the right end."""
    left, line, between, right = (*signs,)
    return left + between.join(line * width for width in widths) + right


def _row(cells: Sequence[str], widths: Sequence[int], border: str, *, bottom: bool = False) -> list[str]:
    """Return the lines of a row; cells of fewer lines than others stand at the top, or at the bottom."""
    columns = [paragraph(cell, width - 2) for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, columns))
    filled = [[""] * (height - len(c)) + c if bottom else c + [""] * (height - len(c)) for c in columns]
    return [
        border + border.join(f" {part.ljust(width - 2)} " for part, width in zip(line, widths, strict=True)) + border
        for line in zip(*filled, strict=True)
    ]
