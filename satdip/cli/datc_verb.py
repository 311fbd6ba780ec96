"""``satdip datc``: the test cases."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from satdip.base.budget import Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.cli.common import chosen_rules, echo_json, json_option, rules_option, tell_incomplete, timeout_option
from satdip.cli.exits import DIFFERENT, DONE, INCOMPLETE
from satdip.datc import Case, CaseReport


@click.command(name="datc")
@click.option("--case", "only", metavar="ID", multiple=True, help="Only this case or section, as in 6.F.14 or 6.F.")
@click.option("--no-fold", is_flag=True, help="Leave everything to the solver instead of folding constants.")
@click.option("--all-choices", is_flag=True, help="Also every outcome that a case states for other choices.")
@rules_option
@timeout_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    only: tuple[str, ...],
    no_fold: bool,
    all_choices: bool,
    rules: str | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Run the Diplomacy Adjudicator Test Cases (version 3.2) and print a scoreboard by section.

    A case passes when success, dislodged, destroyed, disbanded and the resulting positions are right. Outcome words
    that differ all the same are counted apart. Exit code 1 when a case fails.

    With --rules the cases run under another rulebook: those that "fail" are where it differs from the preferences.
    With --all-choices every alternative outcome is checked under the choice that it belongs to, and a second
    scoreboard counts, per profile, the cases that come out as under the preferences.

    Interrupted or out of time it shows the cases that were run, with exit code 4.
    """
    from satdip.datc import cases, run_case
    from satdip.rulebook import DATC

    chosen = _choose(cases(), only)
    rulebook = chosen_rules(rules) or DATC
    reports: list[CaseReport] = []
    checks: dict[str, Any] | None = None
    stopped: BaseException | None = None
    try:
        for case in chosen:
            budget.check()
            reports.append(run_case(case, rulebook, fold=not no_fold))
        checks = _all_checks(reports, fold=not no_fold) if all_choices else None
    except (OutOfTime, KeyboardInterrupt) as interrupt:
        stopped = interrupt
    if checks is not None:
        echo_json(checks) if as_json else _print_checks(checks)
        ctx.exit(DIFFERENT if checks["failures"] else DONE)
    if as_json:
        echo_json(_json(reports) | {"complete": stopped is None})
    else:
        _print(reports, detailed=bool(only))
        tell_incomplete(stopped)
    ctx.exit(INCOMPLETE if stopped else DIFFERENT if any(not report.passed for report in reports) else DONE)


def _all_checks(reports: list[CaseReport], *, fold: bool) -> dict[str, Any]:
    """Check the cases and every variant of them; count per profile the cases that come out as preferred."""
    from satdip.datc import run_case, run_variant, variants
    from satdip.rulebook import PROFILES

    varied = [run_variant(variant, fold=fold) for report in reports for variant in variants(report.case)]
    failures: list[dict[str, object]] = [
        {"case": r.case.id, "choice": "preferred", "differences": list(r.differences)} for r in reports if not r.passed
    ]
    failures += [
        {"case": r.variant.case.id, "choice": r.variant.choice, "differences": list(r.differences)}
        for r in varied
        if not r.passed
    ]
    return {
        "checks": len(reports) + len(varied),
        "passed": len(reports) + len(varied) - len(failures),
        "cases": len(reports),
        "alternatives": sum(len(report.case.facts.get("alternatives", ())) for report in reports),
        "same_outcome": sum(len(report.case.facts.get("same_outcome", ())) for report in reports),
        "open": [[r.variant.case.id, r.variant.choice] for r in varied if r.variant.is_open],
        "not_applicable": [[r.variant.case.id, r.variant.choice] for r in varied if not r.variant.applicable],
        "failures": failures,
        "profiles": {
            name: sum(run_case(report.case, profile, fold=fold).passed for report in reports)
            for name, profile in PROFILES.items()
        },
    }


def _print_checks(checks: dict[str, Any]) -> None:
    from rich.table import Table

    from satdip.cli.terminal import console

    out = console(markup=True)
    told = (
        "{passed} of {checks} {checks:check|checks} passed: {cases} {cases:case|cases}, "
        "{alternatives} {alternatives:alternative|alternatives}, "
        "{same_outcome} {same_outcome:choice|choices} with the same outcome"
    )
    out.print(english(told, **checks))
    for name, title in (("open", "No answer under"), ("not_applicable", "Not applicable under")):
        for case, choice in checks[name]:
            out.print(f"{title} {choice}: {case}")
    for failure in checks["failures"]:
        out.print(f"[red]{failure['case']}[/red] {failure['choice']}: {'; '.join(failure['differences'])}")
    table = Table("Profile", "As the DATC prefers", title="Cases per profile", title_justify="left")
    for name, count in checks["profiles"].items():
        table.add_row(name, f"{count} of {checks['cases']}")
    out.print(table)


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
    from satdip.telling.render import render

    out = console(markup=True)
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
