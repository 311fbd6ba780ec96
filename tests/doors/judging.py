"""What a command must not do, whatever it is given."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .case import Case

__all__ = ["MOST_BYTES", "MOST_SECONDS", "SECRET", "Outcome", "faults"]

EXIT_CODES = range(5)
BAD_INPUT, INCOMPLETE = 2, 4
MOST_SECONDS = 2.0
MOST_BYTES = 500 << 20
SECRET = "canary-of-the-house"
"""Stands in the files that no case names on its command line."""

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal takes for a command, or what turns the text around it."""


@dataclass(frozen=True)
class Outcome:
    """What a command did.

    Args:
        code: its exit code; None where it did not end by itself.
        out: what it printed on standard output.
        err: what it printed on standard error.
        seconds: the processor time it took.
        size: by how many bytes its memory grew.
        waited: the time until it ended.
        raised: the traceback of what got through the command line.
        touched: what it did outside its folder that it must not do.
        files: the files of its folder afterwards.
    """

    code: int | None
    out: str
    err: str
    seconds: float = 0.0
    size: int = 0
    waited: float = 0.0
    raised: str = ""
    touched: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)


def faults(case: Case, outcome: Outcome) -> list[str]:
    """Return what is wrong with what a command did, each in a sentence; empty where all is well."""
    found = []
    if outcome.raised:
        found.append(f"a traceback: {outcome.raised.strip().splitlines()[-1][:200]} ({_place(outcome.raised)})")
    elif outcome.code is None:
        found.append("it did not end")
    elif outcome.code not in EXIT_CODES:
        found.append(f"exit code {outcome.code}")
    if "Traceback (most recent call last)" in outcome.err:
        found.append(f"a traceback: {outcome.err.strip().splitlines()[-1][:200]} ({_place(outcome.err)})")
    if outcome.seconds > MOST_SECONDS:
        found.append(f"it worked for {outcome.seconds:.1f} seconds")
    if outcome.size > MOST_BYTES:
        found.append(f"it took {outcome.size >> 20} MB")
    for name, text in (("output", outcome.out), ("error", outcome.err)):
        if control := CONTROL.search(text):
            found.append(f"the sign {control[0]!r} on standard {name}: {_around(text, control.start())!r}")
    if SECRET in outcome.out or SECRET in outcome.err:
        found.append("it tells what a file holds that only the input names")
    found += outcome.touched
    found += _manners(case, outcome)
    return found


def _manners(case: Case, outcome: Outcome) -> list[str]:
    found = []
    is_stream = "--stream" in case.arguments
    if outcome.code == BAD_INPUT and not outcome.raised:
        lines = outcome.err.splitlines() if outcome.err else []
        if not is_stream and not outcome.err.startswith("Usage:") and not (lines and all(map(_is_told, lines))):
            found.append(f"bad input is not told in a sentence: {outcome.err[:300]!r}")
        if outcome.out and not is_stream:
            found.append(f"something is printed about bad input: {outcome.out[:100]!r}")
        new = [name for name, data in outcome.files.items() if name not in case.files and data]
        if new and case.verb not in ("crosscheck", "fuzz"):
            found.append(f"the file {new[0]} is left behind by bad input")
    for name, data in case.files.items():
        if outcome.files and outcome.files.get(name) != data and name not in _outputs(case):
            found.append(f"the file {name} was changed")
    if outcome.code in (0, 1, 3, 4) and "--json" in case.arguments and "--help" not in case.arguments:
        nothing_yet = outcome.code == INCOMPLETE and not outcome.out and outcome.err
        found += [] if nothing_yet else _no_json(outcome.out, lines=is_stream or case.verb == "generate")
    return found


def _is_told(line: str) -> bool:
    return line.startswith("satdip: ")


def _outputs(case: Case) -> set[str]:
    """Return the names that follow an option: a command may write there."""
    return {name for option, name in zip(case.arguments, case.arguments[1:], strict=False) if option.startswith("-")}


def _no_json(text: str, *, lines: bool) -> list[str]:
    try:
        for part in text.splitlines() if lines and not text.startswith("[") else [text]:
            json.loads(part)
    except ValueError:
        return [f"--json does not give JSON: {text[:100]!r}"] if text else ["--json gives nothing"]
    return []


def _place(traceback: str) -> str:
    """Return the last line of our own code in a traceback, else the last of any."""
    places = re.findall(r'File "([^"]+)", line (\d+), in (\S+)', traceback)
    own = [place for place in places if "/satdip/" in place[0] or "/encodings/" in place[0]] or places
    if not own:
        return "nowhere"
    path, line, function = own[-1]
    return f"{'/'.join(path.split('/')[-2:])}:{line} {function}"


def _around(text: str, at: int) -> str:
    return text[max(0, at - 30) : at + 30]
