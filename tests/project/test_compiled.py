"""The hot modules, compiled or not: what `satdip --version` says is true, and the list in pyproject.toml is sound."""

from __future__ import annotations

import os
import tomllib
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from support.commands import satdip as run

import satdip

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOK = PROJECT["tool"]["hatch"]["build"]["hooks"]["custom"]
PACKAGE = Path(str(satdip.__file__)).parent
MODULES = sorted(
    str(file.relative_to(PACKAGE.parent))
    for pattern in HOOK["modules"]
    for file in PACKAGE.parent.glob(pattern)
    if file.name != "__init__.py" and str(file.relative_to(PACKAGE.parent)) not in HOOK["but"]
)


def is_extension(file: str) -> bool:
    return file.endswith(tuple(EXTENSION_SUFFIXES))


@pytest.fixture(params=MODULES)
def origin(request: pytest.FixtureRequest) -> str:
    """Return where a module comes from that can be compiled."""
    found = import_module(request.param.removesuffix(".py").replace("/", ".")).__file__
    assert found is not None
    return found


def test_all_are_compiled_or_none(origin: str) -> None:
    assert is_extension(origin) == run("--version").out.endswith(", compiled\n")


@pytest.mark.skipif("SATDIP_EXPECT_COMPILED" not in os.environ, reason="this is no run for a compiled package")
def test_they_are_compiled_where_that_is_asked_for(origin: str) -> None:
    assert is_extension(origin)


def test_what_is_compiled_keeps_no_property_in_its_instances() -> None:
    # Compiled classes have no __dict__: a cached property would be worked out again each time.
    for module in MODULES:
        assert "cached_property" not in (PACKAGE.parent / module).read_text(encoding="utf-8"), module
