"""What several verbs share: reading files, printing JSON, choosing a rulebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from satdip.errors import InputError, NoAnswer
from satdip.intake import read_file
from satdip.messages import Message

if TYPE_CHECKING:
    from satdip.rulebook import Rulebook
    from satdip.turn import Turn

__all__ = [
    "chosen_rules",
    "echo_json",
    "json_option",
    "lang_option",
    "one_phase",
    "read_input",
    "rules_option",
    "timeout_option",
]

LANGUAGES = ("en", "fr")
"""The languages of the output."""

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON (keys: docs/json.md).")(function)


def rules_option(function: F) -> F:
    """Add ``--rules``."""
    return click.option("--rules", metavar="NAME", help="The rulebook; by default the one the input names.")(function)


def timeout_option(function: F) -> F:
    """Add ``--timeout``: the command gets `budget`, which starts when the command does."""
    from satdip.budget import Budget

    @click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Stop after this time with what is known by then (exit code 4).",
    )
    @wraps(function)
    def timed(*arguments: Any, timeout: float | None, **options: Any) -> Any:
        return function(*arguments, budget=Budget.of(timeout), **options)

    return cast(F, timed)


def lang_option(function: F) -> F:
    """Add ``--lang``: the command gets `speech`, and what goes wrong in it is told in that language."""
    from satdip.speech import Speech

    @click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language of the output.")
    @wraps(function)
    def telling(*arguments: Any, lang: str, **options: Any) -> Any:
        speech = Speech(lang)
        try:
            return function(*arguments, speech=speech, **options)
        except (InputError, NoAnswer) as error:
            error.args = (speech.tell(error.sentence),)
            raise

    return cast(F, telling)


def echo_json(value: object, *, indent: int | None = 2) -> None:
    """Print a JSON value, in ASCII: it can be read whatever the encoding of the terminal or pipe is."""
    import json

    click.echo(json.dumps(value, indent=indent))


def chosen_rules(name: str | None) -> Rulebook | None:
    """Return the rulebook of ``--rules``, None where the option is not given.

    Raises:
        InputError: there is no such rulebook.
    """
    if name is None:
        return None
    from satdip.rulebook import rulebook_of

    try:
        return rulebook_of(name)
    except InputError as error:
        raise error.at(source="--rules") from None


def one_phase(file: str, rules: str | None) -> tuple[Turn, Rulebook, str]:
    """Read the phase in a file, and choose the rulebook: that of ``--rules``, else the one that the file names.

    Returns:
        The phase, the rulebook, and what to call the file in messages.

    Raises:
        InputError: the file cannot be read, or there is no such rulebook.
    """
    from satdip.notation import read_turn
    from satdip.rulebook import rulebook_of

    chosen = chosen_rules(rules)
    text, source = read_input(file)
    turn = read_turn(text, source=source)
    try:
        return turn, rulebook_of(chosen, turn.rules), source
    except InputError as error:
        raise error.at(source=source) from None


def read_input(name: str, most: int | None = None) -> tuple[bytes, str]:
    """Return what a file or (``-``) standard input holds, and what to call it in messages.

    Args:
        name: the file.
        most: how many bytes it may have, by default those of a turn; one more is read, to see that it is too large.

    Raises:
        InputError: the file cannot be read.
    """
    from satdip.notation import LARGEST_TURN

    most = LARGEST_TURN if most is None else most
    if name == "-":
        return sys.stdin.buffer.read(most + 1), Message("standard input")
    return read_file(name.rstrip("/") or ".", most), name
