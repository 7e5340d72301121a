"""Logs that are published: what they are called, where they lie, how to fetch them."""
