"""How often to write a checkpoint over all rates of failures that a log leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from asking.units import human_duration

from ...estimate import CONFIDENCE
from ..known.outlook import Outlook, costs_of
from ..shown import Words, percent, step_words
from .advice import Advice, recommended_interval

__all__ = ["ForeseenInterval", "foreseen_interval"]


@dataclass(frozen=True, slots=True, eq=False)
class ForeseenInterval:
    """The interval over all rates to come, [s], in equal segments of the job or in whole steps.

    `low` and `high` are the best intervals at the ends of the rates to come, [s], `long` is that of
    a long job, [s]; `useful` and `useful_constant` are the mean shares of its time in which a long
    job gets on at the interval, and at the one for a constant rate.
    """

    outlook: Outlook
    interval: float
    steps: int | None
    low: float
    high: float
    long: float
    useful: float
    useful_constant: float

    def plain(self, advice: Advice) -> dict[str, Any]:
        """Return the numbers under unit-named keys; those of `advice` are of the constant rate."""
        return {
            **self.outlook.plain(),
            "recommended_interval_s": self.interval,
            "recommended_period_s": self.interval + advice.job.checkpoint_cost,
            "recommended_interval_low_s": self.low,
            "recommended_interval_high_s": self.high,
            "recommended_steps": self.steps,
            "useful_share": self.useful,
            "constant_rate": {
                "recommended_interval_s": advice.best.interval_s,
                "recommended_period_s": advice.best.period_s,
                "recommended_interval_low_s": advice.low,
                "recommended_interval_high_s": advice.high,
                "recommended_steps": advice.steps,
                "useful_share": self.useful_constant,
            },
        }

    def lines(self, advice: Advice) -> Iterator[Words]:
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
            yield (
                f"At the rates to come, with {percent(CONFIDENCE, 0)} %: "
                f"{human_duration(self.low)} to {human_duration(self.high)}."
            )
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
    low, high = (
        recommended_interval(job, 1.0 / float(outlook.rates.ppf(0.5 * (1.0 + sign * CONFIDENCE))))
        for sign in (1.0, -1.0)
    )
    return ForeseenInterval(
        outlook,
        interval,
        steps,
        low,
        high,
        outlook.long_interval(**costs),
        outlook.useful_share(interval, **costs),
        outlook.useful_share(advice.best.interval_s, **costs),
    )
