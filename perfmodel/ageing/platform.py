r"""Failures and checkpoints of a platform of alike nodes, by what each failure renews.

The name of a function says which of three assumptions it makes:

* rejuvenated: each failure renews all nodes, as where a job is restarted on other nodes or all are
  booted. The platform is then one machine whose uptime is the shortest of its nodes' uptimes;
* from_new: a failure renews the node that failed, and all nodes are new at time 0;
* stationary: a failure renews the node that failed, and the platform is in use for long.

Repairs take no time here. Where failures of a node come less often the longer it is up, as in
most records, the first assumption gives the most failures and the last the fewest; where nodes
wear out it is the other way round. Which of them holds matters far more than the law.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, comparable, nonnegative, shown, whole
from .._checks import scalar as one
from .._special import power_of_two
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..quantities import checked
from ._cells import has_density
from ._renewals import renewals
from .makespan import expected_makespan_ageing
from .share import finite_uptime, optimal_interval_ageing

_LEAST_MEAN = 1e-150  # [time], of which the square is a float with all its digits


def platform_failures_rejuvenated(time: ArrayLike, *, uptime: Lifetime, nodes: int) -> FloatArray:
    r"""Mean number of failures of a platform of which each failure renews all nodes.

    .. math:: m(t) = F_p(t) + \int_0^t m(t - x) dF_p(x), \quad F_p = 1 - (1 - F)^p

    Parameters
    ----------
    time : array_like, [time]
        t, for how long, from new nodes on; >= 0.
    uptime : Lifetime, [time]
        Law F of the uptimes of one node, with a density and a finite mean.
    nodes : int, [-]
        p, how many; >= 1.

    Returns
    -------
    ndarray, [-]
        The shape of `time`; overflow gives inf.

    Raises
    ------
    ValueError
        If `time` is above 10000 mean uptimes of a law whose far tail counts, or whose uptimes
        differ so little that failures stay in step for that long.
    TypeError
        If the law has no density.

    Notes
    -----
    Exact but for 1e-6 of the number: renewal equation on lattices, and their limit. In a long time
    it is one failure in each mu/p^(1/k), with mu the mean and k the Weibull shape.
    Source: derived in tests/derivations/test_platform.py; renewal equation as in [1]_.

    Judged for time/uptime 0.01 to 30, nodes 1 to 10000, cv of uptime 0.4 to 2.5. Times must be
    comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; the equation is derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> node = Weibull(0.7, 34626.1)
    >>> round(float(platform_failures_rejuvenated(720.0, uptime=node, nodes=1024)), 1)
    328.7
    """
    return _mean_failures(time, uptime, first_of=_count(nodes))


def platform_failures_from_new(time: ArrayLike, *, uptime: Lifetime, nodes: int) -> FloatArray:
    r"""Mean number of failures of a platform of new nodes, of which each failure renews one.

    .. math:: p\, m(t), \quad m(t) = F(t) + \int_0^t m(t - x) dF(x)

    Parameters
    ----------
    time : array_like, [time]
        t, for how long, from new nodes on; >= 0.
    uptime : Lifetime, [time]
        Law F of the uptimes of one node, with a density and a finite mean.
    nodes : int, [-]
        p, how many; >= 1.

    Returns
    -------
    ndarray, [-]
        The shape of `time`; overflow gives inf.

    Raises
    ------
    ValueError
        If `time` is above 10000 mean uptimes of a law whose far tail counts, or whose uptimes
        differ so little that failures stay in step for that long.
    TypeError
        If the law has no density.

    Notes
    -----
    Exact but for 1e-6 of the number: renewal equation on lattices, and their limit. A job of length
    t on such a platform is planned well with t over this number for its mtbf.
    Source: derived in tests/derivations/test_platform.py; renewal equation as in [1]_.

    Judged for time/uptime 0.01 to 30, nodes 1 to 10000, cv of uptime 0.4 to 2.5. Times must be
    comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; the equation is derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> node = Weibull(0.7, 34626.1)
    >>> round(float(platform_failures_from_new(720.0, uptime=node, nodes=1024)), 3)
    68.797
    """
    return _count(nodes) * _mean_failures(time, uptime)


def platform_failures_stationary(
    time: ArrayLike, *, uptime: Lifetime, nodes: ArrayLike
) -> FloatArray:
    r"""Mean number of failures of a platform in use for long, of which each failure renews one.

    .. math:: p t/\mu

    Parameters
    ----------
    time : array_like, [time]
        t, for how long, from any instant on; >= 0.
    uptime : Lifetime, [time]
        Law of the uptimes of one node, with a finite mean mu.
    nodes : array_like, [-]
        p, how many; whole and >= 1.

    Returns
    -------
    ndarray, [-]
        Shape: `time` and `nodes` broadcast together; overflow gives inf.

    Notes
    -----
    Exact for any law. With many nodes the failures are nearly a Poisson process, so that the
    formulas of exponential failures hold with mu/p for the mtbf.
    Source: textbook, as in [1]_; derived in tests/derivations/test_platform.py.

    Judged for time/uptime 0.01 to 30, nodes 1 to 10000, cv of uptime 0.4 to 2.5. Times must be
    comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> node = Weibull(0.7, 34626.1)
    >>> round(float(platform_failures_stationary(720.0, uptime=node, nodes=1024)), 3)
    16.821
    """
    law = finite_uptime(uptime)
    t, p = checked(time=time, nodes=nodes)
    comparable(time=t, uptime=np.asarray(law.mean))
    with np.errstate(over="ignore"):
        return answer(p * (t / law.mean), time, nodes)


def expected_makespan_rejuvenated(
    work: ArrayLike,
    *,
    uptime: Lifetime,
    nodes: int,
    interval: ArrayLike,
    checkpoint_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> FloatArray:
    r"""Mean wall time of a job on nodes that each failure renews all together.

    Parameters
    ----------
    work : array_like, [time]
        Failure-free compute time of the job, checkpoints excluded; > 0.
    uptime : Lifetime, [time]
        Law of the uptimes of one node, with a finite mean.
    nodes : int, [-]
        How many the job has; >= 1.
    interval : array_like, [time]
        Work per segment, checkpoint excluded; > 0, and at least work/20000.
    checkpoint_cost, recovery_cost : array_like, [time]
        To write a checkpoint and to read one back; >= 0.
    downtime : array_like or Lifetime, [time]
        Fixed and >= 0, or a law of which the mean enters.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    ndarray, [time]
        Shape: all numbers but `nodes` broadcast together. Overflow gives inf.

    Notes
    -----
    Exact: `expected_makespan_ageing` of the first failure among the nodes. Where a failure renews
    one node only, use the formulas of exponential failures: see `platform_failures_stationary`.
    Source: derived in tests/derivations/test_ageing.py; renewal equations as in [1]_.

    Judged for work/interval 1 to 50, checkpoint_cost/interval 0.001 to 1, recovery_cost/interval
    0.001 to 1, cv of uptime 0.3 to 4, nodes 1 to 5000. There, interval and downtime are up to a
    mean uptime of the platform. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. R. Cox, "Renewal Theory", Methuen, 1962. Not seen; the equations are derived here.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> t = expected_makespan_rejuvenated(
    ...     720.0, uptime=Weibull(0.7, 34626.1), nodes=1024, interval=720.0 / 196,
    ...     checkpoint_cost=1 / 6, recovery_cost=1 / 6,
    ... )
    >>> round(float(t))
    1638
    """
    return expected_makespan_ageing(
        work,
        interval=interval,
        uptime=_first_failure(uptime, nodes),
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )


def optimal_interval_rejuvenated(
    *, uptime: Lifetime, nodes: int, checkpoint_cost: float, recovery_cost: float = 0.0
) -> float:
    r"""Best constant interval of a long job on nodes that each failure renews all together.

    Parameters
    ----------
    uptime : Lifetime, [time]
        Law of the uptimes of one node, with a finite mean.
    nodes : int, [-]
        How many the job has; >= 1.
    checkpoint_cost : float, [time]
        To write a checkpoint; > 0.
    recovery_cost : float, [time]
        To read a checkpoint back, at the start of an uptime; >= 0.

    Returns
    -------
    float, [time]
        Work per segment, checkpoint excluded.

    Raises
    ------
    ValueError
        If no interval saves any work.

    Notes
    -----
    Exact up to the search of `optimal_interval_ageing`. The interval for failures that renew one
    node is another: in one example of 1024 nodes it costs 45 % more time where all are renewed.
    Source: derived in tests/derivations/test_ageing.py; the objective is that of [1]_.

    Judged for cv of uptime 0.2 to 5, nodes 1 to 5000. There, costs are 1e-4 to 0.3 of a mean uptime
    of the platform. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011. Only the abstract was seen.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> costs = {"checkpoint_cost": 1 / 6, "recovery_cost": 1 / 6}
    >>> node = Weibull(0.7, 34626.1)
    >>> round(optimal_interval_rejuvenated(uptime=node, nodes=1024, **costs), 4)
    0.8596
    """
    return optimal_interval_ageing(
        uptime=_first_failure(uptime, nodes),
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
    )


def _with_density(uptime: Lifetime) -> Lifetime:
    law = finite_uptime(uptime)
    if not has_density(law):
        raise TypeError(f"uptime must have a density, got {shown(law)}: fit a law to it")
    return law


def _count(nodes: int) -> int:
    return int(one(whole, "nodes", nodes))


def _first_failure(uptime: Lifetime, nodes: int) -> Lifetime:
    law = finite_uptime(uptime)
    first = law.first_of(_count(nodes))
    if first.mean < _LEAST_MEAN <= law.mean:
        raise ValueError(
            f"nodes must leave a mean uptime >= {_LEAST_MEAN:g} to the platform, "
            f"got {nodes}: take another unit"
        )
    return first


def _mean_failures(time: ArrayLike, uptime: Lifetime, *, first_of: int = 1) -> FloatArray:
    law, times = _with_density(uptime), nonnegative("time", time)
    comparable(time=times, uptime=np.asarray(law.mean))
    unit = power_of_two(law.mean)  # in which the first failure of many nodes is within the floats
    first = law.scaled(1.0 / unit).first_of(first_of)
    if not first.mean > 0.0:
        raise ValueError(
            f"nodes must leave a mean uptime > 0 to the platform, got {first_of}: some are 0"
        )
    return answer(renewals(first, times / unit), time)


_FAILURES = {"time/uptime": (0.01, 30.0), "nodes": (1.0, 1e4), "cv of uptime": (0.4, 2.5)}

ROWS = (
    *(
        Formula(
            function,
            source,
            "renewal of nodes",
            "exact",
            ranges=_FAILURES,
            trend=Trend(rising=("time", "nodes")),
        )
        for function, source in (
            (platform_failures_rejuvenated, "derived"),
            (platform_failures_from_new, "derived"),
            (platform_failures_stationary, "textbook"),
        )
    ),
    Formula(
        expected_makespan_rejuvenated,
        "derived",
        "renewal of all nodes",
        "exact",
        ranges={
            "work/interval": (1.0, 50.0),
            "checkpoint_cost/interval": (1e-3, 1.0),
            "recovery_cost/interval": (1e-3, 1.0),
            "cv of uptime": (0.3, 4.0),
            "nodes": (1.0, 5e3),
        },
        trend=Trend(rising=("downtime",)),
    ),
    Formula(
        optimal_interval_rejuvenated,
        "derived",
        "renewal of all nodes",
        "exact",
        ranges={"cv of uptime": (0.2, 5.0), "nodes": (1.0, 5e3)},
        trend=Trend(),
    ),
)
