"""What several verbs share: reading files, printing JSON, choosing a rulebook."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from satdip.base.errors import InputError, NoAnswer
from satdip.base.intake import read_file
from satdip.base.messages import Message
from satdip.base.printable import shown
from satdip.cli.deadline import limited
from satdip.cli.door import put
from satdip.cli.streams import standard_input

if TYPE_CHECKING:
    from satdip.board import Board
    from satdip.phase.turn import Remark, Turn
    from satdip.rulebook import Rulebook
    from satdip.telling.speech import Speech

__all__ = [
    "COUNT",
    "MANY",
    "PROCESSES",
    "SECONDS",
    "Seconds",
    "chosen_rules",
    "echo_json",
    "json_option",
    "lang_option",
    "map_option",
    "one_phase",
    "read_input",
    "refuse_unused",
    "rules_option",
    "tell_incomplete",
    "tell_remarks",
    "timeout_option",
]


class Seconds(click.FloatRange):
    """A number of seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse also what is no finite number."""
        found = super().convert(value, param, ctx)
        return found if isfinite(found) else self.fail(f"{value!r} is no number of seconds.", param, ctx)


SECONDS = Seconds(min=0, min_open=True)

MANY = 1_000_000_000
"""The largest number of anything that makes sense to ask for."""

COUNT = click.IntRange(1, MANY)
"""How many phases, resolutions, ways."""

PROCESSES = click.IntRange(1, max(64, os.cpu_count() or 1))
"""How many processes."""

LANGUAGES = ("en", "fr")
"""The languages of the output."""

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON (keys: docs/json.md).")(function)


def rules_option(function: F) -> F:
    """Add ``--rules``."""
    return click.option("--rules", metavar="NAME", help="The rulebook; by default the one the input names.")(function)


def map_option(function: F) -> F:
    """Add ``--map``: the command gets `boards`, which finds the map of a phase (see `satdip.notation.read_turn`)."""

    @click.option("--map", "map_name", metavar="MAP", help="A map, or its TOML file; by default that of the input.")
    @wraps(function)
    def on_map(*arguments: Any, map_name: str | None, **options: Any) -> Any:
        from satdip.board.mapfile import load_board, stated_board

        try:
            board = None if map_name is None else load_board(map_name)
        except InputError as error:
            raise error.at(source="--map") from None
        return function(*arguments, boards=stated_board if board is None else lambda _: board, **options)

    return cast(F, on_map)


def timeout_option(function: F) -> F:
    """Add ``--timeout``: the command gets `budget`, which starts when the command does."""

    @click.option(
        "--timeout",
        type=SECONDS,
        metavar="SECONDS",
        help="Stop after this time with what is known by then (exit code 4).",
    )
    @wraps(function)
    def timed(*arguments: Any, timeout: float | None, **options: Any) -> Any:
        with limited(timeout) as budget:
            return function(*arguments, budget=budget, **options)

    return cast(F, timed)


def tell_incomplete(interrupt: BaseException | None) -> None:
    """Say on standard error that only a part is known, and what ended the work: the user or the clock; or nothing."""
    if interrupt is None:
        return
    why = "interrupted" if type(interrupt) is KeyboardInterrupt else "the time is used up"
    put(f"satdip: {why}; this is what is known so far", err=True)


def lang_option(function: F) -> F:
    """Add ``--lang``: the command gets `speech`, and what goes wrong in it is told in that language."""
    from satdip.telling.speech import Speech

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

    put(json.dumps(value, indent=indent))


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


def one_phase(file: str, rules: str | None, boards: Callable[[str], Board] | None = None) -> tuple[Turn, Rulebook, str]:
    """Read the phase in a file, and choose the rulebook: that of ``--rules``, else the one that the file names.

    Args:
        file: the file.
        rules: what ``--rules`` says.
        boards: finds the map (see `map_option`); by default a shipped or generated one, by its name.

    Returns:
        The phase, the rulebook, and what to call the file in messages.

    Raises:
        InputError: the file cannot be read, or there is no such rulebook.
    """
    from satdip.board.mapfile import stated_board
    from satdip.notation import read_turn
    from satdip.rulebook import rulebook_of

    chosen = chosen_rules(rules)
    text, source = read_input(file)
    turn = read_turn(text, source=source, boards=boards or stated_board)
    tell_remarks((*turn.remarks, *turn.corrections))
    try:
        return turn, rulebook_of(chosen, turn.rules), source
    except InputError as error:
        raise error.at(source=source) from None


def refuse_unused(ctx: click.Context, why: str, *names: str) -> None:
    """Refuse options that were given and that nothing would look at.

    Args:
        ctx: the call.
        why: the rest of the sentence, as in "is for --stream".
        names: the parameters of the options.

    Raises:
        click.UsageError: one of them was given.
    """
    for option in ctx.command.params:
        if option.name in names and ctx.get_parameter_source(option.name) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[-1]} {why}", ctx)


def tell_remarks(remarks: Iterable[Remark], speech: Speech | None = None) -> None:
    """Tell remarks on standard error, for output that has no place for them."""
    for remark in remarks:
        put(shown(f"satdip: {speech.tell(remark.sentence) if speech else remark}"), err=True)


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
        return standard_input().read(most + 1), Message("standard input")
    return read_file(name.rstrip("/") or ".", most), name
