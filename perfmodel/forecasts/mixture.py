r"""The law of failures to come, where rates drift and failures come in clusters.

Many simple forecasters are averaged, each by how well it would have promised so far. One remembers
failures with a half-life, and expects the rate of the time to come to scatter by so much about what
it remembers; its count of clusters is then negative binomial. Followers of past clusters are drawn
for each cluster to come.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import (
    ArrayLike,
    FloatArray,
    IntArray,
    comparable,
    nonnegative,
    numbers,
    positive,
    positive_or_inf,
    scalar,
)
from ..formula import Formula, Trend
from .law import RateMixture

_DAY = 86_400.0
HALF_LIVES = (3.0 * _DAY, 10.0 * _DAY, 30.0 * _DAY, 90.0 * _DAY, 270.0 * _DAY, 1000.0 * _DAY)
SPREADS = (0.0, 0.03, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  # relative variance of the rate to come
_GAP = 3600.0  # within which a failure follows another
_OVERLAP, _HALVES = 0.25, 20  # clusters in one gap, of which the next is rare; gaps that are tried
_SURE = 2.3263  # deviations: so many more short gaps than at random come with 0.01 by chance
_CHANCE = 0.05  # of failures at random that may be taken for followers
CLUSTERS = 60  # the last ones, whose followers are drawn
_PARTS = 4.0  # steps of a window in which the past is counted, and twice as many of a short past
_SHORT = 3.0  # windows of a past that is a short one
_MOST_STEPS = 1e4  # of a past, which is counted in longer ones beyond


@dataclass(frozen=True, slots=True, eq=False)
class FailureForecast:
    """The law of failures in a window of time that begins now.

    Parameters
    ----------
    window : float, [s]
        Length of the window that it was learnt for.
    half_lives : ndarray, [s], shape (h,)
        After how long a failure counts half; inf forgets nothing.
    spreads : ndarray, [-], shape (s,)
        Relative variances of the rate to come about the remembered one.
    weights : ndarray, [-], shape (h, s)
        What each pair counts; they add up to 1.
    counts, means : ndarray, [-] and [1/s], shape (h,)
        Shape and mean of the gamma law of the rate of clusters, as each half-life remembers it.
    followers : tuple of ndarray, [s]
        Times from the first failure of each of the last clusters to its others.
    repairs : ndarray, [s], shape (r,)
        Repairs that have ended.
    """

    window: float
    half_lives: FloatArray
    spreads: FloatArray
    weights: FloatArray
    counts: FloatArray
    means: FloatArray
    followers: tuple[FloatArray, ...]
    repairs: FloatArray

    @classmethod
    def constant(
        cls, rate: float, shape: float, *, window: float, repairs: FloatArray
    ) -> FailureForecast:
        """Return single failures at a constant rate, known by a gamma law of this `shape`."""
        return cls(
            *(window, np.array([math.inf]), np.zeros(1), np.ones((1, 1))),
            *(np.array([shape]), np.array([rate]), (), repairs),
        )

    @property
    def cluster_size(self) -> float:
        """Mean number of failures in a cluster, [-]."""
        return 1.0 + sum(map(len, self.followers)) / max(len(self.followers), 1)

    @property
    def mean_rate(self) -> float:
        """Mean rate of failures to come, followers of clusters among them, [1/s]."""
        return self.cluster_size * float(self.weights.sum(axis=1) @ self.means)

    @property
    def shapes(self) -> FloatArray:
        """Shape of the gamma law of the rate to come, of each pair, [-]; shape (h, s)."""
        drift = self.spreads * (1.0 + 1.0 / self.counts[:, None])
        return np.asarray(1.0 / (1.0 / self.counts[:, None] + drift))

    @property
    def rates(self) -> RateMixture:
        """The law of the rate of clusters to come."""
        return RateMixture.of(self.weights, self.shapes, self.means[:, None])

    def draw_rates(self, count: int, rng: np.random.Generator) -> FloatArray:
        """Return drawn rates of clusters, [1/s], shape (count,)."""
        pair = rng.choice(self.weights.size, size=count, p=self.weights.ravel())
        shape = self.shapes.ravel()[pair]
        mean = np.repeat(self.means, len(self.spreads))[pair]
        return np.asarray(rng.gamma(shape) / shape * mean)

    def draw_failures(
        self, time: float, count: int, rng: np.random.Generator
    ) -> tuple[FloatArray, ...]:
        """Return the failures within `time` [s] from now in each of `count` drawn futures, [s]."""
        drawn = self.draw_table(time, count, rng)
        return tuple(row[np.isfinite(row)] for row in drawn)

    def draw_table(self, time: float, count: int, rng: np.random.Generator) -> FloatArray:
        """Return the same as rows of ascending times, inf after the last, [s]; (count, most)."""
        heads = rng.poisson(self.draw_rates(count, rng) * time)
        owner = np.repeat(np.arange(count), heads)
        times = rng.uniform(0.0, time, owner.size)
        sizes = np.array([len(each) for each in self.followers])
        if sizes.any() and owner.size:
            which = rng.integers(len(sizes), size=owner.size)
            more = sizes[which]
            begins = np.cumsum(sizes) - sizes
            nth = np.arange(more.sum()) - np.repeat(np.cumsum(more) - more, more)
            lags = np.concatenate(self.followers)[np.repeat(begins[which], more) + nth]
            times = np.concatenate([times, np.repeat(times, more) + lags])
            owner = np.concatenate([owner, np.repeat(owner, more)])
        inside = times < time
        return _in_rows(times[inside], owner[inside], count)


def _in_rows(times: FloatArray, owner: IntArray, count: int) -> FloatArray:
    """Return times sorted in the row of their owner, inf after the last; shape (count, most)."""
    held = np.bincount(owner, minlength=count)
    order = np.argsort(owner, kind="stable")
    nth = np.arange(owner.size) - np.repeat(np.cumsum(held) - held, held)
    rows = np.full((count, int(held.max(initial=0))), np.inf)
    rows[owner[order], nth] = times[order]
    rows.sort(axis=1)
    return rows


def forecast_failures(
    failures: ArrayLike,
    *,
    observed_time: float,
    window: float,
    repairs: ArrayLike = (),
    cluster_gap: float | None = None,
    half_lives: ArrayLike = (*HALF_LIVES, math.inf),
    spreads: ArrayLike = SPREADS,
) -> FailureForecast:
    r"""Law of the failures in a window of time, learnt from those of the past.

    .. math::
        A_h &= 1 + \sum_i y_i 2^{-a_i/h}, \quad
        m_h = \frac{A_h}{1/r + \sum_i s\, 2^{-a_i/h}}, \\
        v_{h\tau} &= \frac{1}{A_h} + \tau^2 \left(1 + \frac{1}{A_h}\right), \\
        \log w_{h\tau} &= \frac{s}{W} \sum_k \log \mathrm{NB}(n_k;\ m_{hk} W,\ v_{h\tau k})

    with y_i heads of clusters in the step of length s and age a_i, r their rate in all the past,
    and n_k those in the window W that follows the past step k. A second forecaster of each pair
    expects that scatter in half of the windows, and the least in the others: its NB is the mean of
    both, and half of its weight is that of the least scatter.

    Parameters
    ----------
    failures : array_like, [s]
        Times of past failures since the observation began, shape (n,), in any order; >= 0. There
        may be none.
    observed_time : float, [s]
        From the beginning of the observation until now; > 0, and no failure is later.
    window : float, [s]
        W, length of the time to come that counts, such as the work of a job; > 0. It and
        `observed_time` must be comparable with a day: one at most 1e100 times another.
    repairs : array_like, [s]
        Lengths of repairs that have ended, shape (r,); >= 0. There may be none.
    cluster_gap : float, optional, [s]
        A failure less than this after the one before belongs to its cluster; >= 0. An hour if not
        given, or so much less that a quarter of the clusters begin within one of another; where no
        more follow within it than at random (by a test that is wrong with 0.01), so much less that
        of failures at random 5 % would.
    half_lives : array_like, [s]
        h, after how long a failure may count half, shape (h,); > 0, inf too.
    spreads : array_like, [-]
        tau^2, relative variances that the rate to come may have, shape (s,); >= 0.

    Returns
    -------
    FailureForecast
        With `mean_rate`, `rates` and `draw_failures`.

    Raises
    ------
    ValueError
        If a failure is later than `observed_time`.

    Notes
    -----
    Exact for the mixture: what it is worth on recorded failures, `docs/promises.md` says. Of
    constant rates it is a little wider than the law of the count alone. Hours and days count, so
    times are in seconds. Source: averaging forecasters by how they did so far is that of [1]_; the
    forecasters and their constants are derived here.

    Judged for observed_time/window 2 to 50, in a model in which rates drift as they did so far.
    Errors: see `perfmodel`.

    References
    ----------
    .. [1] A. P. Dawid, "Statistical theory: the prequential approach", Journal of the Royal
       Statistical Society A 147, 1984 (not seen).

    Examples
    --------
    Nine failures in 300 days, six of them in the last month: more than 0.9 are to come in 30.

    >>> days = [12, 70, 150, 273, 279, 281, 288, 290, 297]
    >>> found = forecast_failures(
    ...     [86400.0 * day for day in days], observed_time=300 * 86400.0, window=30 * 86400.0
    ... )
    >>> round(30 * 86400.0 * found.mean_rate, 1)
    1.5
    """
    times = np.sort(_lengths("failures", failures))
    now = scalar(positive, "observed_time", observed_time)
    length = scalar(positive, "window", window)
    comparable(observed_time=np.asarray(now), window=np.asarray(length), day=np.asarray(_DAY))
    gap = None if cluster_gap is None else scalar(nonnegative, "cluster_gap", cluster_gap)
    if len(times) and times[-1] > now:
        raise ValueError(f"failures must be <= observed_time, got {times[-1]:g} of {now:g}")
    lives = np.ravel(positive_or_inf("half_lives", half_lives))
    scatter = np.ravel(nonnegative("spreads", spreads))
    clusters = clusters_of(times, gap_of(times, now) if gap is None else gap)
    heads = times[[each[0] for each in clusters]] if clusters else times
    followers = tuple(times[each[1:]] - times[each[0]] for each in clusters[-CLUSTERS:])
    memory = _remembered(heads, now, length, lives)
    return FailureForecast(
        length,
        lives,
        scatter,
        _weights(heads, now, length, memory, scatter),
        memory.counts[-1],
        memory.means[-1],
        followers,
        _lengths("repairs", repairs),
    )


def _lengths(name: str, given: ArrayLike) -> FloatArray:
    """Return times >= 0, of which there may be none."""
    known = np.ravel(numbers(name, given))
    return nonnegative(name, known) if known.size else np.empty(0)


def gap_of(times: FloatArray, observed: float) -> float:
    """Return within how long after another a failure follows it, [s]."""
    gaps = np.diff(times)
    gap = _rare(gaps, observed)
    expected = gap * times.size / observed
    none = math.exp(-expected)
    spread = gaps.size * max(none * (1.0 - none) - (expected * none) ** 2, 0.0)
    more = np.count_nonzero(gaps < gap) - gaps.size * (1.0 - none)
    while more <= _SURE * math.sqrt(spread):
        clusters = (1.0 + np.count_nonzero(gaps >= gap)) / (1.0 - _CHANCE)
        if (least := -math.log1p(-_CHANCE) * observed / clusters) >= gap:
            break
        gap = least
    return gap


def _rare(gaps: FloatArray, observed: float) -> float:
    """Return an hour, or so much less that not too many clusters overlap by chance, [s]."""
    gap = _GAP * 0.5**_HALVES
    for tried in _GAP * 0.5 ** np.arange(_HALVES - 1.0, -1.0, -1.0):
        if (1.0 + np.count_nonzero(gaps >= tried)) * tried > _OVERLAP * observed:
            break
        gap = float(tried)
    return gap


def clusters_of(times: FloatArray, gap: float) -> list[IntArray]:
    """Return the places of the failures of each cluster; none follows a gap within one."""
    if not len(times):
        return []
    first = np.flatnonzero(np.concatenate([[True], np.diff(times) >= gap]))
    return np.split(np.arange(len(times)), first[1:])


@dataclass(frozen=True, slots=True, eq=False)
class _Memory:
    """Shape and mean rate by step and half-life, and the ends of steps, the last of them now."""

    counts: FloatArray
    means: FloatArray
    edges: FloatArray
    step: float


def _remembered(heads: FloatArray, now: float, window: float, half_lives: FloatArray) -> _Memory:
    """Return what each half-life knew at the end of each step, from heads before it."""
    parts = _PARTS if now >= _SHORT * window else 2.0 * _PARTS
    step = min(max(window / parts, _DAY, now / _MOST_STEPS), now)
    steps = int(now / step)
    edges = now - step * np.arange(steps, -1, -1.0)
    held, _ = np.histogram(heads, bins=edges)
    before = float((heads < edges[0]).sum())  # of what is left of the first step
    with np.errstate(over="ignore"):
        fade, middle = np.exp2(-step / half_lives), np.exp2(-0.5 * step / half_lives)
    known = np.zeros((steps + 1, 2, len(half_lives)))  # heads, and time
    known[0] = [[before], [edges[0]]]
    known[1:] = np.column_stack([held, np.full(steps, step)])[:, :, None] * middle
    for at in range(steps):
        known[at + 1] += known[at] * fade
    count, time = known[:, 0], known[:, 1]
    seen = before + np.concatenate([[0.0], np.cumsum(held)])
    rate = (seen + 0.5) / np.maximum(edges, step)
    shape = count + 1.0
    return _Memory(shape, shape / (time + 1.0 / rate[:, None]), edges, step)


def _weights(
    heads: FloatArray, now: float, window: float, memory: _Memory, spreads: FloatArray
) -> FloatArray:
    """Return what each half-life and spread counts, by the windows of the past it foretold."""
    past = (memory.edges > 0.0) & (memory.edges <= now - window)
    score = np.zeros((2, memory.counts.shape[1], len(spreads)))
    calm = [int(np.argmin(spreads))]
    if past.any():
        begin = memory.edges[past]
        seen = np.searchsorted(heads, begin + window) - np.searchsorted(heads, begin)
        shape, mean = memory.counts[past][:, :, None], memory.means[past][:, :, None] * window
        relative = 1.0 / (1.0 / shape + spreads * (1.0 + 1.0 / shape))
        found = _log_negative_binomial(seen[:, None, None], mean, relative)
        # A rate that scatters may do so in every window, or in half of them at random.
        halves = np.logaddexp(found, found[:, :, calm]) - math.log(2.0)
        score = np.stack([found, halves]).sum(axis=1) * min(memory.step / window, 1.0)
    each, half = np.exp(score - score.max())
    weights = each + 0.5 * half
    weights[:, calm] += 0.5 * half.sum(axis=1, keepdims=True)
    return np.asarray(weights / weights.sum())


def _log_negative_binomial(count: Any, mean: FloatArray, shape: FloatArray) -> FloatArray:
    """Return the logarithm of the probability of a count whose rate has a gamma law."""
    from scipy.special import gammaln

    scale = np.log(shape) - np.log(shape + mean)
    other = np.log(mean) - np.log(shape + mean)
    ways = gammaln(count + shape) - gammaln(shape) - gammaln(count + 1.0)
    return np.asarray(ways + shape * scale + count * other)


ROWS = (
    Formula(
        forecast_failures,
        "derived",
        "prequential mixture",
        "exact",
        ranges={"observed_time/window": (2.0, 50.0)},
        within="rates drift as they did so far",
        trend=Trend(),
    ),
)
