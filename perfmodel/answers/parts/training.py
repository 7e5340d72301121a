"""What a training run gets done, where its time goes, and what would change that."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ...interval import optimal_interval_async
from ...levels import optimal_pattern_two_levels
from ...training import ettr_first_order, goodput, training_shares, training_shares_memory
from ...units import DURATIONS
from ...validity import ValidityWarning
from ..known.job import Job
from ..requests.training import GoodputRequest
from ..shown import strict

__all__ = ["ASYNCHRONOUS", "IN_MEMORY", "Change", "Memory", "Training", "train"]

ASYNCHRONOUS, IN_MEMORY = "asynchronous writes", "copies in memory as well"


@dataclass(frozen=True, slots=True)
class Change:
    """The run with one thing changed, at its own best interval [s]."""

    change: str
    interval_s: float
    goodput: float


@dataclass(frozen=True, slots=True)
class Memory:
    """The run with copies in memory, at their best interval [s]: goodput and losses by class.

    `durable_every` is inf where none need be durable.
    """

    interval_s: float
    steps: int | None
    durable_every: float
    goodput: float
    losses: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Training:
    """Goodput of a run and its losses by class, all of which add up to 1; durations in [s].

    `goodput_low` and `goodput_high` come from the confidence limits of an estimated MTBF;
    `lost_to` are the losses that failures cause, by the causes of known failures.
    """

    job: Job
    interval_s: float
    steps: int | None
    goodput: float
    losses: Mapping[str, float]
    goodput_low: float | None
    goodput_high: float | None
    ettr_first_order: float
    lost_to: Mapping[str, float]
    changes: tuple[Change, ...]
    memory: Memory | None
    tokens_per_step: float | None

    @property
    def tokens_per_day(self) -> float | None:
        """Tokens that the run keeps in a day."""
        if self.tokens_per_step is None or self.job.step_time is None:
            return None
        return self.goodput * self.tokens_per_step * DURATIONS["d"] / self.job.step_time

    def to_dict(self) -> dict[str, Any]:
        """Return everything under unit-named keys."""
        found: dict[str, Any] = {
            "goodput": self.goodput,
            "losses": dict(self.losses),
            "goodput_low": self.goodput_low,
            "goodput_high": self.goodput_high,
            "ettr_first_order": self.ettr_first_order,
            "interval_s": self.interval_s,
            "interval_steps": self.steps,
            "tokens_per_day": self.tokens_per_day,
            "lost_to": dict(self.lost_to),
            "changes": [asdict(change) for change in self.changes],
            "memory": None if self.memory is None else asdict(self.memory),
            **self.job.plain(),
        }
        return dict(strict(found))


@dataclass(frozen=True, slots=True)
class _Run:
    """Arguments of `training_shares` but for the interval; [s]."""

    mtbf: float
    checkpoint_cost: float
    latency: float
    restore: float
    warm_up: float
    detection: float
    queue: float
    rescheduling: float

    def best_interval(self) -> float:
        """Return the best interval at which snapshots are durable before the next is due."""
        best = optimal_interval_async(
            mtbf=self.mtbf, checkpoint_cost=self.checkpoint_cost, latency=self.latency
        )
        return max(float(best), self.latency - self.checkpoint_cost)

    def at(self, interval: float) -> float:
        """Return the goodput."""
        return float(goodput(interval=interval, **asdict(self)))


def train(job: Job, request: GoodputRequest, causes: Mapping[str, int]) -> Training:
    """Return the goodput of a run at its interval or the best, its losses, and what would help."""
    run = _Run(
        mtbf=job.mtbf.value,
        checkpoint_cost=job.checkpoint_cost,
        latency=request.latency,
        restore=job.recovery_cost,
        warm_up=request.warm_up,
        detection=request.detection,
        queue=request.queue,
        rescheduling=job.downtime,
    )
    with np.errstate(all="ignore"):
        interval, steps = request.interval, None
        if interval is None:
            interval, steps = _best(run, job)
        shares = training_shares(interval=interval, **asdict(run))
        losses = {name: float(value) for name, value in shares.losses().items()}
        found = float(shares.goodput)
        low, high = (
            None if end is None else replace(run, mtbf=end).at(interval)
            for end in (job.mtbf.low, job.mtbf.high)
        )
        memory = None
        if request.memory_cost is not None:
            memory = _with_memory(run, request, request.memory_cost, job)
        return Training(
            job=job,
            interval_s=interval,
            steps=steps,
            goodput=found,
            losses=losses,
            goodput_low=low,
            goodput_high=high,
            ettr_first_order=_first_order(run, interval),
            lost_to=_lost_to(causes, 1.0 - found - losses["checkpoint_save"]),
            changes=(Change("as it is", interval, found), *_changes(run, request, memory, job)),
            memory=memory,
            tokens_per_step=request.tokens_per_step,
        )


def _best(run: _Run, job: Job) -> tuple[float, int | None]:
    """Return the best interval, in whole steps that a drain fits into where these are known."""
    least = 1
    if job.step_time is not None:
        least = max(math.ceil((run.latency - run.checkpoint_cost) / job.step_time), 1)
    return job.in_steps(run.best_interval(), lambda each: -run.at(each), least=least)


def _first_order(run: _Run, interval: float) -> float:
    stopped = run.restore + run.warm_up + run.detection + run.queue + run.rescheduling
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        return float(
            ettr_first_order(
                interval=interval,
                mtbf=run.mtbf,
                checkpoint_cost=run.checkpoint_cost,
                restore=stopped,
            )
        )


def _lost_to(causes: Mapping[str, int], lost: float) -> dict[str, float]:
    """Share out what failures cost: each of them costs as much in the mean, whatever its cause."""
    failures = sum(causes.values())
    return {cause: lost * count / failures for cause, count in causes.items()}


def _changes(
    run: _Run, request: GoodputRequest, memory: Memory | None, job: Job
) -> Iterator[Change]:
    """Yield the run with one thing changed."""
    variants: dict[str, _Run] = {}
    if run.detection > 0.0:
        variants["failures noticed at once"] = replace(run, detection=0.0)
    if run.queue + run.rescheduling > 0.0:
        variants["spares that take over at once"] = replace(run, queue=0.0, rescheduling=0.0)
    if request.snapshot_cost is not None:
        later = run.latency + run.checkpoint_cost
        variants[ASYNCHRONOUS] = replace(run, checkpoint_cost=request.snapshot_cost, latency=later)
    for change, variant in variants.items():
        best, _ = _best(variant, job)
        yield Change(change, best, variant.at(best))
    if memory is not None:
        yield Change(IN_MEMORY, memory.interval_s, memory.goodput)
    twice = replace(run, mtbf=2.0 * run.mtbf)
    best, _ = _best(twice, job)
    yield Change("half as many failures", best, twice.at(best))


def _with_memory(run: _Run, request: GoodputRequest, cost: float, job: Job) -> Memory:
    """Return the run with copies in memory between its checkpoints, each of which is durable."""
    durable = max(run.checkpoint_cost, cost)
    pattern = optimal_pattern_two_levels(
        mtbf=run.mtbf,
        survived=request.survived,
        local_cost=cost,
        durable_cost=durable,
        local_recovery=request.memory_recovery + run.warm_up,
    )
    every = min(pattern.durable_every, 1e6)  # beyond, durable ones cost nothing
    costs: dict[str, Any] = {
        "mtbf": run.mtbf,
        "survived": request.survived,
        "memory_cost": cost,
        "checkpoint_cost": durable,
        "memory_restore": request.memory_recovery,
        "restore": run.restore,
        "warm_up": run.warm_up,
        "detection": run.detection,
        "queue": run.queue,
        "rescheduling": run.rescheduling,
    }

    def shares_at(interval: float) -> Any:
        return training_shares_memory(interval=interval, durable_every=every, **costs)

    interval, steps = job.in_steps(pattern.interval, lambda each: -float(shares_at(each).goodput))
    shares = shares_at(interval)
    losses = {name: float(value) for name, value in shares.losses().items()}
    return Memory(interval, steps, pattern.durable_every, float(shares.goodput), losses)
