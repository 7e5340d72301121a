"""A scenario under an MTBF: the job that it describes, the best plan for it, and its neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .._checks import FloatArray
from ..parallel import spares_needed
from ..protocols.situation import Situation, ages
from ..protocols.table import CHOOSE, protocol_of
from ..standbys import mean_stop
from ._chosen import Chosen, chosen_for
from .scenario import Failures, Scenario

_ROUNDED = 1e-12  # of a mean stop
MOST_SPARES = 500  # spare blocks for which a mean stop is computed

MTBF = "failures.mtbf"

# The arguments of a protocol, of which all must be given.
_TOGETHER = {
    "local_cost": ("survived",),
    "recall": ("precision", "proactive_cost"),
}


@dataclass(frozen=True)
class Case:
    """A scenario under an MTBF [s], which knows its job and the best plan for it."""

    scenario: Scenario
    mtbf: float

    @cached_property
    def job(self) -> Situation:
        """The numbers of the job; raises ValueError where its work or checkpoint is not there."""
        return _job_of(self)

    @cached_property
    def chosen(self) -> Chosen:
        """The protocol asked for, or the best one, at its best interval."""
        return chosen_for(self.job)

    def at(self, mtbf: float) -> Case:
        """Return the case under another MTBF, [s]."""
        return Case(self.scenario, mtbf)

    def value_of(self, key: str) -> Any:
        """Return the value of a key, in plain units; None where it is not known."""
        return self.mtbf if key == MTBF else self.scenario.value_of(key)

    def varied(self, key: str, value: Any) -> Case:
        """Return the case with another value of one key."""
        if key == MTBF:
            return self.at(value)
        return Case(self.scenario.varied(key, value), self.mtbf)

    @property
    def checkpoint_key(self) -> str:
        """The key on which the time of a checkpoint depends."""
        sized = self.scenario.checkpoint.size is not None
        return "machine.bandwidth" if sized else "checkpoint.cost"

    @property
    def blocks(self) -> int:
        """The number of blocks that the job needs; raises where the scenario does not say."""
        nodes, spares = self.scenario.machine.nodes, self.scenario.spares
        assert spares is not None
        if nodes is None:
            raise ValueError("spares must come with machine.nodes, got it alone")
        return math.ceil(nodes / spares.block_nodes)

    @property
    def spares_confidence(self) -> float:
        """The share of time in which spares shall suffice."""
        spares = self.scenario.spares
        return 0.99 if spares is None or spares.confidence is None else spares.confidence

    def spares_needed(self, mttr: float) -> float:
        """Return how many spare blocks suffice where a repair takes `mttr`, [s]."""
        blocks = self.blocks
        return float(spares_needed(blocks, self.mtbf * blocks, mttr, self.spares_confidence))

    def stops_with(self, standbys: Iterable[int]) -> FloatArray:
        """Return how long a failure stops the job on average, [s], by the number of spares."""
        spares, blocks = self.scenario.spares, self.blocks
        assert spares is not None
        assert spares.mttr is not None
        return np.asarray(
            mean_stop(
                blocks,
                np.array(list(standbys)),
                block_mtbf=self.mtbf * blocks,
                mttr=spares.mttr,
                switch_time=_switch_time(self.scenario),
                standby_hazard=spares.standby_hazard or 0.0,
            )
        )


def _switch_time(scenario: Scenario) -> float:
    """Return the time from a failure until its recovery begins if a spare is there, [s]."""
    job, spares = scenario.job, scenario.spares
    if spares is not None and spares.switch_time is not None:
        return spares.switch_time
    return (job.downtime or 0.0) + (job.detection or 0.0) + (job.queue or 0.0)


def _downtime(case: Case) -> tuple[float, float]:
    """Return the mean time of a stop, [s], and how much of it is a wait for a spare.

    Nothing waits for one unless the scenario says how many there are, and how long a repair takes.
    """
    scenario = case.scenario
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
    stop = float(case.stops_with([spares.standbys])[0])
    wait = stop - _switch_time(scenario)
    return stop, wait if wait > _ROUNDED * stop else 0.0


def _job_of(case: Case) -> Situation:
    """Return the job of a case; delays that are unknown are 0.

    A local copy of which the read-back is unknown is read back as any checkpoint is.

    Raises
    ------
    ValueError
        If work or the cost of a checkpoint is not there.
    """
    scenario = case.scenario
    job, how, failures = scenario.job, scenario.checkpoint, scenario.failures
    nodes = scenario.machine.nodes
    cost = scenario.checkpoint_cost
    if cost is None:
        raise ValueError(
            "checkpoint must come with cost, or size with machine.bandwidth, got neither"
        )
    _check_protocols(scenario)
    latency, (downtime, wait) = how.latency, _downtime(case)
    local = job.recovery if how.local_recovery is None else how.local_recovery
    if (
        latency is None
        and how.snapshot_cost is not None
        and "checkpoint.latency" not in (scenario.unknown)
    ):
        latency = cost  # a snapshot drains at the rate of a checkpoint
    return Situation(
        work=_work(scenario),
        mtbf=case.mtbf,
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
