"""Time of training jobs of 4,096 servers that fail 15,000 times, over the calibration loop."""

import time

import pytest

from sim.application import simulate_training_jobs
from tests.sim.application.training.test_cluster import CLUSTER, WORK


@pytest.mark.benchmark(group="training", timer=time.process_time)
def test_thirty_runs_with_rework(benchmark, judge_pace):
    def thirty():
        return simulate_training_jobs(
            WORK,
            cluster=CLUSTER,
            interval=0.25,
            checkpoint_cost=1.0 / 60.0,
            replications=30,
            seed=1,
        )

    thirty()  # compiled beforehand
    found = benchmark.pedantic(thirty, rounds=3)
    assert found.failures.mean() > 14_000
    judge_pace("30 runs by `simulate_training_jobs`", benchmark.stats["median"], at_most=16.0)
