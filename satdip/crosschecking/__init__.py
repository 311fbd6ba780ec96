"""Cross-checking: other adjudicators beside satdip, on many phases."""
