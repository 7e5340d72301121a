"""Formats of logs that tell an MTBF, as `sim.traces` knows them; a test compares."""

from __future__ import annotations

from asking.kinds import Kind
from asking.reading import FAILURE_FORMATS

# Those that say of jobs that they lost a node.
JOB_LAYOUTS = ("sacct", "sacct-json", "pbs", "lsf", "table", "acme", "helios")
LAYOUTS = (*FAILURE_FORMATS, *JOB_LAYOUTS)  # of logs that tell an MTBF
# A reader refuses what it does not know, with more words than a kind has.
LAYOUT = Kind("name", "a layout of a log", str, words=LAYOUTS)
