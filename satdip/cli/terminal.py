"""The terminal: a rich console that stays readable in a pipe.

Loading rich takes longer than adjudicating a phase, so that is left until it is needed.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from satdip.base.printable import shown, shown_lines
from satdip.cli import plain
from satdip.cli.door import put

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from satdip.telling.render import Report

__all__ = ["console", "counting", "show"]

PIPE_WIDTH = 120

_ASKS_FOR_COLOUR = ("FORCE_COLOR", "TTY_COMPATIBLE")  # variables that make rich take a pipe for a terminal


def console(*, markup: bool = False) -> Console:
    """Return a console for standard output; in a pipe it is wide and plain.

    Args:
        markup: whether what is printed is rich's markup; else all of it is text.
    """
    from satdip.cli.console import Output

    return Output(markup=markup, emoji=False, width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def show(report: Report, *told: str) -> None:
    """Print the report on a phase, and below it other sentences; the text is rich's own, whoever writes it."""
    report = _shown(report)
    if _is_plain_pipe() and _is_simple(report, told):
        lines = plain.table(report.title, report.headings, report.rows, PIPE_WIDTH)
        for text in (*report.sentences, *told):
            lines += plain.paragraph(text, PIPE_WIDTH)
        put("\n".join(lines))
    else:
        console().print(report.renderable(), *told, sep="\n")


def _shown(report: Report) -> Report:
    """Return a report whose texts are as they are shown, so that its columns fit them."""
    rows = [(shown_lines(a), shown_lines(b), shown_lines(c), shown_lines(d)) for a, b, c, d in report.rows]
    told = tuple(map(shown_lines, report.sentences))
    return replace(report, title=shown(report.title), rows=tuple(rows), sentences=told)


def _is_plain_pipe() -> bool:
    """Return whether rich would write neither colours nor signs for lesser encodings to standard output."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    usual = os.name == "posix" and encoding.lower().startswith("utf")
    return usual and not sys.stdout.isatty() and not any(name in os.environ for name in _ASKS_FOR_COLOUR)


def _is_simple(report: Report, told: tuple[str, ...]) -> bool:
    """Return whether the texts are such that `satdip.cli.plain` covers them."""
    read_for_markup = (report.title, *report.headings, *(row[0] for row in report.rows), *told)
    cells = (cell for row in report.rows for cell in row[1:])
    texts = (*read_for_markup, *cells, *report.sentences)
    return all(map(plain.is_verbatim, read_for_markup)) and all(map(plain.is_plain, texts))


def counting(what: str, *, quiet: bool = False) -> Progress:
    """Return a progress bar on standard error; it shows only on a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from satdip.cli.console import Output

    err = Output(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True)
