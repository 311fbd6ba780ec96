r"""Showing text that comes from outside: nothing in it moves the cursor, turns the writing round or hides.

Records, maps, certificates, engines and file names may hold any character. What is printed of them is shown, not sent:
an escape character becomes the four characters ``\x1b``.
"""

from __future__ import annotations

from unicodedata import category

__all__ = ["LONGEST_QUOTE", "Raw", "as_word", "is_shown", "short", "shown", "shown_lines"]

LONGEST_QUOTE = 60  # characters of the input that a sentence repeats


def is_shown(character: str) -> bool:
    """Return whether a character is seen as what it is: a letter, a sign, a space of any width."""
    return character.isprintable() or category(character) == "Zs"


def shown(text: str) -> str:
    """Return a text on one line, with an escape for every character that does more, or less, than to be seen.

    Such are control characters and line ends, marks of the direction of writing, and halves of characters.
    """
    if text.isprintable():
        return text
    return "".join(c if is_shown(c) else c.encode("unicode_escape").decode("ascii") for c in text)


def shown_lines(text: str) -> str:
    """Return a text with its line ends, each line as `shown`."""
    return text if text.isprintable() else "\n".join(map(shown, text.split("\n")))


class Raw(str):
    """A text from outside as a word of a sentence: put in, it is as `shown`."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return shown(self)


def as_word(word: object) -> object:
    """Return what is put into a sentence, so that a plain text is `shown` there; other words know what they are."""
    return Raw(word) if type(word) is str and not word.isprintable() else word


def short(text: str, most: int = LONGEST_QUOTE) -> str:
    """Return a text, or its beginning when it is long."""
    return text if len(text) <= most else f"{text[:most]}..."
