"""Jobs on levels whose luck is taken away: means stay those of the exact formulas."""

import numpy as np
import pytest

from perfmodel.levels import Level
from validation.advice.levels import Job, Pattern, evened_loss

DAY = 86400.0
TWO = Job(DAY, (Level(10.0, 10.0, 0.9), Level(300.0, 300.0, 1.0)))
THREE = Job(DAY, (Level(50.0, 5.0, 0.6), Level(100.0, 50.0, 0.9), Level(900.0, 600.0, 1.0)))


@pytest.mark.parametrize("job", [TWO, THREE])
@pytest.mark.parametrize("factor", [1.0, 2.5])
def test_a_pattern_loses_its_exact_mean_and_luck_was_most_of_the_spread(job, factor):
    """False alarms: |z| > 4, 6e-5 for each of the two that are compared with the formula."""
    best, work, exact = job.best(10.0)
    pattern = (factor * best.interval, best.counts)
    lost = np.array([evened_loss(Pattern(*pattern), job, work, (1, run)) for run in range(60)])
    error = lost.std(ddof=1) / np.sqrt(lost.size)
    if factor == 1.0:
        assert error < 0.004 * exact  # a sixth and less of what it would be
        assert abs(lost.mean() - exact) < 4.0 * error
    else:
        assert lost.mean() > exact + 4.0 * error
