"""A stand-in for five weeks of Intrepid, calibrated to what the paper `qsim` prints.

The paper gives the number of jobs, the span, the mean, median and classes of running times
(Table III), the largest and median size and the classes of sizes (Table IV). What it leaves open
is taken from the published beginning of that log (its first 3,000 jobs for lengths, sizes
and arrivals; its first 1,200, the only ones with requested times, for those), as quantiles and as
correlations of jobs that follow each other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..._checks import flag
from .jobs import generated_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["INTREPID_HEADER", "intrepid_like", "requests"]

JOBS, DAYS, MEAN_RUNTIME = 7_630, 35.0, 4457.0

CORES_PER_NODE = 4
INTREPID_HEADER = {
    "Computer": "Blue Gene/P",
    "Installation": "generated, like Intrepid in early 2009",
    "MaxNodes": "40960",
    "MaxProcs": "163840",
}

# Table IV; the shares within a class are those of the first 3,000 jobs.
_SIZES = {
    64: 0.143,
    128: 0.545 * 33 / 1633,
    256: 0.545 * 39 / 1633,
    512: 0.545 * 1561 / 1633,
    1024: 0.225 * 379 / 565,
    2048: 0.225 * 186 / 565,
    4096: 0.087 * 172 / 353,
    8192: 0.087 * 117 / 353,
    16384: 0.087 * 38 / 353,
    32768: 0.087 * 26 / 353,
}

# (share of jobs below, running time [s]): Table III, the median, and quantiles within the two
# upper classes. The longest running time is solved for the printed mean.
_LENGTHS = (
    (0.0, 30.0),
    (0.199, 600.0),
    (0.5, 3075.0),
    (0.666, 3600.0),
    (0.666 + 0.5 * 0.295, 4800.0),
    (0.666 + 0.75 * 0.295, 7600.0),
    (0.961, 14_400.0),
    (0.961 + 0.5 * 0.039, 33_930.0),
    (0.961 + 0.75 * 0.039, 43_200.0),
)

# Running over requested time: quantiles 0, 10, 25, 50, 75, 90 and 100 %, for each class of
# length. Jobs that overran (one in ten) count as exact, so that replays cut no job short.
_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_ACCURACY = (
    (600.0, (0.006, 0.018, 0.030, 0.075, 0.133, 0.276, 1.0)),
    (3600.0, (0.044, 0.076, 0.087, 0.232, 0.526, 0.719, 1.0)),
    (14_400.0, (0.27, 0.519, 0.702, 0.767, 0.793, 1.0, 1.0)),
    (np.inf, (0.41, 0.640, 0.774, 1.0, 1.0, 1.0, 1.0)),
)
_REQUEST_STEP, _REQUEST_LIMIT = 300.0, 43_200.0

# Weibull gaps of this shape have the 50, 75, 90 and 99 % quantiles of the log, relative to
# their mean, within 30 %.
_GAP_SHAPE = 0.45

# (share of gaps below, gap [s]) of the first 3,000 jobs, for gaps of sessions.
_GAPS = (
    (0.0, 0.0),
    (0.1, 1.0),
    (0.25, 3.0),
    (0.35, 10.0),
    (0.5, 98.0),
    (0.75, 420.0),
    (0.9, 1_230.0),
    (0.97, 3_200.0),
    (0.99, 6_130.0),
    (0.998, 30_000.0),
    (1.0, 60_000.0),
)

# Jobs of a session are alike. With these the correlations of neighbours are those of the first
# 3,000 jobs: .36 of gaps, .51 of the logarithm of lengths, .67 of sizes that are equal.
_SESSION_JOBS = 6.0  # mean, geometric
_SAME_GAP, _SAME_LENGTH = 0.73, 0.635  # share of the variance of a normal score
_SAME_SIZE = 0.79  # probability to take the session's size


def intrepid_like(
    rng: np.random.Generator, *, jobs: int = JOBS, days: float = DAYS, sessions: bool = True
) -> pd.DataFrame:
    """Draw a job log with the printed figures of Intrepid's workload.

    Parameters
    ----------
    rng : numpy Generator
        Decides who comes when. Sizes and lengths are drawn by stratified sampling, so that every
        log has the printed distribution, not only the average of many.
    jobs : int
        How many.
    days : float, [d]
        From the first submission to the last.
    sessions : bool
        Whether jobs come in sessions of about six that resemble each other in gaps, sizes and
        lengths, as in the log; else all three are independent.

    Returns
    -------
    DataFrame
        The columns of `read_swf`, whole seconds; processors are cores, 4 per node, and sizes
        those of partitions, as in the log itself. Sizes do not depend on lengths.

    Raises
    ------
    ValueError
        If `jobs` is < 2, or `days` not finite and > 0.

    See Also
    --------
    intrepid_month : Begins with the real jobs, where they are at hand.
    """
    if not isinstance(jobs, int | np.integer) or isinstance(jobs, bool) or jobs < 2:
        raise ValueError(f"jobs must be a whole number >= 2, got {jobs!r}")
    if not 0.0 < days < np.inf:
        raise ValueError(f"days must be finite and > 0, got {days!r}")
    flag("sessions", sessions)
    if sessions:
        session = np.cumsum(rng.random(jobs) < 1.0 / _SESSION_JOBS, dtype=np.int64)
        arrivals = np.cumsum(np.interp(_alike(rng, session, _SAME_GAP), *np.array(_GAPS).T))
        scale, length = _repeated(rng, session), _alike(rng, session, _SAME_LENGTH)
    else:
        arrivals = np.cumsum(rng.weibull(_GAP_SHAPE, jobs))
        scale, length = _strata(rng, jobs), _strata(rng, jobs)
    arrivals -= arrivals[0]
    submit = np.floor(arrivals / arrivals[-1] * (days * 86_400.0))
    sizes = np.array(list(_SIZES))
    edges = np.cumsum(list(_SIZES.values()))
    nodes = sizes[np.searchsorted(edges, scale * edges[-1], side="right")]
    runtime = np.floor(np.interp(length, *_length_knots()))
    return generated_frame(
        submit=submit,
        processors=CORES_PER_NODE * nodes,
        runtime=runtime,
        walltime=requests(rng, runtime),
    )


def _strata(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """Return one uniform number from each of `count` equal parts of [0, 1), shuffled."""
    return (rng.permutation(count) + rng.random(count)) / count


def _alike(
    rng: np.random.Generator, session: npt.NDArray[np.int64], share: float
) -> npt.NDArray[np.float64]:
    """Return strata in the order of normal scores, this share of their variance the session's."""
    common = rng.standard_normal(int(session[-1]) + 1)[session]
    return _in_order_of(
        rng, math.sqrt(share) * common + math.sqrt(1.0 - share) * rng.standard_normal(session.size)
    )


def _repeated(rng: np.random.Generator, session: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return strata in the order of scores that most jobs of a session share."""
    common = rng.random(int(session[-1]) + 1)[session]
    kept = rng.random(session.size) < _SAME_SIZE
    return _in_order_of(rng, np.where(kept, common, rng.random(session.size)))


def _in_order_of(
    rng: np.random.Generator, scores: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return one uniform number from each of equal parts of [0, 1), the least for the least."""
    rank = np.empty(scores.size, dtype=np.int64)
    rank[np.argsort(scores, kind="stable")] = np.arange(scores.size)
    return np.asarray((rank + rng.random(scores.size)) / scores.size)


def _length_knots() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the quantile function of running times, its last knot solved for the mean."""
    shares = np.array([share for share, _ in _LENGTHS])
    times = np.array([time for _, time in _LENGTHS])
    below = float(np.sum(np.diff(shares) * (times[1:] + times[:-1]))) / 2.0
    longest = 2.0 * (MEAN_RUNTIME - below) / (1.0 - shares[-1]) - times[-1]
    return np.append(shares, 1.0), np.append(times, longest)


def requests(rng: np.random.Generator, runtime: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Draw requested times [s]: multiples of 5 min, 12 h at most unless the job needs more."""
    share = rng.random(runtime.size)
    accuracy = np.empty(runtime.size)
    classes = np.searchsorted([limit for limit, _ in _ACCURACY[:-1]], runtime, side="right")
    for place, (_, quantiles) in enumerate(_ACCURACY):
        chosen = classes == place
        accuracy[chosen] = np.interp(share[chosen], _SHARES, quantiles)
    asked = np.minimum(runtime / accuracy, np.maximum(runtime, _REQUEST_LIMIT))
    return np.asarray(np.ceil(asked / _REQUEST_STEP) * _REQUEST_STEP)
