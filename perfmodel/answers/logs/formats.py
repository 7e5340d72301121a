"""Formats of logs that tell an MTBF, as `sim.traces` knows them; a test compares."""

from __future__ import annotations

__all__ = ["FAILURE_FORMATS", "JOB_LAYOUTS", "LAYOUTS"]

FAILURE_FORMATS = (
    *("csv", "lanl", "sacctmgr", "mira-ras", "bgl-ras", "fta", "metacentrum", "infinitehbd"),
    *("prometheus", "skypilot", "xid"),
)
# Those that say of jobs that they lost a node.
JOB_LAYOUTS = ("sacct", "sacct-json", "pbs", "lsf", "table", "acme", "helios")
LAYOUTS = (*FAILURE_FORMATS, *JOB_LAYOUTS)  # of logs that tell an MTBF
