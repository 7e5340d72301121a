"""How often to write a checkpoint over all rates of failures that a log leaves open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from asking.units import human_duration

from ...estimate import CONFIDENCE, Estimate, to_come
from ..known.outlook import Outlook, costs_of
from ..shown import in_one_unit, percent, step_words
from .advice import Advice, Mistake, best_within, mistakes_of


@dataclass(frozen=True, slots=True, eq=False)
class ForeseenInterval:
    """The interval over all rates to come, [s], in equal segments of the job or in whole steps.

    `mtbf` is that of clusters to come, `low` and `high` [s] are the best intervals at its limits,
    `mistakes` what the interval costs at others. `segments` are those without whole steps, `mean`
    is the mean time of the job, [s]; nan where it is not known. `long` is the interval of a long
    job, [s]; `useful` and `useful_constant` are the mean shares of its time in which a long job
    gets on at the interval, and at the one for a constant rate.
    """

    outlook: Outlook
    mtbf: Estimate
    interval: float
    low: float | None
    high: float | None
    steps: int | None
    segments: int
    mean: float
    long: float
    useful: float
    useful_constant: float
    mistakes: tuple[Mistake, ...]

    def plain(self, advice: Advice) -> dict[str, Any]:
        """Return the numbers under unit-named keys; those of `advice` are of the constant rate."""
        steady = advice.recommended()
        return {
            **self.outlook.plain(),
            "recommended_interval_s": self.interval,
            "recommended_period_s": self.interval + advice.job.checkpoint_cost,
            "recommended_interval_low_s": self.low,
            "recommended_interval_high_s": self.high,
            "recommended_steps": self.steps,
            "best_segments": self.segments,
            "expected_makespan_s": self.mean,
            "mtbf_mistakes": [asdict(mistake) for mistake in self.mistakes],
            "useful_share": self.useful,
            "constant_rate": {**steady, "useful_share": self.useful_constant},
        }

    def lines(self, advice: Advice) -> Iterator[str]:
        """Say how often to checkpoint, and what the interval for a constant rate would cost."""
        yield from self.outlook.reasons()
        if self.interval >= advice.job.work:
            yield "This job is so short that a checkpoint before its end does not pay."
        else:
            period = human_duration(self.interval + advice.job.checkpoint_cost)
            yield (
                f"Checkpoint after every {human_duration(self.interval)} of work"
                f"{step_words(self.steps)}, {self.outlook.by}: one every {period} while nothing "
                f"fails. A job of no known length: every {human_duration(self.long)}."
            )
        if self.low is not None and self.high is not None:
            low, high = in_one_unit(self.low, self.high)
            yield f"At the rates to come, with {percent(CONFIDENCE, 0)} %: {low} to {high}."
        if math.isfinite(self.mean):
            yield f"The job takes {human_duration(self.mean)} on average, {self.outlook.by}."
        once = ", each cluster taken for one failure" if self.outlook.cluster_size > 1.005 else ""
        yield (
            f"Over the rates to come a long job gets on in {percent(self.useful, 2)} % of its "
            f"time; {percent(self.useful_constant, 2)} % at the interval for a constant rate{once}."
        )


def foreseen_interval(outlook: Outlook, advice: Advice) -> ForeseenInterval:
    """Return the interval that lets the job get on most, over all rates that may come."""
    job = advice.job
    costs = costs_of(job)
    interval, steps = outlook.interval(job)
    equal, _ = outlook.best_interval(job.work, **costs)
    mtbf = to_come(outlook)
    low, high = best_within(job, mtbf)
    mean = outlook.law(replace(outlook.planned, interval=min(interval, job.work))).mean
    return ForeseenInterval(
        outlook,
        mtbf,
        interval,
        low,
        high,
        steps,
        round(job.work / equal),
        mean if math.isfinite(mean) else math.nan,
        outlook.long_interval(**costs),
        outlook.useful_share(interval, **costs),
        outlook.useful_share(advice.best.interval_s, **costs),
        mistakes_of(job, interval, mtbf.value),
    )
