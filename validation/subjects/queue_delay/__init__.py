"""Delays of failed jobs in the queue."""
