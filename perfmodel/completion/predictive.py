r"""The law of the makespan of a job on a machine whose MTBF is known from a count of failures only.

The job is that of `perfmodel.completion.exact`. Given the MTBF its makespan has that law; the MTBF
itself has the law that the count leaves open, which is that of `perfmodel.fitting.mtbf_posterior`.
Gauss's quadrature for the gamma law of the failure rate replaces the latter by few MTBFs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from .._checks import FloatArray, positive, scalar, whole
from .._special import power_of_two
from ..fitting.posterior import MtbfPosterior, mtbf_posterior
from ..formula import Formula, Trend
from ..lifetimes import Lifetime
from ..lifetimes.fixed_or_random import law_of
from ..makespan import expected_makespan, makespan_variance
from ..makespan.segments import checked_job
from .exact import exact_makespan
from .law import CompletionTime

_FEW, _MOST = 4, 128  # MTBFs in place of all
_CLOSE = 1e-4  # error of the cdf from which on they suffice
_OF_MOMENTS = 64
_LOOKS = np.array([-2.0, -0.7, 0.0, 0.7, 2.0])  # deviations, of the law at each of _LEVELS
_LEVELS = (0.1, 0.5, 0.9)
_LEAST_ERROR = 1e-8
_MOST_FAILURES = 1e9
_LEAST = 1e-17  # weight of an MTBF that is left out


def predictive_makespan(
    work: float,
    *,
    failures: float,
    observed_time: float,
    truncation: Literal["time", "failure"] = "time",
    interval: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | Lifetime = 0.0,
    final_checkpoint: bool = True,
) -> PredictiveCompletionTime:
    r"""Law of the makespan of a job whose MTBF is known from a count of failures only.

    .. math::
        P(T \le t) &= \int_0^\infty P(T \le t \mid \lambda)\,
                      \frac{T_o^k \lambda^{k-1} e^{-\lambda T_o}}{\Gamma(k)}\, d\lambda \\
        E[T] &= \sum_j \frac{T_o}{k - 1} \left[\left(1 - \tfrac{R + a_j}{T_o}\right)^{1 - k}
                - \left(1 - \tfrac{R}{T_o}\right)^{1 - k}\right]
                + D \left[\left(1 - \tfrac{R + a_j}{T_o}\right)^{-k}
                - \left(1 - \tfrac{R}{T_o}\right)^{-k}\right]

    with k = n + 1/2 or n as in `mtbf_posterior`, and a_j the work and checkpoint of segment j.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    failures : float, [-]
        n, failures seen; whole number >= 0, and above 0 if the last one ended the observation.
    observed_time : float, [time]
        T_o, total uptime in which they were seen, of the machine that runs the job; > 0.
    truncation : {"time", "failure"}, [-]
        What ended the observation: a ``time`` fixed beforehand, or ``failure`` number n.
    interval : float, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    checkpoint_cost, recovery_cost : float, [time]
        C and R; >= 0.
    downtime : float or Lifetime, [time]
        D, fixed and >= 0, or a law.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.

    Returns
    -------
    PredictiveCompletionTime, [time]
        With `mean`, `std`, `atom`, `cdf`, `sf`, `ppf`, `isf` and `error`; moments may be infinite.

    Raises
    ------
    ValueError
        If more than 1e9 failures are expected in the time that the job takes without any.

    Notes
    -----
    Exact but for the `error` that it states, 1e-4 or less: the law of `exact_makespan` is mixed
    over 8 to 128 MTBFs, doubled until the next doubling would change the cdf by less. It is larger
    where far more failures are expected in the job than were seen. The mean is finite if T_o is
    longer than the longest recovery, segment and checkpoint together: a rate that makes a job
    hopeless must be improbable enough. The variance is finite if T_o is longer than twice that;
    where its integrand overflows, mostly within a tenth above, `std` is inf as well. Its law takes
    up to four seconds in the judged range, and up to a minute where most MTBFs leave the job no
    hope.
    Source: derived in tests/derivations/test_unknown_mtbf.py.

    Judged for failures 0 to 1000, work/observed_time 0.01 to 1, interval/work 0.02 to 1,
    checkpoint_cost/interval 0.01 to 1, recovery_cost/interval 0.01 to 1, downtime/interval 0.01 to
    1. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Polya, "Sur quelques points de la theorie des probabilites", Annales de l'Institut
       Henri Poincare 1, 1930 (not seen; the failures of a rate with a gamma law).

    Examples
    --------
    Four failures in 1000 hours; of a job of 100 hours one in ten takes longer than this.

    >>> makespan = predictive_makespan(
    ...     100.0, failures=4, observed_time=1000.0, interval=10.0, checkpoint_cost=0.5,
    ...     recovery_cost=0.5, downtime=2.0,
    ... )
    >>> round(float(makespan.ppf(0.9)), 2), round(makespan.mean, 2)
    (117.13, 108.75)
    """
    posterior = mtbf_posterior(
        scalar(lambda name, value: whole(name, value, least=0), "failures", failures),
        scalar(positive, "observed_time", observed_time),
        truncation=truncation,
    )
    costs: dict[str, Any] = {
        "interval": interval,
        "checkpoint_cost": checkpoint_cost,
        "recovery_cost": recovery_cost,
        "downtime": law_of("downtime", downtime),
        "final_checkpoint": final_checkpoint,
    }
    job = checked_job(work, mtbf=posterior.median, **costs)
    if job.work.ndim != 0:
        raise ValueError(
            f"arguments must be single numbers, got shape {job.work.shape}: one job a call"
        )
    shape, time = float(posterior.shape), float(posterior.observed_time)
    recovery, down = float(job.recovery_cost), float(job.downtime)

    def mean_of(length: FloatArray, cost: FloatArray) -> FloatArray:
        return np.asarray(
            mean_of_segment(float(length + cost), recovery, down, shape=shape, time=time)
        )

    start = float(job.sum(lambda length, cost: length + cost))
    if not start / time * (shape + 1.0) < _MOST_FAILURES:
        raise ValueError(
            f"observed_time must be long enough for less than {_MOST_FAILURES:g} failures to be "
            f"expected in the job, got {time!r}"
        )
    longest = recovery + float(max(job.segment + job.checkpoint_cost, job.last + job.last_cost))
    mean, (unit, own) = float(job.sum(mean_of)), _in_own_unit(start, costs)
    spans = work / unit, own, mean / unit, longest / unit
    return PredictiveCompletionTime(
        start=start,
        mean=mean,
        std=unit * _std(*spans, shape=shape, time=time / unit),
        untouched=math.exp(-shape * math.log1p(start / time)),
        mixture=Mixture(work, costs, posterior, start),
    )


def _in_own_unit(start: float, costs: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """Return a unit of time in which squares stay floats, 1 if they do, and the costs in it."""
    if 1e-140 < start < 1e140:
        return 1.0, costs
    unit, same = power_of_two(start), ("downtime", "final_checkpoint")
    try:
        downtime = costs["downtime"].scaled(1.0 / unit)
    except ValueError:  # its parameters are far from those of the job
        return 1.0, costs
    own = {name: value if name in same else value / unit for name, value in costs.items()}
    return unit, own | {"downtime": downtime}


Mixed = tuple[tuple[float, CompletionTime], ...]


class Mixture:
    """Laws of the makespan under a few MTBFs, with weights; computed when first asked for.

    Parameters
    ----------
    work : float, [time]
        Of the job.
    costs : dict
        The other arguments of `exact_makespan` but for the MTBF.
    posterior : MtbfPosterior
        Of the MTBF.
    start : float, [time]
        The completion time without any failure.
    """

    def __init__(
        self, work: float, costs: dict[str, Any], posterior: MtbfPosterior, start: float
    ) -> None:
        self._work, self._costs, self._posterior, self._start = work, costs, posterior, start

    @property
    def laws(self) -> Mixed:
        """Weights, which add up to 1, and laws."""
        return self._settled[0]

    @property
    def error(self) -> float:
        """Next change of the cdf with the number of laws, and the errors of these, [-]."""
        return self._settled[1] + sum(weight * law.error for weight, law in self.laws)

    @property
    def middle(self) -> CompletionTime:
        """The law with the largest weight."""
        return max(self.laws, key=lambda each: each[0])[1]

    def cdf(self, t: FloatArray) -> FloatArray:
        """Return the probability of at most `t` [time], [-]."""
        return _cdf(self.laws, t)

    def sf(self, t: FloatArray) -> FloatArray:
        """Return the probability of more than `t` [time], [-]."""
        return _weighted([(weight, law.sf(t)) for weight, law in self.laws])

    @cached_property
    def _settled(self) -> tuple[Mixed, float]:
        """Double the laws until their number changes nothing."""
        looks, count, last = self._looks(), _FEW, 0.0
        found = self._mixed(count)
        while True:
            before, count = found, 2 * count
            found = self._mixed(count)
            change = float(np.max(np.abs(_cdf(before, looks) - _cdf(found, looks))))
            # Gauss's error falls ever faster: the next change is a smaller share of this one.
            error = change * min(change / last, 1.0) if last else change
            last = change
            if error < _CLOSE or count == _MOST:
                return found, max(error, _LEAST_ERROR)

    def _mixed(self, count: int) -> Mixed:
        shape, time = float(self._posterior.shape), float(self._posterior.observed_time)
        rates, weights = _gauss(shape, time, count)
        return tuple(
            (float(weight), exact_makespan(self._work, mtbf=1.0 / float(rate), **self._costs))
            for rate, weight in zip(rates, weights, strict=True)
        )

    def _looks(self) -> FloatArray:
        """Return times at which mixtures are compared: where laws of likely MTBFs change."""
        unit, costs = _in_own_unit(self._start, self._costs)
        likely, work = self._posterior.ppf(_LEVELS) / unit, self._work / unit
        with np.errstate(all="ignore"):  # of hopeless jobs nothing is finite
            means = expected_makespan(work, mtbf=likely, **costs)
            spreads = np.sqrt(makespan_variance(work, mtbf=likely, **costs))
            times = unit * np.append((means + _LOOKS[:, None] * spreads).ravel(), 0.0)
        return np.asarray(np.maximum(times[np.isfinite(times)], self._start))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PredictiveCompletionTime(CompletionTime):
    """A completion time on a machine whose MTBF is not known: laws mixed with weights.

    Parameters
    ----------
    start : float, [time]
        The completion time without any failure.
    mean, std : float, [time]
        Of the mixture over all MTBFs; inf where they do not exist.
    untouched : float, [-]
        Probability that nothing fails.
    mixture : Mixture
        The laws.
    """

    start: float
    mean: float = field()
    std: float = field()
    untouched: float
    mixture: Mixture

    light = False  # hopeless rates are improbable, but not enough for an exponential tail

    @property
    def variance(self) -> float:
        """The variance, [time^2]; inf where it does not exist or is too large for a float."""
        return self.std * self.std

    @property
    def atom(self) -> tuple[float, float]:
        """The completion time without any failure, [time], and its probability, [-]."""
        return self.start, self.untouched

    @property
    def error(self) -> float:
        """Change of the cdf when the MTBFs are doubled once more, and their laws' errors, [-]."""
        return self.mixture.error

    @property
    def seams(self) -> FloatArray:
        """Those of the law with the largest weight, [time]; shape (n,)."""
        return self.mixture.middle.seams

    def _cdf(self, t: FloatArray) -> FloatArray:
        return self.mixture.cdf(t)

    def _sf(self, t: FloatArray) -> FloatArray:
        return self.mixture.sf(t)

    def _spread(self) -> float:
        middle = self.mixture.middle
        spread = middle.mean - self.start + middle.std
        return spread if 0.0 < spread < math.inf else self.start


def mean_of_segment(
    length: float, recovery: float, down: float, *, shape: float, time: float
) -> float:
    """Return the mean time of a segment of `length`, its checkpoint included, [time]."""
    left = time - recovery - length
    if left < 0.0 or (left == 0.0 and (shape >= 1.0 or down > 0.0)):
        return math.inf
    gap = math.log1p(length / left) if left > 0.0 else math.inf
    before = -math.log1p(-recovery / time)
    more = shape - 1.0
    with np.errstate(over="ignore"):
        uptime = time * (np.exp(more * before) * np.expm1(more * gap) / more if more else gap)
        stopped = down * np.exp(shape * before) * np.expm1(shape * gap) if down else 0.0
    return float(uptime + stopped)


def _std(
    work: float,
    costs: dict[str, Any],
    mean: float,
    longest: float,
    *,
    shape: float,
    time: float,
) -> float:
    """Return the standard deviation, [time]; the tilt by `longest` leaves a bounded integrand."""
    left = time - 2.0 * longest
    if not left > 0.0 or not costs["downtime"].variance < math.inf:
        return math.inf
    rates, weights = _gauss(shape, left, _OF_MOMENTS)
    with np.errstate(all="ignore"):
        means = expected_makespan(work, mtbf=1.0 / rates, **costs)
        squares = makespan_variance(work, mtbf=1.0 / rates, **costs) + (means - mean) ** 2
        tilted = weights * squares * np.exp(shape * math.log(time / left) - 2.0 * longest * rates)
    variance = float(tilted.sum())
    return math.sqrt(variance) if math.isfinite(variance) else math.inf


def _gauss(shape: float, time: float, count: int) -> tuple[FloatArray, FloatArray]:
    """Return rates and weights of Gauss's quadrature for a gamma law, by its Jacobi matrix."""
    places = np.arange(count)
    beside = np.sqrt(places[1:] * (places[1:] + shape - 1.0))
    matrix = np.diag(2.0 * places + shape) + np.diag(beside, 1) + np.diag(beside, -1)
    values, vectors = np.linalg.eigh(matrix)
    weights = vectors[0] ** 2
    kept = weights > _LEAST
    return np.asarray(values[kept] / time), np.asarray(weights[kept] / weights[kept].sum())


def _cdf(laws: Mixed, t: FloatArray) -> FloatArray:
    return _weighted([(weight, law.cdf(t)) for weight, law in laws])


def _weighted(parts: Iterable[tuple[float, FloatArray]]) -> FloatArray:
    # Weights that add up to 1 but for rounding make a sum that may exceed it.
    return np.minimum(sum(weight * part for weight, part in parts), 1.0)


ROWS = (
    Formula(
        predictive_makespan,
        "derived",
        "gamma mixture",
        "exact",
        ranges={
            "failures": (0.0, 1000.0),
            "work/observed_time": (0.01, 1.0),
            "interval/work": (0.02, 1.0),
            "checkpoint_cost/interval": (0.01, 1.0),
            "recovery_cost/interval": (0.01, 1.0),
            "downtime/interval": (0.01, 1.0),
        },
        trend=Trend(
            rising=("work", "checkpoint_cost", "recovery_cost", "downtime", "failures"),
            falling=("observed_time",),
        ),
    ),
)
