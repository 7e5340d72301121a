"""Lawful arguments at the ends of what a float can hold: a right number, and no warning."""

import numpy as np
import pytest
from scipy import special

import perfmodel
from perfmodel import (
    Deterministic,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Machines,
    Weibull,
    best_segments,
    busy_period_transform,
    efficiency,
    evaluate_set,
    exact_makespan,
    expected_failure_slowdown,
    expected_failures,
    expected_head_delay,
    expected_makespan,
    expected_manual_wait,
    expected_rear_delay,
    expected_resubmission_delay,
    failure_probability,
    gamma_error,
    longest_promise,
    makespan_variance,
    mtbf_confidence,
    optimal_interval,
    optimal_interval_daly,
    optimal_interval_daly_first_order,
    optimal_interval_parallel,
    optimal_interval_wsj,
    optimal_interval_young,
    optimal_period_predicted,
    promised_probability,
    recovery_charge,
    regret,
    risk_based_interval,
    slowest_of,
    spares_needed,
    waste,
    waste_predicted,
    wsj_compound,
    wsj_makespan,
    wsj_mean,
    wsj_variance,
)

INF = np.inf
QUIET = pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")

CALLS = {
    "no time between requests, free": (
        lambda: risk_based_interval(1e-300, mtbf=1e8, checkpoint_cost=0.0),
        1e-300,
    ),
    "a chance that underflows": (
        lambda: risk_based_interval(1e-123, mtbf=1e201, checkpoint_cost=1.0),
        5e200,
    ),
    "a chance that is certain": (
        lambda: risk_based_interval(1.0, mtbf=1e-144, checkpoint_cost=1e164),
        1e164,
    ),
    "a slowdown by hardly a failure": (
        # One piece of 1e19 is struck: half of it is done again, and nothing else.
        lambda: expected_failure_slowdown(
            1000.0, interval=1e-16, mtbf=1e300, checkpoint_cost=1e3, downtime=1e-300
        ),
        5e-20,
    ),
    "a slowdown by many failures": (
        lambda: expected_failure_slowdown(
            1e300, interval=1e-16, mtbf=1e-3, checkpoint_cost=1e-300, downtime=1.0
        ),
        1000.0,
    ),
    "a slowdown beyond any number": (
        lambda: expected_failure_slowdown(
            1.0, interval=1e-234, mtbf=1.0, checkpoint_cost=7e74, downtime=0.0
        ),
        INF,
    ),
    "an attempt of no time": (
        lambda: expected_manual_wait(1e-66, walltime=1.0, mtbf=5.9e257),
        1.0,
    ),
    "an attempt of many mtbf": (
        lambda: expected_manual_wait(1e34, walltime=1e34, mtbf=1e-242),
        1e34,
    ),
    "a charge of a huge price": (lambda: recovery_charge(1e69, nodes=1e-100, price=1e261), 1e230),
    "a charge beyond any number": (lambda: recovery_charge(1e69, nodes=1.0, price=1e261), INF),
    "a promise of eternity": (lambda: promised_probability(1e279, nodes=1, node_mtbf=1e-30), 0.0),
    "the longest certain promise": (lambda: longest_promise(1.0, nodes=3, node_mtbf=1e308), 0.0),
    "a failure that is certain": (lambda: failure_probability(1e241, mtbf=1e-68), 1.0),
    "spares of all nodes": (lambda: spares_needed(10**10, 1.0, 1e299, 0.5), INF),
    "spares of two nodes always down": (
        lambda: spares_needed(2, 1e-300, 1e300, 0.9, law="binomial"),
        2.0,
    ),
    "spares for next to no confidence": (lambda: spares_needed(1, 1.0, 100.0, 1e-16), 30.0),
    "hardly any confidence": (lambda: mtbf_confidence(0, 1.0, confidence=1e-17).lower, 1e17),
    "Young, of hopeless checkpoints": (
        lambda: optimal_interval_young(mtbf=1e-17, checkpoint_cost=2e291),
        2e137,
    ),
    "Daly, of hopeless checkpoints": (
        lambda: optimal_interval_daly(mtbf=1e-95, checkpoint_cost=9.78e213),
        1e-95,
    ),
    "Daly, of tiny checkpoints": (
        lambda: optimal_interval_daly(mtbf=2e104, checkpoint_cost=1e-220),
        2e-58,
    ),
    "Daly to first order, of an endless recovery": (
        lambda: optimal_interval_daly_first_order(
            mtbf=1.0, checkpoint_cost=2e-308, recovery_cost=1e308
        ),
        2.0,
    ),
    "Wu, Sun and Jin, of hopeless checkpoints": (
        lambda: optimal_interval_wsj(mtbf=1e-43, checkpoint_cost=1e266),
        INF,
    ),
    "a waste by useless predictions": (
        lambda: waste_predicted(
            1.0, mtbf=1.0, checkpoint_cost=0.0, proactive_cost=1.0, recall=1.0, precision=1e-155
        ),
        0.5,
    ),
    "the period of useless predictions": (
        lambda: optimal_period_predicted(
            mtbf=2.0, checkpoint_cost=1.0, proactive_cost=1e167, recall=0.5, precision=1.0
        ),
        2.0,
    ),
    "a waste by endless recoveries": (
        lambda: waste(1e-127, interval=1.0, mtbf=7.7e196, checkpoint_cost=0.0, recovery_cost=1e205),
        1.0,
    ),
    "a waste of tiny segments": (
        lambda: waste(1e134, interval=1e-175, mtbf=1.0, checkpoint_cost=0.0),
        5e-176,
    ),
    "an efficiency of hopeless segments": (
        lambda: efficiency(1e308, interval=1e308, mtbf=1e-300, checkpoint_cost=0.1),
        0.0,
    ),
    "wsj, of all the work done twice": (
        lambda: wsj_mean(1.0, mtbf=1e253, downtime=1.0, interval=1e260),
        2.0,
    ),
    "wsj's variance, of no failure": (
        # One rework in 1e159, uniform on [0, 1e100]: its mean square over the mtbf.
        lambda: wsj_variance(3.0, mtbf=1e159, downtime=0.0, interval=1e100),
        1e41,
    ),
    "wsj's variance, of nothing but failures": (
        lambda: wsj_variance(1.0, mtbf=1e-162, downtime=1e-162, interval=1.0),
        INF,
    ),
    "regret of a free checkpoint": (
        lambda: regret(1.0, mtbf=1e223, checkpoint_cost=0.0, work=1e-101),
        0.0,
    ),
    "regret of hopeless work": (
        lambda: regret(1.0, mtbf=1e-235, checkpoint_cost=1.0, work=1e73),
        INF,
    ),
    "regret of tiny intervals": (lambda: regret(1e-200, mtbf=1e150, checkpoint_cost=1e10), 1e210),
    "the head of a queue of many places": (
        lambda: expected_head_delay(1.0, places=10**10, load=0.5, downtime=1.0),
        0.0,
    ),
    "resubmission to many places": (
        lambda: expected_resubmission_delay(2.0, service_time=1.0, places=1e300, load=0.9),
        2.0,
    ),
    "the rear of an endless queue": (
        lambda: expected_rear_delay(1e200, load=0.5, downtime=0.0, scv=1e200),
        INF,
    ),
}


@QUIET
@pytest.mark.parametrize("call", CALLS)
def test_is_answered_without_a_warning(call):
    ask, expected = CALLS[call]
    np.testing.assert_allclose(float(ask()), expected, rtol=1e-9)


ENDLESS = {
    "optimal_interval": (lambda mtbf: optimal_interval(mtbf=mtbf, checkpoint_cost=[0.0, 1.0]), INF),
    "best_segments": (lambda mtbf: best_segments(5.0, mtbf=mtbf, checkpoint_cost=[0.0, 1.0]), 1.0),
    "regret": (lambda mtbf: regret(5.0, mtbf=mtbf, checkpoint_cost=1.0), 0.2),
    "regret of a job": (lambda mtbf: regret(2.0, mtbf=mtbf, checkpoint_cost=1.0, work=5.0), 1 / 3),
    "young": (lambda mtbf: optimal_interval_young(mtbf=mtbf, checkpoint_cost=[0.0, 1.0]), INF),
    "daly": (lambda mtbf: optimal_interval_daly(mtbf=mtbf, checkpoint_cost=[0.0, 1.0]), INF),
    "daly to first order": (
        lambda mtbf: optimal_interval_daly_first_order(mtbf=mtbf, checkpoint_cost=[0.0, 1.0]),
        INF,
    ),
    "wsj": (lambda mtbf: optimal_interval_wsj(mtbf=mtbf, checkpoint_cost=[0.0, 1.0]), INF),
    "wsj_mean": (
        lambda mtbf: wsj_mean(
            5.0, mtbf=mtbf, downtime=2.0, interval=[1.0, INF], checkpoint_cost=[0.4, 7.0]
        ),
        [7.0, 5.0],
    ),
    "wsj_variance": (
        lambda mtbf: wsj_variance(5.0, mtbf=mtbf, downtime=Exponential(2.0), interval=[1.0, INF]),
        0.0,
    ),
    "failure_probability": (lambda mtbf: failure_probability(5.0, mtbf=mtbf), 0.0),
    "promised_probability": (
        lambda mtbf: promised_probability(5.0, nodes=3, node_mtbf=mtbf),
        1.0,
    ),
    "longest_promise": (lambda mtbf: longest_promise([0.1, 1.0], nodes=3, node_mtbf=mtbf), INF),
    "risk_based_interval": (
        lambda mtbf: risk_based_interval(5.0, mtbf=mtbf, checkpoint_cost=[0.0, 1.0]),
        [5.0, INF],
    ),
    "expected_manual_wait": (lambda mtbf: expected_manual_wait(2.0, walltime=3.0, mtbf=mtbf), 2.0),
    "spares_needed": (lambda mtbf: spares_needed(5, mtbf, 3.0, 0.999), 0.0),
    "spares_needed, binomial": (
        lambda mtbf: spares_needed(5, mtbf, 3.0, 0.999, law="binomial"),
        0.0,
    ),
    "waste_predicted": (
        lambda mtbf: waste_predicted(
            10.0, mtbf=mtbf, checkpoint_cost=1.0, proactive_cost=1.0, recall=0.5, precision=0.5
        ),
        0.1,
    ),
    "optimal_period_predicted": (
        lambda mtbf: optimal_period_predicted(
            mtbf=mtbf, checkpoint_cost=1.0, proactive_cost=1.0, recall=0.5, precision=0.5
        ),
        INF,
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_nothing_ever_fails(name):
    ask, expected = ENDLESS[name]
    found = np.asarray(ask(INF))
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), rtol=1e-12)


# A free checkpoint pays however rare failures are, and wsj's rework without checkpoints is an
# mtbf long: there the limit is another number than what holds without any failure.
LIMITS = sorted({*ENDLESS} - {"best_segments", "wsj_mean", "wsj_variance"})


@QUIET
@pytest.mark.parametrize("name", LIMITS)
def test_and_that_is_the_limit_of_rare_failures(name):
    ask, expected = ENDLESS[name]
    found = np.asarray(ask(1e30))
    expected = np.broadcast_to(expected, found.shape)
    finite = np.isfinite(expected)
    np.testing.assert_allclose(found[finite], expected[finite], rtol=1e-9, atol=1e-25)


def test_a_recovery_that_never_succeeds_leaves_a_job_undone_once_struck():
    law = exact_makespan(
        1.0, interval=1.0, mtbf=0.5, checkpoint_cost=0.0, recovery_cost=1e4, downtime=0.0
    )
    done = np.exp(-2.0)
    assert law.atom == (1.0, pytest.approx(done, rel=1e-15))
    np.testing.assert_allclose(law.sf([0.5, 1.0, 2.0, 1e9]), [1.0, *[1.0 - done] * 3], rtol=1e-15)
    np.testing.assert_array_equal(law.cdf([0.5, np.inf]), [0.0, 1.0])
    np.testing.assert_array_equal(law.ppf([0.1, 0.5]), [1.0, np.inf])
    assert law.mean == law.std == np.inf
    assert slowest_of(law, 2).cdf(5.0) == pytest.approx(done**2, rel=1e-14)


@pytest.mark.parametrize(
    "law",
    [
        lambda work: wsj_compound(work, mtbf=1.0, downtime=0.1, interval=1.0),
        lambda work: exact_makespan(
            work, interval=1.0, mtbf=1.0, checkpoint_cost=0.1, downtime=0.1
        ),
    ],
)
def test_a_law_without_digits_is_refused(law):
    found = law(1e14)
    np.testing.assert_allclose(
        found.cdf(found.mean + found.std * np.array([-1.0, 0.0, 1.0])),
        special.ndtr([-1.0, 0.0, 1.0]),
        atol=1e-6,
    )
    with pytest.raises(ValueError, match=r"work must be shorter than some 1e15 mtbf .* got"):
        law(4e15)


@QUIET
def test_a_gamma_law_of_hopelessly_many_failures_has_the_variance_of_its_model():
    task = {"work": 1e15, "mtbf": 0.1, "downtime": 0.0, "interval": 1.0}
    assert wsj_makespan(**task).variance == pytest.approx(float(wsj_variance(**task)), rel=1e-12)


@QUIET
def test_the_first_order_rule_keeps_its_digits_where_it_nears_zero():
    found = optimal_interval_daly_first_order(
        mtbf=4.03e11, checkpoint_cost=8.06e11, recovery_cost=10.0
    )
    assert found == pytest.approx(10.0, rel=1e-10)


def test_the_slowest_of_jobs_that_take_more_than_the_root_of_the_largest_float():
    job = exact_makespan(1.0, interval=1.0, mtbf=2000.0, checkpoint_cost=7e5, downtime=0.0)
    law = slowest_of(job, 2)
    # Success is rare: each takes an exponential time.
    assert law.mean == pytest.approx(1.5 * job.mean, rel=1e-9)


def test_the_error_of_a_staircase_of_eight_steps():
    job = exact_makespan(
        0.03, interval=1.0, mtbf=329.0, checkpoint_cost=0.0235, downtime=Deterministic(1.43)
    )
    assert job.error <= 2e-9


def test_machines_that_never_do_any_work_are_refused():
    machines = Machines(speed=1e-250, mtbf=[1.0], mttr=0.0, interval=1e-74, checkpoint_cost=1.0)
    with pytest.raises(ValueError, match="machines must each do some work"):
        evaluate_set(1.0, machines)


def test_hardly_any_failure_of_a_repair_that_takes_no_time():
    law = wsj_compound(1e-7, mtbf=1e12, downtime=1e-294, interval=1e61)
    assert law.cdf(1e-7) == pytest.approx(1.0, abs=1e-12)


def test_segments_that_no_float_counts():
    job = {"work": 1e7, "interval": 3e-16, "checkpoint_cost": 1e-16, "mtbf": 1e6}
    assert exact_makespan(**job).mean == pytest.approx(float(expected_makespan(**job)), rel=1e-9)
    with pytest.raises(ValueError, match=r"interval must be at least work/4503599627370496 .* got"):
        exact_makespan(**{**job, "checkpoint_cost": 1e-10, "mtbf": 1e-5})


def test_a_variance_beyond_every_float_whose_mean_has_no_square():
    assert makespan_variance(1e-156, interval=1.0, mtbf=1e-162, checkpoint_cost=0.0) == np.inf


def test_a_task_of_more_failures_than_any_float_never_ends():
    assert wsj_makespan(1e120, mtbf=1e-189, downtime=0.0, interval=1.0).mean == np.inf


def test_a_recovery_that_no_unit_of_the_job_can_hold():
    law = exact_makespan(1e-20, interval=1.0, mtbf=1.0, checkpoint_cost=0.0, recovery_cost=1.9e288)
    assert law.sf(1.0) == pytest.approx(1e-20, rel=1e-12)


@pytest.mark.parametrize("mtbf", [0.00108, 0.00106, 0.00104, 0.00103])
@pytest.mark.parametrize("checkpoint_cost", [0.65, 0.68, 0.7])
def test_hopeless_segments_before_one_without_a_checkpoint(mtbf, checkpoint_cost):
    job = {"interval": 0.001, "mtbf": mtbf, "checkpoint_cost": checkpoint_cost}
    law = exact_makespan(1.0, **job, final_checkpoint=False)
    assert law.mean == pytest.approx(
        float(expected_makespan(1.0, **job, final_checkpoint=False)), rel=1e-12
    )
    # 999 segments take an exponential time each, and the last next to nothing.
    times = law.mean * np.array([0.9, 0.97, 1.0, 1.03, 1.1])
    np.testing.assert_allclose(
        law.cdf(times), special.gammainc(999, 999 * times / law.mean), rtol=0, atol=1e-9
    )


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("repair", [Weibull(0.0014, 1.0), LogNormal(0.0, 40.0)])
def test_repairs_without_a_mean_that_never_come(repair):
    job = {"interval": 1.0, "mtbf": INF, "checkpoint_cost": 0.1, "downtime": repair}
    busy = 3.3
    assert expected_makespan(3.0, **job) == pytest.approx(busy)
    assert makespan_variance(3.0, **job) == 0.0
    assert efficiency(3.0, **job) == pytest.approx(3.0 / busy)
    assert wsj_mean(3.0, **job) == pytest.approx(busy)
    assert wsj_variance(3.0, **job) == 0.0
    for law in (exact_makespan(3.0, **job), wsj_compound(3.0, **job)):
        assert law.mean == pytest.approx(busy)
        assert law.std == 0.0
        assert law.ppf(0.99) == pytest.approx(busy)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (1.0, 0.0),  # its wall time is more than a float can hold, and nothing beside it
        (0.0, 1.0),
        (1e-100, 0.5),
    ],
)
def test_the_slowdown_by_segments_that_no_float_counts(cost, expected):
    found = expected_failure_slowdown(
        1e245, interval=1e-100, mtbf=INF, checkpoint_cost=cost, downtime=1e245
    )
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("along", [1.0, 1j])
@pytest.mark.parametrize(
    ("s", "mtbf"), [(1e299, 1e16), (1e200, 1e115), (1e-300, 1e308), (1e-310, 1e308), (0.0, 1e308)]
)
@pytest.mark.parametrize("mean", [1e-300, 1e-200, 1e-5, 1.0])
def test_the_transform_of_busy_periods_at_any_frequency(s, mtbf, mean, along):
    # The load is below 1e-10: an exponential repair, as if nothing struck it.
    found = busy_period_transform(along * s, mtbf=mtbf, downtime=Exponential(mean))
    assert complex(found) == pytest.approx(1.0 / (1.0 + along * s * mean), rel=1e-12, abs=1e-300)
    for law in (Gamma(2.0, mean), Weibull(0.5, mean), LogNormal.from_mean(mean, cv=1.0)):
        assert abs(busy_period_transform(along * s, mtbf=mtbf, downtime=law)) <= 1.0 + 1e-12


@pytest.mark.parametrize(
    ("s", "error", "message"),
    [
        ("a", TypeError, "s must be a number or an array of numbers, got 'a'"),
        ([1.0, -2.0], ValueError, r"s must be finite with real part >= 0, got -2.0"),
        ([], ValueError, r"s must be non-empty, got shape \(0,\)"),
        (
            [2.0, 1e305],
            ValueError,
            r"s must be at most 1e300/mean = 2e\+299 in modulus, got 1e\+305",
        ),
    ],
)
def test_frequencies_are_refused_in_the_words_of_all_arguments(s, error, message):
    for refused in (
        lambda: busy_period_transform(s, mtbf=20.0, downtime=5.0),
        lambda: Deterministic(5.0).laplace(s),
    ):
        with pytest.raises(error, match=f"^{message}$"):
            refused()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("final_checkpoint", [True, False])
def test_moments_and_failures_at_any_size(seed, final_checkpoint):
    """Wald: the time that a job holds its nodes, in mtbfs, is its number of failures."""
    rng = np.random.default_rng([5, seed])
    size = 10.0 ** rng.uniform(-300.0, 306.0, 4000)

    def drawn():
        near = np.minimum(size, 1e305) * 10.0 ** rng.uniform(-5.0, 2.9, size.size)
        far = 10.0 ** rng.uniform(-307.0, 307.0, size.size)
        return np.where(rng.random(size.size) < 0.5, near, far)

    work, interval, mtbf, cost, recovery = (drawn() for _ in range(5))
    cost[rng.random(size.size) < 0.3] = 0.0
    recovery[rng.random(size.size) < 0.3] = 0.0
    job = {"interval": interval, "mtbf": mtbf, "checkpoint_cost": cost, "recovery_cost": recovery}
    job["final_checkpoint"] = final_checkpoint
    mean = expected_makespan(work, **job)
    variance = makespan_variance(work, **job)
    failures = expected_failures(work, **job)
    assert not np.any(np.isnan(mean) | np.isnan(variance) | np.isnan(failures))
    assert np.all((mean > 0.0) & (variance >= 0.0))
    with np.errstate(all="ignore"):
        known = mean / mtbf
    held = np.isfinite(known) & (known > 1e-300)
    assert np.count_nonzero(held) > 1000
    np.testing.assert_allclose(failures[held], known[held], rtol=1e-9)


def test_the_variance_of_a_job_whose_mean_has_no_square():
    """Almost surely many failures: exponential, so that deviation and mean are the same."""
    found = makespan_variance(7.15e-261, interval=1.0, mtbf=1.13e-263, checkpoint_cost=0.0)
    mean = expected_makespan(7.15e-261, interval=1.0, mtbf=1.13e-263, checkpoint_cost=0.0)
    assert found == pytest.approx(mean**2, rel=1e-12)


@pytest.mark.parametrize("mtbf", [1e212, 1e150, 1e12])
def test_rework_of_segments_that_no_float_holds_in_mtbfs(mtbf):
    law = wsj_compound(1.0, mtbf=mtbf, downtime=0.0, interval=1e-112)
    assert law.mean == 1.0
    assert law.sf(1.0 + 1e-9) == 0.0
    repaired = wsj_compound(1.0, mtbf=mtbf, downtime=Exponential(1.0), interval=1e-112)
    # The rarest of failures, and a repair that takes a time of its own.
    assert repaired.sf(2.0) == pytest.approx(np.exp(-1.0) / mtbf, rel=1e-6)


@pytest.mark.parametrize("pieces", [1, 3])
def test_work_that_no_float_holds_beside_its_checkpoints(pieces):
    work, cost = pieces * 1e-167, 1e157
    small = exact_makespan(work, interval=1e-167, mtbf=1e157, checkpoint_cost=cost)
    same = exact_makespan(float(pieces), interval=1.0, mtbf=1.0, checkpoint_cost=0.0)
    for found, known in ((small.mean, same.mean), (small.std, same.std)):
        assert found == pytest.approx(1e157 * known, rel=1e-9)
    assert small.ppf(0.9) == pytest.approx(1e157 * float(same.ppf(0.9)), rel=1e-9)


@pytest.mark.parametrize("work", [1e13, 1e19, 1e200])
def test_the_best_interval_of_a_task_of_endless_work(work):
    found = optimal_interval_parallel(8, work=work, mtbf=1.0, checkpoint_cost=0.5)
    assert found == pytest.approx(float(optimal_interval(mtbf=1.0, checkpoint_cost=0.5)), rel=1e-3)


def test_the_regret_of_free_checkpoints_without_failures():
    found = regret(1e-191, mtbf=np.inf, checkpoint_cost=0.0, work=1e118)
    assert found == 0.0


def test_a_law_of_recoveries_shorter_than_a_float():
    law = exact_makespan(1.0, interval=1.0, mtbf=1e141, checkpoint_cost=1e108, recovery_cost=1e-200)
    assert law.mean == pytest.approx(1e108, rel=1e-9)
    assert slowest_of(law, 1).mean == pytest.approx(1e108, rel=1e-9)


def test_percentiles_where_next_to_nothing_is_lost():
    law = exact_makespan(1e4, interval=3.22e-8, mtbf=0.5, checkpoint_cost=0.0)
    assert law.cdf(law.ppf(0.02)) == pytest.approx(0.02, rel=4e-6)
    # The time lost is below the last digit of the start.
    task = wsj_compound(10.0, mtbf=100.0, downtime=0.0, interval=1.0, checkpoint_cost=3e14)
    start = task.atom[0]
    assert start <= task.ppf(0.9999) <= start * (1.0 + 1e-15)


def test_downtimes_that_no_float_holds_beside_the_work():
    law = HyperExponential.from_mean(1e-127, cv=13.2)
    none = {"work": 1e234, "mtbf": 1e236, "interval": 1e233}
    found = wsj_compound(**none, downtime=law)
    known = wsj_compound(**none, downtime=0.0)
    t = 1e234 + 1e233 * np.array([0.1, 0.5, 0.9])
    np.testing.assert_allclose(found.cdf(t), known.cdf(t), rtol=1e-12)
    assert 0.0 <= gamma_error(**none, downtime=law) <= 1.0


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (
            "waste_of_pairs",
            {"interval": 1e-5, "pairs": 1, "node_mtbf": 3e157, "checkpoint_cost": 0.0},
            "interval, node_mtbf, checkpoint_cost, recovery_cost, downtime must be within a factor",
        ),
        (
            "mean_stop",
            {"blocks": 1, "standbys": 1, "block_mtbf": 1.0, "mttr": 1e-82, "switch_time": 1e226},
            "block_mtbf, mttr, switch_time must be within a factor",
        ),
        (
            "optimal_interval_ageing",
            {"uptime": Exponential(1e257), "checkpoint_cost": 1e245},
            "must be from 1e-150 to 1e\\+150, got 1e\\+257: take another unit",
        ),
        (
            "node_mtbf_without_worst",
            {
                **{"removed": 0, "nodes": 1, "observed": 1e20, "node_mtbf": 1.0},
                **{"lemon_share": 0.5, "lemon_factor": 2.0},
            },
            "observed/node_mtbf must leave at most 1e\\+07 failures of a node",
        ),
        (
            "hazard_intervals",
            {"uptime": Gamma(8.65, 0.0907), "checkpoint_cost": 5.3e-14},
            "checkpoint_cost must be from 1e-05 to 1e\\+05 mean uptimes",
        ),
        (
            "exact_makespan_ageing",
            {"work": 1.0, "interval": 1.0, "uptime": Exponential(0.01), "checkpoint_cost": 1.0},
            "work must be done within 10000 uptimes",
        ),
    ],
)
def test_what_floats_cannot_hold_is_refused_by_name(name, arguments, words):
    with pytest.raises(ValueError, match=words):
        getattr(perfmodel, name)(**arguments)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_what_is_far_but_has_a_value_is_answered():
    assert perfmodel.waste_of_pairs(
        1e-100, pairs=1, node_mtbf=1e-3, checkpoint_cost=0.0
    ) == pytest.approx(0.0, abs=1e-15)
    never_there = {"interval": 1e-269, "mtbf": 1e55, "checkpoint_cost": 0.0, "warm_up": 1e83}
    assert perfmodel.training_shares(**never_there).warm_up == 1.0
    assert (
        perfmodel.mean_stop(
            1, standbys=0, block_mtbf=0.1, mttr=0.0, switch_time=195.0, stopped_hazard=0.8
        )
        == np.inf
    )
    two = {"blocks": 1, "standbys": 0, "block_mtbf": 1.0, "automatic_time": 1.0}
    free = {"manual_time": 1.0, "escalated": 0.0, "checkpoint_cost": 0.0}
    assert 0.0 < perfmodel.two_stage_goodput(**two, **free) < 1.0
    far = perfmodel.Bathtub(share=1.0, early=1e-8, late=1e-13, turn=1e-11)
    assert far.sf(0.0) == 1.0


def test_levels_of_which_two_survive_everything_are_refused():
    levels = [perfmodel.Level(0.01, 0.0, 1.0), perfmodel.Level(0.2, 0.0, 1.0)]
    with pytest.raises(ValueError, match="levels must end with one that alone survives"):
        perfmodel.optimal_pattern_levels(levels, mtbf=1.0)
