"""Sentences that remember how they were made, so that they can be told in another language.

The catalogues of other languages have the templates of these sentences; `satdip.speech` looks them up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

__all__ = ["Message", "joined"]


class Message(str):
    """An English sentence, together with its template and the words that were put into it.

    It is a string, and all that handles strings handles it; the words may be such sentences themselves.

    Args:
        template: as for `str.format`.
        words: what is put in.
    """

    template: str
    words: Mapping[str, object]

    def __new__(cls, template: str, /, **words: object) -> Self:
        """Return the sentence."""
        self = super().__new__(cls, template.format_map(words))
        self.template, self.words = template, words
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:  # a copy is made as the first was
        return (self.template,), dict(self.words)


def joined(parts: Iterable[str], separator: str = ", ") -> str:
    """Return texts one after the other; those that are messages stay messages."""
    words = {f"part{number}": part for number, part in enumerate(parts)}
    return Message(separator.join(f"{{{name}}}" for name in words), **words)
