"""Promised deadlines and granted checkpoints."""
