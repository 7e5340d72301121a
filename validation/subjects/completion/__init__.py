"""Distributions of completion times."""
