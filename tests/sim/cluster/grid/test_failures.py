import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sim.cluster.failures import lemon_nodes
from sim.cluster.grid import (
    ClusterSpec,
    FailureModel,
    Grid,
    average_failure_count,
    failure_count,
    generate_failures,
)
from tests.support.examples import examples

GRID = Grid((ClusterSpec("a", 7, 2), ClusterSpec("b", 3)))
PLAIN = {"afc": 0.01, "gap_shape": 0.7, "repair_shape": 1.0, "repair_scale": 100.0}


@settings(deadline=None, max_examples=examples(320))
@given(
    afc=st.floats(1e-4, 0.05),
    hours=st.floats(0.1, 500.0),
    burst_size=st.floats(1.0, 6.0),
    burst_span=st.floats(0.0, 1e5),
    skew=st.floats(0.0, 3.0),
    seed=st.integers(0, 2**32 - 1),
)
def test_count_and_range_are_exact(  # noqa: PLR0917
    afc, hours, burst_size, burst_span, skew, seed
):
    more = {"burst_size": burst_size, "burst_span": burst_span, "skew": skew}
    model = FailureModel(**{**PLAIN, "afc": afc}, **more)
    start = 1000.0
    feed = generate_failures(GRID, model, start=start, end=start + 3600.0 * hours, seed=seed)
    assert len(feed) == failure_count(10, hours, afc) == round(10 * hours * afc)
    if len(feed):
        assert feed.time.min() >= start
        assert feed.time.max() < start + 3600.0 * hours
        assert 0 <= feed.node.min() <= feed.node.max() < 10
    again = generate_failures(GRID, model, start=start, end=start + 3600.0 * hours, seed=seed)
    assert np.array_equal(feed.time, again.time)
    assert np.array_equal(feed.node, again.node)


def test_the_count_per_machine_and_hour_inverts_the_number():
    assert average_failure_count(failure_count(200, 1000.0, 0.003), 200, 1000.0) == 0.003


def test_a_burst_strikes_different_machines_of_one_cluster():
    model = FailureModel(**PLAIN, burst_size=1000.0, burst_span=10.0)
    feed = generate_failures(Grid((ClusterSpec("a", 50),)), model, end=3600.0 * 80, seed=1)
    assert len(feed) == 40
    assert len(set(feed.node.tolist())) == 40
    assert np.ptp(feed.time) <= 10.0


def test_skew_strikes_some_machines_more_often():
    def largest_share(skew):
        model = FailureModel(**PLAIN, skew=skew)
        grid = Grid((ClusterSpec("a", 20),))
        feed = generate_failures(grid, model, end=3600.0 * 20_000, seed=3)
        return np.bincount(feed.node).max() / len(feed)

    assert largest_share(0.0) < 0.08
    # The first of 20 by a power law of 1 has 1 / (1 + 1/2 + ... + 1/20) = 0.278.
    assert largest_share(1.0) == pytest.approx(0.278, abs=0.03)


def test_an_empty_time_is_refused():
    with pytest.raises(
        ValueError, match=r"end must be finite and > start, got 0\.0 for start=0\.0"
    ):
        generate_failures(GRID, FailureModel(**PLAIN), end=0.0, seed=1)


def test_clusters_that_begin_later_are_out_until_then():
    model = FailureModel(**PLAIN, burst_size=2.0)
    plain = generate_failures(GRID, model, start=50.0, end=3600.0 * 100, seed=4)
    late = generate_failures(
        GRID, model, start=50.0, end=3600.0 * 100, seed=4, in_service=[10.0, 80.0]
    )
    assert len(late) == len(plain) + 3
    assert late.time[:3].tolist() == [50.0] * 3
    assert late.node[:3].tolist() == [7, 8, 9]
    assert late.repair[:3].tolist() == [30.0] * 3
    assert np.array_equal(late.time[3:], plain.time)
    assert np.array_equal(late.repair[3:], plain.repair)


@pytest.mark.parametrize(
    ("in_service", "message"),
    [
        ([0.0], "in_service must have one entry per cluster, got 1 for 2"),
        ([0.0, np.inf], "in_service must be finite, got inf"),
        ([np.nan, 0.0], "in_service must be finite, got nan"),
    ],
)
def test_nonsense_about_the_service_is_refused(in_service, message):
    with pytest.raises(ValueError, match=message):
        generate_failures(GRID, FailureModel(**PLAIN), end=3600.0, seed=1, in_service=in_service)


LEMONS = {"lemon_share": 0.1, "lemon_factor": 20.0}


def struck(model, *, hours):
    """Return how often each machine of ten is struck, and which ones are lemons."""
    feed = generate_failures(GRID, model, end=3600.0 * hours, seed=8)
    return np.bincount(feed.node, minlength=10), lemon_nodes(10, model.lemon_share, 8)


def test_lemons_are_struck_so_many_times_as_often_and_the_number_is_kept():
    counts, lemons = struck(FailureModel(**PLAIN, **LEMONS), hours=2e5)
    assert counts.sum() == 20_000
    (lemon,) = lemons
    # A false alarm in a million.
    assert stats.binomtest(counts[lemon], 20_000, 20.0 / 29.0).pvalue > 1e-6
    assert stats.binomtest(counts[lemon], 20_000, 18.0 / 27.0).pvalue < 1e-6
    assert stats.chisquare(np.delete(counts, lemon)).pvalue > 1e-6
    assert struck(FailureModel(**PLAIN), hours=2e5)[1].size == 0


def test_a_share_of_no_machine_is_refused():
    model = FailureModel(**PLAIN, lemon_share=0.01)
    with pytest.raises(ValueError, match="lemon_share must be at least one and not all of the 10"):
        generate_failures(GRID, model, end=1e6, seed=0)
    with pytest.raises(ValueError, match=r"lemon_share must be in \[0, 1\], got 2.0"):
        FailureModel(**PLAIN, lemon_share=2.0)
