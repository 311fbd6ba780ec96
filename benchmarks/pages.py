"""What the scripts share that write tables into pages: where they go, and what is said of the machine."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

README = Path(__file__).with_name("README.md")
GROWTH = README.parents[1] / "docs" / "growth.md"

__all__ = ["GROWTH", "README", "edition", "machine", "markdown", "put", "write"]


def edition() -> str:
    """Tell which satdip is measured: ``Python``, or ``compiled`` as ``satdip --version`` says."""
    # Loaded late: what a script measures in processes of its own begins with the script's memory.
    import satdip.solving.closure

    return "Python" if str(satdip.solving.closure.__file__).endswith(".py") else "compiled"


def machine(*packages: str) -> str:
    """Return the machine and the versions of Python, of satdip and of some packages."""
    measured = f"satdip {version('satdip')}, {'plain Python' if edition() == 'Python' else edition()}"
    versions = [f"{package} {version(package)}" for package in packages]
    where = f"{_processor()} ({platform.machine()}, {os.cpu_count()} cores)"
    return ", ".join([measured, f"Python {platform.python_version()}", *versions, where])


def _processor() -> str:
    """Return the processor's name as far as the system tells it."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.system()
    named = re.search(r"^model name\s*: (.+)$", told, re.MULTILINE)
    return named[1].strip() if named else platform.system()


def markdown(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; what stands after the first column is set to the right."""
    head = [f"| {' | '.join(columns)} |", "| --- " + "| ---: " * (len(columns) - 1) + "|"]
    return "\n".join([*head, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def write(page: Path, mark: str, found: str) -> None:
    """Put a table into a page, between its markers (see `put`)."""
    page.write_text(put(page.read_text(encoding="utf-8"), mark, found), encoding="utf-8")


def put(text: str, mark: str, found: str) -> str:
    """Return a text with what stands between two markers replaced.

    Args:
        text: it holds ``<!-- mark -->`` and, after it, ``<!-- end of mark -->``.
        mark: the name of the markers.
        found: what is put between them.

    Raises:
        ValueError: the markers are not there, or not once.
    """
    first, last = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    parts = re.split(f"{re.escape(first)}.*?{re.escape(last)}", text, flags=re.DOTALL)
    if len(parts) != 2:
        raise ValueError(f"the text has the markers {first} and {last} {len(parts) - 1} times")
    return f"{parts[0]}{first}\n{found}\n{last}{parts[1]}"
