"""``satdip datc``: the test cases."""

from __future__ import annotations

from collections import Counter

import click

from satdip.cli.common import echo_json, json_option
from satdip.datc import Case, CaseReport
from satdip.errors import InputError


@click.command(name="datc")
@click.option("--case", "only", metavar="ID", multiple=True, help="Only this case or section, as in 6.F.14 or 6.F.")
@click.option("--no-fold", is_flag=True, help="Leave everything to the solver instead of folding constants.")
@json_option
@click.pass_context
def command(ctx: click.Context, only: tuple[str, ...], no_fold: bool, as_json: bool) -> None:
    """Run the Diplomacy Adjudicator Test Cases (version 3.2) and print a scoreboard by section.

    A case passes when success, dislodged, destroyed, disbanded and the resulting positions are right. Outcome words
    that differ all the same are counted apart. Exit code 1 when a case fails.
    """
    from satdip.datc import cases, run_case

    chosen = _choose(cases(), only)
    reports = [run_case(case, fold=not no_fold) for case in chosen]
    if as_json:
        echo_json(_json(reports))
    else:
        _print(reports, detailed=bool(only))
    ctx.exit(0 if all(report.passed for report in reports) else 1)


def _choose(all_cases: tuple[Case, ...], only: tuple[str, ...]) -> list[Case]:
    for wanted in only:
        if not any(_matches(case, wanted) for case in all_cases):
            raise InputError(f"the table has no case {wanted!r}; cases are named like 6.F.14, sections like 6.F")
    return [case for case in all_cases if not only or any(_matches(case, wanted) for wanted in only)]


def _matches(case: Case, wanted: str) -> bool:
    wanted = wanted.upper()
    return case.id == wanted or case.id.startswith(f"{wanted}.")


def _json(reports: list[CaseReport]) -> dict[str, object]:
    from satdip.datc import section_of, version

    sections: Counter[str] = Counter(section_of(r.case.id) for r in reports)
    passed: Counter[str] = Counter(section_of(r.case.id) for r in reports if r.passed)
    return {
        "cases": len(reports),
        "passed": sum(r.passed for r in reports),
        "version": version(),
        "sections": {name: {"cases": count, "passed": passed[name]} for name, count in sections.items()},
        "failures": [{"case": r.case.id, "differences": list(r.differences)} for r in reports if not r.passed],
        "words": [{"case": r.case.id, "differences": list(r.words)} for r in reports if r.words],
    }


def _print(reports: list[CaseReport], *, detailed: bool) -> None:
    from rich.table import Table

    from satdip.cli.terminal import console
    from satdip.datc import section_of, version
    from satdip.render import render

    out = console()
    if detailed:
        for report in reports:
            for resolution in report.resolutions:
                out.print(f"[bold]{report.case.id}[/bold]", render(resolution))
    table = Table("Section", "Cases", "Passed", "Words differ", title=f"DATC {version()}", title_justify="left")
    for section in dict.fromkeys(section_of(r.case.id) for r in reports):
        own = [r for r in reports if section_of(r.case.id) == section]
        words = sum(len(r.words) for r in own)
        table.add_row(section, str(len(own)), str(sum(r.passed for r in own)), str(words or ""))
    table.add_section()
    passed, words = sum(r.passed for r in reports), sum(len(r.words) for r in reports)
    table.add_row("all", str(len(reports)), str(passed), str(words or ""))
    out.print(table)
    for report in reports:
        for difference in report.differences:
            out.print(f"[red]{report.case.id}[/red] {difference}", highlight=False)
        for word in report.words:
            out.print(f"{report.case.id} only the word: {word}", highlight=False)
