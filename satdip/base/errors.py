"""The one family of errors that bad input raises: one sentence, and where it went wrong."""

from __future__ import annotations

from dataclasses import dataclass

from satdip.base.messages import Message, joined
from satdip.base.printable import shown

__all__ = ["InputError", "NoAnswer", "Where"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place in the user's input; every part may be missing.

    ``line`` and ``column`` count from 1; ``path`` names the field of a JSON value (``$.units.FRANCE[0]``).
    """

    source: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None

    @property
    def words(self) -> str:
        """The place in words."""
        parts = [self.source] if self.source else []
        if self.line is not None and self.column is not None:
            parts.append(Message("line {line}, column {column}", line=self.line, column=self.column))
        elif self.line is not None:
            parts.append(Message("line {line}", line=self.line))
        if self.path:
            parts.append(Message("at {path}", path=self.path))
        return joined(parts)

    def __str__(self) -> str:
        return self.words


class InputError(ValueError):
    """Input that cannot be: bad syntax, an unknown map, an army at sea. The command line exits with 2.

    Args:
        message: one clear sentence: what is wrong and what would be right.
        where: the place in the input, as far as it is known.

    ``sentence`` is the whole of it, ``place: message``. As a string the error is one line, in which characters that
    would do more than to be seen are escapes.
    """

    def __init__(self, message: str, where: Where | None = None) -> None:
        self.message = message
        self.where = where or Where()
        place = self.where.words
        self.sentence = Message("{place}: {message}", place=place, message=message) if place else message
        super().__init__(shown(self.sentence))

    def at(self, **place: str | int | None) -> InputError:
        """Return the same error with the parts of its place that were not known yet filled in.

        Args:
            place: fields of `Where`; those that the error has already are kept.
        """
        known = {name: getattr(self.where, name) for name in Where.__slots__}
        filled = {name: value if value is not None else place.get(name) for name, value in known.items()}
        return InputError(self.message, Where(**filled))  # type: ignore[arg-type]


class NoAnswer(Exception):  # noqa: N818 -- the rules fail here, not the program
    """The rulebook gives no answer to a phase. The command line exits with 3.

    Args:
        rules: name of the rulebook.
        phase: the phase that it leaves open.
    """

    def __init__(self, rules: str, phase: str) -> None:
        self.rules, self.phase = rules, phase
        self.sentence = Message(
            "the rules {rules} leave {phase} open: it holds a convoy paradox that they do not settle",
            rules=rules,
            phase=phase,
        )
        super().__init__(self.sentence)
