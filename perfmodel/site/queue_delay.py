r"""How long a failed job waits under load until it runs again, by its recovery option.

A queue: jobs come at random (Poisson), each takes one of `places` equal parts of the machine, or
all of it (`places` = 1); first come, first served. It is in its steady state when one failure
strikes one running job; the next failure comes when the queue is in its steady state again. The
part that failed is out for the repair. Options of `aucore` III-B:

========  ==============================================  =======================================
option    where the job stands                            delay
========  ==============================================  =======================================
A         resubmitted when its walltime would have ended  `expected_resubmission_delay`
B         rear: when no other job waits                   `expected_rear_delay`, whole machine only
C         nowhere: its place is kept                      the repair
D         by its original submission                      as E: all who wait were submitted later
E         head                                            `expected_head_delay`
========  ==============================================  =======================================

There is no closed form here for B on several places during a repair (the queue then changes its
speed on the way), for D in queues that are not first come, first served, nor for jobs of
different sizes: replay those with `sim.cluster`.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer, broadcast, nonnegative, positive, whole
from .._special import erlang_b
from ..formula import ANY, Formula, Trend


def expected_head_delay(
    service_time: ArrayLike, *, places: ArrayLike, load: ArrayLike, downtime: ArrayLike
) -> FloatArray:
    r"""Mean time from a failure to the restart of a job at the head of the queue.

    .. math:: \frac{P_W}{\rho} \frac{s}{c-1} \left(1 - e^{-(c-1) D/s}\right)

    with P_W the probability (Erlang C) that a job has to wait, and D itself for c = 1.

    Parameters
    ----------
    service_time : array_like, [time]
        s, mean running time of a job, exponential unless places = 1; > 0.
    places : array_like, [-]
        c, how many jobs run at a time; whole, >= 1.
    load : array_like, [-]
        rho, share of the places in use; > 0 and below 1.
    downtime : array_like, [time]
        D, until the place that failed is back; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact for the queue of this module. A failure meets all other places taken with probability
    P_W/rho; then the job starts at the repair or at the first end of another, else at once. Under
    first come, first served it is the delay of option D, too.
    Source: derived here, in tests/derivations/test_queue_delay.py, for option E of [1]_.

    Judged for places 1 to 1000, load 0.001 to 0.999, and any other ratio from 1e-6 to 1e6. Errors:
    see `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing", section III-B.

    Examples
    --------
    >>> delay = expected_head_delay(10.0, places=[1, 4], load=0.7, downtime=6.0)
    >>> delay.round(4).tolist()
    [6.0, 1.7038]
    """
    s, c, rho, d = broadcast(
        service_time=positive("service_time", service_time),
        places=whole("places", places),
        load=_load(load),
        downtime=nonnegative("downtime", downtime),
    )
    others = np.maximum(c - 1.0, 1.0)
    with np.errstate(over="ignore"):
        ends = others * (d / s)  # of other jobs, on average, during the repair
        first = np.where((c > 1.0) & (ends > 1e-16), -np.expm1(-ends) * (s / others), d)
    return answer(_waiting_probability(c, rho) / rho * first, service_time, places, load, downtime)


def expected_rear_delay(
    service_time: ArrayLike, *, load: ArrayLike, downtime: ArrayLike, scv: ArrayLike = 1.0
) -> FloatArray:
    r"""Mean time from a failure to the restart of a job that lets everybody else go first.

    .. math:: \frac{1}{1 - \rho}\left(D + \frac{\rho s (1 + c_s^2)}{2 (1 - \rho)}\right)

    Parameters
    ----------
    service_time : array_like, [time]
        s, mean running time of a job; > 0. A job takes the whole machine.
    load : array_like, [-]
        rho, share of the time in which the machine runs a job; > 0 and below 1.
    downtime : array_like, [time]
        D, until the machine is back; >= 0.
    scv : array_like, [-]
        Squared coefficient of variation of the running time, 1 if exponential; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact for the queue of this module with places = 1 and any law of the running time: what
    waits at a failure is on average the mean wait (Pollaczek and Khinchine), to which comes the
    repair, and the delay is a busy period that begins with their sum. Jobs under other recovery
    options, if they are few, wait less by the repair, see `expected_head_delay`.
    Source: derived here, in tests/derivations/test_queue_delay.py, for option B of [1]_.

    Judged for load 0.001 to 0.999, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing", section III-B.

    Examples
    --------
    >>> delay = expected_rear_delay(100.0, load=[0.3, 0.7, 0.9], downtime=60.0)
    >>> delay.round(1).tolist()
    [146.9, 977.8, 9600.0]
    """
    s, rho, d, spread = broadcast(
        service_time=positive("service_time", service_time),
        load=_load(load),
        downtime=nonnegative("downtime", downtime),
        scv=nonnegative("scv", scv),
    )
    with np.errstate(over="ignore"):
        wait = rho * s * (0.5 + 0.5 * spread) / (1.0 - rho)
        return answer((d + wait) / (1.0 - rho), service_time, load, downtime, scv)


def expected_resubmission_delay(
    remaining: ArrayLike, *, service_time: ArrayLike, places: ArrayLike, load: ArrayLike
) -> FloatArray:
    r"""Mean time from a failure to the restart of a job whose user looks at the walltime's end.

    .. math:: u + \frac{P_W s}{c (1 - \rho)}

    with P_W the probability (Erlang C) that a job has to wait.

    Parameters
    ----------
    remaining : array_like, [time]
        u, what was left of the walltime at the failure, on average `expected_manual_wait`; >= 0.
    service_time : array_like, [time]
        s, mean running time of a job, exponential; > 0.
    places : array_like, [-]
        c, how many jobs run at a time; whole, >= 1.
    load : array_like, [-]
        rho, share of the places in use; > 0 and below 1.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact for the queue of this module if the repair takes no time: what a struck job leaves
    behind is the queue as any newcomer finds it, then and at every later time. With a repair the
    delay is longer, by at most the repair.
    Source: derived here, in tests/derivations/test_queue_delay.py, for option A of [1]_.

    Judged for places 1 to 1000, load 0.001 to 0.999, and any other ratio from 1e-6 to 1e6. Errors:
    see `perfmodel`.

    References
    ----------
    .. [1] W. Tang, Z. Lan, N. Desai and D. Buettner, "Automatic and coordinated job recovery for
       high performance computing", section III-B.

    Examples
    --------
    >>> delay = expected_resubmission_delay(50.0, service_time=100.0, places=[1, 4], load=0.7)
    >>> delay.round(2).tolist()
    [283.33, 85.72]
    """
    u, s, c, rho = broadcast(
        remaining=nonnegative("remaining", remaining),
        service_time=positive("service_time", service_time),
        places=whole("places", places),
        load=_load(load),
    )
    with np.errstate(over="ignore"):
        wait = _waiting_probability(c, rho) * s / c / (1.0 - rho)
        return answer(u + wait, remaining, service_time, places, load)


def _load(load: ArrayLike) -> FloatArray:
    rho = positive("load", load)
    full = rho >= 1.0
    if full.any():
        raise ValueError(f"load must be below 1, got {float(rho[full].flat[0])!r}")
    return rho


def _waiting_probability(c: FloatArray, rho: FloatArray) -> FloatArray:
    """Erlang C from Erlang B: no cancellation."""
    lost = erlang_b(c, rho)
    return np.asarray(lost / (1.0 - rho * (1.0 - lost)))


_QUEUE = {"places": (1.0, 1e3), "load": (1e-3, 0.999)}

ROWS = (
    Formula(
        expected_head_delay,
        "derived",
        "options D, E of aucore III-B, M/M/c",
        "exact",
        ranges={**_QUEUE, "downtime/service_time": ANY},
        trend=Trend(rising=("service_time", "load", "downtime")),
    ),
    Formula(
        expected_rear_delay,
        "derived",
        "option B of aucore III-B, M/G/1",
        "exact",
        ranges={"load": _QUEUE["load"], "scv": ANY, "downtime/service_time": ANY},
        trend=Trend(rising=("service_time", "load", "downtime", "scv")),
    ),
    Formula(
        expected_resubmission_delay,
        "derived",
        "option A of aucore III-B, M/M/c",
        "exact",
        ranges={**_QUEUE, "remaining/service_time": ANY},
        trend=Trend(rising=("remaining", "service_time", "load"), falling=("places",)),
    ),
)
