"""A benchmark of promises: what a forecaster says of a job, and what the failures on record do.

Entry: a function ``forecast(history, job) -> law``; what it may know is in `windows.History` and
`windows.Job`. A law is 200 or more equally likely makespans, [s], or has a method ``cdf`` of one.
"""
