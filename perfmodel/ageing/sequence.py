r"""Intervals that change with the age of the machine: the best ones, and two rules of thumb.

The job is that of `perfmodel.ageing.share`. After a failure the sequence starts again.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_banded
from scipy.optimize import brentq

from .._checks import FloatArray, comparable, nonnegative, positive, scalar, shown
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ._cells import has_density
from .share import finite_uptime

_TAIL = 1e-12  # probability of an uptime beyond the last interval
_FINE = 10.0  # nodes of the first search per interval of the hazard rule
_LEAST, _MOST = 1_000, 20_000  # nodes, and the most intervals
_STEPS = 60
_ROUNDING = 1e-13  # of the value of a sequence
_UNEVEN = 1e-9  # gradient over the chance of an uptime, of no stationary sequence
_EVEN = 1e-13  # of one that hardly comes nearer


def optimal_intervals_ageing(
    *, uptime: Lifetime, checkpoint_cost: float, recovery_cost: float = 0.0
) -> FloatArray:
    r"""Intervals by age that maximise the useful share of a long job.

    .. math:: w_i f(t_i) = S(t_i) - S(t_{i+1}), \quad t_i = R + \sum_{j \le i} (w_j + C)

    Parameters
    ----------
    uptime : Lifetime, [time]
        Law of every uptime, with a density and a finite mean.
    checkpoint_cost : float, [time]
        C, to write a checkpoint; > 0.
    recovery_cost : float, [time]
        R, to read a checkpoint back, at the start of an uptime; >= 0.

    Returns
    -------
    ndarray, [time]
        Work between two checkpoints, from the start of an uptime on, until an uptime lasts
        longer with probability 1e-12; shape (n,).

    Raises
    ------
    ValueError
        If no interval saves any work, or there would be more than about 20,000 of them.
    TypeError
        If `uptime` has no density.

    Notes
    -----
    Exact: a dynamic programme over ages finds how many checkpoints there are and roughly when,
    Newton's method the stationary sequence near it. The gain over the best constant interval is
    below 0.8 points of the useful share for Weibull shapes from 0.5 to 1.5, but 5 points for
    some bathtubs.
    Source: derived in tests/derivations/test_ageing.py; that maximising the work before the next
    failure is optimal in the long run was read in the abstract of [1]_.

    Judged for checkpoint_cost/uptime 0.003 to 0.1, recovery_cost/uptime 0.001 to 0.1, cv of uptime
    0.4 to 2.5. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011. Only the abstract was seen.

    Examples
    --------
    >>> from perfmodel import Weibull
    >>> best = optimal_intervals_ageing(uptime=Weibull(0.5, 12.0), checkpoint_cost=1 / 6)
    >>> best[:3].round(4).tolist()
    [1.5641, 1.9746, 2.2603]
    """
    law, cost, recovery = _checked(uptime, checkpoint_cost, recovery_cost)
    nodes = _nodes(law, cost, recovery)
    times, value, far = _newton(law, _programme(law, nodes, cost), cost, recovery)
    while not far <= _UNEVEN and times.size > 1:  # the last interval may have shrunk to nothing
        fewer = _newton(law, times[:-1], cost, recovery)
        if not fewer[1] >= value * (1.0 - _ROUNDING):
            break
        times, value, far = fewer
    if not far <= _UNEVEN:
        raise _too_many(cost)
    return np.asarray(np.diff(times, prepend=recovery) - cost)


def hazard_intervals(
    *, uptime: Lifetime, checkpoint_cost: float, recovery_cost: float = 0.0
) -> FloatArray:
    r"""Intervals by age that follow the hazard, as Young's follows the MTBF.

    .. math:: w = \sqrt{2 C / h(t + w/2)}

    Parameters
    ----------
    uptime : Lifetime, [time]
        Law of every uptime, with a density and a finite mean.
    checkpoint_cost : float, [time]
        C, to write a checkpoint; > 0.
    recovery_cost : float, [time]
        To read a checkpoint back, at the start of an uptime; >= 0.

    Returns
    -------
    ndarray, [time]
        Work between two checkpoints, from the start of an uptime on, until an uptime lasts
        longer with probability 1e-12; shape (n,).

    Raises
    ------
    ValueError
        If the checkpoint cost is not from 1e-5 to 1e5 mean uptimes, or there would be more than
        about 20,000 intervals.
    TypeError
        If `uptime` has no density.

    Notes
    -----
    Exact rule, not optimal: t is the age at the start of the interval, and the hazard that in
    the middle of its work, since a falling one may be infinite at 0. For Weibull shapes from 0.5 to
    1.5 and costs up to 4 % of the mean uptime its useful share is less than 0.04 points below
    the best. `useful_share_ageing` gives what any sequence costs.
    Source: [1]_, which was not read; the middle of the interval is chosen here.

    Judged for checkpoint_cost/uptime 0.003 to 0.1, recovery_cost/uptime 0.001 to 0.1, cv of uptime
    0.4 to 2.5. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] Y. Ling, J. Mi and X. Lin, "A variational calculus approach to optimal checkpoint
       placement", IEEE Transactions on Computers 50, 2001.

    Examples
    --------
    >>> from perfmodel import Weibull, useful_share_ageing
    >>> job = {"uptime": Weibull(0.5, 12.0), "checkpoint_cost": 1 / 6}
    >>> round(useful_share_ageing(hazard_intervals(**job), **job), 6)
    0.902554
    """
    law, cost, recovery = _checked(uptime, checkpoint_cost, recovery_cost)
    end = float(law.ppf(1.0 - _TAIL))
    return _one_by_one([], recovery, end, cost, lambda age: _by_hazard(law, age, cost, end))


def lazy_intervals(
    *, uptime: Lifetime, checkpoint_cost: float, recovery_cost: float = 0.0
) -> FloatArray:
    r"""Intervals by age that grow with the time since the last failure, to write less.

    .. math:: w_1 = w_Y = \sqrt{2 C \mu}, \quad w = w_Y (t/w_Y)^{1 - k}

    Parameters
    ----------
    uptime : Lifetime, [time]
        Law of every uptime; it must be a Weibull law, k its shape and mu its mean.
    checkpoint_cost : float, [time]
        C, to write a checkpoint; > 0.
    recovery_cost : float, [time]
        To read a checkpoint back, at the start of an uptime; >= 0.

    Returns
    -------
    ndarray, [time]
        Work between two checkpoints, from the start of an uptime on, until an uptime lasts
        longer with probability 1e-12; shape (n,).

    Raises
    ------
    ValueError
        If the checkpoint cost is not from 1e-5 to 1e5 mean uptimes, or there would be more than
        about 20,000 intervals.

    Notes
    -----
    Exact rule, not optimal: it is meant to write less, and it lowers the useful share where
    failures come early. t is the age at the start of the interval, checkpoints included.
    Source: [1]_, which was not read; the formula is recalled.

    Judged for checkpoint_cost/uptime 0.003 to 0.1, recovery_cost/uptime 0.001 to 0.1, cv of uptime
    0.4 to 2.5. Times must be comparable. Errors: see `perfmodel`.

    References
    ----------
    .. [1] D. Tiwari, S. Gupta and S. S. Vazhkudai, "Lazy checkpointing", DSN, 2014.

    Examples
    --------
    >>> from perfmodel import Weibull, useful_share_ageing
    >>> job = {"uptime": Weibull(0.5, 12.0), "checkpoint_cost": 1 / 6}
    >>> round(useful_share_ageing(lazy_intervals(**job), **job), 6)
    0.866639
    """
    law, cost, recovery = _checked(uptime, checkpoint_cost, recovery_cost)
    shape = getattr(law, "shape", None)
    if type(law).__name__ != "Weibull" or shape is None:
        raise TypeError(f"uptime must be a Weibull law for this rule, got {shown(law)}")
    young, power = math.sqrt(2.0 * cost * law.mean), 1.0 - shape
    age, end = recovery + young + cost, float(law.ppf(1.0 - _TAIL))
    return _one_by_one([young], age, end, cost, lambda age: young * (age / young) ** power)


def _one_by_one(
    found: list[float], age: float, end: float, cost: float, following: Callable[[float], float]
) -> FloatArray:
    """Return intervals, each that of an age, until an uptime lasts no longer."""
    while age < end:
        if len(found) == _MOST:
            raise _too_many(cost)
        found.append(following(age))
        age += found[-1] + cost
    return np.array(found)


def _too_many(cost: float) -> ValueError:
    return ValueError(
        f"checkpoint_cost must be so large that there are less than about {_MOST} intervals until "
        f"an uptime lasts longer with probability {_TAIL:g}, got {cost!r}"
    )


def _checked(
    uptime: Lifetime, checkpoint_cost: float, recovery_cost: float
) -> tuple[Lifetime, float, float]:
    law = finite_uptime(uptime)
    if not has_density(law):
        raise TypeError(
            f"uptime must have a density for intervals by age, got {shown(law)}: fit a law to it"
        )
    cost = scalar(positive, "checkpoint_cost", checkpoint_cost)
    recovery = scalar(nonnegative, "recovery_cost", recovery_cost)
    comparable(
        uptime=np.asarray(law.mean),
        checkpoint_cost=np.asarray(cost),
        recovery_cost=np.asarray(recovery),
    )
    if not 1e-5 <= cost / law.mean <= 1e5:
        raise ValueError(
            "checkpoint_cost must be from 1e-05 to 1e+05 mean uptimes for intervals by age, got "
            f"{cost / law.mean!r}: optimal_interval_ageing takes any"
        )
    return law, cost, recovery


def _by_hazard(law: Lifetime, age: float, cost: float, end: float) -> float:
    """Return the first root w of w^2 h(age + w/2) = 2 C; a bathtub has several."""
    tried = max(end - age, cost) * np.append(1e-100, np.geomspace(1e-9, 1.0, 300))
    with np.errstate(invalid="ignore"):
        above = np.flatnonzero(tried**2 * law.hazard(age + 0.5 * tried) >= 2.0 * cost)
    if not above.size:
        return float(tried[-1])
    return float(
        brentq(
            lambda w: w * w * float(law.hazard(age + 0.5 * w)) - 2.0 * cost,
            tried[above[0] - 1],
            tried[above[0]],
            xtol=1e-300,
            rtol=1e-14,
        )
    )


def _nodes(law: Lifetime, cost: float, recovery: float) -> FloatArray:
    """Return ages between which checkpoints are placed, close where failures are frequent."""
    end = float(law.ppf(1.0 - _TAIL))
    if not end > recovery + cost:
        raise ValueError(
            "checkpoint_cost and recovery_cost must leave time in some uptime, got "
            f"{cost + recovery!r} with uptimes up to {end!r}"
        )
    near = np.geomspace(1e-6, 1.0, 2000)
    even = np.linspace(0.0, 1.0, 2001)
    at = recovery + (end - recovery) * np.unique(np.concatenate([near, even, 1.0 - near]))
    middle = 0.5 * (at[1:] + at[:-1])
    with np.errstate(divide="ignore", over="ignore"):  # where hardly anything fails
        own = np.minimum(np.sqrt(2.0 * cost / law.hazard(middle)), law.mean)
    spacing = np.maximum(own / _FINE, cost / 16.0)
    passed = np.append(0.0, np.cumsum(np.diff(at) / spacing))
    count = int(np.clip(passed[-1], _LEAST, _MOST))
    return np.asarray(np.interp(np.linspace(0.0, passed[-1], count), passed, at))


def _programme(law: Lifetime, nodes: FloatArray, cost: float) -> FloatArray:
    """Return the best ages at which checkpoints are complete, among nodes; backwards."""
    sf = law.sf(nodes)
    value, following = np.zeros(nodes.size), np.full(nodes.size, -1)
    ahead = nodes - cost
    for place in range(nodes.size - 2, -1, -1):
        gain = (ahead[place + 1 :] - nodes[place]) * sf[place + 1 :] + value[place + 1 :]
        best = int(np.argmax(gain))
        if gain[best] > 0.0:
            value[place], following[place] = gain[best], place + 1 + best
    found, place = [], int(following[0])
    while place >= 0:
        found.append(nodes[place])
        place = int(following[place])
    return np.array(found)


def _newton(
    law: Lifetime, times: FloatArray, cost: float, recovery: float
) -> tuple[FloatArray, float, float]:
    """Climb from `times` to the stationary sequence near it; return how good it is, how far off."""

    def value(t: FloatArray) -> float:
        work = np.diff(t, prepend=recovery) - cost
        return float(np.dot(work, law.sf(t))) if (work > 0.0).all() else -math.inf

    def uneven(t: FloatArray) -> tuple[FloatArray, float]:
        """Return the gradient, and how far the sequence is from a stationary one."""
        sf = law.sf(t)
        gradient = sf - (np.diff(t, prepend=recovery) - cost) * law.pdf(t) - np.append(sf[1:], 0.0)
        with np.errstate(invalid="ignore"):  # where the last interval ends with all uptimes
            return gradient, float(np.max(np.abs(gradient) / sf))

    best, damping = value(times), 0.0
    gradient, far = uneven(times)
    for _ in range(_STEPS):
        density = law.pdf(times)
        work = np.diff(times, prepend=recovery) - cost
        h = 1e-5 * np.minimum(work, times)
        slope = (law.pdf(times + h) - law.pdf(times - h)) / (2.0 * h)
        bend = 2.0 * density + work * slope
        bands = np.zeros((3, times.size))
        bands[0, 1:] = bands[2, :-1] = -density[1:]
        while damping < 1e12:
            bands[1] = bend + damping * np.abs(bend) + 1e-300
            step = solve_banded((1, 1), bands, gradient)
            other = times + step
            found = value(other)
            if found >= best * (1.0 - _ROUNDING):  # near the best it is the same to rounding
                break
            damping = max(4.0 * damping, 1e-3)
        else:
            break
        times, best, (gradient, far) = other, found, uneven(other)
        damping *= 0.25
        if far <= _EVEN:
            break
    return times, best, far


_RANGES = {
    "checkpoint_cost/uptime": (0.003, 0.1),
    "recovery_cost/uptime": (1e-3, 0.1),
    "cv of uptime": (0.4, 2.5),
}

ROWS = tuple(
    Formula(function, source, equation, "exact", ranges=_RANGES, trend=Trend())
    for function, source, equation in (
        (optimal_intervals_ageing, "derived", "renewal at each failure"),
        (hazard_intervals, "ling2001", "recalled"),
        (lazy_intervals, "tiwari2014", "recalled"),
    )
)
