r"""Promises and checkpoints of a site that knows the rate of failures alone.

Nodes fail independently at rate 1/node_mtbf. A job that holds n of them for a time is promised an
undisturbed run with the probability that none fails. A requested checkpoint is worth its cost
when the probability of a failure before the next one, times the time since the last, exceeds it.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, positive
from .._ranges import COST
from ..formula import ANY, Formula, Trend
from ..quantities import checked


def promised_probability(
    duration: ArrayLike, *, nodes: ArrayLike, node_mtbf: ArrayLike
) -> FloatArray:
    r"""Probability that no failure disturbs a job from its start to its deadline.

    .. math:: p = e^{-n t/\mu}

    Parameters
    ----------
    duration : array_like, [time]
        t, from start to deadline: execution with all requested checkpoints; >= 0.
    nodes : array_like, [-]
        n, nodes the job holds; whole, >= 1.
    node_mtbf : array_like, [time]
        mu, mean uptime between failures of one node, repair excluded; > 0, inf if it
        never fails.

    Returns
    -------
    ndarray, [-]
        Shape: all arguments broadcast together.

    Notes
    -----
    Exact: exponential uptimes, nodes that fail independently and are up at the start. A job that
    is struck may still meet its deadline if checkpoints are skipped: then this is a lower bound.
    Source: the promise of [1]_, with the law of failures in place of its predictor.

    Judged for nodes 1 to 1e6, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. J. Oliner, L. Rudolph, R. K. Sahoo, J. E. Moreira and M. Gupta, "Probabilistic QoS
       guarantees for supercomputing systems", DSN 2005, section 3.5.

    Examples
    --------
    >>> round(float(promised_probability(10.0, nodes=16, node_mtbf=1000.0)), 6)
    0.852144
    """
    t, n, mu = checked(duration=duration, nodes=nodes, node_mtbf=node_mtbf)
    with np.errstate(over="ignore"):
        return answer(np.exp(-n * (t / mu)), duration, nodes, node_mtbf)


def longest_promise(
    probability: ArrayLike, *, nodes: ArrayLike, node_mtbf: ArrayLike
) -> FloatArray:
    r"""Longest job that can be promised an undisturbed run with a given probability.

    .. math:: t = -\frac{\mu}{n} \ln p

    Parameters
    ----------
    probability : array_like, [-]
        p, the probability that the user asks for; in [0, 1].
    nodes : array_like, [-]
        n, nodes the job holds; whole, >= 1.
    node_mtbf : array_like, [time]
        mu, mean uptime between failures of one node, repair excluded; > 0, inf if it
        never fails.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. For probability 0, or without failures: inf, and
        so for overflow.

    Notes
    -----
    Exact: the inverse of `promised_probability`, under its assumptions.
    Source: eq. (3) of [1]_ with equality.

    Judged for nodes 1 to 1e6, probability 1e-6 to 0.999999. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. J. Oliner, L. Rudolph, R. K. Sahoo, J. E. Moreira and M. Gupta, "Probabilistic QoS
       guarantees for supercomputing systems", DSN 2005.

    Examples
    --------
    >>> round(float(longest_promise(0.9, nodes=16, node_mtbf=1000.0)), 4)
    6.585
    """
    p, n, mu = checked(probability=probability, nodes=nodes, node_mtbf=node_mtbf)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        found = np.where(np.isinf(mu), np.inf, mu / n * (0.0 - np.log(p)))
    return answer(found, probability, nodes, node_mtbf)


def checkpoint_gain(
    failure_probability: ArrayLike, *, unsaved: ArrayLike, checkpoint_cost: ArrayLike
) -> FloatArray:
    r"""Mean time saved by granting a requested checkpoint instead of skipping it.

    .. math:: G = p_f d I - C

    Parameters
    ----------
    failure_probability : array_like, [-]
        p_f, that the job is struck before its next checkpoint is complete; in [0, 1].
    unsaved : array_like, [time]
        d I, execution since the last completed checkpoint; >= 0.
    checkpoint_cost : array_like, [time]
        C, of this checkpoint, and of the next one about as much; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Grant where it is >= 0.

    Notes
    -----
    Exact: the difference of the two mean costs of [1]_, p_f((d + 1)I + C) and
    p_f(I + 2C) + (1 - p_f)C; in the model a failure strikes when the next checkpoint is about to
    be complete, and never during this one.
    Source: eq. (1) of [1]_, which asks whether G >= 0.

    Judged for failure_probability 0 to 1, and any other ratio from 1e-6 to 1e6. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] A. J. Oliner, L. Rudolph, R. K. Sahoo, J. E. Moreira and M. Gupta, "Probabilistic QoS
       guarantees for supercomputing systems", DSN 2005.

    Examples
    --------
    >>> checkpoint_gain([0.1, 0.3], unsaved=3600.0, checkpoint_cost=720.0).tolist()
    [-360.0, 360.0]
    """
    p, t, c = checked(
        failure_probability=failure_probability, unsaved=unsaved, checkpoint_cost=checkpoint_cost
    )
    return answer(p * t - c, failure_probability, unsaved, checkpoint_cost)


def risk_based_interval(
    interval: ArrayLike, *, mtbf: ArrayLike, checkpoint_cost: ArrayLike
) -> FloatArray:
    r"""Work between granted checkpoints where the risk is that of exponential failures.

    .. math:: w = I \left\lceil \frac{C}{p_f I} \right\rceil, p_f = 1 - e^{-(I + 2C)/\mu}

    Parameters
    ----------
    interval : array_like, [time]
        I, work between two requests, checkpoint excluded; > 0.
    mtbf : array_like, [time]
        mu, mean uptime between failures of the job's nodes, repair excluded; > 0, inf if they
        never fail.
    checkpoint_cost : array_like, [time]
        C; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. At least `interval`; inf without failures, unless
        the checkpoint is free.

    Notes
    -----
    Exact: the rule of [1]_, with p_f from the request to the end of the next checkpoint. The rule
    looks ahead to the next request only: where requests are frequent it waits far too long (up to
    mu C/(I + 2C)), and where I is chosen so that every request is just granted, I is about
    sqrt(mu C), a factor sqrt(2) below `optimal_interval_young`. `regret` computes what that costs.
    Source: eq. (1) of [1]_ applied to a constant rate.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. J. Oliner, L. Rudolph, R. K. Sahoo, J. E. Moreira and M. Gupta, "Probabilistic QoS
       guarantees for supercomputing systems", DSN 2005.

    Examples
    --------
    >>> risk_based_interval([1.0, 7.0, 20.0], mtbf=100.0, checkpoint_cost=0.5).tolist()
    [26.0, 7.0, 20.0]
    """
    span, mu, c = checked(
        interval=positive("interval", interval), mtbf=mtbf, checkpoint_cost=checkpoint_cost
    )
    with np.errstate(all="ignore"):
        ahead = 2.0 * (0.5 * span / mu + c / mu)
        # A tiny chance is (I + 2C)/mu to rounding, and may underflow.
        tiny = 0.5 * c / (0.5 * span + c) * mu
        granted = np.where(ahead < 1e-16, tiny, c / -np.expm1(-ahead))
        requests = granted / span
        found = np.where(requests < 2.0**53, span * np.maximum(np.ceil(requests), 1.0), granted)
    found = np.where(np.isinf(mu), np.inf, found)
    return answer(np.where(c > 0.0, found, span), interval, mtbf, checkpoint_cost)


ROWS = (
    Formula(
        promised_probability,
        "qos",
        "3.5, constant rate",
        "exact",
        ranges={"nodes": (1.0, 1e6), "duration/node_mtbf": ANY},
        trend=Trend(rising=("node_mtbf",), falling=("duration", "nodes")),
    ),
    Formula(
        longest_promise,
        "qos",
        "(3), constant rate",
        "exact",
        ranges={"nodes": (1.0, 1e6), "probability": (1e-6, 0.999999)},
        trend=Trend(rising=("node_mtbf",), falling=("probability", "nodes")),
    ),
    Formula(
        checkpoint_gain,
        "qos",
        "(1)",
        "exact",
        ranges={"failure_probability": (0.0, 1.0), "unsaved/checkpoint_cost": ANY},
        trend=Trend(rising=("failure_probability", "unsaved"), falling=("checkpoint_cost",)),
    ),
    Formula(
        risk_based_interval,
        "qos",
        "(1), constant rate",
        "exact",
        ranges={"interval/mtbf": ANY, **COST},
        domain={"interval": (0.05, 1.0), "mtbf": (1.0, 1.0), "checkpoint_cost": (1e-3, 0.5)},
        trend=Trend(rising=("mtbf", "checkpoint_cost")),
    ),
)
