"""Facts of means, variances and shares of one checkpointed job."""

from __future__ import annotations

from typing import Any

import numpy as np

import perfmodel

from ..call import Arguments
from ..public_names import Public
from ._fact import Fact, first, known, mean_of, ordered, same

__all__ = ["FACTS", "failure_free"]


def failure_free(job: Arguments) -> Any:
    """Return W + C times the number of checkpoints, which follows the documented rounding."""
    work, interval = np.asarray(job["work"], dtype=float), np.asarray(job["interval"], dtype=float)
    with np.errstate(over="ignore"):
        segments = np.maximum(np.ceil(work / interval * (1.0 - 2.0**-48)), 1.0)
    written = segments if job.get("final_checkpoint", True) else segments - 1.0
    return work + np.where(written > 0, written * job["checkpoint_cost"], 0.0)


def _makespan_is_no_shorter_than_without_failures(public: Public, **job: Any) -> str:
    return ordered("W + K C", failure_free(job), public.expected_makespan(**job))


def _rare_failures_cost_nothing(public: Public, **job: Any) -> str:
    bare = failure_free(job)
    with np.errstate(over="ignore"):
        span = bare + job.get("recovery_cost", 0.0) + mean_of(job.get("downtime", 0.0))
    if not np.max(span) < 1e280:
        return ""
    found = public.expected_makespan(**{**job, "mtbf": 1e20 * np.max(span)})
    return same("W + K C and the mean where failures are rare", bare, found)


def _efficiency_is_work_over_makespan(public: Public, **job: Any) -> str:
    mean = np.asarray(public.expected_makespan(**job))
    with np.errstate(all="ignore"):
        return first(
            (
                same("W/E[T] and efficiency", job["work"] / mean, public.efficiency(**job)),
                same(
                    "1 and efficiency + waste",
                    1.0,
                    np.asarray(public.efficiency(**job)) + public.waste(**job),
                ),
            )
        )


def _waste_of_free_checkpoints_is_lost_time(public: Public, **job: Any) -> str:
    """Compare a small waste in all its digits: without checkpoint cost it is all time lost."""
    free = known(perfmodel.expected_lost_time, {**job, "checkpoint_cost": 0.0})
    mean = np.asarray(public.expected_makespan(**free))
    with np.errstate(all="ignore"):
        share = np.asarray(public.expected_lost_time(**free)) / mean
    resolved = np.isfinite(share) & (share > 1e-280)
    return same(
        "E[L]/E[T] and the waste", share[resolved], np.asarray(public.waste(**free))[resolved]
    )


def _downtime_is_a_factor(public: Public, **job: Any) -> str:
    mtbf, down = job["mtbf"], mean_of(job.get("downtime", 0.0))
    with np.errstate(all="ignore"):
        load = np.where(np.isinf(mtbf), 0.0, np.asarray(down) / mtbf)
        expected = (1.0 + load) * public.expected_makespan(**{**job, "downtime": 0.0})
    return same("(1 + D/mu) E[T] without downtime", expected, public.expected_makespan(**job))


def _failures_come_at_the_rate(public: Public, **job: Any) -> str:
    with np.errstate(all="ignore"):
        expected = np.asarray(public.expected_makespan(**job)) / job["mtbf"]
    return same("E[T]/mu and failures", expected, public.expected_failures(**job))


def _lost_time_is_the_rest(public: Public, **job: Any) -> str:
    with np.errstate(all="ignore"):
        total = failure_free(job) + np.asarray(public.expected_lost_time(**job))
    return same("W + K C + E[L] and E[T]", total, public.expected_makespan(**job))


def _slowdown_of_the_struck(public: Public, **job: Any) -> str:
    whole = {**job, "final_checkpoint": False}
    bare = failure_free(whole)
    mean = np.asarray(public.expected_makespan(**whole))
    struck = np.asarray(public.failure_probability(bare, mtbf=job["mtbf"]))
    with np.errstate(all="ignore"):
        gain = mean - bare
        resolved = (gain > 1e-6 * mean) & np.isfinite(mean) & (bare * struck > 1e-280)
        expected = gain / (bare * struck)
    found = public.expected_failure_slowdown(**job)
    return same("(E[T] - U)/(U P) and the slowdown", expected[resolved], found[resolved], 1e-6)


def _split_work_adds_up(public: Public, **job: Any) -> str:
    """Expect twice the time and variance of twice the work, in whole segments."""
    if not np.max(job["interval"]) < 1e290:
        return ""
    once = {**job, "work": job["interval"], "final_checkpoint": True}
    twice = {**once, "work": 2.0 * np.asarray(job["interval"])}
    said = []
    for name in ("expected_makespan", "makespan_variance"):
        one = np.asarray(getattr(public, name)(**once))
        with np.errstate(over="ignore"):
            both = 2.0 * one
        said.append(same(f"two segments of {name}", both, getattr(public, name)(**twice)))
    return first(said)


FACTS: tuple[Fact, ...] = (
    Fact(
        "no makespan is below W + K C",
        "expected_makespan",
        _makespan_is_no_shorter_than_without_failures,
    ),
    Fact("rare failures cost nothing", "expected_makespan", _rare_failures_cost_nothing),
    Fact("efficiency, waste and makespan agree", "efficiency", _efficiency_is_work_over_makespan),
    Fact("waste is time lost", "waste", _waste_of_free_checkpoints_is_lost_time),
    Fact("downtime is a factor", "expected_makespan", _downtime_is_a_factor),
    Fact("failures come at the rate 1/mtbf", "expected_failures", _failures_come_at_the_rate),
    Fact("lost time is the rest", "expected_lost_time", _lost_time_is_the_rest),
    Fact("slowdown is that of jobs struck", "expected_failure_slowdown", _slowdown_of_the_struck),
    Fact("two segments are twice one", "makespan_variance", _split_work_adds_up),
)
