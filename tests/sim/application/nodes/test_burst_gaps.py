"""Bursts of which every failure is seen: gaps against the rules of the docstring."""

import numpy as np
import pytest
from scipy import stats

from sim.application.nodes import burst_gaps, simulate_burst_gaps


class Scripted:
    """A generator whose draws are listed; what is beyond the list is far away."""

    def __init__(self, sizes, starts):
        self._sizes, self._starts = sizes, starts

    def geometric(self, p, count):
        assert p == 0.5
        return np.array((self._sizes + [1] * count)[:count])

    def standard_exponential(self, count):
        return np.array((self._starts + [1e6] * count)[:count])


def gaps_of(monkeypatch, count, *, sizes, starts, **changes):
    monkeypatch.setattr(burst_gaps, "stream", lambda *_: Scripted(sizes, starts))
    given = {"burst_mtbf": 10.0, "size": 2.0, "spacing": 2.0, "seed": 0} | changes
    return simulate_burst_gaps(count, **given).tolist()


def test_bursts_apart(monkeypatch):
    # Bursts at 10 (failures at 10, 12, 14), 30 (one) and 45 (45, 47).
    found = gaps_of(monkeypatch, 5, sizes=[3, 1, 2], starts=[1.0, 2.0, 1.5])
    assert found == [2.0, 2.0, 16.0, 15.0, 2.0]


def test_bursts_that_overlap_are_put_in_order(monkeypatch):
    # Failures at 10, 12, 14, 16 of the first burst, at 13, 15 of the second.
    found = gaps_of(monkeypatch, 5, sizes=[4, 2], starts=[1.0, 0.3])
    assert found == [2.0, 1.0, 1.0, 1.0, 1.0]


def test_a_burst_longer_than_what_is_asked(monkeypatch):
    assert gaps_of(monkeypatch, 3, sizes=[10**12], starts=[1.0]) == [2.0, 2.0, 2.0]


def test_failures_at_one_instant(monkeypatch):
    found = gaps_of(monkeypatch, 3, sizes=[2, 2], starts=[1.0, 0.5], spacing=0.0)
    assert found == [0.0, 5.0, 0.0]


def test_bursts_of_one_failure_come_at_a_constant_rate():
    found = simulate_burst_gaps(8000, burst_mtbf=7.0, seed=1)
    assert stats.kstest(found, stats.expon(scale=7.0).cdf).pvalue > 1e-3
    assert abs(np.corrcoef(found[:-1], found[1:])[0, 1]) < 4.0 / np.sqrt(8000)


def test_a_failure_in_size_begins_a_burst():
    found = simulate_burst_gaps(8000, burst_mtbf=7.0, size=4.0, seed=2)
    between = found[found > 0.0]
    assert stats.binomtest(between.size, 8000, 0.25).pvalue > 1e-3
    assert stats.kstest(between, stats.expon(scale=7.0).cdf).pvalue > 1e-3


def test_overlapping_bursts_keep_the_mean_rate():
    # Spreading a burst moves its failures and loses none: on average burst_mtbf / size.
    found = simulate_burst_gaps(50_000, burst_mtbf=10.0, size=4.0, spacing=5.0, seed=3)
    assert found.min() >= 0.0
    assert found.mean() == pytest.approx(2.5, rel=0.05)


def test_the_seed_alone_decides():
    first, again, other = (
        simulate_burst_gaps(9, burst_mtbf=1.0, size=2.0, seed=seed) for seed in (5, 5, 6)
    )
    assert (first == again).all()
    assert (first != other).any()
