"""Plants slips in a copy of the project, and runs the tests until one fails."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.slips.planting import Slip, planted

__all__ = ["Copy", "Verdict", "order"]

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 45
"""Processor time that the tests of a file may take on average: a slip that makes them endless is seen, too."""
AT_FIRST = (1, 2, 4)
"""How many test files run first, and how many then: most slips die early, and the rest is not even read."""


@dataclass(frozen=True)
class Verdict:
    """What became of a slip.

    Args:
        slip: the slip.
        killer: the test that saw it, or why the tests did not end; empty when it lived.
        thorough: whether all tests of its area were tried, and not the quick ones alone.
    """

    slip: Slip
    killer: str
    thorough: bool = True

    @property
    def lived(self) -> bool:
        """Whether no test saw it."""
        return not self.killer


@dataclass
class Copy:
    """A copy of the project in which slips are planted.

    Args:
        folder: where it is made; the corpora beside the project are beside it, too.
    """

    folder: Path
    _planted: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.project = self.folder / "project"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, listed.split("\0")):
            source, target = ROOT / name, self.project / name
            if source.is_symlink() or source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        shared = ROOT.parent / "shared"
        if shared.is_dir():
            (self.folder / "shared").symlink_to(shared.resolve())
        environment = {"PYTHONPATH": str(self.project), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        self._nursery = subprocess.Popen(
            [sys.executable, "-m", "tools.slips.nursery"],
            cwd=self.project,
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def close(self) -> None:
        """End the process that runs the tests, and the tests."""
        with self._nursery:
            os.killpg(self._nursery.pid, signal.SIGKILL)

    def killer(self, slip: Slip, tests: Sequence[str]) -> str:
        """Plant a slip, run the tests, and take it out again; return the test that saw it, or nothing.

        Args:
            slip: the slip.
            tests: the test files, the likeliest to see it first.
        """
        path = self.project / slip.file
        text = path.read_text(encoding="utf-8")
        self._write(path, planted(slip, text))
        try:
            return next(filter(None, map(self.failing, _portions(tests))), "")
        finally:
            self._write(path, text)

    def _write(self, path: Path, text: str) -> None:
        """Write a source with a time of its own: Python keeps what it compiled by size and second."""
        path.write_text(text, encoding="utf-8")
        self._planted += 1
        os.utime(path, (1_000_000_000 + self._planted, 1_000_000_000 + self._planted))

    def failing(self, tests: Sequence[str]) -> str:
        """Return the first of the tests that fails, or what ended them, or nothing.

        Raises:
            RuntimeError: there are no such tests.
        """
        asked, told = self._nursery.stdin, self._nursery.stdout
        if asked is None or told is None:
            raise RuntimeError("the nursery was started without pipes")
        print(json.dumps({"tests": list(tests), "seconds": MOST_SECONDS * (1 + len(tests))}), file=asked, flush=True)
        line = told.readline()
        if not line:
            raise RuntimeError(f"the tests cannot be run: {', '.join(tests)}")
        answer: str = json.loads(line)
        return answer


def _portions(tests: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the test files of one run after the other."""
    begun = 0
    for size in (*AT_FIRST, len(tests)):
        if tests[begun:]:
            yield tests[begun : begun + size]
        begun += size


def order(slip: Slip, tests: Sequence[str], kills: Mapping[str, Counter[str]]) -> list[str]:
    """Return the test files in the order in which they are likely to see a slip.

    Args:
        slip: the slip.
        tests: the test files in their usual order.
        kills: source file -> test file -> how many slips of the one were seen by the other.
    """
    seen: Counter[str] | dict[Any, int] = kills.get(slip.file, {})
    return sorted(tests, key=lambda test: -seen.get(test, 0))
