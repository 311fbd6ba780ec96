"""Messages of DAIDE as trees: a word, and groups in parentheses. Lines and spaces separate, nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satdip.base.errors import InputError, Where
from satdip.notation.prose import quoted

__all__ = ["DaideMessage", "Group", "Part", "Text", "Word"]

DEEPEST = 50
"""Parentheses in parentheses; press nests them a few times."""
TOKEN = re.compile(r"[()]|'[^'\n]*'|[^\s()']+|'")


@dataclass(frozen=True)
class Word:
    """One token; `at` is its offset in the text."""

    text: str
    at: int


@dataclass(frozen=True)
class Group:
    """What stands in a pair of parentheses."""

    parts: tuple[Part, ...]
    at: int

    def __str__(self) -> str:
        return f"( {' '.join(map(_written, self.parts))} )"


Part = Word | Group


@dataclass(frozen=True)
class DaideMessage:
    """A word outside of all parentheses with the groups that follow it."""

    word: str
    groups: Sequence[Group]
    at: int


class Text:
    """A text of messages.

    Args:
        text: the text.
        source: its name, for errors.
    """

    def __init__(self, text: str, source: str | None = None) -> None:
        self.text, self.source = text, source

    def messages(self) -> Iterator[DaideMessage]:
        """Yield the messages. What is none, as the time at the beginning of a line, is a message without groups.

        Raises:
            InputError: parentheses do not match.
        """
        word, groups = Word("", 0), list[Group]()
        for part in self._parts():
            if isinstance(part, Word):
                yield DaideMessage(word.text, groups, word.at)
                word, groups = part, []
            else:
                groups.append(part)
        yield DaideMessage(word.text, groups, word.at)

    def _parts(self) -> Iterator[Part]:
        """Yield what stands outside of all parentheses."""
        open_groups: list[tuple[int, list[Part]]] = []
        for token in TOKEN.finditer(self.text):
            text, at = token[0], token.start()
            if text == "(":
                if len(open_groups) == DEEPEST:
                    raise self.error("parentheses are nested too deeply here", at)
                open_groups.append((at, []))
                continue
            if text == ")":
                if not open_groups:
                    raise self.error("nothing is open that this parenthesis could close", at)
                start, parts = open_groups.pop()
                part: Part = Group(tuple(parts), start)
            else:
                part = Word(text, at)
            if open_groups:
                open_groups[-1][1].append(part)
            else:
                yield part
        if open_groups:
            raise self.error("this parenthesis is never closed", open_groups[0][0])

    def error(self, what: str, at: int | Part) -> InputError:
        """Return an error with the line and column of an offset or part."""
        offset = at if isinstance(at, int) else at.at
        before = self.text[:offset]
        column = offset - (before.rfind("\n") + 1) + 1
        return InputError(what, Where(self.source, before.count("\n") + 1, column))

    def wrong(self, wanted: str, part: Part) -> InputError:
        """Return the error that something else stands where a certain thing is wanted."""
        return self.error(f"{wanted} is expected here, not {quoted(_written(part))}", part)


def _written(part: Part) -> str:
    return part.text if isinstance(part, Word) else str(part)
