"""Intervals of a loop that can write checkpoints at the ends of its steps only."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


def whole_steps(
    interval: float, step: float, cost: Callable[[float], Any], *, least: int = 1
) -> int:
    """Return the number of steps beside a finite best interval, from `least` on, that costs least.

    `interval` and `step` are in [time]; `cost` is of an interval, of which one is best.
    """
    few = max(math.floor(interval / step), least)
    return min((few, few + 1), key=lambda steps: float(cost(steps * step)))
