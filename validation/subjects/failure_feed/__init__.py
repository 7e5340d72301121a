"""Failures drawn node by node."""
