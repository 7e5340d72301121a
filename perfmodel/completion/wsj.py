r"""Completion time in the model of Wu, Sun and Jin: their Gamma form, and the exact law.

The process of `perfmodel.makespan.wsj`: the number of failures is Poisson, each costs a busy period
of repairs and a rework. The paper approximates the time lost, given any failure, by a Gamma law;
the same process has an exact law, a compound Poisson sum, to which the approximation is compared.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import FloatArray, flag, positive_or_inf, scalar, shown
from .._ranges import LAW_OF_TASK, NEVER_FAIL
from .._special import truncated_exponential_mean, truncated_exponential_variance
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import law_of
from ..validity import Range, ValidityWarning
from . import compound
from .compound import checked_task, wsj_compound
from .law import CertainCompletionTime, CompletionTime, NeverCompletionTime
from .repairs import busy_period_mean

# Absolute, in the cdf. The worst constant repair, 0.205, is at 1.04 failures; the worst of two
# values, 0.247, has nearly all its variance from repairs that few tasks see. See `gamma_error`.
GAMMA_RANGE = Range("std/mean of the time lost to failures", 0.7, 0.25)
_EVEN = Range("cv of downtime", 2.0, GAMMA_RANGE.error)
_CLOSE = 1e-5  # of the distance
_NOTHING = 1e-7  # sf that is taken for 0
_HALVINGS = 80
_PATIENT = 20  # halvings, after which the exact law may be too rough: to know its error is dear
_MOST = 1e154  # variance of a repair over its squared mean, beyond which a float holds no law
_FULL = 1e-6  # less 1: a load up to which the grid holds both a repair and the mean busy period


def wsj_makespan(
    work: float,
    *,
    mtbf: float,
    downtime: float | Lifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
    recovery_cost: float | Lifetime | None = None,
    printed: bool = False,
) -> GammaCompletionTime | CertainCompletionTime | NeverCompletionTime:
    r"""Completion time of a task in the model of Wu, Sun and Jin: an atom and a Gamma law.

    .. math::
        P(T \le t) &= e^{-\lambda w} + (1 - e^{-\lambda w}) P(U \le t - w'), \quad t \ge w' \\
        E[U] &= m/p, \quad V[U] = (V[T] + m^2)/p - (m/p)^2, \quad p = 1 - e^{-\lambda w}

    with m the mean of all time lost to failures, V[T] from eq. (4), and w' = w(1 + alpha/gamma).

    Parameters
    ----------
    work : float, [time]
        w, failure-free compute time of the task, checkpoints excluded; > 0.
    mtbf : float, [time]
        1/lambda, mean time between failures; > 0, inf if there are none.
    downtime : float or Lifetime, [time]
        Repair: fixed and >= 0, or a law with a finite variance; its load (mean/`mtbf`) < 1.
    interval : float, [time]
        gamma, work per segment, checkpoint excluded; > 0, inf without checkpoints.
    checkpoint_cost : float, [time]
        alpha, the paper's storage cost; >= 0. Without effect if `printed`.
    recovery_cost : float, Lifetime or None, [time]
        All that a failure costs after its repair: fixed and >= 0, or a law with a finite
        variance. None is the rework within an interval.
    printed : bool, [-]
        Eq. (5)-(7) as printed: the atom at w, and V[U] = V[T]/p.

    Returns
    -------
    GammaCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Raises
    ------
    ValueError
        If the variance is infinite.

    Warns
    -----
    ValidityWarning
        Beyond std/mean of the time lost to failures = 0.7. The Gamma law then has much of its
        mass near a loss of 0. Also beyond a cv of downtime or recovery cost of 2, where a few long
        ones make a variance that most tasks do not see. The cdf may be off by more; `gamma_error`
        says by how much.

    Notes
    -----
    Approximation of `wsj_compound`: without a warning the cdf is within 25 % of 1; mean and
    variance are exact unless `printed`. The paper's eq. (7) drops the variance between runs with
    and without failures; its eq. (5) leaves checkpoints out of the support.
    Source: [1]_, eq. (5)-(7), (10)-(13).

    Judged for interval/mtbf 1e-4 to 50, work/interval 1 to 1e6, checkpoint_cost/interval 1e-4 to
    10, cv of downtime 0 to 2, downtime/mtbf 0.001 to 0.95, in a model in which rework and
    checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import Exponential
    >>> task = wsj_makespan(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(task.mean, 2), round(task.std, 2)
    (136.09, 6.67)
    """
    w, mu, gamma, alpha = checked_task(work, mtbf, interval, checkpoint_cost)
    as_printed = flag("printed", printed)
    repair = law_of("downtime", downtime)
    busy = float(busy_period_mean(mtbf=mu, downtime=repair))  # refuses a load of 1 and more
    if not repair.scv < _MOST:
        raise ValueError(
            f"downtime must have a finite variance for a Gamma law, got {shown(downtime)}; "
            "wsj_compound has the law itself"
        )
    cost, scatter, cv = _recovery(gamma, mu, recovery_cost)
    load, one = w / mu, busy + cost
    start = w if as_printed else w * (1.0 + alpha / gamma)
    if math.isinf(load):
        return NeverCompletionTime(start)
    if not load * one > 0.0 or not start < math.inf:
        return CertainCompletionTime(start)
    failing = -math.expm1(-load)
    given = load / failing * one
    if math.isinf(given):
        return NeverCompletionTime(start)
    # Variances of one repair and of one recovery over the squared mean of one loss.
    rho = busy / (mu + busy)
    share = (busy / one) ** 2 * (repair.scv + rho) / (1.0 - rho)
    share += (scatter[0] / one) ** 2 * scatter[1]
    several = 1.0 if as_printed else _beyond_one(load)
    variation = failing / load * (share + several)
    limit, measure = GAMMA_RANGE, np.asarray(math.sqrt(variation))
    if limit.holds(measure):
        limit, measure = _EVEN, np.asarray(max(math.sqrt(repair.scv), cv))
    limit.warn("wsj_makespan", measure)
    return GammaCompletionTime(start, failing, 1.0 / variation, given * variation)


def _recovery(
    gamma: float, mu: float, recovery_cost: float | Lifetime | None
) -> tuple[float, tuple[float, float], float]:
    """Return mu_c [time], sigma_c^2 as a time [time] and its square's factor, and the law's cv."""
    if recovery_cost is not None:
        law = law_of("recovery_cost", recovery_cost)
        if not law.scv < _MOST:
            raise ValueError(
                "recovery_cost must have a finite variance for a Gamma law, "
                f"got {shown(recovery_cost)}; wsj_compound has the law itself"
            )
        return law.mean, (law.mean, law.scv), math.sqrt(law.scv)
    x = np.asarray(min(gamma / mu, 1e3) if mu < math.inf else 0.0)
    cut = gamma if gamma <= mu else mu * float(x)
    mean = cut * float(truncated_exponential_mean(x))
    return mean, (cut, float(truncated_exponential_variance(x))), 0.0


def _beyond_one(load: float) -> float:
    """Return 1 + x - x/(1 - e^-x), what more than one failure adds to the variance, for x > 0."""
    if load > 50.0:  # where 1 + x loses digits
        return 1.0
    if load > 0.1:
        return 1.0 + load + load / math.expm1(-load)
    # x/(1 - e^-x) = 1 + x/2 + x^2/12 - x^4/720 + x^6/30240 - ...
    square = load * load
    return load * (0.5 - load * (1.0 / 12.0 - square * (1.0 / 720.0 - square / 30240.0)))


def gamma_error(
    work: float,
    *,
    mtbf: float,
    downtime: float | Lifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
    recovery_cost: float | Lifetime | None = None,
) -> float:
    r"""Largest error of the cdf of `wsj_makespan` as an approximation of `wsj_compound`.

    .. math:: \sup_t |P_\Gamma(T \le t) - P(T \le t)|

    Parameters
    ----------
    work, mtbf : float, [time]
        As `wsj_makespan`; > 0.
    downtime : float or Lifetime, [time]
        Repair, with a finite variance; its load (mean/`mtbf`) up to 1 - 1e-6.
    interval, checkpoint_cost : float, [time]
        As `wsj_makespan`; > 0 and >= 0.
    recovery_cost : float, Lifetime or None, [time]
        As `wsj_makespan`; >= 0.

    Returns
    -------
    float, [-]
        The sup distance of the two laws of T; divided by 1 - exp(-work/mtbf) it is the
        distance given that there is a failure.

    Notes
    -----
    Exact to 1e-5 and 4 times the error of the exact law, both absolute, by bounds from the rise
    of the two cdfs.
    Source: derived; the two laws are those of [1]_.

    Judged for interval/mtbf 1e-4 to 50, work/interval 1 to 1e6, checkpoint_cost/interval 1e-4 to
    10, cv of downtime 0 to 30, downtime/mtbf 0.001 to 0.95, in a model in which rework and
    checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import Exponential
    >>> error = gamma_error(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(error, 3)
    0.013
    """
    mean = float(law_of("downtime", downtime).mean)
    if 1.0 - _FULL < mean / scalar(positive_or_inf, "mtbf", mtbf) < 1.0:
        raise ValueError(
            f"downtime/mtbf must be <= 1 - {_FULL:g} for a distance, got {mean / float(mtbf)!r}: "
            "nearer to 1 the Gamma law is wrong nearly everywhere; use wsj_compound"
        )
    exact = wsj_compound(
        work,
        mtbf=mtbf,
        downtime=downtime,
        interval=interval,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
    )
    with warnings.catch_warnings():
        # This function is the remedy the warning names.
        warnings.simplefilter("ignore", ValidityWarning)
        gamma = wsj_makespan(
            work,
            mtbf=mtbf,
            downtime=downtime,
            interval=interval,
            checkpoint_cost=checkpoint_cost,
            recovery_cost=recovery_cost,
        )
    if not isinstance(gamma, GammaCompletionTime):
        return 0.0
    return _largest_distance(gamma, exact)


def _largest_distance(gamma: GammaCompletionTime, exact: CompletionTime) -> float:
    """Return the sup distance of two laws with the same mean, spans halved until it is known.

    Both cdfs rise: between two times their distance is at most that of one of them at the later
    from the other at the earlier time.
    """
    # Beyond 1e6 times the mean there is less than 1e-6 left, by Markov's inequality.
    with np.errstate(over="ignore"):
        later = gamma.start + gamma.shape * gamma.scale * np.geomspace(1e-24, 1e6, 400)
    t = np.unique(np.concatenate([[gamma.start], later[later < math.inf]]))
    # Of an exact law the tail is dear, and next to nothing of it counts here.
    near = exact.ceiling(t) >= _NOTHING
    other = np.ones(t.shape)
    other[near] = exact.cdf(t[near])
    early, late = t[:-1], t[1:]
    one = gamma.cdf(t)
    values = one[:-1], other[:-1], one[1:], other[1:]
    largest = float(np.max(np.abs(one - other)))
    close = _CLOSE
    for halving in range(_HALVINGS):
        if halving == _PATIENT:
            close += 4.0 * exact.error
        most = np.maximum(values[2] - values[1], values[3] - values[0])
        middle = early + 0.5 * (late - early)
        wide = (most > largest + close) & (early < middle) & (middle < late)
        if not wide.any():
            break
        early, late, middle = early[wide], late[wide], middle[wide]
        one, other = gamma.cdf(middle), exact.cdf(middle)
        largest = max(largest, float(np.max(np.abs(one - other))))
        first, second, third, fourth = (value[wide] for value in values)
        values = (
            np.concatenate([first, one]),
            np.concatenate([second, other]),
            np.concatenate([one, third]),
            np.concatenate([other, fourth]),
        )
        early, late = np.concatenate([early, middle]), np.concatenate([middle, late])
    return largest


@dataclass(frozen=True, slots=True)
class GammaCompletionTime(CompletionTime):
    """An atom at `start`, and beyond it a Gamma law.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure.
    failing : float, [-]
        Probability of any failure.
    shape, scale : float, [-], [time]
        Of the time lost, given any failure.
    """

    start: float
    failing: float
    shape: float
    scale: float
    error = 1e-12  # of the Gamma functions
    light = True

    @property
    def mean(self) -> float:
        """The mean, [time]."""
        return self.start + self.failing * self.shape * self.scale

    @property
    def variance(self) -> float:
        """The variance, [time^2]."""
        lost = self.shape * self.scale
        return self.failing * lost * (self.scale + (1.0 - self.failing) * lost)

    @property
    def std(self) -> float:
        """The standard deviation, [time], also where no float holds its square."""
        lost = self.shape * self.scale
        apart = self.scale + (1.0 - self.failing) * lost
        if 1e-280 < self.variance < math.inf:
            return math.sqrt(self.variance)
        return math.sqrt(self.failing) * math.sqrt(lost) * math.sqrt(apart)

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.start, 1.0 - self.failing

    def _lost(self, t: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            lost = np.maximum(t - self.start, 0.0) / self.scale
        # Near the largest float the incomplete gamma function is nan off its step.
        return lost if self.shape < 1e300 else np.clip(lost, 0.99 * self.shape, 1.01 * self.shape)

    def _cdf(self, t: FloatArray) -> FloatArray:
        late = self._sf(t)
        beyond = self.failing * special.gammainc(self.shape, self._lost(t))
        # The incomplete gamma function of a tiny shape is above 1 by rounding.
        found = np.where(late < 0.5, 1.0 - late, 1.0 - self.failing + beyond)
        return np.where(t < self.start, 0.0, found)

    def _sf(self, t: FloatArray) -> FloatArray:
        beyond = self.failing * special.gammaincc(self.shape, self._lost(t))
        return np.where(t < self.start, 1.0, beyond)

    def _early(self, q: FloatArray) -> FloatArray:
        share = np.clip((q - (1.0 - self.failing)) / self.failing, 0.0, 1.0)
        return np.asarray(self.start + self.scale * special.gammaincinv(self.shape, share))

    def _late(self, p: FloatArray) -> FloatArray:
        share = np.clip(p / self.failing, 0.0, 1.0)
        return np.asarray(self.start + self.scale * special.gammainccinv(self.shape, share))


ROWS = (
    Formula(
        wsj_makespan,
        "wsj",
        "(5)-(7)",
        "approximation",
        GAMMA_RANGE,
        ranges={**LAW_OF_TASK, "cv of downtime": (0.0, _EVEN.limit)},
        within=NEVER_FAIL,
        trend=Trend(rising=("work", "checkpoint_cost", "downtime"), falling=("mtbf",)),
    ),
    *compound.ROWS,  # the law that it approximates
    Formula(
        gamma_error,
        "derived",
        "distance of the two laws",
        "exact",
        ranges=LAW_OF_TASK,
        within=NEVER_FAIL,
        trend=Trend(),
    ),
)
