"""``satdip adjudicate``: one phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.cli.common import (
    LANGUAGES,
    PROCESSES,
    chosen_rules,
    echo_json,
    json_option,
    lang_option,
    map_option,
    read_input,
    refuse_unused,
    rules_option,
    tell_incomplete,
    tell_remarks,
    timeout_option,
)
from satdip.cli.door import put
from satdip.cli.exits import BAD_INPUT, DONE, INCOMPLETE, NO_ANSWER
from satdip.cli.streams import standard_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from satdip.base.budget import Budget
    from satdip.board import Board
    from satdip.phase.turn import Turn
    from satdip.rulebook import Rulebook
    from satdip.telling.speech import Speech

NOTATIONS = ("datc", "short", "package", "seed")
FALLBACKS = ("szykman", "all-hold")


@click.command(name="adjudicate")
@click.argument("file", metavar="FILE|-")
@json_option
@rules_option
@map_option
@click.option("--notation", type=click.Choice(NOTATIONS), default="datc", help="How to write orders back.")
@click.option("--next", "next_only", is_flag=True, help="Print only the next position, ready for its orders.")
@click.option("--fallback", type=click.Choice(FALLBACKS), help="What decides a paradox that the rulebook leaves open.")
@lang_option
@click.option(
    "--input-lang",
    type=click.Choice(("auto", *LANGUAGES)),
    default="auto",
    help="The language of an order sheet; auto: the one that it states or that its words tell.",
)
@click.option("--lenient", is_flag=True, help="Count a line that is no order as no order, instead of refusing it.")
@click.option("--stream", is_flag=True, help="FILE has a phase record a line; write each with its outcome, as a line.")
@click.option("--workers", type=PROCESSES, default=1, help="Processes for --stream.")
@timeout_option
@click.option("--no-fold", is_flag=True, help="Leave everything to the solver instead of folding constants.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    as_json: bool,
    rules: str | None,
    boards: Callable[[str], Board],
    notation: str,
    next_only: bool,
    fallback: str | None,
    speech: Speech,
    input_lang: str,
    lenient: bool,
    stream: bool,
    workers: int,
    budget: Budget,
    no_fold: bool,
) -> None:
    """Adjudicate one phase: FILE holds an order sheet or a JSON phase record; - is standard input.

    \b
    Example of an order sheet:
      England:
        F London Supports F Wales - English Channel
        F Wales - English Channel
      France:
        A Brest - London
        F English Channel Convoys A Brest - London

    Exit code 3 when the rulebook leaves a convoy paradox open: the consistent resolutions are listed then.

    With --stream a line that is no sound record is answered by {"error": ..., "line": ...}, and the rest goes on;
    the exit code is 2 at the end then. What was answered before an interrupt, or before --timeout, counts: exit code 4.
    """
    from satdip.board.mapfile import stated_board

    if stream:
        if next_only:
            raise click.UsageError("--stream writes the next positions anyway, beside the outcomes; leave out --next")
        refuse_unused(ctx, "has no effect with --stream", "notation", "lang", "input_lang")
        if boards is not stated_board:
            raise click.UsageError("--stream writes records, which name their maps; leave out --map")
        ctx.exit(_stream(file, chosen_rules(rules), fallback, lenient, not no_fold, workers))
    refuse_unused(ctx, "is for --stream", "workers")
    if as_json:
        refuse_unused(ctx, "has no effect with --json, which keeps orders as they were written", "notation")
    from satdip.adjudication import adjudicate
    from satdip.notation import Notation, read_turn
    from satdip.rulebook import rulebook_of

    rulebook = chosen_rules(rules)
    text, source = read_input(file)
    turn = read_turn(text, source=source, language=input_lang, lenient=lenient, boards=boards)
    try:
        rulebook = rulebook_of(rulebook, turn.rules)
        if fallback is not None:
            rulebook = rulebook.override({"fallback": fallback})
        resolution = adjudicate(turn, rules=rulebook, fold=not no_fold, budget=budget)
    except InputError as error:
        raise error.at(source=source) from None
    if next_only:
        tell_remarks((*resolution.remarks, *turn.corrections), speech)
    if as_json and next_only:
        from satdip.telling.serialise import position_to_json

        named = {} if turn.rules is None else {"rules": turn.rules}
        echo_json(position_to_json(resolution.following) | named)
    elif as_json:
        from satdip.lab.unsettled import choices_that_mattered, mattered_to_json
        from satdip.telling.serialise import resolution_to_json

        mattered = [mattered_to_json(item, speech) for item in choices_that_mattered(turn, rulebook)]
        echo_json(resolution_to_json(resolution, speech) | {"unsettled": mattered})
    elif next_only:
        from satdip.notation import write_sheet
        from satdip.phase.turn import Turn

        following = Turn(resolution.following, rules=turn.rules)
        put(write_sheet(following, Notation(notation), speech.language), nl=False)
    else:
        from satdip.cli.terminal import show
        from satdip.telling.render import report

        told = _what_mattered(turn, rulebook, speech) if rulebook.unsettled else ()
        show(report(resolution, Notation(notation), speech), *told)
    ctx.exit(NO_ANSWER if resolution.is_open else DONE)


def _what_mattered(turn: Turn, rules: Rulebook, speech: Speech) -> list[str]:
    """Return sentences on what the edition does not settle and what mattered to the result."""
    from satdip.lab.unsettled import choices_that_mattered, tell_mattered

    return [tell_mattered(item, rules, speech) for item in choices_that_mattered(turn, rules)]


def _stream(file: str, rules: Rulebook | None, fallback: str | None, lenient: bool, fold: bool, workers: int) -> int:
    """Answer each line of a file as it comes, and return the exit code."""
    from satdip.base.intake import open_file, reading
    from satdip.games.stream import adjudicate_lines, collect_rarely, numbered_lines

    with reading(file):
        opened = standard_input() if file == "-" else open_file(file)
    collect_rarely()
    failed = is_open = False
    try:
        with opened:
            for answer in adjudicate_lines(
                numbered_lines(opened), rules=rules, fallback=fallback, lenient=lenient, fold=fold, workers=workers
            ):
                put(answer.text)
                failed |= answer.failed
                is_open |= answer.is_open
    except KeyboardInterrupt as interrupt:
        tell_incomplete(interrupt)
        return INCOMPLETE
    return BAD_INPUT if failed else NO_ANSWER if is_open else DONE
