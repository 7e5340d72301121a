"""How to use one more node, and how many spare nodes to keep.

One more node can share the work, repeat one task, or wait to take over from a failed node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import special

from .._checks import (
    ArrayLike,
    BoolArray,
    FloatArray,
    answer,
    nonnegative,
    positive,
    scalar,
    shown,
    whole,
)
from .._ranges import NEVER_FAIL
from .._special import truncated_exponential_mean
from ..completion import CompletionTime, wsj_compound, wsj_makespan
from ..formula import Formula, Trend
from ..lifetimes import Deterministic, Exponential, Lifetime
from ..lifetimes.fixed_or_random import law_of
from ..quantities import checked
from ..validity import Range
from .extremes import FirstCompletionTime, SlowestCompletionTime
from .tasks import slowest_of

_Tails = tuple[Any, Any]  # arrays: probabilities of more than k, and of at most k

# Of the mean with a spare, for repairs with a deviation of up to four times their mean.
# Of two nodes that are down nearly half the time, the mean with a spare is 15 % too long.
EXTRA_NODE_RANGE = Range("max(nodes, 10)*downtime/mtbf", 1.0, 0.03)


@dataclass(frozen=True, slots=True)
class ExtraNode:
    """Completion times of a parallel job for three uses of one more node.

    Parameters
    ----------
    worker : CompletionTime, [time]
        The work shared by one more task.
    replica : CompletionTime, [time]
        One task run twice, the first result counts.
    spare : CompletionTime, [time]
        The node waits, and takes over when exactly one node is down.
    """

    worker: CompletionTime
    replica: CompletionTime
    spare: CompletionTime

    def percentiles(self, q: ArrayLike) -> dict[str, FloatArray]:
        """Return for each use the times by which the job is done with probabilities `q`."""
        return {use: law.ppf(q) for use, law in self._uses()}

    @property
    def means(self) -> dict[str, float]:
        """The mean completion time of each use, [time]."""
        return {use: law.mean for use, law in self._uses()}

    @property
    def best(self) -> str:
        """The use with the least mean: ``worker``, ``replica`` or ``spare``."""
        means = self.means
        return min(means, key=lambda use: means[use])

    def _uses(self) -> list[tuple[str, CompletionTime]]:
        return [("worker", self.worker), ("replica", self.replica), ("spare", self.spare)]


def compare_extra_node(
    nodes: int,
    *,
    work: float,
    mtbf: float,
    downtime: float | Lifetime,
    interval: float,
    checkpoint_cost: float = 0.0,
    printed: bool = False,
) -> ExtraNode:
    r"""Completion time with one more node as a worker, as a replica and as a spare.

    .. math::
        \text{worker:}\quad & F_{W/(N+1)}(t)^{N+1} \\
        \text{replica:}\quad & F_{W/N}(t)^{N-1} \left(1 - (1 - F_{W/N}(t))^2\right) \\
        \text{spare:}\quad & F_{W/N}(t)^{N} \text{ with a wait in place of each repair, of mean }
        \frac{1}{r W/N} \int_0^{W/N} \left(a(t) - 1 + e^{-a(t)}\right) dt

    with F_w the law of one task of work w, r the rate of failures of all tasks while they are
    at work, do rework or wait, and a(t) = r \int_0^t P(Y > u) du / (1 - mttr/mtbf) the mean
    number of nodes down at t.

    Parameters
    ----------
    nodes : int, [-]
        N, number of nodes without the new one; >= 1.
    work : float, [time]
        W, failure-free compute time of the whole job on one node; > 0.
    mtbf : float, [time]
        Mean time between failures of one node; > 0.
    downtime : float or Lifetime, [time]
        Repair Y: fixed and >= 0, or a law with a finite variance; its load (mean/`mtbf`) < 1.
    interval, checkpoint_cost : float, [time]
        As `wsj_makespan`; > 0 and >= 0.
    printed : bool, [-]
        The paper's formulas as printed: tasks by its Gamma law, see `wsj_makespan`, and a spare
        that shortens every repair to (1 - P_1) Y, P_1 = N u (1 - u)^(N-1) the probability that
        exactly one node is down, u = mttr/(mtbf + mttr).

    Returns
    -------
    ExtraNode, [time]
        `worker`, `replica`, `spare` (completion times), `means`, `percentiles(q)`, `best`.

    Warns
    -----
    ValidityWarning
        Beyond max(nodes, 10)*downtime/mtbf = 1.

    Notes
    -----
    Approximation: the mean with a spare is within 3 % of that of simulated jobs
    (`sim.application.simulate_spare_makespans`), for deviations of the repair up to four times
    its mean. Of fewer than ten nodes that are often down it is farther off: 15 % too long for two
    with downtime/mtbf = 0.45. A failed task goes to the free node at once, or waits for the first
    node that comes back; moving is free. The nodes down are taken as Poisson, as if failures found
    infinitely many repairmen and nodes; by Little's law that gives the mean wait, which is taken as
    exponential, and so is the time without a wait. In the simulation a node whose task is done can
    take over another task; here it cannot. The paper shortens repairs by the probability that one
    node is down at any instant, not given that one has failed: its mean is up to a quarter too
    long in the cases tried, and it counts nearly whole repairs where a spare takes over after
    almost every failure.
    Worker and replica are exact in the process of `wsj_compound`.
    Source: [1]_, section 3. P_1 is not given there; nodes fail and are repaired independently.

    Judged for nodes 1 to 100, downtime/mtbf 0.001 to 0.2, cv of downtime 0.3 to 4, work/mtbf 0.2 to
    400, interval/mtbf 0.01 to 0.3, checkpoint_cost/interval 0.01 to 0.3, in a model in which rework
    and checkpoints never fail. Errors: see `perfmodel`.

    References
    ----------
    .. [1] M. Wu, X.-H. Sun and H. Jin, "Performance under failures of high-end computing",
       SC'07, 2007.

    Examples
    --------
    >>> from perfmodel import Exponential
    >>> compare_extra_node(
    ...     10, work=1280.0, mtbf=512.0, downtime=Exponential(0.5), interval=2.0,
    ...     checkpoint_cost=0.2,
    ... ).best
    'worker'
    """
    n = int(scalar(whole, "nodes", nodes))
    total = scalar(positive, "work", work)
    mtbf, interval = scalar(positive, "mtbf", mtbf), scalar(positive, "interval", interval)
    repair = law_of("downtime", downtime)
    mean = repair.mean

    def task(share: float, repair: Lifetime) -> CompletionTime:
        job = {"mtbf": mtbf, "interval": interval, "checkpoint_cost": checkpoint_cost}
        if printed:
            return wsj_makespan(share, downtime=repair, printed=True, **job)
        return wsj_compound(share, downtime=repair, **job)

    alone = task(total / n, repair)
    worker = task(total / (n + 1), repair)
    if printed:
        down = mean / (mtbf + mean)
        only_one = n * down * (1.0 - down) ** (n - 1)
        shorter = 1.0 - only_one
        wait = repair.scaled(shorter)
    else:
        EXTRA_NODE_RANGE.warn("compare_extra_node", np.asarray(max(n, 10) * (mean / mtbf)))
        wait = _wait(n, total / n, mtbf, repair, interval)
    twice = FirstCompletionTime(alone, 2.0)
    return ExtraNode(
        worker=slowest_of(worker, n + 1),
        replica=SlowestCompletionTime((alone, twice)[-min(n, 2) :], (n - 1.0, 1.0)[-min(n, 2) :]),
        spare=slowest_of(task(total / n, wait), n),
    )


def _wait(nodes: int, share: float, mtbf: float, repair: Lifetime, interval: float) -> Lifetime:
    """Return the wait for a node as a downtime: with the failures that prolong it taken out."""
    if repair.mean == 0.0:
        return Deterministic(0.0)
    # Nodes down at time t: Poisson, as in a queue of infinitely many servers that starts empty.
    t = share * np.concatenate([[0.0], np.geomspace(1e-6, 1.0, 400)])
    steps = np.diff(t)
    still = np.asarray(repair.sf(0.5 * (t[1:] + t[:-1])))
    down = np.cumsum(steps * still) / (1.0 - repair.mean / mtbf)
    rework = interval * float(truncated_exponential_mean(np.asarray(interval / mtbf)))
    wait = 0.0
    for _ in range(60):
        rate = nodes / (mtbf + rework + wait)
        load = rate * down
        small = load < 1e-4
        waiting = np.where(small, 0.5 * load * load, load + np.expm1(-load))
        wait = float(np.sum(steps / share * waiting)) / rate
    return Exponential(wait / (1.0 + wait / mtbf)) if wait > 0.0 else Deterministic(0.0)


def spares_needed(
    nodes: ArrayLike,
    mtbf: ArrayLike,
    mttr: ArrayLike,
    confidence: ArrayLike,
    *,
    law: Literal["poisson", "binomial"] = "poisson",
) -> FloatArray:
    r"""Return the number of spare nodes that suffice with the given probability.

    .. math:: \min\{k : P(X \le k) \ge q\}, \quad X \sim \text{Poisson}(N \mu_r / \mu)

    Parameters
    ----------
    nodes : array_like, [-]
        N, nodes at work at any time; whole and >= 1.
    mtbf : array_like, [time]
        mu, mean uptime of one node between failures, not of the machine; > 0, inf if none fails.
    mttr : array_like, [time]
        mu_r, mean time to repair of one node; >= 0.
    confidence : array_like, [-]
        q, probability that at any given instant no more nodes than spares are down; in [0, 1).
    law : {"poisson", "binomial"}, [-]
        ``poisson``: N nodes are always at work, as if spares never ran out, so failures arrive at
        the full rate whatever the number down. ``binomial``: N nodes in all, each down with
        probability mttr/(mtbf + mttr).

    Returns
    -------
    ndarray, [-]
        Whole numbers. Shape: all arguments broadcast together. Overflow gives inf.

    Notes
    -----
    Exact in steady state for independent nodes and any law of repair (M/G/infinity). `confidence`
    is the share of all time in which the spares suffice: it is not a confidence in an estimate,
    and over a whole mission the spares run out with a larger probability. ``poisson`` lets the
    nodes that no spare replaces fail too, so where spares do run out, it overstates the nodes down.
    Source: derived; that the number in service is Poisson for any law of service is [1]_.

    Judged for nodes 1 to 1e6, mttr/mtbf 1e-6 to 1, confidence 0.001 to 0.999999. Errors: see
    `perfmodel`.

    References
    ----------
    .. [1] L. Takacs, "Introduction to the theory of queues", Oxford University Press, 1962; not
       seen.

    Examples
    --------
    >>> spares_needed(2048, 6666.0, 48.0, [0.95, 0.99, 0.999]).tolist()
    [21.0, 24.0, 28.0]
    """
    if law not in ("poisson", "binomial"):
        raise ValueError(f"law must be 'poisson' or 'binomial', got {shown(law)}")
    n, mu, repair, q = checked(
        nodes=nodes, mtbf=mtbf, mttr=nonnegative("mttr", mttr), confidence=confidence
    )
    if (q >= 1.0).any():
        raise ValueError(f"confidence must be in [0, 1), got {float(np.max(q))!r}")
    down, up = _share(repair, mu), _share(mu, repair)
    with np.errstate(over="ignore"):
        mean = n * (repair / mu if law == "poisson" else down)
    most = np.where(law == "binomial", n, np.inf)

    def enough(k: FloatArray) -> BoolArray:
        tails: _Tails
        if law == "poisson":
            tails = special.gammainc(k + 1.0, mean), special.gammaincc(k + 1.0, mean)
        else:
            left = np.maximum(n - k, 1.0)
            # By the smaller share: of the other one, near 1, the digits are gone.
            tails = _either(
                down < up,
                (special.betainc(k + 1.0, left, down), special.betaincc(k + 1.0, left, down)),
                (special.betaincc(left, k + 1.0, up), special.betainc(left, k + 1.0, up)),
            )
        beyond, within = tails
        # Whichever is the smaller has the digits.
        fits = np.where(q < 0.5, within >= q, beyond <= 1.0 - q)
        return np.asarray(fits | (k >= most))

    found = _least(enough, mean, most)
    found = np.where(np.isinf(mean) & (q > 0.0), most, found)
    return answer(found, nodes, mtbf, mttr, confidence)


def _share(part: FloatArray, rest: FloatArray) -> FloatArray:
    """Return part/(part + rest), of which the sum may overflow."""
    with np.errstate(over="ignore"):
        ratio = rest / np.where(part > 0.0, part, 1.0)
        return np.where(part > 0.0, 1.0 / (1.0 + ratio), 0.0)


def _either(where: BoolArray, one: _Tails, other: _Tails) -> _Tails:
    """Return both tails of the first pair where that holds, else those of the other pair."""
    return np.where(where, one[0], other[0]), np.where(where, one[1], other[1])


def _least(
    enough: Callable[[FloatArray], BoolArray], mean: FloatArray, most: FloatArray
) -> FloatArray:
    """Return the least whole number >= 0 that is enough, around a mean, by bisection."""
    centre = np.where(np.isinf(mean), 0.0, mean)
    low = np.full(mean.shape, -1.0)
    high = np.minimum(np.ceil(centre + 10.0 * np.sqrt(centre) + 40.0), most)
    # Beyond 2^53 neighbouring floats are further apart than 1.
    while (high - low > np.maximum(1.0, np.spacing(high))).any():
        middle = np.floor(low + 0.5 * (high - low))
        ok = enough(np.maximum(middle, 0.0)) & (middle >= 0.0)
        stuck = (middle <= low) | (middle >= high)
        low, high = np.where(ok, low, middle), np.where(ok, middle, high)
        if stuck.all():
            break
    return high


ROWS = (
    Formula(
        compare_extra_node,
        "wsj",
        "section 3",
        "approximation",
        EXTRA_NODE_RANGE,
        ranges={
            "nodes": (1.0, 100.0),
            "downtime/mtbf": (1e-3, 0.2),
            "cv of downtime": (0.3, 4.0),
            "work/mtbf": (0.2, 400.0),
            "interval/mtbf": (0.01, 0.3),
            "checkpoint_cost/interval": (0.01, 0.3),
        },
        within=NEVER_FAIL,
        trend=Trend(rising=("work",)),
    ),
    Formula(
        spares_needed,
        "derived",
        "M/G/infinity",
        "exact",
        ranges={"nodes": (1.0, 1e6), "mttr/mtbf": (1e-6, 1.0), "confidence": (1e-3, 0.999999)},
        trend=Trend(rising=("nodes", "mttr", "confidence"), falling=("mtbf",)),
    ),
)
