"""The advisor of a loop: its settings, and the file in which it outlives the job."""

from __future__ import annotations

import warnings
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TypedDict, TypeVar

from ..advice import CheckpointAdvisor
from ..belief import Prior

__all__ = ["LoopSettings", "keep", "opened", "spelled_out"]

_Loop = TypeVar("_Loop")


class LoopSettings(TypedDict, total=False):
    """The arguments of `CheckpointAdvisor` that a loop passes on, for type checkers."""

    cost: float
    prior: Prior
    latency: float
    recovery_cost: float
    share: float
    least: float
    most: float
    shape: float
    age: float
    two_phases: bool | None


def spelled_out(loop: type[_Loop]) -> type[_Loop]:
    """Show the settings in the signature of a class, in place of ``**settings``, its last."""
    own = list(signature(loop).parameters.values())[:-1]
    known = signature(CheckpointAdvisor).parameters
    settings = (known[name] for name in LoopSettings.__annotations__)
    shown = [*own, *(setting.replace(kind=Parameter.KEYWORD_ONLY) for setting in settings)]
    setattr(loop, "__signature__", Signature(shown))  # noqa: B010 (types know no such attribute)
    return loop


def opened(path: Path, settings: LoopSettings) -> CheckpointAdvisor:
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
