"""Whether failures come in clusters, and how often clusters do."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import special

from .._checks import ArrayLike, nonnegative
from ..formula import Formula, Trend

LEAST = 10  # gaps
FALSE_ALARMS = 0.01
# Of the limit for n gaps in powers of n^(-1/2): fitted to 10^6 records of a constant rate each.
_LIMIT = (14.5, -56.4, -33.9, 171.8)


@dataclass(frozen=True, slots=True)
class FailureClusters:
    """How unevenly failures are spread over time.

    Parameters
    ----------
    mtbf : float, [time]
        Mean of the gaps.
    effective_mtbf : float, [time]
        Mean time from an instant at random to the next failure; that between clusters, if
        failures come in clusters that are short beside the gaps between them.
    failures_per_cluster : float, [-]
        effective_mtbf/mtbf.
    scv : float, [-]
        Variance of the gaps over the square of their mean; 1 for a constant rate.
    limit : float, [-]
        What `scv` exceeds in 1 % of all records of a constant rate.
    """

    mtbf: float
    effective_mtbf: float
    failures_per_cluster: float
    scv: float
    limit: float

    @property
    def clustered(self) -> bool:
        """Whether gaps differ more than those of a constant rate do by chance."""
        return self.scv > self.limit


def failure_clusters(gaps: ArrayLike) -> FailureClusters:
    r"""Test whether failures come in clusters, and estimate how often clusters do.

    .. math:: \mu_e = \frac{\sum g_i^2}{2 \sum g_i} = \mu\, \frac{1 + c^2}{2}

    Parameters
    ----------
    gaps : array_like, [time]
        g, times between successive failures of one machine, shape (n,); >= 0, ten of them or more,
        and not all 0.

    Returns
    -------
    FailureClusters
        With `mtbf`, `effective_mtbf`, `failures_per_cluster`, `scv`, `limit` and `clustered`.

    Notes
    -----
    Bound: of records of a constant rate, 0.9 to 1.1 % have an `scv` above the `limit` (Greenwood's
    statistic [1]_, against simulated records of 10 to 20,000 gaps). A rate that changes with time,
    and gaps of a heavy-tailed law, exceed it as well: the test does not tell which. The effective
    MTBF estimates, whatever the reason, how long a job that starts at any instant runs until it is
    struck. If clusters of any sizes come at a constant rate and are so short that they strike a
    job once, it is the mean time between clusters, and takes the place of the mtbf in formulas for
    exponential uptimes. Source: textbook, the mean forward recurrence time.

    Judged for gaps 10 to 10000. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Greenwood, "The statistical study of infectious diseases", Journal of the Royal
       Statistical Society 109, 1946 (not seen).

    Examples
    --------
    Clusters of three failures: two more follow a minute after each.

    >>> found = failure_clusters([9.0, 0.02, 0.02, 31.0, 0.02, 0.02, 12.0, 0.02, 0.02] * 3)
    >>> found.clustered, round(found.mtbf, 2), round(found.effective_mtbf, 2)
    (True, 5.79, 11.38)
    """
    times = nonnegative("gaps", gaps)
    if times.ndim != 1:
        raise ValueError(f"gaps must be a list of numbers, got shape {times.shape}")
    if times.size < LEAST:
        raise ValueError(f"gaps must be {LEAST} or more, got {times.size}")
    longest = float(times.max())
    if longest == 0.0:
        raise ValueError("gaps must include one > 0, got only 0.0")
    shares = times / longest  # whose squares cannot overflow
    mean = float(shares.mean())
    scv = float(shares.var()) / mean**2
    more = 0.5 * (1.0 + scv)
    return FailureClusters(longest * mean, longest * mean * more, more, scv, _limit(times.size))


def _limit(count: int) -> float:
    """Return what the scv of so many gaps of a constant rate exceeds in 1 % of all records, [-]."""
    root = 1.0 / math.sqrt(count)
    # Of very many it is normal with variance 4/n.
    first = -2.0 * float(special.ndtri(FALSE_ALARMS))
    return 1.0 + root * (first + sum(c * root ** (k + 1) for k, c in enumerate(_LIMIT)))


ROWS = (
    Formula(
        failure_clusters,
        "textbook",
        "Greenwood's statistic",
        "bound",
        ranges={"gaps": (10.0, 10_000.0)},
        trend=Trend(),
    ),
)
