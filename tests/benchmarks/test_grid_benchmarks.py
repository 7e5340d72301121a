"""Seconds for the 103,656 jobs of MetaCentrum 2009 on its 14 clusters, in all four scenarios.

`make bench` runs this; the limits are those of the README beside this file.
"""

import pytest

from sim.cluster.grid import SCENARIOS, replay_grid
from validation.reproduction.grid.systems import system


@pytest.fixture(scope="module")
def metacentrum():
    try:
        return system("metacentrum")
    except FileNotFoundError as missing:
        pytest.skip(f"{missing}; the Parallel Workloads Archive publishes it")


@pytest.mark.parametrize("scenario", list(SCENARIOS))
@pytest.mark.parametrize("case", [("easy", 60.0), ("cons", 300.0)])
def test_metacentrum_in_seconds(benchmark, judge, metacentrum, scenario, case):
    policy, most = case
    required, failing = SCENARIOS[scenario]
    grid = metacentrum.grid.with_suitability(metacentrum.suitability if required else None)
    failures = metacentrum.failures[""] if failing else None
    assert len(metacentrum.workload) + sum(metacentrum.workload.dropped.values()) == 103_656

    def play():
        return replay_grid(metacentrum.workload, grid, policy=policy, failures=failures)

    result = benchmark.pedantic(play, rounds=1)
    judge(f"`perfmodel grid`, {scenario}, {policy}, s", result.replay.engine_s, at_most=most)
