"""satdip: a Diplomacy adjudicator that thinks in clauses."""
