"""Rulebooks side by side: on one phase, and over whole corpora."""

from satdip.lab.compare.corpus import compare_corpus
from satdip.lab.compare.effects import Difference
from satdip.lab.compare.phase import Comparison, compare
from satdip.lab.compare.table import CorpusComparison, CorpusDifference

__all__ = ["Comparison", "CorpusComparison", "CorpusDifference", "Difference", "compare", "compare_corpus"]
