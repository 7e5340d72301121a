"""Readers and writers of job logs."""
