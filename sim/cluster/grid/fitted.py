"""Parameters of the generator of machine failures from a log, as in the paper `grid`, section 4.1.

The paper takes AFC from the log of another machine and fits a Weibull law to its durations. Bursts
are those of one cluster: failures within a span of the first of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..._checks import nonnegative, whole
from ..._libm import exps, logs
from ..._units import HOUR
from ...records import FloatArray
from .failures import FailureModel, average_failure_count

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 10  # failures, bursts and durations; fewer say nothing of a shape
_SHAPES = (0.05, 20.0)


def fitted_failure_model(
    failures: pd.DataFrame, *, machines: int | None = None, burst_span: float = 60.0
) -> FailureModel:
    """Return the parameters with which `generate_failures` draws failures like those of a log.

    Shapes are those of greatest likelihood, within [0.05, 20]. The log is taken to watch its
    machines from its first failure to its last.

    Parameters
    ----------
    failures : DataFrame
        Of a reader of failure logs: `time` and `repair` [s], `system` and `node`.
    machines : int, optional, [-]
        How many the log watches; those that it names if left out, of which it may name too few.
    burst_span : float, [s]
        How long after the first failure of a burst on one system another belongs to it.

    Returns
    -------
    FailureModel
        Whose `skew` is 0 and which has no lemons.

    Raises
    ------
    ValueError
        If there are fewer than 10 failures, bursts, or repairs longer than 0, or all are at one
        time; or if `machines` are fewer than those named.

    Examples
    --------
    >>> from sim.cluster.grid import fitted_failure_model
    >>> from sim.traces import lanl_like
    >>> log = lanl_like(np.random.default_rng(1), nodes=64, days=365.0)
    >>> model = fitted_failure_model(log)
    >>> model.burst_size >= 1.0
    True
    """
    span = nonnegative("burst_span", burst_span)
    named = len(failures[["system", "node"]].drop_duplicates())
    if machines is not None and whole("machines", machines) < named:
        raise ValueError(f"machines must be >= {named}, those that the log names, got {machines}")
    time = np.asarray(failures["time"], dtype=np.float64)
    bursts = _bursts(time, np.asarray(failures["system"], dtype=str), span)
    repair = np.asarray(failures["repair"], dtype=np.float64)
    repair = repair[repair > 0.0]
    gaps = np.diff(np.sort(bursts))
    gaps = gaps[gaps > 0.0]
    counts = (("failures", time), ("gaps between bursts", gaps), ("repairs longer than 0", repair))
    for what, values in counts:
        if values.size < _FEWEST:
            raise ValueError(f"{what} must be at least {_FEWEST}, got {values.size}")
    hours = float(np.ptp(time)) / HOUR
    repair_shape, repair_scale = _weibull(repair)
    return FailureModel(
        afc=average_failure_count(time.size, named if machines is None else machines, hours),
        gap_shape=_weibull(gaps)[0],
        repair_shape=repair_shape,
        repair_scale=repair_scale,
        burst_size=time.size / bursts.size,
        burst_span=span,
    )


def _bursts(time: FloatArray, system: np.ndarray, span: float) -> FloatArray:
    """Return when each burst begins, system by system, [s]."""
    begins: list[float] = []
    for one in np.unique(system):
        first = -np.inf
        for at in np.sort(time[system == one]).tolist():
            if at > first + span:
                begins.append(at)
                first = at
    return np.array(begins)


def _weibull(values: FloatArray) -> tuple[float, float]:
    """Return shape and scale of the Weibull law of greatest likelihood of values > 0."""
    below = logs(values / values.max())
    low, high = _SHAPES
    for _ in range(40):
        shape = np.sqrt(low * high)
        weights = exps(shape * below)
        if weights @ below / weights.sum() - 1.0 / shape < below.mean():  # rises with the shape
            low = shape
        else:
            high = shape
    shape = float(np.sqrt(low * high))
    scale = float(values.max() * exps(shape * below).mean() ** (1.0 / shape))
    return shape, scale
