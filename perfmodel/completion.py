r"""The exact distribution of the makespan of a checkpointed job under exponential failures.

The job of `perfmodel.makespan`: segments of work, each with a checkpoint; a failure loses
everything since the last completed checkpoint, and costs a downtime and a recovery that can
fail again. Its Laplace transform is a product over the segments.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._checks import flag
from ._few_failures import FewFailures, Kernel, Term
from ._segments import job as checked_job
from ._special import log1p
from .distribution import InvertedCompletionTime, NeverCompletionTime
from .downtime import DowntimeLaw, downtime_law
from .inversion import Excess
from .lifetimes import AbstractLifetime, Deterministic
from .lifetimes._scaled import scaled
from .makespan import expected_makespan, makespan_variance

__all__ = ["exact_makespan"]

ComplexArray: TypeAlias = npt.NDArray[np.complex128]

# Success is so rare that the time to the first one is exponential: the bound below on the error.
_RARE = 1e-10


def exact_makespan(
    work: float,
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    recovery_cost: float = 0.0,
    downtime: float | AbstractLifetime = 0.0,
    final_checkpoint: bool = True,
    downtime_at_risk: bool = False,
) -> InvertedCompletionTime | NeverCompletionTime:
    r"""Distribution of the wall time of a job that checkpoints after every `interval` of work.

    .. math::
        \rho(s) &= \frac{\delta(s) e^{-(\lambda+s)R}}
                        {1 - \frac{\lambda}{\lambda+s}(1 - e^{-(\lambda+s)R}) \delta(s)} \\
        E[e^{-sT}] &= \prod_{k=1}^{K} \frac{e^{-(\lambda+s)a_k}}
                        {1 - \frac{\lambda}{\lambda+s}(1 - e^{-(\lambda+s)a_k}) \rho(s)}

    with lambda = 1/mtbf, a_k the work and checkpoint of segment k, delta the transform of the
    downtime, or of its busy period if failures strike repairs too.

    Parameters
    ----------
    work : float, [time]
        W, failure-free compute time of the job, checkpoints excluded; > 0.
    interval : float, [time]
        w, work per segment, checkpoint excluded; > 0. From `work` on: a single segment.
    mtbf : float, [time]
        Mean uptime between failures, repair excluded; > 0.
    checkpoint_cost, recovery_cost : float, [time]
        C and R; >= 0.
    downtime : float or AbstractLifetime, [time]
        D, fixed and >= 0, or a law.
    final_checkpoint : bool, [-]
        Whether the last segment also ends with a checkpoint.
    downtime_at_risk : bool, [-]
        Whether failures also strike during downtime; each then adds a downtime (M/G/1).

    Returns
    -------
    InvertedCompletionTime, [time]
        `mean`, `variance`, `std`, `atom` (time, probability), `cdf`, `sf`, `ppf`, `isf`, and
        `error`, the estimated error of the cdf. Infinite moments are inf. A job that takes
        longer than a float can hold has a `NeverCompletionTime`.

    Raises
    ------
    ValueError
        If an argument is not a single number in the range given above, or the load
        downtime/mtbf is not below 1 while downtime is at risk.
    TypeError
        If an argument is of the wrong kind.

    Notes
    -----
    Exact but for the inversion: the error of the cdf is below 1e-8, for empirical downtime below
    1e-7, by subtracting the first failures in closed form. That holds for segments of any length
    in mtbf: 1 - A(s) rho(s) is summed from complements, so nothing cancels where hardly any
    attempt succeeds. Where the downtime has an exponential tail, sf keeps 6 digits down to
    1e-12 and below. Heavy tails (lognormal, Weibull) have no dominant pole: there sf is
    accurate to 1e-9 absolute. See tests/perfmodel and tests/reference.
    Source: derived, and tested against failure series and simulated jobs; the model is that of
    [1]_, of which only the abstract was seen.

    References
    ----------
    .. [1] M. Bougeret, H. Casanova, M. Rabie, Y. Robert and F. Vivien, "Checkpointing
       strategies for parallel jobs", SC'11, 2011.

    Examples
    --------
    >>> makespan = exact_makespan(
    ...     100.0, interval=100 / 30, mtbf=10.0, checkpoint_cost=0.3,
    ...     recovery_cost=0.4, downtime=0.5,
    ... )
    >>> [round(float(t), 4) for t in makespan.ppf([0.5, 0.9])]
    [142.7032, 159.6269]
    """
    at_risk = flag("downtime_at_risk", downtime_at_risk)
    job = checked_job(
        work,
        interval=interval,
        mtbf=mtbf,
        checkpoint_cost=checkpoint_cost,
        recovery_cost=recovery_cost,
        downtime=downtime,
        final_checkpoint=final_checkpoint,
    )
    if job.work.ndim != 0:
        raise ValueError(f"arguments must be single numbers, got shape {job.work.shape}")
    whole = int(job.whole)
    first, last = float(job.segment + job.checkpoint_cost), float(job.last + job.last_cost)
    # A power of two loses no digit, and with times near 1 nothing overflows on the way.
    unit = 2.0 ** math.floor(math.log2(max(whole * first, last)))
    rate = unit / float(job.mtbf)
    law = downtime_law(
        scaled(downtime, 1.0 / unit)
        if isinstance(downtime, AbstractLifetime)
        else float(job.downtime) / unit,
        mtbf=1.0 / rate,
        at_risk=at_risk,
    )
    first, last = first / unit, last / unit
    if whole and math.isclose(first, last, rel_tol=1e-14):
        pieces: tuple[tuple[int, float], ...] = ((whole + 1, first),)
    else:
        pieces = ((whole, first), (1, last)) if whole else ((1, last),)
    process = _Process(rate, pieces, float(job.recovery_cost) / unit, law)
    if process.from_exponential < _RARE:
        return _rarely_done(process, unit)
    mean, variance = law.mean, law.variance
    if math.isfinite(mean):
        costs: dict[str, Any] = {
            "interval": float(job.segment) / unit,
            "mtbf": 1.0 / rate,
            "checkpoint_cost": float(job.checkpoint_cost) / unit,
            "recovery_cost": process.recovery,
            "downtime": Deterministic(mean),
            "final_checkpoint": final_checkpoint,
        }
        mean = float(expected_makespan(float(job.work) / unit, **costs))
        between = float(makespan_variance(float(job.work) / unit, **costs))
        variance = between + process.downtimes * variance
    return InvertedCompletionTime(
        start=unit * process.busy,
        mean=unit * mean,
        std=unit * math.sqrt(variance),
        excess=process.excess(),
        unit=unit,
    )


def _rarely_done(process: _Process, unit: float) -> InvertedCompletionTime | NeverCompletionTime:
    """Return the law where success is rare: each segment takes an exponential time."""
    mtbf = 1.0 / process.rate
    means = [
        float(
            expected_makespan(
                length,
                interval=length,
                mtbf=mtbf,
                checkpoint_cost=0.0,
                recovery_cost=process.recovery,
                downtime=process.law.mean,
            )
        )
        for _, length in process.pieces
    ]
    largest = max(means)
    if not largest < 1e290:
        return NeverCompletionTime(unit * process.busy)
    wide = unit * 2.0 ** math.floor(math.log2(largest))
    counts = [count for count, _ in process.pieces]
    shares = [mean * (unit / wide) for mean in means]
    log_atom = -process.rate * process.busy

    def log_ratio(s: ComplexArray) -> ComplexArray:
        logs = (n * log1p(share * s) for n, share in zip(counts, shares, strict=True))
        return np.asarray(-sum(logs) - log_atom)

    total = sum(n * share for n, share in zip(counts, shares, strict=True))
    excess = Excess(
        log_ratio=log_ratio,
        abscissa=1.0 / max(shares),
        log_atom=log_atom,
        explicit=FewFailures(None, (), lambda s: np.zeros(s.shape, dtype=np.complex128), 0.0),
        scale=max(shares),
        extent=total,
    )
    return InvertedCompletionTime(
        start=unit * process.busy,
        mean=wide * total,
        std=wide * math.sqrt(sum(n * share**2 for n, share in zip(counts, shares, strict=True))),
        excess=excess,
        unit=wide,
    )


@dataclass(frozen=True, slots=True)
class _Process:
    """The transform of the makespan: `pieces` are (number, busy time) of equal segments."""

    rate: float
    pieces: tuple[tuple[int, float], ...]
    recovery: float
    law: DowntimeLaw

    @property
    def busy(self) -> float:
        """The makespan without failures, [time]."""
        return math.fsum(count * length for count, length in self.pieces)

    @property
    def downtimes(self) -> float:
        """Mean number of downtimes, those of failed recoveries included, [-]."""
        failures = sum(count * _expm1(self.rate * length) for count, length in self.pieces)
        return failures * (1.0 + _expm1(self.rate * self.recovery))

    @property
    def from_exponential(self) -> float:
        """Bound on what the cdf changes if every segment takes an exponential time, [-].

        A sum of costs, geometric in number with a chance p of success, is exponential but for
        p E[X^2]/E[X]^2, by Brown's theorem (Annals of Probability 18, 1990, not seen). The
        scv of X, one failure's cost, is below that of its downtime plus 2.
        """
        if not math.isfinite(self.law.mean):
            return math.inf
        longest = max(length for _, length in self.pieces)
        segments = sum(count for count, _ in self.pieces)
        variation = math.sqrt(self.law.variance) / (1.0 / self.rate + self.law.mean)
        scv = min(variation, 1e125) ** 2
        return segments * math.exp(-self.rate * longest) * (3.0 + scv)

    def excess(self) -> Excess:
        """Return the time beyond the failure-free makespan."""
        log_atom = -self.rate * self.busy
        longest = max(length for _, length in self.pieces) + self.recovery
        kernel = self.law.kernel(longest) if log_atom > -32.0 else None
        return Excess(
            log_ratio=self.log_ratio,
            abscissa=self._abscissa(),
            log_atom=log_atom,
            explicit=self._few(kernel, math.exp(log_atom), longest),
            scale=self._scale,
            extent=self._extent,
        )

    @property
    def _scale(self) -> float:
        """What one failure costs, roughly, [time]."""
        longest = max(length for _, length in self.pieces) + self.recovery
        lost = min(longest, 1.0 / self.rate)
        return lost + (self.law.mean if math.isfinite(self.law.mean) else 0.0)

    @property
    def _extent(self) -> float:
        """What all failures cost, roughly, [time]."""
        return self._scale * min(self.downtimes, 1e250)

    def _attempt(self, s: ComplexArray, length: float) -> ComplexArray:
        """Transform of an uptime that ends within `length`."""
        z = s + self.rate
        x = z * length
        small = np.abs(x) < 1e-8
        with np.errstate(all="ignore"):
            share = np.asarray(-np.expm1(-x) / z, dtype=np.complex128)
        if small.any():
            share[small] = length * (1.0 - 0.5 * x[small])
        return np.asarray(self.rate * share)

    def _survival(self, s: ComplexArray, length: float, attempt: ComplexArray) -> ComplexArray:
        """Complement of `attempt`, which is nearly 1 where hardly any uptime is longer."""
        kept = np.asarray(1.0 - attempt)
        near = np.abs(s) < 0.5 * self.rate
        low = s[near]
        with np.errstate(all="ignore"):
            z = low + self.rate
            kept[near] = (low + self.rate * np.exp(-z * length)) / z
        return kept

    def _repair(self, s: ComplexArray) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
        """Transform of downtime and recovery, failed recoveries included, and its complement.

        Also the complement for those that fail. All are sums without cancellation:
        1 - A d = (1 - A) + A (1 - d), and 1 - rho = ((1 - d) + d s A/lambda)/(1 - A d).
        """
        with np.errstate(all="ignore"):
            lasting = self.law.complement(s)
            downtime = 1.0 - lasting
            again = self._attempt(s, self.recovery)
            once = self._survival(s, self.recovery, again) + again * lasting
            repair = downtime * np.exp(-(s + self.rate) * self.recovery) / once
            return repair, (lasting + downtime * s * again / self.rate) / once, once

    def log_ratio(self, s: ComplexArray) -> ComplexArray:
        """Return log E[exp(-s (T - T0))] less the log of the atom."""
        repair, lasting, _ = self._repair(s)
        total = np.zeros(s.shape, dtype=np.complex128)
        with np.errstate(all="ignore"):
            for count, length in self.pieces:
                attempt = self._attempt(s, length)
                failed = attempt * repair
                done = self._survival(s, length, attempt) + attempt * lasting
                change = log1p(-failed)
                near = ~(np.abs(failed) < 0.5)
                change[near] = np.log(done[near])  # where 1 - failed has lost digits
                total = total - count * change
        return total

    def _abscissa(self) -> float:
        """Return how far left of 0 the transform reaches: minus its dominant pole."""
        if self.law.abscissa == 0.0:
            return 0.0

        def inside(c: float) -> bool:
            if c >= self.law.abscissa:
                return False
            s = np.array([-c + 0j])
            repair, lasting, once = self._repair(s)
            if not (repair.real[0] > 0.0 and once.real[0] > 0.0):
                return False
            with np.errstate(all="ignore"):
                for _, length in self.pieces:
                    attempt = self._attempt(s, length)
                    done = self._survival(s, length, attempt) + attempt * lasting
                    if not (attempt.real[0] > 0.0 and done.real[0] > 0.0):
                        return False
            return True

        # The pole is nearer to 0 than the mean makespan is long.
        low, high = 0.0, min(1e-12 * self.rate, 1e-3 / self._extent)
        while inside(high):
            low, high = high, 4.0 * high
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if inside(middle) else (low, middle)
            if high - low <= 4e-16 * high:
                break
        return low

    def _few(self, kernel: Kernel | None, atom: float, longest: float) -> FewFailures:
        depth = kernel.depth if kernel is not None else 0

        def powers(s: ComplexArray) -> ComplexArray:
            assert kernel is not None
            downtime = kernel.downtime(s)
            again = self._attempt(s, self.recovery) * downtime
            first = downtime * np.exp(-(s + self.rate) * self.recovery)
            result = np.zeros(s.shape, dtype=np.complex128)
            for parts, weight in _compositions(tuple(c for c, _ in self.pieces), depth).items():
                *hits, repeats = parts
                term = np.full(s.shape, weight * atom, dtype=np.complex128)
                for number, (_, length) in zip(hits, self.pieces, strict=True):
                    term = term * (self._attempt(s, length) * first) ** number
                result += term * again**repeats
            return result

        return FewFailures(kernel, self._terms(depth, atom), powers, longest)

    def _terms(self, depth: int, atom: float) -> tuple[Term, ...]:
        """Expand the powers into delayed ones, by the binomial theorem."""
        found: dict[tuple[int, float], float] = defaultdict(float)
        lengths = [length for _, length in self.pieces]
        for parts, weight in _compositions(tuple(c for c, _ in self.pieces), depth).items():
            *hits, repeats = parts
            terms: dict[float, float] = {sum(hits) * self.recovery: weight * atom}
            for number, length in [*zip(hits, lengths, strict=True), (repeats, self.recovery)]:
                spread: dict[float, float] = defaultdict(float)
                for delay, value in terms.items():
                    for j in range(number + 1 if length else 1):
                        spread[delay + j * length] += value * (-1) ** j * math.comb(number, j)
                terms = dict(spread) if length or not number else {}
            for delay, value in terms.items():
                found[sum(parts), delay] += value * math.exp(-self.rate * delay)
        return tuple(Term(order, value, delay) for (order, delay), value in found.items() if value)


def _expm1(x: float) -> float:
    return math.expm1(x) if x < 709.0 else math.inf


def _compositions(counts: tuple[int, ...], depth: int) -> dict[tuple[int, ...], float]:
    """Weights of h_1, h_2, ... failures in the pieces and r in recoveries, at most `depth`."""
    weights: dict[tuple[int, ...], float] = {}
    grid = np.ndindex(*(depth + 1,) * (len(counts) + 1))
    for parts in grid:
        *hits, repeats = parts
        if not 0 < sum(hits) <= sum(parts) <= depth:
            continue
        # A failed recovery belongs to one of the failures: that many ways to share them out.
        weight = float(math.comb(sum(hits) + repeats - 1, repeats))
        for number, count in zip(hits, counts, strict=True):
            weight *= math.comb(count + number - 1, number)
        weights[tuple(parts)] = weight
    return weights
