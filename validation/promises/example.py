"""An example of an entry: a constant rate, that of the last 90 days, and its exact law."""

from typing import Any

from perfmodel import exact_makespan
from validation.promises.windows import DAY, History, Job


def forecast(history: History, job: Job) -> Any:
    """Return the law of the makespan of a job."""
    past, _ = history.struck(job.nodes)
    recent = min(90.0 * DAY, history.observed)
    count = int((past > history.observed - recent).sum())
    return exact_makespan(
        job.work,
        mtbf=recent / (count + 0.5),
        interval=job.interval,
        checkpoint_cost=job.checkpoint_cost,
        recovery_cost=job.recovery_cost,
    )
