"""A benchmark of promises: what a forecaster says of a job, and what the failures on record do.

Entry: a function ``forecast(history, job, rng)`` that returns 200 or more equally likely makespans,
[s]; see `windows.History` and `windows.Job` for what it may know.
"""
