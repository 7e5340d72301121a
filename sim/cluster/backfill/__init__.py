"""Scheduling policies: which waiting jobs start now."""

from __future__ import annotations

from .conservative import Conservative
from .easy import Easy
from .fcfs import Fcfs

__all__ = ["POLICIES", "Conservative", "Easy", "Fcfs"]

POLICIES: dict[str, Fcfs | Easy | Conservative] = {
    "fcfs": Fcfs(),
    "easy": Easy(),
    "conservative": Conservative(),
    "conservative-compress": Conservative(compress=True),
}
