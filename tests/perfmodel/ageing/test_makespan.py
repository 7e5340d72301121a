import math

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


@pytest.mark.few(2)
@pytest.mark.parametrize(("known", "values"), CDFS)
def test_the_law_is_that_of_another_lattice(known, values):
    law = exact_makespan_ageing(**terms(*known[:2]))
    times, probabilities = np.array(values).T
    np.testing.assert_allclose(law.cdf(times), probabilities, atol=6e-8)
    levels = np.arange(1, 100) / 100
    found = law.cdf(law.ppf(levels))
    np.testing.assert_allclose(found, np.maximum(levels, law.atom[1]), rtol=1e-12)
    assert law.error < 1e-6
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


@pytest.mark.few(2)
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


def after_one_failure(t, *, work, interval, uptime, checkpoint_cost, recovery_cost, downtime):
    """Return the cdf before a second failure can be repaired, by a plain sum."""
    count = math.ceil(work / interval)
    period = interval + checkpoint_cost
    last = work - (count - 1) * interval + checkpoint_cost
    found = float(uptime.sf((count - 1) * period + last))
    downs = downtime.samples if isinstance(downtime, Empirical) else [downtime]
    for down in downs:
        lost = t - work - count * checkpoint_cost - down - recovery_cost
        for saved in range(count) if lost >= 0.0 else ():
            end = min(lost, last if saved == count - 1 else period)
            struck = uptime.cdf(saved * period + end) - (saved > 0) * uptime.cdf(saved * period)
            whole = recovery_cost + (count - 1 - saved) * period + last
            found += float(struck * uptime.sf(whole)) / len(downs)
    return found


STEEP = {
    "gamma": (34.92, 5.655, Gamma(0.1111, 3510.0), 0.2669, 0.02256, 31.392),
    "weibull": (787.3, 71.65, Weibull(0.3705, 115.7), 9.178, 2.84, 0.59045),
    "recorded downtimes": (9.0, 2.0, Weibull(0.4, 3.0), 0.1, 0.2, Empirical([0.5, 0.7, 0.7, 0.9])),
    "recorded uptimes": (
        104.328,
        7.452,
        Empirical([84.605, 109.823, 115.01, 99.342, 91.22]),
        4.5435,
        0.1233,
        0.3022,
    ),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", STEEP)
def test_the_law_is_right_where_one_failure_makes_it_steep(name):
    names = ("work", "interval", "uptime", "checkpoint_cost", "recovery_cost", "downtime")
    job = dict(zip(names, STEEP[name], strict=True))
    law = exact_makespan_ageing(**job)
    downs = getattr(job["downtime"], "samples", np.array([job["downtime"]]))
    begin = law.atom[0] + job["recovery_cost"] + downs
    late = law.atom[0] * np.array([0.0, 1e-13, 1e-9, 1e-4, 0.01])
    times = np.append((begin[:, None] + late).ravel(), begin - 1e-9)
    times = times[times < begin[0] + downs[0]]
    for t in times:
        known = [after_one_failure(t * (1.0 + nudge), **job) for nudge in (-1e-15, 1e-15)]
        assert known[0] - law.error <= law.cdf(t) <= known[1] + law.error
    assert law.error <= (1e-4 if name == "gamma" else 1e-6)


@pytest.mark.few(2)
def test_more_failures_than_have_sums_of_their_own_are_within_the_error():
    """Five uptimes of forty lost, and their downtimes, by all sums of two and of three."""
    short = np.random.default_rng(5).weibull(0.6, 40)
    short *= 0.99 / short.max()
    job = {"interval": 1.0, "checkpoint_cost": 0.0, "recovery_cost": 0.25, "downtime": 9.0}
    law = exact_makespan_ageing(1.0, uptime=Empirical([*short, *[5.0] * 60]), **job)
    two, three = (np.add.outer(short, short).ravel(), np.add.outer(short, short)[..., None])
    three = np.sort((three + short).ravel())
    before = 0.6 * (1.0 - 0.4**5) / (1.0 - 0.4)
    sums = short[:12].sum() / 12 * np.array([0.0, 1e-3, 0.1, 0.5, 1.0, 2.0, 5.0, 9.0])
    for lost in (*sums, 5.0 * short[:8].min(), *(short[:5] + two[:5] + three[::9000][:5])):
        known = [
            before + 0.6 * 0.4**5 * np.searchsorted(three, lost - two + nudge).mean() / three.size
            for nudge in (-1e-12, 1e-12)
        ]
        found = law.cdf(1.0 + 0.25 + 5 * 9.0 + lost)
        assert known[0] - law.error <= found <= known[1] + law.error
    assert law.error <= 1e-5


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("uptime", "down", "most"),
    [
        (Weibull(0.4286, 0.36), 0.287, 1e-6),  # a comb: downtimes are longer than segments
        (Gamma(1.929, 0.5184), Gamma.from_mean(0.0145, cv=1.4), 2e-6),
        (Empirical(Gamma(0.158, 6.35).ppf((np.arange(100) + 0.5) / 100)), 0.287, 1e-4),
    ],
    ids=["shape below a half", "random downtime", "recorded"],
)
def test_the_error_that_is_stated_is_small(uptime, down, most):
    job = {"interval": 0.0145, "checkpoint_cost": 6.5e-4, "recovery_cost": 6.5e-3}
    law = exact_makespan_ageing(0.3, uptime=uptime, downtime=down, **job)
    assert law.error <= most


def test_failures_that_are_known_are_known_beyond_22_deviations():
    job = {"interval": 1.0, "checkpoint_cost": 0.3, "recovery_cost": 0.05, "downtime": 0.02}
    law = exact_makespan_ageing(1.0, uptime=Empirical([1.28] + 63 * [20.0]), **job)
    times = law.start + 0.05 + 1.3 * np.arange(5.0)
    np.testing.assert_allclose(law.sf(times + 1e-3), 64.0 ** -np.arange(1.0, 6.0), atol=2e-10)
    assert law.error == 1e-9


def test_atoms_of_recorded_uptimes_and_downtimes_are_told_apart():
    # Half of the uptimes are 1, of which all is lost, and half of the downtimes 1.
    job = {"interval": 4.0, "checkpoint_cost": 0.0, "uptime": Empirical([1.0, 9.0])}
    law = exact_makespan_ageing(4.0, **job, downtime=Empirical([1.0, 3.0]))
    assert law.atom == (4.0, 0.5)
    known = {5.9: 0.5, 6.0: 0.625, 7.9: 0.625, 8.0: 0.78125, 9.9: 0.78125, 10.0: 0.8515625}
    np.testing.assert_allclose(law.cdf(list(known)), list(known.values()), atol=1e-9)
    assert law.ppf([0.4, 0.5, 0.6, 0.7, 0.8]).tolist() == pytest.approx([4, 4, 6, 8, 10])


@pytest.mark.parametrize("down", [0.3, Gamma(2.0, 0.2)], ids=repr)
def test_many_records_of_a_law_give_the_law(down):
    job = {"interval": 2.0, "checkpoint_cost": 0.1, "recovery_cost": 0.2, "downtime": down}
    law = Weibull(0.8, 5.0)
    records = Empirical(law.ppf((np.arange(400) + 0.5) / 400))
    smooth, recorded = (exact_makespan_ageing(6.0, uptime=x, **job) for x in (law, records))
    t = np.linspace(6.2, 20.0, 400)
    assert np.max(np.abs(smooth.cdf(t) - recorded.cdf(t))) < 5e-3


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


@pytest.mark.parametrize("cv", [1e-6, 1e-4, 5e-4, 1e-3, 3e-3])
@pytest.mark.parametrize("family", [Gamma, LogNormal, Weibull])
def test_uptimes_that_differ_little_end_within_a_part_of_a_cell(cv, family):
    uptime = {
        Gamma: lambda: Gamma.from_mean(mean=10.0, cv=cv),
        LogNormal: lambda: LogNormal(math.log(10.0), cv),
        Weibull: lambda: Weibull(1.28 / cv, 10.0),
    }[family]()
    period, down = 9.99, 0.3
    # An uptime saves one segment or none: two are longer than any.
    kept, early = float(uptime.sf(period)), float(uptime.partial_moment(period))
    saves = (uptime.mean - early) / kept + down
    fails = early + (1.0 - kept) * down
    found = expected_makespan_ageing(
        39.6, interval=9.9, uptime=uptime, checkpoint_cost=0.09, downtime=down
    )
    assert found == pytest.approx(3.0 * saves + period + 4.0 * fails / kept, rel=1e-11)
    # Of twenty segments six uptimes save three each, and two are left for the seventh.
    steady = expected_makespan_ageing(
        50.0, interval=2.5, uptime=uptime, checkpoint_cost=0.2, recovery_cost=0.1, downtime=0.5
    )
    assert steady == pytest.approx(6.0 * (uptime.mean + 0.5) + 0.1 + 2.0 * 2.7, rel=1e-11)
