"""Logs that are drawn at random, in the layout of real ones."""
