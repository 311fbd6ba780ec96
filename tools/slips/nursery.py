"""Runs tests again and again, each time in a child that has read nothing of the project yet.

``python -m tools.slips.nursery`` is started in a copy of the project. It loads pytest and the libraries, which takes
longer than most tests; for each line of JSON that comes (``tests``, ``seconds``) it forks a child that runs them, and
answers with a line that names the first test that failed.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, settings

MOST_BYTES = 4 << 30
LOADED = ("click", "hypothesis.strategies", "lark", "networkx", "pysat.solvers", "rapidfuzz.process", "rich.table")
"""Libraries that most tests need."""


class Watch:
    """A plugin for pytest: it tells the first failure, and looks for no smaller examples.

    Args:
        told: the file in which it is told.
    """

    def __init__(self, told: Path) -> None:
        self.told = told

    def pytest_configure(self) -> None:
        """Let hypothesis be content with any example that fails, and have the same ones in every run."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("slips", deadline=None, derandomize=True, database=None, phases=phases)
        settings.load_profile("slips")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that failed."""
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be read."""
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.told.exists():
            self.told.write_text(report.nodeid or "collection", encoding="utf-8")


def run(tests: list[str], seconds: int, told: Path) -> str:
    """Run tests in a child; return the first that failed, or what ended them, or nothing.

    Raises:
        SystemExit: there are no such tests.
    """
    child = os.fork()
    if child == 0:
        try:
            os._exit(_run(tests, seconds, told))
        finally:
            os._exit(70)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return ""
    if code in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(f"these tests cannot be run: {', '.join(tests)}")
    return told.read_text(encoding="utf-8") if told.exists() else f"the tests ended with {code}"


def _run(tests: list[str], seconds: int, told: Path) -> int:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who runs in the background ignores it, and hands that down
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider"]
    return int(pytest.main([*options, *tests], plugins=[Watch(told)]))


def main() -> None:
    """Answer each line."""
    for name in LOADED:
        importlib.import_module(name)
    gc.freeze()
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(sys.stdin):
            asked = json.loads(line)
            found = run(asked["tests"], asked["seconds"], Path(folder) / str(number))
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
