"""Checkpoint intervals."""
