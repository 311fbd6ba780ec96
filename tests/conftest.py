"""Fixtures that the tests share, and the rule that long tests run only when they are asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import settings
from reference import RefMap
from support.positions import reference_map

from satdip.board import Board
from satdip.board.mapfile import load_board

ROOT = Path(__file__).resolve().parents[1]

collect_ignore = ["test_doors.py"] if sys.platform == "win32" else []  # it bounds memory and looks at it as Unix does

settings.register_profile("satdip", deadline=None)
settings.load_profile("satdip")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked ``long`` out, unless ``-m`` says something about them."""
    if "long" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def board() -> Board:
    """The standard map as satdip sees it."""
    return load_board("standard")


@pytest.fixture(scope="session")
def ref_map() -> RefMap:
    """The standard map as the reference adjudicator sees it."""
    return reference_map()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of corpora that lies beside the project in development; tests that need it are skipped elsewhere."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip(f"there is no folder {path.name} beside the project")
    return path
