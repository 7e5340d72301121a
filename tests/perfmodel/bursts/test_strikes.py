import mpmath
import numpy as np
import pytest
from mpmath import mp

from perfmodel import effective_mtbf_bursts, expected_makespan, pair_mtbf_bursts

RING = {"machine_nodes": 96, "burst_mtbf": 1.0, "burst_size": 4.0}


@pytest.mark.parametrize(
    ("placement", "rate"),
    [("random", 0.575849572), ("contiguous", 0.28125), ("strided", 0.68359375)],
)
def test_rates_of_another_program(placement, rate):
    found = effective_mtbf_bursts(24, **RING, placement=placement)
    assert 1.0 / found == pytest.approx(rate, rel=1e-9)


def test_pairs_of_another_program():
    found = 1.0 / pair_mtbf_bursts([1, 8], **RING)
    np.testing.assert_allclose(found, [0.03125, 0.004171371], rtol=0, atol=5e-10)


def test_pairs_keep_their_digits_wherever_a_float_holds_the_answer():
    rng = np.random.default_rng(3)
    with mpmath.workdps(60):
        for _ in range(200):
            total = int(10.0 ** rng.uniform(0.31, 5.0))
            distance, size = int(rng.integers(1, total)), 1.0 + 10.0 ** rng.uniform(-9.0, 5.0)
            machine = {**RING, "machine_nodes": total, "burst_size": size}
            found = float(pair_mtbf_bursts(distance, **machine))
            goes_on = 1 - 1 / mpmath.mpf(size)
            one, other = goes_on**distance, goes_on ** (total - distance)
            known = total / (size * (one * (1 - other) + other * (1 - one)))
            assert found == pytest.approx(float(known), rel=1e-12)


def test_bursts_of_one_node_strike_no_pair():
    assert pair_mtbf_bursts([1, 8], **{**RING, "burst_size": 1.0}).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("placement", ["random", "contiguous", "strided"])
def test_bursts_of_one_node_are_failures_that_come_alone(placement):
    found = effective_mtbf_bursts(
        [1, 4, 12], machine_nodes=12, burst_mtbf=5.0, burst_size=1.0, placement=placement
    )
    np.testing.assert_allclose(found, [60.0, 15.0, 5.0], rtol=1e-12)


@pytest.mark.parametrize("placement", ["random", "contiguous", "strided"])
def test_a_job_on_the_whole_machine_meets_every_burst_once(placement):
    machine = {"machine_nodes": 500, "burst_mtbf": 3.0, "placement": placement}
    found = effective_mtbf_bursts(500, burst_size=[1.0, 7.5, 1e6], **machine)
    np.testing.assert_allclose(found, 3.0, rtol=1e-12)


def test_many_random_nodes_of_a_machine_without_end():
    n, total, m = 4e6, 4e8, 25.0
    found = effective_mtbf_bursts(n, machine_nodes=total, burst_mtbf=1.0, burst_size=m)
    assert 1.0 / found == pytest.approx(m * n / (total + n * (m - 1.0)), rel=1e-6)


def test_endless_bursts_strike_everything():
    machine = {"machine_nodes": 10**6, "burst_mtbf": 2.0, "burst_size": 1e15}
    assert effective_mtbf_bursts(1, **machine) == pytest.approx(2.0, rel=1e-8)
    assert pair_mtbf_bursts(1000, **machine) == pytest.approx(2.0, rel=1e-8)


def test_extreme_times_neither_overflow_nor_vanish():
    machine = {"machine_nodes": 4, "burst_size": 2.0, "placement": "contiguous"}
    long = effective_mtbf_bursts(2, burst_mtbf=1e308, node_mtbf=1e308, **machine)
    short = effective_mtbf_bursts(2, burst_mtbf=1e-308, node_mtbf=1e-308, **machine)
    assert long / 1e308 == pytest.approx(short / 1e-308, rel=1e-12)


def test_the_time_to_a_loss_is_the_mtbf_of_a_job():
    # Failures of nodes counted one by one would be 4 times as frequent, and cost far more.
    mtbf = effective_mtbf_bursts(96, **{**RING, "burst_mtbf": 24.0})
    costs = {"checkpoint_cost": 0.1, "recovery_cost": 0.1}
    right = expected_makespan(100.0, interval=2.0, mtbf=float(mtbf), **costs)
    wrong = expected_makespan(100.0, interval=2.0, mtbf=6.0, **costs)
    assert mtbf == pytest.approx(24.0, rel=1e-12)
    assert wrong > 1.1 * right


def test_arrays_broadcast():
    assert effective_mtbf_bursts([[1], [2]], **{**RING, "burst_size": [1.0, 2.0]}).shape == (2, 2)
    assert pair_mtbf_bursts([[1], [2]], **{**RING, "burst_size": [1.0, 2.0]}).shape == (2, 2)


def test_without_bursts_nodes_fail_alone():
    machine = {"machine_nodes": 96, "burst_size": 4.0, "burst_mtbf": np.inf}
    assert effective_mtbf_bursts(24, **machine, node_mtbf=48.0) == 2.0
    assert effective_mtbf_bursts(24, **machine) == np.inf


def test_random_places_are_summed_where_that_ends():
    machine = {"machine_nodes": 867979464586, "burst_mtbf": 1.0}
    with pytest.raises(ValueError, match=r"at most 2e[+]07 terms, got 8.67979e[+]11"):
        effective_mtbf_bursts(616, **machine, burst_size=1e13)
    wide = effective_mtbf_bursts(616, **machine, burst_size=1e13, placement="contiguous")
    assert wide == pytest.approx(1.0, rel=0.1)
    # Bursts that hardly ever strike a node twice: as many chances as nodes struck.
    few = effective_mtbf_bursts(616, **machine, burst_size=4e5)
    assert few == pytest.approx(867979464586 / 616 / 4e5, rel=1e-3)


@pytest.mark.parametrize("far", [650, 700, 760])
def test_the_chance_of_nodes_far_apart_may_be_less_than_a_float_holds(far):
    found = pair_mtbf_bursts(far, machine_nodes=1500, burst_mtbf=1e-40, burst_size=1.6)
    with mp.workdps(30):
        u = 1 - 1 / mp.mpf(1.6)
        both = u**far + u ** (1500 - far) - 2 * u**1500
        known = float(1500 * mp.mpf(1e-40) / (mp.mpf(1.6) * both))
    assert found == pytest.approx(known, rel=1e-11)
