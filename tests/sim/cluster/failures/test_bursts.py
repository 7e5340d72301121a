"""A feed of bursts has the stated rate from its first second."""

import numpy as np
import pytest

from sim.cluster.failures import bursty_failures

DAY = 86_400.0


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("shape", "per_year", "span"),
    [
        (0.2, 1021.0, 30.0 * DAY),
        (0.3, 1021.0, 30.0 * DAY),
        (0.7, 1021.0, 30.0 * DAY),
        (50.0, 1021.0, 30.0 * DAY),
        (0.7, 1e6, 3600.0),  # bursts that overlap: most stragglers are of bursts before the start
        (2.0, 1e5, 3600.0),
    ],
)
def test_failures_per_year_are_those_asked_for_from_the_start(shape, per_year, span):
    drawn = np.array(
        [
            len(
                bursty_failures(
                    nodes=128,
                    per_year=per_year,
                    repair=1.0,
                    start=0.0,
                    end=span,
                    seed=seed,
                    shape=shape,
                )
            )
            for seed in range(200)
        ]
    )
    expected = per_year * span / (365.0 * DAY)
    standard_error = drawn.std() / np.sqrt(len(drawn))
    assert abs(drawn.mean() - expected) < 4.0 * standard_error


def test_regular_bursts_strike_at_any_instant_of_their_period():
    period = 365.0 * DAY / 1000.0
    first = [
        bursty_failures(
            nodes=1,
            per_year=1000.0,
            repair=1.0,
            start=0.0,
            end=2.0 * period,
            seed=seed,
            shape=500.0,
            burst=1.0,
        ).time[0]
        for seed in range(200)
    ]
    assert np.histogram(first, bins=4, range=(0.0, period))[0].min() > 25


def test_no_failures_a_year_are_none_and_a_spread_is_a_duration():
    usual = {"nodes": 2, "repair": 1.0, "start": 0.0, "end": DAY, "seed": 1}
    assert len(bursty_failures(**usual, per_year=0.0, shape=0.2)) == 0
    with pytest.raises(ValueError, match=r"spread must be finite and >= 0, got -1\.0"):
        bursty_failures(**usual, per_year=9.0, spread=-1.0)
