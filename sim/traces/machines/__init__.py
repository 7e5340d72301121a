"""Readers of descriptions of machines."""
