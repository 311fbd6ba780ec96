"""``satdip rules``: interpretations and editions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satdip.cli.common import echo_json, json_option, lang_option, refuse_unused
from satdip.cli.door import put
from satdip.rulebook import PROFILES, Choice, Issue, Rulebook, issues, rulebook_of

if TYPE_CHECKING:
    from satdip.telling.speech import Speech


@click.group(name="rules", invoke_without_command=True)
@json_option
@lang_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, speech: Speech) -> None:
    """List the choices of interpretation with their sections, show a rulebook, compare two.

    A rulebook is named by a profile (2023), a profile with overrides (2023+4.A.2=d), or a TOML file.
    """
    if ctx.invoked_subcommand is None:
        _list(as_json, speech)
    else:
        refuse_unused(ctx, f"belongs behind {ctx.invoked_subcommand!r}", "as_json", "lang")


def _list(as_json: bool, speech: Speech) -> None:
    say = speech.say
    if as_json:
        listed = [
            {
                "section": issue.section,
                "field": issue.field,
                "title": say(issue.title),
                "choices": [_choice_json(choice, speech) for choice in issue.choices],
            }
            for issue in issues()
        ]
        echo_json({"profiles": list(PROFILES), "issues": listed})
        return
    from rich.table import Table

    from satdip.cli.terminal import console

    headings = (say("Section"), say("Issue"), say("Choice"), say("Letter"), say("Meaning"))
    table = Table(*headings, title=say("Choices"), title_justify="left")
    for issue in issues():
        for number, choice in enumerate(issue.choices):
            first = number == 0
            section, title = (issue.section, say(issue.title)) if first else ("", "")
            table.add_row(section, title, choice.slug, choice.letter or "", say(choice.meaning))
        table.add_section()
    console().print(table)
    put(say("Profiles: {profiles}", profiles=", ".join(PROFILES)))


@command.command()
@click.argument("name")
@json_option
@lang_option
def show(name: str, as_json: bool, speech: Speech) -> None:
    """Show the choices of a rulebook; "not settled" marks those that are ours where the edition is silent."""
    book, say = rulebook_of(name), speech.say
    if as_json:
        rows = [_issue_json(issue, book, speech) for issue in issues()]
        echo_json({"name": book.name, "choices": rows})
        return
    from rich.table import Table

    from satdip.cli.terminal import console

    headings = (say("Section"), say("Issue"), say("Choice"), say("Meaning"))
    table = Table(*headings, title=say("Rulebook {name}", name=book.name), title_justify="left")
    for issue in issues():
        choice = book.choice(issue)
        note = "" if book.settles(issue) else say("not settled by this edition, we use: ")
        letter = f" ({choice.letter})" if choice.letter else ""
        table.add_row(issue.section, say(issue.title), f"{choice.slug}{letter}", f"{note}{say(choice.meaning)}")
    console().print(table)


@command.command()
@click.argument("first")
@click.argument("second")
@json_option
@lang_option
def diff(first: str, second: str, as_json: bool, speech: Speech) -> None:
    """Show where two rulebooks differ."""
    left, right = rulebook_of(first), rulebook_of(second)
    different = [issue for issue in issues() if left.choice(issue) != right.choice(issue)]
    if as_json:
        rows = [
            {"section": i.section, "field": i.field, "first": left.choice(i).slug, "second": right.choice(i).slug}
            for i in different
        ]
        echo_json({"first": left.name, "second": right.name, "differences": rows})
        return
    from rich.table import Table

    from satdip.cli.terminal import console

    say = speech.say
    table = Table(say("Section"), say("Issue"), left.name, right.name, title_justify="left")
    for issue in different:
        table.add_row(issue.section, say(issue.title), _told(left, issue, speech), _told(right, issue, speech))
    console().print(table)


def _told(book: Rulebook, issue: Issue, speech: Speech) -> str:
    choice = book.choice(issue)
    note = "" if book.settles(issue) else speech.say(" (not settled by this edition)")
    return f"{choice.slug}: {speech.say(choice.meaning)}{note}"


def _choice_json(choice: Choice, speech: Speech) -> dict[str, object]:
    return {"slug": choice.slug, "letter": choice.letter, "meaning": speech.say(choice.meaning)}


def _issue_json(issue: Issue, book: Rulebook, speech: Speech) -> dict[str, object]:
    answer = _choice_json(book.choice(issue), speech)
    return {
        "section": issue.section,
        "field": issue.field,
        "title": speech.say(issue.title),
        "settled": book.settles(issue),
        **answer,
    }
