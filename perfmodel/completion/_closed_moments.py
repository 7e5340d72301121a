"""Mean and deviation of a law from closed forms, for times that would overflow on the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from .._special import power_of_two
from ..lifetimes import Deterministic
from .law import require_spread
from .repairs import Repair

ENDLESS = 1e290  # mtbfs that no job gets through; room for sums below the largest float
_SHORT = 1e-60  # segments in the unit of a whole job


class _Process(Protocol):
    """What the moments of a process need of it."""

    @property
    def rate(self) -> float: ...
    @property
    def down(self) -> Repair: ...
    @property
    def busy(self) -> float: ...
    @property
    def log_atom(self) -> float: ...
    @property
    def downtimes(self) -> float: ...


def mean_and_std(
    process: _Process,
    work: float,
    times: Mapping[str, float],
    *,
    mean_of: Callable[..., Any],
    variance_of: Callable[..., Any],
    **kept: Any,
) -> tuple[float, float] | None:
    """Return mean and deviation, [time], or None of a job that takes longer than any float.

    Parameters
    ----------
    process : process with times near 1
        Of the law.
    work, times : float and mapping of str to float, [time]
        Arguments of the closed forms that scale with the unit of time.
    mean_of, variance_of : callable
        The closed forms, for a fixed downtime.
    **kept : object
        Their other arguments.

    Raises
    ------
    ValueError
        Beyond some 1e15 failures: see `require_spread`.
    """
    down = process.down
    if not math.isfinite(down.mean):
        return down.mean, math.inf
    mean = float(mean_of(work, **times, downtime=Deterministic(down.mean), **kept))
    struck = -math.expm1(process.log_atom)
    if not (mean < ENDLESS and mean - process.busy < ENDLESS * struck):
        return None
    # Between the unit and the mean, because the squares of long means overflow.
    size = max(1.0, min(math.sqrt(mean), ENDLESS * work))
    # Or the unit and a segment, of which else the cubes vanish.
    segment = float(times.get("interval", 1.0))
    if mean < 4.0 and 0.0 < segment < _SHORT:
        size = max(math.sqrt(segment), down.mean / ENDLESS)
    size = power_of_two(size)
    shrunk = {name: time / size for name, time in times.items()}
    fixed = Deterministic(down.mean / size)
    variance = float(variance_of(work / size, **shrunk, downtime=fixed, **kept))
    variance += process.downtimes / size * (down.variance / size)
    lost, failures = (mean - process.busy) / size, process.rate * process.busy
    require_spread(lost, math.sqrt(variance), failures=failures, of=mean_of.__name__)
    return mean, size * math.sqrt(variance)
