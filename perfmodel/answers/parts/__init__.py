"""Pieces of answers: what one rule, protocol or law says."""
