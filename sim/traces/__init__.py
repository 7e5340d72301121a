"""Readers and writers of job and failure logs."""
