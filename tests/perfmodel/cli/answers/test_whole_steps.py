"""Answers in whole steps: none of the counts beside the one that is told is better."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from asking.refusals import Refused
from perfmodel.ageing import (
    expected_makespan_ageing,
    optimal_intervals_ageing,
    useful_share_ageing,
)
from perfmodel.answers.known.job import job_of
from perfmodel.answers.parts.advice import advise, recommended_interval
from perfmodel.answers.parts.ageing import aged
from perfmodel.answers.parts.asynchronous import drained
from perfmodel.answers.parts.energy import energies
from perfmodel.answers.parts.levels import layered
from perfmodel.answers.requests.job import IntervalRequest, JobRequest
from perfmodel.answers.requests.levels import local_copy
from perfmodel.answers.requests.powers import powers
from perfmodel.energy import expected_energy
from perfmodel.interval import best_segments, optimal_interval, regret
from perfmodel.levels import Level, expected_pattern_time
from perfmodel.lifetimes import Weibull
from perfmodel.makespan import efficiency, expected_makespan, expected_makespan_async

HOUR, DAY = 3600.0, 86400.0
COSTS = {
    "mtbf": 8 * HOUR,
    "checkpoint_cost": 360.0,
    "recovery_cost": 240.0,
    "downtime": 600.0,
}
TWO = {"mtbf": 8 * HOUR, "checkpoint_cost": 360.0}
STEPS = [7.0, 1500.0, 5000.0]


def job(step):
    return job_of(JobRequest(**COSTS, work=10 * DAY, step_time=step))


def is_best(steps, step, free, cost):
    """Whether this is the cheaper of the two counts beside an interval that is free."""
    few = max(1, math.floor(free / step))
    return cost(steps * step) == min(cost(few * step), cost((few + 1) * step))


@pytest.mark.parametrize("step", STEPS)
def test_advice(step):
    found = advise(job(step))
    loss = partial(regret, work=10 * DAY, **TWO)
    assert found.best.interval_s == found.steps * step
    free = advise(job(None)).best.interval_s
    assert is_best(found.steps, step, free, lambda each: float(loss(each)))
    assert recommended_interval(job(step)) == found.best.interval_s
    assert found.rules[0] is found.best
    assert [rule.rule for rule in found.rules[:3]] == ["whole_steps", "best_segments", "exact"]
    # Another MTBF is told without steps.
    assert recommended_interval(job(step), 8 * HOUR) == found.rules[1].interval_s


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("in_flight", ["overlap", "single_buffer", "skip"])
def test_checkpoints_that_become_durable_later(step, in_flight):
    found = drained(job(step), 20.0, 1200.0, in_flight)
    mean = partial(
        expected_makespan_async,
        10 * DAY,
        latency=1200.0,
        in_flight=in_flight,
        **{**COSTS, "checkpoint_cost": 20.0},
    )
    assert found.interval_s == found.steps * step
    free = drained(job(None), 20.0, 1200.0, in_flight)
    assert free.steps is None
    assert is_best(found.steps, step, free.interval_s, lambda at: float(mean(interval=at)))
    assert found.segments == math.ceil(10 * DAY / found.interval_s)
    assert found.expected_makespan_s == pytest.approx(float(mean(interval=found.interval_s)))
    assert found.efficiency == pytest.approx(10 * DAY / found.expected_makespan_s)


@pytest.mark.parametrize("step", [1500.0, 2700.0])
def test_a_job_of_so_many_steps_has_no_segment_more(step):
    """Neither rounding nor a job shorter than a step makes one."""
    whole = replace(job(step), work=96 * step)
    found = drained(whole, 20.0, 1200.0, "overlap")
    assert found.segments == math.ceil(96 / found.steps)
    short = replace(job(step), work=0.5 * step)
    assert drained(short, 20.0, 1200.0, "overlap").segments == 1


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("overlap", [0.0, 0.5])
def test_time_and_energy(step, overlap):
    drawn = powers("static=8MW,compute=10MW,io=1MW,down=2MW")
    found, free = (energies(each, drawn, overlap) for each in (job(step), job(None)))
    watts = {"static_power": 8e6, "compute_power": 10e6, "io_power": 1e6, "down_power": 2e6}
    clock = {"static_power": 1.0, "compute_power": 0.0, "io_power": 0.0, "down_power": 0.0}
    spent = partial(expected_energy, 10 * DAY, **COSTS, overlap=overlap)
    for choice, of_long, weights in (
        (found.least_time, free.least_time, clock),
        (found.least_energy, free.least_energy, watts),
    ):
        at = choice.interval_s
        assert at == choice.steps * step
        assert of_long.steps is None
        cost = partial(spent, **weights)
        long = of_long.interval_s
        assert is_best(choice.steps, step, long, lambda at, cost=cost: float(cost(interval=at)))
        assert choice.expected_makespan_s == pytest.approx(float(spent(interval=at, **clock)))
        assert choice.expected_energy_j == pytest.approx(float(spent(interval=at, **watts)))


@pytest.mark.parametrize("step", STEPS)
def test_levels(step):
    copies = [local_copy("cost=30s,recovery=20s,survives=90%")]
    free = layered(job(None), copies)
    found = layered(job(step), copies)
    assert (free.steps, free.single_steps) == (None, None)
    levels = [Level(30.0, 20.0, 0.9), Level(360.0, 240.0, 1.0)]
    # One checkpoint of the last level in so many of any.
    counts = (found.levels[1].every - 1,)
    for long, each, on, many in (
        (
            free.interval_s,
            (found.interval_s, found.steps, found.efficiency, found.overhead),
            levels,
            counts,
        ),
        (
            free.single_interval_s,
            (
                found.single_interval_s,
                found.single_steps,
                found.single_efficiency,
                found.single_overhead,
            ),
            levels[1:],
            (),
        ),
    ):
        interval, steps, useful, overhead = each
        assert interval == steps * step
        work = math.prod(1 + count for count in many)

        def slowed(at, on=on, many=many, work=work):
            time = expected_pattern_time(
                on, interval=at, counts=many, mtbf=8 * HOUR, downtime=600.0
            )
            return float(time) / (work * at)

        assert is_best(steps, step, long, slowed)
        assert useful == pytest.approx(1.0 / slowed(interval))
        assert overhead == pytest.approx(slowed(interval) - 1.0)


def test_times_too_far_from_the_mtbf_are_refused_by_their_names():
    """From 1e-8 to 100 times the MTBF a pattern is searched, ends included."""
    level = "cost=30s,recovery=20s,survives=90%"
    mtbf = 8 * HOUR
    for changes, copy, words in (
        ({"checkpoint_cost": 100.1 * mtbf}, level, "the checkpoint must be 1e-08 to 100 times the"),
        ({"checkpoint_cost": 0.9e-8 * mtbf}, level, "the checkpoint must be 1e-08 to 100 times"),
        ({"recovery_cost": 100.1 * mtbf}, level, "recovery_cost must be at most 100 times the"),
        ({}, "cost=801h,recovery=20s,survives=90%", "the cost of a levels must be 1e-08 to 100"),
        ({}, "cost=0.1ms,recovery=20s,survives=90%", "the cost of a levels must be 1e-08 to"),
        ({}, "cost=30s,recovery=801h,survives=90%", "the recovery of a levels must be at most"),
    ):
        refused = replace(job(None), **changes)
        with pytest.raises(Refused) as error:
            layered(refused, [local_copy(copy)], asked=IntervalRequest(preset="rsc-1"))
        assert str(error.value).startswith(words)
        assert " times the MTBF of 8 h with levels, got " in str(error.value)
    layered(
        replace(job(None), recovery_cost=0.0), [local_copy("cost=30s,recovery=0s,survives=90%")]
    )


@pytest.mark.parametrize("step", STEPS[1:])
def test_a_law_of_uptimes(step):
    law = Weibull.from_mean(8 * HOUR, cv=1.5)
    costs = {"checkpoint_cost": 360.0, "recovery_cost": 240.0}
    useful = partial(useful_share_ageing, uptime=law, downtime=600.0, **costs)
    found = aged(job(step), law, "as typed", sequence=True)
    assert found.interval_s == found.steps * step
    free = aged(job(None), law, "as typed", sequence=False)
    assert is_best(found.steps, step, free.interval_s, lambda each: -useful(each))
    assert found.useful_share == pytest.approx(useful(found.interval_s))
    plain = found.exponential_interval_s
    assert plain == step * round(plain / step)
    long = free.exponential_interval_s
    assert is_best(round(plain / step), step, long, lambda each: float(regret(each, **TWO)))
    assert found.exponential_useful_share == pytest.approx(useful(plain))
    ages = optimal_intervals_ageing(uptime=law, **costs)
    counts = np.array(found.intervals_s) / step
    assert (counts == np.round(counts)).all()
    assert counts.min() >= 1
    assert (np.abs(counts - ages / step) <= np.where(ages < step / 2, 1.0, 0.5)).all()
    assert found.intervals_useful_share == pytest.approx(useful(np.array(found.intervals_s)))
    makespan = expected_makespan_ageing(
        10 * DAY, interval=found.interval_s, uptime=law, downtime=600.0, **costs
    )
    assert found.expected_makespan_s == pytest.approx(float(makespan))


def test_the_makespan_of_very_many_segments_is_not_told():
    """Up to 2,000 segments; its time grows as their square."""
    law = Weibull.from_mean(8 * HOUR, cv=1.5)
    free = job(None)
    interval = aged(free, law, "as typed", sequence=False).interval_s
    for segments, told in ((20, True), (2001, False)):
        long = replace(free, work=segments * interval)
        found = aged(long, law, "as typed", sequence=False)
        assert (found.expected_makespan_s is not None) is told


def test_a_job_shorter_than_its_best_interval_is_one_segment():
    law = Weibull.from_mean(8 * HOUR, cv=1.5)
    short = replace(job(None), work=60.0)
    found = aged(short, law, "as typed", sequence=False)
    costs = {"checkpoint_cost": 360.0, "recovery_cost": 240.0, "downtime": 600.0}
    whole = expected_makespan_ageing(60.0, interval=60.0, uptime=law, **costs)
    assert found.expected_makespan_s == pytest.approx(float(whole))


def test_a_law_that_leaves_no_time_for_work_is_refused():
    law = Weibull.from_mean(1e-3, cv=1.5)
    with pytest.raises(Refused, match="leave time for work and checkpoints, got 'mine' "):
        aged(job(None), law, "mine", sequence=True)


@pytest.mark.parametrize("price", [None, 3.0])
def test_rules_cost_what_they_waste(price):
    found = advise(replace(job(None), price=price))
    assert found.long_efficiency == pytest.approx(
        float(efficiency(found.rules[1].interval_s, interval=found.rules[1].interval_s, **COSTS))
    )
    for rule in found.rules:
        if price is None:
            assert rule.waste_cost is None
            continue
        time = float(expected_makespan(10 * DAY, interval=rule.interval_s, **COSTS))
        assert rule.waste_cost == pytest.approx(3.0 * (time - 10 * DAY) / HOUR)


@pytest.mark.parametrize("mtbf", [None, 2.0])
def test_of_infinitely_many_segments_the_interval_is_that_of_a_long_job(mtbf):
    endless = job_of(JobRequest(mtbf=1.0, checkpoint_cost=1e-12, work=1e305))
    with np.errstate(over="ignore"):
        assert best_segments(1e305, mtbf=1.0, checkpoint_cost=1e-12) == math.inf
    best = float(optimal_interval(mtbf=mtbf or 1.0, checkpoint_cost=1e-12))
    assert recommended_interval(endless, mtbf) == best
    if mtbf is None:
        found = advise(endless)
        assert found.best.interval_s == best
        assert found.segments is None
