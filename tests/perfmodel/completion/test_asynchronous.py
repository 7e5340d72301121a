import numpy as np
import pytest

from perfmodel import (
    exact_makespan,
    exact_makespan_async,
    expected_makespan_async,
    makespan_variance_async,
)
from perfmodel.lifetimes import Exponential

JOB = {
    "interval": 2.25,
    "mtbf": 10.0,
    "checkpoint_cost": 0.05,
    "recovery_cost": 0.4,
    "downtime": 0.5,
}

# Computed apart from this code, to 12 digits: work, job, latency, atom, quantiles 50, 90, 99 %.
VECTORS = {
    "A1": (
        67.5,
        (2.25, 10.0, 0.05, 1.5, 0.4, 0.5),
        (70.5, 0.0008674089573070024),
        (99.2234096784, 116.516511725, 133.132156141),
    ),
    "A2": (
        20.0,
        (1.0, 5.0, 0.02, 0.9, 0.3, 0.1),
        (21.3, 0.01412230241016396),
        (29.8878565644, 36.8431716463, 43.7706860492),
    ),
    "A3": (
        36.0,
        (3.0, 20.0, 0.3, 3.2, 1.0, 1.0),
        (42.8, 0.1176548430217792),
        (57.4832203211, 76.4519748078, 96.1000589324),
    ),
    "O1": (
        40.0,
        (1.0, 10.0, 0.1, 2.0, 0.4, 0.5),
        (81.1, 0.0003005188732),
        (108.479683153, 123.478734485, 137.68114734),
    ),
}
NAMES = ("interval", "mtbf", "checkpoint_cost", "latency", "recovery_cost", "downtime")


@pytest.mark.parametrize("name", VECTORS)
def test_vectors(name):
    work, numbers, atom, quantiles = VECTORS[name]
    law = exact_makespan_async(work, **dict(zip(NAMES, numbers, strict=True)))
    assert law.atom == pytest.approx(atom, rel=1e-9)
    np.testing.assert_allclose(law.ppf([0.5, 0.9, 0.99]), quantiles, rtol=1e-11)


@pytest.mark.parametrize("rule", ["overlap", "single_buffer"])
@pytest.mark.parametrize("latency", [0.7, 6.0])
@pytest.mark.parametrize("work", [1.0, 10.0])
@pytest.mark.parametrize("downtime", [0.5, Exponential(3.0)])
def test_the_areas_under_the_law_are_the_moments(rule, latency, work, downtime):
    job = {**JOB, "downtime": downtime, "latency": latency, "slowdown": 0.2, "in_flight": rule}
    law = exact_makespan_async(work, **job)
    mean, variance = (
        float(function(work, **job))
        for function in (expected_makespan_async, makespan_variance_async)
    )
    assert (law.mean, law.variance) == pytest.approx((mean, variance), rel=1e-12)
    t = np.linspace(law.atom[0], law.atom[0] + 60.0 * law.std, 60_001)
    sf = law.sf(t)
    lost = np.trapezoid(sf, t)
    square = np.trapezoid(2.0 * (t - t[0]) * sf, t)
    # The jump of the sf where the downtime is fixed costs up to a step of the grid.
    assert t[0] + lost == pytest.approx(mean, rel=1e-4)
    assert square - lost**2 == pytest.approx(variance, rel=1e-3)


def test_without_latency_it_is_the_synchronous_law():
    times = np.linspace(70.0, 120.0, 50)
    found = exact_makespan_async(67.5, **JOB, latency=0.0).cdf(times)
    assert found.tolist() == exact_makespan(67.5, **JOB).cdf(times).tolist()


def test_a_tiny_latency_changes_the_law_little():
    times = np.linspace(70.0, 120.0, 50)
    found = exact_makespan_async(67.5, **JOB, latency=1e-9).cdf(times)
    np.testing.assert_allclose(found, exact_makespan(67.5, **JOB).cdf(times), atol=1e-8)


def test_a_law_of_skipped_snapshots_is_refused_and_the_remedy_named():
    with pytest.raises(ValueError, match="expected_makespan_async and makespan_variance_async"):
        exact_makespan_async(67.5, **JOB, latency=5.0, in_flight="skip")
    assert exact_makespan_async(67.5, **JOB, latency=2.0, in_flight="skip").mean > 67.5


def test_hopeless_and_certain_jobs():
    assert exact_makespan_async(1e4, **{**JOB, "mtbf": 1e-3}, latency=1.0).mean == np.inf
    certain = exact_makespan_async(9.0, **{**JOB, "mtbf": np.inf}, latency=1.0)
    assert certain.mean == pytest.approx(9.0 + 4 * 0.05 + 1.0, rel=1e-15)
    assert certain.variance == 0.0


def test_one_job_a_call():
    with pytest.raises(ValueError, match="arguments must be single numbers"):
        exact_makespan_async(67.5, **JOB, latency=[1.0, 2.0])


def test_times_whose_squares_overflow():
    job = {"interval": np.inf, "mtbf": 1e205, "checkpoint_cost": 0.0}
    found = exact_makespan_async(1e205, latency=1.0, **job)
    assert found.std == pytest.approx(exact_makespan(1e205, **job).std, rel=1e-12)


def test_work_that_is_nothing_beside_its_drain():
    found = exact_makespan_async(
        1e-300, interval=1e-301, mtbf=1e10, checkpoint_cost=0.0, latency=1e9
    )
    # Ten drains one after the other: the last nine are warm, each a latency after the one before.
    assert found.atom[0] == pytest.approx(1e10)
    assert found.mean == pytest.approx(1e10 * 10.0 * np.expm1(0.1), rel=1e-12)
