"""Wrong shares of a training run: each forgets or misplaces one kind of loss."""

from __future__ import annotations

import math
from dataclasses import fields
from functools import partial
from typing import Any

from perfmodel.training import TrainingShares, ettr_first_order, goodput, training_shares
from validation.judge.run import Mutant

from . import memory

__all__ = ["FAULTS", "MUTANTS", "right_shares"]

_STAGES = ("detection", "queue", "rescheduling")


def right_shares(
    *,
    interval: float,
    mtbf: float,
    checkpoint_cost: float,
    latency: float,
    restore: float,
    warm_up: float,
    fault: str = "",
    **stages: float,
) -> TrainingShares:
    """Return the shares by means over one cycle, with a fault if one is named."""
    drain = 0.0 if fault == "durable with its copy" else latency
    cost = checkpoint_cost
    if fault == "stands still until it is durable":
        drain, cost = 0.0, cost + latency
    period, back = interval + cost, restore + warm_up
    if fault == "recovery never fails":
        read, warm, after, cycle = restore, warm_up, 1.0, mtbf + back
    else:
        read = -mtbf * math.expm1(-restore / mtbf)
        warm = -mtbf * math.exp(-restore / mtbf) * math.expm1(-warm_up / mtbf)
        after, cycle = math.exp(-back / mtbf), mtbf
    snapshots = after * math.exp(-drain / mtbf) / math.expm1(period / mtbf)
    if fault == "half an interval is lost":
        snapshots = after * (mtbf / period - 0.5)
    if fault == "checkpoints never fail":
        snapshots = after * math.exp(-drain / mtbf) / math.expm1(interval / mtbf)
        cycle += snapshots * cost
    if fault == "rework is left out":
        snapshots = after * mtbf / period
    times = {
        "goodput": snapshots * interval,
        "checkpoint_save": snapshots * cost,
        "wasted_progress": cycle - read - warm - snapshots * period,
        "checkpoint_restore": read,
        "warm_up": warm,
        **stages,
    }
    if fault == "restore counted as warm-up":
        times["checkpoint_restore"], times["warm_up"] = warm, read
    for name in _STAGES:
        if fault == f"{name} dropped":
            times[name] = 0.0
    whole = sum(times.values())
    return TrainingShares(**{f.name: times[f.name] / whole for f in fields(TrainingShares)})  # type: ignore[arg-type]


FAULTS = (
    "durable with its copy",
    "stands still until it is durable",
    "recovery never fails",
    "half an interval is lost",
    "checkpoints never fail",
    "rework is left out",
    *(f"{name} dropped" for name in _STAGES),
)


def _useful(*, fault: str, **run: Any) -> float:
    return float(right_shares(fault=fault, **run).goodput)


MUTANTS = (
    *memory.MUTANTS,
    *(Mutant(goodput, fault, partial(_useful, fault=fault)) for fault in FAULTS),
    *(
        Mutant(training_shares, fault, partial(right_shares, fault=fault))
        for fault in (*FAULTS, "restore counted as warm-up")
    ),
    Mutant(
        ettr_first_order,
        "a whole interval lost with each failure",
        lambda *, interval, mtbf, checkpoint_cost, restore: (
            (1.0 - (restore + interval) / mtbf) / (1.0 + checkpoint_cost / interval)
        ),
    ),
)
