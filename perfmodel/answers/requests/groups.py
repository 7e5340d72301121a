"""Headings under which a help lists what requests share."""

from __future__ import annotations

FAILURES = "Failures, in one form"
CHECKPOINTS = "Checkpoints and repairs"
JOB = "The job"
PROTOCOLS = "Other protocols"
AGEING = "Machines that age"
ENERGY = "Energy"
CHANGES = "Changes to compare"
QUESTION = "The question"
SPARES = "Spare nodes"
STANDBYS = "Standby blocks of a job"
LIFETIMES = "Tables of lifetimes"
