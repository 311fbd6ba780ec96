"""The lab: what only a constraint solver can say about a phase."""

from satdip.lab.certify import Certificate, certify
from satdip.lab.compare import Comparison, CorpusComparison, CorpusDifference, compare, compare_corpus
from satdip.lab.explain import Explanation, Explanations, explain, explain_all, find_unit, irrelevant
from satdip.lab.resolutions import Kind, LabCore, Resolutions, resolutions
from satdip.lab.what_if import Robust, Turnings, force, turn_outcome

__all__ = [
    "Certificate",
    "Comparison",
    "CorpusComparison",
    "CorpusDifference",
    "Explanation",
    "Explanations",
    "Kind",
    "LabCore",
    "Resolutions",
    "Robust",
    "Turnings",
    "certify",
    "compare",
    "compare_corpus",
    "explain",
    "explain_all",
    "find_unit",
    "force",
    "irrelevant",
    "resolutions",
    "turn_outcome",
]
