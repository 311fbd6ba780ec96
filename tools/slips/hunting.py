"""Plants slips in a copy of the project, and runs the tests until one fails."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tools.slips.planting import Slip, planted

__all__ = ["Copy", "Verdict", "order"]

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 45
"""Processor time that the tests of a file may take on average: a slip that makes them endless is seen, too."""
MOST_BYTES = 4 << 30
AT_FIRST = (1, 4)
"""How many test files run before the others, and how many then: most slips die early, and the rest is not collected."""
NO_SHRINKING = """
def pytest_configure(config):
    from hypothesis import Phase, settings
    settings.register_profile("slips", deadline=None, derandomize=True,
                              phases=(Phase.explicit, Phase.reuse, Phase.generate), database=None)
    settings.load_profile("slips")
"""
"""A plugin for pytest: that something fails is enough, the smallest example is not looked for."""


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
        plugins = self.folder / "plugins"
        plugins.mkdir()
        (plugins / "no_shrinking.py").write_text(NO_SHRINKING, encoding="utf-8")

    def fails_as_it_is(self, tests: Sequence[str]) -> str:
        """Return the test that fails without any slip, or nothing."""
        return self._failing(tests)

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
            return next(filter(None, map(self._failing, _portions(tests))), "")
        finally:
            self._write(path, text)

    def _write(self, path: Path, text: str) -> None:
        """Write a source with a time of its own: Python keeps what it compiled by size and second."""
        path.write_text(text, encoding="utf-8")
        self._planted += 1
        os.utime(path, (1_000_000_000 + self._planted, 1_000_000_000 + self._planted))

    def _failing(self, tests: Sequence[str]) -> str:
        """Return the first test that fails, or what ended the run, or nothing."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--no-header",
            "--tb=no",
            "-p",
            "no_shrinking",
            "-p",
            "no:cacheprovider",
        ]
        paths = os.pathsep.join([str(self.project), str(self.folder / "plugins")])
        done = subprocess.run(
            [*command, *tests],
            cwd=self.project,
            env=os.environ | {"PYTHONPATH": paths, "COLUMNS": "400", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            errors="replace",
            preexec_fn=partial(_bounded, MOST_SECONDS * (1 + len(tests))),
            check=False,
        )
        if done.returncode == 0:
            return ""
        for line in done.stdout.splitlines():
            if line.startswith(("FAILED ", "ERROR ")):
                return line.split(" ", 1)[1].split(" - ")[0]
        return f"the tests ended with {done.returncode}"


def _portions(tests: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the test files of one run after the other."""
    begun = 0
    for size in (*AT_FIRST, len(tests)):
        if tests[begun:]:
            yield tests[begun : begun + size]
        begun += size


def _bounded(seconds: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who runs in the background ignores it, and hands that down
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def order(slip: Slip, tests: Sequence[str], kills: Mapping[str, Counter[str]]) -> list[str]:
    """Return the test files in the order in which they are likely to see a slip.

    Args:
        slip: the slip.
        tests: the test files in their usual order.
        kills: source file -> test file -> how many slips of the one were seen by the other.
    """
    seen: Counter[str] | dict[Any, int] = kills.get(slip.file, {})
    return sorted(tests, key=lambda test: -seen.get(test, 0))
