"""Wrong distributions of completion times."""

from __future__ import annotations

from functools import partial
from typing import Any

from perfmodel.completion import exact_makespan
from validation.judge.run import Mutant

__all__ = ["MUTANTS"]


def _wrong(work: float, *, fault: str, **job: Any) -> Any:
    if fault == "failures strike downtime as well":
        return exact_makespan(work, downtime_at_risk=True, **job)
    if fault == "recovery dropped":
        return exact_makespan(work, **{**job, "recovery_cost": 0.0})
    if fault == "recovery cannot fail":
        down = job["downtime"]
        job = {**job, "downtime": float(getattr(down, "mean", down)) + job["recovery_cost"]}
        return exact_makespan(work, **{**job, "recovery_cost": 0.0})
    if fault == "interval taken for the period":
        return exact_makespan(
            work, **{**job, "interval": max(job["interval"] - job["checkpoint_cost"], 1e-3)}
        )
    assert fault == "a checkpoint more or less at the end"
    return exact_makespan(
        work, **{**job, "final_checkpoint": not job.get("final_checkpoint", True)}
    )


MUTANTS: tuple[Mutant, ...] = tuple(
    Mutant(exact_makespan, fault, partial(_wrong, fault=fault))
    for fault in (
        "failures strike downtime as well",
        "recovery dropped",
        "recovery cannot fail",
        "interval taken for the period",
        "a checkpoint more or less at the end",
    )
)
