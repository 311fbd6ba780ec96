"""Tables of results: for the terminal, for notebooks, as data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

__all__ = ["as_text", "frame", "html_table", "rich_table"]

TEXT_WIDTH = 120
"""How wide a table is in a text that is made without a terminal."""


def frame(rows: Iterable[Mapping[str, object]]) -> Any:
    """Return rows as a ``pandas.DataFrame``.

    Args:
        rows: column -> value, the same columns in each.

    Raises:
        ImportError: pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError("a data frame needs pandas, which is not installed; 'pip install pandas' gets it") from None
    return pandas.DataFrame(list(rows))


def rich_table(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> Table:
    """Return a table for the terminal; what is in it is no markup."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(Text(heading), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def html_table(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> str:
    """Return an HTML table with everything in it escaped."""
    lines = ["<table>", f"<caption>{escape(title)}</caption>"] if title else ["<table>"]
    lines.append(f"<thead>{_html_row('th', headings)}</thead>")
    lines += ["<tbody>", *(_html_row("td", row) for row in rows), "</tbody>", "</table>"]
    return "\n".join(lines)


def _html_row(tag: str, cells: Sequence[str]) -> str:
    told = (escape(cell).replace("\n", "<br>") for cell in cells)
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in told) + "</tr>"


def as_text(what: RenderableType, width: int = TEXT_WIDTH) -> str:
    """Return something that rich can print as plain text, without spaces at the ends of lines."""
    import io

    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=width, color_system=None, highlight=False, legacy_windows=False).print(what)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
