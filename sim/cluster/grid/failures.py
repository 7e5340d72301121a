"""Machine failures of a grid, generated as in the paper `grid`, section 4.1.

The number of failures is fixed first: machines times hours times the average count per
machine and hour (AFC). They come in bursts on one cluster: gaps between bursts are Weibull and
stretched to fill the time, sizes geometric. A cluster is struck in proportion to its machines; a
machine inside uniformly, or by a power law of a random ranking. Durations are Weibull. Clusters
that came into service later are out as a whole until then, in addition to that number.
Parameters are numbers; `fitted_failure_model` takes them from a log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..._checks import fraction, nonnegative, positive
from ..._libm import powers
from ..._units import HOUR
from ...records import FloatArray, IntArray
from ...streams import GRID_FAILURES, stream
from ..failures.drawn import lemon_nodes
from ..failures.feed import Failures
from .machine import Grid

_MAY_BE_NONE = ("burst_span", "skew", "lemon_share")


@dataclass(frozen=True, slots=True)
class FailureModel:
    """The parameters of the generator.

    Parameters
    ----------
    afc : float, [1/h]
        Failures per machine and hour.
    gap_shape : float, [-]
        Of the Weibull gaps between bursts; below 1 failures cluster in time.
    repair_shape, repair_scale : float, [-], [s]
        Of the Weibull durations.
    burst_size : float, [-]
        Mean number of failures in a burst, >= 1; with 1 there are no bursts.
    burst_span : float, [s]
        Within which the failures of a burst come.
    skew : float, [-]
        0 strikes the machines of a cluster alike; s gives the k-th of them weight k^-s.
    lemon_share : float, [-]
        Share of the machines, drawn by the seed over the whole grid, that are struck more often;
        in [0, 1], rounded to whole machines. The number of failures is kept.
    lemon_factor : float, [-]
        How many times as often, where a failure comes alone; > 0. The others of a burst strike
        machines not struck yet.
    """

    afc: float
    gap_shape: float
    repair_shape: float
    repair_scale: float
    burst_size: float = 1.0
    burst_span: float = 60.0
    skew: float = 0.0
    lemon_share: float = 0.0
    lemon_factor: float = 10.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            check = nonnegative if field.name in _MAY_BE_NONE else positive
            check(field.name, value)
        fraction("lemon_share", self.lemon_share)
        if self.burst_size < 1.0:
            raise ValueError(f"burst_size must be >= 1, got {self.burst_size!r}")


def failure_count(machines: int, hours: float, afc: float) -> int:
    """Return how many failures to draw: F = N D AFC (eq. 1 of the paper).

    Parameters
    ----------
    machines : int, [-]
        N.
    hours : float, [h]
        D, the time to fill.
    afc : float, [1/h]
        Failures per machine and hour.

    Returns
    -------
    int, [-]
        The nearest whole number.
    """
    return round(machines * hours * afc)


def average_failure_count(failures: int, machines: int, hours: float) -> float:
    """Return AFC, the failures per machine and hour of a log.

    Parameters
    ----------
    failures : int, [-]
        How many the log has.
    machines : int, [-]
        How many it watches; > 0.
    hours : float, [h]
        How long it watches each of them, on average; > 0.

    Returns
    -------
    float, [1/h]
        Failures over machine hours.

    Raises
    ------
    ValueError
        If `machines` or `hours` is not finite and > 0.
    TypeError
        If either is not a number.
    """
    return failures / (positive("machines", machines) * positive("hours", hours))


def generate_failures(
    grid: Grid,
    model: FailureModel,
    *,
    start: float = 0.0,
    end: float,
    seed: int,
    in_service: Sequence[float] | None = None,
) -> Failures:
    """Draw the failures of a grid on [start, end).

    Parameters
    ----------
    grid : Grid
        Which is struck.
    model : FailureModel
        The numbers.
    start, end : float, [s]
        The time to fill, on the clock of the submissions.
    seed : int
        Equal seeds give equal failures.
    in_service : sequence of float, optional, [s]
        When each cluster begins its work; its machines are out until then.

    Returns
    -------
    Failures
        Exactly `failure_count` of them, and one more for each machine that is out at the start;
        machines numbered over the whole grid.

    Raises
    ------
    ValueError
        If `end` is not finite and after `start`, `in_service` not one finite entry per cluster, or
        a `lemon_share` > 0 makes no machine a lemon, or all.

    Examples
    --------
    >>> from sim.cluster.grid import ClusterSpec, Grid
    >>> grid = Grid((ClusterSpec("fs0", 72, 2), ClusterSpec("fs1", 32, 2)))
    >>> model = FailureModel(afc=0.001, gap_shape=0.8, repair_shape=0.7, repair_scale=3600.0)
    >>> len(generate_failures(grid, model, end=1000 * 3600.0, seed=1))
    104
    """
    if not start < end < np.inf:
        raise ValueError(f"end must be finite and > start, got {end!r} for start={start!r}")
    rng = stream(seed, *GRID_FAILURES)
    count = failure_count(grid.nodes, (end - start) / HOUR, model.afc)
    sizes = _burst_sizes(rng, count, model.burst_size)
    gaps = rng.weibull(model.gap_shape, sizes.size + 1)
    begins = start + (end - start) * np.cumsum(gaps)[:-1] / gaps.sum()
    machines = np.array([cluster.machines for cluster in grid.clusters])
    first = grid.first_machines
    often = _often(grid.nodes, model, seed)
    shares = machines if often is None else np.add.reduceat(often, first[:-1])
    clusters = rng.choice(machines.size, size=sizes.size, p=shares / shares.sum())
    weights = [_weights(rng, cluster.machines, model.skew) for cluster in grid.clusters]
    if often is not None:
        weights = [w * often[f : f + w.size] for f, w in zip(first, weights, strict=False)]
    times: list[FloatArray] = []
    nodes: list[IntArray] = []
    for begin, cluster, size in zip(begins, clusters, sizes, strict=True):
        offsets = np.sort(rng.random(size)) * model.burst_span
        offsets[0] = 0.0
        times.append(np.minimum(begin + offsets, np.nextafter(end, start)))
        nodes.append(first[cluster] + _machines(rng, weights[cluster], int(size)))
    repairs = [model.repair_scale * rng.weibull(model.repair_shape, count)]
    if in_service is not None:
        out = np.repeat(_delays(grid, in_service, start), machines)
        late = np.flatnonzero(out)
        times.insert(0, np.full(late.size, start))
        nodes.insert(0, late)
        repairs.insert(0, out[late])
    return Failures(
        time=np.concatenate(times) if times else np.empty(0),
        node=np.concatenate(nodes) if nodes else np.empty(0, np.int64),
        repair=np.concatenate(repairs),
    )


def _delays(grid: Grid, in_service: Sequence[float], start: float) -> FloatArray:
    """Return how long after `start` each cluster comes into service, [s]."""
    begins = np.asarray(in_service, dtype=np.float64)
    if begins.shape != (len(grid.clusters),):
        raise ValueError(
            f"in_service must have one entry per cluster, got {begins.size} "
            f"for {len(grid.clusters)}"
        )
    if not np.isfinite(begins).all():
        raise ValueError(
            f"in_service must be finite, got {float(begins[~np.isfinite(begins)][0])!r}"
        )
    return np.maximum(begins - start, 0.0)


def _burst_sizes(rng: np.random.Generator, count: int, mean: float) -> IntArray:
    """Return sizes that add up to `count`; the last burst is cut."""
    sizes = rng.geometric(1.0 / mean, count).astype(np.int64)
    ends = np.cumsum(sizes)
    needed = int(np.searchsorted(ends, count)) + 1 if count else 0
    sizes = sizes[:needed]
    if needed:
        sizes[-1] -= ends[needed - 1] - count
    return sizes


def _often(machines: int, model: FailureModel, seed: int) -> FloatArray | None:
    """Return how many times as often each machine is struck; None if all are alike."""
    lemons = lemon_nodes(machines, model.lemon_share, seed)
    if not lemons.size:
        return None
    often = np.ones(machines)
    often[lemons] = model.lemon_factor
    return often


def _weights(rng: np.random.Generator, machines: int, skew: float) -> FloatArray:
    rank = rng.permutation(machines) + 1.0
    weights = powers(rank, -skew)
    return np.asarray(weights / weights.sum())


def _machines(rng: np.random.Generator, weights: FloatArray, size: int) -> IntArray:
    """Return machines of one burst, different ones as long as there are any."""
    chosen: list[int] = []
    left = weights
    while len(chosen) < size:
        if len(chosen) % weights.size == 0:
            left = weights  # every machine is struck before one is struck again
        count = min(size - len(chosen), weights.size - len(chosen) % weights.size)
        below = np.cumsum(left)
        drawn = below.searchsorted(rng.random(count) * below[-1], side="right")
        chosen += dict.fromkeys(drawn.tolist())
        if len(chosen) < size:
            left = left.copy()
            left[drawn] = 0.0
    return np.array(chosen, dtype=np.int64)
