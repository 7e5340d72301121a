import numpy as np
import pytest

from perfmodel import (
    Bathtub,
    Deterministic,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Weibull,
    exact_makespan_ageing,
    expected_makespan,
    expected_makespan_ageing,
    makespan_variance,
    makespan_variance_ageing,
)

BATHTUB = Bathtub(0.45, 1.0, 0.8, 24.0)
# Work, segments, checkpoint, recovery, downtime; mean, variance: equations solved with 30 digits.
KNOWN = [
    (Weibull(0.5, 12.0), (96, 24, 0.5, 0.75, 0.25), 124.4523765243, 129.771811518),
    (Weibull(1.0, 10.0), (60, 24, 0.25, 0.5, 0.5), 83.8554065004, 60.258053310),
    (LogNormal.from_mean(24.0, cv=1.0), (96, 24, 0.5, 0.5, 0.25), 123.3271111798, 58.606082883),
    (BATHTUB, (60, 30, 0.25, 0.25, 0.25), 74.1215792854, 8.315257699),
]
CDFS = [
    (KNOWN[0], [(108, 0.04978707), (116, 0.25799767), (140, 0.90028040), (157.5, 0.99030102)]),
    (KNOWN[2], [(108, 0.01311268), (118, 0.25838742), (133.5, 0.90029612), (143.5, 0.98969450)]),
    (KNOWN[3], [(67.5, 0.0), (72, 0.25661930), (73.5, 0.47504688), (83, 0.99125836)]),
]


def terms(uptime, numbers):
    work, segments, cost, recovery, down = numbers
    costs = {"checkpoint_cost": cost, "recovery_cost": recovery, "downtime": down}
    return {"work": work, "interval": work / segments, "uptime": uptime, **costs}


@pytest.mark.parametrize(("uptime", "numbers", "mean", "variance"), KNOWN)
def test_moments_are_those_of_other_methods(uptime, numbers, mean, variance):
    job = terms(uptime, numbers)
    assert expected_makespan_ageing(**job) == pytest.approx(mean, rel=2e-12)
    assert makespan_variance_ageing(**job) == pytest.approx(variance, rel=2e-11)


@pytest.mark.parametrize(("known", "values"), CDFS)
def test_the_law_is_that_of_another_lattice(known, values):
    law = exact_makespan_ageing(**terms(*known[:2]))
    times, probabilities = np.array(values).T
    np.testing.assert_allclose(law.cdf(times), probabilities, atol=3e-7)
    levels = np.arange(1, 100) / 100
    found = law.cdf(law.ppf(levels))
    np.testing.assert_allclose(found, np.maximum(levels, law.atom[1]), rtol=1e-12)
    assert law.error < 1e-2
    assert law.isf(0.0) >= law.ppf(1.0 - 1e-9)


@pytest.mark.parametrize("mtbf", [0.7, 10.0, 1e9])
@pytest.mark.parametrize("interval", [0.1, 2.5, 20.0])
@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("family", [Exponential, lambda mean: Weibull(1.0, mean)])
def test_without_memory_it_is_the_exponential_formula_to_rounding(mtbf, interval, final, family):
    job = {"interval": interval, "checkpoint_cost": 0.3, "recovery_cost": 0.4, "downtime": 0.5}
    job["final_checkpoint"] = final
    known = (expected_makespan(8.2, mtbf=mtbf, **job), makespan_variance(8.2, mtbf=mtbf, **job))
    uptime = family(mtbf)
    assert expected_makespan_ageing(8.2, uptime=uptime, **job) == pytest.approx(known[0], rel=5e-14)
    assert makespan_variance_ageing(8.2, uptime=uptime, **job) == pytest.approx(known[1], rel=2e-13)


@pytest.mark.parametrize("down", [Gamma(2.0, 0.25), LogNormal.from_mean(3.0, cv=2.0)], ids=repr)
@pytest.mark.parametrize("recovery", [0.0, 0.4])
@pytest.mark.parametrize("work", [1.0, 8.2])
def test_without_memory_random_downtimes_enter_as_in_the_exponential_formula(work, recovery, down):
    job = {"interval": 2.0, "checkpoint_cost": 0.3, "recovery_cost": recovery, "downtime": down}
    mean, variance = (
        function(work, uptime=Exponential(10.0), **job)
        for function in (expected_makespan_ageing, makespan_variance_ageing)
    )
    assert mean == pytest.approx(float(expected_makespan(work, mtbf=10.0, **job)), rel=5e-14)
    assert variance == pytest.approx(float(makespan_variance(work, mtbf=10.0, **job)), rel=5e-13)


@pytest.mark.parametrize("uptime", [Gamma(0.4, 9.0), BATHTUB, Empirical([0.5, 3.0, 7.1, 20.0])])
def test_the_law_has_the_moments(uptime):
    job = terms(uptime, (10, 4, 0.2, 0.3, 0.4))
    law = exact_makespan_ageing(**job)
    t = np.linspace(law.atom[0], law.seams[-1], 200_001)
    step = t[1] - t[0]
    sf = law.sf(t)
    first = law.atom[0] + step * (sf.sum() - 0.5 * (sf[0] + sf[-1]))
    second = law.atom[0] ** 2 + 2.0 * step * (np.sum(t * sf) - 0.5 * (t[0] * sf[0]))
    assert first == pytest.approx(expected_makespan_ageing(**job), rel=1e-5)
    assert second - first**2 == pytest.approx(makespan_variance_ageing(**job), rel=1e-3)


def test_a_failure_at_the_end_of_a_checkpoint_strikes_first():
    # Failures at 2 strike when the first segment ends: it never ends.
    job = {"interval": 1.5, "checkpoint_cost": 0.5}
    assert expected_makespan_ageing(3.0, uptime=Deterministic(2.0), **job) == np.inf
    assert makespan_variance_ageing(3.0, uptime=Deterministic(2.0), **job) == np.inf
    assert exact_makespan_ageing(3.0, uptime=Deterministic(2.0), **job).sf(1e9) == 1.0
    # With 2.1 one segment is saved each time, and 0.1 lost.
    assert expected_makespan_ageing(3.0, uptime=Deterministic(2.1), **job) == pytest.approx(4.1)
    assert makespan_variance_ageing(3.0, uptime=Deterministic(2.1), **job) == pytest.approx(0.0)
    law = exact_makespan_ageing(3.0, uptime=Deterministic(9.0), **job)
    assert (law.mean, law.variance, law.cdf(4.0)) == (4.0, 0.0, 1.0)


def test_a_job_that_may_never_end_ends_as_likely_as_nothing_fails():
    uptime = Empirical([1.0, 50.0, 60.0, 70.0])
    job = {"uptime": uptime, "interval": 4.0, "checkpoint_cost": 0.0, "recovery_cost": 80.0}
    law = exact_makespan_ageing(4.0, **job)
    assert law.cdf([3.9, 4.0, 1e9]) == pytest.approx([0.0, 0.75, 0.75], rel=1e-15)
    assert law.mean == np.inf


def test_work_far_from_all_other_times_is_named_with_them():
    job = {"uptime": Exponential(1e-60), "checkpoint_cost": 0.0}
    with pytest.raises(ValueError, match=r"^work, interval, uptime, .* within a factor of 1e\+100"):
        expected_makespan_ageing(1e60, interval=1e-59, **job)
    with pytest.raises(ValueError, match=r"^work, interval, uptime, .* within a factor of 1e\+100"):
        expected_makespan_ageing(1e60, interval=1e59, **job)


def test_a_recovery_that_no_uptime_survives_is_endless_unless_nothing_fails():
    uptime = Empirical([1.0, 50.0])
    job = {"interval": 2.0, "checkpoint_cost": 0.0, "uptime": uptime}
    assert expected_makespan_ageing(4.0, recovery_cost=60.0, **job) == np.inf
    # Half of the jobs are done at once; the others fail after 1, and read for 10 from then on.
    assert expected_makespan_ageing(4.0, recovery_cost=10.0, **job) == pytest.approx(4 + 6.5 - 0.5)


def test_arguments_broadcast_and_laws_of_downtimes_count():
    down = Gamma(2.0, 0.2)
    job = {"uptime": Weibull(0.7, 9.0), "checkpoint_cost": 0.2, "recovery_cost": 0.3}
    found = expected_makespan_ageing([[5.0], [9.0]], interval=[1.0, 2.0, 5.0], downtime=0.4, **job)
    assert found.shape == (2, 3)
    assert found[1, 2] == expected_makespan_ageing(9.0, interval=5.0, downtime=down, **job)
    random = makespan_variance_ageing(9.0, interval=5.0, downtime=down, **job)
    assert random > makespan_variance_ageing(9.0, interval=5.0, downtime=0.4, **job)
    law = exact_makespan_ageing(9.0, interval=5.0, downtime=down, **job)
    assert (law.mean, law.variance) == pytest.approx((found[1, 2], random))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"uptime": 24.0}, TypeError, r"uptime must be a law such as .*Exponential\(mtbf\)"),
        ({"interval": 1e-4}, ValueError, "work/interval must be at most 20000 segments"),
        ({"work": -1.0}, ValueError, r"work must be finite and > 0, got -1\.0"),
    ],
)
def test_refuses_what_has_no_answer(change, error, message):
    job = {"work": 9.0, "interval": 2.0, "uptime": Exponential(4.0), "checkpoint_cost": 0.1}
    with pytest.raises(error, match=message):
        expected_makespan_ageing(**(job | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"interval": 5e-3}, "work/interval must be at most 1000 segments for a law, got 1800"),
        ({"downtime": LogNormal(0.0, 40.0)}, "downtime must have a finite variance for a law"),
        ({"work": [1.0, 2.0]}, "work must be a single number"),
    ],
)
def test_refuses_laws_that_it_cannot_compute(change, message):
    job = {"work": 9.0, "interval": 2.0, "uptime": Exponential(4.0), "checkpoint_cost": 0.1}
    with pytest.raises(ValueError, match=message):
        exact_makespan_ageing(**(job | change))
