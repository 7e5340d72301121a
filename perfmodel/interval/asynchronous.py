r"""How much work to do between two checkpoints that are durable only some time after their copy.

The job is that of `perfmodel.makespan.asynchronous`, and long. Per unit of work it costs, but for a
factor that no interval changes, e^((w + C + l - x)/mu) (e^(x/mu) - 1)/w, with x the time from one
durable snapshot to the next if nothing fails.
"""

from __future__ import annotations

import numpy as np

from .._checks import ArrayLike, FloatArray, answer
from .._ranges import COST_ASYNC, COSTS_ASYNC
from .._special import expm1_minus, optimal_ratio
from ..formula import Formula, Trend
from ..makespan.asynchronous import InFlight, checked_in_flight
from ..quantities import checked

_HALVINGS = 80
_STRIDES = 200  # segments to a snapshot, up to which the search for skipping jobs goes
_HOPELESS = 100.0  # mtbfs: one uptime in e^100 is so long, and each segment starts cold


def optimal_interval_async(
    *,
    mtbf: ArrayLike,
    checkpoint_cost: ArrayLike,
    latency: ArrayLike,
    slowdown: ArrayLike = 0.0,
    in_flight: InFlight = "overlap",
) -> FloatArray:
    r"""Interval that minimises the expected makespan of a long job whose snapshots drain.

    .. math::
        w^* = \max\left(\mu \left(1 + W_0\left(-e^{-1 - C/\mu}\right)\right),
              \min(\mu, l - C)\right)

    for ``overlap`` without a slowdown: the synchronous optimum for the copy alone, or, where drains
    would then queue, the shortest interval at which they do not, up to mu. For ``single_buffer`` it
    is l in place of l - C; with a slowdown s, C + s l in place of C in W0, and l (1 - s) for l.

    Parameters
    ----------
    mtbf : array_like, [time]
        mu, mean uptime between failures, repair excluded; > 0, inf if there are none.
    checkpoint_cost : array_like, [time]
        C, the copy for which the job stands still; >= 0.
    latency : array_like, [time]
        l, from the end of the copy to the instant at which the snapshot is durable; >= 0.
    slowdown : array_like, [-]
        s, share of computing that is lost while a snapshot drains; >= 0 and <= 1.
    in_flight : {"overlap", "single_buffer", "skip"}, [-]
        The rule for a snapshot that falls due while the previous one drains.

    Returns
    -------
    ndarray, [time]
        Work per segment, checkpoint excluded; at most `mtbf`, or l (1 - s) where ``skip`` so skips
        none. 0 for checkpoints that are free and durable at once; without failures (`mtbf` inf) it
        is inf: write no checkpoint. Shape: all numbers broadcast together.

    Notes
    -----
    Exact for any ratio of C and l to mu. With a slowdown, ``overlap`` has a second local minimum
    where a drain outlasts computing, but not computing and copy: the root of an equation without a
    closed form, found to rounding, and the better of both is returned. ``skip`` has a minimum for
    each number of segments from one snapshot to the next: a root again, found for up to 200;
    where no drain ends within 100 mtbf it is mu. Neither recovery nor downtime matters.
    Source: derived in tests/derivations/test_asynchronous.py. That the optimum depends on the
    overhead and not on the latency, as long as no drain queues, is said in the abstract of [1]_,
    which was not seen here.

    Judged for slowdown 0 to 1, and any other ratio from 1e-6 to 1e6. Errors: see `perfmodel`.

    References
    ----------
    .. [1] N. H. Vaidya, "Impact of checkpoint latency on overhead ratio of a checkpointing scheme",
       IEEE Transactions on Computers 46, 1997.

    Examples
    --------
    >>> short, long = optimal_interval_async(mtbf=10.0, checkpoint_cost=0.3, latency=[1.0, 4.0])
    >>> round(float(short), 6), round(float(long), 6)
    (2.253707, 3.7)
    """
    rule = checked_in_flight(in_flight)
    mu, c, drain, share = checked(
        mtbf=mtbf, checkpoint_cost=checkpoint_cost, latency=latency, slowdown=slowdown
    )
    found = _waiting(mu, c, drain, share, rule)
    if rule == "skip":
        found = _skipping(mu, c, drain, share, found)
    return answer(found, mtbf, checkpoint_cost, latency, slowdown)


def _waiting(
    mu: FloatArray, c: FloatArray, latency: FloatArray, slowdown: FloatArray, rule: InFlight
) -> FloatArray:
    """Return the optimum where each snapshot follows the last in a segment."""
    slowed = bool(np.any(slowdown))
    with np.errstate(over="ignore", invalid="ignore"):
        cost = c + slowdown * latency if slowed else c
        alone = (1.0 - slowdown) * latency if slowed else latency
        best = mu * optimal_ratio(np.sqrt(2.0) * np.sqrt(cost) / np.sqrt(mu))
        free = alone - (1.0 - slowdown) * c if slowed else alone - c
        least = np.minimum(mu, alone if rule != "overlap" else free)
        found = np.where(np.isinf(mu), np.inf, np.maximum(best, least))
    between = (slowdown > 0.0) & (slowdown < 1.0) & (mu < np.inf) & (best < mu)
    if not slowed or rule != "overlap" or not between.any():
        return found
    found[between] = _beside_the_copy(
        *(array[between] for array in (mu, c, latency, slowdown, best))
    )
    return found


def _beside_the_copy(
    mu: FloatArray, c: FloatArray, latency: FloatArray, slowdown: FloatArray, best: FloatArray
) -> FloatArray:
    """Return the better of the optimum `best` and of that where a drain ends during a copy.

    There the cost is e^(y + g) - e^(-k y) over y, with y = w/mu, g = C/mu, k = s/(1 - s).
    """
    top = (1.0 - slowdown) * latency
    low, ratio = np.zeros_like(mu), slowdown / (1.0 - slowdown)
    high = np.minimum(1.0, top / mu)
    with np.errstate(all="ignore"):
        for _ in range(_HALVINGS):
            y = 0.5 * (low + high)
            # The derivative, as a sum without cancellation where y is small.
            rise = np.exp(c / mu) * (y * np.expm1(y) - expm1_minus(y)) - np.expm1(c / mu)
            rise -= np.exp(-ratio * y) * expm1_minus(ratio * y)
            falling = rise < 0.0
            low, high = np.where(falling, y, low), np.where(falling, high, y)
    inner = np.maximum(mu * high, np.minimum(mu, top - (1.0 - slowdown) * c))
    outer = np.maximum(best, np.minimum(mu, top))
    costs = [_log_cost(w, mu, c, latency, slowdown) for w in (inner, outer)]
    return np.where(costs[0] < costs[1], inner, outer)


def _log_cost(
    w: FloatArray, mu: FloatArray, c: FloatArray, latency: FloatArray, slowdown: FloatArray
) -> FloatArray:
    """Return the logarithm of the cost per unit of work with two buffers."""
    with np.errstate(all="ignore"):
        beside = np.minimum(latency, w / (1.0 - slowdown))
        x = np.maximum(w + slowdown * beside + c, latency)
        gap = np.minimum(latency - slowdown * beside, w + c)
        return np.asarray(gap / mu + _log_expm1(x / mu) - np.log(w))


def _log_expm1(x: FloatArray) -> FloatArray:
    return np.asarray(np.where(x < 30.0, np.log(np.expm1(np.minimum(x, 30.0))), x))


def _skipping(
    mu: FloatArray,
    c: FloatArray,
    latency: FloatArray,
    slowdown: FloatArray,
    without: FloatArray,
) -> FloatArray:
    """Return the optimum where snapshots are skipped; `without` is the best that skips none."""
    found = without.copy()
    for place in np.ndindex(found.shape):
        alone = (1.0 - float(slowdown[place])) * float(latency[place])
        if not (alone > 0.0 and mu[place] < np.inf):
            continue
        if alone > _HOPELESS * mu[place]:
            found[place] = mu[place]
            continue
        # Where segments are not shorter than that, nothing is skipped.
        outer = max(float(without[place]), alone)
        found[place] = _search(
            float(mu[place]), float(c[place]), float(latency[place]), alone, outer
        )
    return found


def _search(mu: float, c: float, latency: float, alone: float, outer: float) -> float:
    """Return the best interval; `outer` is the best without a skipped snapshot.

    For each number of segments to a snapshot the root of the derivative, between the interval at
    which the drain ends at a boundary and that of one segment less.
    """
    k = np.arange(1.0, _STRIDES + 1.0)
    beside = (latency - alone + c) / mu
    ends = alone / mu / k
    ends[0] = outer / mu

    def cost(y: FloatArray) -> FloatArray:
        """Return the logarithm of the cost per unit of work, y in mtbfs."""
        grown = np.expm1(k * y + beside)
        return np.where(y > 0.0, y - np.log1p(k / grown) - np.log(y), np.inf)

    low, high = ends.copy(), np.append(ends[0], alone / mu / k[:-1])
    with np.errstate(all="ignore"):
        for _ in range(_HALVINGS):
            y = 0.5 * (low + high)
            grown = np.expm1(k * y + beside)
            # y times the derivative of the cost, as a sum that cancels at its root only.
            rise = y + k * (k - 1.0) * y / (k + grown) - _lag(k * y, beside)
            low, high = np.where(rise < 0.0, y, low), np.where(rise < 0.0, high, y)
        # A minimum at the end is the end itself.
        at_ends, inside = cost(ends), cost(high)
    best = int(np.argmin(np.minimum(at_ends, inside)))
    if best == 0:
        return outer
    return alone / (best + 1.0) if at_ends[best] <= inside[best] else mu * float(high[best])


def _lag(x: FloatArray, beside: float) -> FloatArray:
    """Return 1 - x/(e^(x + beside) - 1), in all digits."""
    total = x + beside
    small = np.minimum(total, 1.0)
    near = (expm1_minus(small) + beside) / np.expm1(small)
    return np.asarray(np.where(total < 1.0, near, 1.0 - x / np.expm1(total)))


ROWS = (
    Formula(
        optimal_interval_async,
        "derived",
        "Markov renewal",
        "exact",
        ranges=COST_ASYNC,
        domain=COSTS_ASYNC,
        trend=Trend(),
    ),
)
