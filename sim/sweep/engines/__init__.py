"""Engines: what plays the tasks of a sweep, on this machine or on others."""
