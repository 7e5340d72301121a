"""Headings under which a help lists what requests share."""

from __future__ import annotations

__all__ = ["AGEING", "CHANGES", "CHECKPOINTS", "ENERGY", "FAILURES", "JOB", "LIFETIMES"]
__all__ += ["PROTOCOLS", "QUESTION", "SPARES", "STANDBYS"]

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
