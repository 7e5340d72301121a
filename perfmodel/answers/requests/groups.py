"""Headings under which a help lists what requests share."""

from __future__ import annotations

__all__ = ["AGEING", "CHANGES", "CHECKPOINTS", "ENERGY", "FAILURES", "JOB", "LAST", "LIFETIMES"]
__all__ += ["LOGS", "PROTOCOLS", "QUESTION", "SPARES", "STANDBYS"]

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
LOGS = "How a log is read"
LAST = (LOGS,)  # in a help after all that is about the question
