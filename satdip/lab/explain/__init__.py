"""Why an order came out as it did, and which orders do not matter."""

from satdip.lab.explain.explaining import Explanations, explain, explain_all, find_unit
from satdip.lab.explain.explanation import Explanation, Statement, Step, StepKind
from satdip.lab.explain.relevance import irrelevant

__all__ = [
    "Explanation",
    "Explanations",
    "Statement",
    "Step",
    "StepKind",
    "explain",
    "explain_all",
    "find_unit",
    "irrelevant",
]
