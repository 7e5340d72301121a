r"""Makespan of a job with checkpoints on two levels under exponential failures.

A job computes for `interval`, writes a local checkpoint, computes on. Every `durable_every`-th
checkpoint, and the last one of the job, is durable: it takes `durable_cost` in all and leaves a
local copy as well. A checkpoint counts when it is complete. A share `survived` of the failures
leaves the local copy intact: the job goes back to the latest checkpoint. The others destroy it:
the job goes back to the latest durable one. The job starts with both copies of its input.

A failure costs a downtime, which no failure prolongs, then a recovery from the copy that is left.
A failure during a recovery costs a downtime again; the recovery starts again, from the durable
copy if the local one is lost. Three rules differ in what they leave:

* ``"reinstated"``: a recovery from the durable copy ends with a local copy of it;
* ``"bare"``: it does not, so that until the next checkpoint any failure leads back to it;
* ``"staged"``: as the first, and a durable checkpoint is a local one first, valid after
  `local_cost`, that is then copied for the rest of `durable_cost`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer, positive, shown
from .._special import in_one_unit, product
from ..formula import Formula, Trend
from ..makespan.segments import split
from ..quantities import checked
from ._passage import Passage, Time, either, exposed, retried

LevelRule: TypeAlias = Literal["reinstated", "bare", "staged"]
_RULES = ("reinstated", "bare", "staged")


def expected_makespan_two_levels(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    durable_every: ArrayLike,
    mtbf: ArrayLike,
    survived: ArrayLike,
    local_cost: ArrayLike,
    durable_cost: ArrayLike,
    local_recovery: ArrayLike = 0.0,
    durable_recovery: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    rule: LevelRule = "reinstated",
) -> FloatArray:
    r"""Mean wall time of a job that writes local checkpoints, and every so often a durable one.

    .. math::
        E[T] &= G \sum_{\text{patterns}} \Big(\prod_i
        \left[1 + \theta (e^{\lambda a_i} - 1)\right] - 1\Big) \\
        \theta &= \frac{\lambda_2}{\lambda_2 + \lambda_1 e^{-\lambda r_1}}, \quad
        G = \frac{1 + \lambda_1 D}{\lambda_2} + e^{\lambda r_2} (D + 1/\lambda) - 1/\lambda

    with lambda = 1/mtbf, lambda_1 = survived lambda, lambda_2 the rest, and a_i the work and
    checkpoint of segment i of a pattern, which ends with a durable checkpoint.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    durable_every : array_like, [-]
        m, checkpoints from one durable one to the next, that one included; whole and > 0.
    mtbf : array_like, [time]
        1/lambda, mean uptime between failures of any kind, repair excluded; > 0, inf if there are
        none.
    survived : array_like, [-]
        lambda_1/lambda, share of the failures that leave the local copy; >= 0 and at most 1.
    local_cost, durable_cost : array_like, [time]
        c_1 and c_2, whole cost of a local and of a durable checkpoint; >= 0.
    local_recovery, durable_recovery : array_like, [time]
        r_1 and r_2, to read back a local and a durable checkpoint; >= 0.
    downtime : array_like, [time]
        D, fixed, after each failure; >= 0.
    rule : {"reinstated", "bare", "staged"}, [-]
        What is left after a durable recovery, and in the midst of a durable checkpoint.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Raises
    ------
    ValueError
        If `durable_cost` is below `local_cost` where it is staged.

    Notes
    -----
    Exact; also where all failures are survived, or none. Exponential uptimes only. The last
    pattern may have fewer segments and a shorter last one. With `durable_every` 1 and equal
    recoveries it is `expected_makespan`.
    Source: derived in tests/derivations/test_levels.py. [1]_ treats such jobs; it was not read.

    Judged for interval/mtbf 1e-4 to 2, work/interval 1 to 1000, durable_every 1 to 100, survived 0
    to 1, local_cost/interval 1e-4 to 1, durable_cost/interval 0.001 to 2, local_recovery/interval
    1e-4 to 1, durable_recovery/mtbf 1e-4 to 2, downtime/mtbf 1e-4 to 2. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Di, Y. Robert, F. Vivien and F. Cappello, "Toward an optimal online checkpoint
       solution under a two-level HPC checkpoint model", IEEE Transactions on Parallel and
       Distributed Systems 28, 2017.

    Examples
    --------
    >>> pattern = {"interval": 1.0, "durable_every": 4, "mtbf": 1 / 0.12, "survived": 0.1 / 0.12}
    >>> costs = {"local_cost": 0.1, "durable_cost": 0.5, "downtime": 0.2}
    >>> found = expected_makespan_two_levels(
    ...     20.0, **pattern, **costs, local_recovery=0.1, durable_recovery=0.6
    ... )
    >>> round(float(found), 9)
    28.145142266
    """
    given = (
        *(work, interval, durable_every, mtbf, survived, local_cost, durable_cost),
        *(local_recovery, durable_recovery, downtime),
    )
    job = checked_two_levels(*given, rule=rule)
    with np.errstate(all="ignore"):
        total = np.zeros(())
        for count, pattern in job.patterns():
            total = total + np.where(count > 0.0, count * _mean(pattern, job), 0.0)
    return answer(_overflown(total), *given)


def makespan_variance_two_levels(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    durable_every: ArrayLike,
    mtbf: ArrayLike,
    survived: ArrayLike,
    local_cost: ArrayLike,
    durable_cost: ArrayLike,
    local_recovery: ArrayLike = 0.0,
    durable_recovery: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
    rule: LevelRule = "reinstated",
) -> FloatArray:
    r"""Variance of the wall time of a job with checkpoints on two levels.

    .. math:: V[T] = \sum_{\text{patterns}} V[S] + E[N] V[F] + V[N] E[F]^2, \quad
        E[N] = (1 - P)/P, \quad V[N] = (1 - P)/P^2

    P is the probability to get through a pattern without a durable recovery, S the time that then
    takes; N counts the durable recoveries, F is the time from the start of the pattern to the end
    of one. P, S and F are built in the same way from segments and local recoveries.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    durable_every : array_like, [-]
        m, checkpoints from one durable one to the next, that one included; whole and > 0.
    mtbf : array_like, [time]
        Mean uptime between failures of any kind, repair excluded; > 0, inf if there are none.
    survived : array_like, [-]
        Share of the failures that leave the local copy; >= 0 and at most 1.
    local_cost, durable_cost : array_like, [time]
        Whole cost of a local and of a durable checkpoint; >= 0.
    local_recovery, durable_recovery : array_like, [time]
        To read back a local and a durable checkpoint; >= 0.
    downtime : array_like, [time]
        Fixed, after each failure; >= 0.
    rule : {"reinstated", "bare", "staged"}, [-]
        What is left after a durable recovery, and in the midst of a durable checkpoint.

    Returns
    -------
    ndarray, [time^2]
        Shape: all arguments broadcast together. Overflow gives inf.

    Raises
    ------
    ValueError
        If `durable_cost` is below `local_cost` where it is staged.

    Notes
    -----
    Exact, as `expected_makespan_two_levels`, of which it is the second moment; patterns are
    independent of each other.
    Source: derived; tests/derivations/test_levels.py has the transform of T, of which this is the
    second moment. [1]_ treats such jobs; it was not read.

    Judged for interval/mtbf 1e-4 to 2, work/interval 1 to 1000, durable_every 1 to 100, survived 0
    to 1, local_cost/interval 1e-4 to 1, durable_cost/interval 0.001 to 2, local_recovery/interval
    1e-4 to 1, durable_recovery/mtbf 1e-4 to 2, downtime/mtbf 1e-4 to 2. Errors: see `perfmodel`.

    References
    ----------
    .. [1] S. Di, Y. Robert, F. Vivien and F. Cappello, "Toward an optimal online checkpoint
       solution under a two-level HPC checkpoint model", IEEE Transactions on Parallel and
       Distributed Systems 28, 2017.

    Examples
    --------
    >>> pattern = {"interval": 1.0, "durable_every": 4, "mtbf": 1 / 0.12, "survived": 0.1 / 0.12}
    >>> costs = {"local_cost": 0.1, "durable_cost": 0.5, "downtime": 0.2}
    >>> found = makespan_variance_two_levels(
    ...     20.0, **pattern, **costs, local_recovery=0.1, durable_recovery=0.6
    ... )
    >>> round(float(found), 9)
    11.314310131
    """
    given = (
        *(work, interval, durable_every, mtbf, survived, local_cost, durable_cost),
        *(local_recovery, durable_recovery, downtime),
    )
    unit, variance = variance_in_unit(checked_two_levels(*given, rule=rule))
    return answer(product(variance, unit, unit), *given)


def variance_in_unit(job: TwoLevels) -> tuple[FloatArray, FloatArray]:
    """Return a unit of time near the longest of a job, [time], and its variance in it, [-]."""
    with np.errstate(all="ignore"):
        unit, own = job.in_own_unit()
        total = np.zeros(())
        for count, pattern in own.patterns():
            total = total + np.where(count > 0.0, count * _time(pattern, own).variance, 0.0)
    return unit, _overflown(total)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Exposures from one durable checkpoint to the next, [time].

    Parameters
    ----------
    first, last : ndarray, [time]
        Work and checkpoint of the first and of the last segment; one and the same if alone.
    between : ndarray, [time]
        The same of each segment between them.
    count : ndarray, [-]
        Number of segments between them; -1 if the first is the last.
    copy : ndarray, [time]
        What a staged durable checkpoint takes after its local stage; 0 for others.
    """

    first: FloatArray
    last: FloatArray
    between: FloatArray
    count: FloatArray
    copy: FloatArray


@dataclass(frozen=True, slots=True)
class TwoLevels:
    """The checked arguments, broadcast together, and how they cut the work into patterns."""

    work: FloatArray
    interval: FloatArray
    durable_every: FloatArray
    rate: FloatArray
    survived: FloatArray
    local_cost: FloatArray
    durable_cost: FloatArray
    local_recovery: FloatArray
    durable_recovery: FloatArray
    downtime: FloatArray
    rule: str

    def patterns(self) -> Iterator[tuple[FloatArray, Pattern]]:
        """Yield the full patterns but the last, and the last, each with how many there are."""
        before, segment, last = split(self.work, self.interval)
        full = np.floor(before / self.durable_every)
        yield full, self._pattern(self.durable_every, segment, segment)
        yield np.ones(()), self._pattern(before + 1.0 - full * self.durable_every, segment, last)

    def in_own_unit(self) -> tuple[FloatArray, TwoLevels]:
        """Return a unit of time near the longest and the job in it: its squares stay floats."""
        unit, work, interval, local, durable, local_recovery, durable_recovery, down = in_one_unit(
            *(self.work, self.interval, self.local_cost, self.durable_cost),
            *(self.local_recovery, self.durable_recovery, self.downtime),
        )
        own = replace(
            self,
            work=work,
            interval=interval,
            rate=self.rate * unit,
            local_cost=local,
            durable_cost=durable,
            local_recovery=local_recovery,
            durable_recovery=durable_recovery,
            downtime=down,
        )
        return unit, own

    def _pattern(self, count: FloatArray, segment: FloatArray, last: FloatArray) -> Pattern:
        staged = self.rule == "staged"
        copy = self.durable_cost - self.local_cost if staged else np.zeros(())
        top = last + (self.local_cost if staged else self.durable_cost)
        local = segment + self.local_cost
        return Pattern(np.where(count > 1.0, local, top), top, local, count - 2.0, copy)


def checked_two_levels(  # noqa: PLR0917 (in the order of the public functions)
    work: ArrayLike,
    interval: ArrayLike,
    durable_every: ArrayLike,
    mtbf: ArrayLike,
    survived: ArrayLike,
    local_cost: ArrayLike,
    durable_cost: ArrayLike,
    local_recovery: ArrayLike,
    durable_recovery: ArrayLike,
    downtime: ArrayLike,
    *,
    rule: LevelRule,
) -> TwoLevels:
    """Check the arguments of a job with two levels."""
    if rule not in _RULES:
        raise ValueError(f"rule must be one of {', '.join(_RULES)}, got {shown(rule)}")
    w_total, w, m, mu, share, c1, c2, r1, r2, d = checked(
        work=work,
        interval=interval,
        durable_every=positive("durable_every", durable_every),
        mtbf=mtbf,
        survived=survived,
        local_cost=local_cost,
        durable_cost=durable_cost,
        local_recovery=local_recovery,
        durable_recovery=durable_recovery,
        downtime=downtime,
    )
    low = c2 < c1
    if rule == "staged" and low.any():
        raise ValueError(
            f"durable_cost must be at least local_cost where it is staged, "
            f"got {float(c2[low].flat[0])!r} < {float(c1[low].flat[0])!r}"
        )
    return TwoLevels(w_total, w, m, 1.0 / mu, share, c1, c2, r1, r2, d, rule)


def _mean(pattern: Pattern, job: TwoLevels) -> FloatArray:
    """Return the mean time of a pattern, [time], by the closed form times theta over theta."""
    lost, back, down = 1.0 - job.survived, job.rate * job.durable_recovery, job.rate * job.downtime
    below = lost + job.survived * np.exp(-job.rate * job.local_recovery)
    theta = lost / below
    # G theta / mtbf, finite also where no failure ever destroys the local copy.
    gain = (1.0 + job.survived * down + lost * (down * np.exp(back) + np.expm1(back))) / below

    def part(span: FloatArray) -> FloatArray:
        """Return log(1 + theta (e^(span/mtbf) - 1)) / theta, times mtbf, [time]."""
        grown = special.exprel(job.rate * span)
        x = theta * job.rate * span * grown
        slower = np.where(x > 0.0, np.log1p(x) / np.where(x > 0.0, x, 1.0), 1.0)
        return np.where(span > 0.0, span * grown * slower, 0.0)

    alone = pattern.count < 0.0
    between = np.where(pattern.count > 0.0, pattern.count * part(pattern.between), 0.0)
    spans = np.where(alone, 0.0, part(pattern.first)) + between + part(pattern.last)
    spans = spans + part(pattern.copy)
    mean = gain * spans * special.exprel(theta * job.rate * spans)
    if job.rule == "bare":
        x = np.expm1(job.rate * pattern.first)
        again = (1.0 + down) * np.exp(back)
        mean = mean * np.where(
            lost > 0.0, (1.0 + theta * again / gain * x) / (1.0 + theta * x), 1.0
        )
    return np.asarray(mean)


def _time(pattern: Pattern, job: TwoLevels) -> Time:
    """Return mean and variance of the time of a pattern."""
    lost = 1.0 - job.survived
    nothing = np.zeros(())
    none = Time(nothing, nothing)
    down = Time(job.downtime, nothing)
    free, struck, strikes = exposed(job.local_recovery, job.rate)
    local = retried(
        free,
        struck * job.survived,
        struck * lost,
        passing=down + Time(job.local_recovery, nothing),
        retrying=down + strikes,
        falling=down + strikes,
    )
    free, struck, strikes = exposed(job.durable_recovery, job.rate)
    durable = retried(
        free,
        struck,
        nothing,
        passing=down + Time(job.durable_recovery, nothing),
        retrying=down + strikes,
        falling=none,
    ).passing

    def segment(span: FloatArray) -> Passage:
        free, struck, strikes = exposed(span, job.rate)
        later = job.survived * local.falls
        falling = either(lost, none, later, local.falling)
        return retried(
            free,
            struck * job.survived * local.passes,
            struck * (lost + later),
            passing=Time(span, nothing),
            retrying=strikes + local.passing,
            falling=strikes + falling,
        )

    alone = pattern.count < 0.0
    one = segment(pattern.first)
    rest = segment(pattern.between).power(np.maximum(pattern.count, 0.0))
    rest = rest.then(segment(pattern.last).power(np.where(alone, 0.0, 1.0)))
    rest = rest.then(segment(pattern.copy))
    chain = one.then(rest)
    if job.rule != "bare":
        return _again(chain, chain.falling + durable)
    free, struck, strikes = exposed(pattern.first, job.rate)
    restarted = retried(
        free,
        struck,
        nothing,
        passing=Time(pattern.first, nothing),
        retrying=strikes + durable,
        falling=none,
    ).then(rest)
    bare = _again(restarted, restarted.falling + durable)
    return either(chain.passes, chain.passing, chain.falls, chain.falling + durable + bare)


def _again(chain: Passage, lost: Time) -> Time:
    """Return the time of a chain that starts again each time it falls, after `lost`."""
    none = Time(np.zeros(()), np.zeros(()))
    return retried(
        chain.passes,
        chain.falls,
        np.zeros(()),
        passing=chain.passing,
        retrying=lost,
        falling=none,
    ).passing


def _overflown(found: FloatArray) -> FloatArray:
    """Return `found` with inf for nan, which only inf - inf and 0 * inf have left there."""
    return np.where(np.isnan(found), np.inf, found)


_RANGES = {
    "interval/mtbf": (1e-4, 2.0),
    "work/interval": (1.0, 1e3),
    "durable_every": (1.0, 100.0),
    "survived": (0.0, 1.0),
    "local_cost/interval": (1e-4, 1.0),
    "durable_cost/interval": (1e-3, 2.0),
    "local_recovery/interval": (1e-4, 1.0),
    "durable_recovery/mtbf": (1e-4, 2.0),
    "downtime/mtbf": (1e-4, 2.0),
}
_DOMAIN = {
    "work": (0.5, 8.0),
    "interval": (0.1, 1.0),
    "durable_every": (1.0, 16.0),
    "mtbf": (1.0, 1.0),
    "survived": (0.1, 0.9),
    "local_cost": (1e-3, 0.1),
    "durable_cost": (0.1, 0.5),
    "local_recovery": (1e-3, 0.5),
    "durable_recovery": (1e-3, 0.5),
    "downtime": (1e-3, 0.5),
}
# Not falling in the mtbf: where a copy takes many mtbfs to read, failures that destroy it help.
_MEAN_TREND = Trend(rising=("durable_cost", "local_recovery", "durable_recovery", "downtime"))

ROWS = tuple(
    Formula(
        function,
        "derived",
        "two levels of checkpoints",
        "exact",
        ranges=_RANGES,
        domain=_DOMAIN,
        trend=trend,
    )
    for function, trend in (
        (expected_makespan_two_levels, _MEAN_TREND),
        (makespan_variance_two_levels, Trend()),
    )
)
