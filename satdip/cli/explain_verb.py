"""``satdip explain``: why an order came out as it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.cli.common import (
    COUNT,
    echo_json,
    json_option,
    lang_option,
    map_option,
    one_phase,
    refuse_unused,
    rules_option,
    tell_incomplete,
    timeout_option,
)
from satdip.cli.door import put
from satdip.cli.exits import DONE, INCOMPLETE

if TYPE_CHECKING:
    from collections.abc import Callable

    from satdip.base.budget import Budget
    from satdip.board import Board
    from satdip.lab import Explanation, Robust, Turnings
    from satdip.phase.turn import Turn
    from satdip.rulebook import Rulebook
    from satdip.telling.speech import Speech


@click.command(name="explain")
@click.argument("file", metavar="FILE|-")
@click.argument("what", metavar="[UNIT|ORDER]", required=False)
@click.option("--robust", is_flag=True, help="The fewest orders that force it whatever legal orders the others give.")
@click.option(
    "--if",
    "powers",
    metavar="POWER",
    multiple=True,
    help="What this power would have to order otherwise to turn the outcome; may be repeated.",
)
@click.option("--limit", type=COUNT, default=5, show_default=True, help="How many ways of --if to list.")
@click.option("--irrelevant", is_flag=True, help="The orders that matter to no other outcome.")
@rules_option
@map_option
@timeout_option
@json_option
@lang_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    what: str | None,
    robust: bool,
    powers: tuple[str, ...],
    limit: int,
    irrelevant: bool,
    rules: str | None,
    boards: Callable[[str], Board],
    budget: Budget,
    as_json: bool,
    speech: Speech,
) -> None:
    """Tell why an order in FILE came out as it did: the fewest orders that force it, and the steps from these to it.

    Without UNIT or ORDER every order is explained. Had an order that is left out of the reason not been given (so that
    its unit held), or come out the other way, the outcome would be the same. What other orders in its place could do is
    the question of --robust.

    \b
    Examples:
      satdip explain examples/pandin.txt "F Bel"
      satdip explain examples/pandin.txt "F Wal - Eng" --robust
      satdip explain examples/pandin.txt "A Bre" --if England --if Germany
      satdip explain examples/exemple-10.txt --irrelevant --rules seed
    """
    turn, rulebook, source = one_phase(file, rules, boards)
    if (robust or powers) and what is None:
        raise click.UsageError("--robust and --if need the unit or order that they are about", ctx)
    if sum((robust, bool(powers), irrelevant)) > 1:
        raise click.UsageError("--robust, --if and --irrelevant are different questions; ask one at a time", ctx)
    if irrelevant and what is not None:
        raise click.UsageError("--irrelevant is about all orders; leave out the unit or order", ctx)
    if not powers:
        refuse_unused(ctx, "is for --if", "limit")
    try:
        if irrelevant:
            ctx.exit(_irrelevant(turn, rulebook, budget, as_json, speech))
        elif robust and what is not None:
            ctx.exit(_robust(turn, rulebook, what, budget, as_json, speech))
        elif powers and what is not None:
            ctx.exit(_turnings(turn, rulebook, what, powers, limit, budget, as_json, speech))
        elif what is not None:
            _one(turn, rulebook, what, budget, as_json, speech)
        else:
            ctx.exit(_all(turn, rulebook, budget, as_json, speech))
    except InputError as error:
        raise error.at(source=source) from None


def _print(found: Explanation | Robust | Turnings, as_json: bool, speech: Speech) -> None:
    if as_json:
        echo_json(found.to_json(speech))
    else:
        put(found.tell(speech))


def _one(turn: Turn, rules: Rulebook, what: str, budget: Budget, as_json: bool, speech: Speech) -> None:
    from satdip.lab.explain import explain, find_unit

    found = explain(turn, rules, find_unit(turn, what), budget)
    _print(found, as_json, speech)


def _all(turn: Turn, rules: Rulebook, budget: Budget, as_json: bool, speech: Speech) -> int:
    from satdip.base.budget import OutOfTime
    from satdip.lab.explain import Explanations, explain_all

    listed: list[Explanation] = []
    stopped: BaseException | None = None
    try:
        for one in explain_all(turn, rules, budget):
            listed.append(one)
            if not as_json:
                put(one.tell(speech) + "\n")
    except (OutOfTime, KeyboardInterrupt) as interrupt:
        stopped = interrupt
    if as_json:
        echo_json(Explanations(turn, tuple(listed), stopped is None).to_json(speech))
    else:
        tell_incomplete(stopped)
    return INCOMPLETE if stopped else DONE


def _robust(turn: Turn, rules: Rulebook, what: str, budget: Budget, as_json: bool, speech: Speech) -> int:
    from satdip.lab.explain import find_unit
    from satdip.lab.what_if import force

    found = force(turn, rules, find_unit(turn, what), budget)
    _print(found, as_json, speech)
    return DONE if found.smallest else INCOMPLETE


def _turnings(
    turn: Turn,
    rules: Rulebook,
    what: str,
    powers: tuple[str, ...],
    limit: int,
    budget: Budget,
    as_json: bool,
    speech: Speech,
) -> int:
    from satdip.lab.explain import find_unit
    from satdip.lab.what_if import find_power, turn_outcome

    named = [find_power(turn, power) for power in powers]
    found = turn_outcome(turn, rules, find_unit(turn, what), named, limit, budget)
    _print(found, as_json, speech)
    return DONE if found.complete else INCOMPLETE


def _irrelevant(turn: Turn, rules: Rulebook, budget: Budget, as_json: bool, speech: Speech) -> int:
    from satdip.lab.explain import irrelevant

    units = irrelevant(turn, rules, budget)
    board = turn.position.board
    if as_json:
        echo_json({"irrelevant": [str(unit) for unit in units]})
    elif units:
        told = speech.listed([speech.unit(unit, board) for unit in units], last="and")
        put(
            speech.say(
                "{units:The order of this unit matters|The orders of these units matter} to no other outcome: {units}.",
                units=told,
            )
        )
    else:
        put(speech.say("Every order matters to some other outcome."))
    return DONE
