"""The lists of ``docs/rules.md`` that follow from the program: the choices, and what each profile chooses.

``python -m tools rules-page`` writes them anew; a test keeps the page as the program is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from satdip.rulebook import PROFILES, Issue, Rulebook, issues

__all__ = ["BLOCKS", "PAGE", "written_anew"]

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"

ONE_COLUMN = {"1971": ["1971", "1976"]}
"""Profiles that are one rulebook share a column."""


def choices() -> Iterator[str]:
    """One entry for each issue, with its choices."""
    for issue in issues():
        yield f"- **{issue.section}** {issue.title} (`{issue.field}`)"
        for choice in issue.choices:
            letter = f" ({choice.letter})" if choice.letter else ""
            yield f"  - `{choice.slug}`{letter}: {choice.meaning}"


def profiles() -> Iterator[str]:
    """A table: issue, and the choice of each profile; an asterisk where the edition does not settle it."""
    shared = {name for names in ONE_COLUMN.values() for name in names[1:]}
    columns = [name for name in PROFILES if name not in shared]
    yield f"| issue | {' | '.join(', '.join(ONE_COLUMN.get(name, [name])) for name in columns)} |"
    yield f"| --- |{' --- |' * len(columns)}"
    for issue in issues():
        if len(issue.choices) > 1:
            yield f"| {issue.section} {issue.title} | {' | '.join(_cell(PROFILES[n], issue) for n in columns)} |"


def _cell(book: Rulebook, issue: Issue) -> str:
    return book.choice(issue).slug + ("" if book.settles(issue) else " \\*")


BLOCKS: Mapping[str, Callable[[], Iterator[str]]] = {"choices": choices, "profiles": profiles}
"""Name of a block -> its lines; on the page it stands between two comments with its name."""


def written_anew(page: str) -> str:
    """Return the page with its blocks as the program has them."""
    for name, lines in BLOCKS.items():
        block = "\n".join(("", "", *lines(), "", ""))
        page, found = re.subn(
            rf"(<!-- {name} -->).*?(<!-- end of {name} -->)",
            lambda marks, block=block: f"{marks[1]}{block}{marks[2]}",  # type: ignore[misc]
            page,
            flags=re.DOTALL,
        )
        if found != 1:
            raise ValueError(f"the page has {found} blocks {name!r}, not one")
    return page


def write() -> None:
    """Write the lists of the page anew."""
    PAGE.write_text(written_anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
