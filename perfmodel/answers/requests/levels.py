"""A level of checkpoints as a user writes it: ``cost=10s,recovery=5s,survives=85%``."""

from __future__ import annotations

from dataclasses import dataclass

from asking.kinds import Kind, instance_of
from asking.units import seconds, share

from .named import named

_NAMES = ["cost", "recovery", "survives"]


@dataclass(frozen=True, slots=True)
class LocalCopy:
    """Cost and recovery [s] of a copy, and the share of all failures that it survives."""

    cost: float
    recovery: float
    survives: float


def local_copy(text: str) -> LocalCopy:
    """Read ``cost=DURATION,recovery=DURATION,survives=SHARE`` in any order; raise ValueError."""
    values = named(text)
    if sorted(values) != _NAMES:
        raise ValueError(f"a level takes {', '.join(_NAMES)}")
    try:
        survives = share(values["survives"])
    except ValueError:
        raise ValueError("survives not a share such as 85% or 0.85") from None
    if survives == 1.0:
        raise ValueError("survives all failures, as the durable checkpoint does")
    return LocalCopy(seconds(values["cost"]), seconds(values["recovery"]), survives)


LEVEL = Kind(
    "level",
    "a level such as cost=10s,recovery=5s,survives=85%",
    local_copy,
    instance_of(LocalCopy),
)
