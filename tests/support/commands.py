"""Helpers of the tests: the command line in this process, with what it printed."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from typing import Any
from unittest import mock

from satdip.cli import main

__all__ = ["Run", "satdip"]


@dataclass(frozen=True)
class Run:
    """What a command did.

    Args:
        code: its exit code.
        out: what it printed on standard output.
        err: what it printed on standard error.
    """

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def satdip(*arguments: object, stdin: bytes | io.RawIOBase = b"") -> Run:
    """Run ``satdip`` with these arguments, as its script does; `stdin` is what it reads there, or reads from there."""
    out, err = io.StringIO(), io.StringIO()
    typed = io.TextIOWrapper(io.BytesIO(stdin) if isinstance(stdin, bytes) else io.BufferedReader(stdin))
    with (
        mock.patch.object(sys, "argv", ["satdip", *map(str, arguments)]),
        mock.patch.object(sys, "stdin", typed),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as done:
            code = done.code
        else:
            code = 0
    assert isinstance(code, int), f"exit code {code!r}"
    return Run(code, out.getvalue(), err.getvalue())
