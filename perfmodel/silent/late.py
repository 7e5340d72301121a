r"""Makespan of a job whose silent errors show by themselves, some time after they strike.

A job computes for `interval`, writes a checkpoint, and so on until its work is done; the last
segment, which may be shorter, ends in the same way. All checkpoints are kept.

A failure stops the machine, whatever it does but for a downtime; then come `downtime` and a
recovery from the newest checkpoint. A silent error strikes computing only. From then on the state
is corrupt, and so is each checkpoint written of it. That shows when the machine has computed,
written or waited for the latency, which is exponential; then comes a recovery, without a
downtime, from the last checkpoint before the strike. A failure before the first checkpoint after
the strike takes the corruption away.

The job ends when the last checkpoint of a clean state is written, which becomes known only later.
A corrupt job whose work is done waits until its error shows. Strikes have exponential gaps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from .._checks import ArrayLike, FloatArray, answer
from .._special import multiply
from ..formula import ANY, Formula, Trend
from ..quantities import checked
from .verified import SilentJob, grown, growth_beyond_one, shrunk


def expected_makespan_detected_late(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
) -> FloatArray:
    r"""Mean wall time of a job whose silent errors show some time after they strike.

    .. math::
        E[T] = e^{R/\mu} (\mu + D) \sum_k \left[e^{C/\mu} - 1
        + e^{C/\mu} (1 + \kappa) \frac{e^{w_k (1/\mu + 1/\sigma)} - 1}{1 + \mu/\sigma}
        + \frac{\kappa L}{\mu} e^{-C/L}
          \frac{e^{w_k (1/\sigma - 1/L)} - 1}{\mu/\sigma - \mu/L}\right]

    with kappa = (L + mu (1 - e^(-R/mu)))/(sigma (1 + L/mu)), and mu and sigma the mean times
    between failures and between silent errors.

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, to write a checkpoint; >= 0.
    detection_latency : array_like, [time]
        L, mean of the exponential time from a silent error until it shows; >= 0.
    recovery_cost : array_like, [time]
        R, to read a checkpoint back; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.

    Returns
    -------
    ndarray, [time]
        Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact for any ratio of its arguments: summed by parts that are not negative, so that no digit
    is lost. Without failures only the mean of the latency matters, not its law.
    Source: derived in tests/derivations/test_silent_detected_late.py. [1]_ treats such jobs; it
    was not read.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert, F. Vivien and D. Zaidouni, "On the
       combination of silent error detection and checkpointing", PRDC 2013.

    Examples
    --------
    >>> t = expected_makespan_detected_late(
    ...     100.0, interval=10.0, mtbf=200.0, silent_mtbf=100.0, checkpoint_cost=1.0,
    ...     detection_latency=5.0, recovery_cost=1.0,
    ... )
    >>> round(float(t), 5)
    125.47927
    """
    given = (
        *(work, interval, mtbf, silent_mtbf),
        *(checkpoint_cost, detection_latency, recovery_cost, downtime),
    )
    job = _checked_job(*given)
    with np.errstate(all="ignore"):
        found = job.base.sum(job.base.slower(), job.parts)
    return answer(found, *given)


def waste_detected_late(
    work: ArrayLike,
    *,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike = 0.0,
    downtime: ArrayLike = 0.0,
) -> FloatArray:
    r"""Share of the expected makespan that is not useful work, where silent errors show late.

    .. math:: 1 - W / E[T]

    Parameters
    ----------
    work : array_like, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : array_like, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on, inf too: a single segment.
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    silent_mtbf : array_like, [time]
        sigma, mean computing time between silent errors; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, to write a checkpoint; >= 0.
    detection_latency : array_like, [time]
        L, mean of the exponential time from a silent error until it shows; >= 0.
    recovery_cost : array_like, [time]
        R, to read a checkpoint back; >= 0.
    downtime : array_like, [time]
        D, after each failure; >= 0.

    Returns
    -------
    ndarray, [-]
        In [0, 1]. Shape: all arguments broadcast together.

    Notes
    -----
    Exact, as `expected_makespan_detected_late`, and relatively accurate however small it is: what
    is lost is summed by itself.
    Source: derived in tests/derivations/test_silent_detected_late.py. [1]_ treats such jobs; it
    was not read.

    Judged for any ratio of its arguments from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] G. Aupy, A. Benoit, T. Herault, Y. Robert, F. Vivien and D. Zaidouni, "On the
       combination of silent error detection and checkpointing", PRDC 2013.

    Examples
    --------
    >>> w = waste_detected_late(
    ...     1000.0, interval=10.0, mtbf=200.0, silent_mtbf=100.0, checkpoint_cost=1.0,
    ...     detection_latency=5.0, recovery_cost=1.0,
    ... )
    >>> round(float(w), 4)
    0.2031
    """
    given = (
        *(work, interval, mtbf, silent_mtbf),
        *(checkpoint_cost, detection_latency, recovery_cost, downtime),
    )
    job = _checked_job(*given)
    with np.errstate(all="ignore"):
        lost = job.base.sum(np.ones(()), job.beyond) / job.base.work
        found = np.where(np.isinf(lost), 1.0, lost / (1.0 + lost))
    return answer(found, *given)


@dataclass(frozen=True, slots=True)
class _LateJob:
    """A checked job that verifies nothing, and the latency after which its errors show."""

    base: SilentJob
    latency: FloatArray

    def parts(self, work: FloatArray) -> FloatArray:
        """Return the mean time of a segment over `slower`, [time], in parts that add up."""
        job = self.base
        once = np.exp(job.checkpoint_cost / job.mtbf) * self._tried(work)
        return np.asarray(grown(job.checkpoint_cost, job.mtbf) + once + self._after_silent(work))

    def beyond(self, work: FloatArray) -> FloatArray:
        """Return the mean time of a segment without its work, [time]."""
        job = self.base
        lost = multiply(np.expm1(job.checkpoint_cost / job.mtbf), self._tried(work))
        lost = lost + multiply(growth_beyond_one(work / job.mtbf + work / job.silent_mtbf), work)
        lost = lost + grown(job.checkpoint_cost, job.mtbf) + self._after_silent(work)
        return np.asarray(lost + multiply(job.slower_beyond_one(), lost + work))

    def _tried(self, work: FloatArray) -> FloatArray:
        """Return the time computing until the work is done once, nothing else failing, [time]."""
        job = self.base
        return multiply(work, special.exprel(work / job.mtbf + work / job.silent_mtbf))

    def _after_silent(self, work: FloatArray) -> FloatArray:
        """Return the time from strikes to the ends of their recoveries, over `slower`, [time]."""
        job = self.base
        each = each_strike(job.mtbf, job.silent_mtbf, self.latency, job.recovery_cost)
        before = np.exp(job.checkpoint_cost / job.mtbf) * self._tried(work)
        rate = work / job.silent_mtbf - over(work, self.latency)
        written = np.exp(-over(job.checkpoint_cost, self.latency)) * self.latency / job.mtbf
        return multiply(each, before + multiply(written, multiply(work, special.exprel(rate))))


def over(span: FloatArray, latency: FloatArray) -> FloatArray:
    """Return span/latency; inf where errors show at once."""
    at_once = latency == 0.0
    return np.where(at_once, np.inf, span / np.where(at_once, 1.0, latency))


def each_strike(
    mtbf: FloatArray, silent_mtbf: FloatArray, latency: FloatArray, recovery: FloatArray
) -> FloatArray:
    """Return kappa, what a strike costs against the time between strikes, [-]."""
    return np.asarray((latency + shrunk(recovery, mtbf)) / silent_mtbf / (1.0 + latency / mtbf))


def _checked_job(  # noqa: PLR0917 (in the order of the public functions)
    work: ArrayLike,
    interval: ArrayLike,
    mtbf: ArrayLike,
    silent_mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    detection_latency: ArrayLike,
    recovery_cost: ArrayLike,
    downtime: ArrayLike,
) -> _LateJob:
    total, segment, mu, sigma, cost, latency, recovery, down = checked(
        work=work,
        interval=interval,
        mtbf=mtbf,
        silent_mtbf=silent_mtbf,
        checkpoint_cost=checkpoint_cost,
        detection_latency=detection_latency,
        recovery_cost=recovery_cost,
        downtime=downtime,
    )
    unverified = np.zeros_like(cost)
    base = SilentJob(total, segment, mu, sigma, cost, unverified, recovery, down)
    return _LateJob(base, latency)


RANGES = {
    "silent_mtbf/mtbf": ANY,
    "checkpoint_cost/mtbf": ANY,
    "detection_latency/mtbf": ANY,
    "recovery_cost/mtbf": ANY,
}
_RANGES = {"work/mtbf": ANY, "interval/mtbf": ANY, **RANGES, "downtime/mtbf": ANY}
_DOMAIN = {
    "work": (0.1, 2.0),
    "interval": (0.05, 0.5),
    "mtbf": (1.0, 1.0),
    "silent_mtbf": (0.2, 10.0),
    "checkpoint_cost": (1e-3, 0.3),
    "detection_latency": (1e-3, 2.0),
    "recovery_cost": (1e-3, 0.5),
    "downtime": (1e-3, 1.0),
}
_TREND = Trend(
    rising=("checkpoint_cost", "detection_latency", "recovery_cost", "downtime"),
    falling=("silent_mtbf",),
)

ROWS = tuple(
    Formula(
        function,
        "derived",
        "renewal, with silent errors that show late",
        "exact",
        ranges=_RANGES,
        domain=_DOMAIN,
        trend=_TREND,
    )
    for function in (expected_makespan_detected_late, waste_detected_late)
)
