"""Wrong moments of the model of wsj, printed errors among them."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from perfmodel.makespan import wsj_mean, wsj_variance
from validation.judge.run import Mutant

__all__ = ["MUTANTS", "right_mean", "right_variance"]


def right_mean(
    work: float,
    *,
    mtbf: float,
    downtime: Any,
    interval: float,
    checkpoint_cost: float = 0.0,
    recovery_cost: Any = None,
    fault: str = "",
) -> float:
    """Return the mean, eq. (12), with a fault if one is named."""
    rate, down = 1.0 / mtbf, float(getattr(downtime, "mean", downtime))
    repair, rework = down / (1.0 - rate * down), _recovery(rate, interval, recovery_cost, fault)[0]
    store = checkpoint_cost / interval
    if fault == "repairs do not queue":
        repair = down
    if fault == "rework dropped":
        rework = 0.0
    if fault == "checkpoint cost dropped":
        store = 0.0
    if fault == "interval taken for the period":
        store = checkpoint_cost / (interval + checkpoint_cost)
    if fault == "recovery cost counted once" and recovery_cost is not None:
        return work * (1.0 + rate * repair + store) + rework
    if fault == "rework can fail as well":
        repair, rework = down, math.expm1(rate * interval) / rate - interval
    return work * (1.0 + rate * (repair + rework) + store)


def right_variance(
    work: float,
    *,
    mtbf: float,
    downtime: Any,
    interval: float,
    checkpoint_cost: float = 0.0,
    recovery_cost: Any = None,
    fault: str = "",
) -> float:
    """Return the variance, eq. (13), with a fault if one is named."""
    del checkpoint_cost  # a constant
    rate, down = 1.0 / mtbf, float(getattr(downtime, "mean", downtime))
    scatter = 0.0 if fault == "sigma_f dropped" else float(getattr(downtime, "variance", 0.0))
    idle = 1.0 - rate * down
    power = {"repairs do not queue": 0, "busy period with the wrong power": 2}.get(fault, 3)
    repair, repair_square = down / idle, (down**2 + scatter) / idle**power
    if fault == "repairs do not queue":
        repair = down
    rework, rework_variance = _recovery(rate, interval, recovery_cost, fault)
    if fault == "sigma_c dropped":
        rework_variance = 0.0
    cross = 0.0 if fault == "product of repair and rework dropped" else 2.0 * repair * rework
    total = rate * work * (repair_square + rework**2 + rework_variance + cross)
    if fault == "by way of eq. (7) as printed":
        struck = -math.expm1(-rate * work)
        mean = rate * work * (repair + rework)
        # Eq. (7) gives total / struck for jobs with a failure; the means of both kinds of jobs
        # differ by mean / struck.
        total += (1.0 - struck) / struck * mean**2
    return total


def _recovery(rate: float, interval: float, cost: Any, fault: str) -> tuple[float, float]:
    """Return mu_c and sigma_c^2: of a law if there is one, else of the work lost."""
    if cost is None or fault == "recovery cost of one's own ignored":
        return _rework(rate, interval, fault)
    return float(getattr(cost, "mean", cost)), float(getattr(cost, "variance", 0.0))


def _rework(rate: float, interval: float, fault: str) -> tuple[float, float]:
    """Return mean and variance of the work lost to a failure, eq. (11)."""
    x = rate * interval
    if fault == "half an interval lost":
        return interval / 2.0, interval**2 / 12.0
    if fault == "rework not cut off at the interval":
        return 1.0 / rate, 1.0 / rate**2
    mean = 1.0 / rate - interval / math.expm1(x)
    variance = 1.0 / rate**2 - interval**2 * math.exp(x) / math.expm1(x) ** 2
    return mean, variance


BOTH = ("repairs do not queue", "half an interval lost", "rework not cut off at the interval")
MEAN_FAULTS = (
    *BOTH,
    "rework dropped",
    "rework can fail as well",
    "checkpoint cost dropped",
    "interval taken for the period",
    "recovery cost counted once",
    "recovery cost of one's own ignored",
)
VARIANCE_FAULTS = (
    *BOTH,
    "sigma_c dropped",
    "sigma_f dropped",
    "busy period with the wrong power",
    "product of repair and rework dropped",
    "by way of eq. (7) as printed",
    "recovery cost of one's own ignored",
)

MUTANTS = (
    *(Mutant(wsj_mean, fault, partial(right_mean, fault=fault)) for fault in MEAN_FAULTS),
    *(
        Mutant(wsj_variance, fault, partial(right_variance, fault=fault))
        for fault in VARIANCE_FAULTS
    ),
)
