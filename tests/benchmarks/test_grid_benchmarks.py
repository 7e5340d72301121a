"""Time in the engine over that of the calibration loop: 103,620 jobs of MetaCentrum on 14 clusters.

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
@pytest.mark.parametrize("case", [("easy", 7.8), ("fcfs", 7.8), ("cons", 7.8), ("ls", 75.0)])
def test_metacentrum(benchmark, judge_pace, metacentrum, scenario, case):
    policy, most = case
    required, failing = SCENARIOS[scenario]
    grid = metacentrum.grid.with_suitability(metacentrum.suitability if required else None)
    failures = metacentrum.failures[""] if failing else None
    assert len(metacentrum.workload) + sum(metacentrum.workload.dropped.values()) == 103_656

    def play():
        return replay_grid(metacentrum.workload, grid, policy=policy, failures=failures)

    took = []

    def timed():
        took.append(play().replay.processor_s)

    benchmark.pedantic(timed, rounds=1 if policy == "ls" else 3)
    judge_pace(f"`perfmodel grid`, {scenario}, {policy}", min(took), at_most=most)
