"""The experiments of the paper `grid`."""
