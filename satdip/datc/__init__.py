"""The Diplomacy Adjudicator Test Cases, run on satdip itself.

The table (`satdip/data/datc-3.2.json`) holds orders and outcomes of DATC 3.2. A case passes when success,
dislodged, destroyed, disbanded and the resulting positions are right; the outcome words are compared apart.
"""

from satdip.datc.run import CaseReport, VariantReport, run_case, run_variant
from satdip.datc.table import Case, Variant, cases, section_of, variants, version

__all__ = [
    "Case",
    "CaseReport",
    "Variant",
    "VariantReport",
    "cases",
    "run_case",
    "run_variant",
    "section_of",
    "variants",
    "version",
]
