"""What to recommend for a job: every rule's interval, what it costs, what a wrong MTBF costs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from asking.units import DURATIONS

from ...estimate import CONFIDENCE, Estimate
from ...interval import (
    best_segments,
    optimal_interval,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_wsj,
    optimal_interval_young,
    regret,
)
from ...makespan import efficiency, expected_makespan
from ...validity import ValidityWarning
from ..known.job import Job

RULES: dict[str, Callable[[Job], Any]] = {
    "best_segments": lambda job: job.work / best_segments(job.work, **_two(job)),
    "exact": lambda job: optimal_interval(**_two(job)),
    "daly": lambda job: optimal_interval_daly(**_two(job)),
    "daly_first_order": lambda job: optimal_interval_daly_first_order(
        **_two(job), recovery_cost=job.recovery_cost
    ),
    "young": lambda job: optimal_interval_young(**_two(job)),
    "wsj": lambda job: optimal_interval_wsj(**_two(job)),
}
MISTAKES = (0.25, 0.5, 2.0, 4.0)


@dataclass(frozen=True, slots=True)
class Rule:
    """What one rule recommends and what that costs; all nan where it recommends no interval.

    `regret` is that of the job, against its best segments; `valid` means inside the range in
    which the rule's error is stated.
    """

    rule: str
    interval_s: float
    period_s: float
    expected_makespan_s: float
    efficiency: float
    regret: float
    valid: bool
    waste_cost: float | None


@dataclass(frozen=True, slots=True)
class Mistake:
    """The recommended interval, were the true MTBF `mtbf_factor` times the one assumed."""

    mtbf_factor: float
    mtbf_s: float
    best_interval_s: float
    expected_makespan_s: float
    regret: float


@dataclass(frozen=True, slots=True)
class Advice:
    """The recommendation for one job; `low` and `high` [s] where the MTBF was estimated.

    `best` is the rule recommended: the cheapest for this job, in whole steps where there are any;
    the interval without them is then another rule. `long_efficiency` is that of a job
    of many segments, whatever the length of this one.
    """

    job: Job
    best: Rule
    rules: tuple[Rule, ...]
    mistakes: tuple[Mistake, ...]
    segments: int | None
    steps: int | None
    low: float | None
    high: float | None
    long_efficiency: float

    def plain(self) -> dict[str, Any]:
        """Return everything under unit-named keys."""
        job, mtbf = self.job, self.job.mtbf
        return {
            **self.recommended(),
            **job.plain(),
            "mtbf_confidence": CONFIDENCE if mtbf.low is not None else None,
            "rules": [asdict(rule) for rule in self.rules],
            "mtbf_mistakes": [asdict(mistake) for mistake in self.mistakes],
        }

    def recommended(self) -> dict[str, Any]:
        """Return what is recommended, under unit-named keys."""
        return {
            "recommended_interval_s": self.best.interval_s,
            "recommended_period_s": self.best.period_s,
            "recommended_interval_low_s": self.low,
            "recommended_interval_high_s": self.high,
            "recommended_steps": self.steps,
            "best_segments": self.segments,
            "expected_makespan_s": self.best.expected_makespan_s,
        }


def advise(job: Job) -> Advice:
    """Apply every rule to the job."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return _advise(job)


def _advise(job: Job) -> Advice:
    rules = tuple(_rule(name, job) for name in RULES)
    # Of infinitely many segments the interval is unknown; the exact optimum is then their limit.
    best = rules[0] if rules[0].interval_s > 0.0 else rules[1]
    interval, steps = _in_steps(best.interval_s, job)
    if steps is not None:
        best = _priced("whole_steps", interval, job, valid=True)
        rules = (best, *rules)
    low, high = best_within(job, job.mtbf)
    long = float(optimal_interval(**_two(job)))
    return Advice(
        job=job,
        best=best,
        rules=rules,
        mistakes=mistakes_of(job, best.interval_s, job.mtbf.value),
        segments=_whole(float(best_segments(job.work, **_two(job)))),
        steps=steps,
        low=low,
        high=high,
        long_efficiency=float(efficiency(long, interval=long, **job.costs)),
    )


def recommended_interval(job: Job, mtbf: float | None = None) -> float:
    """Return the best interval for this much work, [s], under its own MTBF or another, [s].

    Under its own it is a whole number of steps where these are known.
    """
    costs: dict[str, Any] = {"mtbf": mtbf or job.mtbf.value, "checkpoint_cost": job.checkpoint_cost}
    with np.errstate(all="ignore"):
        interval = job.work / float(best_segments(job.work, **costs))
        best = interval if interval > 0.0 else float(optimal_interval(**costs))
        return best if mtbf is not None else _in_steps(best, job)[0]


def _two(job: Job) -> dict[str, Any]:
    return {"mtbf": job.mtbf.value, "checkpoint_cost": job.checkpoint_cost}


def _rule(name: str, job: Job) -> Rule:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ValidityWarning)
        work = float(RULES[name](job))
    valid = not any(issubclass(warning.category, ValidityWarning) for warning in caught)
    if not 0.0 < work < math.inf:
        nan = math.nan
        return Rule(name, nan, nan, nan, nan, nan, valid=False, waste_cost=None)
    return _priced(name, work, job, valid=valid)


def _priced(name: str, work: float, job: Job, *, valid: bool) -> Rule:
    """Return an interval as a rule, with all that it costs."""
    makespan = float(expected_makespan(job.work, interval=work, **job.costs))
    return Rule(
        name,
        interval_s=work,
        period_s=work + job.checkpoint_cost,
        expected_makespan_s=makespan,
        efficiency=float(efficiency(job.work, interval=work, **job.costs)),
        regret=_regret(work, job, job.mtbf.value),
        valid=valid,
        waste_cost=_money(makespan - job.work, job),
    )


def _money(seconds: float, job: Job) -> float | None:
    """Return what this much wall time of the whole job costs."""
    price = job.hourly_price
    return None if price is None else price * seconds / DURATIONS["h"]


def mistakes_of(job: Job, interval: float, assumed: float) -> tuple[Mistake, ...]:
    """Return what an interval [s] costs, were the true MTBF another than the one `assumed`, [s]."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return tuple(_mistake(factor, factor * assumed, interval, job) for factor in MISTAKES)


def _mistake(factor: float, mtbf: float, interval: float, job: Job) -> Mistake:
    makespan = expected_makespan(job.work, interval=interval, **job.costs_at(mtbf))
    return Mistake(
        mtbf_factor=factor,
        mtbf_s=mtbf,
        best_interval_s=recommended_interval(job, mtbf),
        expected_makespan_s=float(makespan),
        regret=_regret(interval, job, mtbf),
    )


def _regret(interval: float, job: Job, mtbf: float) -> float:
    """Return the regret of an interval for this job; 0 where rounding alone is left of it."""
    found = regret(interval, work=job.work, mtbf=mtbf, checkpoint_cost=job.checkpoint_cost)
    return float(found) if not found < 1e-12 else 0.0


def _in_steps(interval: float, job: Job) -> tuple[float, int | None]:
    """Return the interval in whole steps with the least regret."""
    return job.in_steps(interval, lambda each: _regret(each, job, job.mtbf.value))


def _whole(number: float) -> int | None:
    """Return the number rounded down, or None where it has overflowed."""
    return math.floor(number) if number < math.inf else None


def best_within(job: Job, mtbf: Estimate) -> tuple[float | None, float | None]:
    """Return the best intervals at both limits of an MTBF."""
    low, high = (
        end if end is None or end == math.inf else recommended_interval(job, end)
        for end in (mtbf.low, mtbf.high)
    )
    return low, high
