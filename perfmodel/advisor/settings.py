"""What an advisor is told when it is made, but for what is known of the failures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..levels.many import Level


class Settings(NamedTuple):
    """The arguments of `CheckpointAdvisor` of the same names, in the order of its file."""

    cost: float
    latency: float
    recovery_cost: float
    share: float
    least: float
    most: float
    end: float
    shape: float
    age: float
    two_phases: bool | None
    levels: Sequence[Level]
