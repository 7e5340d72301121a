"""The file in which the advisor of a loop outlives the job."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from ..advice import CheckpointAdvisor

__all__ = ["keep", "opened"]


def opened(path: Path, settings: dict[str, Any]) -> CheckpointAdvisor:
    """Return the advisor of a file, or a new one; a ValueError if it is one of several levels."""
    known = path.exists()
    advisor = CheckpointAdvisor.load(path) if known else CheckpointAdvisor(**settings)
    if advisor.levels:
        raise ValueError(
            "levels must be left out of a loop that saves in one way, got "
            f"{len(advisor.levels)}: ask a CheckpointAdvisor itself"
        )
    return advisor


def keep(advisor: CheckpointAdvisor, path: Path) -> None:
    """Save an advisor; where that fails, on a disk that is full, say, training matters more."""
    try:
        advisor.save(path)
    except OSError as error:
        warnings.warn(f"{path} must be writable, got {error}", stacklevel=3)
