import math

import numpy as np
import pytest
from scipy import special

from perfmodel import (
    Bathtub,
    Deterministic,
    Exponential,
    Gamma,
    HyperExponential,
    LogNormal,
    Weibull,
    expected_makespan,
    expected_makespan_rejuvenated,
    optimal_interval,
    optimal_interval_rejuvenated,
    platform_failures_from_new,
    platform_failures_rejuvenated,
    platform_failures_stationary,
)

FIVE_YEARS = 43830.0  # h
NODE = Weibull(0.7, FIVE_YEARS / math.gamma(1.0 + 1.0 / 0.7))
COSTS = {"checkpoint_cost": 1 / 6, "recovery_cost": 1 / 6}


@pytest.mark.parametrize(
    ("nodes", "days", "known"),
    [
        (64, 30, (6.806078, 1.051335, 4.299819)),
        (1024, 30, (328.656731, 16.821355, 68.797100)),
        (16384, 7, (4019.751821, 62.799726, 394.701571)),
    ],
)
def test_failures_of_another_program(nodes, days, known):
    found = [
        function(24.0 * days, uptime=NODE, nodes=nodes)
        for function in (
            platform_failures_rejuvenated,
            platform_failures_stationary,
            platform_failures_from_new,
        )
    ]
    np.testing.assert_allclose(found, known, rtol=1e-7, atol=5e-7)


def test_where_nodes_wear_out_the_order_turns_round():
    found = [
        float(function(1.0, uptime=Weibull(2.0, 1.0), nodes=50))
        for function in (
            platform_failures_rejuvenated,
            platform_failures_from_new,
            platform_failures_stationary,
        )
    ]
    assert found == sorted(found)


def test_exponential_nodes_are_the_same_under_all_assumptions():
    time = [0.0, 0.3, 7.0, 5000.0]
    for function in (
        platform_failures_rejuvenated,
        platform_failures_from_new,
        platform_failures_stationary,
    ):
        found = function(time, uptime=Exponential(4.0), nodes=6)
        np.testing.assert_allclose(found, [0.0, 0.45, 10.5, 7500.0], rtol=1e-10)


def test_gamma_nodes_by_the_closed_form_of_shape_two():
    time = np.array([1e-9, 0.1, 2.0, 9.0, 500.0])
    x = time / 3.0
    known = 4 * 0.25 * (2.0 * x + np.expm1(-2.0 * x))
    found = platform_failures_from_new(time, uptime=Gamma(2.0, 3.0), nodes=4)
    np.testing.assert_allclose(found[1:], known[1:], rtol=1e-9)
    assert found[0] == pytest.approx(4 * 0.5 * x[0] ** 2, rel=1e-6)


@pytest.mark.parametrize("shape", [9.0, 25.0, 100.0])
@pytest.mark.parametrize("uptimes", [3.7, 4.5, 8.5, 30.2])
def test_alike_uptimes_stay_in_step(shape, uptimes):
    # A sum of n gamma uptimes is one of shape n times as large.
    sums = [Gamma(shape * n, 1.0 / shape).cdf(uptimes) for n in range(1, 200)]
    found = platform_failures_from_new(uptimes, uptime=Gamma(shape, 1.0 / shape), nodes=1)
    assert found == pytest.approx(float(np.sum(sums)), rel=1e-6)


def test_a_bathtub_may_be_that_of_a_node():
    law = Bathtub(0.45, 1.0, 0.8, 24.0)
    found = platform_failures_from_new(4800.0, uptime=law, nodes=10)
    assert found == pytest.approx(10 * (4800.0 / law.mean + (law.scv - 1.0) / 2.0), rel=1e-6)


@pytest.mark.parametrize(("shape", "means"), [(0.4, 9000.0), (0.466, 9000.0), (0.5, 1000.0)])
def test_many_uptimes_of_early_failures(shape, means):
    """After long, m(t) = t/mean + (scv - 1)/2: of a falling hazard never below t/mean."""
    node = Weibull(shape, 5.0)
    first = node.first_of(64)
    excess = (first.scv - 1.0) / 2.0
    found = platform_failures_rejuvenated(means * first.mean, uptime=node, nodes=64)
    assert found == pytest.approx(means + excess, rel=1e-7)
    assert found > means
    of_each = platform_failures_from_new(means * node.mean, uptime=node, nodes=2)
    assert of_each == pytest.approx(2.0 * (means + excess), rel=1e-7)


def test_gamma_nodes_of_shape_one_half_by_their_closed_form():
    """The transform of the renewals is (1 + sqrt(1 + s))/s^2."""
    t = np.array([1e-6, 0.01, 0.5, 5.0, 100.0, 4000.0])
    known = t + (t + 0.5) * special.erf(np.sqrt(t)) + np.sqrt(t / np.pi) * np.exp(-t)
    found = platform_failures_from_new(3.0 * t, uptime=Gamma(0.5, 3.0), nodes=1)
    np.testing.assert_allclose(found, known, rtol=1e-7)


@pytest.mark.parametrize("nodes", [1, 2, 1000])
@pytest.mark.parametrize(
    "law", [Weibull(0.7, 3.0), Weibull(2.5, 3.0), Exponential(3.0), Gamma(2.0, 1.5)]
)
def test_the_law_of_the_first_of_some(law, nodes):
    first, time = law.first_of(nodes), np.array([1e-3, 0.1, 1.0, 4.0])
    np.testing.assert_allclose(
        first.cumulative_hazard(time), nodes * law.cumulative_hazard(time), rtol=1e-13
    )


# The job of 720 h on 1024 nodes; times of another program.
@pytest.mark.parametrize(
    ("segments", "known"), [(838, 1126.2963), (196, 1638.092), (963, 1129.444), (409, 1220.693)]
)
def test_the_makespan_where_all_nodes_are_renewed(segments, known):
    found = expected_makespan_rejuvenated(
        720.0, uptime=NODE, nodes=1024, interval=720.0 / segments, **COSTS
    )
    assert found == pytest.approx(known, abs=6e-4)


def test_the_wrong_assumption_costs_45_per_cent_of_the_time():
    right = optimal_interval_rejuvenated(uptime=NODE, nodes=1024, **COSTS)
    assert right == pytest.approx(0.8596, abs=5e-5)
    failures = platform_failures_stationary(720.0, uptime=NODE, nodes=1024)
    wrong = optimal_interval(checkpoint_cost=1 / 6, mtbf=720.0 / failures)
    assert wrong == pytest.approx(3.6670, abs=5e-5)
    there, here = (
        float(expected_makespan_rejuvenated(720.0, uptime=NODE, nodes=1024, interval=w, **COSTS))
        for w in (720.0 / 196, 720.0 / 838)
    )
    assert there / here == pytest.approx(1.4544, abs=5e-5)
    # Where one node is renewed, the same two intervals cost the other way round.
    mtbf = float(720.0 / failures)
    there, here = (
        float(expected_makespan(720.0, interval=w, mtbf=mtbf, **COSTS))
        for w in (720.0 / 196, 720.0 / 838)
    )
    assert there == pytest.approx(790.535, abs=5e-4)
    assert here / there == pytest.approx(1.1049, abs=2e-4)


@pytest.mark.parametrize(
    ("function", "law", "rule"),
    [
        (platform_failures_rejuvenated, Deterministic(1.0), "uptime must have a density"),
        (platform_failures_from_new, Deterministic(1.0), "uptime must have a density"),
        (platform_failures_stationary, 3.0, "uptime must be a law"),
    ],
)
def test_refuses_other_laws(function, law, rule):
    with pytest.raises(TypeError, match=rule):
        function(1.0, uptime=law, nodes=2)


@pytest.mark.parametrize("function", [platform_failures_rejuvenated, platform_failures_from_new])
def test_refuses(function):
    with pytest.raises(ValueError, match=r"time must be finite and >= 0, got -1\.0"):
        function(-1.0, uptime=NODE, nodes=2)
    with pytest.raises(ValueError, match=r"nodes must be a whole number >= 1, got 0"):
        function(1.0, uptime=NODE, nodes=0)


def test_before_any_node_is_likely_to_fail_failures_are_first_ones():
    law, times = LogNormal.from_mean(12.2, cv=0.335), np.array([0.005, 1.0, 2.5, 3.0])
    found = platform_failures_rejuvenated(times, uptime=law, nodes=20)
    first = law.first_of(20)
    np.testing.assert_allclose(found, first.cdf(times), rtol=1e-5, atol=0.0)


def test_refuses_nodes_of_which_some_fail_at_once():
    sure = Bathtub(share=1.0, early=1e6, late=0.1, turn=1.0)  # 4.5e-5 of its uptimes are 0
    with pytest.raises(ValueError, match=r"nodes must leave a mean uptime > 0 to the platform"):
        platform_failures_rejuvenated(0.5, uptime=sure, nodes=10**9)


@pytest.mark.parametrize(("rare", "long"), [(0.3, 4.0), (1e-4, 1000.0)])
def test_nodes_of_two_kinds_of_uptimes_by_their_closed_form(rare, long):
    """Also where single uptimes last a thousand mean ones, so that a start is not forgotten."""
    law = HyperExponential((1.0 - rare, rare), (1.0, long))
    excess, forgets = (law.scv - 1.0) / 2.0, rare + (1.0 - rare) / long
    time = np.array([0.01, 3.0, 7.0, 60.0, 2000.0])
    known = time / law.mean - excess * np.expm1(-forgets * time)
    found = platform_failures_from_new(time, uptime=law, nodes=3)
    np.testing.assert_allclose(found, 3.0 * known, rtol=1e-6)


@pytest.mark.parametrize("mean", [1.0, 7.0])
def test_rare_failures_keep_their_digits(mean):
    time = mean * np.array([1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5])
    found = platform_failures_from_new(time, uptime=Exponential(mean), nodes=2)
    # A hundredth of what is stated: 3e-9 was seen on one processor, less on another.
    np.testing.assert_allclose(found, 2.0 * time / mean, rtol=1e-8)


def test_many_nodes_of_short_uptimes_are_not_refused_for_a_number_nobody_gave():
    job = {"uptime": Exponential(1e-142), "nodes": 200_000_000}
    found = platform_failures_rejuvenated([0.0, 1e-150], **job)
    np.testing.assert_allclose(found, [0.0, 2.0], rtol=1e-9)
    with pytest.raises(ValueError, match=r"nodes must leave a mean uptime .*, got 200000000: take"):
        expected_makespan_rejuvenated(1e-142, interval=1e-143, checkpoint_cost=1e-144, **job)


@pytest.mark.parametrize(
    ("cv", "time"),
    [
        *((0.01, 500.02), (0.005, 200.05), (0.001, 50.002), (0.0001, 50.001), (1e-6, 2.0000001)),
        *((0.00342, 9000.6), (0.05, 85.3), (0.1, 41.0)),
        # Both sides of where a step of the lattice is too long.
        *((0.02, 32.7), (0.02, 32.8), (0.05, 81.9), (0.05, 82.0)),
    ],
)
def test_uptimes_that_differ_little_are_counted_one_by_one(cv, time):
    count = np.arange(1.0, 1.2 * time + 20.0)
    sums = special.gammainc(count / cv**2, time / cv**2).sum()
    node = Gamma.from_mean(mean=1.0, cv=cv)
    found = platform_failures_from_new(time, uptime=node, nodes=1)
    assert found == pytest.approx(sums, rel=1e-7)


def test_two_weibull_uptimes_in_step():
    node = Weibull(2000.0, 1.0)
    ages = np.linspace(0.98, 1.02, 400_001)
    middle = 0.5 * (ages[1:] + ages[:-1])
    for time in (1.9985, 1.9995, 2.0005):
        second = float(node.cdf(time - middle) @ np.diff(node.cdf(ages)))
        found = platform_failures_from_new(time, uptime=node, nodes=1)
        assert found == pytest.approx(1.0 + second, rel=1e-7)


def test_a_time_too_long_says_why():
    node = Gamma.from_mean(mean=1.0, cv=0.003)
    with pytest.raises(ValueError, match="10000 mean uptimes where they vary so little, got 10001"):
        platform_failures_from_new(10001.0, uptime=node, nodes=1)
