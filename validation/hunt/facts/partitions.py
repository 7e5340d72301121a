"""Facts of shares and schedules."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..public_names import Public
from ._fact import Fact, first, ordered, same

__all__ = ["FACTS"]


def _shares_are_the_work(public: Public, *, work: Any, machines: Any) -> str:
    shares = np.asarray(public.equal_time_partition(work, machines))
    speed = machines.effective_speed
    times = shares / speed
    return first(
        (
            same("sum of the shares and the work", shares.sum(axis=-1), work),
            same("times of the shares", times, times[..., :1]),
        )
    )


def _one_machine_is_a_task(public: Public, *, work: Any, machines: Any, **rest: Any) -> str:
    del rest
    one = machines.take([0])
    speed, mtbf, mttr, cv, interval, cost = (float(column[0]) for column in one.columns)
    found = public.evaluate_set(work, one)
    if interval == 0.0 or mttr == 0.0 or not 1e-4 < cv < 1e4:
        return ""
    repair = public.Gamma.from_mean(mttr, cv=cv)
    task = {"mtbf": mtbf, "downtime": repair, "interval": interval, "checkpoint_cost": cost}
    mean = float(public.wsj_mean(work / speed, **task))
    std = math.sqrt(float(public.wsj_variance(work / speed, **task)))
    return first(
        (
            same("mean on one machine", found.expected_time, mean, 1e-5),
            same("std on one machine", found.std, std, 1e-3, least=1e-5 * mean),
            same("subtask time on one machine", found.subtask_time, mean),
        )
    )


def _search_finds_the_best(public: Public, *, work: Any, machines: Any, **rest: Any) -> str:
    del rest
    best = public.schedule_exhaustive(work, machines).objective
    others = {
        name: getattr(public, name)(work, machines).objective
        for name in (
            "schedule_bisection",
            "schedule_local",
            "schedule_speed",
            "schedule_reliability",
            "schedule_speed_reliability",
        )
    }
    others["evaluate_set"] = public.evaluate_set(work, machines).objective
    return first(
        ordered(f"exhaustive search and {name}", best, value, 1e-5)
        for name, value in others.items()
    )


def _schedules_add_up(public: Public, *, work: Any, machines: Any, **rest: Any) -> str:
    found = public.schedule_bisection(work, machines, **rest)
    return first(
        (
            same("shares and work", np.sum(found.shares), work),
            ordered("subtask and slowest", found.subtask_time, found.expected_time, 1e-6),
            same(
                "schedule and its own set",
                found.objective,
                public.evaluate_set(work, machines, found.chosen).objective,
                1e-6,
            ),
        )
    )


FACTS: tuple[Fact, ...] = (
    Fact("shares are the work", "equal_time_partition", _shares_are_the_work),
    Fact("one machine is a task", "evaluate_set", _one_machine_is_a_task),
    Fact("search finds the best", "schedule_exhaustive", _search_finds_the_best, 10.0),
    Fact("schedules add up", "schedule_bisection", _schedules_add_up, 10.0),
)
