"""What the past of a log says of the failures to come, in words and for a job as it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from asking.refusals import Said
from asking.units import human_duration

from ...estimate import CONFIDENCE, to_come
from ...forecasts import (
    FailureHistory,
    PastPromises,
    PlannedJob,
    outlook_of,
)
from ...forecasts import Outlook as Foreseen
from .job import Job
from .unforeseen import Unforeseen

UNCERTAIN = "A constant rate as uncertain as the number of failures leaves it counts."
_UNTOLD = "the log does not tell when one machine failed again"


@dataclass(frozen=True, slots=True, eq=False)
class Outlook(Foreseen):
    """Failures to come in words, and the job as it is `planned` under them."""

    planned: PlannedJob

    @property
    def title(self) -> str:
        """The law in two words at most."""
        return "forecast" if self.name == "forecast" else "rate uncertain"

    @property
    def by(self) -> str:
        """By which law, in words."""
        return to_come(self).words

    def interval(self, job: Job) -> tuple[float, int | None]:
        """Return the work between checkpoints that lets the job get on most, [s], and its steps."""
        return self.best_interval(job.work, job.step_time, **costs_of(job))

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield the MTBF to come in words."""
        size = self.cluster_size
        clusters = f", in clusters of {size:.3g}" if size > 1.005 else ""
        mtbf = to_come(self)
        value, *ends = (human_duration(each / size) for each in (mtbf.value, *mtbf.limits))
        within = " to ".join(ends)
        yield "MTBF to come", f"{value}{clusters}; with {100.0 * CONFIDENCE:g} %: {within}"

    def reasons(self) -> tuple[str, ...]:
        """Return why there is no forecast, in a sentence; none where there is one."""
        return (Said("No forecast: {}. {}", self.why, UNCERTAIN),) if self.why else ()

    def plain(self) -> dict[str, Any]:
        """Return which law it is and what it rests on, under unit-named keys."""
        return {
            "law": self.name,
            "no_forecast": self.why or None,
            "mtbf_to_come_s": 1.0 / self.mean_rate,
            "failures_in_a_cluster": self.cluster_size,
        }


def costs_of(job: Job) -> dict[str, float]:
    """Return the costs of a job, as formulas of a rate that is not known take them."""
    return {
        "checkpoint_cost": job.checkpoint_cost,
        "recovery_cost": job.recovery_cost,
        "downtime": job.downtime,
    }


def history_behind(job: Job, *, log_nodes: int | None = None) -> FailureHistory | None:
    """Return the history that the log of a job tells; None without a log or times in it."""
    log = job.mtbf.log
    if log is None or log.of_jobs:
        return None
    from ..logs.history import history_of

    machine = None if job.nodes is None else log.of_nodes(job.nodes, log_nodes)[1]
    return history_of(log, machine)


def foreseen(history: FailureHistory | None, job: PlannedJob) -> Outlook | Unforeseen:
    """Return the outlook of a job, or that nothing but a constant rate is known."""
    if history is None:
        return Unforeseen(_UNTOLD)
    nodes = job.nodes or 0
    if 0 < history.machine < nodes:
        return Unforeseen.of_others(history.machine, nodes)
    found = outlook_of(history, job)
    return Outlook(**{each.name: getattr(found, each.name) for each in fields(found)}, planned=job)


def kept_words(past: PastPromises) -> str:
    """Say how often the time stated for such jobs so far was kept."""
    if not past.jobs:
        return "The log is too short to say how often such times would have been kept on it."
    jobs = "1 such job" if past.jobs == 1 else f"{past.jobs} such jobs one after the other"
    return (
        f"On this log so far, of {jobs} the time that "
        f"{100.0 * past.probability:g} % were to keep was kept by {past.kept} by the forecast "
        f"of then, and by {past.kept_constant} at the constant rate of then."
    )
