"""Time of the search for the best pattern on four levels, over that of the calibration loop."""

import time

import pytest

from perfmodel.levels import Level, optimal_pattern_levels

RATES = (1e-5, 5e-6, 1e-6, 1e-7)
COSTS = (5.0, 20.0, 100.0, 600.0)
LEVELS = [Level(c, c, min(sum(RATES[: k + 1]) / sum(RATES), 1.0)) for k, c in enumerate(COSTS)]


@pytest.mark.benchmark(group="levels", timer=time.process_time)
@pytest.mark.parametrize("rule", ["reinstated", "escalate"])
def test_search_over_four_levels(benchmark, judge_pace, rule):
    levels = [*LEVELS[:-1], Level(600.0, 600.0, 1.0)]
    found = benchmark.pedantic(
        optimal_pattern_levels, (levels,), {"mtbf": 1 / sum(RATES), "rule": rule}, rounds=5
    )
    assert found.efficiency > 0.95
    figure = f"`optimal_pattern_levels`, four levels, {rule}"
    judge_pace(figure, benchmark.stats["median"], at_most=16.0)
