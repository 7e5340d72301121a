import numpy as np
import pytest

from sim.application import simulate_saved_work
from sim.samplers import Deterministic, Recorded, Weibull

JOB = {"checkpoint_cost": 0.5, "recovery_cost": 1.0, "replications": 3, "seed": 1}


def test_what_is_saved_by_hand():
    # Complete at 3.5, 7.0, 10.5: the last interval is repeated.
    for lasts, saved in ((3.4, 0.0), (3.6, 2.0), (7.1, 5.0), (10.6, 8.0)):
        found = simulate_saved_work([2.0, 3.0], uptime=Deterministic(lasts), **JOB)
        assert found.tolist() == [saved] * 3


def test_a_checkpoint_that_ends_with_the_uptime_is_not_saved():
    assert simulate_saved_work(2.0, uptime=Deterministic(3.5), **JOB).tolist() == [0.0] * 3


def test_the_same_seed_gives_the_same_bytes_and_more_only_append():
    job = {**JOB, "uptime": Weibull(0.7, 9.0), "replications": 700}
    first, second = (simulate_saved_work([1.0, 2.0], **job) for _ in range(2))
    assert first.tobytes() == second.tobytes()
    more = simulate_saved_work([1.0, 2.0], **{**job, "replications": 900})
    np.testing.assert_array_equal(more[:700], first)


def test_refuses_impossible_arguments():
    with pytest.raises(ValueError, match=r"intervals must be finite and > 0, got 0\.0"):
        simulate_saved_work([1.0, 0.0], uptime=Deterministic(1.0), **JOB)
    with pytest.raises(TypeError, match="uptime must be"):
        simulate_saved_work([1.0], uptime=3.0, **JOB)
    assert simulate_saved_work([1.0], uptime=Recorded([4.1]), **JOB).tolist() == [2.0] * 3


@pytest.mark.parametrize("intervals", [2.0, [1.0, 2.5], [0.3, 0.7, 4.0]])
def test_counting_agrees_with_the_loop_uptime_by_uptime(intervals):
    job = {**JOB, "uptime": Weibull(0.7, 9.0), "replications": 5000}
    counted, played = (
        simulate_saved_work(intervals, **job, method=method) for method in ("kernel", "events")
    )
    np.testing.assert_allclose(counted, played, rtol=1e-12)
