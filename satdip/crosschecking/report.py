"""A cross-check as one HTML file that needs nothing else: counts, and for each finding a picture and both answers."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.base.printable import shown, shown_lines
from satdip.crosschecking.findings import Finding
from satdip.crosschecking.smallest import By
from satdip.crosschecking.summary import Crosscheck, sides
from satdip.drawing import draw_turn
from satdip.lab.compare.smallest import on_one_line
from satdip.notation import Notation, write_order, write_record
from satdip.phase.orders import ordered_unit
from satdip.resolve.resolution import OrderResult
from satdip.telling.reasons import tell

__all__ = ["html_report"]

MINIMISED = {
    By.ENGINE: "made as small as possible by asking the engine",
    By.READING: "made as small as possible; about the smaller phases satdip under this class was asked, not the engine",
    By.NOBODY: "as it was found, not made smaller",
}
CONSISTENT = {
    True: "The engine's answer is a consistent resolution of the equations: what is at issue is which one to choose.",
    False: "The engine's answer is no consistent resolution of the equations under satdip's rules.",
}


def html_report(found: Crosscheck) -> str:
    """Return a cross-check as an HTML document.

    Everything that comes from records and engines is escaped, and characters that cannot be seen are shown as escapes.
    Pictures are embedded as images, in which nothing can run.

    Args:
        found: the cross-check.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_seen
    )
    environment.filters["shown"] = shown
    template = environment.from_string(
        (files("satdip") / "crosschecking" / "report.html.j2").read_text(encoding="utf-8")
    )
    findings = [_finding(number, finding) for number, finding in enumerate(found.findings, start=1)]
    return template.render(found=found, counts=list(found.counts()), notes=list(found.notes()), findings=findings)


def _seen(value: object) -> object:
    """Return what is put into the page, with an escape for what would do more than to be seen."""
    return shown_lines(value) if type(value) is str else value


def _finding(number: int, finding: Finding) -> dict[str, Any]:
    """Return what the template shows of a finding."""
    group, example = finding.group, finding.example
    told = "In {count} {count:phase|phases}"
    if group.together:
        told += ", in {together} of them beside another class" if group.count > 1 else ", beside another class"
    return {
        "number": number,
        "engine": group.engine,
        "reason": group.reason,
        "kind": group.kind,
        "rules": group.rules,
        "count": group.count,
        "phases": english(told, count=group.count, together=group.together),
        "sources": group.sources,
        "more": group.count - group.together - len(group.sources),
        "source": finding.source,
        "size": finding.size,
        "minimised": MINIMISED[example.by]
        + ("" if example.minimal or example.by == By.NOBODY else " in the time given"),
        "picture": _picture(finding),
        "alt": on_one_line(example.turn),
        "orders": list(_orders(finding)),
        "sides": list(sides(finding)),
        "consistent": CONSISTENT.get(finding.consistent) if finding.consistent is not None else None,
        "choices": finding.choices,
        "explanations": [explanation.tell() for explanation in finding.explanations],
        "record": json.dumps(write_record(example.turn)),
    }


def _picture(finding: Finding) -> str | None:
    """Return a picture as the address of an image; None where there are too many provinces."""
    try:
        svg = draw_turn(finding.resolution, title=f"{finding.resolution.position.phase}, satdip's outcome")
    except InputError:
        return None
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")


def _orders(finding: Finding) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield power, order, satdip's outcome, its reasons, and what the engine says about the unit."""
    board = finding.example.turn.position.board
    for result in finding.resolution.orders:
        given = result.checked.given
        text = f"{result.unit} (no order)"
        if given is not None:
            text = given.text or write_order(given.order, Notation.PACKAGE, board)
        reasons = "; ".join(tell(reason, board) for reason in result.reasons)
        yield result.power, text, _outcome(result), reasons, _told(finding, result)


def _outcome(result: OrderResult) -> str:
    words = [str(result.outcome)]
    words += [word for word, so in (("dislodged", result.dislodged), ("disbanded", result.disbanded)) if so]
    return ", ".join(dict.fromkeys(words))


def _told(finding: Finding, result: OrderResult) -> str:
    """Return what the engine says about the unit of an order; nothing where it does not say."""
    answer, traits = finding.example.answer, finding.example.turn.position.phase.traits
    given = result.checked.given
    named = None if given is None else ordered_unit(given.order)
    at = result.unit.province if result.unit is not None else named.province if named is not None else None
    if at is None:
        return ""
    words = []
    if answer.moves is not None and not traits.by_count:
        words.append(f"goes to {answer.moves[at]}" if at in answer.moves else "stays")
    if at in (answer.dislodged or ()):
        words.append("dislodged")
    if at in (answer.disbanded or ()):
        words.append("disbanded")
    return ", ".join(words)
