import numpy as np
import pytest

from perfmodel import failure_clusters
from perfmodel.fitting.clusters import _limit


def test_the_effective_mtbf_is_the_mean_wait_from_any_instant():
    gaps = np.random.default_rng(1).weibull(0.6, 50)
    found = failure_clusters(gaps)
    ends = np.cumsum(gaps)
    starts = (np.arange(200_000) + 0.5) / 200_000 * ends[-1]
    waits = ends[np.searchsorted(ends, starts)] - starts
    assert found.effective_mtbf == pytest.approx(waits.mean(), rel=1e-4)
    assert found.mtbf == pytest.approx(gaps.mean(), rel=1e-14)
    assert found.scv == pytest.approx(gaps.var() / gaps.mean() ** 2, rel=1e-12)
    assert found.failures_per_cluster == found.effective_mtbf / found.mtbf


def test_instant_clusters_come_at_their_own_rate():
    rng = np.random.default_rng(2)
    calm = rng.exponential(5.0, 400)
    gaps = np.ravel(np.column_stack([calm, np.zeros((400, 3))]))
    alone, found = failure_clusters(calm), failure_clusters(gaps)
    assert found.clustered
    assert not alone.clustered
    assert found.effective_mtbf == pytest.approx(alone.effective_mtbf, rel=1e-12)


def test_even_gaps_are_not_clustered():
    found = failure_clusters([2.0] * 20)
    assert (found.mtbf, found.effective_mtbf, found.scv) == (2.0, 1.0, 0.0)
    assert not found.clustered


@pytest.mark.slow
@pytest.mark.parametrize("count", [10, 13, 20, 35, 60, 120, 250, 600, 2000, 20_000])
def test_the_limit_is_exceeded_as_seldom_as_stated(count):
    """0.9 to 1.1 % of records; noise of the count of 400,000 or fewer is taken off at 4 sigma."""
    rng, records, beyond = np.random.default_rng(count), 0, 0
    while records < min(400_000, 40_000_000 // count):
        gaps = rng.standard_exponential((max(1, 2_000_000 // count), count))
        scv = gaps.var(axis=1) / gaps.mean(axis=1) ** 2
        beyond += int((scv > _limit(count)).sum())
        records += len(gaps)
    noise = 4.0 * np.sqrt(0.0099 / records)
    assert 0.009 - noise < beyond / records < 0.011 + noise


@pytest.mark.parametrize("count", [10, 35, 250])
def test_the_limit_is_exceeded_by_about_one_of_100_records(count):
    """As above, of 40,000 records: 4 sigma are 0.2 %."""
    gaps = np.random.default_rng(count).standard_exponential((40_000, count))
    scv = gaps.var(axis=1) / gaps.mean(axis=1) ** 2
    assert 0.007 < float(np.mean(scv > _limit(count))) < 0.013


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_the_unit_changes_nothing_else(unit):
    gaps = np.arange(1.0, 20.0)
    here, there = failure_clusters(gaps), failure_clusters(unit * gaps)
    assert there.scv == pytest.approx(here.scv, rel=1e-12)
    assert there.effective_mtbf == pytest.approx(unit * here.effective_mtbf, rel=1e-12)
