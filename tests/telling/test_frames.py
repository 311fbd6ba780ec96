"""Results in notebooks: HTML in which everything is escaped, and data frames."""

from __future__ import annotations

import sys
from unittest import mock

import pytest

from satdip.lab import certify, compare, explain, explain_all, find_unit, force, resolutions, turn_outcome
from satdip.lab.explain import Explanations
from satdip.notation import read_turn
from satdip.rulebook import DATC, rulebook_named
from satdip.verifier import Verdict, verify

TURN = read_turn(
    """
    England: F London Supports F Wales - English Channel; F Wales - English Channel
    France: A Brest - London; F English Channel Convoys A Brest - London
    """
)
UNIT = find_unit(TURN, "F Wal")
RESULTS = {
    "resolutions": resolutions(TURN, DATC),
    "explanation": explain(TURN, DATC, UNIT),
    "explanations": Explanations(TURN, tuple(explain_all(TURN, DATC))),
    "robust": force(TURN, DATC, UNIT),
    "turnings": turn_outcome(TURN, DATC, UNIT, ["ENGLAND"]),
    "comparison": compare(TURN, [DATC, rulebook_named("datc+4.A.2=all-hold")]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_a_data_frame_with_a_row_for_each_thing(name: str) -> None:
    pytest.importorskip("pandas")
    frame = RESULTS[name].to_frame()
    assert len(frame) > 0
    assert all(isinstance(column, str) for column in frame.columns)


def test_the_frame_of_resolutions_tells_what_works_in_each() -> None:
    pytest.importorskip("pandas")
    frame = RESULTS["resolutions"].to_frame().set_index("order")
    assert list(frame.loc["F WAL - ENG", ["1", "2"]]) != list(frame.loc["F ENG C A BRE - LON", ["1", "2"]])
    assert sorted(frame["decision"]) == ["decided", "disputed", "disputed", "disputed"]


@pytest.mark.parametrize("name", RESULTS)
def test_without_pandas_one_sentence_says_so(name: str) -> None:
    with mock.patch.dict(sys.modules, {"pandas": None}), pytest.raises(ImportError, match="needs pandas"):
        RESULTS[name].to_frame()


@pytest.mark.parametrize("result", [*RESULTS.values(), certify(TURN, DATC), verify(certify(TURN, DATC).to_json())])
def test_every_result_has_an_html_form(result: object) -> None:
    text = result._repr_html_()  # type: ignore[attr-defined]
    assert text.startswith("<")
    assert len(text) > 20


def test_html_is_escaped() -> None:
    assert "<b>" not in Verdict(valid=False, problem="<b>")._repr_html_()
