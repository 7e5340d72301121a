"""The policies that `replay` takes by name."""

from __future__ import annotations

from .conservative import Conservative
from .easy import Easy
from .fcfs import Fcfs

POLICIES: dict[str, Fcfs | Easy | Conservative] = {
    "fcfs": Fcfs(),
    "easy": Easy(),
    "conservative": Conservative(),
    "conservative-compress": Conservative(compress=True),
}
