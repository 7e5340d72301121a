"""Compiled parts of the grid policies: plans, and the search over them."""
