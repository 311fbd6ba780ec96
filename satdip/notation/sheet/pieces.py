"""An order sheet cut to pieces, each of which knows its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from satdip.base.errors import InputError, Where
from satdip.notation.words.lexer import Word

__all__ = ["Piece", "lines"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sheet and its place; `line` and `column` count from 1."""

    text: str
    source: str | None
    line: int
    column: int

    def cut(self, start: int, end: int | None = None) -> Piece:
        """Return what stands between two indices, without the spaces around it."""
        part = self.text[start:end]
        space = len(part) - len(part.lstrip())
        return Piece(part.strip(), self.source, self.line, self.column + start + space)

    def split(self, separators: str) -> list[Piece]:
        """Return what stands between separators, where anything stands there."""
        parts = (self.cut(*found.span()) for found in re.finditer(f"[^{separators}]+", self.text))
        return [part for part in parts if part.text]

    def head(self) -> tuple[Piece, Piece] | None:
        """Return what stands before and after the first colon that is not within a time of day, or None."""
        colon = re.search(r":(?!\d)|(?<!\d):", self.text)
        return None if colon is None else (self.cut(0, colon.start()), self.cut(colon.end()))

    def where(self, word: Word | None = None) -> Where:
        """Return the place of this piece, or of a word of it."""
        return Where(self.source, self.line, self.column + (word.start if word else 0))

    def error(self, message: str, word: Word | None = None) -> InputError:
        """Return an error about this piece, or about a word of it."""
        return InputError(message, self.where(word))

    @contextmanager
    def placed(self, word: Word | None = None) -> Iterator[None]:
        """Give the errors that are raised within their place in the sheet.

        Args:
            word: the word that they are about; without it, their own column counts from the start of this piece.
        """
        try:
            yield
        except InputError as error:
            column = self.where(word).column or 1
            if word is None and error.where.column is not None:
                column += error.where.column - 1
            raise InputError(error.message, Where(self.source, self.line, column)) from None


def lines(text: str, source: str | None) -> list[Piece]:
    """Return the lines of a sheet that say something, without comments, which begin with ``#``."""
    numbered = enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1)
    pieces = (
        Piece(line, source, number, 1).cut(0, line.find("#") if "#" in line else None) for number, line in numbered
    )
    return [piece for piece in pieces if piece.text]
