"""The sound inputs from which cases start: files of our own, and what satdip makes of them."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from unittest import mock

from satdip.board.mapfile import load_board
from satdip.cli import main
from satdip.generate import GENERATORS
from satdip.notation import write_record, write_sheet
from satdip.phase.turn import Turn

__all__ = ["CORPUS", "Kind", "corpus"]

CORPUS = Path(__file__).parent / "corpus"
STANDARD = Path(__file__).parents[2] / "maps" / "standard.toml"


@dataclass(frozen=True)
class Kind:
    """A kind of input.

    Args:
        form: how it is spoilt (`mutations.mutated`).
        suffix: of its files.
        samples: sound inputs.
    """

    form: str
    suffix: str
    samples: Sequence[bytes]


FORMS = {
    "sheets": ("text", ".txt"),
    "records": ("json", ".json"),
    "streams": ("lines", ".jsonl"),
    "games": ("json", ".json"),
    "logs": ("text", ".log"),
    "maps": ("toml", ".toml"),
    "rules": ("toml", ".toml"),
    "answers": ("lines", ".jsonl"),
}


@cache
def corpus() -> Mapping[str, Kind]:
    """Return every kind of input: those of the folder, the certificates of its phases, and the results of two runs."""
    kinds = {name: Kind(form, suffix, _files(name)) for name, (form, suffix) in FORMS.items()}
    kinds["maps"] = Kind("toml", ".toml", (*kinds["maps"].samples, STANDARD.read_bytes()))
    for kind, write in (("sheets", write_sheet), ("records", lambda turn: json.dumps(write_record(turn)))):
        made = tuple(write(turn).encode() for turn in _made_up())
        kinds[kind] = replace(kinds[kind], samples=(*kinds[kind].samples, *made))
    kinds["certificates"] = Kind("json", ".json", _certificates())
    kinds["crosschecks"] = Kind("lines", ".jsonl", (_crosscheck(),))
    kinds["fuzz runs"] = Kind("lines", ".jsonl", (_fuzz(),))
    return kinds


def _files(kind: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted((CORPUS / kind).iterdir()))


def _made_up() -> Iterator[Turn]:
    """Yield phases with many units."""
    for name in ("dense", "coherent", "uniform"):
        yield replace(GENERATORS[name](load_board("standard"), Random(1)), extra={})


def _certificates() -> tuple[bytes, ...]:
    phases = [path for kind in ("sheets", "records") for path in sorted((CORPUS / kind).iterdir())]
    return tuple(_made("certify", str(path), "--output") for path in phases if b"set 1" not in path.read_bytes())


def _crosscheck() -> bytes:
    phases = (CORPUS / "streams" / "phases.jsonl").read_bytes()
    return _made(*CROSSCHECK, "--output", files={"phases.jsonl": phases})


def _fuzz() -> bytes:
    return _made(*FUZZ, "--output")


CROSSCHECK = ("crosscheck", "phases.jsonl", "--engine", "satdip:datc+4.A.3=tag", "--minimise", "0", "--quiet")
FUZZ = ("fuzz", "--count", "3", "--kind", "coherent", "--check", "folding", "--quiet")
"""The commands whose results are resumed; other options would make them the results of another run."""


def _made(*arguments: str, files: Mapping[str, bytes] | None = None) -> bytes:
    """Return the file that a command writes; its name is the last argument."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, data in (files or {}).items():
            Path(name).write_bytes(data)
        with (
            mock.patch.object(sys, "argv", ["satdip", *arguments, "made"]),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            contextlib.suppress(SystemExit),
        ):
            main()
        return Path("made").read_bytes()
