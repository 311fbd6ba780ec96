"""The command line: one small module per verb, loaded only when it is called."""

from __future__ import annotations

import atexit
import gc
import re
import sys
from importlib import import_module
from importlib.util import find_spec

import click

from satdip.base.budget import Alarm, OutOfTime
from satdip.base.errors import InputError, NoAnswer
from satdip.base.printable import shown
from satdip.base.version import __version__
from satdip.cli.door import put
from satdip.cli.exits import BAD_INPUT, DONE, INCOMPLETE, NO_ANSWER
from satdip.cli.streams import OutputLost, ReaderGone, drop_output, guarded_streams

__all__ = ["cli", "main"]

VERBS = {
    "adjudicate": "Adjudicate one phase: an order sheet or a JSON phase record.",
    "certify": "Make a certificate of a phase's resolution that can be checked without trusting satdip.",
    "compare": "Compare rulebooks on a phase or a corpus, and name the choices that make the difference.",
    "crosscheck": "Ask other adjudicators about many phases; group, minimise and explain disagreements.",
    "datc": "Run the Diplomacy Adjudicator Test Cases and print a scoreboard.",
    "explain": "Tell why an order came out as it did, and what would change it.",
    "fuzz": "Check satdip against itself: random phases, adjudicated in several ways that must agree.",
    "generate": "Make phases: random ones, ones with a wanted feature, hard families with known answers.",
    "map": "Show a map, or check a map file.",
    "replay": "Replay recorded games and compare the next positions.",
    "resolutions": "Find every consistent resolution of a phase, and the knots that make them several.",
    "rules": "List the choices of interpretation, show a rulebook, compare two.",
    "verify": "Check a certificate, with nothing of what made it.",
}


class _Verbs(click.Group):
    """The verbs, imported when they are used: looking at one does not pay for the others."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Alarm:
            raise OutOfTime from None
        except KeyboardInterrupt:
            raise click.Abort from None
        except RuntimeError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # while Python 3.11 makes a class
                raise click.Abort from None
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            from difflib import get_close_matches

            near = get_close_matches(cmd_name, VERBS, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise click.UsageError(f"no verb is called {cmd_name!r}{hint}; the verbs are {', '.join(VERBS)}", ctx)
        command: click.Command = import_module(f"satdip.cli.{cmd_name}_verb").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _refuse_repeated(command, rest, ctx)
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, VERBS[name]) for name in sorted(VERBS)])


def _refuse_repeated(command: click.Command, args: list[str], parent: click.Context) -> None:
    """Refuse an option that is there twice although it has one value: click would take the last one.

    Raises:
        click.UsageError: there is one.
    """
    ctx = click.Context(command, parent, command.name)
    try:
        _, rest, given = command.make_parser(ctx).parse_args([*args])
    except click.UsageError:  # told when the command itself reads its arguments
        return
    for option in given:
        if isinstance(option, click.Option) and not (option.is_flag or option.multiple) and given.count(option) > 1:
            raise click.UsageError(f"{option.opts[-1]} is given twice; it has one value", ctx)
    if isinstance(command, click.Group) and rest and (inner := command.get_command(ctx, rest[0])) is not None:
        _refuse_repeated(inner, rest[1:], ctx)


def _tell_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    if not asked or context.resilient_parsing:
        return
    found = find_spec("satdip.solving.closure")
    compiled = found is not None and not str(found.origin).endswith(".py")
    put(f"satdip, version {__version__}{', compiled' if compiled else ''}")
    context.exit()


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_tell_version,
    help="Show the version, and whether the hot modules are compiled.",
)
def cli() -> None:
    """Adjudicate Diplomacy by SAT: orders in, the consistent resolution out.

    Exit codes: 0 done, 1 differences or failures found, 2 bad input, 3 the rules give no answer, 4 incomplete.
    """


def main() -> None:
    """Run the command line; bad input gives one sentence and exit code 2, an interrupt exit code 4."""
    atexit.register(gc.freeze)  # else the interpreter looks through all modules for garbage before it ends
    with guarded_streams():
        try:
            code = _run()
            if sys.stdout is not None:
                sys.stdout.flush()
        except ReaderGone:  # nothing more to say
            drop_output()
            code = DONE
        except OutputLost as error:
            drop_output()
            code = _failed(error, BAD_INPUT)
    sys.exit(code)


def _run() -> int:
    """Run the command line, and return the exit code."""
    if sys.stdout is None:
        return _failed("standard output is closed", BAD_INPUT)
    try:
        code = cli.main(prog_name="satdip", standalone_mode=False)
    except InputError as error:
        return _failed(error, BAD_INPUT)
    except NoAnswer as error:
        return _failed(error, NO_ANSWER)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return BAD_INPUT
    except click.ClickException as error:
        return _failed(_usage(error), BAD_INPUT)
    except OutOfTime:
        return _failed("the time is used up, and nothing is known yet", INCOMPLETE)
    except (KeyboardInterrupt, click.Abort):
        if sys.stderr is not None and sys.stderr.isatty():  # it shows a ^C
            put(err=True)
        return _failed("interrupted", INCOMPLETE)
    return code if isinstance(code, int) else DONE


def _failed(why: object, code: int) -> int:
    put(shown(f"satdip: {why}"), err=True)
    return code


def _usage(error: click.ClickException) -> str:
    """Return an error about options and arguments as one sentence that says where to read more."""
    message = re.sub(r"'([^']{60})[^']+'", r"'\1...'", error.format_message())
    message = re.sub(r"\.? (Did you mean .*\?)$", lambda found: f" ({found[1][0].lower()}{found[1][1:]})", message)
    context = error.ctx if isinstance(error, click.UsageError) else None
    more = f"; see '{context.command_path} --help'" if context is not None else ""
    return f"{message[:1].lower()}{message[1:].rstrip('.')}{more}"
