import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfmodel import expected_makespan_async, optimal_interval, optimal_interval_async

RULES = ("overlap", "single_buffer", "skip")


@pytest.mark.few(2)
@pytest.mark.parametrize("rule", RULES)
@given(mtbf=st.floats(1.0, 1e6), share=st.floats(1e-6, 2.0), slowdown=st.floats(0.0, 1.0))
def test_without_latency_it_is_the_synchronous_optimum(rule, mtbf, share, slowdown):
    cost = mtbf * share
    found = optimal_interval_async(
        mtbf=mtbf, checkpoint_cost=cost, latency=0.0, slowdown=slowdown, in_flight=rule
    )
    assert found == optimal_interval(mtbf=mtbf, checkpoint_cost=cost)


@pytest.mark.parametrize("rule", RULES)
def test_a_latency_shorter_than_the_interval_changes_nothing(rule):
    found = optimal_interval_async(
        mtbf=10.0, checkpoint_cost=0.3, latency=[0.1, 1.0, 2.0], in_flight=rule
    )
    assert found.tolist() == [optimal_interval(mtbf=10.0, checkpoint_cost=0.3)] * 3


@pytest.mark.parametrize(
    ("rule", "segments"), [("overlap", (103, 103, 51, 34)), ("single_buffer", (103, 100, 50, 33))]
)
def test_the_best_numbers_of_segments_are_those_worked_out_apart(rule, segments):
    counts = np.arange(1, 200)
    job = {"mtbf": 10.0, "checkpoint_cost": 0.05, "recovery_cost": 0.4, "downtime": 0.5}
    for latency, best in zip((0.0, 1.0, 2.0, 3.0), segments, strict=True):
        means = expected_makespan_async(
            100.0, interval=100.0 / counts, latency=latency, in_flight=rule, **job
        )
        assert counts[np.argmin(means)] == best
        found = optimal_interval_async(
            mtbf=10.0, checkpoint_cost=0.05, latency=latency, in_flight=rule
        )
        assert abs(100.0 / float(found) - best) < 1.0


def _pace(interval, machine, rule):
    """Time per work of a long job: what 240 further segments add, over their work."""
    short, long = (
        float(expected_makespan_async(count * interval, interval=interval, **machine, **rule))
        for count in (240, 480)
    )
    return (long - short) / (240.0 * interval)


@pytest.mark.few(2)
@pytest.mark.parametrize("rule", RULES)
def test_no_other_interval_of_a_long_job_is_better(rule):
    rng = np.random.default_rng(7)
    times_skipped = set()
    for _ in range(12):
        slowdown = rng.choice([0.0, rng.uniform()])
        machine = {"checkpoint_cost": 10.0 ** rng.uniform(-3.0, 0.3)}
        machine |= {"mtbf": 1.0, "latency": 10.0 ** rng.uniform(-1.5, 0.9), "slowdown": slowdown}
        best = float(optimal_interval_async(**machine, in_flight=rule))
        free = {"recovery_cost": 0.0, "downtime": 0.0, "in_flight": rule}
        least = _pace(best, machine, free)
        others = [*np.geomspace(0.05, 3.0, 24), 0.97, 0.999, 1.001, 1.03]
        assert min(_pace(best * other, machine, free) for other in others) > least * (1.0 - 1e-10)
        drain = (1.0 - slowdown) * machine["latency"]
        times_skipped.add(int(np.ceil(drain / best * (1.0 - 1e-12))))
    assert len(times_skipped) > 3


def test_a_latency_beyond_the_mtbf_is_not_waited_for():
    # The shortest interval without a queue, 40 - 0.3, is not the best: drains may queue.
    best = optimal_interval_async(mtbf=10.0, checkpoint_cost=0.3, latency=40.0)
    assert best == 10.0
    job = {"mtbf": 10.0, "checkpoint_cost": 0.3, "latency": 40.0}
    at, other = (expected_makespan_async(1000 * w, interval=w, **job) / w for w in (10.0, 39.7))
    assert at < 0.3 * other


@pytest.mark.parametrize("latency", [90.0, 99.9, 100.1, 150.0, 201.0, 1e3, 1e6])
def test_skipped_snapshots_that_hardly_ever_end_leave_an_mtbf(latency):
    found = optimal_interval_async(mtbf=1.0, checkpoint_cost=0.1, latency=latency, in_flight="skip")
    assert found == pytest.approx(1.0, rel=1e-14)


@pytest.mark.slow
@given(
    cost=st.floats(1e-6, 1.0),
    latency=st.floats(1e-6, 150.0),
    slowdown=st.floats(0.0, 1.0),
    power=st.integers(-40, 40),
)
def test_another_unit_of_time_leaves_all_digits(cost, latency, slowdown, power):
    def found(unit):
        return optimal_interval_async(
            mtbf=unit,
            checkpoint_cost=cost * unit,
            latency=latency * unit,
            slowdown=slowdown,
            in_flight="skip",
        )

    assert found(2.0**power) == pytest.approx(2.0**power * found(1.0), rel=1e-13)
    assert found(1.0) <= max(1.0, (1.0 - slowdown) * latency)


@pytest.mark.parametrize("rule", RULES)
def test_each_element_is_answered_as_it_is_alone(rule):
    latency = np.array([0.0, 0.5, 300.0, 0.5, 4.0, 2.0])
    mtbf = np.array([1.0, np.inf, 1.0, 1.0, 1.0, 0.01])
    found = optimal_interval_async(mtbf=mtbf, checkpoint_cost=0.01, latency=latency, in_flight=rule)
    alone = [
        float(optimal_interval_async(mtbf=m, checkpoint_cost=0.01, latency=l_, in_flight=rule))
        for m, l_ in zip(mtbf, latency, strict=True)
    ]
    assert found.tolist() == alone
    assert (alone[3] < 0.3) == (rule == "skip")  # so that the rule matters after the first


@pytest.mark.parametrize("rule", RULES)
def test_ends_of_the_range(rule):
    assert optimal_interval_async(
        mtbf=np.inf, checkpoint_cost=1.0, latency=1.0, in_flight=rule
    ) == pytest.approx(np.inf)
    assert optimal_interval_async(mtbf=1.0, checkpoint_cost=0.0, latency=0.0, in_flight=rule) == 0.0
    free = optimal_interval_async(mtbf=10.0, checkpoint_cost=0.0, latency=1.0, in_flight=rule)
    assert 0.0 < free <= 1.0
