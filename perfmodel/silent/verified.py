r"""Makespan of a job whose silent errors a verification finds before each checkpoint.

A job computes for `interval`, verifies its state for `verification_cost`, writes a checkpoint, and
so on until its work is done; the last segment, which may be shorter, ends in the same way.

Two kinds of errors strike, each with exponential gaps. A failure stops the machine, whatever it
does but for a downtime; then come `downtime` and a recovery from the last checkpoint. A silent
error strikes computing only and shows at the next verification, which finds every one; then comes
a recovery, without a downtime. Either way the segment is done again from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer
from .._special import expm1_minus, multiply
from ..formula import ANY, Formula, Trend
from ..makespan.segments import split
from ..quantities import checked


def expected_makespan_silent(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
) -> FloatArray:
    r"""Mean wall time of a job that verifies itself before each checkpoint.

    .. math::
        E[T] = e^{R/\mu} (\mu + D) \sum_k \left[e^{(w_k + V + C)/\mu + w_k/\sigma} - 1
        - \left(e^{w_k/\sigma} - 1\right) e^{(C - R)/\mu}\right]

    with mu and sigma the mean times between failures and between silent errors.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, verification and checkpoint excluded; > 0. From `work` on, inf too: a
        single segment.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost, verification_cost, recovery_cost : array_like, [time]
        C, V and R; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact for any ratio of its arguments: summed by parts that are not negative, so that no digit
    is lost. Without silent errors it is `expected_makespan` with checkpoints of V + C.
    Source: derived in tests/derivations/test_silent.py. [1]_ treats such jobs; it was not read.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, A. Cavelan, Y. Robert and H. Sun, "Assessing general-purpose algorithms to
       cope with fail-stop and silent errors", ACM Transactions on Parallel Computing 3(2), 2016.

    Examples
    --------
    >>> t = expected_makespan_silent(
    ...     100.0, interval=10.0, mtbf=200.0, silent_mtbf=100.0, checkpoint_cost=1.0,
    ...     verification_cost=0.2, recovery_cost=1.0,
    ... )
    >>> round(float(t), 5)
    127.94872
    """
    given = (
        *(work, interval, mtbf, silent_mtbf),
        *(checkpoint_cost, verification_cost, recovery_cost, downtime),
    )
    job = checked_silent_job(*given)
    with np.errstate(all="ignore"):
        found = job.sum(job.slower(), job.parts)
    return answer(found, *given)


def waste_silent(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of the expected makespan that is not useful work, with silent errors.

    .. math:: 1 - W / E[T]

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, verification and checkpoint excluded; > 0. From `work` on, inf too: a
        single segment.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost, verification_cost, recovery_cost : array_like, [time]
        C, V and R; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together. An infinite makespan gives 1.

    Notes
    -----
    Exact, as `expected_makespan_silent`, and relatively accurate however small it is: what is
    lost is summed by itself.
    Source: derived in tests/derivations/test_silent.py. [1]_ treats such jobs; it was not read.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. Benoit, A. Cavelan, Y. Robert and H. Sun, "Assessing general-purpose algorithms to
       cope with fail-stop and silent errors", ACM Transactions on Parallel Computing 3(2), 2016.

    Examples
    --------
    >>> w = waste_silent(
    ...     7465.74, interval=7465.74, mtbf=1 / 5.19e-7, silent_mtbf=1 / 7.78e-6,
    ...     checkpoint_cost=439.0, verification_cost=9.1, recovery_cost=439.0,
    ... )
    >>> round(float(w), 4)
    0.1119
    """
    given = (
        *(work, interval, mtbf, silent_mtbf),
        *(checkpoint_cost, verification_cost, recovery_cost, downtime),
    )
    job = checked_silent_job(*given)
    with np.errstate(all="ignore"):
        lost = job.sum(np.ones(()), job.beyond) / job.work
        found = np.where(np.isinf(lost), 1.0, lost / (1.0 + lost))
    return answer(found, *given)


@dataclass(frozen=True, slots=True)
class SilentJob:
    """The checked arguments, broadcast together; `mtbf` and `silent_mtbf` may be inf."""

    work: FloatArray
    interval: FloatArray
    mtbf: FloatArray
    silent_mtbf: FloatArray
    checkpoint_cost: FloatArray
    verification_cost: FloatArray
    recovery_cost: FloatArray
    downtime: FloatArray

    def slower(self) -> FloatArray:
        """Return by which factor recoveries after failures lengthen all else, e^R/mu (1 + D/mu)."""
        return np.asarray(
            np.exp(self.recovery_cost / self.mtbf) * (1.0 + self.downtime / self.mtbf)
        )

    def slower_beyond_one(self) -> FloatArray:
        """Return `slower` - 1, to its own digits."""
        back, down = self.recovery_cost / self.mtbf, self.downtime / self.mtbf
        return np.asarray(multiply(np.expm1(back), 1.0 + down) + down)

    def parts(self, work: FloatArray) -> FloatArray:
        """Return the mean time of a segment over `slower`, [time], in parts that add up."""
        busy, strikes = work + self.verification_cost, work / self.silent_mtbf
        over = np.exp(self.checkpoint_cost / self.mtbf)
        before = np.exp(strikes) * over * self._grown(busy)
        return np.asarray(before + self._after_silent(strikes) + self._grown(self.checkpoint_cost))

    def beyond(self, work: FloatArray) -> FloatArray:
        """Return the mean time of a segment without its work, [time]."""
        busy, strikes = work + self.verification_cost, work / self.silent_mtbf
        grown = self._grown(busy)
        again = multiply(np.expm1(strikes + self.checkpoint_cost / self.mtbf), grown)
        late = growth_beyond_one(busy / self.mtbf)
        lost = again + multiply(late, busy) + self.verification_cost
        lost = lost + self._after_silent(strikes) + self._grown(self.checkpoint_cost)
        return np.asarray(lost + multiply(self.slower_beyond_one(), lost + work))

    def sum(self, factor: FloatArray, piece: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Add up ``piece(work)`` over the segments, times `factor`."""
        whole, segment, last = split(self.work, self.interval)
        found = factor * (multiply(whole, piece(segment)) + piece(last))
        # Only a product of 0 and inf is nan, and some part has overflown there.
        return np.where(np.isnan(found), np.inf, found)

    def _after_silent(self, strikes: FloatArray) -> FloatArray:
        """Return the recoveries after silent errors, over `slower`, [time]."""
        over = np.exp(self.checkpoint_cost / self.mtbf)
        return multiply(multiply(shrunk(self.recovery_cost, self.mtbf), over), np.expm1(strikes))

    def _grown(self, span: FloatArray) -> FloatArray:
        return grown(span, self.mtbf)


def grown(span: FloatArray, mtbf: FloatArray) -> FloatArray:
    """Return mu (e^(span/mu) - 1), which is `span` where nothing ever fails."""
    return np.asarray(multiply(span, special.exprel(span / mtbf)))


def growth_beyond_one(x: FloatArray) -> FloatArray:
    """Return (e^x - 1)/x - 1, which is x/2 for small x."""
    late = np.where(x < 1e-16, 0.5 * x, expm1_minus(x) / x)
    return np.where(np.isinf(x), np.inf, late)


def shrunk(span: FloatArray, mtbf: FloatArray) -> FloatArray:
    """Return mu (1 - e^(-span/mu)), which is `span` where nothing ever fails."""
    never = np.isinf(mtbf)
    return np.where(never, span, -np.expm1(-span / mtbf) * np.where(never, 1.0, mtbf))


def checked_silent_job(  # noqa: PLR0917 (in the order of the public functions)
    work: ArrayLike,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    verification_cost: ArrayLike,
    recovery_cost: ArrayLike,
    downtime: ArrayLike,
) -> SilentJob:
    """Check the arguments of a job with silent errors."""
    return SilentJob(
        *checked(
            work=work,
            interval=interval,
            mtbf=mtbf,
            silent_mtbf=silent_mtbf,
            checkpoint_cost=checkpoint_cost,
            verification_cost=verification_cost,
            recovery_cost=recovery_cost,
            downtime=downtime,
        )
    )


RANGES = {
    "silent_mtbf/mtbf": ANY,
    "checkpoint_cost/mtbf": ANY,
    "verification_cost/mtbf": ANY,
    "recovery_cost/mtbf": ANY,
}
_RANGES = {"work/mtbf": ANY, "interval/mtbf": ANY, **RANGES, "downtime/mtbf": ANY}
_DOMAIN = {
    "work": (0.1, 2.0),
    "interval": (0.05, 0.5),
    "mtbf": (1.0, 1.0),
    "silent_mtbf": (0.2, 10.0),
    "checkpoint_cost": (1e-3, 0.3),
    "verification_cost": (1e-3, 0.3),
    "recovery_cost": (1e-3, 0.5),
    "downtime": (1e-3, 1.0),
}
_TREND = Trend(
    rising=("checkpoint_cost", "verification_cost", "recovery_cost", "downtime"),
    falling=("mtbf", "silent_mtbf"),
)

ROWS = tuple(
    Formula(
        function,
        "derived",
        "renewal, with silent errors",
        "exact",
        ranges=_RANGES,
        domain=_DOMAIN,
        trend=_TREND,
    )
    for function in (expected_makespan_silent, waste_silent)
)
