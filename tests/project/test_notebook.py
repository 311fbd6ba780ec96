"""The notebook in docs/notebooks: its code runs, and prints what the stored outputs say."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from tools.notebook import CELLS, is_code

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOK: dict[str, Any] = json.loads((FOLDER / "pandin.ipynb").read_text(encoding="utf-8"))


def display() -> dict[str, ModuleType]:
    """Return what stands for IPython where it is not installed."""
    package, shown = ModuleType("IPython"), ModuleType("IPython.display")
    shown.SVG = str  # type: ignore[attr-defined]
    return {"IPython": package, "IPython.display": shown}


def test_the_code_prints_what_the_stored_outputs_say() -> None:
    pytest.importorskip("pandas")
    names: dict[str, Any] = {}
    with mock.patch.dict(sys.modules, display()):
        for cell in NOTEBOOK["cells"]:
            if cell["cell_type"] != "code":
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec("".join(cell["source"]), names)
            stored = [o for o in cell["outputs"] if o["output_type"] == "stream"]
            assert printed.getvalue() == "".join(text for output in stored for text in output["text"])
    assert names["found"].count == 0
    assert names["verify"](json.dumps(names["certificate"].to_json())).valid
    assert not names["verify"](json.dumps(names["forged"])).valid


def test_it_was_run_as_a_whole_and_without_errors() -> None:
    code = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(output["output_type"] != "error" for cell in code for output in cell["outputs"])


def test_it_is_the_one_that_its_script_makes() -> None:
    assert ["".join(cell["source"]) for cell in NOTEBOOK["cells"]] == CELLS
    assert [cell["cell_type"] == "code" for cell in NOTEBOOK["cells"]] == [is_code(t) for t in CELLS]
