import warnings

import numpy as np
import pytest

from perfmodel import (
    ValidityWarning,
    energy_per_work,
    energy_per_work_first_order,
    evaluate_formula,
    expected_energy,
    expected_makespan,
    expected_makespan_async,
    optimal_interval,
    optimal_interval_energy,
    optimal_interval_energy_first_order,
    time_energy_curve,
    waste,
    waste_energy,
)

TIME = {"static_power": 1.0, "compute_power": 0.0}
POWERS = {"static_power": 1.0, "compute_power": 2.0, "io_power": 3.0, "down_power": 1.5}
COSTS = {"mtbf": 2.0, "checkpoint_cost": 0.5, "recovery_cost": 0.6, "downtime": 0.8}
MACHINE = {**COSTS, "overlap": 0.6, **POWERS}
SOURCE = {
    "mtbf": 300.0,
    "checkpoint_cost": 10.0,
    "recovery_cost": 10.0,
    "downtime": 1.0,
    "overlap": 0.5,
    "compute_power": 10.0,
    "io_power": 100.0,
}


@pytest.mark.parametrize("work", [0.7, 1.0, 5.3])
def test_with_static_power_alone_energy_is_time(work):
    found = expected_energy(work, interval=1.0, **COSTS, **TIME)
    np.testing.assert_allclose(found, expected_makespan(work, interval=1.0, **COSTS), rtol=1e-14)
    found = waste_energy(work, interval=1.0, **COSTS, **TIME)
    np.testing.assert_allclose(found, waste(work, interval=1.0, **COSTS), rtol=1e-14)


@pytest.mark.parametrize("interval", [0.2, 1.0])
@pytest.mark.parametrize("overlap", [0.3, 0.9, 1.0])
def test_the_time_is_that_of_a_free_copy_that_drains(interval, overlap):
    job = {"interval": interval, "mtbf": 2.0, "recovery_cost": 0.6, "downtime": 0.8}
    found = expected_energy(3.3, checkpoint_cost=0.5, overlap=overlap, **job, **TIME)
    known = expected_makespan_async(
        *(3.3,), checkpoint_cost=0.0, latency=0.5, slowdown=1.0 - overlap,
        in_flight="single_buffer", **job,
    )  # fmt: skip
    np.testing.assert_allclose(found, known, rtol=1e-13)


def test_without_failures_energy_is_counted_by_hand():
    # 3 segments; 0.25 of the second and third is done beside the checkpoint before.
    job = {"interval": 1.0, "mtbf": np.inf, "checkpoint_cost": 0.5, "overlap": 0.5}
    assert expected_energy(3.0, **job, **POWERS) == 4.0 * 1.0 + 3.0 * 2.0 + 1.5 * 3.0
    assert energy_per_work(**job, **POWERS) == 1.25 * 1.0 + 2.0 + 0.5 * 3.0


def test_the_energy_of_a_long_job_is_what_further_segments_add():
    job = {"interval": 1.0, **MACHINE}
    more = expected_energy(12.0, **job) - expected_energy(2.0, **job)
    np.testing.assert_allclose(energy_per_work(**job), more / 10.0, rtol=1e-13)


def test_a_tiny_waste_keeps_its_digits():
    rare = {"mtbf": 1e20, "checkpoint_cost": 0.0, "overlap": 0.5, **POWERS}
    np.testing.assert_allclose(waste_energy(1.0, interval=1.0, **rare), 0.5e-20, rtol=1e-12)


def test_powers_that_all_grow_alike_move_no_interval():
    double = {name: 2.0 * power for name, power in POWERS.items()}
    found = optimal_interval_energy(**{**MACHINE, **double})
    np.testing.assert_allclose(found, optimal_interval_energy(**MACHINE), rtol=1e-14)


def test_the_best_interval_for_time_is_that_for_what_a_checkpoint_takes():
    found = optimal_interval_energy(**{**COSTS, "mtbf": 20.0}, overlap=0.4, **TIME)
    known = optimal_interval(mtbf=20.0, checkpoint_cost=0.6 * 0.5)
    np.testing.assert_allclose(found, known, rtol=1e-14)


@pytest.mark.parametrize("io_power", [0.0, 3.0, 1e3])
def test_no_other_interval_takes_less(io_power):
    machine = {**MACHINE, "io_power": io_power}
    factors = np.geomspace(0.5, 2.0, 501)
    best = optimal_interval_energy(**machine)
    spans = np.maximum(best * factors, 0.6 * 0.5)
    assert np.min(energy_per_work(interval=spans, **machine)) >= energy_per_work(
        interval=best, **machine
    ) * (1.0 - 1e-15)


@pytest.mark.parametrize("cost", [1e-3, 0.3, 0.99, 1.01, 1.5, 1.99, 2.01, 5.0, 30.0])
@pytest.mark.parametrize("overlap", [0.0, 0.2, 0.6, 0.95])
def test_no_interval_takes_less_whatever_a_checkpoint_takes_of_an_uptime(cost, overlap):
    machine = {**MACHINE, "checkpoint_cost": 2.0 * cost, "overlap": overlap}
    best = optimal_interval_energy(**machine)
    least = max(2.0 * cost * overlap, 1e-3 * float(best))
    spans = np.append(np.geomspace(least, 1e3 * least, 2001), best * np.array([0.99, 1.01]))
    spans = np.maximum(spans, 2.0 * cost * overlap)
    taken = energy_per_work(interval=spans, **machine)
    assert energy_per_work(interval=best, **machine) <= np.min(taken) * (1.0 + 1e-14)


def test_checkpoints_that_compute_at_full_speed_follow_each_other():
    machine = {**COSTS, "overlap": 1.0, "static_power": 1.0, "compute_power": 2.0}
    assert optimal_interval_energy(**machine) == 0.5
    rare = {**machine, "mtbf": 1e6}
    assert optimal_interval_energy_first_order(**rare) == 0.5


def test_free_checkpoints_and_no_failures_are_the_ends():
    assert optimal_interval_energy(**{**MACHINE, "checkpoint_cost": 0.0}) == 0.0
    assert optimal_interval_energy(**{**MACHINE, "mtbf": np.inf}) == np.inf
    rare = {**MACHINE, "mtbf": 1e6}
    assert optimal_interval_energy_first_order(**{**rare, "checkpoint_cost": 0.0}) == 0.0
    assert optimal_interval_energy_first_order(**{**rare, "mtbf": np.inf}) == np.inf
    for name, end in (("checkpoint_cost", 0.0), ("mtbf", np.inf)):
        curve = time_energy_curve(**{**MACHINE, name: end})
        assert (curve.time == 1.0).all()
        assert (curve.energy == 1.0).all()


@pytest.mark.parametrize("overlap", [0.5, 1.0])
def test_an_interval_that_no_float_holds_in_mtbfs_is_the_only_one(overlap):
    machine = {**MACHINE, "mtbf": 1e-200, "checkpoint_cost": 1e200, "overlap": overlap}
    curve = time_energy_curve(**machine, points=3)
    np.testing.assert_allclose(curve.interval, 1e200 * overlap, rtol=1e-14)
    assert (curve.time == 1.0).all()
    assert (curve.energy == 1.0).all()


def test_more_power_to_write_means_fewer_checkpoints_beyond_the_mtbf():
    machine = {**MACHINE, "recovery_cost": 0.0, "io_power": [0.0, 10.0, 1e3, 1e6]}
    few = optimal_interval_energy(**machine)
    assert (np.diff(few) > 0.0).all()
    assert few[-1] > 2.0


@pytest.mark.parametrize(
    ("static", "longer", "dearer"), [(10.0, 1.103, 1.225), (5.0, 1.1278, 1.2955)]
)
def test_the_ratios_of_the_source_are_those_of_the_first_order(static, longer, dearer):
    machine = {**SOURCE, "static_power": static}
    hours = {**machine, **TIME, "io_power": 0.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)
        quick, frugal = (optimal_interval_energy_first_order(**each) for each in (hours, machine))
        time = [energy_per_work_first_order(interval=w, **hours) for w in (quick, frugal)]
        energy = [energy_per_work_first_order(interval=w, **machine) for w in (quick, frugal)]
    np.testing.assert_allclose(
        [time[1] / time[0], energy[0] / energy[1]], [longer, dearer], rtol=5e-4
    )


def test_the_curve_trades_time_for_energy():
    curve = time_energy_curve(**SOURCE, static_power=[[10.0], [5.0]], points=7)
    assert curve.interval.shape == curve.time.shape == curve.energy.shape == (2, 1, 7)
    assert (np.diff(curve.time) > 0.0).all()
    assert (np.diff(curve.energy) < 0.0).all()
    np.testing.assert_array_equal(curve.time[..., 0], 1.0)
    np.testing.assert_array_equal(curve.energy[..., -1], 1.0)


def test_the_first_order_tends_to_the_exact_energy_and_interval():
    rare = {**MACHINE, "mtbf": 1e8}
    best = optimal_interval_energy(**rare)
    np.testing.assert_allclose(optimal_interval_energy_first_order(**rare), best, rtol=1e-3)
    job = {"interval": 1e3, **rare}
    np.testing.assert_allclose(
        energy_per_work_first_order(**job), energy_per_work(**job), rtol=1e-9
    )


def test_the_first_order_warns_where_it_cannot_be_trusted_and_falls_back():
    with pytest.warns(ValidityWarning, match=r"is beyond 0.1, up to which .* within 12.00%"):
        energy_per_work_first_order(interval=1.0, **MACHINE)
    with pytest.warns(ValidityWarning, match=r"is beyond 0.3, up to which .* within 0.40% regret"):
        optimal_interval_energy_first_order(**MACHINE)
    found = evaluate_formula(optimal_interval_energy_first_order, **MACHINE)
    assert found.fell_back
    assert found.value == optimal_interval_energy(**MACHINE)


@pytest.mark.filterwarnings("ignore::perfmodel.ValidityWarning")
def test_where_the_first_order_sees_no_progress_it_says_so():
    assert energy_per_work_first_order(interval=4.1, **MACHINE) == np.inf
    assert optimal_interval_energy_first_order(**{**MACHINE, "downtime": 3.0}) == 2.0


def test_arguments_broadcast():
    found = expected_energy([[1.0], [2.5]], interval=1.0, **{**MACHINE, "overlap": [0.0, 0.6, 1.0]})
    assert found.shape == (2, 3)
    np.testing.assert_allclose(
        found[1, 1], expected_energy(2.5, interval=1.0, **MACHINE), rtol=1e-15
    )
