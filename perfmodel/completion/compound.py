r"""The exact law of the completion time in the model of Wu, Sun and Jin.

The process is that of `perfmodel.makespan.wsj`: a Poisson number of failures, each of which costs a
busy period of repairs and a recovery. The time lost is then a compound Poisson sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ComplexArray, FloatArray, nonnegative, positive, positive_or_inf, scalar
from .._ranges import LAW_OF_TASK, NEVER_FAIL
from .._special import power_of_two
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import law_of
from ..makespan import wsj_mean, wsj_variance
from ._first_failures import Visit
from ._struck_process import StruckProcess
from ._uptimes import attempt, attempt_lasting
from .law import (
    CertainCompletionTime,
    InvertedCompletionTime,
    NeverCompletionTime,
    require_spread,
)
from .repairs import Repair, busy_period_mean, followed, repair_of
from .stepped import SteppedCompletionTime

_LEAST = 1e-290  # failures, on average, below which the chance of any is hardly a float
_SHORT = 1e-40  # of the work: shorter segments
_NOTHING = 1e-100  # of a rework: a repair that changes no digit of any time


def wsj_compound(
    work: float,
    *,
    mtbf: float,
    downtime: float | Lifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
    recovery_cost: float | Lifetime | None = None,
) -> InvertedCompletionTime | SteppedCompletionTime | NeverCompletionTime | CertainCompletionTime:
    r"""Exact law of the completion time in the model of Wu, Sun and Jin.

    .. math::
        E[e^{-sT}] = \exp\bigl(-s w (1 + \alpha/\gamma)
                     - \lambda w (1 - \phi(s) \zeta(s))\bigr), \quad
        \zeta(s) = \frac{\lambda}{\lambda + s}
                   \frac{1 - e^{-(\lambda + s)\gamma}}{1 - e^{-\lambda\gamma}}

    with phi the transform of the busy period of repairs and zeta that of the rework, or of
    `recovery_cost` where that is given.

    Parameters
    ----------
    work : float, [time]
        w, failure-free compute time of the task, checkpoints excluded; > 0.
    mtbf : float, [time]
        1/lambda, mean time between failures; > 0, inf if there are none.
    downtime : float or Lifetime, [time]
        Repair: fixed and >= 0, or a law; its load (mean/`mtbf`) < 1.
    interval : float, [time]
        gamma, work per segment, checkpoint excluded; > 0, inf without checkpoints.
    checkpoint_cost : float, [time]
        alpha, the paper's storage cost; >= 0.
    recovery_cost : float, Lifetime or None, [time]
        All that a failure costs after its repair: fixed and >= 0, or a law. None is the rework
        within an interval.

    Returns
    -------
    InvertedCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`.

    Notes
    -----
    Exact but for the inversion, whose error is that of `exact_makespan`; `error` has it. It is
    larger where downtime and recovery cost both have a density that is large near 0, as two
    Weibull laws of shapes below 1/2 have. Exact inside its model only: in the physical process
    rework and checkpoints fail too.
    Source: derived from the process of [1]_, section 2, which gives only moments.

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
    >>> task = wsj_compound(128.0, mtbf=64.0, downtime=Exponential(2.0), interval=4.0)
    >>> round(task.mean, 2), round(float(task.cdf(136.0)), 4)
    (136.09, 0.5663)
    """
    w, mu, gamma, alpha = checked_task(work, mtbf, interval, checkpoint_cost)
    repair = law_of("downtime", downtime)
    own = None if recovery_cost is None else law_of("recovery_cost", recovery_cost)
    moments: dict[str, Any] = {"mtbf": mu, "downtime": repair, "recovery_cost": own}
    mean = wsj_mean(w, interval=gamma, checkpoint_cost=alpha, **moments)
    std = math.sqrt(wsj_variance(w, interval=gamma, **moments))
    start = w * (1.0 + alpha / gamma)
    if not start < math.inf:
        return NeverCompletionTime(start)
    busy_period_mean(mtbf=mu, downtime=repair)  # refuses a load of 1 and more
    if not 1e-140 < std < math.inf:  # its square leaves the floats
        known = (w, repair.mean, 0.0 if own is None else own.mean)
        unit = power_of_two(max(each for each in known if each < math.inf))
        std = _far_std(w, std, unit=unit, interval=gamma, **moments)
    if w / mu < _LEAST or (own is not None and own.mean == repair.mean == 0.0):
        return CertainCompletionTime(start)
    # With times near 1 nothing overflows on the way.
    unit = power_of_two(w)
    lost = (float(mean) - start) / unit
    require_spread(lost, std / unit, failures=w / mu, of="wsj_mean")
    w, mu, gamma, alpha = w / unit, mu / unit, gamma / unit, alpha / unit
    rework = unit * min(gamma, mu) if own is None else own.mean
    if repair.mean * (1.0 + math.sqrt(repair.scv)) < _NOTHING * rework:
        downtime = 0.0  # its own scale and that of rework might not both fit into a float
    down = repair_of(downtime, unit=unit, work=work, mean_of="wsj_mean").struck(mu)
    if own is not None:
        gamma = 0.0  # nothing is repeated but what the law says
        recovery = repair_of(own, unit=unit, work=work, mean_of="wsj_mean", name="recovery_cost")
        down = both = followed(down, recovery, 1.0 / mu)
        steps = both.steps(w / mu)
        if steps is not None:
            values = start + unit * steps.values
            return SteppedCompletionTime(values, steps.weights, float(mean), std * std)
    rate = 1.0 / mu
    return InvertedCompletionTime(
        start=start,
        mean=float(mean),
        std=std,
        # Beyond 1000 mtbf no rework is truncated; one below 1e-40 of the work changes no digit.
        lost=CompoundProcess(rate, w, min(max(gamma, _SHORT * w), 1e3 * mu), down),
        unit=unit,
    )


def _far_std(work: float, known: float, *, unit: float, **given: Any) -> float:
    """Return the standard deviation, [time], by times in a unit, if laws can be in it."""
    try:
        near: dict[str, Any] = {
            name: one.scaled(1.0 / unit) if isinstance(one, Lifetime) else one and one / unit
            for name, one in given.items()
        }
    except ValueError:  # its parameters would leave the floats
        return known
    return unit * math.sqrt(wsj_variance(work / unit, **near))


def checked_task(
    work: float, mtbf: float, interval: float, checkpoint_cost: float
) -> tuple[float, float, float, float]:
    """Return the numbers of one task, or raise naming the one at fault."""
    return (
        scalar(positive, "work", work),
        scalar(positive_or_inf, "mtbf", mtbf),
        scalar(positive_or_inf, "interval", interval),
        scalar(nonnegative, "checkpoint_cost", checkpoint_cost),
    )


@dataclass(frozen=True, slots=True)
class PoissonCounting:
    """The power series of a Poisson number of reworks, exp(failed z).

    Parameters
    ----------
    count : int, [-]
        Failures so far.
    log_unit : float, [-]
        Logarithm of the unit.
    value : ndarray, [-]
        Coefficients.
    failed : ndarray, [-]
        Transform of one rework times the mean number of failures.
    """

    count: int
    log_unit: float
    value: ComplexArray
    failed: ComplexArray

    def following(self) -> PoissonCounting:
        """Return the coefficients with one failure more."""
        value = self.value * self.failed / (self.count + 1)
        size = float(abs(value[0]))
        log_unit = self.log_unit
        if not 1e-100 < size < 1e100:
            value, log_unit = value / size, log_unit + math.log(size)
        return PoissonCounting(self.count + 1, log_unit, value, self.failed)


@dataclass(frozen=True)
class CompoundProcess(StruckProcess):
    """A Poisson number of failures, each a busy period of repairs and a rework within a segment.

    Parameters
    ----------
    rate : float, [1/time]
        Of failures.
    work, segment : float, [time]
        Of the task, and between two checkpoints.
    down : Repair
        The busy periods.
    """

    rate: float
    work: float
    segment: float
    down: Repair
    delay = 0.0  # there is no recovery apart from the repair

    @property
    def busy(self) -> float:
        """The work, [time]."""
        return self.work

    @property
    def abscissa(self) -> float:
        """How far left of 0 the transform reaches, [1/time]."""
        return self.down.abscissa

    def _visits(self, depth: int) -> Iterator[Visit]:
        atom = math.exp(self.log_atom)
        for n in range(1, depth + 1):
            yield Visit(atom * self._count**n / math.factorial(n), 0.0, (self.segment,) * n)

    @property
    def scale(self) -> float:
        """What one failure costs, roughly, [time]."""
        return self.finest + (self.down.mean if math.isfinite(self.down.mean) else 0.0)

    @property
    def finest(self) -> float:
        """What one rework takes, roughly, [time]."""
        return min(self.segment, 1.0 / self.rate)

    @property
    def extent(self) -> float:
        """What all failures cost, roughly, [time]."""
        return self.scale * self.work * self.rate

    @property
    def counted(self) -> CompoundProcess:
        """The process itself: its failures can be counted."""
        return self

    @property
    def attempt(self) -> float:
        """The longest rework, [time]."""
        return self.segment

    @property
    def lost(self) -> float:
        """What a failure costs but for its downtime, at most, [time]."""
        return self.finest

    @property
    def failures(self) -> float:
        """Mean number of busy periods, [-]."""
        return self.work * self.rate

    @property
    def spacing(self) -> float:
        """What every repair takes, [time]; 0 unless they are all equal."""
        return self.down.spacing

    @property
    def load(self) -> float:
        """Mean number of failures that strike a repair, [-]."""
        return self.down.load

    def counting(self, s: ComplexArray) -> PoissonCounting:
        """Return the coefficient of z^0; z is the transform of a busy period."""
        one = np.ones_like(s)
        return PoissonCounting(
            0, self.log_atom, one, self._count * attempt(s, self.rate, self.segment)
        )

    @property
    def _count(self) -> float:
        """Mean number of failures over the probability that a rework fits, [-]."""
        x = self.rate * self.segment
        # The same but for rounding, also where x underflows.
        return self.work / self.segment if x < 1e-17 else self.work * self.rate / -math.expm1(-x)

    def rest_bound(self, s: ComplexArray) -> FloatArray:
        """Return a bound on the transform but for its first failures, from moduli alone, [-]."""
        failed = np.abs(attempt(s, self.rate, self.segment) * self.down.transform(s))
        with_all = np.exp(self._count * failed + self.log_atom)
        return np.asarray(with_all - math.exp(self.log_atom) - self.first_failures.bound(s))

    def resonances(self) -> FloatArray:
        """Return heights at which the transform may rise again, [1/time], sorted."""
        return self._known.resonances(0.0, self.segment)

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s E)] less the log of the atom."""
        with np.errstate(all="ignore"):
            failed = attempt(s, self.rate, self.segment) * self.down.transform(s)
            return np.asarray(self._count * failed)

    def log_transform(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s E)], relatively accurate also near s = 0."""
        with np.errstate(all="ignore"):
            cut = attempt(s, self.rate, self.segment)
            lost = attempt_lasting(s, self.rate, self.segment) + cut * self.down.complement(s)
            return np.asarray(-self._count * lost)


ROWS = (
    Formula(
        wsj_compound,
        "derived",
        "process of (1)",
        "exact",
        ranges=LAW_OF_TASK,
        within=NEVER_FAIL,
        trend=Trend(rising=("work", "checkpoint_cost", "downtime"), falling=("mtbf",)),
    ),
)
