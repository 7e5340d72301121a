r"""A long job whose checkpoints are images in the memory of other nodes.

Each node keeps an image of its buddy, or of both others of a group of three. A period begins with
an image of the work done so far, which takes `local_cost`; the image then goes to each buddy in
turn, theta = transfer_time + overlap_factor (transfer_time - overhead) long, while the job goes on
and loses `overhead`. When `interval` of work is done and the images have arrived, the next period
begins. An image counts when the first buddy has it.

A failure, at an exponential time, costs a downtime; then the node reads back its image from a
buddy, `transfer_time` long, and the images that it had kept for others are sent again. Failures
strike whatever the job does, except in downtime. Three protocols differ:

* ``"double"``: one buddy; what is sent again is sent while the job goes on;
* ``"double_blocking"``: one buddy; it is sent again at full speed, and the job waits for it;
* ``"triple"``: two buddies; it is sent again while the job goes on.

What no buddy brings back is in `share_lost_with_buddies`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    nonnegative,
    one_of,
    positive,
)
from .._special import expm1_minus
from ..formula import Formula, Trend
from ..interval import optimal_interval
from ..validity import Range

BuddyProtocol = Literal["double", "double_blocking", "triple"]

_ENDLESS = 700.0  # mtbfs: so long without a failure as no float can wait for


def waste_of_buddies(
    interval: ArrayLike,
    *,
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike = 0.0,
    local_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    protocol: BuddyProtocol = "double",
) -> FloatArray:
    r"""Share of the time of a long job with images in memory that is not useful work.

    .. math::
        1 - \frac{w e^{-A/\mu}}{(1 - e^{-P/\mu}) (\mu + D)}, \quad
        P = \delta + \max(w + b \varphi, b \theta), \quad A = R + B + \delta + \theta

    with b the buddies of a node, theta = R + alpha (R - phi), and B, after a failure, the time to
    the next image: P - delta, or R + w if the job waits.

    Parameters
    ----------
    interval : array_like, [time]
        w, work per period; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures of all nodes of the job, repair excluded; > 0.
    transfer_time : array_like, [time]
        R, to send an image at full speed, and to read it back; > 0.
    overhead : array_like, [time]
        phi, what the job loses while an image is sent; >= 0 and at most `transfer_time`.
    overlap_factor : array_like, [-]
        alpha, by how much longer sending takes for what the job saves; >= 0.
    local_cost : array_like, [time]
        delta, to make an image; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.
    protocol : {"double", "double_blocking", "triple"}, [-]
        How many buddies, and whether the job waits where images are sent again.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together.

    Notes
    -----
    Exact for a long job in which no image is lost with all its copies, by renewal and reward.
    Source: derived in tests/derivations/test_buddies.py for the protocols of [1]_, which was not
    read.

    Judged for interval/mtbf 1e-4 to 2, transfer_time/mtbf 1e-5 to 0.2, overhead/transfer_time 0.01
    to 1, overlap_factor 0.01 to 20, local_cost/transfer_time 0.01 to 10, downtime/mtbf 1e-5 to 1.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Dongarra, T. Herault and Y. Robert, "Revisiting the double checkpointing algorithm",
       APDCM, 2013.

    Examples
    --------
    >>> machine = {"mtbf": 3600.0, "transfer_time": 4.0, "overhead": 0.5, "overlap_factor": 10.0}
    >>> round(float(waste_of_buddies(130.86, **machine, local_cost=2.0)), 4)
    0.0482
    >>> round(float(waste_of_buddies(83.34, **machine, protocol="triple")), 4)
    0.035
    """
    given = (interval, mtbf, transfer_time, overhead, overlap_factor, local_cost, downtime)
    job = _checked(*given[1:], protocol=protocol, interval=positive("interval", interval))
    with np.errstate(all="ignore"):
        w, span, down = job.work / job.mtbf, job.period / job.mtbf, job.downtime / job.mtbf
        after = np.minimum(job.after / job.mtbf, _ENDLESS)
        struck = -np.expm1(-span)
        # What a period takes, and what of that is not work, in mtbfs: nothing large cancels.
        takes = struck * (1.0 + down) * np.exp(after)
        again = struck * (np.expm1(after) * (1.0 + down) + down)
        waste = (job.beside / job.mtbf - expm1_minus(-span) + again) / takes
        # Where next to nothing is lost both differ by rounding.
        known = np.isfinite(takes) & (takes > w * (1.0 - 1e-12)) & np.isfinite(waste)
    return answer(np.where(known, waste, 1.0), *given)


def optimal_interval_buddies(
    *,
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike = 0.0,
    local_cost: ArrayLike = 0.0,
    protocol: BuddyProtocol = "double",
) -> FloatArray:
    r"""Work per period that wastes least of the time of a long job with images in memory.

    .. math:: \max(w^*, b (\theta - \varphi)), \quad
        \left(1 - \frac{w^*}{\mu}\right) e^{(w^* + \delta + b \varphi)/\mu} = 1

    with b the buddies of a node and theta = R + alpha (R - phi). Where the job waits for what is
    sent again, the second is at most mu.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures of all nodes of the job, repair excluded; > 0.
    transfer_time : array_like, [time]
        R, to send an image at full speed, and to read it back; > 0.
    overhead : array_like, [time]
        phi, what the job loses while an image is sent; >= 0 and at most `transfer_time`.
    overlap_factor : array_like, [-]
        alpha, by how much longer sending takes for what the job saves; >= 0.
    local_cost : array_like, [time]
        delta, to make an image; >= 0.
    protocol : {"double", "double_blocking", "triple"}, [-]
        How many buddies, and whether the job waits where images are sent again.

    Returns
    -------
    ndarray, [time]
        0 where images cost nothing. Shape: all arguments broadcast together.

    Notes
    -----
    Exact, as `waste_of_buddies`: the best interval is that of a checkpoint that costs what the job
    loses in a period, unless the images would not arrive in time. Downtime and recovery do not
    change it. The published first order, for a period P = w + delta + b phi, is
    P = sqrt(2 (delta + b phi) (mu - D - R - theta)), R + theta being 2 R + theta - phi where the
    job waits.
    Source: derived in tests/derivations/test_buddies.py for the protocols of [1]_, which was not
    read.

    Judged for transfer_time/mtbf 1e-5 to 0.2, overhead/transfer_time 0.01 to 1, overlap_factor 0.01
    to 20, local_cost/transfer_time 0.01 to 10. Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Dongarra, T. Herault and Y. Robert, "Revisiting the double checkpointing algorithm",
       APDCM, 2013.

    Examples
    --------
    >>> machine = {"mtbf": 3600.0, "transfer_time": 4.0, "overhead": 2.0, "overlap_factor": 10.0}
    >>> round(float(optimal_interval_buddies(**machine, local_cost=2.0)), 2)
    167.05
    """
    given = (mtbf, transfer_time, overhead, overlap_factor, local_cost)
    job = _checked(*given, 0.0, protocol=protocol, interval=np.ones(()))
    cost = np.broadcast_to(job.cost, job.mtbf.shape)
    some = cost > 0.0
    best = np.where(
        some, optimal_interval(mtbf=job.mtbf, checkpoint_cost=np.where(some, cost, 1.0)), 0.0
    )
    arrive = job.sending - job.buddies * job.overhead
    if protocol == "double_blocking":
        arrive = np.minimum(arrive, job.mtbf)
    return answer(np.maximum(best, arrive), *given)


def waste_of_buddies_first_order(
    interval: ArrayLike,
    *,
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike = 0.0,
    local_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    protocol: BuddyProtocol = "double",
) -> FloatArray:
    r"""Share of the time that is not useful work, to first order in the failures.

    .. math:: 1 - \left(1 - \frac{F}{\mu}\right) \frac{w}{P}, \quad
        F = D + R + \theta + \frac{P}{2}

    with P the period and theta as in `waste_of_buddies`; F is longer by what the job waits for.

    Parameters
    ----------
    interval : array_like, [time]
        w, work per period; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures of all nodes of the job, repair excluded; > 0.
    transfer_time : array_like, [time]
        R, to send an image at full speed, and to read it back; > 0.
    overhead : array_like, [time]
        phi, what the job loses while an image is sent; >= 0 and at most `transfer_time`.
    overlap_factor : array_like, [-]
        alpha, by how much longer sending takes for what the job saves; >= 0.
    local_cost : array_like, [time]
        delta, to make an image; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.
    protocol : {"double", "double_blocking", "triple"}, [-]
        How many buddies, and whether the job waits where images are sent again.

    Returns
    -------
    ndarray, [-]
        1 where the first order sees no progress. Shape: all arguments broadcast together.

    Warns
    -----
    ValidityWarning
        Beyond (interval + all costs)/mtbf = 0.1.

    Notes
    -----
    Approximation. All costs are delta, theta for each buddy, R and D; up to 0.1 mtbf it is at most
    6 % off `waste_of_buddies`.
    Source: [1]_, which was not read; derived again in tests/derivations/test_buddies.py.

    Judged for interval/mtbf 1e-4 to 2, transfer_time/mtbf 1e-5 to 0.2, overhead/transfer_time 0.01
    to 1, overlap_factor 0.01 to 20, local_cost/transfer_time 0.01 to 10, downtime/mtbf 1e-5 to 1.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] J. Dongarra, T. Herault and Y. Robert, "Revisiting the double checkpointing algorithm",
       APDCM, 2013.

    Examples
    --------
    >>> machine = {"mtbf": 3600.0, "transfer_time": 4.0, "overhead": 2.0, "overlap_factor": 10.0}
    >>> waste = waste_of_buddies_first_order
    >>> round(float(waste(165.04, **machine, local_cost=2.0)), 5)
    0.05418
    """
    given = (interval, mtbf, transfer_time, overhead, overlap_factor, local_cost, downtime)
    job = _checked(*given[1:], protocol=protocol, interval=positive("interval", interval))
    FIRST_ORDER_RANGE.warn("waste_of_buddies_first_order", _beside(job))
    with np.errstate(all="ignore"):
        lost = job.downtime + job.after - 0.5 * job.period
        useful = np.maximum(1.0 - lost / job.mtbf, 0.0) * (job.work / job.period)
    return answer(1.0 - np.where(np.isfinite(useful), useful, 0.0), *given)


@dataclass(frozen=True, slots=True)
class _Job:
    """Checked arguments, broadcast, [time]."""

    work: FloatArray
    mtbf: FloatArray
    transfer: FloatArray
    overhead: FloatArray
    sending: FloatArray
    local_cost: FloatArray
    downtime: FloatArray
    buddies: float
    waits: bool

    @property
    def cost(self) -> FloatArray:
        """What the job loses in a period without a failure, if images arrive in time."""
        return np.asarray(self.local_cost + self.buddies * self.overhead)

    @property
    def beside(self) -> FloatArray:
        """What a period takes beside its work, without a failure."""
        lost = self.buddies * self.overhead
        return np.asarray(self.local_cost + np.maximum(lost, self.sending - self.work))

    @property
    def ahead(self) -> FloatArray:
        """From an image that is made to the next."""
        return np.maximum(self.work + self.buddies * self.overhead, self.sending)

    @property
    def period(self) -> FloatArray:
        """From one image to the next."""
        return np.asarray(self.local_cost + self.ahead)

    @property
    def after(self) -> FloatArray:
        """From the end of a downtime until the next image counts."""
        again = self.transfer + self.work if self.waits else self.ahead
        return np.asarray(self.transfer + again + self.local_cost + self.sending / self.buddies)


def _checked(  # noqa: PLR0917 (in the order of the public functions)
    mtbf: ArrayLike,
    transfer_time: ArrayLike,
    overhead: ArrayLike,
    overlap_factor: ArrayLike,
    local_cost: ArrayLike,
    downtime: ArrayLike,
    *,
    protocol: str,
    interval: FloatArray,
) -> _Job:
    one_of("protocol", protocol, get_args(BuddyProtocol))
    w, mu, transfer, lost, factor, local, down = broadcast(
        interval=interval,
        mtbf=positive("mtbf", mtbf),
        transfer_time=positive("transfer_time", transfer_time),
        overhead=nonnegative("overhead", overhead),
        overlap_factor=nonnegative("overlap_factor", overlap_factor),
        local_cost=nonnegative("local_cost", local_cost),
        downtime=nonnegative("downtime", downtime),
    )
    much = lost > transfer
    if much.any():
        raise ValueError(
            f"overhead must be at most transfer_time, got {float(lost[much].flat[0])!r} "
            f"> {float(transfer[much].flat[0])!r}"
        )
    buddies = 2.0 if protocol == "triple" else 1.0
    with np.errstate(over="ignore"):
        sending = buddies * (transfer + factor * (transfer - lost))
    return _Job(w, mu, transfer, lost, sending, local, down, buddies, protocol == "double_blocking")


def _beside(job: _Job) -> FloatArray:
    """Return the interval and all costs, in mtbfs."""
    with np.errstate(over="ignore"):
        parts = job.work + job.local_cost + job.sending + job.transfer + job.downtime
        return np.asarray(parts / job.mtbf)


def _all_costs(
    *,
    interval: FloatArray,
    mtbf: FloatArray,
    transfer_time: FloatArray,
    overhead: FloatArray,
    overlap_factor: FloatArray,
    local_cost: FloatArray,
    downtime: FloatArray,
) -> FloatArray:
    costs = (mtbf, transfer_time, overhead, overlap_factor, local_cost, downtime)
    return _beside(_checked(*costs, protocol="double", interval=interval))


# The error of the waste, measured in validation/subjects/buddies/cases.py.
FIRST_ORDER_RANGE = Range("(interval + all costs)/mtbf", limit=0.1, error=0.06, of=_all_costs)
_COSTS = {
    "transfer_time/mtbf": (1e-5, 0.2),
    "overhead/transfer_time": (0.01, 1.0),
    "overlap_factor": (0.01, 20.0),
    "local_cost/transfer_time": (0.01, 10.0),
}
_RANGES = {"interval/mtbf": (1e-4, 2.0), **_COSTS, "downtime/mtbf": (1e-5, 1.0)}
_DOMAIN = {
    "interval": (0.01, 1.0),
    "mtbf": (1.0, 1.0),
    "transfer_time": (0.02, 0.2),
    "overhead": (1e-3, 0.02),
    "overlap_factor": (0.1, 5.0),
    "local_cost": (1e-3, 0.2),
    "downtime": (1e-3, 0.5),
}

ROWS = (
    Formula(
        waste_of_buddies,
        "derived",
        "renewal, images in memory",
        "exact",
        ranges=_RANGES,
        domain=_DOMAIN,
        trend=Trend(rising=("local_cost", "downtime"), falling=("mtbf",)),
    ),
    Formula(
        waste_of_buddies_first_order,
        "dongarra2013",
        "first order, not read",
        "approximation",
        FIRST_ORDER_RANGE,
        ranges=_RANGES,
        domain=_DOMAIN,
        trend=Trend(falling=("mtbf",)),
    ),
    Formula(
        optimal_interval_buddies,
        "derived",
        "least waste, images in memory",
        "exact",
        ranges=_COSTS,
        trend=Trend(rising=("overlap_factor", "local_cost")),
    ),
)
