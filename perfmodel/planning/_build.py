"""From a scenario to the numbers of a job, also with one of its keys changed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from .._checks import FloatArray
from ..protocols.situation import Situation, ages
from ..protocols.table import CHOOSE, protocol_of
from ..standbys import mean_stop
from .scenario import Failures, Scenario

_ROUNDED = 1e-12  # of a mean stop
MOST_SPARES = 500  # spare blocks for which a mean stop is computed

MTBF = "failures.mtbf"

# The arguments of a protocol, of which all must be given.
_TOGETHER = {
    "local_cost": ("survived",),
    "recall": ("precision", "proactive_cost"),
}


def checkpoint_cost(scenario: Scenario) -> float | None:
    """Return the time to write a checkpoint, [s], or None where the scenario does not say."""
    how, bandwidth = scenario.checkpoint, scenario.machine.bandwidth
    if how.cost is not None and how.size is not None:
        raise ValueError("checkpoint must come with either cost or size, got both")
    if how.size is None:
        return how.cost
    return None if bandwidth is None else how.size / bandwidth


def checkpoint_key(scenario: Scenario) -> str:
    """Return the key on which the time of a checkpoint depends."""
    return "checkpoint.cost" if scenario.checkpoint.size is None else "machine.bandwidth"


def varied(scenario: Scenario, key: str, value: Any) -> Scenario:
    """Return the scenario with another value of one key."""
    section, _, name = key.partition(".")
    changed: Any = {section: replace(getattr(scenario, section), **{name: value})}
    return replace(scenario, **changed)


def value_of(scenario: Scenario, key: str) -> Any:
    """Return the value of a key."""
    section, _, name = key.partition(".")
    return getattr(getattr(scenario, section), name)


def blocks_of(scenario: Scenario) -> int:
    """Return the number of blocks that the job needs, or raise where the scenario does not say."""
    nodes, spares = scenario.machine.nodes, scenario.spares
    assert spares is not None
    if nodes is None:
        raise ValueError("spares must come with machine.nodes, got it alone")
    return math.ceil(nodes / spares.block_nodes)


def stops_with(scenario: Scenario, mtbf: float, standbys: Iterable[int]) -> FloatArray:
    """Return how long a failure stops the job on average, [s], with each number of spare blocks."""
    spares, blocks = scenario.spares, blocks_of(scenario)
    assert spares is not None
    assert spares.mttr is not None
    return np.asarray(
        mean_stop(
            blocks,
            np.array(list(standbys)),
            block_mtbf=mtbf * blocks,
            mttr=spares.mttr,
            switch_time=_switch_time(scenario),
            standby_hazard=spares.standby_hazard or 0.0,
        )
    )


def _switch_time(scenario: Scenario) -> float:
    """Return the time from a failure until its recovery begins if a spare is there, [s]."""
    job, spares = scenario.job, scenario.spares
    if spares is not None and spares.switch_time is not None:
        return spares.switch_time
    return (job.downtime or 0.0) + (job.detection or 0.0) + (job.queue or 0.0)


def _downtime(scenario: Scenario, mtbf: float) -> tuple[float, float]:
    """Return the mean time of a stop, [s], and how much of it is a wait for a spare.

    Nothing waits for one unless the scenario says how many there are, and how long a repair takes.
    """
    spares, delays = scenario.spares, replace(scenario, spares=None)
    if spares is None or spares.standbys is None or spares.mttr is None:
        return _switch_time(delays), 0.0
    if ages(scenario.failures.law):
        return _switch_time(delays), 0.0
    if spares.standbys > MOST_SPARES:
        raise ValueError(
            f"spares.standbys must be at most {MOST_SPARES}, got {spares.standbys:,}: take larger "
            "blocks"
        )
    stop = float(stops_with(scenario, mtbf, [spares.standbys])[0])
    wait = stop - _switch_time(scenario)
    return stop, wait if wait > _ROUNDED * stop else 0.0


def model_of(scenario: Scenario, mtbf: float) -> Situation:
    """Return the job under an MTBF, [s]; delays that are unknown are 0.

    A local copy of which the read-back is unknown is read back as any checkpoint is.

    Raises
    ------
    ValueError
        If work or the cost of a checkpoint is not there.
    """
    job, how, failures = scenario.job, scenario.checkpoint, scenario.failures
    nodes = scenario.machine.nodes
    cost = checkpoint_cost(scenario)
    if cost is None:
        raise ValueError(
            "checkpoint must come with cost, or size with machine.bandwidth, got neither"
        )
    _check_protocols(scenario)
    latency, (downtime, wait) = how.latency, _downtime(scenario, mtbf)
    local = job.recovery if how.local_recovery is None else how.local_recovery
    if (
        latency is None
        and how.snapshot_cost is not None
        and "checkpoint.latency" not in (scenario.unknown)
    ):
        latency = cost  # a snapshot drains at the rate of a checkpoint
    return Situation(
        work=_work(scenario),
        mtbf=mtbf,
        checkpoint_cost=cost,
        recovery_cost=(job.recovery or 0.0) + (job.warm_up or 0.0),
        downtime=downtime,
        wait=wait,
        snapshot_cost=how.snapshot_cost,
        latency=latency if how.snapshot_cost is not None else None,
        slowdown=how.slowdown or 0.0,
        local_cost=how.local_cost,
        survived=how.survived,
        local_recovery=(local or 0.0) + (job.warm_up or 0.0),
        nodes=None if _strike_together(failures) or (nodes or 1) < 2 else nodes,
        recall=how.recall,
        precision=how.precision,
        proactive_cost=how.proactive_cost,
        window=how.window or 0.0,
        protocol=how.protocol,
        step_time=job.step_time,
        law=failures.law,
        shape=failures.shape,
        cv=failures.cv,
    ).checked()


def _check_protocols(scenario: Scenario) -> None:
    """Refuse a protocol that is half described, unless the rest is said to be unknown."""
    for lead, needs in _TOGETHER.items():
        given = [name for name in (lead, *needs) if _given(scenario, name)]
        missing = [name for name in (lead, *needs) if name not in given]
        if given and missing and f"checkpoint.{missing[0]}" not in scenario.unknown:
            raise ValueError(
                f"checkpoint.{given[0]} must come with checkpoint.{missing[0]}, got it alone"
            )
    asked = scenario.checkpoint.protocol
    if asked != CHOOSE and protocol_of(asked).alone and _strike_together(scenario.failures):
        raise ValueError(
            f"checkpoint.protocol must not be {asked} where failures come in bursts, which "
            "may take several nodes at once"
        )
    if _given(scenario, "window") and not _given(scenario, "recall"):
        raise ValueError("checkpoint.window must come with checkpoint.recall, got it alone")


def _strike_together(failures: Failures) -> bool:
    """Return whether several nodes may fail at once, as both of a pair."""
    return failures.burst_mtbf is not None or failures.failures_per_burst is not None


def _given(scenario: Scenario, name: str) -> bool:
    return getattr(scenario.checkpoint, name) is not None


def _work(scenario: Scenario) -> float:
    """Return the time of the job without failures, [s]."""
    job, nodes = scenario.job, scenario.machine.nodes
    untimed = job.step_time is None and "job.step_time" not in scenario.unknown
    if job.tokens_per_step is not None and untimed:
        raise ValueError("job.tokens_per_step must come with job.step_time, got it alone")
    if job.work is not None and job.node_work is not None:
        raise ValueError("job must come with either work or node_work, got both")
    if job.work is not None:
        return job.work
    if job.node_work is None:
        raise ValueError("job must come with work, or node_work with machine.nodes, got neither")
    if nodes is None:
        raise ValueError("job.node_work must come with machine.nodes, got it alone")
    return job.node_work / nodes
