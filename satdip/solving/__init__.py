"""From checked orders to a verdict: closure, cores, formulas, and the solver."""
