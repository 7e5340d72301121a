"""Paths worked out by hand, and the compiled loop against the readable model, bit by bit."""

import numpy as np
import pytest

from sim.application import simulate_delays_after_failure
from sim.samplers import Deterministic, Exponential, Gamma, LogNormal, Recorded

QUEUE = {
    "gap": 4.0,
    "places": 3,
    "running": Exponential(8.0),
    "strike": 60.0,
    "option": "rear",
    "downtime": 5.0,
    "replications": 400,
    "seed": 3,
}
CASES = {
    "rear": {},
    "head": {"option": "head"},
    "later": {"option": "later", "rest": 7.0},
    "one place": {"places": 1, "running": Exponential(3.0)},
    "no repair": {"downtime": 0.0, "option": "head"},
    "of equal length": {"running": Deterministic(7.0)},
    "of gamma length": {"running": Gamma(0.5, 10.0), "option": "later"},
    "of lognormal length": {"running": LogNormal(1.0, 1.0)},
    "of recorded lengths": {"running": Recorded([2.0, 9.0, 14.0, 6.0] * 30)},
}


@pytest.mark.parametrize("changes", CASES.values(), ids=CASES.keys())
def test_the_compiled_loop_is_the_readable_model_bit_by_bit(changes):
    delays = [
        simulate_delays_after_failure(**QUEUE | changes, method=method)
        for method in ("kernel", "events")
    ]
    np.testing.assert_array_equal(*delays)
    assert 0.2 < np.isfinite(delays[0]).mean() < 1.0


@pytest.mark.parametrize(
    "changes",
    [{"option": "head"}, {"option": "later"}, {"downtime": 4.0}, {"places": 4}, {"strike": 50.0}],
    ids=str,
)
def test_the_comparison_can_detect_another_rule(changes):
    right = simulate_delays_after_failure(**QUEUE)
    wrong = simulate_delays_after_failure(**QUEUE | changes)
    assert not np.array_equal(right, wrong, equal_nan=True)


@pytest.mark.parametrize("method", ["kernel", "events"])
def test_alone_a_job_waits_for_its_only_place_or_takes_another(method):
    # Jobs are so long that the first one still runs, and so rare that no other comes.
    alone = {"gap": 50.0, "running": Deterministic(1e6), "strike": 60.0, "method": method}
    shared = QUEUE | alone | {"replications": 200}
    one = simulate_delays_after_failure(**shared | {"places": 1, "option": "head"})
    assert set(one[np.isfinite(one)]) == {5.0}
    many = simulate_delays_after_failure(**shared | {"places": 30, "option": "head"})
    assert set(many[np.isfinite(many)]) == {0.0}
    later = {"option": "later", "rest": 7.0, "places": 30}
    away = simulate_delays_after_failure(**shared | later)
    assert set(away[np.isfinite(away)]) == {7.0}


def test_order_of_the_options_under_the_same_failure():
    head, rear = (
        simulate_delays_after_failure(**QUEUE | {"option": option}) for option in ("head", "rear")
    )
    struck = np.isfinite(head)
    assert np.nanmean(head) < np.nanmean(rear)
    assert (head[struck] <= 5.0).all()


def test_more_replications_only_append():
    few = simulate_delays_after_failure(**QUEUE)
    more = simulate_delays_after_failure(**QUEUE | {"replications": 1500})
    np.testing.assert_array_equal(few, more[:400])


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"option": "front"}, ValueError, "option must be one of head, rear, later, got 'front'"),
        ({"running": 5.0}, TypeError, r"running must be a sampler, got 5\.0"),
        ({"gap": 0.0}, ValueError, "gap must be finite and > 0"),
        ({"places": 0}, ValueError, "places must be a whole number >= 1"),
        ({"rest": -1.0}, ValueError, "rest must be finite and >= 0"),
        ({"method": "magic"}, ValueError, "method must be one of kernel, events"),
    ],
)
def test_refusals(changes, error, message):
    with pytest.raises(error, match=message):
        simulate_delays_after_failure(**QUEUE | changes)
