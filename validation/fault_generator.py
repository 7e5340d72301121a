"""The generator of grid failures, judged by the numbers it was given.

Counts are an identity; the laws of gaps and durations are fitted again and must give back the
numbers they were drawn from; bursts must show as correlation in time and place.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from perfmodel.fitting import fit_lifetime
from perfmodel.lifetimes import Weibull
from sim.cluster.fault_generator import FaultModel, failure_count, generate_failures
from sim.cluster.machines.grid import ClusterSpec, Grid

from .compare import compare_mean, compare_number
from .compare_estimates import compare_estimate
from .compare_laws import compare_cdf
from .verdict import Verdict

__all__ = ["GRID", "MODEL", "judge"]

GRID = Grid((ClusterSpec("fs0", 72, 2), *(ClusterSpec(f"fs{k}", 32, 2) for k in range(1, 5))))
# 10,000 failures in 50,000 hours: bursts of a minute hardly ever meet by chance.
MODEL = FaultModel(afc=0.001, gap_shape=0.7, repair_shape=0.6, repair_scale=9000.0, burst_size=2.0)
_HOURS = 50_000.0
_ONE_SIGMA = 0.6826894921370859


def judge(
    *, seed: int, alpha: float, claimed: FaultModel = MODEL, linear: bool = True
) -> dict[str, Verdict]:
    """Return what is claimed of failures drawn from `MODEL` -> verdict.

    `claimed` and `linear` say otherwise to see the judge refuse.
    """
    single = replace(MODEL, burst_size=1.0)
    drawn = generate_failures(GRID, MODEL, end=_HOURS * 3600.0, seed=seed)
    alone = generate_failures(GRID, single, end=_HOURS * 3600.0, seed=seed + 1)
    verdicts = {
        "count": compare_number(
            failure_count(GRID.nodes, _HOURS, claimed.afc), len(drawn), tolerance=0.0
        ),
        "durations": compare_cdf(
            Weibull(claimed.repair_shape, claimed.repair_scale).cdf,
            drawn.repair,
            alpha=alpha,
            tolerance=0.05,
        ),
    }
    fit = fit_lifetime(drawn.repair, families=["weibull"], confidence=_ONE_SIGMA).best
    for name, truth in (("shape", claimed.repair_shape), ("scale", claimed.repair_scale)):
        low, high = fit.intervals[name]
        verdicts[f"repair {name}"] = compare_estimate(
            truth, fit.parameters[name], (high - low) / 2.0, alpha=alpha, tolerance=0.1
        )
    gaps = np.diff(alone.time)
    fit = fit_lifetime(gaps[gaps > 0.0], families=["weibull"], confidence=_ONE_SIGMA).best
    low, high = fit.intervals["shape"]
    verdicts["gap shape"] = compare_estimate(
        claimed.gap_shape, fit.parameters["shape"], (high - low) / 2.0, alpha=alpha, tolerance=0.1
    )
    cluster = np.repeat(np.arange(5), [c.machines for c in GRID.clusters])[drawn.node]
    together = (np.diff(drawn.time) <= MODEL.burst_span) & (np.diff(cluster) == 0)
    # Of a burst of mean size b all but one are followed by another: 1 - 1/b.
    verdicts["burst correlation"] = compare_mean(
        1.0 - 1.0 / claimed.burst_size, together.astype(np.float64), alpha=alpha, tolerance=0.2
    )
    share = 72.0 / 200.0 if linear else 1.0 / 5.0
    first = (alone.node < 72).astype(np.float64)
    verdicts["share of the largest"] = compare_mean(share, first, alpha=alpha, tolerance=0.1)
    return verdicts
