"""Synchronous checkpoints: the job stands still for each of them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from .._checks import FloatArray
from ..ageing import expected_makespan_ageing, optimal_interval_ageing, useful_share_ageing
from ..ageing.share import best_of_tries, saved_by_each
from ..completion import CompletionTime, exact_makespan
from ..energy import expected_energy
from ..interval import best_segments
from ..interval.whole_steps import whole_steps
from ..makespan import expected_makespan
from .protocol import Losses, Plan, Protocol, least, losses_of
from .situation import Situation

_TRIES = 60
_MOST = 2000  # segments of which a mean under ageing is told; longer jobs by their useful share
_AGEING = ("optimal_interval_ageing", "useful_share_ageing", "expected_makespan_ageing")


class Synchronous(Protocol):
    """The job stands still for each checkpoint; where uptimes age, at one constant interval."""

    name = "synchronous"
    short = known_as = "synchronous"
    plural = "synchronous checkpoints"
    writes = "Write synchronous checkpoints after every {interval} of work"
    usual = True
    ages = True
    drawn: ClassVar[tuple[str, str] | None] = ("checkpoint_cost", "checkpoint")
    predictive = True
    formulas: ClassVar[tuple[str, ...]] = ("best_segments", "expected_makespan", "exact_makespan")

    def plan(self, job: Situation) -> Plan:
        """Return the best number of segments."""
        best = best_segments(job.work, mtbf=[job.mtbf], checkpoint_cost=job.checkpoint_cost)
        return least(job.work, best, lambda interval: self.mean(job, interval))

    def aged(self, job: Situation) -> tuple[Plan, int | None]:
        """Return the best constant interval, and its steps, where a failure renews the machine."""
        uptime = job.uptime
        costs: Any = {"checkpoint_cost": job.checkpoint_cost, "recovery_cost": job.recovery_cost}

        def useful(interval: float) -> float:
            return useful_share_ageing(interval, uptime=uptime, downtime=job.downtime, **costs)

        best, steps = min(optimal_interval_ageing(uptime=uptime, **costs), job.work), None
        if job.step_time is not None:
            steps = whole_steps(best, job.step_time, lambda each: -useful(each))
            best = steps * job.step_time
        time, count = job.work / useful(best), max(1, round(job.work / best))
        if count <= _MOST:
            cut = job.work / count if steps is None else min(best, job.work)
            mean = expected_makespan_ageing(
                job.work, interval=cut, uptime=uptime, downtime=job.downtime, **costs
            )
            time = float(mean)
        return Plan(best, count, time), steps

    def to_draw(self, job: Situation) -> tuple[float, float]:
        """Return the best interval by few tries where uptimes age: the same for all their laws."""
        if not job.ages:
            return super().to_draw(job)
        return best_of_tries(job.uptime, job.checkpoint_cost, job.recovery_cost, _TRIES), 1.0

    def mean(
        self, job: Situation, interval: FloatArray, durable_every: FloatArray | float = 1.0
    ) -> FloatArray:
        """Return the mean time at each interval, where uptimes age by the useful share."""
        if not job.ages:
            return expected_makespan(job.work, interval=interval, **job.costs)
        law, cost, recovery = job.uptime, job.checkpoint_cost, job.recovery_cost
        saved = saved_by_each(law, interval, cost=cost, recovery=recovery)
        return np.asarray(job.work * ((law.mean + job.downtime) / saved))

    def law(
        self, job: Situation, interval: float, durable_every: float = 1.0
    ) -> CompletionTime | None:
        """Return the exact law; none is known where uptimes age."""
        return None if job.ages else exact_makespan(job.work, interval=interval, **job.costs)

    def losses(
        self, job: Situation, interval: float, durable_every: float, delays: dict[str, float]
    ) -> Losses | None:
        """Return the classes of a training run."""
        return losses_of(job, interval, job.checkpoint_cost, 0.0, delays)

    def energy(self, job: Situation, interval: float, powers: dict[str, float]) -> float | None:
        """Return the mean energy; none is known where uptimes age."""
        if job.ages:
            return None
        return float(expected_energy(job.work, interval=interval, **job.costs, **powers))

    def formulas_of(self, job: Situation) -> tuple[str, ...]:
        """Return those of renewed machines where uptimes age."""
        return _AGEING if job.ages else self.formulas


SYNCHRONOUS = Synchronous()
