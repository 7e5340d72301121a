"""Use and queue over time, as means of periods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .._checks import positive
from ..records import AttemptRecords, FloatArray, JobRecords

if TYPE_CHECKING:
    import pandas as pd

_MOST = 1_000_000


def mean_level(
    edges: FloatArray, begin: FloatArray, end: FloatArray, size: npt.ArrayLike = 1.0
) -> FloatArray:
    """Return the mean of what is there between each two edges.

    Parameters
    ----------
    edges : ndarray, [s]
        Ends of the periods, increasing.
    begin, end : ndarray, [s]
        When each item comes and goes; end >= begin.
    size : array_like
        What each item counts for; 1 by default.

    Returns
    -------
    ndarray
        One per period, in the unit of `size`.
    """
    weight = np.broadcast_to(np.asarray(size, dtype=np.float64), begin.shape)

    def before(times: FloatArray) -> FloatArray:
        """Return at each edge the integral of what came by then."""
        order = np.argsort(times)
        place = np.searchsorted(times[order], edges)
        count = np.concatenate(([0.0], np.cumsum(weight[order])))[place]
        moment = np.concatenate(([0.0], np.cumsum((weight * times)[order])))[place]
        return np.asarray(edges * count - moment)

    return np.asarray(np.diff(before(begin) - before(end)) / np.diff(edges))


def use_over_time(
    jobs: JobRecords, attempts: AttemptRecords, *, size: int, step: float
) -> pd.DataFrame:
    """Return how much of the machine jobs held, and how many waited, period by period.

    Parameters
    ----------
    jobs : JobRecords
        Of a replay.
    attempts : AttemptRecords
        Of that replay.
    size : int, [processor]
        Of the machine.
    step : float, [s]
        Length of a period; > 0. The last one ends where the last attempt does.

    Returns
    -------
    DataFrame
        One row per period: ``from_s`` and ``to_s``, since the first submission; ``utilization``,
        the share of the machine that jobs held; ``waiting_jobs`` and ``waiting_processors``, of
        jobs before their first start, or until they were cancelled. All three are means over the
        period.

    Raises
    ------
    ValueError
        If `step` is not > 0, or so short that there are more than a million periods.
    """
    import pandas as pd

    positive("step", step)
    origin = float(jobs.submit.min()) if jobs.submit.size else 0.0
    span = float(attempts.end.max()) - origin if attempts.end.size else 0.0
    if span / step > _MOST:
        raise ValueError(f"step must leave at most {_MOST:,} periods of {span!r} s, got {step!r}")
    edges = np.append(np.arange(0.0, span, step), span)
    if edges.size > 1 and edges[-1] - edges[-2] < 1e-9 * step:
        edges = np.delete(edges, -2)
    started = ~np.isnan(jobs.first_start)
    submit = jobs.submit - origin
    gone = np.where(np.isnan(jobs.end), span, np.clip(jobs.end - origin, 0.0, span))
    start = np.where(started, jobs.first_start - origin, gone)
    waits = start > submit
    submit, start, asked = submit[waits], start[waits], jobs.processors[waits]
    held = mean_level(edges, attempts.start - origin, attempts.end - origin, attempts.processors)
    found = {
        "from_s": edges[:-1],
        "to_s": edges[1:],
        "utilization": held / size,
        "waiting_jobs": mean_level(edges, submit, start),
        "waiting_processors": mean_level(edges, submit, start, asked),
    }
    # Differences of sums: what is nothing comes out as a little more or less.
    return pd.DataFrame({k: v if k.endswith("_s") else _cleared(v) for k, v in found.items()})


def _cleared(means: FloatArray) -> FloatArray:
    return np.where(np.abs(means) < 1e-9, 0.0, means)
