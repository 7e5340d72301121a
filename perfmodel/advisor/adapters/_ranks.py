"""The processes of a job that runs under `torch.distributed`, where that is in use."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["agreed", "leads"]


def _group() -> Any:
    """Return `torch.distributed` if the job has initialised it, else None; torch is not loaded."""
    group: Any = sys.modules.get("torch.distributed")
    return group if group is not None and group.is_available() and group.is_initialized() else None


def leads() -> bool:
    """Return whether this is the first process of the job, or the only one."""
    group = _group()
    return group is None or group.get_rank() == 0


def agreed(due: bool) -> bool:
    """Return what the first process says; all processes must ask."""
    group = _group()
    if group is None:
        return due
    answers = [due]
    group.broadcast_object_list(answers, src=0)
    return answers[0]
