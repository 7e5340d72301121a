r"""Cost and chance of a job with a deadline on a spot machine, with an on-demand one behind it.

The job has `work` to do. A spot machine can be had at the beginning. To start a machine takes
`start_time`, in which it is not taken away; then it works for a time, until it is. What was
computed is kept. After a gap another one can be had. Times for which machines work, and gaps, are
exponential; `perfmodel.spot.laws` takes any law, and records.

The Safety Net watches the slack, which is the time to the deadline less the work left. A spot
machine is started while the slack is at least two start times, one for it and one for the
on-demand machine that may have to follow. As soon as a job without a machine has less, or no more
while it waits, it goes on on-demand, to its end. So it meets every deadline of at least
``work + start_time``. A job on spot machines alone starts each as soon as it can be had.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    FloatArray,
    answer,
    broadcast,
    nonnegative,
    positive,
    positive_or_inf,
)
from .._special import multiply
from ..formula import Formula, Trend

_MOST = 1e6  # losses of machines that are summed one by one


def expected_cost_safety_net(
    work: ArrayLike,
    *,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike = 0.0,
    spot_price: ArrayLike,
    on_demand_price: ArrayLike,
) -> FloatArray:
    r"""Mean cost of a job that is kept from missing its deadline by the Safety Net.

    .. math::
        E[\text{cost}] &= p_s \left(W - U + d \sum_{n \ge 0} G_n P(N \ge n)\right)
                          + p_o \left(U + d (1 - P)\right) \\
        U &= a \sum_{n \ge 0} (1 - G_n) P(N > n), \quad
        P = \sum_{n \ge 0} G_n P(N = n)

    with N a Poisson number of mean W/a, a the mean life, and G_n the probability that n gaps and
    n starts leave a slack of two starts.

    Parameters
    ----------
    work : array_like, [time]
        W, time of the job on either machine, starts excluded; > 0.
    deadline : array_like, [time]
        From the start of the job; > 0.
    spot_life : array_like, [time]
        Mean time for which a started spot machine works, exponential; > 0, inf if it is never
        taken away.
    spot_gap : array_like, [time]
        Mean time from its loss until another can be had, exponential; > 0.
    start_time : array_like, [time]
        d, to start a machine of either kind, paid for and without progress; >= 0.
    spot_price, on_demand_price : array_like, [money/time]
        Of the two machines while they start and work; >= 0.

    Returns
    -------
    ndarray, [money]
        Shape: all arguments broadcast together. Overflow gives inf.

    Raises
    ------
    ValueError
        If `work` is more than 1e6 times `spot_life`.

    Notes
    -----
    Exact for these rules. Real lives are not exponential, and cost more: see `spot_outlook`. A
    deadline that leaves no time for a start on demand is missed, at the
    cost of the whole job on demand.
    Source: derived in tests/derivations/test_spot.py. The rule is that of [1]_, of which a public
    copy of the rules was seen, not the paper.

    Judged for work/spot_life 0.001 to 100, deadline/work 0.5 to 10, spot_gap/spot_life 0.001 to
    1000, start_time/work 1e-6 to 0.1, spot_price/on_demand_price 0.001 to 10. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] Z. Wu, W.-L. Chiang, Z. Mao, Z. Yang, E. Friedman, S. Shenker and I. Stoica, "Can't be
       late: optimizing spot instance savings under deadlines", NSDI 2024.

    Examples
    --------
    >>> cost = expected_cost_safety_net(
    ...     24.0, deadline=36.0, spot_life=6.0, spot_gap=2.0, start_time=0.2,
    ...     spot_price=1.2, on_demand_price=4.0,
    ... )
    >>> round(float(cost), 3)
    36.236
    """
    given = (work, deadline, spot_life, spot_gap, start_time, spot_price, on_demand_price)
    *times, spot, dear = broadcast(
        **_times(*given[:5]),
        spot_price=nonnegative("spot_price", spot_price),
        on_demand_price=nonnegative("on_demand_price", on_demand_price),
    )
    found = np.empty(times[0].shape)
    for place in np.ndindex(found.shape):
        plan = _Plan.of(*(float(each[place]) for each in times))
        late = plan.chance(plan.worn)
        left = plan.left()
        with np.errstate(over="ignore"):
            on_spot = plan.work - left + np.multiply(plan.start_time, plan.starts())
            on_demand = left + np.multiply(plan.start_time, late)
            found[place] = multiply(spot[place], on_spot) + multiply(dear[place], on_demand)
    return answer(found, *given)


def spot_probability_safety_net(
    work: ArrayLike,
    *,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike = 0.0,
) -> FloatArray:
    r"""Probability that a job kept by the Safety Net ends without an on-demand machine.

    .. math:: P = \sum_{n \ge 0} G_n e^{-W/a} \frac{(W/a)^n}{n!}

    with a the mean life, and G_n the probability that n gaps and n starts leave a slack of two
    starts.

    Parameters
    ----------
    work : array_like, [time]
        W, time of the job on either machine, starts excluded; > 0.
    deadline : array_like, [time]
        From the start of the job; > 0.
    spot_life : array_like, [time]
        Mean time for which a started spot machine works, exponential; > 0, inf if it is never
        taken away.
    spot_gap : array_like, [time]
        Mean time from its loss until another can be had, exponential; > 0.
    start_time : array_like, [time]
        d, to start a machine of either kind, paid for and without progress; >= 0.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If `work` is more than 1e6 times `spot_life`.

    Notes
    -----
    Exact for these rules. Real lives are not exponential, and it promises too much for them: take
    `spot_outlook` with lives as they were recorded.
    Source: derived in tests/derivations/test_spot.py. The rule is that of [1]_, of which a public
    copy of the rules was seen, not the paper.

    Judged for work/spot_life 0.001 to 100, deadline/work 0.5 to 10, spot_gap/spot_life 0.001 to
    1000, start_time/work 1e-6 to 0.1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Z. Wu, W.-L. Chiang, Z. Mao, Z. Yang, E. Friedman, S. Shenker and I. Stoica, "Can't be
       late: optimizing spot instance savings under deadlines", NSDI 2024.

    Examples
    --------
    >>> p = spot_probability_safety_net(
    ...     24.0, deadline=36.0, spot_life=6.0, spot_gap=2.0, start_time=0.2
    ... )
    >>> round(float(p), 4)
    0.7251
    """
    return _over(
        (work, deadline, spot_life, spot_gap, start_time), lambda plan: plan.chance(plan.kept)
    )


def deadline_probability_spot(
    work: ArrayLike,
    *,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike = 0.0,
) -> FloatArray:
    r"""Probability that a job on spot machines alone meets its deadline.

    .. math:: \sum_{n \ge 0} H_n e^{-W/a} \frac{(W/a)^n}{n!}

    with a the mean life, and H_n the probability that n gaps and n + 1 starts fit into the slack.

    Parameters
    ----------
    work : array_like, [time]
        W, time of the job on either machine, starts excluded; > 0.
    deadline : array_like, [time]
        From the start of the job; > 0.
    spot_life : array_like, [time]
        Mean time for which a started spot machine works, exponential; > 0, inf if it is never
        taken away.
    spot_gap : array_like, [time]
        Mean time from its loss until another can be had, exponential; > 0.
    start_time : array_like, [time]
        d, to start a machine of either kind, paid for and without progress; >= 0.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together.

    Raises
    ------
    ValueError
        If `work` is more than 1e6 times `spot_life`.

    Notes
    -----
    Exact for these rules. Real lives are not exponential, and it promises too much for them: of
    jobs on recorded machines of Google 0.60, 0.67, 0.72 and 0.83 kept a deadline that by the mean
    life they meet with 0.8, 0.9, 0.95 and 0.99. Take `spot_outlook` with lives as they were
    recorded.
    Source: derived in tests/derivations/test_spot.py; no published form was seen. The machines are
    those of [1]_, of which a public copy of the rules was seen, not the paper.

    Judged for work/spot_life 0.001 to 100, deadline/work 0.5 to 10, spot_gap/spot_life 0.001 to
    1000, start_time/work 1e-6 to 0.1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Z. Wu, W.-L. Chiang, Z. Mao, Z. Yang, E. Friedman, S. Shenker and I. Stoica, "Can't be
       late: optimizing spot instance savings under deadlines", NSDI 2024.

    Examples
    --------
    >>> p = deadline_probability_spot(
    ...     24.0, deadline=36.0, spot_life=6.0, spot_gap=2.0, start_time=0.2
    ... )
    >>> round(float(p), 4)
    0.7346
    """
    return _over(
        (work, deadline, spot_life, spot_gap, start_time),
        lambda plan: plan.chance(plan.kept),
        reserve=1.0,
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """One job, and what up to so many losses of its machine do to it; arrays over n = 0, 1, ...

    Parameters
    ----------
    work, spot_life, start_time : float, [time]
        As the public functions take them.
    kept, worn : ndarray, [-]
        Probability that n gaps and starts leave the slack that one more start needs, and the rest.
    """

    work: float
    spot_life: float
    start_time: float
    kept: FloatArray
    worn: FloatArray

    @classmethod
    def of(
        cls,
        work: float,
        deadline: float,
        spot_life: float,
        spot_gap: float,
        start_time: float,
        *,
        reserve: float = 2.0,
    ) -> _Plan:
        mean = work / spot_life
        if not mean <= _MOST:
            raise ValueError(f"work must be at most {_MOST:g} spot_life, got {mean:g} times it")
        n = np.arange(np.ceil(mean + 12.0 * np.sqrt(mean) + 60.0))
        spare = deadline - work - (reserve + n) * start_time
        with np.errstate(over="ignore"):
            gaps = np.maximum(spare, 0.0) / spot_gap
        fits = spare >= 0.0
        kept = np.where(n > 0, special.gammainc(np.maximum(n, 1.0), gaps), 1.0)
        worn = np.where(n > 0, special.gammaincc(np.maximum(n, 1.0), gaps), 0.0)
        return cls(
            work, spot_life, start_time, np.where(fits, kept, 0.0), np.where(fits, worn, 1.0)
        )

    def chance(self, given: FloatArray) -> float:
        """Return the mean of `given` n losses over how many would come during the work, [-]."""
        mean, n = self.work / self.spot_life, np.arange(self.kept.size)
        with np.errstate(divide="ignore"):
            share = np.exp(special.xlogy(n, mean) - mean - special.gammaln(n + 1.0))
        return min(float(np.sum(share * given)), 1.0)

    def left(self) -> float:
        """Return the mean work that is left when the slack ends, [time]."""
        mean, n = self.work / self.spot_life, np.arange(self.kept.size)
        if mean < 1e-300:  # nothing is ever taken away
            return float(self.work * self.worn[0])
        share = special.pdtrc(n, mean) / mean
        return min(float(self.work * np.sum(share * self.worn)), self.work)

    def starts(self) -> float:
        """Return how many spot machines are started in the mean, [-]."""
        mean, n = self.work / self.spot_life, np.arange(1, self.kept.size)
        return float(self.kept[0] + np.sum(special.pdtrc(n - 1, mean) * self.kept[1:]))


def _times(
    work: ArrayLike,
    deadline: ArrayLike,
    spot_life: ArrayLike,
    spot_gap: ArrayLike,
    start_time: ArrayLike,
) -> dict[str, FloatArray]:
    return {
        "work": positive("work", work),
        "deadline": positive("deadline", deadline),
        "spot_life": positive_or_inf("spot_life", spot_life),
        "spot_gap": positive("spot_gap", spot_gap),
        "start_time": nonnegative("start_time", start_time),
    }


def _over(
    given: tuple[ArrayLike, ...], quantity: Callable[[_Plan], float], *, reserve: float = 2.0
) -> FloatArray:
    """Return a quantity of each job."""
    times = broadcast(**_times(*given))
    found = np.empty(times[0].shape)
    for place in np.ndindex(found.shape):
        found[place] = quantity(_Plan.of(*(float(each[place]) for each in times), reserve=reserve))
    return answer(found, *given)


_RANGES = {
    "work/spot_life": (1e-3, 100.0),
    "deadline/work": (0.5, 10.0),
    "spot_gap/spot_life": (1e-3, 1e3),
    "start_time/work": (1e-6, 0.1),
}
_NET = "Safety Net, rule of wu2024"
ROWS = (
    Formula(
        expected_cost_safety_net,
        "derived",
        _NET,
        "exact",
        ranges={**_RANGES, "spot_price/on_demand_price": (1e-3, 10.0)},
        trend=Trend(rising=("spot_price", "on_demand_price")),
    ),
    Formula(
        spot_probability_safety_net,
        "derived",
        _NET,
        "exact",
        ranges=_RANGES,
        trend=Trend(rising=("deadline", "spot_life"), falling=("work", "spot_gap", "start_time")),
    ),
    Formula(
        deadline_probability_spot,
        "derived",
        "gaps that fit into the slack",
        "exact",
        ranges=_RANGES,
        trend=Trend(rising=("deadline", "spot_life"), falling=("work", "spot_gap", "start_time")),
    ),
)
