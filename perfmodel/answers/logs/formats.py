"""Formats of logs that tell an MTBF, as `sim.traces` knows them; a test compares."""

from __future__ import annotations

from asking.kinds import Kind

__all__ = ["CSV_LAYOUT", "FAILURE_FORMATS", "JOB_LAYOUTS", "LAYOUT", "LAYOUTS"]

FAILURE_FORMATS = (
    *("csv", "lanl", "sacctmgr", "mira-ras", "bgl-ras", "fta", "metacentrum", "infinitehbd"),
    *("prometheus", "skypilot", "xid"),
)
# Those that say of jobs that they lost a node.
JOB_LAYOUTS = ("sacct", "sacct-json", "pbs", "lsf", "table", "acme", "helios")
LAYOUTS = (*FAILURE_FORMATS, *JOB_LAYOUTS)  # of logs that tell an MTBF
CSV_LAYOUT = (
    "csv: a header names time (or down), node, and repair or end (or up), in seconds or dates."
)
# A reader refuses what it does not know, with more words than a kind has.
LAYOUT = Kind("name", "a layout of a log", str, words=LAYOUTS)
