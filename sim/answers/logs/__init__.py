"""Logs that a request names: how each is read, and what is said of it."""
