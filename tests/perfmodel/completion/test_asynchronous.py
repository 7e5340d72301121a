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


@pytest.mark.few(3)
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


# Of 4,000,000 simulated jobs by code that is not of this project: quantiles and standard errors.
SKIPPED = {
    "interval": 1.0,
    "mtbf": 10.0,
    "checkpoint_cost": 0.1,
    "recovery_cost": 0.4,
    "downtime": 0.5,
    "in_flight": "skip",
}
SIMULATED = {0.5: (70.22388, 0.00989), 0.9: (90.65066, 0.01587), 0.99: (110.836, 0.03777)}


def test_percentiles_of_skipped_snapshots_are_those_of_a_simulation():
    # The chance that one of three is beyond 4 standard errors is 2e-4; no seed is drawn here.
    law = exact_makespan_async(40.0, latency=2.5, **SKIPPED)
    for q, (simulated, error) in SIMULATED.items():
        assert abs(float(law.ppf(q)) - simulated) < 4.0 * error


@pytest.mark.few(3)
@pytest.mark.parametrize("latency", [1.7, 6.0, 40.0])
@pytest.mark.parametrize("work", [1.5, 23.4])
@pytest.mark.parametrize("slowdown", [0.0, 0.3])
def test_the_areas_under_a_law_of_skipped_snapshots_are_the_moments(latency, work, slowdown):
    job = {**SKIPPED, "latency": latency, "slowdown": slowdown, "downtime": Exponential(3.0)}
    law = exact_makespan_async(work, **job)
    t = np.linspace(law.atom[0], law.atom[0] + 60.0 * law.std, 60_001)
    sf = law.sf(t)
    lost = np.trapezoid(sf, t)
    square = np.trapezoid(2.0 * (t - t[0]) * sf, t)
    assert t[0] + lost == pytest.approx(float(expected_makespan_async(work, **job)), rel=1e-4)
    variance = float(makespan_variance_async(work, **job))
    assert square - lost**2 == pytest.approx(variance, rel=1e-3)


@pytest.mark.parametrize("slowdown", [0.0, 0.4])
@pytest.mark.parametrize("work", [8.6, 9.0])
def test_one_failure_of_a_job_that_skips_step_by_step(slowdown, work):
    # After one downtime that outlasts all else the job has failed once, at a step that is known.
    w, mtbf, cost, latency, recovery, downtime = 1.0, 10.0, 0.1, 2.5, 0.4, 1e4
    spans = [w] * 8 + [work - 8.0]

    def step(j):
        done, until = spans[j], j + 1
        while until < 9 and done < (1.0 - slowdown) * latency:
            done, until = done + spans[until], until + 1
        return max(done + slowdown * min(latency, done / (1.0 - slowdown)), latency) + cost, until

    def to_end(j):
        total = 0.0
        while j < 9:
            span, j = step(j)
            total += span
        return total

    start, failures, j = spans[0] + cost + latency, [], 1
    failures.append((start, recovery + start + to_end(1)))
    while j < 9:
        span, until = step(j)
        failures.append((span, recovery + spans[j] + cost + latency + to_end(j + 1)))
        start, j = start + span, until
    kept, once, before = np.exp(-start / mtbf), 0.0, 0.0
    for span, after in failures:
        once += np.exp(-before / mtbf) * -np.expm1(-span / mtbf) * np.exp(-after / mtbf)
        before += span
    law = exact_makespan_async(
        work,
        interval=w,
        mtbf=mtbf,
        checkpoint_cost=cost,
        latency=latency,
        recovery_cost=recovery,
        downtime=downtime,
        slowdown=slowdown,
        in_flight="skip",
    )
    assert law.atom == pytest.approx((start, kept), rel=1e-12)
    assert float(law.cdf(downtime - 1.0)) == pytest.approx(kept, rel=1e-12)
    assert float(law.cdf(1.9 * downtime)) - kept == pytest.approx(once, rel=1e-9)


def test_a_job_too_short_to_skip_waits_for_its_buffer():
    # Of two segments the second is the end of the work, where the job waits under both rules.
    skips, waits = (
        exact_makespan_async(3.5, **JOB, latency=5.0, in_flight=rule)
        for rule in ("skip", "single_buffer")
    )
    assert skips.atom == pytest.approx(waits.atom, rel=1e-14)
    times = skips.atom[0] + np.linspace(0.0, 60.0, 400)
    np.testing.assert_allclose(skips.cdf(times), waits.cdf(times), rtol=0.0, atol=1e-10)


def test_of_a_drain_as_long_as_its_segment_nothing_is_skipped():
    shorter, longer = (
        exact_makespan_async(20.0, **{**SKIPPED, "latency": latency})
        for latency in (1.0 - 1e-9, 1.0 + 1e-9)
    )
    assert shorter.atom[0] == pytest.approx(20.0 + 2.0 + 1.0, rel=1e-8)
    assert longer.atom[0] == pytest.approx(20.0 + 1.1 + 1.0, rel=1e-8)  # every second one


@pytest.mark.parametrize(
    ("work", "latency", "words"),
    [
        (10_000.5, 2.5, "work must be at most 10000 intervals for a law {}, got 10001; {}"),
        (400.0, 251.0, "latency must be at most 250 intervals for a law {}, got 251; {}"),
    ],
)
def test_a_chain_of_skipped_snapshots_that_takes_minutes_is_refused(work, latency, words):
    with pytest.raises(ValueError, match="must be at most") as refusal:
        exact_makespan_async(work, **SKIPPED, latency=latency)
    assert str(refusal.value) == words.format(
        "where snapshots are skipped",
        "expected_makespan_async and makespan_variance_async take more",
    )
    assert exact_makespan_async(200.0, **SKIPPED, latency=251.0).mean > 200.0


def test_likely_failures_leave_digits_to_a_job_that_skips():
    # Sums of paths beyond the largest float: 100 failures in each snapshot from a cold start.
    job = {**SKIPPED, "mtbf": 0.8, "latency": 2.5}
    law = exact_makespan_async(300.0, **job)
    assert law.atom[1] == pytest.approx(0.0, abs=1e-100)
    found = np.asarray(law.cdf(law.mean + law.std * np.linspace(-3.0, 3.0, 7)))
    # The sum of many times is nearly normal.
    normal = [0.00135, 0.02275, 0.15866, 0.5, 0.84134, 0.97725, 0.99865]
    np.testing.assert_allclose(found, normal, atol=0.02)


def test_hopeless_and_certain_jobs():
    assert exact_makespan_async(1e4, **{**JOB, "mtbf": 1e-3}, latency=1.0).mean == np.inf
    certain = exact_makespan_async(9.0, **{**JOB, "mtbf": np.inf}, latency=1.0)
    assert certain.mean == pytest.approx(9.0 + 4 * 0.05 + 1.0, rel=1e-15)
    assert certain.variance == 0.0


def test_with_a_recovery_that_no_float_bears_it_ends_without_a_failure_or_never():
    job = {"interval": 2.0, "mtbf": 5.0, "checkpoint_cost": 0.5, "recovery_cost": 1e292}
    law = exact_makespan_async(10.0, **job, latency=0.2)
    unhindered = 5 * (2.0 + 0.5) + 0.2
    assert law.atom == pytest.approx((unhindered, np.exp(-unhindered / 5.0)), rel=1e-14)
    assert law.cdf(1e280) == law.atom[1]
    assert law.mean == np.inf


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
