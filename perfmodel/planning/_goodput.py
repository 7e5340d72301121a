"""The share of time that advances the job, and the classes of the rest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..estimate import Estimate
from ..training import TrainingShares, training_shares
from ._model import Chosen, Model
from .answers import Goodput
from .scenario import Scenario

__all__ = ["goodput_of"]

_DAY = 86400.0


def goodput_of(scenario: Scenario, model: Model, chosen: Chosen, estimate: Estimate) -> Goodput:
    """Return the goodput at the chosen interval, its limits and its losses by class."""
    shares = _shares(scenario, model, chosen)
    losses = None
    if shares is not None:
        losses = {name: float(share) for name, share in shares.losses().items() if share > 0.0}
    value = _value(scenario, model, chosen)
    low, high = (
        None
        if mtbf is None or math.isinf(mtbf)
        else _value(scenario, replace(model, mtbf=mtbf), chosen)
        for mtbf in (estimate.low, estimate.high)
    )
    job = scenario.job
    tokens = None
    if job.tokens_per_step is not None and job.step_time is not None:
        tokens = value * job.tokens_per_step * _DAY / job.step_time
    return Goodput(value, low, high, losses, tokens)


def _value(scenario: Scenario, model: Model, chosen: Chosen) -> float:
    shares = _shares(scenario, model, chosen)
    if shares is not None:
        return float(shares.goodput)
    time = model.mean_time(chosen.protocol, chosen.interval, chosen.durable_every)
    return model.work / time


def _shares(scenario: Scenario, model: Model, chosen: Chosen) -> TrainingShares | None:
    """Return all shares of a long run, or None where the protocol has no such classes."""
    cost, latency, job = model.checkpoint_cost, 0.0, scenario.job
    if model.law != "exponential" or chosen.protocol not in {"synchronous", "asynchronous"}:
        return None
    if chosen.protocol == "asynchronous":
        cost, latency = model.snapshot_cost or 0.0, model.latency or 0.0
        if latency > chosen.interval + cost or model.slowdown > 0.0:
            return None
    with np.errstate(all="ignore"):
        return training_shares(
            interval=chosen.interval,
            mtbf=model.mtbf,
            checkpoint_cost=cost,
            latency=latency,
            restore=job.recovery or 0.0,
            warm_up=job.warm_up or 0.0,
            detection=job.detection or 0.0,
            queue=job.queue or 0.0,
            rescheduling=job.downtime or 0.0,
        )
