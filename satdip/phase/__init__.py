"""A phase as values: positions, orders, and the turn that joins them."""
