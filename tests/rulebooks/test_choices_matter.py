"""Every field of the rulebook matters: a small position whose result changes with that field alone.

The positions and what follows from each choice are in ``data/choices_matter.toml``, for order sets in
``data/order_sets.toml``.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.expected import wrong

from satdip import adjudicate
from satdip.rulebook import DATC, Choice, Issue, issues, rulebook_named

DATA = Path(__file__).parents[1] / "data"
CASES, ELSEWHERE = (
    tomllib.loads((DATA / name).read_text(encoding="utf-8"))["case"]
    for name in ("choices_matter.toml", "order_sets.toml")
)
"""The cases of this file, and those about order sets, whose results `test_order_sets` checks."""
ISSUES = {issue.field: issue for issue in issues()}

OUTCOMES = [
    pytest.param(case, slug, id=f"{case['field']}-{case['about']}-{slug}") for case in CASES for slug in case["results"]
]
PAIRS = [
    pytest.param(issue, other, id=f"{issue.field}-{other.slug}")
    for issue in ISSUES.values()
    for other in issue.choices
    if other != DATC.choice(issue)
]


@pytest.mark.parametrize("fold", [True, False], ids=["folded", "solved"])
@pytest.mark.parametrize(("case", "slug"), OUTCOMES)
def test_what_follows_from_a_choice(case: dict[str, Any], slug: str, fold: bool) -> None:
    rules = rulebook_named(case.get("base", "datc")).override({case["field"]: slug})
    resolution = adjudicate(case["sheet"], rules=rules, fold=fold)
    assert wrong(resolution, case["results"][slug]) == [], case["why"]


@pytest.mark.parametrize(("issue", "other"), PAIRS)
def test_a_choice_differs_from_the_default(issue: Issue, other: Choice) -> None:
    """Some case states the default and the other choice, everything else being equal, and they differ."""
    default = DATC.choice(issue).slug
    telling = [
        case["about"]
        for case in (*CASES, *ELSEWHERE)
        if case["field"] == issue.field
        and {default, other.slug} <= case["results"].keys()
        and case["results"][default] != case["results"][other.slug]
    ]
    assert telling, f"no case shows what {issue.section} {other.slug} changes"


def test_the_data_speak_of_choices_that_exist() -> None:
    for case in CASES:
        known = {choice.slug for choice in ISSUES[case["field"]].choices}
        assert case["results"].keys() <= known, case["about"]
        assert len(case["results"]) > 1, case["about"]
        assert len(case["why"].split()) > 5, case["about"]
