"""Time of answers for machines that age, over that of the calibration loop."""

import time

import numpy as np
import pytest

from perfmodel import Bathtub, Gamma, LogNormal, Weibull
from perfmodel.ageing import exact_makespan_ageing, optimal_intervals_ageing

LAWS = {
    "weibull": Weibull.from_mean(mean=24.0, cv=2.0),
    "lognormal": LogNormal.from_mean(mean=24.0, cv=1.0),
    "gamma": Gamma.from_mean(mean=24.0, cv=1.4),
    "bathtub": Bathtub(share=0.45, early=1.0, late=0.8, turn=24.0),
}
HUNDREDS = {  # laws under which some hundred checkpoints and more are written, and their costs
    "weibull": (Weibull.from_mean(mean=24.0, cv=0.5), 0.01),
    "lognormal": (LogNormal.from_mean(mean=24.0, cv=0.4), 0.01),
    "gamma": (Gamma.from_mean(mean=24.0, cv=0.5), 0.01),
}


@pytest.mark.benchmark(group="ageing", timer=time.process_time)
@pytest.mark.parametrize("law", HUNDREDS)
def test_a_sequence_of_a_hundred_checkpoints(benchmark, judge_pace, law):
    uptime, cost = HUNDREDS[law]
    ask = {"uptime": uptime, "checkpoint_cost": cost, "recovery_cost": 0.1}
    found = benchmark.pedantic(optimal_intervals_ageing, (), ask, rounds=5)
    assert found.size >= 100
    figure = f"`optimal_intervals_ageing`, a hundred checkpoints, {law}"
    judge_pace(figure, benchmark.stats["median"], at_most=3.0)


@pytest.mark.benchmark(group="ageing", timer=time.process_time)
@pytest.mark.parametrize("law", LAWS)
def test_99_percentiles_under_any_law(benchmark, judge_pace, law):
    job = {"interval": 4.0, "checkpoint_cost": 0.5, "recovery_cost": 0.75, "downtime": 0.25}
    q = np.arange(1, 100) / 100

    def ask():
        return exact_makespan_ageing(96.0, uptime=LAWS[law], **job).ppf(q)

    assert (np.diff(benchmark.pedantic(ask, rounds=5)) >= 0.0).all()
    figure = f"`exact_makespan_ageing` and 99 percentiles, {law}"
    judge_pace(figure, benchmark.stats["median"], at_most=16.0)
