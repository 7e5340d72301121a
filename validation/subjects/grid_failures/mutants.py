"""Wrong generators of grid failures: each drops or confuses one rule of `grid`, section 4.1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import gamma
from typing import Any

import numpy as np

from sim.cluster import Failures
from sim.cluster.grid import ClusterSpec, FailureModel, Grid, generate_failures
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _with(change: Callable[[FailureModel], FailureModel]) -> Callable[..., Failures]:
    """Return a generator that changes its parameters before it draws."""

    def wrong(grid: Grid, model: FailureModel, **options: Any) -> Failures:
        return generate_failures(grid, change(model), **options)

    return wrong


def _scale_is_the_mean(model: FailureModel) -> FailureModel:
    return replace(model, repair_scale=model.repair_scale / gamma(1.0 + 1.0 / model.repair_shape))


def _always_in_service(grid: Grid, model: FailureModel, **options: Any) -> Failures:
    return generate_failures(grid, model, **{**options, "in_service": None})


def _late_machines_count(grid: Grid, model: FailureModel, **options: Any) -> Failures:
    drawn = generate_failures(grid, model, **options)
    begins = np.minimum(drawn.time, options.get("start", 0.0))
    late = drawn.time == begins
    return Failures(drawn.time, drawn.node, np.where(late, drawn.repair + begins, drawn.repair))


def _clusters_alike(grid: Grid, model: FailureModel, **options: Any) -> Failures:
    if options.get("in_service") is not None:
        return generate_failures(grid, model, **options)
    sizes = np.array([cluster.machines for cluster in grid.clusters])
    alike = grid.nodes // sizes.size
    twin = Grid(tuple(ClusterSpec(cluster.name, alike) for cluster in grid.clusters))
    drawn = generate_failures(twin, model, **options)
    cluster, machine = np.divmod(drawn.node, alike)
    return Failures(
        drawn.time, np.array(grid.first_machines)[cluster] + machine % sizes[cluster], drawn.repair
    )


MUTANTS = (
    Mutant(
        generate_failures,
        "two in a hundred failures too many",
        _with(lambda model: replace(model, afc=1.02 * model.afc)),
    ),
    Mutant(generate_failures, "every cluster in service from the start", _always_in_service),
    Mutant(generate_failures, "service counted from second 0", _late_machines_count),
    Mutant(
        generate_failures,
        "exponential durations",
        _with(lambda model: replace(model, repair_shape=1.0)),
    ),
    Mutant(generate_failures, "scale taken for the mean duration", _with(_scale_is_the_mean)),
    Mutant(
        generate_failures, "exponential gaps", _with(lambda model: replace(model, gap_shape=1.0))
    ),
    Mutant(generate_failures, "no bursts", _with(lambda model: replace(model, burst_size=1.0))),
    Mutant(
        generate_failures,
        "burst size taken for the failures after the first",
        _with(lambda m: replace(m, burst_size=m.burst_size + (m.burst_size > 1.0))),
    ),
    Mutant(generate_failures, "small clusters struck as often as large ones", _clusters_alike),
    Mutant(
        generate_failures,
        "machines of a cluster always alike",
        _with(lambda model: replace(model, skew=0.0)),
    ),
    Mutant(
        generate_failures,
        "machines of a cluster never alike",
        _with(lambda model: replace(model, skew=max(model.skew, 1.0))),
    ),
)
